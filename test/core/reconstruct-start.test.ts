import { testGames } from './table-of-games.ts';

const START = 'D=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';
const TURNED = 'D=RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr';
const PAWNS = '8/pk6/8/8/8/8/6KP/8 b - - 0 31';
const DIFFERS = { differs: true } as const;
/** Orientation is what these rows are about. */
const AS_WRITTEN = { asWritten: true } as const;

testGames('the start of a game', [
  [
    'a picture of the initial position',
    'start',
    `${START} ~3000 -e2 +e4=P CW`,
    'e4',
    'NEW_GAME:notice !WRONG_START',
  ],
  ['no picture at all', 'start', '-e2 +e4=P CW', 'e4', 'NEW_GAME'],
  [
    'the picture is told again and again',
    'start',
    `${START} ~900 ${START} ~900 ${START} -e2 +e4=P CW ~900`,
    'e4',
    '',
    '',
    { games: 1 },
  ],
  [
    'moves that come back to the initial position are moves, however many',
    'start',
    '-g1 +f3=N CW ~500 -g8 +f6=n CB ~500 -f3 +g1=N CW ~500 -f6 +g8=n CB ~500 -b1 +c3=N CW ~500 -b8 +c6=n CB ~500 -c3 +b1=N CW ~500 -c6 +b8=n CB ~500 -e2 +e4=P CW',
    'Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Nb1 Nb8 e4',
    '!RESULT_UNKNOWN',
    '',
    { games: 1 },
  ],
  [
    'an empty board, and the pieces are set up one by one',
    'k7/8/8/8/8/8/7P/7K w - - 0 1',
    'D=8/8/8/8/8/8/8/8 ~2000 +h1=K ~2000 +a8=k ~2000 +h2=P ~2000 -h2 +h4=P CW',
    'h4',
    'NEW_GAME !WRONG_START',
  ],
  [
    'one ply was played before the board was switched on',
    'start',
    'D=rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR ~500 -e7 +e5=p CB',
    'e4 e5',
    '!WRONG_START',
  ],
  [
    'four plies were, in an order that is known',
    'start',
    'D=rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR ~500 -b1 +c3=N CW',
    'e4 d5 exd5 Qxd5 Nc3',
    'MISSED_PLIES(4) !WRONG_START',
  ],
  ['a position to be played from', PAWNS, 'D=8/pk6/8/8/8/8/6KP/8 ~3000 -a7 +a5=p CB -h2 +h4=P CW', 'a5 h4'],
  ['Black begins, with no picture', PAWNS, '-b7 +c6=k -g2 +f3=K', 'Kc6 Kf3'],
  [
    'the initial position with Black to move',
    'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1',
    `${START} ~500 -e7 +e5=p CB -e2 +e4=P CW`,
    'e5 e4',
  ],
]);

testGames('a wrong start', [
  [
    'king and queen of one side are exchanged',
    'start',
    'D=rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR ~11000',
    '',
    'WRONG_START:warning',
    '',
    DIFFERS,
  ],
  [
    'knight and bishop are exchanged',
    'start',
    'D=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKNBR ~11000',
    '',
    'WRONG_START',
    '',
    DIFFERS,
  ],
  [
    'it is put right within ten seconds',
    'start',
    'D=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKNBR ~4000 -f1 -g1 +f1=B +g1=N ~500 -e2 +e4=P CW',
    'e4',
    '!WRONG_START',
  ],
  [
    'it is put right after it was told',
    'start',
    'D=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKNBR ~12000 -f1 -g1 +f1=B +g1=N ~500 -e2 +e4=P CW',
    'e4',
    'WRONG_START',
    'DISPLACED',
  ],
  [
    'a piece is missing, and play begins all the same',
    'start',
    'D=rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR ~11000 -e2 +e4=P CW -e7 +e5=p CB',
    'e4 e5',
    'WRONG_START',
    'SENSOR_MISSING',
    DIFFERS,
  ],
  [
    'a piece is missing, play begins, and it appears',
    'start',
    'D=rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR ~11000 -e2 +e4=P CW -e7 +e5=p CB ~1000 +g8=n ~1000 -g1 +f3=N CW',
    'e4 e5 Nf3',
    'WRONG_START',
    'SENSOR_MISSING',
  ],
  [
    'a picture that has nothing to do with the game: nothing is recorded',
    'start',
    'D=8/3k4/8/8/8/8/3K4/8 ~12000 -d2 +d3=K ~12000',
    '',
    'WRONG_START',
    '',
    DIFFERS,
  ],
  [
    'something else stands there, then the pieces are set up',
    'start',
    `D=8/3k4/8/8/8/8/3K4/8 ~12000 D=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/8 ~2000 ${START} ~500 -e2 +e4=P CW`,
    'e4',
    'WRONG_START NEW_GAME',
  ],
  [
    'pieces are still being moved: nothing is told',
    'start',
    'D=rnbqkbnr/pppppppp/8/8/8/8/PPPP4/R1BQKBNR ~6000 +e2=P ~6000 +f2=P ~6000 +g2=P ~6000 +b1=N ~6000 +h2=P ~500 -e2 +e4=P CW',
    'e4',
    '!WRONG_START',
  ],
  [
    'sixty-four kings',
    'start',
    `D=${'kkkkkkkk/'.repeat(8).slice(0, -1)} ~12000`,
    '',
    'WRONG_START',
    '',
    DIFFERS,
  ],
]);

testGames('a board that stands turned', [
  [
    'it is seen from the first picture',
    'start',
    `${TURNED} ~500 -d7 +d5=P CW -d2 +d4=p CB`,
    'e4 e5',
    'ROTATED_180:notice !WRONG_START',
    '',
    AS_WRITTEN,
  ],
  [
    'it was known before, and the picture agrees',
    'start',
    `${TURNED} ~500 -d7 +d5=P CW`,
    'e4',
    'ROTATED_180',
    '',
    { asWritten: true, rotated: true },
  ],
  [
    'it was said to be turned and is not',
    'start',
    `${START} ~500 -e2 +e4=P CW`,
    'e4',
    '',
    '',
    { asWritten: true, rotated: true },
  ],
  [
    'a position to be played from, seen turned',
    PAWNS,
    'D=8/PK6/8/8/8/8/6kp/8 ~500 -h2 +h4=p CB -b7 +b6=K CW',
    'a5 Kg3',
    'ROTATED_180',
    '',
    AS_WRITTEN,
  ],
  [
    'pictures only',
    'start',
    `${TURNED} ~900 D=RNBKQBNR/PPP1PPPP/8/3P4/8/8/pppppppp/rnbkqbnr ~900 D=RNBKQBNR/PPP1PPPP/8/3P4/3p4/8/ppp1pppp/rnbkqbnr ~900`,
    'e4 e5',
    'ROTATED_180',
    '',
    AS_WRITTEN,
  ],
]);
