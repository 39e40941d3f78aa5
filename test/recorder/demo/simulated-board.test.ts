import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { HandAction } from '../../../boards/hand/action.ts';
import { findBoard } from '../../../boards/registry.ts';
import type { DeviceEnd } from '../../../driver/transport.ts';
import { playActions$, serveBoard } from '../../../recorder/demo/simulated-board.ts';
import { runMarbles } from '../../kit/marbles.ts';

const ACTIONS: readonly HandAction[] = [
  { type: 'square', atMs: 2, square: 12, cell: 0 },
  { type: 'square', atMs: 2, square: 28, cell: 1 },
  { type: 'press', atMs: 4, side: 'white' },
  { type: 'clock', atMs: 6, whiteMs: 1000, blackMs: 2000, running: 'black' },
];

describe('hands at a simulated board', () => {
  it('do things at their own times after they begin, and leave presses to the clock', () => {
    runMarbles(({ expectObservable, clock }) => {
      expectObservable(playActions$(ACTIONS, clock)).toBe('--(ab)(c|)', {
        a: { ...ACTIONS[0], atMs: 2 },
        b: { ...ACTIONS[1], atMs: 2 },
        c: { ...ACTIONS[3], atMs: 6 },
      });
    });
  });

  it('do the rest later, not faster, when they are held up', () => {
    runMarbles(({ expectObservable, clock }) => {
      // In frame 1 twenty milliseconds go by in which nothing is done.
      const monotonicMs = () => clock.monotonicMs() + (clock.monotonicMs() >= 1 ? 20 : 0);
      expectObservable(playActions$(ACTIONS, { ...clock, monotonicMs })).toBe('--(ab)(c|)', {
        a: { ...ACTIONS[0], atMs: 22 },
        b: { ...ACTIONS[1], atMs: 22 },
        c: { ...ACTIONS[3], atMs: 26 },
      });
    });
  });
});

describe('a board served behind a link', () => {
  it('answers the host before anybody plays, and tells of a move once the hands may begin', () => {
    const definition = findBoard('dgt');
    if (!definition.ok) throw new Error(definition.fault.message);
    const written: number[][] = [];
    const bytes = new Subject<Uint8Array>();
    const device: DeviceEnd = {
      address: { type: 'tcp', host: 'nowhere', port: 1 },
      bytes$: bytes,
      write: (chunk) => written.push([...chunk]),
      close: async () => {},
    };
    runMarbles(({ cold, flush, expectObservable, clock, hot }) => {
      const start$ = hot('   5s a');
      const host$ = cold(' 10ms a 100ms b', { a: [0x42], b: [0x4b] });
      const served$ = serveBoard(device, definition.value, {}, { actions: ACTIONS, start$ }, clock);
      expectObservable(served$, '10s !').toBe('-');
      host$.subscribe((command) => bytes.next(Uint8Array.from(command)));
      flush();
    });
    const all = written.flat();
    expect(all.slice(0, 3)).toEqual([0x86, 0x00, 0x43]);
    const text = written.map((message) => message.join(' ')).join(' ');
    // e2 (index 52) emptied, e4 (index 36) a white pawn (1): both, in the order of the board's own scan.
    expect(text).toContain([0x8e, 0, 5, 52, 0].join(' '));
    expect(text).toContain([0x8e, 0, 5, 36, 1].join(' '));
  });
});
