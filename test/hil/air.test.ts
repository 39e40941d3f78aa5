/** The shipped `jadoube record` on Bluetooth Low Energy, through a real host controller interface: `npm run test:hil`. */
import { describeTables } from './tables.ts';

describeTables(
  'record, on the air, where boards fall silent twice',
  'air',
  [
    ['a Bluetooth Low Energy board', 'chessnut-le', 'chessnut-00-aa-01-00-00-00'],
    ['a Bluetooth board that knows no pieces', 'pegasus-le', 'dgt-pegasus-00815'],
  ],
  process.env.JADOUBE_HIL_AIR === '1'
    ? undefined
    : 'it has not been seen green: JADOUBE_HIL_AIR=1 runs it (README)',
);
