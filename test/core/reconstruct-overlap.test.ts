/** Two hands on the board at once: the reply begins while the move is still being made. Both plies come out, in order. */
import { describe, expect, it } from 'vitest';
import { makeRecords } from '../../core/game-record.ts';
import { optionsOf, outputsOf, readEvents, sansOf, testGames, wordOf } from './table-of-games.ts';

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

const RETAKEN = 'r1bqk2r/pp1nbppp/2pp1n2/3Pp3/2P1P3/2N4P/PP2NPP1/R1BQKB1R b KQkq - 0 7';
const BESIDE = 'r1bq1rk1/ppppn1pp/5p2/2b1N1B1/8/4P3/PPPN1PPP/R2QKB1R w KQ - 0 8';
const LONG = 'r2qkb1r/ppp2pp1/3p3p/8/4b3/1P6/PBPQBPPP/R3K2R w KQkq - 0 13';
const PASSING = '4k3/7p/8/3pP3/8/8/8/4K3 w - d6 0 2';
const MATED = '4k3/8/3b4/8/7q/8/5PPP/4K2R w K - 0 1';

testGames('an answer before the hand that is answered is done', [
  [
    'the piece that has just taken is taken off before its owner has pressed, and held over another square',
    RETAKEN,
    '-c6 -d5 ~230 +d5=p ~700 -d5 ~190 CB ~70 -c4 ~900 +c5=p ~4 +d5=P ~230 -c5 ~850 CW ~9000',
    'cxd5 cxd5',
  ],
  [
    'the rook of a castling is in the air when the answer is made',
    LONG,
    '-e1 ~210 +c1=K ~140 -e4 ~70 -a1 ~60 +d5=b ~80 +d1=R ~80 +c6=b ~30 -d5 ~170 CW ~40 CB ~9000',
    'O-O-O Bc6',
  ],
  [
    'the pawn taken in passing is taken off when the answer is made',
    PASSING,
    '-e5 ~200 +d6=P ~150 -h7 ~200 +h6=p ~90 -d5 ~200 CW ~300 CB ~9000',
    'exd6 h6',
  ],
  [
    'the rook stays at home',
    LONG,
    '-e1 ~210 +c1=K ~140 -e4 ~70 +c6=b ~170 CW ~40 CB ~9000',
    'O-O-O Bc6',
    'CASTLING_INCOMPLETE',
    'CASTLING_INCOMPLETE',
    { differs: true },
  ],
  [
    'the rook stays at home, and the answer is mate',
    MATED,
    '-e1 ~200 +g1=K ~200 -h2 ~200 -h4 ~200 +h2=q ~9000',
    'O-O Qxh2#',
    'CASTLING_INCOMPLETE',
    'CASTLING_INCOMPLETE',
    { differs: true },
  ],
]);

it('a capture with a stop beside the victim is no displacement a second after the press before it', () => {
  const text =
    '-e5 ~400 +d3=N ~110 CW ~30 -f6 ~200 +g6=p ~400 -g5 ~500 -g6 ~25 +g5=p ~28 +h4=B ~400 -h4 ~280 CB ~9000';
  const options = { ...optionsOf(BESIDE), profile: { sensing: 'identity', scanMs: 250 } } as const;
  const [game] = makeRecords(outputsOf(readEvents(text), options));
  expect(sansOf(game!)).toBe('Nd3 fxg5');
  expect(game!.flags.map(({ code }) => wordOf(code))).not.toContain('DISPLACED');
});
