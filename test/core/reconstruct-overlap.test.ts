/** Two hands on the board at once: the reply begins while the move is still being made. Both plies come out, in order. */
import { describe, expect, it } from 'vitest';
import { makeRecords } from '../../core/game-record.ts';
import { optionsOf, outputsOf, readEvents, sansOf, wordOf } from './table-of-games.ts';

const START = 'rnbqkbnr/ppp1pppp/8/3p4/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2';
const PAWNS = 'rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2';
const EXCHANGE = 'r1bqkbnr/pppp1ppp/2n5/8/3pP3/5N2/PPP2PPP/RNBQKB1R w KQkq - 0 4';
const CASTLING = 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1';
const PROMOTION = '1r5k/P7/8/8/8/8/7p/K7 w - - 0 1';
const SLIDE = '4k3/p3b3/8/8/8/8/P7/4R1K1 w - - 0 1';

interface Case {
  readonly title: string;
  readonly fen: string;
  readonly sans: string;
  /** What happens on the squares of each ply, in order. */
  readonly move: readonly string[];
  readonly reply: readonly string[];
}

const CASES: readonly Case[] = [
  { title: 'two quiet moves', fen: START, sans: 'e4 e6', move: ['-e2', '+e4=P'], reply: ['-e7', '+e6=p'] },
  {
    title: 'a move that is taken',
    fen: START,
    sans: 'e4 dxe4',
    move: ['-e2', '+e4=P'],
    reply: ['-d5', '-e4', '+e4=p'],
  },
  {
    title: 'a capture and a quiet move',
    fen: PAWNS,
    sans: 'exd5 Nf6',
    move: ['-e4', '-d5', '+d5=P'],
    reply: ['-g8', '+f6=n'],
  },
  {
    title: 'a capture and the recapture',
    fen: PAWNS,
    sans: 'exd5 Qxd5',
    move: ['-e4', '-d5', '+d5=P'],
    reply: ['-d8', '-d5', '+d5=q'],
  },
  {
    title: 'an exchange of knights',
    fen: EXCHANGE,
    sans: 'Nxd4 Nxd4',
    move: ['-f3', '-d4', '+d4=N'],
    reply: ['-c6', '-d4', '+d4=n'],
  },
  {
    title: 'castling and a king move',
    fen: CASTLING,
    sans: 'O-O Ke7',
    move: ['-e1', '+g1=K', '-h1', '+f1=R'],
    reply: ['-e8', '+e7=k'],
  },
  {
    title: 'a slide into a capture, and the recapture',
    fen: SLIDE,
    sans: 'Rxe7 Kxe7',
    move: ['-e1', '+e3=R', '-e3', '-e7', '+e7=R'],
    reply: ['-e8', '-e7', '+e7=k'],
  },
];

/** Only where sensors tell pieces apart. */
const IDENTITY_CASES: readonly Case[] = [
  ...CASES,
  {
    title: 'a move that is taken, its square never empty',
    fen: START,
    sans: 'e4 dxe4',
    move: ['-e2', '+e4=P'],
    reply: ['-d5', '+e4=p'],
  },
  {
    title: 'a capture and the recapture, the square never empty',
    fen: PAWNS,
    sans: 'exd5 Qxd5',
    move: ['-e4', '+d5=P'],
    reply: ['-d8', '+d5=q'],
  },
  {
    title: 'a new queen that is taken',
    fen: PROMOTION,
    sans: 'a8=Q Rxa8',
    move: ['-a7', '+a8=Q'],
    reply: ['-b8', '-a8', '+a8=r'],
  },
];

/** Every order of both hands in which the reply ends last and touches a piece that arrives only after it has arrived. */
function ordersOf(move: readonly string[], reply: readonly string[]): string[][] {
  const [first, ...rest] = move;
  if (first === undefined) return [[...reply]];
  const arrival = move.at(-1)!.slice(1, 3);
  const orders = ordersOf(rest, reply).map((order) => [first, ...order]);
  const [touched, ...later] = reply;
  if (touched !== undefined && later.length > 0 && touched.slice(1, 3) !== arrival)
    orders.push(...ordersOf(move, later).map((order) => [touched, ...order]));
  return orders;
}

function faultsOf({ fen, sans, move, reply }: Case, occupancy: boolean): string[] {
  const faults: string[] = [];
  for (const order of ordersOf(move, reply)) {
    for (const gapMs of [30, 120]) {
      for (const ending of ['', ' CW CB', ' ~400 CW ~400 CB', ' ~16000']) {
        for (const scanMs of [0, occupancy ? 50 : 250]) {
          const text = order.join(` ~${gapMs} `) + ending;
          const sensing = occupancy ? 'occupancy' : 'identity';
          const options = { ...optionsOf(fen), profile: { sensing, scanMs } } as const;
          const [game] = makeRecords(outputsOf(readEvents(text, occupancy), options));
          const loud = game!.flags.filter(({ severity }) => severity === 'warning' || severity === 'alarm');
          if (sansOf(game!) !== sans || loud.length > 0 || !game!.inSync)
            faults.push(`${text}: ${sansOf(game!)} ${loud.map(({ code }) => wordOf(code)).join(' ')}`);
        }
      }
    }
  }
  return faults;
}

describe('two hands at once', () => {
  it.each(IDENTITY_CASES)('$title', (row) => {
    expect(faultsOf(row, false)).toEqual([]);
  });
});

describe('two hands at once, on boards that know occupancy only', () => {
  it.each(CASES)('$title', (row) => {
    expect(faultsOf(row, true)).toEqual([]);
  });
});
