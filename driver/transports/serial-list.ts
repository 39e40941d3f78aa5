import type { PortInfo } from '../port-info.ts';

/**
 * Lists serial ports through the serial library, for systems other than Linux (there it starts `udevadm`, which may be
 * missing; see `linux-ports.ts`). An empty list when the library cannot be loaded or fails: discovery goes on with
 * what it knows by other ways.
 */
export async function listSerialPorts(): Promise<readonly PortInfo[]> {
  try {
    const { SerialPort } = await import('serialport');
    return (await SerialPort.list()).map(
      ({ path, vendorId, productId, serialNumber, manufacturer }): PortInfo =>
        vendorId === undefined || productId === undefined
          ? { path }
          : {
              path,
              usb: {
                vendorId: vendorId.toLowerCase(),
                productId: productId.toLowerCase(),
                ...(serialNumber && { serialNumber }),
                ...(manufacturer && { manufacturer }),
              },
            },
    );
  } catch {
    return [];
  }
}
