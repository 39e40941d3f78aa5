import { describe, expect, it } from 'vitest';
import type { SessionEvent, SessionOutput } from '../../boards/definition.ts';
import { dgt } from '../../boards/dgt/definition.ts';
import type { Machine, Step, Tick } from '../../core/machine.ts';
import { MachineDriver } from '../../core/machine.ts';
import { type ConnectionOutput, createConnection, IDENTIFY_MS } from '../../driver/connection.ts';

const NOISE = Uint8Array.of(1, 2, 3);

/** A session that says what it is told to say, and remembers what it heard. */
function createScript(says: Partial<Record<(SessionEvent | Tick)['type'], readonly SessionOutput[]>>) {
  const heard: (SessionEvent | Tick)[] = [];
  const session: Machine<SessionEvent, SessionOutput> = {
    step(event): Step<SessionOutput> {
      heard.push(event);
      return { outputs: says[event.type] ?? [] };
    },
  };
  return { session, heard };
}

const textOf = (output: ConnectionOutput): string => {
  if (output.type === 'link') return output.link;
  if (output.type === 'broken') return `broken ${output.error.code}`;
  return output.type === 'sensor' ? `(${output.event.type})` : output.type;
};

describe('a connection', () => {
  it('says that the board is up once, at its first sensor event or when it is ready', () => {
    const event = { type: 'press', atMs: 1, side: 'white' } as const;
    const { session } = createScript({
      bytes: [
        { type: 'sensor', event },
        { type: 'state', atMs: 1, state: 'ready' },
      ],
    });
    const connection = createConnection(session, 'x');
    const opened = connection.step({ type: 'opened', atMs: 0 });
    expect(opened).toEqual({ outputs: [], wakeAtMs: IDENTIFY_MS });
    const step = connection.step({ type: 'bytes', atMs: 1, bytes: NOISE });
    expect(step.outputs.map(textOf)).toEqual(['rx', 'up', '(link)', '(press)', 'session']);
    expect(step.wakeAtMs).toBeUndefined();
  });

  it('gives up a link over which nothing of this kind of board was heard', () => {
    const { session } = createScript({});
    const driver = new MachineDriver(createConnection(session, 'x'));
    driver.feed({ type: 'opened', atMs: 5 });
    expect(driver.feed({ type: 'bytes', atMs: IDENTIFY_MS, bytes: NOISE }).map(textOf)).toEqual(['rx']);
    expect(driver.advance(IDENTIFY_MS + 5).map(textOf)).toEqual(['broken LINK_SILENT']);
  });

  it.each(['LINK_SILENT', 'LINK_FOREIGN'] as const)('ends with the reason its session gives: %s', (code) => {
    const lost = { type: 'lost', atMs: 0, fault: { code, message: 'because' } } as const;
    const { session, heard } = createScript({ opened: [lost, { type: 'write', bytes: NOISE }] });
    const connection = createConnection(session, 'x');
    expect(connection.step({ type: 'opened', atMs: 0 })).toMatchObject({
      outputs: [{ type: 'broken', error: { code, context: { device: 'x' } } }],
    });
    expect(connection.step({ type: 'bytes', atMs: 1, bytes: NOISE })).toEqual({ outputs: [] });
    expect(heard).toHaveLength(1);
  });

  it('gives neither its session nor anybody else times that fall', () => {
    const { session, heard } = createScript({
      bytes: [{ type: 'discarded', bytes: NOISE, fault: { code: 'x', message: '' } }],
    });
    const connection = createConnection(session, 'x');
    connection.step({ type: 'opened', atMs: 100 });
    const { outputs } = connection.step({ type: 'bytes', atMs: 90, bytes: NOISE });
    expect(outputs.map((output) => output.type !== 'sensor' && output.atMs)).toEqual([100, 100]);
    expect(heard.map(({ atMs }) => atMs)).toEqual([100, 100]);
  });

  it('wakes a session exactly when it asks to be woken', () => {
    const ticks: number[] = [];
    const session: Machine<SessionEvent, SessionOutput> = {
      step(event) {
        if (event.type === 'tick') ticks.push(event.atMs);
        return event.atMs < 3 * IDENTIFY_MS ? { outputs: [], wakeAtMs: event.atMs + 7000 } : { outputs: [] };
      },
    };
    const driver = new MachineDriver(createConnection(session, 'x'));
    driver.feed({ type: 'opened', atMs: 0 });
    driver.advance(10 * IDENTIFY_MS);
    // The last wake-up before the connection gives up.
    expect(ticks).toEqual([7000, 14_000]);
  });

  it('takes another kind of device for no board of this one', () => {
    const driver = new MachineDriver(createConnection(dgt.createSession(), 'x'));
    const outputs = driver.feed({ type: 'opened', atMs: 0 });
    // A modem answers everything it is asked.
    for (let atMs = 500; atMs < IDENTIFY_MS; atMs += 100) {
      driver.feed({ type: 'bytes', atMs, bytes: new TextEncoder().encode('\r\nERROR\r\n') }, outputs);
    }
    expect(outputs.filter(({ type }) => type === 'link')).toEqual([]);
    expect(outputs.map(textOf)).toContain('broken LINK_FOREIGN');
  });
});
