/**
 * One irregularity at the end of a few clean plies: what hands and clock do is as real people do it (`boards/hand`), and the
 * word and ply under which it must be found stand beside it.
 */
import type { HandAction } from '../../../boards/hand/action.ts';
import { createHands, type Hands, lift, neighbours, put, wait } from '../../../boards/hand/hands.ts';
import { makeMoveByHand } from '../../../boards/hand/make-move.ts';
import { changeMind, findIllegalMove, playIllegalByHand } from '../../../boards/hand/mishaps.ts';
import { type HandGame, type PlayedGame, playPeople } from '../../../boards/hand/people.ts';
import { HABITS, MISHAPS, type Mishaps, type Profile } from '../../../boards/hand/profiles.ts';
import { createRandom, pick, shuffled } from '../../../boards/hand/random.ts';
import type { FlagWord } from '../../../core/flag.ts';
import { EMPTY, roleOfCell, sideOfCell } from '../../../core/placement.ts';
import { type Move, Position, START_FEN } from '../../../core/position.ts';
import { isCentre } from '../../../core/reconstruct/tell.ts';
import { opponent, type Side, type Square } from '../../../core/square.ts';

/** What can be done wrong, with the word of its flag. */
export const WRONGS = {
  illegal: 'ILLEGAL',
  'no-move': 'PRESSED_WITHOUT_MOVE',
  'other-piece': 'TOUCH_MOVE',
  'victim-spared': 'TOUCH_MOVE',
  'rook-first': 'ROOK_TOUCHED_FIRST',
  'castling-half': 'CASTLING_INCOMPLETE',
  'en-passant-half': 'EP_VICTIM_LEFT',
  'pawn-left': 'PROMO_INCOMPLETE',
  twice: 'OUT_OF_TURN',
  displaced: 'DISPLACED',
  'time-given': 'TIME_ADDED',
  'flag-down': 'FLAG_FALL',
} as const satisfies Record<string, FlagWord>;

export type Wrong = keyof typeof WRONGS;
export const WRONG_KINDS = Object.keys(WRONGS) as Wrong[];

export interface IrregularGame {
  readonly played: PlayedGame;
  readonly word: FlagWord;
  /** Under which number it must be flagged. */
  readonly ply: number;
}

/** Two looks of sensors that look every quarter of a second: what is off its square for less may be a nudge. */
const SEEN_MS = 500;
/** Plies played before it. */
const LEAD = 8;
const STEADY = Object.fromEntries(Object.keys(MISHAPS.classical).map((k) => [k, 0])) as unknown as Mishaps;

/** Whether a game has something like it at a ply: the move then to be made, and the position before. */
function fits(wrong: Wrong, position: Position, move: Move): boolean {
  switch (wrong) {
    case 'rook-first':
    case 'castling-half':
      return move.castling !== undefined;
    case 'en-passant-half':
      return move.captured !== undefined && move.captured.square !== move.to;
    case 'pawn-left':
      return move.promotion !== undefined;
    case 'victim-spared':
      return spare(position) !== undefined;
    default:
      return !position.isCheck();
  }
}

/** A capture that could be made, and a quiet move of the same piece. */
function spare(position: Position): { capture: Move; quiet: Move } | undefined {
  const moves = position.moves().filter((m) => m.promotion === undefined && m.castling === undefined);
  for (const capture of moves) {
    if (capture.captured?.square !== capture.to || roleOfCell(capture.captured.cell) === 'king') continue;
    const quiet = moves.find((m) => m.from === capture.from && m.captured === undefined);
    if (quiet !== undefined) return { capture, quiet };
  }
  return undefined;
}

/** A ply of a game at which something of the kind can be done, and the positions up to it. */
function placesIn(
  game: HandGame,
  wrong: Wrong,
): { index: number; positions: readonly Position[] } | undefined {
  const start = Position.fromFen(game.start ?? START_FEN, game.variant ?? 'standard');
  if (!start.ok) return undefined;
  const positions = [start.value];
  const fitting: number[] = [];
  for (const text of game.moves) {
    const position = positions.at(-1)!;
    const move = position.parseUci(text) ?? position.parseSan(text);
    if (move === undefined || position.ending() !== undefined) break;
    if (positions.length > 2 && fits(wrong, position, move)) fitting.push(positions.length - 1);
    positions.push(position.play(move));
  }
  const index = fitting[Math.floor((fitting.length * 7) / 11)];
  return index === undefined ? undefined : { index, positions };
}

/** Plays some plies of a game cleanly and then does something wrong; undefined where the game has no place for it. */
export function playIrregular(
  game: HandGame,
  wrong: Wrong,
  profile: Profile,
  seed: number,
): IrregularGame | undefined {
  const place = placesIn(game, wrong);
  if (place === undefined) return undefined;
  const { index, positions } = place;
  const first = Math.max(0, index - LEAD);
  const lead = game.moves.slice(first, index);
  const position = positions[index]!;
  const played = playPeople(
    { variant: game.variant ?? 'standard', start: positions[first]!.fen(), moves: lead },
    { seed, profile, noise: 'none', clock: true, afterGame: 'nothing', maxThinkMs: 8000 },
  );
  if (!played.ok) throw new Error(played.fault.message);
  const table = createIrregularTable(played.value, position, profile, seed);
  const move = position.parseUci(game.moves[index]!) ?? position.parseSan(game.moves[index]!)!;
  const done = doWrong(table, wrong, move, positions[index - 1]!);
  if (done === undefined) return undefined;
  return {
    played: table.finish(),
    word: WRONGS[wrong],
    ply: lead.length + done,
  };
}

interface IrregularTable {
  readonly hands: Hands;
  readonly position: Position;
  /** The side to move presses. */
  press(): void;
  /** Somebody sets the clock. */
  set(side: Side, change: (timeMs: number) => number): void;
  finish(): PlayedGame;
}

function createIrregularTable(
  game: PlayedGame,
  position: Position,
  profile: Profile,
  seed: number,
): IrregularTable {
  const random = createRandom(seed ^ 0x0bad);
  const habits = HABITS[profile];
  // The people who played the lead stop their clock at the end; here play goes on.
  const stop = game.actions.findLast((a) => a.type === 'clock');
  const before = game.actions.filter((a) => a !== stop || a.type !== 'clock' || a.running !== undefined);
  const cells = game.placement.slice();
  for (const action of before) if (action.type === 'square') cells[action.square] = action.cell;
  const hands = createHands(random, habits, STEADY, cells, game.endAtMs + 2500);
  const clocks: HandAction[] = [];
  let last = before.findLast((a) => a.type === 'clock');
  const times = (atMs: number): Record<Side, number> => {
    const left = { white: last?.whiteMs ?? 0, black: last?.blackMs ?? 0 };
    if (last?.running !== undefined) left[last.running] -= atMs - last.atMs;
    return left;
  };
  const show = (atMs: number, left: Record<Side, number>, running: Side): void => {
    last = { type: 'clock', atMs, whiteMs: left.white, blackMs: left.black, running };
    clocks.push(last);
  };
  return {
    hands,
    position,
    press() {
      wait(hands, habits.pressMs);
      const left = times(hands.atMs);
      left[position.turn] += habits.clock.incrementMs;
      clocks.push({ type: 'press', atMs: hands.atMs, side: position.turn });
      show(hands.atMs, left, opponent(position.turn));
    },
    set(side, change) {
      const left = times(hands.atMs);
      left[side] = change(left[side]);
      show(hands.atMs, left, position.turn);
    },
    finish() {
      const actions = [...before, ...hands.actions, ...clocks].sort((a, b) => a.atMs - b.atMs);
      return { ...game, actions, endAtMs: hands.atMs + 9000 };
    },
  };
}

/** Does it; says which ply after the lead it belongs to, undefined when there is no way to. */
function doWrong(table: IrregularTable, wrong: Wrong, move: Move, before: Position): number | undefined {
  const { hands, position } = table;
  switch (wrong) {
    case 'illegal': {
      const illegal = findIllegalMove(hands, position);
      if (illegal === undefined) return undefined;
      playIllegalByHand(hands, illegal);
      break;
    }
    case 'no-move':
      break;
    case 'other-piece':
      if (!changeMind(hands, position, move)) return undefined;
      if (handledMs(hands) < SEEN_MS) return undefined;
      wait(hands, [400, 2000]);
      makeMoveByHand(hands, position, move, new Set());
      break;
    case 'victim-spared': {
      const { capture, quiet } = spare(position)!;
      const cell = lift(hands, capture.from);
      wait(hands, [300, 700]);
      const victim = lift(hands, capture.to);
      wait(hands, [600, 1500]);
      put(hands, capture.to, victim);
      wait(hands, [300, 900]);
      put(hands, quiet.to, cell);
      break;
    }
    case 'rook-first': {
      const { rookFrom, rookTo } = move.castling!;
      // Where the squares of king and rook overlap a hand cannot do it one after the other.
      if (rookTo === move.from) return undefined;
      const rook = lift(hands, rookFrom);
      wait(hands, [300, 800]);
      put(hands, rookTo, rook);
      wait(hands, [700, 1500]);
      moveBy(hands, move.from, move.to);
      break;
    }
    case 'castling-half':
      if (Math.abs(move.to - move.from) !== 2) return undefined;
      moveBy(hands, move.from, move.to);
      break;
    case 'en-passant-half':
      moveBy(hands, move.from, move.to);
      break;
    case 'pawn-left':
      if (move.captured !== undefined) {
        lift(hands, move.to);
        wait(hands, [300, 700]);
      }
      moveBy(hands, move.from, move.to);
      break;
    case 'twice': {
      const again = secondMove(table, before);
      if (again === undefined) return undefined;
      moveBy(hands, again.from, again.to);
      hands.atMs += 4000;
      return 1;
    }
    case 'displaced':
      if (shove(hands, position) < 2) return undefined;
      hands.atMs += 6000;
      return 1;
    case 'time-given':
      table.set(opponent(position.turn), (timeMs) => timeMs + 120_000);
      hands.atMs += 5000;
      return 0;
    case 'flag-down':
      table.set(position.turn, () => 1500);
      hands.atMs += 5000;
      return 0;
  }
  table.press();
  return 1;
}

/** From the first thing these hands have done to the last. */
const handledMs = ({ actions }: Hands): number => actions.at(-1)!.atMs - actions[0]!.atMs;

function moveBy(hands: Hands, from: Square, to: Square): void {
  const cell = lift(hands, from);
  wait(hands, hands.habits.airMs);
  put(hands, to, cell);
}

/** A quiet move of another piece of the side that has just moved, legal were it to move again; that piece would go on, or back. */
function secondMove({ hands, position }: IrregularTable, before: Position): Move | undefined {
  const [cells, , castling, , ...rest] = position.fen().split(' ');
  const turned = Position.fromFen(
    [cells, opponent(position.turn) === 'white' ? 'w' : 'b', castling, '-', ...rest].join(' '),
  );
  if (!turned.ok || turned.value.isCheck() || turned.value.isOpponentInCheck()) return undefined;
  const quiet = turned.value.moves().filter(
    (m) =>
      m.captured === undefined &&
      m.castling === undefined &&
      m.promotion === undefined &&
      // Neither where it has just come to, nor to where it came from.
      before.cells[m.from] === position.cells[m.from] &&
      // A king that is put into the centre is half of a result, until play goes on.
      !(isCentre(m.to) && roleOfCell(position.cells[m.from]!) === 'king'),
  );
  return pick(hands.random, quiet);
}

/** Two pieces of the side to move are pushed to squares beside them where they have no business; says how many. */
function shove(hands: Hands, position: Position): number {
  let count = 0;
  // Where some piece may go, one of the two has perhaps been moved.
  const reached = new Set(position.moves().map((m) => m.to));
  const own = shuffled(
    hands.random,
    Array.from({ length: 64 }, (_, s) => s).filter(
      (s) => sideOfCell(hands.cells[s]!) === position.turn && roleOfCell(hands.cells[s]!) !== 'king',
    ),
  );
  for (const from of own) {
    if (count === 2) break;
    const to = neighbours(from).find(
      (s) => hands.cells[s] === EMPTY && position.cells[s] === EMPTY && !reached.has(s),
    );
    if (to === undefined) continue;
    const cell = lift(hands, from);
    hands.atMs += 30;
    put(hands, to, cell);
    hands.atMs += 40;
    count++;
  }
  return count;
}
