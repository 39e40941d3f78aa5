import type { DeviceEnd } from '../../../driver/transport.ts';

/** What joins a simulated board to the host; it can be pulled and put back. */
export interface Cable {
  plug(): Promise<DeviceEnd>;
  unplug(): Promise<void>;
}
