/**
 * What simulated boards have in common: pieces on squares, a board that may be turned, scans in which changes have no
 * order, a clock beside it, answers that take time. The bytes are each maker's own (`simulator.ts` of its folder).
 */
import type { Machine, Step, Tick } from '../../core/machine.ts';
import { type Cell, parsePlacement } from '../../core/placement.ts';
import type { Side, Square } from '../../core/square.ts';
import type { SimulatorEvent, SimulatorOptions, SimulatorOutput } from '../definition.ts';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';

/** A square that a scan has found changed; squares are the board's own. */
export interface ScannedChange {
  readonly square: Square;
  readonly before: Cell;
  readonly cell: Cell;
}

/** The clock of a table as its board sees it. */
export interface TableClock {
  readonly whiteMs: number;
  readonly blackMs: number;
  readonly running: Side | undefined;
  /** Who was to move last. */
  readonly lever: Side;
}

/** What a maker's board does; all times are ms of the machine. */
export interface DeviceFacts {
  /** Time between two scans; changes are seen at the next. */
  readonly scanMs: number;
  /** A report without being asked, this often. */
  readonly everyMs?: number;
  /** Bytes from the host. */
  take(bytes: Uint8Array, device: Device): void;
  /** A scan has found changes. */
  scanned?(changes: readonly ScannedChange[], device: Device): void;
  /** The moment of `everyMs`. */
  due?(device: Device): void;
  /** The clock was set, or a second has passed on it. */
  clock?(clock: TableClock, device: Device): void;
}

/** The hardware as the program in it sees it. */
export interface Device {
  readonly nowMs: number;
  /** What the last scan saw, a1 = 0 as it is printed on the board. */
  readonly cells: readonly Cell[];
  readonly rotated: boolean;
  readonly tableClock: TableClock;
  /** Writes to the host, after a while when `delayMs` says so. */
  send(bytes: Iterable<number>, delayMs?: number): void;
}

/** Switches a simulated board on; the first event is the moment at which that happens. A bad placement is our own mistake. */
export const createSimulatedBoard = (
  createFacts: () => DeviceFacts,
  options: SimulatorOptions,
): Machine<SimulatorEvent, SimulatorOutput> => new SimulatedBoard(createFacts, options);

const SECOND_MS = 1000;

class SimulatedBoard implements Machine<SimulatorEvent, SimulatorOutput>, Device {
  readonly #createFacts: () => DeviceFacts;
  #facts: DeviceFacts;
  readonly rotated: boolean;
  readonly #standing: Cell[];
  cells: Cell[];
  nowMs = 0;
  tableClock: TableClock = { whiteMs: 0, blackMs: 0, running: undefined, lever: 'white' };

  #isOn = false;
  #wasOn = false;
  #scanAtMs: number | undefined;
  #reportAtMs: number | undefined;
  #clockAtMs: number | undefined;
  #sent: { readonly atMs: number; readonly bytes: Uint8Array }[] = [];

  constructor(createFacts: () => DeviceFacts, options: SimulatorOptions) {
    this.#createFacts = createFacts;
    this.#facts = createFacts();
    this.rotated = options.rotated === true;
    const placement = parsePlacement(options.placement ?? START);
    if (placement === undefined) throw new Error(`"${options.placement}" is no placement to simulate`);
    this.#standing = [...placement];
    if (this.rotated) this.#standing.reverse();
    this.cells = [...this.#standing];
  }

  step(event: SimulatorEvent | Tick): Step<SimulatorOutput> {
    if (!this.#wasOn) this.#switchOn(event.atMs);
    this.#run(event.atMs);
    switch (event.type) {
      case 'square':
        this.#standing[this.rotated ? 63 - event.square : event.square] = event.cell;
        if (this.#isOn)
          this.#scanAtMs ??= (Math.floor(this.nowMs / this.#facts.scanMs) + 1) * this.#facts.scanMs;
        break;
      case 'clock': {
        const { whiteMs, blackMs, running } = event;
        this.tableClock = { whiteMs, blackMs, running, lever: running ?? this.tableClock.lever };
        this.#clockAtMs = running === undefined ? undefined : this.nowMs + SECOND_MS;
        if (this.#isOn) this.#facts.clock?.(this.tableClock, this);
        break;
      }
      case 'bytes':
        if (this.#isOn && event.bytes.length > 0) this.#facts.take(event.bytes, this);
        break;
      case 'power':
        if (event.on && !this.#isOn) this.#switchOn(event.atMs);
        if (!event.on) this.#switchOff();
        break;
      case 'tick':
        break;
    }
    const outputs: SimulatorOutput[] = [];
    while (this.#sent[0] !== undefined && this.#sent[0].atMs <= this.nowMs) {
      outputs.push({ type: 'write', bytes: this.#sent.shift()!.bytes });
    }
    const wakeAtMs = this.#wakeAtMs();
    return wakeAtMs === Number.POSITIVE_INFINITY ? { outputs } : { outputs, wakeAtMs };
  }

  send(bytes: Iterable<number>, delayMs = 0): void {
    const atMs = Math.max(this.nowMs + delayMs, this.#sent.at(-1)?.atMs ?? 0);
    this.#sent.push({ atMs, bytes: Uint8Array.from(bytes) });
  }

  #dueMs(): number {
    const { POSITIVE_INFINITY: never } = Number;
    return Math.min(this.#scanAtMs ?? never, this.#reportAtMs ?? never, this.#clockAtMs ?? never);
  }

  #wakeAtMs(): number {
    return Math.min(this.#dueMs(), this.#sent[0]?.atMs ?? Number.POSITIVE_INFINITY);
  }

  #run(atMs: number): void {
    for (let due = this.#dueMs(); due <= atMs; due = this.#dueMs()) {
      this.nowMs = Math.max(this.nowMs, due);
      if (this.#scanAtMs === due) this.#scan();
      if (this.#clockAtMs === due) this.#passSecond();
      if (this.#reportAtMs === due) {
        this.#reportAtMs = due + this.#facts.everyMs!;
        this.#facts.due?.(this);
      }
    }
    this.nowMs = Math.max(this.nowMs, atMs);
  }

  #scan(): void {
    this.#scanAtMs = undefined;
    const before = this.cells;
    this.cells = [...this.#standing];
    const changes = [...this.cells.keys()]
      .filter((square) => this.cells[square] !== before[square])
      .map((square) => ({ square, before: before[square]!, cell: this.cells[square]! }));
    if (changes.length > 0) this.#facts.scanned?.(changes, this);
  }

  #passSecond(): void {
    const { whiteMs, blackMs, running, lever } = this.tableClock;
    const less = (side: Side, ms: number): number => (running === side ? Math.max(0, ms - SECOND_MS) : ms);
    this.tableClock = { whiteMs: less('white', whiteMs), blackMs: less('black', blackMs), running, lever };
    this.#clockAtMs = this.nowMs + SECOND_MS;
    if (this.#isOn) this.#facts.clock?.(this.tableClock, this);
  }

  #switchOn(atMs: number): void {
    this.#isOn = true;
    this.nowMs = atMs;
    if (this.#wasOn) this.#facts = this.#createFacts();
    this.#wasOn = true;
    this.cells = [...this.#standing];
    if (this.#facts.everyMs !== undefined) this.#reportAtMs = atMs + this.#facts.everyMs;
  }

  /** What the board was told, and what is on its way, is gone; the pieces stay. */
  #switchOff(): void {
    this.#isOn = false;
    this.#scanAtMs = undefined;
    this.#reportAtMs = undefined;
    this.#sent = [];
  }
}
