import { testGames } from './table-of-games.ts';

const PIN = '4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1';
const CHECK = '8/1R6/1k6/3n4/8/8/2K5/8 b - - 0 1';
const DIFFERS = { differs: true } as const;

testGames('illegal moves that stand', [
  ['a pinned piece moves and its side presses', PIN, '-c3 +e4=N CW', '!c3e4', 'ILLEGAL:alarm'],
  [
    'a piece moves although its king is in check, and is answered after the press',
    CHECK,
    '-d5 +e3=n CB -c2 +d3=K CW',
    '!d5e3 Kd3',
    'ILLEGAL:alarm',
  ],
  ['the same with no clock', CHECK, '-d5 +e3=n -c2 +d3=K', '!d5e3 Kd3', 'ILLEGAL:alarm'],
  [
    'play goes on legally from there',
    PIN,
    '-c3 +e4=N CW -e8 +e7=k CB -e1 +e2=K CW -e7 +e6=k CB',
    '!c3e4 Ke7 Ke2 Ke6',
    'ILLEGAL',
  ],
  [
    'a bishop moves like a rook',
    '4k3/8/8/8/8/8/8/B3K3 w - - 0 1',
    '-a1 +a5=B CW -e8 +e7=k CB',
    '!a1a5 Ke7',
    'ILLEGAL',
  ],
  ['a pawn goes three squares', 'start', '-e2 +e5=P CW -d7 +d6=p CB', '!e2e5 d6', 'ILLEGAL'],
  [
    'a pawn goes backwards',
    'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2',
    '-e4 +e3=P CW',
    '!e4e3',
    'ILLEGAL',
  ],
  ['a rook jumps over a pawn', 'start', '-a1 +a3=R CW -e7 +e5=p CB', '!a1a3 e5', 'ILLEGAL'],
  ['the king goes into check', '4k3/8/8/8/8/8/r7/4K3 w - - 0 1', '-e1 +e2=K CW', '!e1e2', 'ILLEGAL'],
  [
    'the king goes beside the other king',
    '8/8/8/3k4/8/3K4/8/8 w - - 0 1',
    '-d3 +d4=K CW -d5 +e6=k CB',
    '!d3d4 Ke6',
    'ILLEGAL',
  ],
  [
    'a bishop takes where it cannot',
    '4k3/8/8/n7/8/8/8/B3K3 w - - 0 1',
    '-a5 -a1 +a5=B CW -e8 +e7=k CB',
    '!a1a5 Ke7',
    'ILLEGAL',
  ],
  [
    'a bishop takes where it cannot, and the square never reads empty',
    '4k3/8/8/n7/8/8/8/B3K3 w - - 0 1',
    '-a1 +a5=B CW',
    '!a1a5',
    'ILLEGAL',
  ],
  ['a piece takes one of its own', '4k3/8/8/8/8/8/P7/R3K3 w - - 0 1', '-a2 -a1 +a2=R CW', '!a1a2', 'ILLEGAL'],
  [
    'two illegal moves one after the other',
    'start',
    '-e2 +e5=P CW ~2000 -e7 +e6=p CB ~2000 -a1 +a3=R CW ~2000 -a8 +a6=r CB',
    '!e2e5 e6 !a1a3 !a8a6',
    'ILLEGAL',
  ],
  [
    'castling through an attacked square',
    '4kr2/8/8/8/8/8/8/4K2R w K - 0 1',
    '-e1 +g1=K -h1 +f1=R CW',
    '!e1g1',
    'ILLEGAL:alarm',
  ],
  [
    'castling out of check',
    '4r1k1/8/8/8/8/8/8/4K2R w K - 0 1',
    '-e1 +g1=K -h1 +f1=R CW -g8 +h8=k CB',
    '!e1g1 Kh8',
    'ILLEGAL',
  ],
  [
    "castling into check, to the queen's side",
    '2r3k1/8/8/8/8/8/8/R3K3 w Q - 0 1',
    '-e1 +c1=K -a1 +d1=R CW',
    '!e1c1',
    'ILLEGAL',
  ],
  [
    'castling without the right to it',
    '4k3/8/8/8/8/8/8/4K2R w - - 0 1',
    '-e1 +g1=K -h1 +f1=R CW',
    '!e1g1',
    'ILLEGAL',
  ],
  [
    'castling after the king has moved and come back',
    '4k3/8/8/8/8/8/8/4K2R w K - 0 1',
    '-e1 +e2=K CW -e8 +e7=k CB -e2 +e1=K CW -e7 +e8=k CB -e1 +g1=K -h1 +f1=R CW',
    'Ke2 Ke7 Ke1 Ke8 !e1g1',
    'ILLEGAL',
  ],
  ['castling over a piece', '4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1', '-e1 +c1=K -a1 +d1=R CW', '!e1c1', 'ILLEGAL'],
]);

testGames('illegal moves that do not stand', [
  [
    'put back after the press and replaced',
    PIN,
    '-c3 +e4=N CW ~2000 -e4 +c3=N ~500 -e1 +e2=K CW',
    'Ke2',
    'ILLEGAL:alarm',
  ],
  ['put back after the press and nothing more', PIN, '-c3 +e4=N CW ~2000 -e4 +c3=N', '', 'ILLEGAL:alarm'],
  ['not pressed and put back: only a notice', PIN, '-c3 +e4=N ~3000 -e4 +c3=N -e1 +e2=K CW', 'Ke2', '', ''],
  ['not pressed and left standing', PIN, '-c3 +e4=N ~20000', '', 'ILLEGAL:notice', '', DIFFERS],
  ['corrected to a legal square before the press', 'start', '-e2 +e5=P ~2000 -e5 +e4=P CW', 'e4'],
  [
    'an illegal castling is put back before the press',
    '4kr2/8/8/8/8/8/8/4K2R w K - 0 1',
    '-e1 +g1=K -h1 +f1=R ~1500 -f1 +h1=R -g1 +e1=K ~500 -e1 +e2=K CW',
    'Ke2',
    '',
    'TOUCH_MOVE DISPLACED',
  ],
  [
    'an illegal castling is put back after the press',
    '4kr2/8/8/8/8/8/8/4K2R w K - 0 1',
    '-e1 +g1=K -h1 +f1=R CW ~1500 -f1 +h1=R -g1 +e1=K ~500 -e1 +e2=K CW',
    'Ke2',
    'ILLEGAL:alarm',
    'TOUCH_MOVE',
  ],
  [
    'a piece that can move must move after an illegal move of it',
    '4k3/8/8/8/8/8/8/B3K3 w - - 0 1',
    '-a1 +a5=B CW ~1500 -a5 +a1=B ~500 -a1 +e5=B CW',
    'Be5',
    'ILLEGAL',
    'TOUCH_MOVE',
  ],
]);

testGames('the side that has moved goes on moving', [
  ['another piece', 'start', '-e2 +e4=P CW ~1500 -d2 +d4=P ~3000', 'e4', 'OUT_OF_TURN:warning', '', DIFFERS],
  [
    'another piece, put back',
    'start',
    '-e2 +e4=P CW ~1500 -d2 +d4=P ~3000 -d4 +d2=P -e7 +e5=p CB',
    'e4 e5',
    'OUT_OF_TURN:warning',
  ],
  [
    'another piece, and the opponent moves meanwhile',
    'start',
    '-e2 +e4=P CW ~1500 -d2 +d4=P ~3000 -e7 +e5=p CB',
    'e4 e5',
    'OUT_OF_TURN:warning',
    '',
    DIFFERS,
  ],
  [
    'it lifts a piece and puts it back',
    'start',
    '-e2 +e4=P CW ~1500 -d2 ~900 +d2=P -e7 +e5=p CB',
    'e4 e5',
    'OUT_OF_TURN:info',
  ],
  ['Black moves first', 'start', '-e7 +e5=p ~5000 -e5 +e7=p ~500 -e2 +e4=P CW', 'e4', 'OUT_OF_TURN'],
]);
