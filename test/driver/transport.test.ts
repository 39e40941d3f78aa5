import { ReplaySubject } from 'rxjs';
import { createSystemClock } from '../../driver/clock.ts';
import { createTransport } from '../../driver/create-transport.ts';
import { createLoopbackDevice } from '../../driver/loopback-device.ts';
import { createPseudoTerminal } from '../../driver/pseudo-terminal.ts';
import type { DeviceEnd, Transport } from '../../driver/transport.ts';
import { createMemoryPair } from '../../driver/transports/memory.ts';
import { createReplayTransport, type ReplayRecord } from '../../driver/transports/replay.ts';
import { GO, gathered, type Rig, type Script, testTransport } from './transport-contract.ts';

const clock = createSystemClock();

/** Lets a device end follow a script. */
function perform(device: DeviceEnd, script: Script, transport: Transport, rival?: Transport): Rig {
  const received = new ReplaySubject<Uint8Array>();
  let begun = false;
  const listening = gathered(device.bytes$).subscribe((all) => {
    received.next(all);
    if (all[0] !== GO[0]) return;
    if (!begun) for (const chunk of script.sends ?? []) device.write(chunk);
    begun = true;
    if (script.unplugs === true && all.length > 1) void device.close();
  });
  return {
    transport,
    received$: received,
    ...(rival && { rival }),
    dispose: async () => {
      listening.unsubscribe();
      await device.close();
    },
  };
}

testTransport(
  'serial over a pseudo-terminal',
  async (script) => {
    const terminal = await createPseudoTerminal();
    if (terminal === undefined) return undefined;
    const open = () => createTransport(terminal.address, {}, clock);
    return perform(terminal, script, open(), open());
  },
  () => createTransport({ type: 'serial', path: '/dev/no-such-port' }, {}, clock),
);

testTransport(
  'TCP',
  async (script) => {
    const device = await createLoopbackDevice();
    return perform(device, script, createTransport(device.address, {}, clock));
  },
  async () => {
    const device = await createLoopbackDevice();
    await device.close();
    return createTransport(device.address, {}, clock);
  },
);

testTransport(
  'memory',
  (script) => {
    const { transport, device } = createMemoryPair('contract', clock);
    return perform(device, script, transport, transport);
  },
  () => {
    const { transport, device } = createMemoryPair('contract', clock);
    device.unplug();
    return transport;
  },
);

testTransport(
  'replay',
  (script) => {
    const records: ReplayRecord[] = (script.sends ?? []).map((rx, i) => ({ t: 1000 + 10 * i, rx }));
    const lost: ReplayRecord = { t: 2000, link: 'lost' };
    const transport = createReplayTransport(
      'contract',
      script.unplugs === true ? [...records, lost] : records,
      createSystemClock({ speed: 50 }),
    );
    return { transport, dispose: () => {} };
  },
  undefined,
);
