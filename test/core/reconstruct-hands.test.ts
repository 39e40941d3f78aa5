import { describe, expect, it } from 'vitest';
import { derive, sansOf, testGames } from './table-of-games.ts';

const ROOK = '4k3/8/8/8/8/8/8/R3K3 w - - 0 1';
const OPEN = 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2';
const KNIGHT_OUT = 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3';
const BLACK_TO_MOVE = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1';

testGames('pieces that slide', [
  ['a rook is drawn over three squares and seen on each', ROOK, '-a1 +a2=R -a2 +a3=R -a3 +a4=R CW', 'Ra4'],
  ['a rook rests on two legal squares on its way', ROOK, '-a1 +a3=R ~900 -a3 +a5=R ~900 -a5 +a7=R CW', 'Ra7'],
  ['a rook goes too far and comes back', ROOK, '-a1 +a5=R ~700 -a5 +a4=R CW', 'Ra4'],
  [
    'a rook turns into a file: not one rook move, the last legal square counts',
    ROOK,
    '-a1 +b1=R ~600 -b1 +a4=R CW',
    'Ra4',
  ],
  [
    'a bishop rests three seconds on a legal square with no clock, then goes on',
    OPEN,
    '-f1 +e2=B ~2800 -e2 +c4=B -g8 +f6=n',
    'Bc4 Nf6',
  ],
  [
    'a queen rests on two squares and the reply confirms the third',
    OPEN,
    '-d1 +e2=Q ~500 -e2 +f3=Q ~500 -f3 +h5=Q -b8 +c6=n',
    'Qh5 Nc6',
  ],
  [
    'a bishop waits in front of its victim',
    '4k3/8/7p/8/8/8/8/2B1K3 w - - 0 1',
    '-c1 +f4=B ~1000 -h6 -f4 +h6=B CW',
    'Bxh6',
  ],
  [
    'a queen rests on a square where it leaves its king in check, and then takes the checking piece',
    '4r2k/8/8/8/Q7/8/8/4K3 w - - 0 1',
    '-a4 +c6=Q ~900 -c6 -e8 +e8=Q CW',
    'Qxe8+',
  ],
  [
    'a piece that rests long on its way, with a clock that nobody presses, is still on its way',
    'start',
    '-e2 +e4=P CW ~900 -e7 +e5=p CB ~900 -f1 +e2=B ~90000 -e2 +c4=B ~300 CW ~1000 -g8 +f6=n CB',
    'e4 e5 Bc4 Nf6',
  ],
  [
    'the press ends a slide: what the piece does then is out of turn',
    'start',
    '-e2 +e3=P CW ~1500 -e3 +e4=P',
    'e3',
    'OUT_OF_TURN:warning',
    '',
    { differs: true },
  ],
  [
    'a long rest ends a slide as well',
    'start',
    '-e2 +e3=P ~16000 -e3 +e4=P ~16000',
    'e3',
    'OUT_OF_TURN:warning',
    '',
    { differs: true },
  ],
  ['a piece is held for 25 seconds', 'start', '-e2 ~25000 +e4=P CW', 'e4'],
  [
    'both sides slide, with no clock',
    'start',
    '-e2 +e3=P ~500 -e3 +e4=P -c7 +c6=p ~400 -c6 +c5=p -g1 +f3=N',
    'e4 c5 Nf3',
  ],
  [
    'a piece is lifted from the square it has reached and put back there',
    'start',
    '-e2 +e3=P ~800 -e3 ~900 +e3=P CW',
    'e3',
  ],
  [
    'a nudge of the opponent is no reply to a stop on the way',
    ROOK,
    '-a1 +a3=R ~300 -e8 ~60 +e8=k ~300 -a3 +a5=R CW',
    'Ra5',
  ],
  [
    'a knight is set on one square and then on another before the press',
    'start',
    '-g1 +h3=N ~900 -h3 ~300 +f3=N CW',
    'Nf3',
    '',
    'TOUCH_MOVE',
  ],
  [
    'a rook is put on its square a little before it leaves the last one',
    ROOK,
    '-a1 +a2=R +a3=R -a2 +a5=R -a3 CW',
    'Ra5',
  ],
]);

testGames('fast play', [
  [
    'five plies without a pause and without a clock',
    'start',
    '-e2 +e4=P -e7 +e5=p -g1 +f3=N -b8 +c6=n -f1 +b5=B',
    'e4 e5 Nf3 Nc6 Bb5',
  ],
  [
    'the next piece is lifted before the one before it lands',
    'start',
    '-e2 -e7 +e4=P +e5=p -g1 +f3=N',
    'e4 e5 Nf3',
  ],
  ['both lifts first, and the scan sees the reply land first', 'start', '-e2 -e7 +e5=p +e4=P CW CB', 'e4 e5'],
  [
    'three captures on one square',
    'r1bqkbnr/pppp1ppp/2n5/8/3pP3/5N2/PPP2PPP/RNBQKB1R w KQkq - 0 4',
    '-d4 -f3 +d4=N -d4 -c6 +d4=n -d4 -d1 +d4=Q',
    'Nxd4 Nxd4 Qxd4',
  ],
  [
    'three captures on one square that never reads empty',
    'r1bqkbnr/pppp1ppp/2n5/8/3pP3/5N2/PPP2PPP/RNBQKB1R w KQkq - 0 4',
    '-f3 +d4=N -c6 +d4=n -d1 +d4=Q',
    'Nxd4 Nxd4 Qxd4',
  ],
  [
    'two plies in one picture',
    'start',
    '-e2 +e4=P CW -e7 +e5=p CB ~500 D=r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R',
    'e4 e5 Nf3 Nc6',
    '!AMBIGUOUS',
  ],
  [
    'three plies in one picture that only one order explains',
    'start',
    'D=rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR',
    'e4 d5 exd5',
    'MISSED_PLIES(3) !AMBIGUOUS',
  ],
  [
    'three plies in one picture that two orders explain',
    'start',
    'D=rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R',
    'e4 e5 Nf3 | Nf3 e5 e4',
    'MISSED_PLIES(3) AMBIGUOUS(2)',
  ],
  [
    'the reply comes before the press',
    'start',
    '-e2 +e4=P -e7 +e5=p CW -g1 +f3=N CB CW',
    'e4 e5 Nf3',
    'MOVED_BEFORE_PRESS:info',
  ],
  [
    'a piece is taken just after it has landed, its square never empty',
    KNIGHT_OUT,
    '-f3 -e5 +e5=N CW -b8 +c6=n CB -e5 -c6 +c6=N -d7 +c6=p CW CB',
    'Nxe5 Nc6 Nxc6 dxc6',
  ],
  [
    'one piece moves twice with a reply between',
    'start',
    '-g1 +f3=N -g8 +f6=n -f3 +e5=N -f6 +e4=n -e5 +c4=N',
    'Nf3 Nf6 Ne5 Ne4 Nc4',
  ],
]);

testGames('pieces that are adjusted', [
  [
    'off and on within a moment is nothing',
    'start',
    '-e2 ~200 +e2=P ~1000 -d2 +d4=P CW',
    'd4',
    '!TOUCH !TOUCH_MOVE',
  ],
  ['lifted and put back is a touch, and alone no warning', 'start', '-g1 ~1000 +g1=N', '', 'TOUCH:info'],
  [
    'lifted, put back, and another piece is moved',
    'start',
    '-g1 ~1000 +g1=N -e2 +e4=P CW',
    'e4',
    'TOUCH TOUCH_MOVE',
  ],
  [
    'a piece that cannot move obliges to nothing',
    'start',
    '-a1 ~1000 +a1=R -e2 +e4=P CW',
    'e4',
    'TOUCH !TOUCH_MOVE',
  ],
  [
    'two are adjusted and the first of them is moved',
    'start',
    '-b1 ~700 +b1=N -g1 ~700 +g1=N -b1 +c3=N CW',
    'Nc3',
    'TOUCH !TOUCH_MOVE',
  ],
  [
    'two are adjusted and the second of them is moved',
    'start',
    '-b1 ~700 +b1=N -g1 ~700 +g1=N -g1 +f3=N CW',
    'Nf3',
    'TOUCH TOUCH_MOVE',
  ],
  [
    'the same piece is lifted, put back and then moved',
    'start',
    '-e2 ~900 +e2=P ~2000 -e2 +e4=P CW',
    'e4',
    'TOUCH !TOUCH_MOVE',
  ],
  [
    'the other side adjusts a piece',
    'start',
    '-b8 ~900 +b8=n ~300 -e2 +e4=P CW',
    'e4',
    'OUT_OF_TURN:info !TOUCH_MOVE',
  ],
  [
    'a piece to be taken is lifted by the hand that holds its captor, and put back',
    KNIGHT_OUT,
    '-f3 ~200 -e5 ~600 +e5=p ~200 +d4=N CW',
    'Nd4',
    'TOUCH_MOVE',
  ],
  [
    'a piece that cannot be taken is lifted by the hand that holds another',
    KNIGHT_OUT,
    '-f3 ~200 -d7 ~600 +d7=p ~200 +d4=N CW',
    'Nd4',
    '!TOUCH_MOVE',
  ],
  [
    'the own piece counts as first when the order cannot be told',
    'start',
    '-e2 -d2 ~600 +d2=P +e4=P CW',
    'e4',
    '!TOUCH_MOVE',
  ],
  [
    'a pawn lands on a square of the next file and is corrected before the press',
    'start',
    '-e2 +f4=P ~800 -f4 +e4=P CW',
    'e4',
  ],
  [
    'a neighbour is pushed to another square and put back while the move is made',
    'start',
    '-e2 -d2 +d3=P ~200 -d3 +d2=P +e4=P CW',
    'e4',
    '',
    'TOUCH_MOVE',
  ],
  [
    'a piece slips to a legal square, comes back, and is moved itself',
    ROOK,
    '-a1 +b1=R ~700 -b1 +a1=R ~1500 -a1 +a5=R CW',
    'Ra5',
    '!TAKEBACK',
    'TOUCH_MOVE',
  ],
  [
    'all eight pawns are adjusted in turn',
    'start',
    '-a2 ~400 +a2=P -b2 ~400 +b2=P -c2 ~400 +c2=P -d2 ~400 +d2=P -e2 ~400 +e2=P -f2 ~400 +f2=P -g2 ~400 +g2=P -h2 ~400 +h2=P ~3000 -a2 +a3=P CW',
    'a3',
    'TOUCH !TOUCH_MOVE',
  ],
  [
    'the touch of the turn before obliges to nothing now',
    'start',
    '-g1 ~900 +g1=N -g1 +f3=N CW -e7 +e5=p CB -e2 +e4=P CW',
    'Nf3 e5 e4',
    '!TOUCH_MOVE',
  ],
  ['a place is reported twice', 'start', '-e2 +e4=P +e4=P CW +e4=P -e7 +e5=p +e5=p CB', 'e4 e5'],
  ['a lift is reported twice', 'start', '-e2 -e2 +e4=P CW -e2 -e7 -e7 +e5=p CB', 'e4 e5'],
]);

const FLICKER = '-d1 ~60 +d1=Q ~60 '.repeat(10);
const FLICKER_E4 = '-e4 ~60 +e4=P ~60 '.repeat(8);

testGames('sensors that fail', [
  ['a square goes off and on by itself', 'start', FLICKER, '', 'SENSOR_FLICKER:notice'],
  [
    'the game goes on after a flicker',
    'start',
    `${FLICKER} ~500 -e2 +e4=P CW -e7 +e5=p CB`,
    'e4 e5',
    'SENSOR_FLICKER !TOUCH_MOVE',
  ],
  [
    'a piece flickers on the square it has reached',
    'start',
    `-e2 +e4=P CW ${FLICKER_E4} -e7 +e5=p CB`,
    'e4 e5',
  ],
  [
    'a piece of the other side flickers while a piece is in the air',
    'start',
    '-e2 ~60 -d8 ~60 +d8=q ~60 -d8 ~60 +d8=q ~60 +e4=P CW -e7 +e5=p CB',
    'e4 e5',
  ],
  [
    'a piece vanishes and comes back, and play goes on around it',
    'start',
    '-a1 ~20000 -e2 +e4=P CW -e7 +e5=p CB ~1000 +a1=R ~500 -g1 +f3=N CW',
    'e4 e5 Nf3',
    'SENSOR_MISSING',
    'TOUCH_MOVE',
  ],
  [
    'a piece of the other side vanishes and comes back',
    'start',
    '-a8 ~20000 -e2 +e4=P CW -e7 +e5=p CB ~1000 +a8=r ~500 -g1 +f3=N CW',
    'e4 e5 Nf3',
    'SENSOR_MISSING',
    'OUT_OF_TURN',
  ],
  ['a square jumps from piece to piece in one scan', KNIGHT_OUT, '-f3 +e5=N CW -d7 +d6=p CB', 'Nxe5 d6'],
]);

testGames('pieces that are knocked over', [
  [
    'the pieces of the side to move fall and are put right',
    'start',
    '-f2 -g2 -h2 ~3000 +f2=P +g2=P +h2=P ~1000 -e2 +e4=P CW',
    'e4',
    'DISPLACED',
    'TOUCH_MOVE',
  ],
  [
    'three fall and are put right at once: nothing to be told',
    BLACK_TO_MOVE,
    '-f2 -g2 -h2 +f2=P +g2=P +h2=P ~1000 -e7 +e5=p CB',
    'e5',
  ],
  [
    'the other side moves before all is put right',
    BLACK_TO_MOVE,
    '-f2 -g2 -h1 ~2500 -b8 +c6=n CB ~1000 +f2=P +g2=P +h1=R ~500 -d2 +d4=P CW',
    'Nc6 d4',
    'DISPLACED',
    'TOUCH_MOVE',
  ],
]);

describe('a contact that flickers thousands of times', () => {
  for (const [what, events] of [
    ['under a piece', '-d1 ~5 +d1=Q ~5 '],
    ['where nothing stands', '+e3=P ~5 -e3 ~5 '],
  ] as const) {
    it(`${what} does not hold up what is played after it`, () => {
      const { games } = derive('start', `${events.repeat(2500)} ~6000 -e2 +e4=P CW -e7 +e5=p CB`);
      expect(games.map(sansOf)).toEqual(['e4 e5']);
    });
  }
});
