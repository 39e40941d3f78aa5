/**
 * Draws by repetition and by moves without progress (9.2, 9.3, 9.4, 9.6).
 *
 * A ply that nobody saw, or of which several explanations fit, makes a count doubtful. So every count is given twice:
 * as the record stands, and as what is certain whatever the doubtful plies were ("at least n").
 */
import { EMPTY, type Placement, roleOfCell } from '../placement.ts';
import type { Ending, Move, Position } from '../position.ts';
import { type Played, playRecorded } from '../recorded-ply.ts';
import type { Side } from '../square.ts';
import type { GameLine, LinePly } from './game-line.ts';

/** Occurrences that allow a claim (9.2.2) and that end the game (9.6.1). */
export const THREEFOLD = 3;
export const FIVEFOLD = 5;
/** Half-moves without pawn move or capture that allow a claim (9.3) and that end the game (9.6.2). */
export const FIFTY_PLIES = 100;
export const SEVENTY_FIVE_PLIES = 150;

/** A count over a game. */
export interface DrawCount {
  /** Certain, whatever the doubtful plies were. */
  readonly atLeast: number;
  /** As the record stands; never below `atLeast`. */
  readonly recorded: number;
}

/** How often a position has occurred. */
export interface Repetition extends DrawCount {
  /** Numbers of the plies that brought it about as the record stands, 0 for the start position; in order. */
  readonly plies: readonly number[];
}

/** More histories than this are not followed: what lies behind them counts for nothing. */
const MAX_HISTORIES = 64;

/** One way in which the game may have gone, as far as it matters. */
interface History {
  readonly position: Position;
  /** How often each position has certainly occurred in it, by `Position.key`. */
  readonly seen: Map<string, number>;
  readonly halfmoves: number;
}

/** Pieces by kind and pawns by square: unchanged by any sequence of moves without pawn move or capture, and only by those. */
function progressKey(cells: Placement): string {
  let pawns = '';
  const pieces = new Array<number>(13).fill(0);
  for (let square = 0; square < 64; square++) {
    const cell = cells[square]!;
    if (cell === EMPTY) continue;
    if (roleOfCell(cell) === 'pawn') pawns += `${cell}:${square},`;
    else pieces[cell] = (pieces[cell] ?? 0) + 1;
  }
  return `${pawns}/${pieces.join()}`;
}

const isDoubtful = ({ record }: LinePly): boolean =>
  record.inferred === true || record.state === 'ambiguous' || (record.candidates?.length ?? 0) > 1;

/** Whether the position after a ply was seen: the last of several plies that nobody saw leads to the picture that was. */
const isSeenAfter = (plies: readonly LinePly[], index: number): boolean =>
  plies[index]!.record.inferred !== true || plies[index + 1]?.record.inferred !== true;

/** All ways in which a game may have gone; at least one, unless there are too many. */
function historiesOf(line: GameLine): readonly History[] {
  const { plies, start } = line;
  let histories: History[] = [
    { position: start, seen: new Map([[start.key(), 1]]), halfmoves: start.halfmoves },
  ];
  // What the board showed before a run of plies that nobody saw.
  let gap: string | undefined;
  for (const [index, ply] of plies.entries()) {
    const inferred = ply.record.inferred === true;
    gap = inferred ? (gap ?? progressKey(ply.before.cells)) : undefined;
    const seenAfter = isSeenAfter(plies, index);
    // Legal plies between two pictures with the same pawns and the same pieces: none of them was a pawn move or capture.
    const provesQuiet = gap !== undefined && seenAfter && progressKey(ply.after.cells) === gap;
    const next: History[] = [];
    for (const history of histories) {
      const all = continuations(history.position, ply);
      for (const played of all) {
        // Where the way does not fork, the map goes along.
        const seen = all.length === 1 ? history.seen : new Map(history.seen);
        const key = played.after.key();
        if (seenAfter) seen.set(key, (seen.get(key) ?? 0) + 1);
        // The last of plies that nobody saw may have been the pawn move or capture that one of them was.
        const quiet = !played.zeroes && (!inferred || !seenAfter || provesQuiet);
        next.push({ position: played.after, seen, halfmoves: quiet ? history.halfmoves + 1 : 0 });
      }
    }
    histories = next.length > MAX_HISTORIES || next.length === 0 ? [restart(ply)] : next;
  }
  return histories;
}

/** Nothing before this ply is counted any more. */
const restart = (ply: LinePly): History => ({
  position: ply.after,
  seen: new Map([[ply.after.key(), 1]]),
  halfmoves: 0,
});

type Continuation = Pick<Played, 'after' | 'zeroes'>;

/** What a ply may have been after one of the positions it may have been played in. */
function continuations(position: Position, ply: LinePly): Continuation[] {
  const { candidates, san, uci } = ply.record;
  if (candidates === undefined || candidates.length < 2) {
    if (position === ply.before) return [ply];
    const played = playRecorded(position, san, uci);
    return played === undefined ? [] : [played];
  }
  const all: Continuation[] = [];
  for (const candidate of candidates) {
    const played = candidate === san ? playRecorded(position, san, uci) : playRecorded(position, candidate);
    if (played !== undefined) all.push(played);
  }
  return all;
}

/** Whether the record as it stands comes to as many occurrences or half-moves with its last ply: a quick look. */
export function comesTo(line: GameLine, occurrences: number, halfmoves: number): boolean {
  const key = line.position.key();
  let seen = line.start.key() === key ? 1 : 0;
  let count = line.start.halfmoves;
  for (const { after, zeroes } of line.plies) {
    if (after.key() === key) seen++;
    count = zeroes ? 0 : count + 1;
  }
  return seen >= occurrences || count >= halfmoves;
}

/** How often the position after the last ply, or after a legal move played there, has occurred (9.2.2, 9.2.3). */
export function countRepetitions(line: GameLine, move?: Move): Repetition {
  const key = afterMove(line.position, move)!.key();
  const plies: number[] = line.start.key() === key ? [0] : [];
  for (const { number, after } of line.plies) if (after.key() === key) plies.push(number);
  if (move !== undefined) plies.push(line.plies.length + 1);
  const recorded = plies.length;
  if (!line.plies.some(isDoubtful)) return { atLeast: recorded, recorded, plies };
  let atLeast = recorded;
  for (const history of historiesOf(line)) {
    const after = afterMove(history.position, move);
    atLeast = Math.min(
      atLeast,
      after === undefined ? 0 : (history.seen.get(after.key()) ?? 0) + (move === undefined ? 0 : 1),
    );
  }
  return { atLeast, recorded, plies };
}

/** Half-moves since the last pawn move or capture (9.3), after the last ply or after a legal move played there. */
export function countHalfmoves(line: GameLine, move?: Move): DrawCount {
  const { cells } = line.position;
  if (move !== undefined && (move.captured !== undefined || roleOfCell(cells[move.from]!) === 'pawn'))
    return { atLeast: 0, recorded: 0 };
  const more = move === undefined ? 0 : 1;
  let recorded = line.start.halfmoves;
  for (const ply of line.plies) recorded = ply.zeroes ? 0 : recorded + 1;
  recorded += more;
  if (!line.plies.some(isDoubtful)) return { atLeast: recorded, recorded };
  const counts = historiesOf(line).map((history) => history.halfmoves + more);
  return { atLeast: Math.min(recorded, ...counts), recorded };
}

/** The position itself, or after a move that is legal there; undefined where it is not. */
function afterMove(position: Position, move: Move | undefined): Position | undefined {
  if (move === undefined) return position;
  const same = position
    .movesFrom(move.from)
    .find((m) => m.to === move.to && m.promotion === move.promotion && !m.castling === !move.castling);
  return same === undefined ? undefined : position.play(same);
}

/** What a claim asks for. */
export interface ClaimRequest {
  /** The move the player has written and not played (9.2.1, 9.3.1); absent for the position that stands. */
  readonly move?: Move;
  /** The player has touched a piece since the opponent's move: the right to claim is lost for this move (9.4). */
  readonly touched?: boolean;
}

/** `correct`: proved; `wrong`: not there even as the record stands; `undecided`: it hangs on plies in doubt. */
export type ClaimVerdict = 'correct' | 'wrong' | 'undecided';

/** One rule by which a draw can be claimed, and what the record says of it. */
export interface ClaimAnswer extends DrawCount {
  readonly rule: 'threefold' | 'fifty';
  /** 9.2.1, 9.2.2, 9.3.1 or 9.3.2. */
  readonly article: string;
  readonly needed: number;
  readonly verdict: ClaimVerdict;
  /** Plies concerned: those that brought the position about, or the first and last of the moves without progress. */
  readonly plies: readonly number[];
}

/** What the record says to a claim; the arbiter decides (9.5). */
export interface ClaimCheck {
  /** Who could claim: the player to move (9.2, 9.3). */
  readonly claimant: Side;
  /** Number of the last ply; a written move would be the next. */
  readonly ply: number;
  readonly answers: readonly [ClaimAnswer, ClaimAnswer];
  /** The claimant has touched a piece: no claim with this move (9.4). */
  readonly isForfeited: boolean;
  /** The game has ended on the board: there is nothing to claim. */
  readonly ended: Ending | undefined;
  /** Plies in doubt that make a count uncertain. */
  readonly doubtful: readonly number[];
  /** The last ply may still be replaced. */
  readonly isProvisional: boolean;
}

/** Whether a claim is worth the arbiter's while: some rule is met for certain, and nothing bars the claim. */
export const isClaimable = (check: ClaimCheck): boolean =>
  !check.isForfeited && check.ended === undefined && check.answers.some((a) => a.verdict === 'correct');

/** Checks a claim of the player to move for the position that stands, or for a written move (9.2, 9.3, 9.4). */
export function checkClaim(line: GameLine, { move, touched = false }: ClaimRequest = {}): ClaimCheck {
  const last = line.plies.length;
  const repetition = countRepetitions(line, move);
  const halfmoves = countHalfmoves(line, move);
  const upTo = move === undefined ? last : last + 1;
  const verdict = ({ atLeast, recorded }: DrawCount, needed: number): ClaimVerdict =>
    atLeast >= needed ? 'correct' : recorded >= needed ? 'undecided' : 'wrong';
  const form = move === undefined ? 2 : 1;
  return {
    claimant: line.position.turn,
    ply: last,
    answers: [
      {
        rule: 'threefold',
        article: `9.2.${form}`,
        needed: THREEFOLD,
        ...repetition,
        verdict: verdict(repetition, THREEFOLD),
      },
      {
        rule: 'fifty',
        article: `9.3.${form}`,
        needed: FIFTY_PLIES,
        ...halfmoves,
        verdict: verdict(halfmoves, FIFTY_PLIES),
        plies: halfmoves.recorded === 0 ? [] : [Math.max(1, upTo - halfmoves.recorded + 1), upTo],
      },
    ],
    isForfeited: touched,
    ended: line.position.ending(),
    doubtful: line.plies.filter(isDoubtful).map(({ number }) => number),
    isProvisional: line.plies.at(-1)?.record.state === 'provisional',
  };
}

/** Reads an intended move as a player writes it (SAN, tolerant) or as UCI; undefined unless one legal move is meant. */
export const parseIntended = (line: GameLine, text: string): Move | undefined =>
  line.position.parseUci(text) ?? line.position.parseSan(text);

/** A draw that ends the game by itself. */
export interface AutomaticDraw extends DrawCount {
  readonly type: 'fivefold' | 'seventy-five';
  readonly article: '9.6.1' | '9.6.2';
}

/**
 * The draw that the last ply has brought about by itself, if that is certain: the fifth occurrence of a position (9.6.1)
 * or 75 moves by each player without pawn move or capture (9.6.2). A mate on the last of them wins, and a game that ended
 * before cannot end again.
 */
export function automaticDraw(line: GameLine): AutomaticDraw | undefined {
  if (line.plies.length === 0 || !comesTo(line, FIVEFOLD, SEVENTY_FIVE_PLIES)) return undefined;
  if (line.position.ending() !== undefined) return undefined;
  const repetition = countRepetitions(line);
  if (repetition.atLeast >= FIVEFOLD) return { ...repetition, type: 'fivefold', article: '9.6.1' };
  const halfmoves = countHalfmoves(line);
  if (halfmoves.atLeast >= SEVENTY_FIVE_PLIES)
    return { ...halfmoves, type: 'seventy-five', article: '9.6.2' };
  return undefined;
}
