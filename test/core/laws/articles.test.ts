/** A row of the Laws each, by article: what hands and clock do, and what must (or, with `!`, must not) be said of it. */
import { describe, expect, it } from 'vitest';
import { START_FEN } from '../../../core/position.ts';
import { clocked, control, factsOf, type Part, play, type Sitting, sitDown } from './sitting.ts';

type Row = readonly [title: string, parts: readonly Part[], wanted: readonly string[], sitting?: Sitting];

const from = (start: string, options: Sitting['options'] = {}): Sitting => ({ start, options });
const LIMITED: Sitting['options'] = { regime: 'limited' };
const confirm = (kind: string, side: 'white' | 'black' | undefined, ply: number): Part => ({
  ruling: { type: 'confirm', kind, ...(side !== undefined && { side }), ply } as never,
});
const enter = (kind: string, side: 'white' | 'black' | undefined, ply: number): Part => ({
  ruling: { type: 'enter', kind, ...(side !== undefined && { side }), ply } as never,
});
const result = (score: string, termination: string): Part => ({
  ruling: { type: 'result', score, termination } as never,
});

const BEGIN = 'D=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';
const SHUFFLE = 'Nf3 Nf6 Ng1 Ng8';
const MATE = '6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1';
const CASTLING = 'r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1';
const PAWN = '8/P6k/8/8/8/8/1r6/K7 w - - 0 1';
const CAPTURE = '4k3/8/8/3pp3/2B1P3/5N2/8/4K3 w - - 0 1';
const ILLEGAL = '-e2 ~300 +e5=P ~500 CW ~4000';
const REPLY = '-e7 ~300 +e6=p ~500 CB ~9000';

const MOMENTS: readonly Row[] = [
  [
    '4.7: a move that is made and not pressed is there, not completed',
    [play(START_FEN, 'e4 e5'), '-g1 ~300 +f3=N ~3000'],
    ['moves e4 e5 Nf3', 'open last'],
    { quietMs: 3000 },
  ],
  ['6.2.1: completed by the press', ['-e2 ~300 +e4=P ~500 CW ~9000'], ['moves e4', '!open last']],
  [
    '6.2.1.1: a move that ends the game needs no press',
    ['-a1 ~300 +a8=R ~9000'],
    ['moves Ra8#', 'result 1-0 checkmate'],
    from(MATE),
  ],
  [
    '6.2.1.2: completed by the next own move, where nobody has pressed',
    [play(START_FEN, 'e4 e5'), '-g1 ~300 +f3=N ~2000 -b8 ~300 +c6=n ~2000 -f1 ~300 +b5=B ~500 CW ~9000'],
    ['moves e4 e5 Nf3 Nc6 Bb5', 'flag CLOCK_NOT_PRESSED 3', '!flag PRESSED_WITHOUT_MOVE 5 !'],
  ],
  [
    '6.2.2: a press after the reply loses and doubles no ply',
    [
      play(START_FEN, 'e4 e5'),
      '-g1 ~300 +f3=N ~200 -b8 ~300 +c6=n ~100 CW ~300 CB ~4000',
      play('r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3', 'Bb5'),
    ],
    ['moves e4 e5 Nf3 Nc6 Bb5', '!flag PRESSED_WITHOUT_MOVE 4 !', '!flag PRESSED_WITHOUT_MOVE 5 !'],
  ],
  [
    '4.7.1: a capture in any order',
    ['-d5 ~300 -c4 ~300 +d5=B ~500 CW ~9000'],
    ['moves Bxd5', '!flag TOUCH_MOVE 1 !'],
    from(CAPTURE),
  ],
  [
    '4.7.2: a king released two squares away castles on that side',
    ['-e1 ~400 +g1=K ~2500 -g1 ~300 +f1=K ~400 CW ~9000'],
    ['moves Kf1', 'flag TOUCH_MOVE 1 !'],
    from(CASTLING),
  ],
  [
    '4.7.2: and where castling there is illegal the move is free for that king',
    ['-e1 ~400 +g1=K ~2500 -g1 ~300 +f2=K ~400 CW ~9000'],
    ['moves Kf2', '!flag TOUCH_MOVE 1 !'],
    from('4k1r1/8/8/8/8/8/8/4K2R w K - 0 1'),
  ],
  [
    '4.7.2: the rook that follows makes the castling',
    ['-e1 ~400 +g1=K ~2500 -h1 ~300 +f1=R ~400 CW ~9000'],
    ['moves O-O', '!flag TOUCH_MOVE 1 !'],
    from(CASTLING),
  ],
  [
    '4.7.3: a pawn released on the last rank goes nowhere else',
    ['-a7 ~400 -b8 ~200 +b8=P ~2500 -b8 ~300 +b8=q +a8=Q ~400 CW ~9000'],
    ['moves a8=Q', 'flag TOUCH_MOVE 1 !'],
    from('1q6/P6k/8/8/8/8/8/K7 w - - 0 1'),
  ],
  [
    '4.4.4: the choice is final when the piece has touched the square',
    ['-a7 ~300 +a8=Q ~900 -a8 ~300 +a8=N ~500 CW ~9000'],
    ['moves a8=N', 'flag TOUCH_MOVE 1 !'],
    from(PAWN),
  ],
  [
    '4.6.1: the pawn need not stand on the last rank',
    ['-a7 ~400 +a8=Q ~500 CW ~9000'],
    ['moves a8=Q', '!flag TOUCH_MOVE 1 !'],
    from(PAWN),
  ],
  [
    '4.6.2: the piece may come before the pawn goes',
    ['+a8=Q ~500 -a7 ~400 CW ~9000'],
    ['moves a8=Q', '!flag TOUCH_MOVE 1 !'],
    from(PAWN),
  ],
  [
    '3.7.3.5: any piece, captured before or not',
    ['-a7 ~400 +a8=B ~500 CW ~9000'],
    ['moves a8=B', 'flag UNDERPROMO_NOTICE 1', '!flag ILLEGAL 1 !'],
    from(PAWN),
  ],
];

const MOVES: readonly Row[] = [
  [
    '3.8.2.1: castling is lost when the king has moved',
    [play(CASTLING, 'Kd1 Kf8 Ke1 Ke8'), '-e1 ~400 +g1=K ~300 -h1 ~300 +f1=R ~500 CW ~9000'],
    ['moves Kd1 Kf8 Ke1 Ke8 !e1g1', 'flag ILLEGAL 5 !'],
    from(CASTLING),
  ],
  [
    '3.8.2.1: and when that rook has',
    [play(CASTLING, 'Rg1 Kf8 Rh1 Ke8'), '-e1 ~400 +g1=K ~300 -h1 ~300 +f1=R ~500 CW ~9000'],
    ['flag ILLEGAL 5 !'],
    from(CASTLING),
  ],
  [
    '3.8.2.2: prevented while the king is in check',
    ['-e1 ~400 +g1=K ~300 -h1 ~300 +f1=R ~500 CW ~9000'],
    ['moves !e1g1', 'flag ILLEGAL 1 !'],
    from('k3r3/8/8/8/8/8/8/4K2R w K - 0 1'),
  ],
  [
    '3.8.2.2: prevented while the king would land on an attacked square',
    ['-e1 ~400 +g1=K ~300 -h1 ~300 +f1=R ~500 CW ~9000'],
    ['moves !e1g1', 'flag ILLEGAL 1 !'],
    from('k5r1/8/8/8/8/8/8/4K2R w K - 0 1'),
  ],
  [
    '3.8.2.2: prevented while a piece stands between',
    ['-e1 ~400 +c1=K ~300 -a1 ~300 +d1=R ~500 CW ~9000'],
    ['moves !e1c1', 'flag ILLEGAL 1 !'],
    from('k7/8/8/8/8/8/8/RN2K3 w Q - 0 1'),
  ],
  [
    '3.8.2.2: prevented while the king would pass an attacked square',
    ['-e1 ~400 +g1=K ~300 -h1 ~300 +f1=R ~500 CW ~9000'],
    ['moves !e1g1', 'flag ILLEGAL 1 !'],
    from('4kr2/8/8/8/8/8/8/4K2R w K - 0 1'),
  ],
  [
    '3.8.2.2: the rook may be attacked, and pass an attacked square',
    ['-e1 ~400 +c1=K ~300 -a1 ~300 +d1=R ~500 CW ~9000'],
    ['moves O-O-O', '!flag ILLEGAL 1 !'],
    from('rr2k3/8/8/8/8/8/8/R3K3 w Q - 0 1'),
  ],
  [
    '3.7.3.1: en passant with the very next move',
    ['-e5 ~300 +d6=P ~300 -d5 ~500 CW ~9000'],
    ['moves exd6', '!flag ILLEGAL 1 !'],
    from('4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2'),
  ],
  [
    '3.7.3.1: and not later',
    ['-e5 ~300 +d6=P ~300 -d5 ~500 CW ~9000'],
    ['!moves exd6', 'flag ILLEGAL 1 !'],
    from('4k3/8/8/3pP3/8/8/8/4K3 w - - 0 2'),
  ],
];

const TOUCHES: readonly Row[] = [
  [
    '4.2: lifted and put back on its square is an observation',
    ['-g1 ~900 +g1=N ~900 -g1 ~300 +f3=N ~500 CW ~9000'],
    ['flag TOUCH 1', '!flag TOUCH_MOVE 1 !'],
  ],
  [
    '4.2: a nudge is no touch',
    ['-b1 ~100 +b1=N ~400 -g1 ~500 +f3=N ~300 CW ~9000'],
    ['!flag TOUCH 1', '!flag TOUCH_MOVE 1 !'],
  ],
  [
    '4.2: a piece of the side not to move is information',
    ['-b8 ~900 +b8=n ~900 -e2 ~300 +e4=P ~500 CW ~9000'],
    ['flag OUT_OF_TURN 1', '!flag OUT_OF_TURN 1 !', '!flag TOUCH_MOVE 1 !'],
  ],
  [
    '4.3.1: the first own piece that can move',
    ['-a1 ~900 +a1=R ~400 -b1 ~900 +b1=N ~400 -g1 ~500 +f3=N ~300 CW ~9000'],
    ['flag TOUCH_MOVE 1 !', 'irregularity touch-move white 1 4.3 seen'],
  ],
  [
    '4.3.2: the first piece of the opponent that can be captured',
    ['-c4 ~600 -d5 ~600 +d5=p ~600 +c4=B ~600 -f3 ~500 +d2=N ~400 CW ~9000'],
    ['flag TOUCH_MOVE 1 !'],
    from(CAPTURE),
  ],
  [
    '4.3.3: one of each colour: the capture of one with the other',
    ['-f3 ~400 -e5 ~600 +e5=p ~400 +d2=N ~400 CW ~9000'],
    ['moves Nd2', 'flag TOUCH_MOVE 1 !'],
    from(CAPTURE),
  ],
  [
    '4.3.3: where the one cannot take the other, the first touched that can be moved or captured',
    ['-f3 ~400 -d5 ~600 +d5=p ~300 +f3=N ~600 -e1 ~500 +e2=K ~400 CW ~9000'],
    ['moves Ke2', 'flag TOUCH_MOVE 1 !'],
    from(CAPTURE),
  ],
  [
    '4.3.3: and then any move with that piece honours it',
    ['-f3 ~400 -d5 ~600 +d5=p ~300 +d2=N ~400 CW ~9000'],
    ['moves Nd2', '!flag TOUCH_MOVE 1 !'],
    from(CAPTURE),
  ],
  [
    '4.3.3: where the order is unclear the own piece counts as first',
    ['-e5 ~100 -e4 ~600 +e5=p ~300 +d5=P -d5 ~9000'],
    ['!flag TOUCH_MOVE 1 !'],
    from('4k3/8/8/3pp3/4P3/8/8/4K3 w - - 0 1'),
  ],
  [
    '4.4.1: king and rook together castle',
    ['-e1 ~100 -h1 ~600 +g1=K ~300 +f1=R ~400 CW ~9000'],
    ['moves O-O', '!flag TOUCH_MOVE 1 !', '!flag ROOK_TOUCHED_FIRST 1 !'],
    from(CASTLING),
  ],
  [
    '4.4.1: king and rook touched, and no castling on that side',
    ['-e1 ~500 +e1=K ~100 -h1 ~500 +h1=R ~400 -a2 ~500 +a3=P ~400 CW ~9000'],
    ['flag TOUCH_MOVE 1 !'],
    from(CASTLING),
  ],
  [
    '4.4.2: the rook first and then the king',
    ['-h1 ~600 +f1=R ~600 -e1 ~600 +g1=K ~400 CW ~9000'],
    ['moves O-O', 'flag ROOK_TOUCHED_FIRST 1 !', 'irregularity rook-first white 1 4.4.2 seen'],
    from(CASTLING),
  ],
  [
    '4.4.3: a king touched to castle where that is illegal moves',
    ['-e1 ~500 +e1=K ~100 -h1 ~500 +h1=R ~400 -a2 ~500 +a3=P ~400 CW ~9000'],
    ['flag TOUCH_MOVE 1 !'],
    from('4kr2/8/8/8/8/8/P7/4K2R w K - 0 1'),
  ],
  [
    '4.4.3: and any move is free where the king has none',
    ['-e1 ~500 +e1=K ~100 -h1 ~500 +h1=R ~400 -a2 ~500 +a3=P ~400 CW ~9000'],
    ['moves a3', '!flag TOUCH_MOVE 1 !'],
    from('3rkr2/8/8/8/8/8/P3P3/3BK2R w K - 0 1'),
  ],
  [
    '4.5: what can neither move nor be captured obliges to nothing',
    ['-a1 ~900 +a1=R ~400 -e2 ~300 +e4=P ~400 CW ~9000'],
    ['flag TOUCH 1', '!flag TOUCH_MOVE 1 !'],
  ],
  [
    '4.8, 9.4: the claim ends when the claimant touches a piece',
    ['-b1 ~900 +b1=N ~400 -g1 ~500 +f3=N ~300 CW ~3000 -e7 ~900 +e5=p ~500 CB ~9000'],
    ['flag TOUCH_MOVE 1 !', 'flag CLAIM_OVER 2'],
  ],
  [
    '4.3: an accidental touch is dismissed by the arbiter',
    [
      '-b1 ~900 +b1=N ~400 -g1 ~500 +f3=N ~300 CW ~3000',
      { ruling: { type: 'dismiss', kind: 'touch-move', side: 'white', ply: 1 } },
    ],
    ['irregularity touch-move white 1 4.3 dismissed'],
  ],
];

const SWAPPED = 'D=rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR ~12000';
const TEN = 'e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 d6 O-O O-O Re1 a6 Bb3 Ba7 h3 h6 Nbd2 Re8';
const IRREGULARITIES: readonly Row[] = [
  [
    '7.2.1: king and queen exchanged at the start',
    [SWAPPED],
    ['flag WRONG_START 0 !', 'remedy wrong-start restart'],
  ],
  [
    '7.2.1: knight and bishop exchanged at the start',
    ['D=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKBNR ~12000'],
    ['flag WRONG_START 0 !', 'detail WRONG_START b1, c1', 'remedy wrong-start restart'],
  ],
  [
    '7.2.1: a piece missing at the start, and play goes on',
    ['D=rnbqkbnr/ppppppp1/8/8/8/8/PPPPPPPP/RNBQKBNR ~12000', '-e2 ~300 +e4=P ~500 CW ~9000'],
    ['flag WRONG_START 0 !', 'detail WRONG_START h7', 'moves e4', '!games 2'],
  ],
  [
    '7.2.1: full supervision: found after ten moves it is still cancelled',
    [play(START_FEN, TEN), enter('wrong-start', undefined, 1)],
    ['remedy wrong-start restart'],
  ],
  [
    'A.5.1: limited supervision: before ten moves each',
    [play(START_FEN, 'e4 e5'), enter('wrong-start', undefined, 1)],
    ['remedy wrong-start restart'],
    { options: LIMITED },
  ],
  [
    'A.5.1: limited supervision: not after ten moves each',
    [play(START_FEN, TEN), enter('wrong-start', undefined, 1)],
    ['remedy wrong-start goes-on', '!flag IRREGULAR_SINCE 1 !'],
    { options: LIMITED },
  ],
  [
    '7.2.2: a turned board loses nothing',
    ['D=RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr ~500 -d7 ~300 +d5=P ~300 CW ~9000'],
    ['moves e4', 'flag ROTATED_180 0', 'irregularity board-turned nobody 1 7.2.2 seen'],
  ],
  [
    '7.3: reversed colours before ten moves each',
    [play(START_FEN, 'e4 e5'), enter('colours-reversed', undefined, 1)],
    ['remedy colours-reversed restart'],
  ],
  [
    '7.3: and after',
    [play(START_FEN, TEN), enter('colours-reversed', undefined, 1)],
    ['remedy colours-reversed goes-on'],
  ],
  [
    '7.4: displaced pieces are never counted',
    [play(START_FEN, 'e4 e5'), '-b1 +b4=N -g1 +g4=N ~6000', confirm('displaced', undefined, 3)],
    [
      'flag DISPLACED 3 !',
      'irregularity displaced nobody 3 7.4 confirmed',
      '!irregularity illegal white 3 7.5.1 seen',
      '!penalty time black 120',
    ],
  ],
  [
    '4.7, 7.5: an illegal move that is not pressed is not completed',
    [play(START_FEN, 'e4 e5'), '-f1 ~300 +f4=B ~4000'],
    ['irregularity illegal white 3 7.5.1 seen open'],
  ],
  [
    '4.7, 7.5: and put right it counts for nothing',
    [play(START_FEN, 'e4 e5'), '-f1 ~300 +f4=B ~4000 -f4 ~300 +c4=B ~500 CW ~9000'],
    ['moves e4 e5 Bc4', '!irregularity illegal white 3 7.5.1 seen', '!flag ILLEGAL 3 !'],
  ],
  [
    '7.5.1: pressed, it is completed',
    [ILLEGAL],
    ['moves !e2e5', 'flag ILLEGAL 1 !', 'irregularity illegal white 1 7.5.1 seen', 'penalty time black 120'],
  ],
  [
    '7.5.1: the replacing move obeys 4.3',
    [ILLEGAL, '-e5 ~300 +e2=P ~900 -d2 ~300 +d4=P ~500 CW ~9000'],
    ['moves d4', 'flag TOUCH_MOVE 1 !'],
  ],
  [
    '7.5.2: a pawn on the last rank at the press',
    ['-a7 ~300 +a8=P ~500 CW ~4000'],
    [
      'flag PROMO_INCOMPLETE 1 !',
      'irregularity promotion-incomplete white 1 7.5.2 seen',
      'penalty time black 120',
      'moves a8=Q',
    ],
    from(PAWN),
  ],
  [
    '7.5.3: pressed without a move',
    [play(START_FEN, 'e4 e5'), 'CW ~9000'],
    [
      'flag PRESSED_WITHOUT_MOVE 3 !',
      'irregularity pressed-without-move white 3 7.5.3 seen',
      'penalty time black 120',
    ],
  ],
  [
    '7.5.4: two hands are entered, and count',
    [play(START_FEN, 'e4'), enter('two-hands', 'white', 1)],
    ['irregularity two-hands white 1 7.5.4 confirmed', 'penalty time black 120'],
  ],
  [
    '6.2.3: pressed with the other hand is entered, and does not count',
    [play(START_FEN, 'e4'), enter('other-hand', 'white', 1)],
    ['irregularity other-hand white 1 6.2.3 confirmed', '!penalty time black 120'],
  ],
  [
    '7.5: the same side twice',
    [play(START_FEN, 'e4 e5 Nf3'), '-d2 ~300 +d4=P ~6000'],
    ['flag OUT_OF_TURN 4 !', 'irregularity out-of-turn white 4 7.5 seen'],
  ],
  [
    '7.6: entered when more was played',
    [play(START_FEN, 'e4 e5 Nf3 Nc6'), enter('illegal', 'white', 1)],
    ['flag IRREGULAR_SINCE 1 !', 'flag IRREGULAR_SINCE(1)'],
  ],
  [
    '7.5.5: the first gives two minutes in standard play',
    [ILLEGAL, confirm('illegal', 'white', 1)],
    ['irregularity illegal white 1 7.5.1 confirmed', 'penalty time black 120'],
    { options: { controls: control('5400+30') } },
  ],
  [
    '7.5.5: and one in rapid and blitz',
    [ILLEGAL, confirm('illegal', 'white', 1)],
    ['penalty time black 60'],
    { options: { controls: control('180+2') } },
  ],
  [
    '7.5.5: the second of the same player loses',
    [
      play(START_FEN, 'e4 e5'),
      enter('two-hands', 'white', 1),
      '-f1 ~300 +f4=B ~500 CW ~4000',
      confirm('illegal', 'white', 3),
    ],
    ['proposal illegal-moves 0-1 winnable'],
  ],
  [
    '7.5.5: the second of the other player is their first',
    [
      play(START_FEN, 'e4 e5'),
      enter('two-hands', 'black', 2),
      '-f1 ~300 +f4=B ~500 CW ~4000',
      confirm('illegal', 'white', 3),
    ],
    ['penalty time black 120', '!proposal illegal-moves 0-1 winnable'],
  ],
  [
    '7.5.5: and draws where the opponent cannot mate',
    [BARE(), enter('two-hands', 'white', 1), enter('illegal', 'white', 3)],
    ['proposal illegal-moves 1/2-1/2 unwinnable'],
    from('4k3/8/8/8/8/8/P7/4K3 w - - 0 1'),
  ],
  [
    'A.5.2: limited supervision: it stands once it is answered',
    [ILLEGAL, REPLY],
    ['moves !e2e5 e6', 'flag ILLEGAL_STANDS 1', 'irregularity illegal white 1 7.5.1 stands'],
    { options: LIMITED },
  ],
  [
    'A.5.2: the reply that is made counts, pressed or not',
    [ILLEGAL, '-e7 ~300 +e6=p ~70000'],
    ['irregularity illegal white 1 7.5.1 stands'],
    { options: LIMITED },
  ],
  [
    'A.5.2: full supervision: it does not',
    [ILLEGAL, REPLY],
    ['!flag ILLEGAL_STANDS 1', 'irregularity illegal white 1 7.5.1 seen'],
  ],
  [
    'A.5.4: both kings in check after the next completed move',
    ['-b1 ~300 +a1=R ~500 CW ~3000 -e2 ~300 +e3=r ~500 CB ~9000'],
    ['flag DRAW_A54 2 !', 'proposal illegal-position 1/2-1/2'],
    from('k7/8/8/8/8/8/4r3/1R2K3 w - - 0 1', LIMITED),
  ],
  [
    'A.5.4: a pawn still on the last rank after the next completed move',
    ['-a7 ~300 +a8=P ~500 CW ~2500 -b2 ~300 +c2=r ~500 CB ~9000'],
    ['flag DRAW_A54 2 !', 'proposal illegal-position 1/2-1/2'],
    from(PAWN, LIMITED),
  ],
  [
    'A.5.4: exchanged in time there is nothing left',
    ['-a7 ~300 +a8=P ~500 CW ~2500 -a8 ~300 +a8=Q ~900 -b2 ~300 +c2=r ~500 CB ~9000'],
    ['!flag DRAW_A54 2 !'],
    from(PAWN, LIMITED),
  ],
  [
    'A.5.3: the clocks are paused to claim a flag: nothing is pressed',
    [{ clock: 'b 0:30/0:01' }, '~900', { clock: 'b 0:30/0:00!' }, '~900', { clock: '- 0:30/0:00!' }, '~9000'],
    ['flag FLAG_FALL 0 !', '!flag PRESSED_WITHOUT_MOVE 1 !', '!flag CLOCK_LOST 0 !'],
    { options: LIMITED },
  ],
];

/** Moves of two kings and a pawn. */
function BARE(): string {
  return play('4k3/8/8/8/8/8/P7/4K3 w - - 0 1', 'a3 Kd7 a4 Kd6');
}

const DEAD = '2b1k3/8/8/8/8/8/3p4/4K3 w - - 0 1';
const ENDINGS: readonly Row[] = [
  [
    '5.1.1: mate ends the game when it is made',
    ['-a1 ~300 +a8=R ~900'],
    ['result 1-0 checkmate'],
    from(MATE),
  ],
  [
    '5.1.1: and stands against a flag that is registered later',
    ['-a1 ~300 +a8=R ~900', { ruling: { type: 'flag-registered', side: 'white' } }],
    ['result 1-0 checkmate'],
    from(MATE),
  ],
  [
    '5.2.1: stalemate',
    ['-g5 ~300 +g6=Q ~900'],
    ['result 1/2-1/2 stalemate'],
    from('7k/8/8/6Q1/8/8/8/K7 w - - 0 1'),
  ],
  [
    '5.2.2: a dead position',
    ['-d2 ~200 -e1 ~300 +d2=K ~500 CW ~9000'],
    ['result 1/2-1/2 dead-position', 'flag DEAD_POSITION 1 !'],
    from(DEAD),
  ],
  [
    '5.2.2: not by counting pieces: a wall that closes',
    [play('4k3/8/p1ppp1p1/PpP1PpPp/1P1P1P1P/8/8/4K3 b - - 0 1', 'd5')],
    ['result 1/2-1/2 dead-position'],
    from('4k3/8/p1ppp1p1/PpP1PpPp/1P1P1P1P/8/8/4K3 b - - 0 1'),
  ],
  [
    '5.1.2: resignation',
    [play(START_FEN, 'e4 e5'), result('0-1', 'resignation')],
    ['result 0-1 resignation'],
  ],
  [
    '5.1.2: a draw where the opponent cannot mate',
    [BARE(), result('0-1', 'resignation')],
    ['proposal resignation 1/2-1/2 unwinnable'],
    from('4k3/8/8/8/8/8/P7/4K3 w - - 0 1'),
  ],
  [
    '5.2.3, 9.1: agreed',
    [play(START_FEN, 'e4 e5'), result('1/2-1/2', 'agreement')],
    ['result 1/2-1/2 agreement'],
  ],
  [
    '5.2.3: agreed after one move by each it is as good as any',
    [play(START_FEN, 'e4 e5'), result('1/2-1/2', 'agreement')],
    ['!flag DRAW_TOO_EARLY 2 !'],
  ],
  [
    '5.2.3: not before each has moved',
    [play(START_FEN, 'e4'), result('1/2-1/2', 'agreement')],
    ['flag DRAW_TOO_EARLY 1 !', 'detail DRAW_TOO_EARLY 1 plies', 'result 1/2-1/2 agreement'],
  ],
  [
    '9.1.1: the event forbids agreement before a move: the arbiter is told, and his word stands',
    [play(START_FEN, TEN), result('1/2-1/2', 'agreement')],
    ['flag DRAW_TOO_EARLY 20 !', 'result 1/2-1/2 agreement'],
    { options: { drawFrom: 11 } },
  ],
  [
    '9.1.1: from that move on it allows it',
    [play(START_FEN, TEN), result('1/2-1/2', 'agreement')],
    ['!flag DRAW_TOO_EARLY 20 !', 'result 1/2-1/2 agreement'],
    { options: { drawFrom: 10 } },
  ],
  [
    '9.1.1: what was played before a position was set up counts',
    [play('4k3/8/8/8/8/8/4P3/4K3 w - - 0 40', 'Kd2 Kd7'), result('1/2-1/2', 'agreement')],
    ['!flag DRAW_TOO_EARLY 2 !'],
    from('4k3/8/8/8/8/8/4P3/4K3 w - - 0 40', { drawFrom: 30 }),
  ],
  [
    '9.1.1: an offer that nobody may make yet',
    [play(START_FEN, 'e4 e5'), { ruling: { type: 'draw-offer', side: 'black', ply: 2 } }],
    ['flag DRAW_TOO_EARLY 2 !'],
    { options: { drawFrom: 30 } },
  ],
  [
    '9.1.1: players who show a draw with their kings have agreed it',
    [play(START_FEN, 'e4 e5'), '-e1 ~400 -e8 ~400 -e4 ~200 +e4=K ~400 +d4=k ~9000'],
    ['result 1/2-1/2 kings', 'flag DRAW_TOO_EARLY 2 !'],
    { options: { drawFrom: 30 } },
  ],
  [
    '9.1.1: a draw by repetition needs no agreement',
    [play(START_FEN, `e4 e5 ${SHUFFLE} ${SHUFFLE}`), result('1/2-1/2', 'threefold')],
    ['!flag DRAW_TOO_EARLY 10 !'],
    { options: { drawFrom: 30 } },
  ],
  [
    '6.8: a flag that falls is observed',
    [{ clock: 'b 0:30/0:01' }, '~900', { clock: 'b 0:30/0:00!' }],
    ['flag FLAG_FALL 0 !', 'proposal flag-fall 1-0 winnable', '!result 1-0 flag-fall'],
  ],
  [
    '6.9: registered it loses',
    [play(START_FEN, 'e4'), { ruling: { type: 'flag-registered', side: 'black' } }],
    ['result 1-0 flag-fall'],
  ],
  [
    '6.9: and draws where the opponent cannot mate',
    [BARE(), { ruling: { type: 'flag-registered', side: 'white' } }],
    ['result 1/2-1/2 flag-fall'],
    from('4k3/8/8/8/8/8/P7/4K3 w - - 0 1'),
  ],
  [
    '9.6.1: the fifth occurrence',
    [play(START_FEN, `e4 e5 ${SHUFFLE} ${SHUFFLE} ${SHUFFLE} ${SHUFFLE}`)],
    ['result 1/2-1/2 fivefold', 'flag FIVEFOLD 18 !'],
  ],
  [
    '9.6.2: 75 moves by each',
    [play('4k2r/p6p/8/8/8/8/P6P/R3K3 w - - 148 90', 'Rb1 Rf8')],
    ['result 1/2-1/2 seventy-five'],
    from('4k2r/p6p/8/8/8/8/P6P/R3K3 w - - 148 90'),
  ],
  [
    '9.6.2: mate on the last of them wins',
    [play('6k1/5ppp/8/8/8/8/8/R3K3 w - - 149 90', 'Ra8#')],
    ['result 1-0 checkmate', '!flag SEVENTY_FIVE 1 !'],
    from('6k1/5ppp/8/8/8/8/8/R3K3 w - - 149 90'),
  ],
  [
    '9.2: the third occurrence is claimable and ends nothing',
    [play(START_FEN, `e4 e5 ${SHUFFLE} ${SHUFFLE}`)],
    ['flag THREEFOLD_CLAIMABLE 10', '!result 1/2-1/2 threefold'],
  ],
  [
    '9.2: claimed, and the claim is right',
    [play(START_FEN, `e4 e5 ${SHUFFLE} ${SHUFFLE}`), result('1/2-1/2', 'threefold')],
    ['result 1/2-1/2 threefold'],
  ],
  [
    '9.2.3: castling rights count while castling is prevented',
    [play('r3k2r/8/8/8/8/8/8/4KR2 b kq - 0 1', 'Rg8 Ke2 Rh8 Ke1 Rg8 Ke2 Rh8 Ke1')],
    ['!flag THREEFOLD_CLAIMABLE 8'],
    from('r3k2r/8/8/8/8/8/8/4KR2 b kq - 0 1'),
  ],
  [
    '9.2.3.1: an en passant that is not legal makes no other position',
    [play('3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1', 'e4 Ke8 Kf1 Kd8 Ke1 Ke8 Kf1 Kd8 Ke1')],
    ['flag THREEFOLD_CLAIMABLE 9'],
    from('3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1'),
  ],
  [
    '9.3: fifty moves by each are claimable',
    [play('4k2r/p6p/8/8/8/8/P6P/R3K3 w - - 98 90', 'Rb1 Rf8')],
    ['flag FIFTY_CLAIMABLE 2', '!result 1/2-1/2 fifty'],
    from('4k2r/p6p/8/8/8/8/P6P/R3K3 w - - 98 90'),
  ],
  [
    '9.1.2: an offer lapses when the opponent touches a piece',
    [
      play(START_FEN, 'e4'),
      { ruling: { type: 'draw-offer', side: 'white', ply: 1 } },
      '-b8 ~900 +b8=n ~2000',
    ],
    ['flag OFFER_LAPSED 2'],
  ],
  [
    '9.1.2: not when he nudges one',
    [
      play(START_FEN, 'e4'),
      { ruling: { type: 'draw-offer', side: 'white', ply: 1 } },
      '-b8 ~100 +b8=n ~9000',
    ],
    ['!flag OFFER_LAPSED 2'],
  ],
  [
    '9.1.2: nor when the player who made it does',
    [
      play(START_FEN, 'e4'),
      { ruling: { type: 'draw-offer', side: 'white', ply: 1 } },
      '-b1 ~900 +b1=N ~9000',
    ],
    ['!flag OFFER_LAPSED 2'],
  ],
  [
    '6.7: the default time passes without a move',
    [BEGIN],
    ['flag DEFAULT_TIME 0', '!result 0-1 default'],
    { options: { defaultMs: 1_800_000 } },
  ],
  [
    'kings in the centre, both on light squares: White has won',
    [play(START_FEN, 'e4 e5'), '-e1 ~400 -e8 ~400 -e4 ~200 +e4=K ~400 +d5=k ~9000'],
    ['result 1-0 kings', 'moves e4 e5'],
  ],
  [
    'kings in the centre, both on dark squares: Black has won',
    [play(START_FEN, 'e4 e5'), '-e1 ~400 -e8 ~400 -e5 ~200 +e5=k ~400 +d4=K ~9000'],
    ['result 0-1 kings', 'moves e4 e5'],
  ],
  [
    'kings in the centre, one of each: a draw',
    [play(START_FEN, 'e4 e5'), '-e1 ~400 -e8 ~400 -e4 ~200 +e4=K ~400 +d4=k ~9000'],
    ['result 1/2-1/2 kings', 'moves e4 e5'],
  ],
  [
    'kings in the centre for less than five seconds: nothing',
    [
      play(START_FEN, 'e4 e5'),
      '-e1 ~400 -e8 ~400 -e4 ~200 +e4=K ~400 +d5=k ~3000 -d5 ~300 -e4 ~200 +e4=P +e1=K +e8=k ~4000 -g1 ~300 +f3=N ~400 CW ~9000',
    ],
    ['!result 1-0 kings', 'moves e4 e5 Nf3'],
  ],
  [
    '0-0: a result without a token is a fact all the same',
    [play(START_FEN, 'e4'), result('0-0', 'arbiter')],
    ['result 0-0 arbiter'],
  ],
];

const timed = (text: string): Sitting => ({ options: { controls: control(text) } });
const CLOCK: readonly Row[] = [
  [
    '6.4: a period ends with its moves',
    clocked('e4 e5 Nf3 Nc6', 'w 1:00/1:00', 'b 0:57/1:00', 'w 0:57/0:57', 'b 1:54/0:57', 'w 1:54/1:54'),
    [
      'flag PERIOD_CHANGE 3',
      'flag PERIOD_CHANGE 4',
      '!flag TIME_ADDED 3',
      '!flag PERIOD_EARLY 3 !',
      'clock 3 114',
    ],
    timed('2/60:60'),
  ],
  [
    '6.4: the time of the next period comes before its moves are recorded',
    clocked('e4 e5', 'w 1:00/1:00', 'b 1:57/1:00', 'w 1:57/0:57'),
    ['flag PERIOD_EARLY 1 !'],
    timed('2/60:60'),
  ],
  [
    '7.5.5: time that an arbiter adds',
    [
      ...clocked('e4 e5', 'w 1:00/1:00', 'b 0:57/1:00', 'w 0:57/0:57'),
      { clock: 'w 0:56/2:57' },
      '~900',
      { clock: 'w 0:55/2:57' },
    ],
    ['flag TIME_ADDED(black,120)', 'flag TIME_ADDED 2'],
    timed('60'),
  ],
  [
    '6.10: a clock that falls faster than time goes',
    [...clocked('e4 e5', 'w 9:00/9:00', 'b 8:57/9:00', 'w 8:57/8:57'), { clock: 'w 5:57/8:57' }],
    ['flag CLOCK_JUMP 2'],
    timed('540'),
  ],
  [
    '6.10.2: what was set while the clock stood is told once, when it runs again',
    [
      ...clocked('e4 e5', 'w 9:00/9:00', 'b 8:57/9:00', 'w 8:57/8:57'),
      { clock: '- 8:55/8:57' },
      '~2000',
      { clock: '- 8:55/9:57' },
      '~900',
      { clock: '- 8:55/10:57' },
      '~900',
      { clock: 'w 8:55/10:57' },
      '~900',
      { clock: 'w 8:54/10:57' },
    ],
    ['flag TIME_ADDED(black,120)', '!flag TIME_ADDED(black,60)', '!flag PRESSED_WITHOUT_MOVE 3 !'],
    timed('540'),
  ],
  [
    '6.2: pressed, pressed back and pressed again by accident',
    [
      ...clocked('e4 e5', 'w 9:00/9:00', 'b 8:57/9:00', 'w 8:57/8:57'),
      '-g1 ~300 +f3=N ~300',
      { clock: 'b 8:54/8:57' },
      '~300',
      { clock: 'w 8:54/8:57' },
      '~300',
      { clock: 'b 8:54/8:57' },
      '~9000',
    ],
    [
      'flag DOUBLE_PRESS 3',
      '!flag PRESSED_WITHOUT_MOVE 4 !',
      '!flag PRESSED_WITHOUT_MOVE 5 !',
      'moves e4 e5 Nf3',
    ],
    timed('540'),
  ],
  [
    '6.3.2: an increment is no time added',
    clocked('e4 e5', 'w 9:00/9:00', 'b 9:27/9:00', 'w 9:27/9:27'),
    ['!flag TIME_ADDED 1', '!flag PERIOD_EARLY 1 !', 'clock 1 567'],
    timed('540+30'),
  ],
  [
    '6.3.2: with a delay nothing comes back, and time waits before it runs',
    clocked('e4 e5', 'w 9:00/9:00', 'b 9:00/9:00', 'w 9:00/9:00'),
    ['!flag TIME_ADDED 1', '!flag CLOCK_JUMP 1', 'clock 2 540'],
    timed('540d5'),
  ],
  [
    '6.3.2: Bronstein gives back what was used',
    [
      { clock: 'w 9:00/9:00' },
      '~2000',
      { clock: 'w 8:57/9:00' },
      ...clocked('e4 e5', 'w 8:56/9:00', 'b 9:00/9:00', 'w 9:00/9:00'),
    ],
    ['!flag TIME_ADDED 1', 'clock 1 540'],
    timed('540b5'),
  ],
  [
    '6.3.2: and no more than was used',
    [...clocked('e4', 'w 8:56/9:00', 'b 9:55/9:00'), '~900'],
    ['flag TIME_ADDED 1'],
    timed('540b5'),
  ],
  [
    '6.8: below a second a clock may show zero and not have fallen',
    [
      ...clocked('e4 e5', 'w 0:05/1:00', 'b 0:04/1:00', 'w 0:04/0:57'),
      { clock: 'w 0:00/0:57' },
      '-g1 ~300 +f3=N ~100',
      { clock: 'b 0:02/0:57' },
      '~9000',
    ],
    ['!flag FLAG_FALL 2 !', '!flag FLAG_FALL 3 !', 'moves e4 e5 Nf3'],
    timed('300+2'),
  ],
  [
    '6.8: a second later it has',
    [...clocked('e4 e5', 'w 0:05/1:00', 'b 0:04/1:00', 'w 0:04/0:57'), { clock: 'w 0:00/0:57' }, '~4000'],
    ['flag FLAG_FALL 2 !', 'detail FLAG_FALL white first, 1 moves recorded'],
    timed('300'),
  ],
  [
    '6.8: both flags, each with its order',
    [
      ...clocked('e4 e5', 'w 0:05/1:00', 'b 0:04/0:05', 'w 0:04/0:04'),
      { clock: 'w 0:00!/0:04' },
      '~900',
      { clock: 'b 0:00!/0:04' },
      '~3000',
      { clock: 'b 0:00!/0:00!' },
      '~900',
    ],
    ['detail FLAG_FALL white first, 1 moves recorded', 'detail FLAG_FALL black second, 1 moves recorded'],
    timed('300'),
  ],
  [
    '6.8: both down before either was seen alone: nobody knows which was first',
    [...clocked('e4 e5', 'w 0:05/1:00', 'b 0:04/0:05', 'w 0:04/0:04'), { clock: 'w 0:00!/0:00!' }, '~900'],
    ['detail FLAG_FALL white unknown, 1 moves recorded', 'detail FLAG_FALL black unknown, 1 moves recorded'],
    timed('300'),
  ],
  [
    '6.1: ten hours are ten hours',
    clocked('e4 e5', 'w 10:00:00/10:00:00', 'b 9:59:57/10:00:00', 'w 9:59:57/9:59:57'),
    ['clock 1 35997', 'clock 2 35997', '!flag CLOCK_JUMP 1', '!flag TIME_ADDED 1'],
    timed('36000'),
  ],
  [
    '8.4: under five minutes the player need not write',
    clocked('e4 e5', 'w 5:02/9:00', 'b 4:59/9:00', 'w 4:59/8:57'),
    ['flag WRITING_OVER 1', 'detail WRITING_OVER white 299 s'],
    timed('5400'),
  ],
  [
    '8.4: with thirty seconds a move he must',
    clocked('e4 e5', 'w 5:02/9:00', 'b 4:59/9:00', 'w 4:59/8:57'),
    ['!flag WRITING_OVER 1'],
    timed('5400+30'),
  ],
  [
    '8.4, A.2: in rapid nobody need write at all, which is no news',
    clocked('e4 e5', 'w 5:02/9:00', 'b 4:59/9:00', 'w 4:59/8:57'),
    ['!flag WRITING_OVER 1'],
    timed('1500'),
  ],
  [
    '6.2: a clock that is pulled off is lost, and presses nothing',
    [...clocked('e4 e5', 'w 9:00/9:00', 'b 8:57/9:00', 'w 8:57/8:57'), { clock: 'x 0:00/0:00' }, '~900'],
    ['flag CLOCK_LOST 2 !', '!flag FLAG_FALL 2 !', '!flag PRESSED_WITHOUT_MOVE 3 !'],
    timed('540'),
  ],
  [
    '6.2: whose face is whose is learnt from who plays',
    [
      { clock: 'b 9:00/9:00' },
      '-e2 ~300 +e4=P ~200',
      { clock: 'w 9:00/8:57' },
      '~1500 -e7 ~300 +e5=p ~200',
      { clock: 'b 8:55/8:57' },
      '~9000',
    ],
    ['moves e4 e5', 'clock 1 537', '!flag PRESSED_WITHOUT_MOVE 1 !', '!flag PRESSED_WITHOUT_MOVE 2 !'],
  ],
];

describe.each([
  ['the three moments of a move', MOMENTS],
  ['movement, castling and en passant', MOVES],
  ['touch-move', TOUCHES],
  ['irregularities', IRREGULARITIES],
  ['endings and draws', ENDINGS],
  ['the clock', CLOCK],
])('%s', (_title, rows) => {
  it.each(rows)('%s', (_row, ...rest) => {
    const [parts, wanted, sitting = {}] = rest as unknown as [Part[], string[], Sitting?];
    const facts = factsOf(sitDown(parts, sitting));
    const missing = wanted.filter((fact) =>
      fact.startsWith('!') ? facts.includes(fact.slice(1)) : !facts.includes(fact),
    );
    expect(missing, facts.join('\n')).toEqual([]);
  });
});
