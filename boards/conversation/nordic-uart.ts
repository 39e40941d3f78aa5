/** A serial line over Bluetooth LE as Nordic Semiconductor's UART service has it; boards of many makers speak through it. */
import type { LowEnergyLink } from '../definition.ts';

export const NORDIC_UART = {
  services: ['6e400001-b5a3-f393-e0a9-e50e24dcca9e'],
  notify: ['6e400003-b5a3-f393-e0a9-e50e24dcca9e'],
  write: '6e400002-b5a3-f393-e0a9-e50e24dcca9e',
  withResponse: false,
} as const satisfies Partial<LowEnergyLink>;
