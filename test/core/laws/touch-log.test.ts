import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { GameEvent } from '../../../core/game-event.ts';
import { GameLine } from '../../../core/laws/game-line.ts';
import { createTouchLog, type TouchFinding, type TouchLogEvent } from '../../../core/laws/touch-log.ts';
import { MachineDriver } from '../../../core/machine.ts';
import { START_FEN } from '../../../core/position.ts';
import { createReconstructor } from '../../../core/reconstructor.ts';
import type { SensorEvent } from '../../../core/sensor-event.ts';
import { makeSquare } from '../../../core/square.ts';
import { Table } from '../../../core/table.ts';
import { parseTrace } from '../../../recorder/replay/trace.ts';

/** What the log finds in a game, the plies of which the reconstructor makes of the same events. */
function findingsOf(
  events: readonly SensorEvent[],
  options: Parameters<typeof createReconstructor>[0] = {},
): TouchFinding[] {
  const start = options.start ?? START_FEN;
  const line = new GameLine(start, options.variant);
  const table = new Table(options.rotated === true);
  const log = new MachineDriver(createTouchLog(line, line.start.cells));
  const reconstructor = new MachineDriver(createReconstructor(options));
  const found: TouchFinding[] = [];
  const hear = (outputs: readonly GameEvent[]): void => {
    for (const output of outputs) {
      if (output.type === 'orientation' && output.orientation !== table.orientation) table.turn();
      line.take(output);
      if (output.type === 'ply' || output.type === 'withdrawn') log.feed(output as TouchLogEvent, found);
    }
  };
  for (const event of events) {
    if (event.type === 'square') log.feed({ ...event, square: table.square(event.square) }, found);
    if (event.type === 'dump') log.feed({ ...event, placement: table.placement(event.placement) }, found);
    if (event.type === 'link') log.feed(event, found);
    hear(reconstructor.feed(event));
  }
  hear(reconstructor.advance(Number.POSITIVE_INFINITY));
  return found;
}

const traced = (text: string): TouchFinding[] => {
  const trace = parseTrace(text);
  if (!trace.ok) throw new Error(trace.fault.message);
  const { start, variant, rotated, occupancy, events } = trace.value;
  const profile = { sensing: occupancy ? 'occupancy' : 'identity', scanMs: 0 } as const;
  return findingsOf(events, { start, variant, rotated, profile });
};

const faults = (text: string): string[] =>
  traced(text).flatMap((f) =>
    f.type === 'checked' && f.check.fault !== undefined
      ? [`${f.ply} ${f.check.fault.type} ${f.check.fault.article} ${makeSquare(f.check.fault.square)}`]
      : [],
  );
const touched = (text: string): string[] =>
  traced(text).flatMap((f) => (f.type === 'touched' ? [`${f.ply} ${makeSquare(f.square)} ${f.atMs}`] : []));

const KNIGHTS = 'fen: start\nev: ';
const CASTLING = 'fen: r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1\nev: ';

describe('touches seen by sensors', () => {
  it.each([
    [
      '4.3.1: a piece put back, another moved',
      `${KNIGHTS} -b1 ~900 +b1=N ~400 -g1 ~500 +f3=N ~300 CW ~9000`,
      ['1 touch-move 4.3.1 b1'],
    ],
    [
      '4.3.1: the piece put back is the one moved',
      `${KNIGHTS} -g1 ~900 +g1=N ~400 -g1 ~500 +f3=N ~300 CW ~9000`,
      [],
    ],
    ['4.2: a nudge is no touch', `${KNIGHTS} -b1 ~100 +b1=N ~400 -g1 ~500 +f3=N ~300 CW ~9000`, []],
    [
      '4.4.2: the rook first',
      `${CASTLING} -h1 ~600 +f1=R ~600 -e1 ~600 +g1=K ~400 CW ~9000`,
      ['1 rook-first 4.4.2 h1'],
    ],
    ['4.4.1: castling king first', `${CASTLING} -e1 ~600 +g1=K ~600 -h1 ~600 +f1=R ~400 CW ~9000`, []],
    [
      '4.3.2: the victim touched with an own piece in the air is the one to capture',
      'fen: 4k3/8/8/3pp3/2B1P3/5N2/8/4K3 w - - 0 1\nev: -c4 ~600 -d5 ~600 +d5=p ~600 +c4=B ~600 -f3 ~500 +d2=N ~400 CW ~9000',
      ['1 touch-move 4.3.3 d5'],
    ],
    [
      'the hand for the reply is in the air before the move is made',
      `${KNIGHTS} -e2 ~600 +e4=P ~600 CW ~600 -e7 ~600 +e5=p ~600 CB ~600 -g1 ~400 -b8 ~400 +f3=N ~500 +c6=n ~400 CW ~400 CB ~9000`,
      [],
    ],
    [
      '4.7.1: a capture, the victim first',
      'fen: 4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1\nev: -d5 ~900 -e4 ~500 +d5=P ~400 CW ~9000',
      [],
    ],
  ])('%s', (_title, text, expected) => {
    expect(faults(text)).toEqual(expected);
  });

  it('4.8, 9.4: the first touch of a turn is told with its time, once, and not of a nudge', () => {
    const text = `${KNIGHTS} ~1000 -b1 ~100 +b1=N ~900 -g1 ~900 +g1=N ~900 -b1 ~900 +c3=N ~900 CW ~2000 -e7 ~600 +e5=p ~900 CB ~9000`;
    expect(touched(text)).toEqual(['1 g1 2000', '2 e7 7600']);
  });

  it('4.2: a piece of the side that is not to move is no touch of the player to move', () => {
    expect(touched(`${KNIGHTS} -b8 ~900 +b8=n ~900 -e2 ~600 +e4=P ~900 CW ~9000`)).toEqual(['1 e2 1800']);
  });

  it('nothing is concluded from what a gap hid', () => {
    expect(
      faults(`${KNIGHTS} -b1 ~900 +b1=N ~400 LINK- ~900 LINK+ ~100 -g1 ~500 +f3=N ~300 CW ~9000`),
    ).toEqual([]);
  });
});

const folder = '../shared/cases';
describe.skipIf(!existsSync(folder))('touches of the cases', () => {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.trace')) : [];
  it.each(files)('%s: a touch-move exactly where one is asked for', (name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const flags = [...text.matchAll(/^(?:flags|may):(.*)$/gm)].flatMap((m) => m[1]!.split(/\s+/));
    const words = traced(text).flatMap((f) =>
      f.type === 'checked' && f.check.fault !== undefined
        ? [f.check.fault.type === 'rook-first' ? 'ROOK_TOUCHED_FIRST' : 'TOUCH_MOVE']
        : [],
    );
    for (const word of ['TOUCH_MOVE', 'ROOK_TOUCHED_FIRST'])
      if (/^flags:.*/m.exec(text)![0].split(/\s+/).includes(word)) expect(words).toContain(word);
    for (const word of words) expect(flags).toContain(word);
  });
});
