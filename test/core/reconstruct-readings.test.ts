/** Histories that look alike for a while: what comes later decides which one is told. */
import { describe, expect, it } from 'vitest';
import { derive, testGames } from './table-of-games.ts';

const OCCUPANCY = { occupancy: true } as const;
const PASSANT = '8/1npk1p1p/1p1p2p1/3P4/PP1K2P1/3B3P/5P2/8 b - - 0 33';
const FILE = '2r3k1/5ppp/8/8/8/8/5PPP/2R3K1 w - - 0 1';

testGames('slides', [
  [
    'over six squares onto a victim that was taken off first',
    FILE,
    '-c8 -c1 +c2=R ~40 -c2 ~40 +c3=R -c3 ~40 +c4=R ~40 -c4 +c5=R ~40 -c5 +c6=R ~40 -c6 ~40 +c7=R -c7 +c8=R ~12000',
    'Rxc8#',
    'RESULT(1-0) !AMBIGUOUS',
    '',
    OCCUPANCY,
  ],
  [
    'of both sides at once are one ply each',
    '2r3k1/5ppp/8/8/8/8/P4PPP/6K1 w - - 0 1',
    '-a2 ~50 +a3=P ~30 -c8 ~20 +b8=r ~30 -a3 ~10 +a4=P ~20 -b8 ~20 +a8=r ~900 -g1 +f1=K ~12000',
    'a4 Ra8 Kf1',
    '!AMBIGUOUS',
  ],
  [
    'of a pawn over the square on which it could be taken in passing',
    PASSANT,
    '-c7 +c6=p ~30 -c6 +c5=p ~5000 -d5 ~1200 +c6=P ~200 -c5 ~12000',
    'c5+ dxc6+',
    '!AMBIGUOUS',
  ],
]);

testGames('positions that come again', [
  [
    'knights that go out and back are played, not taken back',
    'start',
    '-g1 +f3=? ~900 -g8 +f6=? ~900 -f3 +g1=? ~900 -f6 +g8=? ~900 -e2 +e4=? ~12000',
    'Nf3 Nf6 Ng1 Ng8 e4',
    '!TAKEBACK',
    '',
    OCCUPANCY,
  ],
]);

testGames('pieces that touch others', [
  [
    'a touch of the piece that is captured later is none of the capturing side',
    'rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2',
    '-d5 ~900 +d5=p ~900 -e4 ~500 -d5 +d5=P CW',
    'exd5',
    '!TOUCH_MOVE !AMBIGUOUS',
    'OUT_OF_TURN',
  ],
]);

testGames('a change that was never told', [
  [
    'the king of a castling lands unseen',
    'r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1',
    '-e1 ~600 -h1 ~200 +f1=R CW -d7 ~400 +d5=p ~500 CB -d2 ~400 +d4=P ~500 CW -e7 ~400 +e6=p ~500 CB -g1 ~400 +h1=K ~500 CW',
    'O-O d5 d4 e6 Kh1',
    'PIECE_MISSING',
    'DISPLACED AMBIGUOUS',
  ],
  [
    'a knight is taken on its new square between two looks at it',
    '4k3/p7/5n2/8/8/8/P3B3/4K3 b - - 0 1',
    '-f6 ~400 CB -e2 ~300 +g4=B CW ~900 -e8 +e7=k CB',
    'Ng4 Bxg4 Ke7 | Nd5 Bg4 Ke7 | Ne4 Bg4 Ke7 | Nh5 Bg4 Ke7 | Nd7 Bg4 Ke7 | Nh7 Bg4 Ke7 | Ng8 Bg4 Ke7',
    '',
    'PIECE_MISSING AMBIGUOUS',
    { asWritten: true },
  ],
  [
    'a pawn is taken unseen while the retaking knight is in the air already',
    'r1bqkbnr/pp1ppppp/2n5/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3',
    '-d2 ~600 -f3 ~20 -c5 ~140 +d4=p ~200 -d4 ~60 +d4=N ~900 -g8 +f6=n ~12000',
    'd4 cxd4 Nxd4 Nf6',
    '',
    'TOUCH_MOVE AMBIGUOUS',
  ],
  [
    'a pawn lands unseen, and the answer is a promotion',
    '2r1k3/1P3p2/3P4/8/8/8/5P2/4K3 b - - 0 1',
    '-f7 ~1500 -c8 ~300 -b7 ~400 +c8=Q ~1100 -e8 ~400 +f7=k ~1100 -c8 ~400 +d7=Q ~1100 -f7 ~400 +f6=k ~1100 -d7 ~400 +e7=Q',
    'f5 bxc8=Q+ Kf7 Qd7+ Kf6 Qe7+',
    '',
    'PIECE_MISSING AMBIGUOUS SENSOR_MISSING DISPLACED',
    { asWritten: true, differs: true },
  ],
]);

describe('a thread that is lost', () => {
  it('is not spun on from a guess: nothing is agreed that was not played', () => {
    // Sixteen plies are missed; then play is seen to go on.
    const { games } = derive(
      'start',
      '-e2 +e4=P CW LINK- ~30000 LINK+ D=r1bqk2r/1pp2pp1/p1np1n1p/2b1p3/P1B1P3/2NP1N1P/1PP2PP1/R1BQ1RK1 ~3000 -e8 +g8=k -h8 +f8=r CB ~900 -c1 +g5=B CW ~900 -h6 +g5=p CB ~3000',
    );
    const [game] = games;
    expect(game!.plies.map((ply) => ply.san)).toEqual(['e4']);
    expect(game!.inSync).toBe(false);
    expect(game!.flags.map((flag) => flag.code)).toContain('DISPLACED');
  });
});
