/**
 * Two simple recorders to measure against, written as plainly as they are commonly found: the first takes every
 * legal position the moment the board shows it; the second waits for 300 ms of quiet and then looks one or two
 * plies ahead. Both believe what they take at once and know neither touches, nor clocks, nor doubt.
 */
import type { GameEvent, GameResult, PlyRecord, Variant } from '../../core/game-event.ts';
import type { Machine, Step, Tick } from '../../core/machine.ts';
import {
  BLACK_KING,
  cellsAgree,
  differingSquares,
  EMPTY,
  type Placement,
  WHITE_KING,
} from '../../core/placement.ts';
import { type Move, Position, START_FEN } from '../../core/position.ts';
import type { SensorEvent } from '../../core/sensor-event.ts';

export interface SimpleOptions {
  readonly start?: string;
  readonly variant?: Variant;
}

const CENTRE = [27, 28, 35, 36];

/** What both have in common: the board as sensed, the position reached, and the moves reported. */
class SimpleRecorder {
  readonly board: Placement;
  position: Position;
  readonly variant: Variant;
  outputs: GameEvent[] = [];
  #number = 0;
  #isOpen = false;
  #result: GameResult = '*';

  constructor(options: SimpleOptions) {
    this.variant = options.variant ?? 'standard';
    const start = Position.fromFen(options.start ?? START_FEN, this.variant);
    this.position = start.ok ? start.value : Position.initial();
    this.board = this.position.cells.slice();
  }

  /** Takes an event over into the picture; says whether the picture has changed. */
  see(event: SensorEvent | Tick): boolean {
    if (!this.#isOpen) {
      this.#isOpen = true;
      this.outputs.push({
        type: 'gameStarted',
        atMs: event.atMs,
        game: 1,
        variant: this.variant,
        start: this.position.fen(),
        orientation: 'normal',
      });
    }
    if (event.type === 'square') {
      const before = this.board[event.square];
      this.board[event.square] = event.cell;
      return before !== event.cell;
    }
    if (event.type !== 'dump') return false;
    const isOther = event.placement.some((cell, square) => cell !== this.board[square]);
    this.board.set(event.placement);
    return isOther;
  }

  /** Moves that make exactly the picture, tried in the order of generation. */
  matching(position: Position): Move | undefined {
    const squares = differingSquares(this.board, position.cells);
    if (squares.length === 0 || squares.length > 4) return undefined;
    for (const square of squares) {
      for (const move of position.movesFrom(square)) {
        if (this.#makesPicture(position, move, squares)) return move;
      }
    }
    return undefined;
  }

  #makesPicture(position: Position, move: Move, squares: readonly number[]): boolean {
    for (const change of move.changes) {
      if (!cellsAgree(this.board[change.square]!, change.after)) return false;
    }
    // A move must account for every square that differs.
    if (!squares.every((square) => move.changes.some((change) => change.square === square))) return false;
    return position.cells[move.from] !== EMPTY;
  }

  play(move: Move, atMs: number): void {
    const san = this.position.san(move);
    const uci = this.position.uci(move);
    this.position = this.position.play(move);
    this.#number += 1;
    const ply: PlyRecord = { san, uci, state: 'confirmed', madeAtMs: atMs, completedAtMs: atMs };
    this.outputs.push({ type: 'ply', atMs, number: this.#number, ply });
    if (!this.position.hasMoves()) {
      const loser = this.position.isCheckmate() ? this.position.turn : undefined;
      this.#conclude(loser === undefined ? '1/2-1/2' : loser === 'white' ? '0-1' : '1-0', atMs, 'checkmate');
    }
  }

  readKings(atMs: number): void {
    const kings = CENTRE.filter((s) => this.board[s] === WHITE_KING || this.board[s] === BLACK_KING);
    if (kings.length !== 2 || this.board[kings[0]!] === this.board[kings[1]!]) return;
    const light = kings.filter((s) => s === 28 || s === 35).length;
    this.#conclude(light === 2 ? '1-0' : light === 0 ? '0-1' : '1/2-1/2', atMs, 'kings');
  }

  #conclude(result: GameResult, atMs: number, reason: 'kings' | 'checkmate'): void {
    if (this.#result === result) return;
    this.#result = result;
    this.outputs.push({ type: 'result', atMs, result, reason });
  }

  get isOver(): boolean {
    return this.#result !== '*';
  }

  take(): GameEvent[] {
    const outputs = this.outputs;
    this.outputs = [];
    return outputs;
  }
}

/** Takes the first legal position that the board shows, at every single change. */
export function createFirstLegal(options: SimpleOptions = {}): Machine<SensorEvent, GameEvent> {
  const recorder = new SimpleRecorder(options);
  return {
    step(event): Step<GameEvent> {
      if (recorder.see(event) && !recorder.isOver) {
        const move = recorder.matching(recorder.position);
        if (move !== undefined) recorder.play(move, event.atMs);
        recorder.readKings(event.atMs);
      }
      return { outputs: recorder.take() };
    },
  };
}

/** Waits until nothing has changed for 300 ms, then takes one legal ply or two that make the picture. */
export function createQuietMatcher(options: SimpleOptions = {}): Machine<SensorEvent, GameEvent> {
  const recorder = new SimpleRecorder(options);
  let dueAtMs: number | undefined;
  const settle = (atMs: number): void => {
    const single = recorder.matching(recorder.position);
    if (single !== undefined) {
      recorder.play(single, atMs);
      return;
    }
    const differing = differingSquares(recorder.board, recorder.position.cells);
    if (differing.length === 0 || differing.length > 8) return;
    for (const first of recorder.position.moves()) {
      const between = recorder.position.play(first);
      const second = recorder.matching(between);
      if (second === undefined) continue;
      recorder.play(first, atMs);
      recorder.play(second, atMs);
      return;
    }
  };
  return {
    step(event): Step<GameEvent> {
      if (recorder.see(event)) dueAtMs = event.atMs + 300;
      else if (event.type === 'tick' && dueAtMs !== undefined && event.atMs >= dueAtMs) {
        dueAtMs = undefined;
        if (!recorder.isOver) settle(event.atMs);
        recorder.readKings(event.atMs);
      }
      const outputs = recorder.take();
      return dueAtMs === undefined ? { outputs } : { outputs, wakeAtMs: dueAtMs };
    },
  };
}
