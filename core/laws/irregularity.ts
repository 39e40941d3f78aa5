/**
 * Irregularities of one game (7.1 to 7.6): each with the position before it, both clocks then, and what the Laws
 * provide. Nothing counts before an arbiter has confirmed it.
 */
import { type Flag, wordOf } from '../flag.ts';
import { type Placement, roleOfCell } from '../placement.ts';
import type { Position } from '../position.ts';
import { opponent, type Side } from '../square.ts';
import type { Ruling } from './decision.ts';
import type { CanMate } from './endings.ts';
import type { GameLine } from './game-line.ts';
import { doerOf, IRREGULARITIES, type IrregularityKind, type IrregularityRef } from './irregularity-kind.ts';
import { type Penalty, proposePenalty } from './penalty-ladder.ts';
import type { RateOfPlay, Regime } from './rate-of-play.ts';

const KINDS = Object.keys(IRREGULARITIES) as IrregularityKind[];

/**
 * `seen`: nobody has said anything; `corrected`: put right on the board before it was completed; `stands`: answered under limited
 * supervision; `confirmed` and `dismissed` by an arbiter.
 */
export type IrregularityState = 'seen' | 'corrected' | 'stands' | 'confirmed' | 'dismissed';

/** Both clocks at a moment, ms; undefined without a clock. */
export interface ClocksThen {
  readonly whiteMs: number;
  readonly blackMs: number;
}

export interface Irregularity extends IrregularityRef {
  readonly article: string;
  readonly atMs: number;
  /** The clock was pressed or the opponent has answered: before, it can still be put right (7.5.1). */
  readonly isCompleted: boolean;
  /** The position before it. */
  readonly before: Position;
  readonly clocks: ClocksThen | undefined;
  readonly state: IrregularityState;
  /** Who confirmed or dismissed it. */
  readonly by?: string;
  /** What the Laws provide if it is confirmed; undefined for what 7.5.5 does not count. */
  readonly penalty: Penalty | undefined;
  /** Of a wrong start (7.2.1, A.5.1) and of reversed colours (7.3), as they were found: the game begins anew, or goes on. */
  readonly remedy?: Remedy;
}

export const REMEDIES = ['restart', 'goes-on'] as const;
export type Remedy = (typeof REMEDIES)[number];

/** What the log tells. */
export type IrregularityFinding =
  /** A new one, or one that has changed. */
  | { readonly type: 'irregularity'; readonly atMs: number; readonly irregularity: Irregularity }
  /** What the Laws provide for it is known better than when it was told. */
  | { readonly type: 'provided'; readonly atMs: number; readonly irregularity: Irregularity }
  /** Under limited supervision: answered, so it stands (A.5.2). */
  | { readonly type: 'stands'; readonly atMs: number; readonly irregularity: Irregularity }
  /** Recognised when more than one reply had been made (7.6). */
  | {
      readonly type: 'found-later';
      readonly atMs: number;
      readonly irregularity: Irregularity;
      readonly plies: number;
    }
  /** Under limited supervision: an illegal position is still there after the next completed move (A.5.4). */
  | { readonly type: 'draw-a54'; readonly atMs: number; readonly ply: number };

export interface IrregularityOptions {
  readonly regime?: Regime;
  readonly rate?: RateOfPlay | undefined;
  readonly canMate?: CanMate;
}

/** What is wrong with how a game began has rules of its own (7.2, 7.3), whenever it is found. */
const OF_THE_START: readonly IrregularityKind[] = ['wrong-start', 'board-turned', 'colours-reversed'];

/** The log of one game; its owner keeps `line` up to date and tells it of plies after that. */
export class IrregularityLog {
  readonly #line: GameLine;
  readonly #regime: Regime;
  readonly #rate: RateOfPlay | undefined;
  readonly #canMate: CanMate | undefined;
  #list: Irregularity[] = [];
  /** Number of the ply after which DRAW_A54 was told. */
  #drawToldAt: number | undefined;

  constructor(line: GameLine, { regime = 'full', rate, canMate }: IrregularityOptions = {}) {
    this.#line = line;
    this.#regime = regime;
    this.#rate = rate;
    this.#canMate = canMate;
  }

  /** All irregularities of the game, in the order in which they were seen. */
  get list(): readonly Irregularity[] {
    return this.#list;
  }

  /** How many of a player count: confirmed ones of 7.5.1 to 7.5.4. */
  countOf(side: Side): number {
    return this.#list.filter(
      (i) => i.side === side && i.state === 'confirmed' && IRREGULARITIES[i.kind].counts,
    ).length;
  }

  /** Takes a flag; most are about something else. */
  takeFlag({ code, severity, ply, atMs }: Flag, clocks: ClocksThen | undefined): IrregularityFinding[] {
    const word = wordOf(code);
    const kind = KINDS.find((k) => IRREGULARITIES[k].word === word);
    // A piece of the side not to move that was only lifted is no irregularity.
    if (kind === undefined || (kind === 'out-of-turn' && severity === 'info')) return [];
    const isCompleted = word !== 'ILLEGAL' || severity === 'alarm';
    const number = Math.max(1, ply);
    return this.#see(kind, doerOf(kind, this.#moverOf(number)), number, atMs, isCompleted, clocks);
  }

  #moverOf(ply: number): Side {
    const first = this.#line.start.turn;
    return ply % 2 === 1 ? first : opponent(first);
  }

  #see(
    kind: IrregularityKind,
    side: Side | undefined,
    ply: number,
    atMs: number,
    isCompleted: boolean,
    clocks: ClocksThen | undefined,
  ): IrregularityFinding[] {
    const known = this.#list.findIndex((i) => i.kind === kind && i.ply === ply && i.side === side);
    const old = this.#list[known];
    // One that was put right and comes again, now completed, is the same one.
    if (old !== undefined && (old.isCompleted || !isCompleted)) return [];
    const before = this.#line.positionBefore(ply);
    const irregularity: Irregularity = {
      kind,
      article: IRREGULARITIES[kind].article,
      ...(side !== undefined && { side }),
      ply,
      atMs,
      isCompleted,
      before,
      clocks,
      state: 'seen',
      penalty: this.#penaltyFor(kind, side, before),
      ...((kind === 'wrong-start' || kind === 'colours-reversed') && {
        remedy: restartOrGoOn(kind, this.#regime, this.#line.plies.length),
      }),
    };
    if (old === undefined) this.#list.push(irregularity);
    else this.#list[known] = irregularity;
    const found: IrregularityFinding[] = [{ type: 'irregularity', atMs, irregularity }];
    const since = this.#line.plies.length - ply;
    if (since >= 2 && !OF_THE_START.includes(kind))
      found.push({ type: 'found-later', atMs, irregularity, plies: since });
    found.push(...this.#letStand(atMs));
    return found;
  }

  #penaltyFor(kind: IrregularityKind, side: Side | undefined, before: Position): Penalty | undefined {
    if (side === undefined || !IRREGULARITIES[kind].counts) return undefined;
    return proposePenalty(side, this.countOf(side), before, this.#rate, this.#canMate);
  }

  /** Ply `number` has been made, or is agreed (`isCompleted`): what it answers stands, what A.5.4 waits for is looked at. */
  takePly(number: number, atMs: number, isCompleted: boolean, board?: Placement): IrregularityFinding[] {
    const found = this.#letStand(atMs);
    if (isCompleted && this.#isDrawA54(number, board)) {
      this.#drawToldAt = number;
      found.push({ type: 'draw-a54', atMs, ply: number });
    }
    return found;
  }

  /** Under limited supervision, what has been answered on the board can no longer be acted on (A.5.2). */
  #letStand(atMs: number): IrregularityFinding[] {
    if (this.#regime !== 'limited') return [];
    const found: IrregularityFinding[] = [];
    for (const [i, irregularity] of this.#list.entries()) {
      const { kind, ply, state } = irregularity;
      const answer = this.#line.plies[ply];
      // A piece that has only landed may still go elsewhere.
      const isAnswered = answer !== undefined && answer.record.state !== 'provisional';
      if (state !== 'seen' || !IRREGULARITIES[kind].lapses || !isAnswered) continue;
      const stands: Irregularity = { ...irregularity, state: 'stands', penalty: undefined };
      this.#list[i] = stands;
      found.push({ type: 'stands', atMs, irregularity: stands });
    }
    return found;
  }

  /** Both kings in check or a pawn on the last rank, and still so after the next move was completed (A.5.4). */
  #isDrawA54(number: number, board: Placement | undefined): boolean {
    if (this.#regime !== 'limited' || this.#drawToldAt !== undefined || number < 2) return false;
    const ply = this.#line.plies[number - 1];
    if (ply === undefined) return false;
    if (isUnplayable(ply.before) && isUnplayable(ply.after)) return true;
    // Recorded as a promotion, and the sensors still show the pawn.
    const waited = this.#list.some((i) => i.kind === 'promotion-incomplete' && i.ply === number - 1);
    return waited && board !== undefined && hasPawnWaiting(board);
  }

  /** It is known now who can mate in a position: second ones before which it stood provide something certain. */
  takeVerdict(fen: string, atMs: number): IrregularityFinding[] {
    const found: IrregularityFinding[] = [];
    for (const [i, irregularity] of this.#list.entries()) {
      const { penalty, before, side } = irregularity;
      if (penalty?.type !== 'loss' || penalty.verdict !== 'undecided' || side === undefined) continue;
      if (before.fen() !== fen) continue;
      const decided: Irregularity = {
        ...irregularity,
        penalty: proposePenalty(side, penalty.count - 1, before, this.#rate, this.#canMate),
      };
      this.#list[i] = decided;
      // It stays as it was decided; only what the Laws provide is told anew.
      found.push({ type: 'provided', atMs, irregularity: decided });
    }
    return found;
  }

  /** All plies from `number` on are gone: what was not completed was put right. */
  takeWithdrawn(number: number, atMs: number): IrregularityFinding[] {
    const found: IrregularityFinding[] = [];
    for (const [i, irregularity] of this.#list.entries()) {
      if (irregularity.ply < number || irregularity.state !== 'seen' || irregularity.isCompleted) continue;
      const corrected: Irregularity = { ...irregularity, state: 'corrected', penalty: undefined };
      this.#list[i] = corrected;
      found.push({ type: 'irregularity', atMs, irregularity: corrected });
    }
    return found;
  }

  /** Takes what an arbiter ruled; rulings about something else change nothing. */
  takeRuling(
    ruling: Ruling,
    by: string,
    atMs: number,
    clocks: ClocksThen | undefined,
  ): IrregularityFinding[] {
    if (ruling.type !== 'confirm' && ruling.type !== 'dismiss' && ruling.type !== 'enter') return [];
    const { kind, side, ply } = ruling;
    const found: IrregularityFinding[] = [];
    const find = (): number =>
      this.#list.findIndex((i) => i.kind === kind && i.side === side && i.ply === ply);
    if (find() < 0) {
      if (ruling.type === 'dismiss') return [];
      found.push(...this.#see(kind, side, ply, atMs, true, clocks).filter((f) => f.type !== 'stands'));
    }
    const index = find();
    const old = this.#list[index]!;
    const state = ruling.type === 'dismiss' ? 'dismissed' : 'confirmed';
    if (old.state === state) return [];
    // What counts beside it is what was confirmed before.
    const penalty = state === 'dismissed' ? undefined : this.#penaltyFor(kind, side, old.before);
    const decided: Irregularity = { ...old, state, by, penalty };
    this.#list[index] = decided;
    return [
      ...found.filter((f) => f.type === 'found-later'),
      { type: 'irregularity', atMs, irregularity: decided },
    ];
  }
}

/** Both kings in check, or a pawn on the first or last rank: no legal play leads there or on. */
export const isUnplayable = (position: Position): boolean =>
  (position.isCheck() && position.isOpponentInCheck()) || hasPawnWaiting(position.cells);

const hasPawnWaiting = (cells: Placement): boolean => {
  for (let file = 0; file < 8; file++)
    if (roleOfCell(cells[file]!) === 'pawn' || roleOfCell(cells[56 + file]!) === 'pawn') return true;
  return false;
};

/** Moves each before which a wrong start (A.5.1) or reversed colours (7.3) undo the game. */
export const RESTART_MOVES = 10;

/**
 * What follows from a wrong start (7.2.1, A.5.1) or reversed colours (7.3) found after so many plies: the game begins anew, or
 * goes on. Under full supervision a wrong start always begins it anew.
 */
export function restartOrGoOn(
  kind: 'wrong-start' | 'colours-reversed',
  regime: Regime,
  plies: number,
): Remedy {
  if (kind === 'wrong-start' && regime === 'full') return 'restart';
  return plies < 2 * RESTART_MOVES ? 'restart' : 'goes-on';
}

/** A position to which a game goes back (7.6). */
export interface RestorePoint {
  /** Number of the last ply that stays, 0 for the start. */
  readonly ply: number;
  readonly position: Position;
  /** It is the position before the irregularity itself, not merely the last one that can be identified. */
  readonly isExact: boolean;
}

/** The position before the ply of an irregularity; if plies up to it are in doubt, the last one before that is certain (7.6). */
export function restorePoint(line: GameLine, ply: number): RestorePoint {
  const wanted = Math.min(ply - 1, line.plies.length);
  const doubtful = line.plies
    .slice(0, wanted)
    .find(({ record }) => record.state === 'ambiguous' || (record.candidates?.length ?? 0) > 1);
  const last = doubtful === undefined ? wanted : doubtful.number - 1;
  return { ply: last, position: line.positionBefore(last + 1), isExact: last === ply - 1 };
}
