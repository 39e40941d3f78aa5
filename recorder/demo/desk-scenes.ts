/**
 * A round in which something happens at every table that somebody has to look at: what the desk is rehearsed with. Each scene is a
 * short game by a careful hand up to the event.
 */
import type { HandAction } from '../../boards/hand/action.ts';
import type { FlagWord } from '../../core/flag.ts';
import {
  BLACK_KING,
  BLACK_PAWN,
  type Cell,
  cellOf,
  EMPTY,
  type Placement,
  WHITE_KING,
  WHITE_PAWN,
} from '../../core/placement.ts';
import { Position } from '../../core/position.ts';
import { makeSquare, opponent, parseSquare, type Side, type Square } from '../../core/square.ts';
import type { EventRules } from '../event-rules.ts';

/** The cable of a board is pulled out, and put in again or never. */
export interface Unplugged {
  readonly fromMs: number;
  readonly toMs?: number;
}

/** What happens at one table. */
export interface DeskScene {
  /** The flags that it comes to, one entry of the attention list each, in the order in which they are best put right. */
  readonly words: readonly FlagWord[];
  /** FEN of the position from which games go on here; the initial position when absent. */
  readonly start?: string;
  /** Placement that stands on the board at first, where it is not that of the start. */
  readonly placement?: string;
  /** The board is turned by 180 degrees. */
  readonly isTurned?: boolean;
  /** The board has no memory that tells what happened while its cable was out. */
  readonly keepsNoLog?: boolean;
  /** Rules of this table where they differ from those of the hall. */
  readonly rules?: EventRules;
  readonly white: string;
  readonly black: string;
  readonly actions: readonly HandAction[];
  readonly unplugged?: Unplugged;
  /** When the last thing has happened. */
  readonly endAtMs: number;
}

/** Enough for what may be claimed and forfeited: full supervision, standard play with an increment. */
export const DEMO_RULES: EventRules = { white: '5400+30', black: '5400+30', regime: 'full' };

const START_MS = 90 * 60_000;
const INCREMENT_MS = 30_000;
/** Between two things a hand does, ms. */
const HAND_MS = 350;
/** From the first clock to the first move. */
const FIRST_THINK_MS = 4000;

const at = (name: string): Square => parseSquare(name)!;

interface ScriptOptions {
  readonly leftMs?: number;
  readonly incrementMs?: number;
  /** FEN. */
  readonly start?: string;
}

function readStart(fen: string): Position {
  const start = Position.fromFen(fen);
  if (!start.ok) throw new Error(start.fault.message);
  return start.value;
}

/** A careful hand at one board with a clock. */
class Script {
  readonly actions: HandAction[] = [];
  readonly #start: Position;
  position: Position;
  atMs = 1000;
  readonly #cells: Placement;
  #incrementMs: number;
  readonly #left: Record<Side, number>;
  #running: Side | undefined;
  #sinceMs = 0;
  unplugged: Unplugged | undefined;

  constructor({ leftMs = START_MS, incrementMs = INCREMENT_MS, start }: ScriptOptions = {}) {
    this.#incrementMs = incrementMs;
    this.#start = start === undefined ? Position.initial() : readStart(start);
    this.position = this.#start;
    this.#cells = this.#start.cells.slice();
    this.#left = { white: leftMs, black: leftMs };
    this.#show();
    this.wait(1500);
    this.#running = 'white';
    this.#show();
    this.wait(FIRST_THINK_MS);
  }

  wait(ms: number): this {
    this.atMs += ms;
    return this;
  }

  /** A piece is put on a square, or lifted from it. */
  put(square: string, cell: Cell, handMs = HAND_MS): this {
    this.#cells[at(square)] = cell;
    this.actions.push({ type: 'square', atMs: this.atMs, square: at(square), cell });
    return this.wait(handMs);
  }

  lift = (square: string): this => this.put(square, EMPTY);

  /** A piece goes from one square to another, whatever the Laws say to it; what stands there is taken off first. */
  carry(from: string, to: string): this {
    const cell = this.#cells[at(from)]!;
    if (this.#cells[at(to)] !== EMPTY) this.lift(to);
    return this.lift(from).put(to, cell);
  }

  /** Legal moves one after the other, each pressed after a think of a few seconds. */
  play(...sans: readonly string[]): this {
    for (const san of sans) {
      this.move(san).wait(300);
      this.press();
      this.wait(2200 + (san.charCodeAt(0) % 7) * 150);
    }
    return this;
  }

  /** A legal move that is not pressed. */
  move(san: string): this {
    const move = this.position.parseSan(san)!;
    const changes = [...move.changes].sort((a, b) => Number(a.after !== EMPTY) - Number(b.after !== EMPTY));
    for (const { square, after } of changes) {
      const isTaken = after !== EMPTY && this.#cells[square] !== EMPTY;
      if (isTaken) this.actions.push({ type: 'square', atMs: this.atMs, square, cell: EMPTY });
      if (isTaken) this.wait(HAND_MS);
      this.#cells[square] = after;
      this.actions.push({ type: 'square', atMs: this.atMs, square, cell: after });
      this.wait(HAND_MS);
    }
    this.position = this.position.play(move);
    return this;
  }

  /** The clock is pressed by whoever has the move. */
  press(): this {
    const side = this.#running ?? 'white';
    this.#count();
    this.#left[side] += this.#incrementMs;
    this.#running = opponent(side);
    this.actions.push({ type: 'press', atMs: this.atMs, side });
    this.#show();
    return this;
  }

  /** The arbiter stops the clock. */
  stop(): this {
    this.#count();
    this.#running = undefined;
    this.#show();
    return this;
  }

  /** The arbiter lets a clock run. */
  run(side: Side): this {
    this.#running = side;
    this.#show();
    return this;
  }

  /** The arbiter sets a clock, or it goes to its next period by itself. */
  add(side: Side, ms: number): this {
    this.#count();
    this.#left[side] += ms;
    this.#show();
    return this;
  }

  /** Both clocks are set to a time without increment, and stand. */
  set(leftMs: number): this {
    this.#incrementMs = 0;
    this.#running = undefined;
    this.#left.white = leftMs;
    this.#left.black = leftMs;
    this.#show();
    return this;
  }

  /** The pieces are set up again for another game. */
  setUp(): this {
    this.position = this.#start;
    for (let square = 0; square < 64; square++)
      if (this.#cells[square] !== EMPTY && this.#cells[square] !== this.position.cells[square])
        this.put(makeSquare(square), EMPTY, 60);
    for (let square = 0; square < 64; square++)
      if (this.#cells[square] !== this.position.cells[square])
        this.put(makeSquare(square), this.position.cells[square]!, 60);
    return this;
  }

  /** Time goes by until a flag falls; the clock stops at zero by itself. */
  think(ms: number): this {
    return this.wait(ms);
  }

  #count(): void {
    if (this.#running !== undefined)
      this.#left[this.#running] = Math.max(0, this.#left[this.#running] - (this.atMs - this.#sinceMs));
  }

  #show(): void {
    this.#sinceMs = this.atMs;
    const { white, black } = this.#left;
    this.actions.push({
      type: 'clock',
      atMs: this.atMs,
      whiteMs: white,
      blackMs: black,
      running: this.#running,
    });
  }

  scene(
    words: readonly FlagWord[],
    white: string,
    black: string,
    table: Pick<DeskScene, 'start' | 'placement' | 'isTurned' | 'keepsNoLog' | 'rules'> = {},
  ): DeskScene {
    const { actions, unplugged } = this;
    return {
      words,
      white,
      black,
      ...table,
      actions,
      ...(unplugged !== undefined && { unplugged }),
      endAtMs: Math.max(this.atMs, unplugged?.toMs ?? 0),
    };
  }
}

/** Adjourned games: three plies are left of the fifty moves, and five of the seventy-five. */
const FIFTY_START = 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 97 61';
const ENDING_START = '8/8/2k5/4r3/4K3/8/8/8 w - - 145 140';

/** Twelve tables, several events at most of them: whatever the boards of one hall can come to in two minutes. */
export function createDeskScenes(): DeskScene[] {
  // A piece is off the board while play goes on; later an illegal move is completed.
  const illegal = new Script().play('e4', 'e5').lift('a8').play('Nf3', 'Nc6', 'a3', 'd6').wait(4000);
  illegal.carry('f1', 'f5').wait(300).press().wait(4000).stop().carry('f5', 'f1').wait(1500).run('white');
  // It is put right; then a king is in nobody's sight.
  illegal.wait(3000).play('Be2', 'h6').lift('e1').wait(900).press().wait(3000);
  const noMove = new Script({ leftMs: 25_000, incrementMs: 0 })
    .play('e4', 'e5', 'Nf3', 'Nc6', 'Bc4')
    .wait(1500)
    .press();
  noMove.wait(4000).stop().wait(1500).run('black').wait(2000).play('Bc5').wait(1000);
  noMove.lift('e1').put('g1', WHITE_KING).wait(300).press().think(20_000);
  // Too few arbiters: the pawn on the last rank is answered, and is a pawn still.
  const promotion = new Script().play('a4', 'b5', 'axb5', 'a6', 'bxa6', 'Bb7', 'axb7', 'e6');
  promotion.carry('b7', 'a8').wait(300).press().wait(4000);
  promotion.carry('e6', 'e5').wait(300).press();
  // Nobody comes for a minute, which is the default time here.
  const knocked = new Script()
    .wait(60_000)
    .play('Nf3', 'Nf6', 'Ng1', 'Ng8', 'Nf3', 'Nf6', 'Ng1', 'Ng8')
    .wait(3000);
  knocked.lift('d1').wait(40).lift('e1').wait(40).lift('f1').wait(40).lift('c1');
  const doubt = new Script().play('e4', 'e5');
  doubt.wait(2000);
  const pulledMs = doubt.atMs;
  doubt.wait(2500).play('Nf3', 'Nc6', 'Bc4', 'Bc5').wait(3000);
  doubt.unplugged = { fromMs: pulledMs, toMs: doubt.atMs };
  doubt.wait(6000).play('O-O', 'Nf6').put('a4', cellOf('black', 'queen')).wait(3000);
  const away = new Script({ start: FIFTY_START })
    .play('Nf3', 'Nc6', 'Bc4')
    .wait(1500)
    .carry('d7', 'd4')
    .wait(4000);
  away.unplugged = { fromMs: away.atMs };
  // An ending that goes on from where it was left: 75 moves are over; and once more, with the last piece taken.
  const ending = new Script({ start: ENDING_START })
    .play('Kd3', 'Kd6', 'Kc3', 'Kd5', 'Kc2')
    .stop()
    .wait(3000)
    .setUp()
    .wait(1500);
  ending.run('white').wait(3000).play('Kxe5').wait(3000);
  const fivefold = new Script().play('e4', 'e5');
  for (let i = 0; i < 4; i++) fivefold.play('Nf3', 'Nf6', 'Ng1', 'Ng8');
  // The next game: mate while a flag falls.
  fivefold.stop().wait(1500).setUp().wait(1000).set(8500).wait(1000).run('white').wait(1500);
  fivefold.play('f3', 'e5', 'g4').wait(2000).move('Qh4#');
  const touched = new Script().play('e4', 'e5');
  touched
    .lift('b1')
    .wait(2500)
    .put('b1', cellOf('white', 'knight'))
    .wait(2500)
    .play('Nf3', 'Nc6', 'Bc4', 'Bc5');
  touched.carry('h1', 'f1').carry('e1', 'g1').wait(300).press().wait(3000);
  touched.lift('e8').put('d4', BLACK_KING).wait(4000);
  const twice = new Script().play('d4', 'Nf6', 'c4').wait(1500).carry('b1', 'c3').wait(300).press();
  twice.wait(4000).stop().carry('c3', 'b1').wait(1500).run('black').wait(1500).play('e6');
  twice.lift('g2').put('g3', BLACK_PAWN).wait(300).press();
  const victim = new Script().wait(12_000).play('e4', 'a6', 'e5', 'd5');
  victim.lift('e5').put('d6', WHITE_PAWN).wait(200);
  victim
    .carry('g7', 'g6')
    .carry('h2', 'h3')
    .wait(300)
    .press()
    .add('black', 30 * 60_000)
    .wait(4000);
  const abandoned = new Script().play('e4', 'e5', 'Nf3', 'Nc6', 'Bb5').stop().wait(3000);
  // Set up again while nobody hears it: what comes back is another game.
  const clearedMs = abandoned.atMs;
  abandoned
    .carry('e4', 'e2')
    .carry('e5', 'e7')
    .carry('b5', 'f1')
    .carry('c6', 'b8')
    .carry('f3', 'g1')
    .wait(1000);
  abandoned.unplugged = { fromMs: clearedMs, toMs: abandoned.atMs };
  // It is soon agreed drawn, and then it is not.
  abandoned.setUp().wait(1000).run('white').wait(2000).play('Nf3', 'Nf6').stop().wait(1000);
  abandoned.carry('e1', 'e4').carry('e8', 'e5').wait(7000).carry('e5', 'd5').wait(7000);
  return [
    illegal.scene(['SENSOR_MISSING', 'ILLEGAL', 'PIECE_MISSING'], 'Adamova, Alina', 'Becker, Boris'),
    noMove.scene(
      ['PRESSED_WITHOUT_MOVE', 'CASTLING_INCOMPLETE', 'RESULT_PROPOSED', 'FLAG_FALL'],
      'Carlini, Carla',
      'Dvorak, David',
    ),
    promotion.scene(
      ['PROMO_INCOMPLETE', 'ILLEGAL_STANDS', 'RESULT_PROPOSED', 'DRAW_A54'],
      'Ekman, Elsa',
      'Fontaine, Felix',
      { rules: { ...DEMO_RULES, regime: 'limited' } },
    ),
    knocked.scene(['DEFAULT_TIME', 'DISPLACED', 'THREEFOLD_CLAIMABLE'], 'Garcia, Gloria', 'Horvath, Hugo', {
      rules: { ...DEMO_RULES, defaultMinutes: 1 },
    }),
    doubt.scene(['EXTRA_PIECE', 'AMBIGUOUS'], 'Ivanova, Irina', 'Jansen, Jan', {
      isTurned: true,
      keepsNoLog: true,
    }),
    away.scene(['ILLEGAL', 'LINK_LOST', 'FIFTY_CLAIMABLE'], 'Kowalska, Kasia', 'Lindqvist, Lars', {
      start: FIFTY_START,
    }),
    ending.scene(['SEVENTY_FIVE', 'DEAD_POSITION'], 'Mendes, Marta', 'Novak, Nikola', {
      start: ENDING_START,
    }),
    fivefold.scene(['FIVEFOLD', 'RESULT_PROPOSED', 'RESULT_CONFLICT'], 'Olsen, Olga', 'Petrov, Pavel'),
    touched.scene(['TOUCH_MOVE', 'ROOK_TOUCHED_FIRST', 'RESULT_HINT'], 'Quist, Quentin', 'Rossi, Rosa'),
    twice.scene(['OUT_OF_TURN', 'WRONG_COLOUR'], 'Silva, Sara', 'Tanaka, Taro'),
    victim.scene(
      ['WRONG_START', 'EP_VICTIM_LEFT', 'IRREGULAR_SINCE', 'PERIOD_EARLY'],
      'Urban, Uma',
      'Virtanen, Ville',
      {
        placement: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKNBR',
        rules: { ...DEMO_RULES, white: '40/5400+30:1800+30', black: '40/5400+30:1800+30' },
      },
    ),
    abandoned.scene(['RESULT_UNKNOWN', 'DRAW_TOO_EARLY', 'RESULT_CHANGED'], 'Weber, Wanda', 'Young, Yann', {
      rules: { ...DEMO_RULES, drawFrom: 30 },
    }),
  ];
}
