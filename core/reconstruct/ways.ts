/**
 * Ways through a gap: what may have been played between the last ply of a reading and what the board shows, and what each of
 * them leaves to chance.
 */
import { EMPTY, UNKNOWN } from '../placement.ts';
import type { Move } from '../position.ts';
import { costOf, QUICK } from './cost.ts';
import { type GapResult, searchGap } from './gap-search.ts';
import { isUnderWay } from './match.ts';
import type { UnheardPresses } from './press-count.ts';
import type { Reading } from './reading.ts';
import type { Scene, SeenChange } from './scene.ts';

/** Plies that may be missing, and moves that may be tried to find them: at a picture, and when a piece is put down. */
export const GAP_PLIES = 12;
export const GAP_BUDGET = 12_000;
export const TRY_BUDGET = 3000;
/** The shortest ways are looked for with more of them. */
const SHORT_PLIES = 2;
const SHORT_BUDGET = 10_000;
/** One ply more than need be. */
const LONGER_COST = 1;
/** A piece that goes and comes back. */
const BACK_COST = 0.75;
/** A piece is taken, and taken back only later: less than makes two ways differ, enough to put them in order. */
const LATE_RECAPTURE_COST = 0.3;
/** Another number of plies than the clock tells of, and the last of them not pressed yet. */
const UNDUE_COST = 3;
const UNPRESSED_COST = 0.5;

export interface Way {
  readonly line: readonly Move[];
  readonly cost: number;
  /** There may be others. */
  readonly cut: boolean;
  /** What a hand has lifted beside. */
  readonly inAir: SeenChange | undefined;
}

/** Plies that are due by the clock after the last of a reading; the last of `most` is one that was not pressed yet. */
export interface PliesDue {
  readonly least: number;
  readonly most: number;
}

export function pliesDue({ head, presses }: Reading, unheard: UnheardPresses): PliesDue {
  const isPressed = head.pressedAtMs !== undefined || head.number === 0;
  const open = presses.length - (isPressed ? 0 : 1);
  return { least: Math.max(0, open + unheard.least), most: Math.max(0, open + unheard.most + 1) };
}

/** What speaks against a number of plies by the clock. */
export function undueCost(due: PliesDue | undefined, plies: number): number {
  if (due === undefined) return 0;
  return plies < due.least || plies > due.most ? UNDUE_COST : plies === due.most ? UNPRESSED_COST : 0;
}

/** How far and how hard ways are looked for. */
export interface WayBounds {
  readonly maxPlies: number;
  readonly budget: number;
  /** More than what is short is looked for. */
  readonly isFar: boolean;
  /** How long nobody looked, ms. */
  readonly forMs: number;
  readonly due: PliesDue | undefined;
}

/** Legal plies that lead from a reading to the picture: the shortest, or as many as are due by the clock. */
export function waysThrough(reading: Reading, scene: Scene, bounds: WayBounds): Way[] {
  const { due, forMs } = bounds;
  const ways: Way[] = [];
  const add = (found: GapResult | undefined, cost: number, inAir?: SeenChange): void => {
    for (const line of found?.lines ?? [])
      ways.push({
        line,
        cost: cost + wayCost(reading, line, forMs) + undueCost(due, line.length),
        cut: found!.cut,
        inAir,
      });
  };
  if (due !== undefined) {
    addDue(reading, scene, bounds, due, add);
    if (ways.length > 0) return ways;
  }
  if (reading.open(scene).length > 0) addShortest(reading, scene, bounds, add);
  return ways;
}

type Add = (found: GapResult | undefined, cost: number, inAir?: SeenChange) => void;

function addDue(
  reading: Reading,
  scene: Scene,
  { isFar, budget }: WayBounds,
  { least, most }: PliesDue,
  add: Add,
): void {
  const { position, excused } = reading;
  const lengths: number[] = [];
  for (let plies = Math.max(1, least); plies <= Math.min(most, GAP_PLIES); plies++) lengths.push(plies);
  // The last of the most was not pressed: as likely a hand is at work on it.
  const whole = lengths.filter((plies) => plies < most);
  let isFound = false;
  for (const plies of lengths) {
    const found = searchGap(scene.board, position, excused, plies, budget, plies);
    isFound ||= found !== undefined && plies < most;
    add(found, 0);
  }
  if (isFound || !isFar) return;
  const lifted = mayBeInAir(reading, scene);
  for (const one of lifted)
    for (const plies of whole)
      add(searchGap(withPut(scene, one), position, excused, plies, budget / lifted.length, plies), 0, one);
}

function addShortest(
  reading: Reading,
  scene: Scene,
  { maxPlies, budget, isFar, due }: WayBounds,
  add: Add,
): void {
  const { board } = scene;
  const { position, excused } = reading;
  const short = searchGap(board, position, excused, SHORT_PLIES, SHORT_BUDGET);
  // A hand in the middle of a move explains more than plies nobody saw.
  const isHand = short === undefined && isFar && isUnderWay(board, position, reading.open(scene));
  const found =
    short ?? (isFar && !isHand ? searchGap(board, position, excused, maxPlies, budget) : undefined);
  add(found, 0);
  if (found === undefined && isFar && !isHand && budget >= GAP_BUDGET) {
    const lifted = mayBeInAir(reading, scene);
    for (const one of lifted)
      add(searchGap(withPut(scene, one), position, excused, maxPlies, budget / lifted.length), 0, one);
  }
  // As many plies as need be, or one more: whose turn it is will show.
  if (isFar && found !== undefined && found.plies > 1 && due === undefined && maxPlies > SHORT_PLIES * 2)
    add(searchGap(board, position, excused, found.plies + 1, budget, found.plies + 1), LONGER_COST);
}

/** The board with what a hand has lifted put back. */
function withPut({ board }: Scene, { square, before }: SeenChange): Uint8Array {
  const put = board.slice();
  put[square] = before;
  return put;
}

/** Pieces that stood where nothing stands now, and of whose kind the board shows one less: a hand may hold one. */
function mayBeInAir({ position }: Reading, { board, nowMs }: Scene): SeenChange[] {
  const { cells } = position;
  const counts = new Int8Array(UNKNOWN + 1);
  for (let square = 0; square < 64; square++) {
    counts[cells[square]!]!++;
    counts[board[square]!]!--;
  }
  const lifted: SeenChange[] = [];
  for (let square = 0; square < 64; square++) {
    const before = cells[square]!;
    if (before === EMPTY || board[square] !== EMPTY || counts[before]! <= 0) continue;
    lifted.push({ square, before, after: EMPTY, atMs: nowMs, fromDump: true });
  }
  return lifted;
}

/** What speaks against a way by itself. */
function wayCost({ head }: Reading, line: readonly Move[], forMs: number): number {
  const quick = line.length * costOf(QUICK, forMs / line.length);
  const back = line.some((move, i) => line[i + 2]?.from === move.to && line[i + 2]?.to === move.from);
  return quick + (back ? BACK_COST : 0) + (takesBackLate([head.move, ...line]) ? LATE_RECAPTURE_COST : 0);
}

/** A piece takes, and is taken by a reply that might have been the next ply. */
const takesBackLate = (line: readonly (Move | undefined)[]): boolean =>
  line.some((move, i) => {
    const taken = move?.captured === undefined ? undefined : move.to;
    if (taken === undefined || line[i + 1]?.to === taken) return false;
    // Until somebody else moves it on.
    const next = line.findIndex((later, n) => n > i + 1 && (later?.to === taken || later?.from === taken));
    return next > 0 && line[next]!.to === taken && (next - i) % 2 === 1;
  });
