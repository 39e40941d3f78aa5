/** The shipped `jadoube record` on real devices of a kernel that hang on a cable: `npm run test:hil`. */
import { describeTables } from './tables.ts';

describeTables('record, on cables that are pulled twice', 'cables', [
  ['a HID device through hidraw', 'chessnut-hid', 'chessnut-usb-HID17'],
  ['a serial port that comes back under other names', 'dgt-acm', 'dgt-04711'],
]);
