import { describe, expect, it } from 'vitest';
import { derive, testGames } from './table-of-games.ts';

const gap = (placement: string): string => `LINK- ~30000 LINK+ D=${placement}`;
const E4 = '-e2 +e4=P CW';
const DIFFERS = { differs: true } as const;

testGames('a lost link', [
  [
    'nothing happened meanwhile',
    'start',
    `${E4} ${gap('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR')} ~500 -e7 +e5=p CB`,
    'e4 e5',
    'LINK_LOST:warning RESYNC:notice !MISSED_PLIES !AMBIGUOUS',
  ],
  [
    'one ply',
    'start',
    `${E4} ${gap('rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR')}`,
    'e4 e5',
    'LINK_LOST MISSED_PLIES(1) RESYNC',
  ],
  [
    'two plies',
    'start',
    `${E4} ${gap('rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R')}`,
    'e4 e5 Nf3',
    'LINK_LOST MISSED_PLIES(2) !AMBIGUOUS',
  ],
  [
    'three plies whose order is known',
    'start',
    `${E4} ${gap('rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR')}`,
    'e4 d5 exd5 Qxd5',
    'LINK_LOST MISSED_PLIES(3) !AMBIGUOUS',
  ],
  [
    'three plies whose order is not',
    'start',
    `${E4} ${gap('r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R')}`,
    'e4 e5 Nf3 Nc6 | e4 Nc6 Nf3 e5',
    'LINK_LOST MISSED_PLIES(3) AMBIGUOUS(2)',
  ],
  [
    'the link is lost with a piece in the air',
    'start',
    '-e2 LINK- ~5000 LINK+ D=rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR ~500 CW -e7 +e5=p CB',
    'e4 e5',
    'LINK_LOST',
  ],
  [
    'the link comes back with a piece in the air',
    'start',
    `${E4} LINK- ~5000 LINK+ D=rnbqkbnr/pppp1ppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR ~900 +e5=p CB`,
    'e4 e5',
    'LINK_LOST',
  ],
  [
    'a slide goes on while the link is lost',
    'start',
    '-e2 +e4=P CW ~500 -e7 +e5=p CB ~500 +e2=B -f1 ~5000 LINK- ~600 LINK+ ~600 D=rnbqkbnr/pppp1ppp/8/4p3/4P3/3B4/PPPP1PPP/RNBQK1NR ~800 +c4=B -d3 ~100 CW',
    'e4 e5 Bc4',
    'LINK_LOST !MISSED_PLIES !AMBIGUOUS',
  ],
  [
    'the link comes back in the middle of a capture',
    'rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2',
    'LINK- ~5000 LINK+ D=rnbqkbnr/ppp1pppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR ~900 -e4 +d5=P CW',
    'exd5',
    'LINK_LOST',
  ],
  [
    'lost twice before it is back',
    'start',
    `${E4} LINK- ~3000 LINK- ~3000 LINK+ D=rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR`,
    'e4 e5',
    'LINK_LOST MISSED_PLIES(1)',
  ],
  [
    'two gaps',
    'start',
    `${E4} ${gap('rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR')} ~500 -g1 +f3=N CW ${gap('r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R')}`,
    'e4 e5 Nf3 Nc6',
    'LINK_LOST MISSED_PLIES(1) !AMBIGUOUS',
  ],
  [
    'no picture follows and play is seen to go on',
    'start',
    `${E4} LINK- ~3000 LINK+ -e7 +e5=p CB -g1 +f3=N CW`,
    'e4 e5 Nf3',
    'LINK_LOST',
  ],
  [
    'the board shows what no plies explain, and later what one does',
    'start',
    `${E4} ${gap('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/R6R')} ~5000 D=rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR ~900 -g1 +f3=N CW`,
    'e4 e5 Nf3',
    'LINK_LOST DISPLACED',
  ],
  [
    'a position from earlier in the game takes nothing back',
    'start',
    `${E4} -e7 +e5=p CB ${gap('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR')} ~20000`,
    'e4 e5',
    'LINK_LOST !TAKEBACK',
    'DISPLACED OUT_OF_TURN',
    DIFFERS,
  ],
  [
    'what is told before the board is seen whole proves neither plies nor an order',
    'start',
    `${E4} LINK- ~5000 LINK+ +d4=P -d2 -d7 +d5=p ~6000 CB ~500 D=rnbqkbnr/pp2pppp/2p5/8/3Pp3/2N5/PPP2PPP/R1BQKBNR`,
    ['c6 d4 d5 Nc3 dxe4', 'c6 Nc3 d5 d4 dxe4', 'd5 d4 c6 Nc3 dxe4', 'd5 d4 dxe4 Nc3 c6', 'd5 Nc3 c6 d4 dxe4']
      .concat('d5 Nc3 dxe4 d4 c6')
      .map((line) => `e4 ${line}`)
      .join(' | '),
    'LINK_LOST MISSED_PLIES(5) AMBIGUOUS(6) RESYNC !CLOCK_NOT_PRESSED !SENSOR_MISSING',
  ],
  [
    'presses before the board is seen whole count for what it shows then',
    'start',
    `${E4} LINK- ~5000 LINK+ CB ~300 CW ~300 D=rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R`,
    'e4 e5 Nf3',
    'LINK_LOST MISSED_PLIES(2) RESYNC',
    '',
    { lastState: 'confirmed' },
  ],
  [
    'promotion meanwhile',
    '8/P6k/8/8/8/8/8/K7 w - - 0 1',
    gap('N7/8/7k/8/8/8/8/K7'),
    'a8=N Kh6',
    'LINK_LOST MISSED_PLIES(2) UNDERPROMO_NOTICE',
  ],
  [
    'castling meanwhile',
    'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1',
    gap('2kr3r/8/8/8/8/8/8/R4RK1'),
    'O-O O-O-O',
    'LINK_LOST MISSED_PLIES(2)',
  ],
  [
    'mate meanwhile',
    'rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2',
    gap('rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR'),
    'Qh4#',
    'LINK_LOST RESULT(0-1)',
  ],
]);

testGames('pictures of the whole board', [
  [
    'one after each ply, and nothing else',
    'start',
    'D=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR ~900 D=rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR ~900 D=rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR ~900 D=rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R ~900',
    'e4 e5 Nf3',
    '!AMBIGUOUS !MISSED_PLIES',
  ],
  [
    'one after every two plies',
    'start',
    'D=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR ~900 D=rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR ~900 D=r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R ~900',
    'e4 e5 Nf3 Nc6',
    '!AMBIGUOUS',
  ],
  [
    'pieces in the air in some of them',
    'start',
    'D=rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR ~300 D=rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR ~900 D=rnbqkbnr/pppp1ppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR ~300 D=rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR ~900',
    'e4 e5',
  ],
  [
    'a capture in three of them',
    'rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2',
    'D=rnbqkbnr/ppp1pppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR ~300 D=rnbqkbnr/ppp1pppp/8/8/8/8/PPPP1PPP/RNBQKBNR ~300 D=rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR ~900',
    'exd5',
  ],
  [
    'castling in two of them',
    'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1',
    'D=r3k2r/8/8/8/8/8/8/R5KR ~500 D=r3k2r/8/8/8/8/8/8/R4RK1 ~900 D=2kr3r/8/8/8/8/8/8/R4RK1 ~900',
    'O-O O-O-O',
  ],
  [
    'a capture and the recapture in one of them',
    'rnbqkb1r/ppp1pppp/5n2/3p2B1/3P4/8/PPP1PPPP/RN1QKBNR w KQkq - 2 3',
    'D=rnbqkb1r/ppp1pp1p/5p2/3p4/3P4/8/PPP1PPPP/RN1QKBNR',
    'Bxf6 gxf6',
  ],
  [
    'a slide rests in one of them',
    '4k3/8/8/8/8/8/8/R3K3 w - - 0 1',
    'D=4k3/8/8/8/8/R7/8/4K3 ~900 D=4k3/8/8/R7/8/8/8/4K3 ~900 D=8/4k3/8/R7/8/8/8/4K3',
    'Ra5 Ke7',
  ],
  [
    'a picture that is older than the events before it',
    'start',
    `${E4} -e7 +e5=p CB D=rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR ~300 -g1 +f3=N CW`,
    'e4 e5 Nf3',
    '!TAKEBACK',
  ],
  [
    'a picture from two plies ago',
    'start',
    `${E4} -e7 +e5=p CB D=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR ~300 -g1 +f3=N CW`,
    'e4 e5 Nf3',
    '!TAKEBACK !NEW_GAME(2)',
    '',
    { games: 1 },
  ],
  [
    'a picture of a moment in a move, told late',
    'start',
    `-e2 +e4=P CW ~50 D=rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR ~300 -e7 +e5=p CB`,
    'e4 e5',
  ],
  [
    'the lift of a move was lost and a picture tells it',
    'start',
    '+e4=P ~900 D=rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR CW -e7 +e5=p CB',
    'e4 e5',
    '!EXTRA_PIECE',
  ],
  [
    'the landing of a move was lost and a picture tells it',
    'start',
    '-e2 ~900 D=rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR CW -e7 +e5=p CB',
    'e4 e5',
    '!PIECE_MISSING',
  ],
  [
    'presses between pictures',
    'start',
    'D=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR ~500 CW ~200 D=rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR ~500 CB ~200 D=rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR ~900',
    'e4 e5',
    '!PRESSED_WITHOUT_MOVE',
  ],
]);

describe('plies that a gap leaves open', () => {
  it('are ambiguous at their own numbers, and those on which every order agrees are not', () => {
    const { games } = derive(
      'start',
      `${E4} ${gap('r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R')} ~500 CB -f1 +b5=B CW -a7 +a6=p CB -b5 +a4=B CW`,
    );
    const { plies } = games[0]!;
    expect(plies.map((ply) => ply.state === 'ambiguous')).toEqual([
      ...[false, true, false, true],
      ...[false, false, false],
    ]);
    expect([...plies[1]!.candidates!].sort()).toEqual(['Nc6', 'e5']);
    expect(plies[2]!.san).toBe('Nf3');
  });
});
