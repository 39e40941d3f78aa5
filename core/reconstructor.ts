/**
 * From sensor events to games. A pure machine: it holds several readings of the game (`reconstruct/beam.ts`),
 * shows every event to each, and reports the best one as game events. What it cannot explain is doubt, told in flags;
 * it never guesses silently.
 */
import type { Correction } from './correction.ts';
import { FLAG_WORDS, type Flag, type Severity, wordOf } from './flag.ts';
import type { GameEvent, GameResult, PlyRecord, PlyState, ResultReason, Variant } from './game-event.ts';
import type { Machine, Step, Tick } from './machine.ts';
import {
  type Cell,
  differingSquares,
  EMPTY,
  makeSquares,
  type Placement,
  placementsAgree,
  turnPlacement,
} from './placement.ts';
import { Position, START_FEN } from './position.ts';
import { Beam, sooner } from './reconstruct/beam.ts';
import { playCorrected } from './reconstruct/corrected.ts';
import { searchGap } from './reconstruct/gap-search.ts';
import { findSignal, kingsSeen, type Signal } from './reconstruct/kings.ts';
import { NO_STALE } from './reconstruct/match.ts';
import {
  candidatesOf,
  commonNumber,
  createRoot,
  type Line,
  type Node,
  nodeAt,
  promotionsOf,
  sanOf,
  uciOf,
} from './reconstruct/node.ts';
import { PressCount, type UnheardPresses } from './reconstruct/press-count.ts';
import type { SeenPress } from './reconstruct/reading.ts';
import { Scene, type SeenChange, WAITS, type Waits } from './reconstruct/scene.ts';
import { CENTRE } from './reconstruct/tell.ts';
import type { RecalledEvent, SensorEvent } from './sensor-event.ts';
import type { Square } from './square.ts';
import { type Press, Table } from './table.ts';

/** What is known of a board and its game before the first event. */
export interface ReconstructorOptions {
  /** How the board senses, and how far its sensors lag behind (boards/definition.ts). */
  readonly profile?: { readonly sensing: 'identity' | 'occupancy' | 'moves'; readonly scanMs: number };
  /** FEN of the start position; the initial position when absent. */
  readonly start?: string;
  readonly variant?: Variant;
  /** The board is known to be turned by 180 degrees. */
  readonly rotated?: boolean;
  /** Waits other than the usual ones. */
  readonly waits?: Partial<Waits>;
}

/** A start position with more wrong squares than this is no start of the game. */
const MAX_WRONG_AT_START = 4;
/** A board that shows the start position again after this long begins a new game. */
const LONG_GAP_MS = 300_000;
/** So many plies may be taken back to the start position. */
const TAKEN_BACK_PLIES = 4;
/** More squares than that many plies and a hand change: a board that has differed so much was set up anew, whatever is known of its game. */
const FAR_FROM_START = 16;
/** Quiet after which the board as sensed is reported. */
const BOARD_REST_MS = 600;
/** After a press somebody thinks: the next thing that is remembered comes so much later than others come. */
const THOUGHT_WEIGHT = 4;
/** A clock tells its times this soon after the board has told its picture. */
const READING_MS = 1500;
/** Plies kept within reach of take-backs. */
const HISTORY_PLIES = 40;
const FLICKER_TOGGLES = 10;
/** Off and on this often within that time, a square says nothing of hands. */
const UNSTEADY_TOGGLES = 5;
const FLICKER_MS = 5000;

interface Emitted {
  /** Absent once the ply is history. */
  readonly node: Node | undefined;
  readonly record: PlyRecord;
}

/** The time from a lost link to the next picture of the whole board. */
interface Blind {
  readonly lostAtMs: number;
  /** When the board was last heard: a recorder that has itself been away knows of the loss only when it is back. */
  readonly heardAtMs: number;
  /** The last press since. */
  press: SeenPress | undefined;
  /** When the board was seen whole again: it is explained when the clock has told how often it was pressed, or soon. */
  seenAtMs: number | undefined;
}

/** Two kings in the centre. */
interface KingsSignal {
  readonly result: GameResult;
  readonly sinceMs: number;
  taken: boolean;
}

/**
 * Creates the machine that turns what one board says into games. Deterministic: equal events give equal outputs.
 * A malformed start FEN falls back to the initial position (callers check it with `Position.fromFen` first).
 */
export const createReconstructor = (
  options: ReconstructorOptions = {},
): Machine<SensorEvent | Correction, GameEvent> => new Reconstructor(options);

class Reconstructor implements Machine<SensorEvent | Correction, GameEvent> {
  readonly #variant: Variant;
  readonly #start: Position;
  readonly #rotatedBefore: boolean;
  readonly #table: Table;
  readonly #scene: Scene;
  #outputs: GameEvent[] = [];
  #beam!: Beam;
  #game = 0;
  /** The start position has been seen (or was never asked for) and moves count. */
  #started = false;
  #wrongStartTold = false;
  /** In this game the board has differed from the start position by more than `FAR_FROM_START`. */
  #wasFar = false;
  /** Presses in this game. */
  #presses = 0;
  #ended: { result: GameResult; reason: ResultReason } | undefined;
  #postgameTold = false;
  #kings: KingsSignal | undefined;
  /** The board when it was last looked at for kings. */
  #kingsVersion = -1;
  /** The last ply that is known not to end the game. */
  #openEnd: Node | undefined;
  #guessedKings: readonly [Square, Square] | undefined;
  #linkLost = false;
  /** When the clock or a press was last heard. */
  #clockAtMs = 0;
  /**
   * The link was lost and the board has not been seen whole since: what it tells before that is only a part of what has
   * happened, so nothing is concluded from it.
   */
  #blind: Blind | undefined;
  readonly #pressCount = new PressCount();
  #emitted: Emitted[] = [];
  #boardDirty = false;
  #inSync: boolean | undefined;
  #toldVersion = -1;
  /** Number of the first ply that was told with candidates and is not history. */
  #doubtedFrom = Number.POSITIVE_INFINITY;
  /** The last ply when the board was last compared with the record. */
  #toldHead: Node | undefined;
  /** The last changes, to recognise a picture that is older than they are. */
  #recent: { square: Square; before: Cell }[] = [];
  #lateDump: { placement: Placement; atMs: number } | undefined;
  /** When its link came up last. */
  #upAtMs = 0;
  readonly #toggles = new Map<Square, number[]>();
  readonly #flickerTold = new Set<Square>();

  constructor(options: ReconstructorOptions) {
    this.#variant = options.variant ?? 'standard';
    const start = Position.fromFen(options.start ?? START_FEN, this.#variant);
    this.#start = start.ok ? start.value : Position.initial();
    this.#rotatedBefore = options.rotated === true;
    this.#table = new Table(this.#rotatedBefore);
    this.#scene = new Scene(
      this.#start.cells,
      { ...WAITS, scanMs: options.profile?.scanMs ?? 0, ...options.waits },
      options.profile?.sensing !== 'occupancy',
    );
  }

  step(event: SensorEvent | Correction | Tick): Step<GameEvent> {
    this.#outputs = [];
    this.#scene.nowMs = event.atMs;
    if (event.type === 'correction') this.#correct(event);
    else if (event.type !== 'tick' && this.#game === 0) this.#open(event);
    switch (event.type) {
      case 'square':
        this.#onSquare(this.#table.square(event.square), event.cell);
        break;
      case 'dump':
        this.#onDump(event.placement);
        break;
      case 'clock':
      case 'press':
        this.#onClock(event);
        break;
      case 'link':
        this.#onLink(event.link);
        break;
      case 'recalled':
        this.#onRecalled(event.events);
        break;
      case 'tick':
        this.#onTick();
        break;
    }
    this.#conclude();
    const wakeAtMs = this.#wakeAtMs();
    return wakeAtMs === undefined ? { outputs: this.#outputs } : { outputs: this.#outputs, wakeAtMs };
  }

  // ---------------------------------------------------------------- games

  #open(first: SensorEvent): void {
    this.#newGame();
    if (this.#rotatedBefore) this.#raise('ROTATED_180');
    // Events without a picture before them: the start position is taken as standing on the board.
    if (first.type !== 'dump' && first.type !== 'link' && first.type !== 'recalled') this.#begin();
  }

  #newGame(): void {
    const { nowMs } = this.#scene;
    this.#game++;
    this.#beam = new Beam(this.#scene, createRoot(this.#start, nowMs));
    this.#started = false;
    this.#wrongStartTold = false;
    this.#ended = undefined;
    this.#postgameTold = false;
    this.#kings = undefined;
    this.#emitted = [];
    this.#toldVersion = -1;
    this.#inSync = undefined;
    this.#boardDirty = true;
    this.#outputs.push({
      type: 'gameStarted',
      atMs: nowMs,
      game: this.#game,
      variant: this.#variant,
      start: this.#start.fen(),
      orientation: this.#table.orientation,
    });
  }

  /** The start position stands: moves count from now on. */
  #begin(): void {
    this.#started = true;
    this.#wasFar = false;
    this.#presses = 0;
    this.#raise('NEW_GAME');
  }

  /** Closes the present game and opens the next, the start position standing on the board. */
  #nextGame(): void {
    const { nowMs } = this.#scene;
    if (this.#ended === undefined) {
      this.#beam.restoreParked();
      this.#beam.tellOwed();
      this.#collect();
      this.#raise('RESULT_UNKNOWN', this.#beam.head.number);
      this.#emit();
      this.#outputs.push({ type: 'gameEnded', atMs: nowMs, result: '*' });
    }
    this.#newGame();
    this.#begin();
  }

  /** Whether the board shows the start position, turning it when it shows it from the other side. */
  #showsStart(): boolean {
    const { board } = this.#scene;
    if (placementsAgree(board, this.#start.cells)) return true;
    if (!this.#scene.identity || !placementsAgree(turnPlacement(board), this.#start.cells)) return false;
    this.#table.turn();
    this.#scene.showAll(turnPlacement(board));
    this.#recent = [];
    this.#outputs.push({
      type: 'orientation',
      atMs: this.#scene.nowMs,
      orientation: this.#table.orientation,
    });
    this.#raise('ROTATED_180');
    return true;
  }

  // ---------------------------------------------------------------- sensors

  #onSquare(square: Square, cell: Cell): void {
    const { board } = this.#scene;
    if (board[square] === cell) {
      if (cell === EMPTY && this.#started) this.#beam.onPhantomLift(square);
      return;
    }
    // Play goes on: the clock is waited for no longer.
    if (this.#blind?.seenAtMs !== undefined) this.#resume();
    this.#watchFlicker(square);
    this.#apply([this.#change(square, cell, false)]);
  }

  #change(square: Square, after: Cell, fromDump: boolean): SeenChange {
    const { board, nowMs, changedAtMs, liftedAtMs } = this.#scene;
    const before = board[square]!;
    this.#scene.show(square, after);
    changedAtMs[square] = nowMs;
    if (after === EMPTY) liftedAtMs[square] = nowMs;
    this.#recent.push({ square, before });
    if (this.#recent.length > 24) this.#recent.splice(0, 8);
    return { square, before, after, atMs: nowMs, fromDump };
  }

  #apply(changes: readonly SeenChange[]): void {
    this.#scene.lastChangeMs = this.#scene.nowMs;
    this.#boardDirty = true;
    if (this.#ended !== undefined) {
      this.#afterGame();
      return;
    }
    if (!this.#started) {
      this.#watchStart();
      return;
    }
    if (this.#isReset()) {
      this.#nextGame();
      return;
    }
    this.#wasFar ||= differingSquares(this.#scene.board, this.#start.cells).length > FAR_FROM_START;
    if (this.#isTurnedBeforePlay()) {
      this.#showsStart();
      this.#beam = new Beam(this.#scene, createRoot(this.#start, this.#scene.nowMs));
      this.#toldVersion = -1;
      return;
    }
    if (this.#blind !== undefined) return;
    this.#beam.onChanges(changes);
  }

  #onDump(raw: Placement): void {
    const { board } = this.#scene;
    const placement = this.#table.placement(raw);
    const squares = differingExactly(board, placement);
    // After the game there is nothing that an old picture could undo.
    const guarded = this.#blind === undefined && this.#ended === undefined && !this.#isNewStart(placement);
    if (squares.length > 0 && guarded && this.#isLate(placement)) return;
    this.#lateDump = undefined;
    this.#boardDirty = true;
    const game = this.#game;
    if (squares.length > 0)
      this.#apply(squares.map((square) => this.#change(square, placement[square]!, true)));
    else if (!this.#started && this.#ended === undefined) this.#watchStart();
    if (this.#blind !== undefined) {
      this.#blind.seenAtMs ??= this.#scene.nowMs;
      if (this.#game !== game) this.#blind = undefined;
      else if (!this.#pressCount.counts || !this.#started || this.#ended !== undefined) this.#resume();
    } else if (this.#started && this.#ended === undefined && squares.length > 0) {
      if (this.#beam.openSquares().length > 1) this.#beam.resumeFromPicture();
    }
  }

  /**
   * The board tells all that has happened while it was not heard. It is played through as if it had been heard, at moments
   * spread over the time it took; only what comes out is told now. Where it cannot follow upon what stood on the board, it is
   * not believed, and the picture that follows decides alone.
   */
  #onRecalled(events: readonly RecalledEvent[]): void {
    const scene = this.#scene;
    const toldMs = scene.nowMs;
    if (!this.#follows(events)) return;
    const sinceMs = this.#blind?.heardAtMs ?? scene.lastChangeMs;
    const wasBlind = this.#blind !== undefined;
    this.#blind = undefined;
    const before = this.#started && this.#ended === undefined ? this.#beam.head.number : undefined;
    const game = this.#game;
    const weights = events.map((_, i) => (events[i - 1]?.type === 'clock' ? THOUGHT_WEIGHT : 1));
    const whole = weights.reduce((sum, weight) => sum + weight, 0) + 1;
    let passed = 0;
    events.forEach((event, i) => {
      passed += weights[i]!;
      const atMs = sinceMs + Math.floor(((toldMs - sinceMs) * passed) / whole);
      this.#runTo(atMs);
      if (event.type === 'square') this.#onSquare(this.#table.square(event.square), event.cell);
      else this.#onClock({ type: 'clock', atMs, reading: event.reading });
      this.#conclude();
    });
    this.#runTo(toldMs);
    const { number } = this.#beam.head;
    if (before !== undefined && this.#game === game && number > before)
      this.#raise(`RECALLED(${number - before})`, before + 1);
    if (wasBlind && this.#started && this.#ended === undefined && this.#beam.openSquares().length === 0)
      this.#raise('RESYNC', this.#beam.head.number);
    // What the clock showed on the way says nothing of how time went: when it showed it is not known.
    this.#outputs = this.#outputs.flatMap((output): GameEvent[] => {
      if (output.type === 'clock') return [];
      if (output.type !== 'flag') return [{ ...output, atMs: toldMs }];
      return [{ ...output, atMs: toldMs, flag: { ...output.flag, atMs: toldMs } }];
    });
  }

  /** Whether each of the events changes what stands on the board when it comes. */
  #follows(events: readonly RecalledEvent[]): boolean {
    const board = this.#scene.board.slice();
    for (const event of events) {
      if (event.type !== 'square') continue;
      const square = this.#table.square(event.square);
      if (board[square] === event.cell) return false;
      board[square] = event.cell;
    }
    return true;
  }

  /** Lets time pass in what is remembered, with what would have been concluded at rest. */
  #runTo(atMs: number): void {
    for (let wake = this.#wakeAtMs(); wake !== undefined && wake <= atMs; wake = this.#wakeAtMs()) {
      this.#scene.nowMs = wake;
      this.#onTick();
      this.#conclude();
    }
    this.#scene.nowMs = atMs;
  }

  #conclude(): void {
    this.#watchKings();
    this.#collect();
    this.#watchEnd();
    this.#emit();
  }

  /** The board has been seen whole again after a lost link: explains what has happened meanwhile. */
  #resume(unheard?: UnheardPresses): void {
    const { lostAtMs, heardAtMs, press, seenAtMs } = this.#blind!;
    this.#blind = undefined;
    if (!this.#started || this.#ended !== undefined) return;
    const { changedAtMs, liftedAtMs, nowMs } = this.#scene;
    // What a board tells of itself after a gap comes in one lump: its order says nothing.
    const changed: Square[] = [];
    for (let square = 0; square < 64; square++) {
      if (changedAtMs[square]! < lostAtMs) continue;
      changed.push(square);
      changedAtMs[square] = nowMs;
      if (liftedAtMs[square]! >= lostAtMs) liftedAtMs[square] = nowMs;
    }
    const before = this.#beam.head.number;
    this.#beam.resume(changed, { press, unheard, forMs: nowMs - heardAtMs });
    this.#collect();
    const missed = this.#beam.head.number - before;
    // Longer gaps have told their number themselves.
    if (missed === 1 || missed === 2) this.#raise(`MISSED_PLIES(${missed})`, before + 1);
    const open = this.#beam.openSquares();
    // Without a picture that was seen the board is not known to agree.
    if (open.length === 0) {
      if (seenAtMs !== undefined) this.#raise('RESYNC', this.#beam.head.number);
    } else if (open.length > 4) this.#raise('DISPLACED', this.#beam.head.number + 1, makeSquares(open));
  }

  /**
   * Whether a picture is older than what was seen since: it equals the board with the last changes undone. Then the
   * events are believed; only the same picture once more, later, is news.
   */
  #isLate(placement: Placement): boolean {
    const { nowMs } = this.#scene;
    const repeated = this.#lateDump;
    if (repeated !== undefined && nowMs - repeated.atMs >= 1000 && sameCells(repeated.placement, placement))
      return false;
    const past = this.#scene.board.slice();
    for (let i = this.#recent.length - 1; i >= 0; i--) {
      past[this.#recent[i]!.square] = this.#recent[i]!.before;
      if (!sameCells(past, placement)) continue;
      if (repeated === undefined || !sameCells(repeated.placement, placement)) {
        this.#lateDump = { placement, atMs: nowMs };
      }
      return true;
    }
    return false;
  }

  #onClock(event: Extract<SensorEvent, { type: 'clock' | 'press' }>): void {
    this.#clockAtMs = event.atMs;
    const press = this.#table.clockEvent(event);
    this.#scene.clockSeen = this.#table.clockSeen;
    this.#scene.clock = this.#table.clock;
    if (event.type === 'clock' && this.#table.clock !== undefined) {
      const { whiteMs, blackMs, running } = this.#table.clock;
      this.#outputs.push({ type: 'clock', atMs: event.atMs, whiteMs, blackMs, running });
    }
    const unheard = this.#countPresses(event.atMs, press !== undefined);
    if (this.#blind?.seenAtMs !== undefined) {
      if (press !== undefined) this.#blind.press = { ...press, atMs: event.atMs };
      this.#resume(unheard);
    } else if (press !== undefined && this.#ended === undefined && this.#started) this.#onPress(event, press);
  }

  /** What the clock tells of presses that nobody heard. */
  #countPresses(atMs: number, isPress: boolean): UnheardPresses | undefined {
    const { clock } = this.#table;
    if (clock !== undefined) return this.#pressCount.note(clock, atMs, isPress);
    this.#pressCount.reset();
    return undefined;
  }

  #onPress(event: Extract<SensorEvent, { type: 'clock' | 'press' }>, press: Press): void {
    this.#presses++;
    let { side, clockMs } = press;
    if (event.type === 'clock' && this.#beam.saysFacesExchanged(press)) {
      this.#table.learnFaces();
      this.#scene.clock = this.#table.clock;
      side = side === 'white' ? 'black' : 'white';
      clockMs = side === 'white' ? this.#table.clock?.whiteMs : this.#table.clock?.blackMs;
    }
    if (this.#blind !== undefined) this.#blind.press = { side, clockMs, atMs: event.atMs };
    else this.#beam.onPress({ side, clockMs });
  }

  /** What the operator says was played was played. */
  #correct(word: Correction): void {
    if (this.#game === 0) return;
    const root = createRoot(this.#start, this.#beam.base.madeAtMs);
    const record = this.#emitted.map((told) => told.record);
    const line = playCorrected(root, record, this.#beam.head, word);
    if (!line.ok) {
      this.#raise('CORRECTION_REFUSED', Math.max(0, word.from - 1), line.fault.message);
      return;
    }
    this.#started = true;
    this.#beam.correct(line.value);
    this.#boardDirty = true;
    if (this.#ended === undefined && this.#beam.openSquares().length === 0)
      this.#raise('RESYNC', this.#beam.head.number);
  }

  #onLink(link: 'up' | 'lost'): void {
    if (link === 'lost') {
      // What has been seen of the last gap is all there will be of it: this is another one.
      if (this.#blind?.seenAtMs !== undefined) this.#resume();
      if (!this.#linkLost) this.#raise('LINK_LOST', this.#game === 0 ? 0 : this.#beam.head.number);
      if (this.#blind === undefined && this.#started && this.#ended === undefined) this.#beam.onLinkLost();
      this.#linkLost = true;
      this.#blind ??= {
        lostAtMs: this.#scene.nowMs,
        heardAtMs: Math.max(this.#scene.lastChangeMs, this.#clockAtMs),
        press: undefined,
        seenAtMs: undefined,
      };
      this.#pressCount.lose();
    } else {
      this.#linkLost = false;
      this.#upAtMs = this.#scene.nowMs;
    }
  }

  #onTick(): void {
    if (!this.#started) {
      // Before a board has been seen, what stands on it is only assumed.
      if (this.#ended === undefined && this.#scene.nowMs >= this.#startDueMs()) this.#watchStart();
      return;
    }
    if (this.#ended !== undefined) return;
    if (this.#blind !== undefined) {
      // A board that shows no whole picture: what it has told is all there is.
      if (this.#scene.nowMs < this.#pictureDueMs()) return;
      this.#resume();
    }
    const quiet = this.#kings !== undefined || this.#linkLost;
    this.#beam.onTick(quiet);
  }

  /** When a board at rest shows what it begins with: it is given the time to show itself whole after its link is up. */
  #startDueMs(): number {
    const { lastChangeMs, waits } = this.#scene;
    return Math.max(lastChangeMs, this.#upAtMs) + waits.startMs;
  }

  /** When the picture that follows a restored link, or the reading of the clock that follows it, is no longer waited for. */
  #pictureDueMs(): number {
    const { seenAtMs } = this.#blind!;
    if (seenAtMs !== undefined) return seenAtMs + READING_MS;
    return this.#linkLost ? Number.POSITIVE_INFINITY : this.#upAtMs + this.#scene.waits.pictureMs;
  }

  #watchFlicker(square: Square): void {
    const { nowMs } = this.#scene;
    const times = this.#toggles.get(square) ?? [];
    times.push(nowMs);
    while (times.length > 0 && nowMs - times[0]! > FLICKER_MS) times.shift();
    this.#toggles.set(square, times);
    if (times.length >= UNSTEADY_TOGGLES) this.#scene.flickering.add(square);
    else this.#scene.flickering.delete(square);
    if (times.length >= FLICKER_TOGGLES && !this.#flickerTold.has(square)) {
      this.#flickerTold.add(square);
      this.#raise('SENSOR_FLICKER', this.#beam.head.number, makeSquares([square]));
    }
  }

  // ---------------------------------------------------------------- beginning and end

  /** Before the first move: the start position, a turned one, one reached by a few plies, or a wrong one at rest. */
  #watchStart(): void {
    const { board, nowMs } = this.#scene;
    if (this.#showsStart()) {
      this.#begin();
      return;
    }
    if (this.#wrongStartTold) return;
    const found = searchGap(board, this.#start, NO_STALE, 4, 6000);
    if (found !== undefined && found.plies > 0) {
      this.#begin();
      this.#beam.resumeFromPicture();
      return;
    }
    if (nowMs < this.#startDueMs() || board.every((cell) => cell === EMPTY)) return;
    const wrong = differingSquares(board, this.#start.cells);
    this.#wrongStartTold = true;
    this.#raise('WRONG_START', 0, makeSquares(wrong));
    if (wrong.length > MAX_WRONG_AT_START) return;
    // Few pieces are missing or exchanged: if play goes on all the same, it is recorded from the assumed start.
    this.#beam.excuse(wrong);
    this.#started = true;
  }

  /** The start position again in the middle of a game, not by taking moves back nor by a move: pieces were set up anew. */
  #isReset(): boolean {
    const { board } = this.#scene;
    return this.#isNewStart(board) && this.#beam.lines.every(({ head }) => !isPlayed(board, head.position));
  }

  /** Before the first ply the start position stands there from the other side: it was set up anew, or seen better. */
  #isTurnedBeforePlay(): boolean {
    const { board, identity } = this.#scene;
    if (!identity || this.#beam.head.number > 0 || placementsAgree(board, this.#start.cells)) return false;
    return placementsAgree(turnPlacement(board), this.#start.cells);
  }

  /**
   * A picture of the start position so late in a game that it cannot be an old one: the pieces were set up anew. A game whose
   * thread was lost early has few plies, or none, however long it was: the board and the clock tell that it was played.
   */
  #isNewStart(placement: Placement): boolean {
    const { base, parked } = this.#beam;
    const played = parked ?? base;
    const wasPlayed = played.number > 0 || (this.#wasFar && this.#presses > TAKEN_BACK_PLIES);
    if (!this.#started || !wasPlayed) return false;
    const isBoard = placement === this.#scene.board;
    if (isBoard && !this.#scene.mayShow(this.#start.occupied)) return false;
    if (!placementsAgree(placement, this.#start.cells)) return false;
    if (played.number > TAKEN_BACK_PLIES || this.#wasFar) return true;
    return this.#scene.nowMs - played.madeAtMs > LONG_GAP_MS;
  }

  #afterGame(): void {
    const kings = this.#kings;
    if (this.#showsStart()) {
      this.#nextGame();
      return;
    }
    if (!this.#postgameTold && kings?.taken !== true) {
      this.#postgameTold = true;
      this.#raise('POSTGAME', this.#beam.head.number);
    }
  }

  /** Both kings on the four centre squares are never a legal position: a result is being signalled. */
  #watchKings(): void {
    const { nowMs, waits } = this.#scene;
    if (!this.#started) return;
    const { version, identity } = this.#scene;
    if (identity && this.#kings === undefined && version === this.#kingsVersion) return;
    this.#kingsVersion = version;
    const pair = this.#scene.identity ? kingsSeen(this.#scene) : this.#kingsGuessed();
    if (pair === undefined) {
      this.#kings = undefined;
      return;
    }
    // d5 and e4 are light: both kings there, White has won; both on dark squares, Black.
    const [first, second] = pair.map((square) => square === 28 || square === 35);
    const result: GameResult = first !== second ? '1/2-1/2' : first ? '1-0' : '0-1';
    if (this.#kings === undefined || this.#kings.result !== result) {
      this.#kings = { result, sinceMs: nowMs, taken: false };
    }
    if (this.#kings.taken || nowMs < this.#kings.sinceMs + waits.kingsMs) return;
    this.#kings.taken = true;
    if (this.#ended === undefined) this.#end(result, 'kings');
    else if (this.#ended.reason === 'kings' && this.#ended.result !== result) {
      this.#raise('RESULT_CHANGED', this.#beam.head.number, `${this.#ended.result} to ${result}`);
      this.#end(result, 'kings');
    }
  }

  /**
   * Where sensors do not tell pieces apart: both kings have left their squares since the last ply, and two centre squares
   * were taken since. Pieces that stood there may have been shoved aside.
   */
  #kingsGuessed(): readonly [Square, Square] | undefined {
    const { board } = this.#scene;
    if (this.#ended !== undefined) return this.#kings === undefined ? undefined : this.#guessedKings;
    if (CENTRE.filter((square) => board[square] !== EMPTY).length < 2) return undefined;
    // Two kings side by side are no position that plies lead to: where plies explain the board, it is no signal.
    const isExplained = placementsAgree(this.#scene.board, this.#beam.head.position.cells);
    this.#guessedKings = isExplained ? undefined : this.#findSignal()?.pair;
    return this.#guessedKings;
  }

  #findSignal(): Signal | undefined {
    return findSignal(this.#scene, this.#beam.lines, this.#beam.base);
  }

  #watchEnd(): void {
    if (this.#ended !== undefined || !this.#started || this.#beam.base === this.#openEnd) return;
    if (!this.#beam.endsGame()) {
      this.#openEnd = this.#beam.base;
      return;
    }
    const { position } = this.#beam.base;
    const ending = position.ending()!;
    // Whoever sets up a position in which nobody can mate wants to see moves, not a result.
    if (ending === 'dead-position' && this.#start.isInsufficientMaterial()) return;
    const loser = ending === 'checkmate' ? position.turn : undefined;
    this.#end(loser === undefined ? '1/2-1/2' : loser === 'white' ? '0-1' : '1-0', ending);
  }

  #end(result: GameResult, reason: ResultReason): void {
    const { nowMs } = this.#scene;
    const first = this.#ended === undefined;
    if (first && reason === 'kings') {
      this.#beam.dropKingStep();
      this.#beam.agree(this.#findSignal()?.last);
    }
    this.#ended = { result, reason };
    this.#beam.tellOwed();
    this.#collect();
    this.#emit();
    this.#outputs.push({ type: 'result', atMs: nowMs, result, reason });
    this.#raise(`RESULT(${result})`, this.#beam.head.number, reason);
    if (first) this.#outputs.push({ type: 'gameEnded', atMs: nowMs, result });
  }

  // ---------------------------------------------------------------- output

  /** Tells what the readings have raised. */
  #collect(): void {
    if (this.#game === 0) return;
    const { desk } = this.#beam;
    if (desk.raised.length === 0) return;
    for (const flag of desk.raised) this.#tell(flag);
    desk.raised = [];
  }

  /** State and candidates of a ply; up to ply `common` all likely lines are the same. */
  #stateOf(
    node: Node,
    lines: readonly Line[],
    common: number,
  ): { state: PlyState; candidates: readonly string[] | undefined } {
    let candidates = node.orders;
    if (node.number > common) {
      const sans = candidatesOf(node, lines);
      if (sans.length > 1) candidates = sans;
    }
    if (node.isAssumed === true && candidates === undefined) {
      const sans = promotionsOf(node, lines);
      if (sans.length > 1) candidates = sans;
    }
    if (!node.confirmed) return { state: 'provisional', candidates };
    if (candidates !== undefined) return { state: 'ambiguous', candidates };
    return { state: this.#beam.base.number - node.number >= 2 ? 'settled' : 'confirmed', candidates };
  }

  /** Reports how the best line differs from what was told before. */
  #emit(): void {
    const { nowMs } = this.#scene;
    const beam = this.#beam;
    if (this.#game === 0) return;
    const { head, lines } = beam;
    if (beam.version === this.#toldVersion) {
      this.#emitBoard(head);
      return;
    }
    this.#toldVersion = beam.version;
    const common = commonNumber(lines);
    const changed: { node: Node; told: Emitted; amended: boolean }[] = [];
    let looked = 0;
    const doubtedFrom = this.#doubtedFrom;
    this.#doubtedFrom = Number.POSITIVE_INFINITY;
    for (let node: Node | undefined = head; node?.parent !== undefined; node = node.parent) {
      const old: Emitted | undefined = this.#emitted[node.number - 1];
      const { state, candidates } = this.#stateOf(node, lines, common);
      if (candidates !== undefined) this.#doubtedFrom = node.number;
      const isAsTold = old !== undefined && isTold(old.record, node, state, candidates);
      if (isAsTold && old.node === node) {
        // Deeper plies have not changed either, unless readings of them are still open.
        const isReached = node.number <= common && node.number <= doubtedFrom;
        if (++looked >= 3 && isReached && old.record.state === 'settled') break;
        continue;
      }
      looked = 0;
      const san = sanOf(node);
      const record: PlyRecord = {
        san,
        uci: uciOf(node),
        state,
        madeAtMs: node.madeAtMs,
        ...(node.completedAtMs === undefined ? {} : { completedAtMs: node.completedAtMs }),
        ...(node.clockMs === undefined ? {} : { clockMs: node.clockMs }),
        ...(candidates === undefined ? {} : { candidates }),
        ...(node.inferred ? { inferred: true } : {}),
      };
      const amended = old !== undefined && old.record.state !== 'provisional' && old.record.san !== san;
      // Played once more as it was, it is no news.
      if (!isAsTold || old.record.uci !== record.uci || old.record.san !== san)
        changed.push({ node, told: { node, record }, amended });
      else this.#emitted[node.number - 1] = { ...old, node };
    }
    if (this.#emitted.length > head.number) {
      this.#emitted.length = head.number;
      this.#outputs.push({ type: 'withdrawn', atMs: nowMs, number: head.number + 1 });
    }
    for (const { node, told, amended } of changed.reverse()) {
      this.#emitted[node.number - 1] = told;
      this.#outputs.push({
        type: 'ply',
        atMs: nowMs,
        number: node.number,
        ply: told.record,
        ...(amended ? { amended: true } : {}),
      });
    }
    if (common === head.number) this.#forgetHistory(head);
    this.#emitBoard(head);
  }

  /** Lets go of plies that are told and so old that neither a take-back nor another reading reaches them. */
  #forgetHistory(head: Node): void {
    const last = nodeAt(head, head.number - HISTORY_PLIES);
    if (last?.parent === undefined) return;
    for (let node: Node | undefined = last.parent; node !== undefined && node.number > 0; ) {
      const told: Emitted | undefined = this.#emitted[node.number - 1];
      if (told?.node === undefined) break;
      this.#emitted[node.number - 1] = { ...told, node: undefined };
      const { parent }: Node = node;
      node.parent = undefined;
      node = parent;
    }
    last.parent = undefined;
  }

  #emitBoard(head: Node): void {
    if (!this.#boardDirty && head === this.#toldHead) return;
    this.#toldHead = head;
    const { board, nowMs, lastChangeMs } = this.#scene;
    const inSync = this.#started && !this.#beam.frozen && this.#isShown(head.position);
    const atRest = nowMs >= lastChangeMs + BOARD_REST_MS;
    if (inSync === this.#inSync && !(atRest && this.#boardDirty)) return;
    if (atRest) this.#boardDirty = false;
    this.#inSync = inSync;
    this.#outputs.push({ type: 'board', atMs: nowMs, placement: board.slice(), inSync });
  }

  #isShown({ occupied, cells }: Position): boolean {
    return this.#scene.mayShow(occupied) && placementsAgree(this.#scene.board, cells);
  }

  #raise(code: string, ply = 0, detail?: string, severity?: Severity): void {
    this.#tell({
      code,
      severity: severity ?? FLAG_WORDS[wordOf(code)][0],
      ply,
      atMs: this.#scene.nowMs,
      ...(detail === undefined ? {} : { detail }),
    });
  }

  #tell(flag: Flag): void {
    this.#outputs.push({ type: 'flag', atMs: this.#scene.nowMs, flag });
  }

  #wakeAtMs(): number | undefined {
    const { nowMs, lastChangeMs, waits } = this.#scene;
    let wake = Number.POSITIVE_INFINITY;
    if (this.#boardDirty) wake = sooner(wake, lastChangeMs + BOARD_REST_MS, nowMs);
    if (this.#game > 0) {
      if (!this.#started && this.#ended === undefined && !this.#wrongStartTold)
        wake = sooner(wake, this.#startDueMs(), nowMs);
      if (this.#kings !== undefined && !this.#kings.taken)
        wake = sooner(wake, this.#kings.sinceMs + waits.kingsMs, nowMs);
      if (this.#blind !== undefined) {
        if (this.#started) wake = sooner(wake, this.#pictureDueMs(), nowMs);
      } else if (this.#ended === undefined && this.#started)
        wake = sooner(wake, this.#beam.wakeAtMs() ?? wake, nowMs);
    }
    return wake === Number.POSITIVE_INFINITY ? undefined : wake;
  }
}

/** Whether what was told of a ply still holds, whichever move it is. */
const isTold = (
  { state, completedAtMs, clockMs, candidates }: PlyRecord,
  node: Node,
  now: PlyState,
  others: readonly string[] | undefined,
): boolean =>
  state === now &&
  completedAtMs === node.completedAtMs &&
  clockMs === node.clockMs &&
  (candidates?.length ?? 0) === (others?.length ?? 0);

/** Whether a move leads to what the board shows. */
const isPlayed = (board: Placement, position: Position): boolean =>
  position.moves().some((move) => placementsAgree(board, position.play(move).cells));

const sameCells = (a: Placement, b: Placement): boolean => {
  for (let square = 0; square < 64; square++) if (a[square] !== b[square]) return false;
  return true;
};

const differingExactly = (a: Placement, b: Placement): Square[] => {
  const squares: Square[] = [];
  for (let square = 0; square < 64; square++) if (a[square] !== b[square]) squares.push(square);
  return squares;
};
