/** Boards as LiveChess tells of them (livechess.md 1.3 to 1.5), kept up to date from what the recorder says. */
import type { BoardIdentity } from '../../boards/definition.ts';
import type { GameEvent, Orientation } from '../../core/game-event.ts';
import { emptyPlacement, makePlacement, type Placement, turnPlacement } from '../../core/placement.ts';
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
    const { placement } = this;
    return placement === undefined ? null : makePlacement(placement);
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
