import { filter, finalize, firstValueFrom, take } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dgt } from '../../boards/dgt/definition.ts';
import { BOARDS } from '../../boards/registry.ts';
import { isBoardError } from '../../core/board-error.ts';
import type { GameEvent } from '../../core/game-event.ts';
import { applyGameEvent, createGameRecord } from '../../core/game-record.ts';
import { MachineDriver } from '../../core/machine.ts';
import { makePlacement } from '../../core/placement.ts';
import { createReconstructor } from '../../core/reconstructor.ts';
import type { SensorEvent } from '../../core/sensor-event.ts';
import { parseSquare, type Square } from '../../core/square.ts';
import type { LinkAddress } from '../../driver/address.ts';
import { createSystemClock } from '../../driver/clock.ts';
import { timeOf } from '../../driver/connection.ts';
import { createFleet, type Fleet, type FleetOptions } from '../../driver/fleet.ts';
import { createLoopbackDevice } from '../../driver/loopback-device.ts';
import { createPseudoTerminal } from '../../driver/pseudo-terminal.ts';
import type { BoardMessage, FleetStatus } from '../../driver/roster.ts';
import type { DeviceEnd, Transport } from '../../driver/transport.ts';
import { createMemoryPair, type MemoryDevice } from '../../driver/transports/memory.ts';
import { createSimulatedBoard, type SimulatedBoard } from '../kit/simulated-board.ts';

// The handshake of a board takes a second and a half: here a second has 100 ms, which a busy machine still keeps up with.
const clock = createSystemClock({ speed: 10 });

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';
const AFTER_E4 = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR';
const AFTER_E4_E5 = 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR';

const square = (name: string): Square => parseSquare(name)!;

function switchOn(serialNumber: string, device?: DeviceEnd): SimulatedBoard {
  const board = createSimulatedBoard(dgt, { serialNumber }, clock);
  if (device !== undefined) board.attach(device);
  onTestFinished(() => board.switchOff());
  return board;
}

/** Moves a piece as a hand does. */
function move(board: SimulatedBoard, from: string, to: string, cell: number): void {
  board.square(square(from), 0);
  board.square(square(to), cell);
}

/** A fleet that someone follows from beginning to end, and everything it has said. */
function follow(options: Partial<FleetOptions>): Fleet & { messages: BoardMessage[] } {
  const fleet = createFleet({ definitions: BOARDS, list: async () => [], clock, ...options });
  const messages: BoardMessage[] = [];
  const following = fleet.updates$.subscribe((message) => messages.push(message));
  onTestFinished(() => following.unsubscribe());
  return { ...fleet, messages };
}

const when = (fleet: Fleet, is: (status: FleetStatus) => boolean): Promise<FleetStatus> =>
  firstValueFrom(fleet.status$.pipe(filter(is)));

const up = (fleet: Fleet, count: number): Promise<FleetStatus> =>
  when(fleet, ({ boards }) => boards.filter(({ state }) => state === 'up').length === count);

/** The boards of a dump event, as FEN. */
const dumpOf = ({ update }: BoardMessage): string | undefined =>
  update.type === 'sensor' && update.event.type === 'dump'
    ? makePlacement(update.event.placement)
    : undefined;

/** Waits until a board reports this placement in a dump. */
const stands = (fleet: Fleet, board: string, placement: string): Promise<unknown> =>
  firstValueFrom(
    fleet.updates$.pipe(filter((message) => message.board === board && dumpOf(message) === placement)),
  );

/** What became of the link, in order. */
const linksOf = (messages: readonly BoardMessage[], board: string): string[] =>
  messages.flatMap((m) => (m.board === board && m.update.type === 'link' ? [m.update.link] : []));

/** SAN of the game that the sensors of a board tell, and whether board and record agree at the end. */
function gameOf(messages: readonly BoardMessage[], board: string): { moves: string[]; inSync: boolean } {
  const driver = new MachineDriver<SensorEvent, GameEvent>(createReconstructor({ profile: dgt.profile }));
  const outputs: GameEvent[] = [];
  for (const { board: id, update } of messages) {
    if (id === board && update.type === 'sensor') driver.feed(update.event, outputs);
  }
  driver.advance(Number.POSITIVE_INFINITY, outputs);
  const start = outputs.find((event) => event.type === 'gameStarted');
  if (start === undefined) return { moves: [], inSync: false };
  const record = createGameRecord(start);
  for (const event of outputs) applyGameEvent(record, event);
  return { moves: record.plies.map((ply) => ply.san), inSync: record.inSync };
}

const timesOf = (messages: readonly BoardMessage[], board: string): number[] =>
  messages.filter((m) => m.board === board).map((m) => timeOf(m.update));

/** Links in memory that come and go; what a fleet is given to find them. */
function createBench() {
  const links = new Map<string, { transport: Transport; device: MemoryDevice }>();
  const listed = new Set<string>();
  const add = (name: string): MemoryDevice => {
    const pair = createMemoryPair(name, clock);
    links.set(name, pair);
    listed.add(name);
    return pair.device;
  };
  const options = {
    extra: (): LinkAddress[] => [...listed].map((name) => ({ type: 'memory', name }) as const),
    transportFor: (link: LinkAddress): Transport => {
      const pair = link.type === 'memory' ? links.get(link.name) : undefined;
      if (pair === undefined) throw new TypeError('a link of this bench');
      return pair.transport;
    },
  };
  return { add, remove: (name: string) => listed.delete(name), options };
}

describe('a fleet', () => {
  it('finds every board, names it by its number and tells what stands on it', async () => {
    const bench = createBench();
    for (const name of ['00001', '00002', '00003']) switchOn(name, bench.add(name));
    const fleet = follow(bench.options);
    const { boards } = await up(fleet, 3);
    expect(boards.map(({ board }) => board).sort()).toEqual(['dgt-00001', 'dgt-00002', 'dgt-00003']);
    for (const { board } of boards) {
      const own = fleet.messages.filter((m) => m.board === board);
      expect(own[0]?.update).toMatchObject({ type: 'link', link: 'connecting' });
      expect(own.map(dumpOf).find((placement) => placement !== undefined)).toBe(START);
    }
  });

  it('opens nothing before somebody follows it, shares its ports, and closes them with the last', async () => {
    const bench = createBench();
    switchOn('00001', bench.add('a'));
    let open = 0;
    let opened = 0;
    const counting = (link: LinkAddress): Transport => {
      const transport = bench.options.transportFor(link);
      return {
        address: transport.address,
        open$: () => {
          open += 1;
          opened += 1;
          return transport.open$().pipe(
            finalize(() => {
              open -= 1;
            }),
          );
        },
      };
    };
    const fleet = createFleet({
      definitions: BOARDS.filter(({ id }) => id === 'dgt'),
      list: async () => [],
      clock,
      extra: bench.options.extra,
      transportFor: counting,
    });
    expect(opened).toBe(0);
    const first = fleet.updates$.subscribe();
    const second = fleet.status$.subscribe();
    await up(fleet, 1);
    expect([opened, open]).toEqual([1, 1]);
    first.unsubscribe();
    expect(open).toBe(1);
    second.unsubscribe();
    expect(open).toBe(0);
  });

  it('tells a newcomer at once how everything stands', async () => {
    const bench = createBench();
    switchOn('00001', bench.add('a'));
    const fleet = follow(bench.options);
    await up(fleet, 1);
    let seen: FleetStatus | undefined;
    fleet.status$.pipe(take(1)).subscribe((status) => {
      seen = status;
    });
    expect(seen?.boards).toMatchObject([
      { board: 'dgt-00001', state: 'up', identity: { serialNumber: '00001' } },
    ]);
  });

  it('goes on with the same board when it comes back under another name', async () => {
    const bench = createBench();
    const device = bench.add('first');
    const board = switchOn('00001', device);
    switchOn('00002', bench.add('other'));
    const fleet = follow(bench.options);
    await up(fleet, 2);
    device.unplug();
    bench.remove('first');
    await when(fleet, ({ ports }) =>
      ports.every(({ link }) => link.type === 'memory' && link.name !== 'first'),
    );
    move(board, 'e2', 'e4', 1);
    const moved = stands(fleet, 'dgt-00001', AFTER_E4);
    board.attach(bench.add('second'));
    await moved;
    await up(fleet, 2);
    const links = linksOf(fleet.messages, 'dgt-00001');
    expect(links.filter((link) => link === 'lost' || link === 'up')).toEqual(['up', 'lost', 'up']);
    expect(linksOf(fleet.messages, 'dgt-00002')).toEqual(['connecting', 'up']);
    const times = timesOf(fleet.messages, 'dgt-00001');
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  it('keeps two boards apart that give the same number', async () => {
    const bench = createBench();
    switchOn('00001', bench.add('a'));
    const fleet = follow(bench.options);
    await up(fleet, 1);
    switchOn('00001', bench.add('b'));
    const { boards } = await up(fleet, 2);
    expect(boards.map(({ board }) => board)).toEqual(['dgt-00001', 'dgt-00001@b']);
    expect(linksOf(fleet.messages, 'dgt-00001')).toEqual(['connecting', 'up']);
  });

  it('refuses a kind of board that does not exist, before anything is opened', () => {
    const named = [{ kind: 'abacus', link: { type: 'serial', path: 'COM1' } }] as const;
    try {
      createFleet({ definitions: BOARDS, clock, named });
      expect.unreachable();
    } catch (error) {
      expect(isBoardError(error, 'BOARD_UNKNOWN')).toBe(true);
    }
  });

  it('shows a named place that cannot be reached, with the reason, and goes on trying', async () => {
    const named = [{ kind: 'dgt', link: { type: 'serial', path: '/dev/no-such-port' } }] as const;
    const fleet = follow({ named });
    const { ports } = await when(fleet, (status) => status.ports[0]?.state === 'retrying');
    expect(ports).toMatchObject([{ link: named[0].link, fault: { code: 'LINK_GONE' } }]);
    await when(fleet, (status) => status.ports[0]?.state === 'connecting');
  });

  it('shows a place that this system cannot open at all, and keeps the others', async () => {
    const device = await createLoopbackDevice();
    onTestFinished(() => device.close());
    switchOn('00001', device);
    const named = [
      { kind: 'dgt', link: { type: 'serial', path: import.meta.filename } },
      { kind: 'dgt', link: device.address },
    ] as const;
    const fleet = follow({ named });
    const { ports } = await up(fleet, 1);
    expect(ports).toMatchObject([{ state: 'failed', fault: { code: 'LINK_UNSUPPORTED' } }, { state: 'up' }]);
  });

  it('looks for a named board at new ports, and leaves strangers there alone', async () => {
    const bench = createBench();
    const place = { type: 'memory', name: 'named' } as const;
    const device = bench.add('named');
    const board = switchOn('00001', device);
    switchOn('00009', bench.add('always-there'));
    const fleet = follow({ ...bench.options, named: [{ kind: 'dgt', link: place }] });
    await up(fleet, 1);
    switchOn('00008', bench.add('stranger'));
    await when(fleet, ({ ports }) => ports.some(({ state }) => state === 'ignored'));
    device.unplug();
    board.attach(bench.add('elsewhere'));
    await when(
      fleet,
      ({ boards }) => boards[0]?.link.type === 'memory' && boards[0].link.name === 'elsewhere',
    );
    const { boards, ports } = await up(fleet, 1);
    expect(boards).toHaveLength(1);
    expect(ports.map(({ link }) => link.type === 'memory' && link.name)).toEqual([
      'named',
      'stranger',
      'elsewhere',
    ]);
  });

  it('looks nowhere else when it is told so', async () => {
    const bench = createBench();
    switchOn('00001', bench.add('named'));
    const named = [{ kind: 'dgt', link: { type: 'memory', name: 'named' } }] as const;
    const fleet = follow({ ...bench.options, named, search: 'none' });
    await up(fleet, 1);
    switchOn('00002', bench.add('new'));
    // Another fleet finds it, so this one has had its chance to look.
    await up(follow(bench.options), 1);
    const { ports } = await up(fleet, 1);
    expect(ports).toHaveLength(1);
  });
});

describe('a fleet over pseudo-terminals', () => {
  it('records a board that is pulled in the middle of a move and put back under another name as one board', async ({
    skip,
  }) => {
    const first = await createPseudoTerminal();
    const beside = await createPseudoTerminal();
    if (first === undefined || beside === undefined) return skip('this system has no pseudo-terminals');
    const plugged = new Set([first, beside]);
    onTestFinished(async () => {
      for (const terminal of plugged) await terminal.close();
    });
    const board = switchOn('00001', first);
    switchOn('00002', beside);
    const fleet = follow({ extra: () => [...plugged].map(({ address }) => address) });
    await up(fleet, 2);

    const played = stands(fleet, 'dgt-00001', AFTER_E4);
    move(board, 'e2', 'e4', 1);
    await played;
    board.square(square('e7'), 0);
    await first.close();
    plugged.delete(first);
    await when(fleet, ({ boards }) =>
      boards.some(({ board: id, state }) => id === 'dgt-00001' && state !== 'up'),
    );
    board.square(square('e5'), 7);

    const second = await createPseudoTerminal();
    if (second === undefined) return skip('this system has no more pseudo-terminals');
    const back = stands(fleet, 'dgt-00001', AFTER_E4_E5);
    plugged.add(second);
    board.attach(second);
    await back;
    const { boards } = await up(fleet, 2);

    expect(boards.map(({ board: id }) => id).sort()).toEqual(['dgt-00001', 'dgt-00002']);
    expect(boards.find(({ board: id }) => id === 'dgt-00001')?.link).toEqual(second.address);
    const own = linksOf(fleet.messages, 'dgt-00001').filter((link) => link === 'up' || link === 'lost');
    expect(own).toEqual(['up', 'lost', 'up']);
    expect(gameOf(fleet.messages, 'dgt-00001')).toEqual({ moves: ['e4', 'e5'], inSync: true });
    expect(linksOf(fleet.messages, 'dgt-00002')).toEqual(['connecting', 'up']);
    const times = timesOf(fleet.messages, 'dgt-00001');
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  it('leaves a port alone that another fleet holds, and takes it over when that one ends', async ({
    skip,
  }) => {
    const terminal = await createPseudoTerminal();
    if (terminal === undefined) return skip('this system has no pseudo-terminals');
    onTestFinished(() => terminal.close());
    switchOn('00001', terminal);
    const named = [{ kind: 'dgt', link: terminal.address }] as const;
    const holder = createFleet({ definitions: BOARDS, list: async () => [], clock, named });
    const holding = holder.updates$.subscribe();
    onTestFinished(() => holding.unsubscribe());
    await up(holder, 1);
    const waiting = follow({ named });
    const { ports } = await when(waiting, (status) => status.ports[0]?.fault !== undefined);
    expect(ports[0]?.fault?.code).toBe('LINK_BUSY');
    holding.unsubscribe();
    await up(waiting, 1);
  });
});
