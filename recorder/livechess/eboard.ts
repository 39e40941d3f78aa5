/** Boards as LiveChess tells of them (livechess.md 1.3 to 1.5), kept up to date from what the recorder says. */
import type { BoardIdentity } from '../../boards/definition.ts';
import type { GameEvent, Orientation } from '../../core/game-event.ts';
import type { GameRecord } from '../../core/game-record.ts';
import {
  EMPTY,
  emptyPlacement,
  makePlacement,
  OCCUPIED,
  type Placement,
  turnPlacement,
  UNKNOWN,
} from '../../core/placement.ts';
import { Position } from '../../core/position.ts';
import { playRecorded } from '../../core/recorded-ply.ts';
import type { SensorEvent } from '../../core/sensor-event.ts';
import { turnSquare } from '../../core/square.ts';
import { type ClockJson, serialOf } from '../publish/cloud-json.ts';

export type EboardState = 'ACTIVE' | 'NOTRESPONDING';

/** One entry of `eboards`; the order of its keys is that on the wire. */
export interface EboardJson {
  readonly serialnr: string;
  readonly source: string | null;
  readonly state: EboardState | null;
  readonly battery: string | null;
  readonly comment: string | null;
  readonly board: string | null;
  readonly flipped: boolean;
  readonly clock: ClockJson | null;
}

/**
 * What stands on a board that tells only that something does: the pieces of the position that is meant, and one that was moved from it. Undefined
 * while that is not known: a reader of FEN takes no question mark.
 */
export function identifyPieces(seen: Placement, meant: Placement | undefined): Placement | undefined {
  const isOpen = (cell: number): boolean => cell === OCCUPIED || cell === UNKNOWN;
  if (!seen.some(isOpen)) return seen;
  if (meant === undefined) return undefined;
  const placement = seen.slice();
  const strangers: number[] = [];
  const missing: number[] = [];
  for (const [square, cell] of seen.entries()) {
    if (isOpen(cell) && (meant[square] !== EMPTY || cell === UNKNOWN)) placement[square] = meant[square]!;
    else if (isOpen(cell)) strangers.push(square);
    else if (cell === EMPTY && meant[square] !== EMPTY) missing.push(square);
  }
  if (strangers.length === 0) return placement;
  if (strangers.length > 1 || missing.length > 1) return undefined;
  // One piece is off its square and one is on another: the same, where nothing is missing it is one more.
  if (missing.length === 0) return undefined;
  placement[strangers[0]!] = meant[missing[0]!]!;
  return placement;
}

/** The position a record has come to, plies in doubt included. */
function positionOf(record: GameRecord): Placement | undefined {
  const start = Position.fromFen(record.start, record.variant);
  if (!start.ok) return undefined;
  let position = start.value;
  for (const ply of record.plies) {
    const played = ply === undefined ? undefined : playRecorded(position, ply.san, ply.uci);
    if (played === undefined) break;
    position = played.after;
  }
  return position.cells;
}

/** One board. Its placement is the one its sensors tell; what a reader sees is turned when the board lies turned. */
export class Eboard {
  readonly id: string;
  readonly kind: string;
  identity: BoardIdentity = {};
  source: string | undefined;
  state: EboardState | undefined;
  comment: string | undefined;
  clock: ClockJson | null = null;
  hasLights = false;
  /** Not known before the first picture of the whole board. */
  #placement: Placement | undefined;
  #orientation: Orientation = 'normal';
  #record: GameRecord | undefined;
  /** The position of the record, worked out when it is asked for. */
  #position: Placement | undefined;
  /** What was told last. */
  #shown: string | null = null;
  /** What a client has said of how the board lies; it outweighs what the recorder thinks. */
  #told: boolean | undefined;

  constructor(id: string, kind: string) {
    this.id = id;
    this.kind = kind;
  }

  get flipped(): boolean {
    return this.#told ?? this.#orientation === 'rotated';
  }

  /** The board as a reader sees it: White's first rank last. */
  get placement(): Placement | undefined {
    return this.flipped && this.#placement !== undefined ? turnPlacement(this.#placement) : this.#placement;
  }

  get board(): string | null {
    return this.boardBy();
  }

  /**
   * The board as a FEN tells it; null before the first picture. Which pieces stand there is told by the sensors, or else by the position a
   * client has set up and played from, or by the record; while nobody can tell, it is what it was.
   */
  boardBy(meant?: Placement): string | null {
    const { placement } = this;
    if (placement === undefined) return null;
    const known =
      (meant === undefined ? undefined : identifyPieces(placement, meant)) ??
      identifyPieces(placement, this.#recorded());
    if (known === undefined) return this.#shown;
    const board = makePlacement(known);
    this.#shown = board;
    return board;
  }

  #recorded(): Placement | undefined {
    if (this.#record === undefined) return undefined;
    this.#position ??= positionOf(this.#record);
    return this.#position;
  }

  /** Takes the game as the recorder has it now. */
  follow(record: GameRecord): void {
    this.#record = record;
    this.#position = undefined;
  }

  /** Serial number by which clients name it. */
  get serialnr(): string {
    return this.identity.serialNumber ?? serialOf(this.id);
  }

  /** Takes what the sensors say; the same as a reader is to understand it, or undefined when it says nothing of pieces. */
  sense(event: SensorEvent): SensorEvent | undefined {
    if (event.type === 'dump') {
      this.#placement = event.placement.slice();
      return { ...event, placement: this.placement! };
    }
    if (event.type === 'square') {
      this.#placement ??= emptyPlacement();
      this.#placement[event.square] = event.cell;
      return this.flipped ? { ...event, square: turnSquare(event.square) } : event;
    }
    return event.type === 'link' ? event : undefined;
  }

  orient(orientation: Orientation): void {
    this.#orientation = orientation;
  }

  /** Takes what the recorder concludes: how the board lies, and the clock by colour. */
  conclude(event: GameEvent, wallMs: number): void {
    if (event.type === 'gameStarted' || event.type === 'orientation') this.orient(event.orientation);
    if (event.type === 'clock') {
      const { whiteMs, blackMs, running } = event;
      this.clock = {
        white: Math.max(0, Math.floor(whiteMs / 1000)),
        black: Math.max(0, Math.floor(blackMs / 1000)),
        run: running === undefined ? null : running === 'white',
        time: wallMs,
      };
    }
  }

  flip(flip: boolean): void {
    this.#told = flip;
  }

  toJson(): EboardJson {
    const { batteryPercent } = this.identity;
    return {
      serialnr: this.serialnr,
      source: this.source ?? null,
      state: this.state ?? null,
      battery: batteryPercent === undefined ? null : `${Math.round(batteryPercent)}%`,
      comment: this.comment ?? null,
      board: this.board,
      flipped: this.flipped,
      clock: this.clock,
    };
  }
}

/** Boards in the order simple clients need: they take the first. Those that answer come first. */
export const inOrder = (boards: Iterable<Eboard>): Eboard[] =>
  [...boards].sort(
    (a, b) =>
      Number(b.state === 'ACTIVE') - Number(a.state === 'ACTIVE') ||
      a.serialnr.localeCompare(b.serialnr, 'en', { numeric: true }),
  );
