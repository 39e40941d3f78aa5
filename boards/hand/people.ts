/**
 * People play a given game on a physical board: the game goes in, what truly happens on the squares and at the clock
 * comes out, with the truth beside it. Everything follows from the seed; no time passes.
 */
import type { FlagWord } from '../../core/flag.ts';
import type { GameResult, Variant } from '../../core/game-event.ts';
import { EMPTY, type Placement, roleOfCell } from '../../core/placement.ts';
import { type Move, Position, START_FEN } from '../../core/position.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import { makeSquare, opponent, type Side, type Square } from '../../core/square.ts';
import type { HandAction } from './action.ts';
import { type ClockHandling, runTableClock } from './clock.ts';
import { analyse, isSignal, putAway, setUpByHand, signalResult } from './ending.ts';
import {
  changeHands,
  createHands,
  type Hands,
  lift,
  neighbours,
  put,
  squaresBetween,
  wait,
} from './hands.ts';
import { makeMoveByHand, restoreByHand } from './make-move.ts';
import {
  adjustAny,
  adjustPiece,
  changeMind,
  findIllegalMove,
  hesitate,
  knockOver,
  nudgeNeighbour,
  playIllegalByHand,
} from './mishaps.ts';
import {
  HABITS,
  type Habits,
  MISHAPS,
  type Mishaps,
  NOISE,
  type NoiseLevel,
  type Profile,
} from './profiles.ts';
import { around, between, createRandom, isChance, pick, pickWeighted } from './random.ts';

/** A game to be played: legal moves from a start position. */
export interface HandGame {
  readonly variant?: Variant;
  /** FEN; the initial position when absent. */
  readonly start?: string;
  /** UCI or SAN, one per ply. */
  readonly moves: readonly string[];
  /** Time spent on each ply, ms, where it is known; else the profile's own times. */
  readonly spentMs?: readonly (number | undefined)[];
  readonly result?: GameResult;
}

export interface PeopleOptions {
  readonly seed: number;
  readonly profile: Profile;
  readonly noise: NoiseLevel;
  /** Whether a clock stands on the table; by the profile's probability when absent. */
  readonly clock?: boolean;
  /** No think is longer than this, ms. */
  readonly maxThinkMs?: number;
  /** What follows the end of the game; by chance when absent. */
  readonly afterGame?: AfterGame;
  /** Changes of single knobs; mishaps as probabilities per ply, not multiplied any more. */
  readonly habits?: Partial<Habits>;
  readonly mishaps?: Partial<Mishaps>;
}

export const AFTER_GAME = ['nothing', 'analysis', 'putAway', 'setUp'] as const;
export type AfterGame = (typeof AFTER_GAME)[number];

/** One ply that was truly played. */
export interface TruePly {
  readonly uci: string;
  /** SAN, or `!` + from + to for an illegal move that stands. */
  readonly san: string;
  /** When the hand left the last piece of the move. */
  readonly releasedAtMs: number;
  /** When its press came; undefined when there was none. */
  readonly pressedAtMs?: number;
}

/** Something a watcher may truthfully flag: word and ply (1-based, the ply under way included). */
export interface TrueFlag {
  readonly word: FlagWord;
  readonly ply: number;
  /** Whether a good recorder must raise it; else it may. */
  readonly must: boolean;
}

/** A ply that was truly completed on the board and then withdrawn: taken back, or illegal and corrected. */
export interface WithdrawnPly {
  readonly number: number;
  readonly uci: string;
}

export interface PlayedGame {
  readonly variant: Variant;
  /** FEN of the start position. */
  readonly start: string;
  /** What stands on the board at time 0. */
  readonly placement: Placement;
  readonly hasClock: boolean;
  /** In order of time. */
  readonly actions: readonly HandAction[];
  readonly plies: readonly TruePly[];
  readonly withdrawn: readonly WithdrawnPly[];
  /** The result that could be seen: signalled with the kings or reached on the board; else `*`. */
  readonly result: GameResult;
  readonly flags: readonly TrueFlag[];
  /** When the last thing happened. */
  readonly endAtMs: number;
}

/** The squares a move needs, its path included. */
function squaresOfMove(move: Move): Square[] {
  return [...move.changes.map((c) => c.square), ...squaresBetween(move.from, move.to), move.from, move.to];
}

const isTerminal = (position: Position): boolean => !position.hasMoves() || position.isInsufficientMaterial();

function terminalResult(position: Position): GameResult {
  if (position.isCheckmate()) return position.turn === 'white' ? '0-1' : '1-0';
  return '1/2-1/2';
}

/** Everything the play of one game keeps between plies. */
interface Table {
  readonly hands: Hands;
  readonly options: PeopleOptions;
  readonly hasClock: boolean;
  readonly handlings: ClockHandling[];
  readonly plies: TruePly[];
  readonly withdrawn: WithdrawnPly[];
  readonly flags: TrueFlag[];
  readonly history: { before: Position; move: Move }[];
  /** When the previous ply's hand left the board, and its press. */
  madeAtMs: number;
  pressedAtMs: number | undefined;
  startedAtMs: number;
  /** When each side's hand is back from the clock: it moves and presses with the same hand (6.2.3). */
  readonly freeAtMs: Record<Side, number>;
  /** A side that will press only after the reply. */
  lateSide: Side | undefined;
  /** The previous ply's press was forgotten: the reply is not pressed either. */
  isForgotten: boolean;
}

const tell = (table: Table, word: FlagWord, must = false): void => {
  table.flags.push({ word, ply: table.plies.length + 1, must });
};

function press(table: Table, side: Side, atMs: number): number {
  const last = table.handlings.findLast((h) => h.type === 'press');
  const time = Math.max(atMs, (last?.atMs ?? 0) + 40);
  table.handlings.push({ type: 'press', atMs: time, side });
  table.freeAtMs[side] = time + 120;
  return time;
}

function thinkTime(table: Table, ply: number, spentMs: number | undefined): number {
  const { random, habits } = table.hands;
  const { median, sigma, limits } = habits.thinkMs;
  const drawn = around(random, median, sigma);
  const chosen = spentMs === undefined ? drawn : Math.max(spentMs, limits[0]);
  const highest = Math.min(limits[1], table.options.maxThinkMs ?? limits[1]);
  return Math.max(limits[0], Math.min(chosen, highest, ply === 0 ? 5000 : highest));
}

/** What the player does, or suffers, before the move is touched. */
function beforeTheMove(table: Table, position: Position, move: Move): void {
  const { hands } = table;
  const { random, mishaps } = hands;
  if (isChance(random, mishaps.adjustOutOfTurn)) {
    const squares = Array.from({ length: 64 }, (_, i) => i).filter((s) => hands.cells[s] !== EMPTY);
    const own = squares.filter((s) => (hands.cells[s]! <= 6 ? 'white' : 'black') !== position.turn);
    if (adjustPiece(hands, own) !== undefined) tell(table, 'OUT_OF_TURN');
    wait(hands, [300, 1500]);
  }
  if (isChance(random, mishaps.adjust)) {
    if (adjustAny(hands) !== undefined) tell(table, 'TOUCH_MOVE');
    wait(hands, [300, 1500]);
  }
  if (isChance(random, mishaps.hesitation)) {
    hesitate(hands, move);
    wait(hands, [200, 3000]);
  }
  if (isChance(random, mishaps.changeOfMind)) {
    if (changeMind(hands, position, move)) tell(table, 'TOUCH_MOVE');
    wait(hands, [300, 3000]);
  }
}

/** Another move (and perhaps its reply) is played first and then taken back. */
function takeBack(table: Table, position: Position, move: Move): void {
  const { hands } = table;
  const choose = (from: Position, other?: Move): Move | undefined =>
    pick(
      hands.random,
      from
        .moves()
        .filter((m) => m.castling === undefined && m.promotion === undefined && m.from !== other?.from)
        .filter((m) => !isTerminal(from.play(m))),
    );
  const first = choose(position, move);
  if (first === undefined) return;
  makeMoveByHand(hands, position, first, new Set());
  wait(hands, [800, 5000]);
  const middle = position.play(first);
  const reply = isChance(hands.random, 0.5) ? choose(middle) : undefined;
  const number = table.plies.length + 1;
  table.withdrawn.push({ number, uci: position.uci(first) });
  if (reply !== undefined) {
    table.withdrawn.push({ number: number + 1, uci: middle.uci(reply) });
    makeMoveByHand(hands, middle, reply, new Set());
    wait(hands, [800, 4000]);
    restoreByHand(hands, reply.changes);
    wait(hands, [200, 900]);
  }
  restoreByHand(hands, first.changes);
  wait(hands, [500, 4000]);
  tell(table, 'TAKEBACK');
  tell(table, 'TOUCH_MOVE');
}

/** Presses, or not, for the ply that was just made; keeps who owes a press. */
function afterTheMove(
  table: Table,
  side: Side,
  releasedAtMs: number,
  liftedAtMs: number,
  isLast: boolean,
): void {
  const { hands, hasClock } = table;
  const { random, mishaps, habits } = hands;
  table.madeAtMs = hands.atMs;
  table.pressedAtMs = undefined;
  if (!hasClock) return;
  const late = table.lateSide;
  table.lateSide = undefined;
  if (late !== undefined) {
    const atMs = press(table, late, hands.atMs + between(random, 50, 400));
    table.pressedAtMs = press(table, side, atMs + between(random, 100, 600));
    return;
  }
  if (table.isForgotten) {
    table.isForgotten = false;
    return;
  }
  if (!isLast && isChance(random, mishaps.forgottenPress)) {
    table.isForgotten = true;
    return;
  }
  if (!isLast && isChance(random, mishaps.latePress)) {
    table.lateSide = side;
    return;
  }
  if (isChance(random, mishaps.prematurePress)) {
    const atMs = Math.max(liftedAtMs + 40, releasedAtMs - between(random, 30, 350));
    table.pressedAtMs = press(table, side, atMs);
    tell(table, 'PIECE_MISSING');
    tell(table, 'PRESSED_WITHOUT_MOVE');
    tell(table, 'PROMO_INCOMPLETE');
    return;
  }
  table.pressedAtMs = press(table, side, hands.atMs + between(random, habits.pressMs[0], habits.pressMs[1]));
}

/** When and how the next hand comes: after thinking, before the press, or while the other hand is still there. */
function arrive(table: Table, side: Side, thinkMs: number): 'calm' | 'hasty' {
  const manner = comeToTheBoard(table, thinkMs);
  const { hands } = table;
  hands.atMs = Math.max(hands.atMs, table.freeAtMs[side]);
  hands.earlyMs = Math.max(0, Math.min(hands.earlyMs, hands.atMs - table.freeAtMs[side]));
  return manner;
}

function comeToTheBoard(table: Table, thinkMs: number): 'calm' | 'hasty' {
  const { hands } = table;
  const { random, habits } = hands;
  const { madeAtMs, pressedAtMs } = table;
  const isFirst = table.plies.length === 0;
  if (!isFirst && isChance(random, habits.overlap)) {
    const early = between(random, habits.overlapMs[0], habits.overlapMs[1]);
    changeHands(hands, Math.max(0, Math.min(early, madeAtMs - table.startedAtMs - 20)));
    hands.atMs = madeAtMs + 15;
    return 'hasty';
  }
  changeHands(hands, 0);
  if (!isFirst && pressedAtMs !== undefined && isChance(random, habits.replyBeforePress)) {
    hands.atMs = madeAtMs + between(random, 20, Math.max(30, pressedAtMs - madeAtMs));
    return 'hasty';
  }
  hands.atMs = Math.max(madeAtMs, pressedAtMs ?? 0) + thinkMs;
  return 'calm';
}

/**
 * Plays a game by hand. Fails with `HAND_FEN` or `HAND_MOVE` when the start position or a move of it is not legal;
 * moves after mate, stalemate or bare kings are left out. The board stands at time 0, the first touch comes later.
 */
export function playPeople(game: HandGame, options: PeopleOptions): Result<PlayedGame> {
  const variant = game.variant ?? 'standard';
  const start = Position.fromFen(game.start ?? START_FEN, variant);
  if (!start.ok) return fail('HAND_FEN', start.fault.message);
  const planned: Move[] = [];
  let reached = start.value;
  for (const text of game.moves) {
    if (isTerminal(reached)) break;
    const move = reached.parseUci(text) ?? reached.parseSan(text);
    if (move === undefined) return fail('HAND_MOVE', `ply ${planned.length + 1}, "${text}", is not legal`);
    planned.push(move);
    reached = reached.play(move);
  }

  const random = createRandom(options.seed);
  const habits: Habits = { ...HABITS[options.profile], ...options.habits };
  const factor = NOISE[options.noise].mishaps;
  const scaled = Object.fromEntries(
    Object.entries(MISHAPS[options.profile]).map(([word, probability]) => [word, probability * factor]),
  ) as unknown as Mishaps;
  const hasClock = options.clock ?? isChance(random, habits.clock.present);
  const hands = createHands(random, habits, { ...scaled, ...options.mishaps }, start.value.cells, 3000);
  const table: Table = {
    hands,
    options,
    hasClock,
    handlings: hasClock ? [{ type: 'press', atMs: 2000, side: opponent(start.value.turn) }] : [],
    plies: [],
    withdrawn: [],
    flags: [],
    history: [],
    madeAtMs: 2000,
    pressedAtMs: undefined,
    startedAtMs: 2000,
    freeAtMs: { white: 0, black: 0 },
    lateSide: undefined,
    isForgotten: false,
  };

  let position = start.value;
  let left = planned;
  for (let index = 0; index < left.length; index++) {
    const move = left[index]!;
    const side = position.turn;
    const manner = arrive(table, side, thinkTime(table, index, game.spentMs?.[index]));
    // Not earlier, even if this hand's own first lift is: squares of older plies are not looked after.
    const startedAtMs = hands.atMs;
    if (manner === 'calm') {
      beforeTheMove(table, position, move);
      if (!hasClock && isChance(random, hands.mishaps.takeBack)) takeBack(table, position, move);
      const illegal = isChance(random, hands.mishaps.illegal) ? findIllegalMove(hands, position) : undefined;
      if (illegal !== undefined) {
        const liftedAtMs = hands.atMs;
        playIllegalByHand(hands, illegal);
        const releasedAtMs = hands.atMs;
        const stands = isChance(random, 0.5);
        const name = makeSquare(illegal[1]!.square) + makeSquare(illegal[0]!.square);
        if (!stands) table.withdrawn.push({ number: table.plies.length + 1, uci: name });
        for (const word of ['TOUCH_MOVE', 'IRREGULAR_SINCE', 'DISPLACED'] as const) tell(table, word);
        tell(table, 'ILLEGAL', hasClock || stands);
        if (stands) {
          table.lateSide = undefined;
          table.isForgotten = false;
          if (hasClock) table.pressedAtMs = press(table, side, hands.atMs + between(random, 200, 900));
          table.madeAtMs = hands.atMs;
          table.startedAtMs = liftedAtMs;
          table.plies.push({
            uci: name,
            san: `!${name}`,
            releasedAtMs,
            ...(hasClock ? { pressedAtMs: table.pressedAtMs! } : {}),
          });
          table.history.length = 0;
          position = position.playIllegal(illegal);
          left = [...left.slice(0, index + 1), ...continuation(table, position)];
          // What goes on from here is nobody's known game: the answer must be played to be one.
          continue;
        }
        if (hasClock) {
          const pressedAtMs = press(table, side, hands.atMs + between(random, 200, 900));
          hands.atMs = pressedAtMs + between(random, 1500, 4000);
          table.handlings.push({ type: 'stop', atMs: hands.atMs });
        } else wait(hands, [600, 2500]);
        wait(hands, [500, 2000]);
        restoreByHand(hands, illegal);
        wait(hands, [500, 2000]);
        if (hasClock) table.handlings.push({ type: 'start', atMs: hands.atMs, side });
        wait(hands, [500, 4000]);
      }
    }
    const touchedAtMs = hands.atMs;
    const after = position.play(move);
    const next = left[index + 1];
    const isLast = next === undefined;
    const made = makeMoveByHand(
      hands,
      position,
      move,
      new Set(next === undefined ? [] : squaresOfMove(next)),
    );
    if (made.rookFirst) tell(table, 'ROOK_TOUCHED_FIRST');
    if (isChance(random, hands.mishaps.nudge)) nudgeNeighbour(hands, move.to, touchedAtMs, hands.atMs);
    if (manner === 'calm' && isChance(random, hands.mishaps.knockOver)) {
      wait(hands, [40, 300]);
      if (knockOver(hands, move.to)) tell(table, 'DISPLACED');
    }
    const extra = putVictimAside(table, move, next);
    afterTheMove(table, side, made.releasedAtMs, made.liftedAtMs, isLast);
    table.startedAtMs = startedAtMs;
    if (extra !== undefined) {
      tell(table, 'EXTRA_PIECE');
      hands.atMs = Math.max(table.madeAtMs, table.pressedAtMs ?? 0) + between(random, 2500, 4000);
      lift(hands, extra);
      table.madeAtMs = hands.atMs;
    }
    table.plies.push({
      uci: position.uci(move),
      san: position.san(move),
      releasedAtMs: made.releasedAtMs,
      ...(table.pressedAtMs === undefined ? {} : { pressedAtMs: table.pressedAtMs }),
    });
    if (table.lateSide === undefined && table.pressedAtMs !== undefined && table.plies.length >= 2) {
      settleLatePress(table, side);
    }
    table.history.push({ before: position, move });
    position = after;
  }
  const result = endTheGame(table, position, game.result ?? '*');
  const clocks = hasClock
    ? runTableClock(
        [...table.handlings].sort((a, b) => a.atMs - b.atMs),
        habits.clock,
        500,
      )
    : [];
  const presses: HandAction[] = table.handlings.flatMap((h) => (h.type === 'press' ? [h] : []));
  // The sort is stable: what one hand does in one millisecond stays in its order.
  const actions = [...hands.actions, ...presses, ...clocks].sort((a, b) => a.atMs - b.atMs);
  return ok({
    variant,
    start: start.value.fen(),
    placement: start.value.cells,
    hasClock,
    actions,
    plies: table.plies,
    withdrawn: table.withdrawn,
    result,
    flags: table.flags,
    endAtMs: Math.max(hands.atMs, actions.at(-1)?.atMs ?? 0),
  });
}

/** The ply before was pressed only now, just before this one's press: its truth is completed. */
function settleLatePress(table: Table, side: Side): void {
  const previous = table.plies[table.plies.length - 2]!;
  if (previous.pressedAtMs !== undefined) return;
  const late = table.handlings.findLast((h) => h.type === 'press' && h.side !== side);
  if (late !== undefined && late.atMs > previous.releasedAtMs) {
    table.plies[table.plies.length - 2] = { ...previous, pressedAtMs: late.atMs };
  }
}

/** Legal moves of chance after an illegal move that stands, ending where the game would end by itself. */
function continuation(table: Table, from: Position): Move[] {
  const { random } = table.hands;
  const moves: Move[] = [];
  let position = from;
  const count = between(random, 6, 30);
  while (moves.length < count && position.hasMoves() && !position.isInsufficientMaterial()) {
    const move = pick(
      random,
      position.moves().filter((m) => m.captured === undefined || roleOfCell(m.captured.cell) !== 'king'),
    );
    if (move === undefined) break;
    moves.push(move);
    position = position.play(move);
  }
  return moves;
}

/** The captured piece is set down on an empty square of the board where nobody needs it; says where. */
function putVictimAside(table: Table, move: Move, next: Move | undefined): Square | undefined {
  const { hands } = table;
  if (move.captured === undefined || !isChance(hands.random, hands.mishaps.extraPiece)) return undefined;
  const wanted = new Set(next === undefined ? [] : squaresOfMove(next));
  const square = pick(
    hands.random,
    neighbours(move.to)
      .flatMap((s) => [s, ...neighbours(s)])
      .filter((s) => hands.cells[s] === EMPTY && !wanted.has(s) && !hands.used.has(s)),
  );
  if (square === undefined) return undefined;
  wait(hands, [100, 400]);
  put(hands, square, move.captured.cell);
  return square;
}

/** What happens after the last ply; says the result that could be seen. */
function endTheGame(table: Table, position: Position, intended: GameResult): GameResult {
  const { hands, options, hasClock } = table;
  const { random, habits } = hands;
  changeHands(hands, 0);
  hands.atMs = Math.max(hands.atMs, table.madeAtMs, table.pressedAtMs ?? 0);
  const isOver = table.plies.length > 0 && isTerminal(position);
  const hasIllegal = table.plies.some((ply) => ply.san.startsWith('!'));
  wait(hands, [1500, 8000]);
  if (hasClock) table.handlings.push({ type: 'stop', atMs: hands.atMs - 500 });
  let result: GameResult = isOver ? terminalResult(position) : '*';
  if (!isOver && isSignal(intended) && isChance(random, habits.gesture)) {
    signalResult(hands, intended);
    result = intended;
  }
  const isKnown = result !== '*';
  const mishap = options.noise === 'harsh' && hasClock && !hasIllegal ? 0.1 : 0;
  const after =
    options.afterGame ??
    (isKnown
      ? pickWeighted(random, { nothing: 0.4, analysis: hasIllegal ? 0 : 0.2, putAway: 0.25, setUp: 0.15 })
      : pickWeighted(random, { nothing: 0.8, analysis: mishap, putAway: 0.2, setUp: 0 }));
  if (after === 'nothing') return result;
  if (!isKnown) wait(hands, [12_000, 30_000]);
  else wait(hands, [1500, 10_000]);
  if (!isKnown) for (const word of ['DISPLACED', 'OUT_OF_TURN'] as const) tell(table, word);
  if (after === 'analysis') analyse(hands, position, table.history);
  else if (after === 'putAway') putAway(hands);
  else setUpByHand(hands, Position.initial().cells);
  return result;
}
