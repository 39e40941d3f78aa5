import { concat, filter, firstValueFrom, map, NEVER, type Observable, of, take, tap, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { dgt } from '../../boards/dgt/definition.ts';
import { createDgtSimulator } from '../../boards/dgt/simulator.ts';
import type { DgtFaults } from '../../boards/dgt/simulator-options.ts';
import { BoardError } from '../../core/board-error.ts';
import { makePlacement } from '../../core/placement.ts';
import { createSystemClock } from '../../driver/clock.ts';
import { connectBoard, connectPort } from '../../driver/connect.ts';
import { type BoardUpdate, timeOf } from '../../driver/connection.ts';
import type { LinkEvent, Transport } from '../../driver/transport.ts';
import { createMemoryPair } from '../../driver/transports/memory.ts';
import { createReplayTransport } from '../../driver/transports/replay.ts';
import { type Marbles, runMarbles } from '../kit/marbles.ts';
import { createSimulatedBoard } from '../kit/simulated-board.ts';

/** What becomes of the link, one text a change. */
const links = (update$: Observable<BoardUpdate>): Observable<string> =>
  update$.pipe(
    filter((update) => update.type === 'link'),
    map(({ link, fault, inMs }) => [link, fault?.code, inMs].filter((x) => x !== undefined).join(' ')),
  );

const LETTERS = {
  c: 'connecting',
  u: 'up',
  l: 'lost LINK_GONE',
  s: 'lost LINK_SILENT',
  1: 'retrying LINK_GONE 250',
  2: 'retrying LINK_GONE 500',
  3: 'retrying LINK_GONE 1000',
  S: 'retrying LINK_SILENT 250',
};

/** A DGT board behind a memory link, switched on at time 0 and off at `offMs` (virtual time ends with it). */
function tableOf({ clock }: Marbles, offMs: number, faults: DgtFaults = {}) {
  const { transport, device } = createMemoryPair('table', clock);
  const definition = { ...dgt, createSimulator: () => createDgtSimulator({ scanMs: 0, faults }) };
  const board = createSimulatedBoard(definition, {}, clock);
  board.attach(device);
  const at = (atMs: number, act: () => void): void => void clock.timer$(atMs).subscribe(act);
  at(offMs, board.switchOff);
  return { transport, device, board, at };
}

/** Runs virtual time for so long and gives everything that was said, each with its time. */
function collect<T>(m: Marbles, said$: Observable<T>, forMs: number): { atMs: number; said: T }[] {
  const all: { atMs: number; said: T }[] = [];
  const listening = said$.subscribe((said) => all.push({ atMs: m.clock.monotonicMs(), said }));
  m.clock.timer$(forMs).subscribe(() => listening.unsubscribe());
  m.flush();
  return all;
}

const saidBy = <T>(all: readonly { said: T }[]): T[] => all.map(({ said }) => said);

/** A link that can be watched: what `open$` gives is one and the same observable. */
const watched = (link: Observable<never>): Transport => ({
  address: { type: 'memory', name: 'watched' },
  open$: () => link,
});

describe('connectBoard', () => {
  it('connects, says that the board is up before anything it senses, and gives its dump', () => {
    runMarbles((m) => {
      const { transport } = tableOf(m, 3000);
      const updates = saidBy(collect(m, connectBoard(dgt, transport, { clock: m.clock }), 3000));
      const kinds = updates.map((u) => (u.type === 'sensor' ? `sensor ${u.event.type}` : u.type));
      expect(updates[0]).toMatchObject({ type: 'link', link: 'connecting', atMs: 0 });
      const up = updates.findIndex((u) => u.type === 'link' && u.link === 'up');
      expect(up).toBeGreaterThan(0);
      expect(kinds.indexOf('sensor link')).toBe(up + 1);
      expect(kinds.indexOf('sensor dump')).toBe(up + 2);
      const dump = updates.find((u) => u.type === 'sensor' && u.event.type === 'dump');
      expect(
        dump?.type === 'sensor' && dump.event.type === 'dump' && makePlacement(dump.event.placement),
      ).toBe('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR');
      expect(updates).toContainEqual(
        expect.objectContaining({ type: 'identity', identity: { serialNumber: '01025' } }),
      );
      expect(updates).toContainEqual(expect.objectContaining({ type: 'session', state: 'ready' }));
    });
  });

  it('gives the bytes before what they say, and everything that was written', () => {
    runMarbles((m) => {
      const { transport } = tableOf(m, 3000);
      const updates = saidBy(collect(m, connectBoard(dgt, transport, { clock: m.clock }), 3000));
      const decoder = dgt.createDecoder();
      const decoded = updates.flatMap((u) => (u.type === 'rx' ? decoder.decode(u.bytes, u.atMs) : []));
      const sensed = updates.flatMap((u) => (u.type === 'sensor' && u.event.type !== 'link' ? [u] : []));
      expect(sensed).toEqual(decoded.filter((d) => d.type === 'sensor'));
      expect(sensed.length).toBeGreaterThan(0);
      const written = updates.filter((u) => u.type === 'tx').map((u) => u.bytes[0]);
      expect(written).toEqual(expect.arrayContaining([0x40, 0x42, 0x45, 0x4b]));
    });
  });

  it('tries again with growing waits while nothing is there, and is up when it comes', () => {
    runMarbles((m) => {
      const { transport, device, at } = tableOf(m, 4000);
      device.unplug();
      at(1700, device.plug);
      const seen = collect(m, links(connectBoard(dgt, transport, { clock: m.clock })), 4000);
      expect(seen.slice(0, 7)).toEqual([
        { atMs: 0, said: LETTERS.c },
        { atMs: 0, said: LETTERS[1] },
        { atMs: 250, said: LETTERS.c },
        { atMs: 250, said: LETTERS[2] },
        { atMs: 750, said: LETTERS.c },
        { atMs: 750, said: LETTERS[3] },
        { atMs: 1750, said: LETTERS.c },
      ]);
      expect(saidBy(seen.slice(7))).toEqual([LETTERS.u]);
    });
  });

  it('loses a board whose cable is pulled, and its dump tells what was played meanwhile', () => {
    runMarbles((m) => {
      const { transport, device, board, at } = tableOf(m, 9000);
      at(5000, device.unplug);
      at(5100, () => board.square(12, 0));
      at(5200, () => board.square(28, 1));
      at(5600, device.plug);
      const updates = saidBy(collect(m, connectBoard(dgt, transport, { clock: m.clock }), 9000));
      const said = updates.flatMap((u) =>
        u.type === 'link' ? [u.link] : u.type === 'sensor' ? [u.event.type] : [],
      );
      const lost = said.indexOf('lost');
      const expected = 'lost link retrying connecting retrying connecting up link dump'.split(' ');
      expect(said.slice(lost, lost + expected.length)).toEqual(expected);
      const dumps = updates.flatMap((u) => (u.type === 'sensor' && u.event.type === 'dump' ? [u.event] : []));
      const after = dumps.find(({ atMs }) => atMs > 5600);
      expect(after && makePlacement(after.placement)).toBe('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR');
    });
  });

  it('gives times that never fall, whatever happens', () => {
    runMarbles((m) => {
      const faults = { garbageEvery: 2, truncateEvery: 5, chunkBytes: 3 };
      const { transport, device, at } = tableOf(m, 20_000, faults);
      for (const atMs of [3000, 9000, 9300]) at(atMs, device.unplug);
      for (const atMs of [3500, 9100, 9900]) at(atMs, device.plug);
      const updates = saidBy(collect(m, connectBoard(dgt, transport, { clock: m.clock }), 20_000));
      const times = updates.map(timeOf);
      expect(times).toEqual([...times].sort((a, b) => a - b));
      expect(updates.filter((u) => u.type === 'link' && u.link === 'up').length).toBeGreaterThanOrEqual(3);
    });
  });

  it('tells of bytes that belong to no message', () => {
    runMarbles((m) => {
      const { transport } = tableOf(m, 3000, { garbageAtStart: [1, 2, 3] });
      const updates = saidBy(collect(m, connectBoard(dgt, transport, { clock: m.clock }), 3000));
      const fault = expect.objectContaining({ code: 'FRAME_GARBAGE' });
      expect(updates).toContainEqual(expect.objectContaining({ type: 'discarded', fault }));
    });
  });

  it('gives up a board that falls silent over an open link, and finds it when it speaks again', () => {
    runMarbles((m) => {
      const { transport } = tableOf(m, 60_000, { silentFromMs: 4000, silentUntilMs: 30_000 });
      const seen = saidBy(collect(m, links(connectBoard(dgt, transport, { clock: m.clock })), 60_000));
      expect(seen.slice(0, 5)).toEqual([LETTERS.c, LETTERS.u, LETTERS.s, LETTERS.S, LETTERS.c]);
      expect(seen.at(-1)).toBe(LETTERS.u);
    });
  });

  it('stays connected to a board on which nothing moves for ten minutes', () => {
    runMarbles((m) => {
      const { transport } = tableOf(m, 600_000);
      const seen = saidBy(collect(m, links(connectBoard(dgt, transport, { clock: m.clock })), 600_000));
      expect(seen).toEqual([LETTERS.c, LETTERS.u]);
    });
  });

  it('opens the link when it is subscribed to, closes it when it is left, and shares nothing', () => {
    runMarbles((m) => {
      const link = m.cold<never>('-');
      const board$ = links(connectBoard(dgt, watched(link), { clock: m.clock }));
      m.expectObservable(board$, '          ----^----!    ').toBe('----c', LETTERS);
      m.expectObservable(board$, '          ---------^---!').toBe('---------c', LETTERS);
      m.expectSubscriptions(link.subscriptions).toBe(['----^----!', '---------^---!']);
    });
  });

  it('has one link at a time: the next is opened after the wait that follows the end of the last', () => {
    runMarbles((m) => {
      const gone = new BoardError('LINK_GONE', { device: 'x' });
      const link = m.cold<never>('--#', undefined, gone);
      const unsub = '                            ^ 1s              !';
      const opens = ['^-!', '          252ms ^-!', '754ms ^-!'];
      const expected = '          c-1 249ms c-2 499ms c-3';
      m.expectObservable(links(connectBoard(dgt, watched(link), { clock: m.clock })), unsub).toBe(
        expected,
        LETTERS,
      );
      m.expectSubscriptions(link.subscriptions).toBe(opens);
    });
  });

  it('does not try again when it is left during the wait', () => {
    runMarbles((m) => {
      const gone = new BoardError('LINK_GONE', { device: 'x' });
      const link = m.cold<never>('--#', undefined, gone);
      const board$ = links(connectBoard(dgt, watched(link), { clock: m.clock }));
      m.expectObservable(board$, '^ 100ms !').toBe('c-1', LETTERS);
      m.expectSubscriptions(link.subscriptions).toBe(['^-!']);
    });
  });

  it('completes when nothing will ever come again', () => {
    runMarbles((m) => {
      const transport = createReplayTransport('tape', [{ t: 5, rx: Uint8Array.of(0x8d) }], m.clock);
      m.expectObservable(links(connectBoard(dgt, transport, { clock: m.clock }))).toBe('(c|)', LETTERS);
    });
  });

  it('ends with an error that is a mistake of ours', () => {
    runMarbles((m) => {
      const ours = new TypeError('ours');
      const link = m.cold<never>('--#', undefined, ours);
      const board$ = links(connectBoard(dgt, watched(link), { clock: m.clock }));
      m.expectObservable(board$).toBe('c-#', LETTERS, ours);
      m.expectSubscriptions(link.subscriptions).toBe(['^-!']);
    });
  });

  it('ends with LINK_UNSUPPORTED, which waiting does not heal', () => {
    runMarbles((m) => {
      const error = new BoardError('LINK_UNSUPPORTED', { device: 'x' });
      const link = m.cold<never>('--#', undefined, error);
      const board$ = links(connectBoard(dgt, watched(link), { clock: m.clock }));
      m.expectObservable(board$).toBe('c-#', LETTERS, error);
      m.expectSubscriptions(link.subscriptions).toBe(['^-!']);
    });
  });

  it('does not take the time in which this process stood still for the silence of the board', async () => {
    const clock = createSystemClock({ speed: 20 });
    const { transport, device } = createMemoryPair('table', clock);
    const board = createSimulatedBoard(dgt, {}, clock);
    board.attach(device);
    const all: string[] = [];
    let dumps = 0;
    await firstValueFrom(
      connectBoard(dgt, transport, { clock }).pipe(
        tap((update) => {
          if (update.type === 'link') all.push(update.link);
          if (update.type === 'session') all.push(update.state);
          if (update.type !== 'sensor' || update.event.type !== 'dump' || all.at(-1) !== 'ready') return;
          // Ten seconds: more than any silence that is forgiven.
          if (++dumps === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
        }),
        filter(() => dumps === 3),
      ),
    );
    board.switchOff();
    expect(all).toEqual(['connecting', 'identifying', 'up', 'ready']);
  });

  it('takes a write that the link refuses for the end of the link', async () => {
    const refused = new BoardError('LINK_GONE', { device: 'x' });
    const open$ = (): Observable<LinkEvent> =>
      concat(of<LinkEvent>({ type: 'opened', atMs: 0, write: () => Promise.reject(refused) }), NEVER);
    const transport: Transport = { address: { type: 'memory', name: 'x' }, open$ };
    const clock = createSystemClock({ speed: 100 });
    const seen = await firstValueFrom(
      links(connectBoard(dgt, transport, { clock })).pipe(take(2), toArray()),
    );
    expect(seen).toEqual([LETTERS.c, LETTERS[1]]);
  });
});

describe('connectPort', () => {
  it('asks as one kind of board after the other and stays with the one that answers', () => {
    runMarbles((m) => {
      const { transport } = tableOf(m, 30_000);
      // A kind of board whose session never understands what this one says.
      const deaf = { ...dgt, id: 'deaf', createSession: () => ({ step: () => ({ outputs: [] }) }) };
      const port$ = connectPort([deaf, dgt], () => transport, { clock: m.clock }).pipe(
        filter(({ update }) => update.type === 'link'),
        map(({ definition, update }) => `${definition.id} ${update.type === 'link' && update.link}`),
      );
      expect(saidBy(collect(m, port$, 30_000))).toEqual([
        'deaf connecting',
        'deaf retrying',
        'dgt connecting',
        'dgt up',
      ]);
    });
  });
});
