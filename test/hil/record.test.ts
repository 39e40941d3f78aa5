/** The shipped `jadoube record` on real devices of a kernel; each is taken away twice: `npm run test:hil`. */
import { describeTables } from './tables.ts';

describeTables(
  'the recorder, with boards of every link at once',
  [
    ['a USB device (HID) through hidraw', 'chessnut-hid', 'chessnut-usb-HID17'],
    ['a USB serial port that comes back under other names', 'dgt-acm', 'dgt-04711'],
    // Only when asked for: its emulation stands still now and then (README).
    ...(process.env.JADOUBE_HIL_RFCOMM === '1'
      ? ([['a serial port over classic Bluetooth', 'dgt-rfcomm', 'dgt-00042']] as const)
      : []),
    ['a Bluetooth Low Energy board', 'chessnut-le', 'chessnut-00-aa-01-00-00-00'],
    ['a Bluetooth Low Energy board that knows no pieces', 'pegasus-le', 'dgt-pegasus-00815'],
  ],
  { turns: 2 },
);

describeTables(
  'the recorder without rights, through the Bluetooth service',
  [['a Bluetooth Low Energy board', 'chessnut-le', 'chessnut-00-aa-01-00-00-00']],
  { turns: 1, bluez: true },
);
