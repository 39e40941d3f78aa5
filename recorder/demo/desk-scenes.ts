/**
 * A round in which something happens at every table that somebody has to look at: what the desk is rehearsed with. Each scene is a
 * short game by a careful hand up to the event.
 */
import type { HandAction } from '../../boards/hand/action.ts';
import type { FlagWord } from '../../core/flag.ts';
import { type Cell, EMPTY, type Placement } from '../../core/placement.ts';
import { Position } from '../../core/position.ts';
import { opponent, parseSquare, type Side, type Square } from '../../core/square.ts';

/** The cable of a board is pulled out, and put in again or never. */
export interface Unplugged {
  readonly fromMs: number;
  readonly toMs?: number;
}

/** What happens at one table. */
export interface DeskScene {
  /** The flag that it comes to. */
  readonly word: FlagWord;
  readonly white: string;
  readonly black: string;
  readonly actions: readonly HandAction[];
  readonly unplugged?: Unplugged;
  /** When the last thing has happened. */
  readonly endAtMs: number;
}

const START_MS = 90 * 60_000;
const INCREMENT_MS = 30_000;
/** Between two things a hand does, ms. */
const HAND_MS = 350;
/** From the first clock to the first move. */
const FIRST_THINK_MS = 4000;

const at = (name: string): Square => parseSquare(name)!;

/** A careful hand at one board with a clock. */
class Script {
  readonly actions: HandAction[] = [];
  position = Position.initial();
  atMs = 1000;
  readonly #cells: Placement = this.position.cells.slice();
  readonly #left: Record<Side, number>;
  #running: Side | undefined;
  #sinceMs = 0;
  unplugged: Unplugged | undefined;

  constructor(leftMs: number = START_MS) {
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
  put(square: string, cell: Cell): this {
    this.#cells[at(square)] = cell;
    this.actions.push({ type: 'square', atMs: this.atMs, square: at(square), cell });
    return this.wait(HAND_MS);
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
    this.#left[side] += INCREMENT_MS;
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

  scene(word: FlagWord, white: string, black: string): DeskScene {
    const { actions, unplugged } = this;
    return {
      word,
      white,
      black,
      actions,
      ...(unplugged !== undefined && { unplugged }),
      endAtMs: Math.max(this.atMs, unplugged?.toMs ?? 0),
    };
  }
}

/** Twelve tables, an event at each. */
export function createDeskScenes(): DeskScene[] {
  const illegal = new Script().play('e4', 'e5', 'Nf3', 'Nc6').carry('f1', 'f5').wait(300).press();
  const noMove = new Script().play('d4', 'd5', 'c4').wait(1500).press();
  const promotion = new Script().play('a4', 'b5', 'axb5', 'a6', 'bxa6', 'Bb7', 'axb7', 'e6');
  promotion.carry('b7', 'a8').wait(300).press();
  const knocked = new Script().play('e4', 'c5', 'Nf3', 'd6');
  knocked.lift('d1').wait(40).lift('e1').wait(40).lift('f1').wait(40).lift('c1');
  const doubt = new Script().play('e4', 'e5');
  doubt.wait(2000);
  const pulledMs = doubt.atMs;
  doubt.wait(2500).play('Nf3', 'Nc6', 'Bc4', 'Bc5').wait(3000);
  doubt.unplugged = { fromMs: pulledMs, toMs: doubt.atMs };
  doubt.wait(6000).play('O-O', 'Nf6');
  const away = new Script().play('c4', 'e5', 'Nc3').wait(1500);
  away.unplugged = { fromMs: away.atMs };
  const fallen = new Script(40_000).play('e4', 'e6', 'd4').think(90_000);
  const repeated = new Script().play('Nf3', 'Nf6', 'Ng1', 'Ng8', 'Nf3', 'Nf6', 'Ng1', 'Ng8');
  const touched = new Script().play('e4', 'e5');
  touched.lift('b1').wait(2500).put('b1', 2).wait(2500).play('Nf3', 'Nc6');
  const twice = new Script().play('d4', 'Nf6', 'c4').wait(1500).carry('b1', 'c3').wait(300).press();
  const victim = new Script()
    .play('e4', 'a6', 'e5', 'd5')
    .lift('e5')
    .put('d6', 1)
    .wait(300)
    .press()
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
  return [
    illegal.scene('ILLEGAL', 'Adamova, Alina', 'Becker, Boris'),
    noMove.scene('PRESSED_WITHOUT_MOVE', 'Carlini, Carla', 'Dvorak, David'),
    promotion.scene('PROMO_INCOMPLETE', 'Ekman, Elsa', 'Fontaine, Felix'),
    knocked.scene('DISPLACED', 'Garcia, Gloria', 'Horvath, Hugo'),
    doubt.scene('AMBIGUOUS', 'Ivanova, Irina', 'Jansen, Jan'),
    away.scene('LINK_LOST', 'Kowalska, Kasia', 'Lindqvist, Lars'),
    fallen.scene('FLAG_FALL', 'Mendes, Marta', 'Novak, Nikola'),
    repeated.scene('THREEFOLD_CLAIMABLE', 'Olsen, Olga', 'Petrov, Pavel'),
    touched.scene('TOUCH_MOVE', 'Quist, Quentin', 'Rossi, Rosa'),
    twice.scene('OUT_OF_TURN', 'Silva, Sara', 'Tanaka, Taro'),
    victim.scene('EP_VICTIM_LEFT', 'Urban, Uma', 'Virtanen, Ville'),
    abandoned.scene('RESULT_UNKNOWN', 'Weber, Wanda', 'Young, Yann'),
  ];
}
