/** The plies of a game with the positions between them: what every law that looks back needs. */
import type { GameEvent, PlyRecord, Variant } from '../game-event.ts';
import { type Move, Position, START_FEN } from '../position.ts';
import { playRecorded } from '../recorded-ply.ts';
import type { Side } from '../square.ts';

/** One ply and the positions around it. */
export interface LinePly {
  /** 1-based. */
  readonly number: number;
  readonly record: PlyRecord;
  readonly mover: Side;
  readonly before: Position;
  readonly after: Position;
  /** The legal move; undefined for one that stands although illegal. */
  readonly move: Move | undefined;
  /** A pawn was moved or a piece captured: the count of 9.3 begins anew. */
  readonly zeroes: boolean;
}

/** The line of one game, kept up to date by its events. */
export class GameLine {
  readonly start: Position;
  readonly #plies: LinePly[] = [];
  /** Number of the first ply that could not be played; the line ends before it. */
  #brokenAt: number | undefined;
  readonly #unplayed: PlyRecord[] = [];

  /** A malformed start falls back to the initial position (callers check it with `Position.fromFen` first). */
  constructor(start: string = START_FEN, variant: Variant = 'standard') {
    const position = Position.fromFen(start, variant);
    this.start = position.ok ? position.value : Position.initial();
  }

  get plies(): readonly LinePly[] {
    return this.#plies;
  }

  /** Number of the first ply that cannot be played from the one before; undefined when all can. */
  get brokenAt(): number | undefined {
    return this.#brokenAt;
  }

  /** The position after the last ply. */
  get position(): Position {
    return this.#plies.at(-1)?.after ?? this.start;
  }

  /** The position before ply `number` (1-based). */
  positionBefore(number: number): Position {
    return number <= 1 ? this.start : (this.#plies[number - 2]?.after ?? this.position);
  }

  /** Ply `number` is now this; what follows it is played again from there, one past the end appends. */
  put(number: number, record: PlyRecord): void {
    if (this.#brokenAt !== undefined && number > this.#brokenAt) {
      this.#unplayed[number - this.#brokenAt] = record;
      return;
    }
    const old = this.#plies[number - 1];
    if (old !== undefined && old.record.san === record.san && old.record.uci === record.uci) {
      this.#plies[number - 1] = { ...old, record };
      return;
    }
    if (number - 1 > this.#plies.length) return;
    const unplayed = this.#unplayed.slice(number === this.#brokenAt ? 1 : 0);
    const later = [...this.#plies.slice(number).map((ply) => ply.record), ...unplayed];
    this.#plies.length = number - 1;
    this.#brokenAt = undefined;
    this.#unplayed.length = 0;
    for (const [i, next] of [record, ...later].entries()) this.#append(number + i, next);
  }

  #append(number: number, record: PlyRecord): void {
    if (this.#brokenAt !== undefined) {
      this.#unplayed[number - this.#brokenAt] = record;
      return;
    }
    const before = this.position;
    const played = playRecorded(before, record.san, record.uci);
    if (played === undefined) {
      this.#brokenAt = number;
      this.#unplayed[0] = record;
      return;
    }
    // A position that is only history should be small.
    before.forget();
    this.#plies.push({ number, record, mover: before.turn, before, ...played });
  }

  /** All plies from `number` on are gone. */
  withdraw(number: number): void {
    if (this.#brokenAt !== undefined) {
      this.#unplayed.length = Math.max(0, Math.min(this.#unplayed.length, number - this.#brokenAt));
      if (this.#unplayed.length === 0) this.#brokenAt = undefined;
    }
    this.#plies.length = Math.min(this.#plies.length, Math.max(0, number - 1));
  }

  /** Follows another line of the same game from ply `from` on, up to its first ply that may still be replaced. */
  followAgreed(other: GameLine, from: number): void {
    this.withdraw(from);
    for (let index = this.#plies.length; index < other.plies.length; index++) {
      const ply = other.plies[index]!;
      if (ply.record.state === 'provisional') return;
      this.#plies.push(ply);
    }
  }

  /** Takes a game event; those that are not about plies change nothing. */
  take(event: GameEvent): void {
    if (event.type === 'ply') this.put(event.number, event.ply);
    else if (event.type === 'withdrawn') this.withdraw(event.number);
  }
}

/** The line of a game whose plies are all known. */
export function lineOf(start: string, variant: Variant, plies: readonly PlyRecord[]): GameLine {
  const line = new GameLine(start, variant);
  for (const [i, ply] of plies.entries()) line.put(i + 1, ply);
  return line;
}
