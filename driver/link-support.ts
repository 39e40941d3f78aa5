/** What this machine can and cannot reach, for people who look for the reason. */
export { bluetoothFault } from './transports/ble.ts';
export { hasRadio } from './transports/ble-radio.ts';
export { hidFault } from './transports/hid.ts';
