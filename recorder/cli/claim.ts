import type { GameRecord } from '../../core/game-record.ts';
import {
  type ClaimAnswer,
  type ClaimCheck,
  checkClaim,
  isClaimable,
  parseIntended,
} from '../../core/laws/draw-rules.ts';
import { type GameLine, lineOf } from '../../core/laws/game-line.ts';
import type { Move } from '../../core/position.ts';
import { openStoreReader } from '../store/store.ts';
import { plainText } from '../view/display-text.ts';
import { CLAIM, parseGameId, parseOptions } from './arguments.ts';
import type { Io } from './io.ts';
import { ArgumentError } from './print-fault.ts';

/**
 * Checks a draw claim (9.2, 9.3) in a stored game: for the position that stands, or for a move that the player has
 * written. Whatever the answer, the status is 0; the arbiter decides.
 */
export async function runClaim(game: string, options: unknown, io: Io): Promise<number> {
  const id = parseGameId(game);
  const { db, move, ply, touched, json } = parseOptions(CLAIM, options);
  const reader = openStoreReader(db);
  try {
    const [stored] = reader.games({ id });
    if (stored === undefined) throw new ArgumentError(`there is no game ${id} in ${db}`);
    const claim = lookAt(stored.record, { move, ply, touched });
    if (json) io.out.write(`${JSON.stringify(makeClaimLine(id, claim))}\n`);
    else for (const line of makeClaimText(id, claim)) io.out.write(`${plainText(line)}\n`);
    return 0;
  } finally {
    reader.close();
  }
}

/** A claim looked at in the record of its game. */
interface LookedAt {
  readonly line: GameLine;
  readonly move: Move | undefined;
  readonly check: ClaimCheck;
  /** When the player to move lifted a piece and put it back, before any claim (4.2, 9.4); monotonic. */
  readonly touchedAtMs: readonly number[];
}

interface ClaimOptions {
  readonly move: string | undefined;
  readonly ply: number | undefined;
  readonly touched: boolean;
}

function lookAt(record: GameRecord, { move: text, ply, touched }: ClaimOptions): LookedAt {
  const last = ply ?? record.plies.length;
  if (last > record.plies.length) throw new ArgumentError(`--ply: the game has ${record.plies.length} plies`);
  const line = lineOf(record.start, record.variant, record.plies.slice(0, last));
  if (line.brokenAt !== undefined)
    throw new ArgumentError(
      `ply ${line.brokenAt} of the record cannot be played: a claim must be checked by hand`,
    );
  const move = text === undefined ? undefined : parseIntended(line, text);
  if (text !== undefined && move === undefined)
    throw new ArgumentError(`--move: ${text} is no legal move after ply ${last}`);
  const touchedAtMs = record.flags
    .filter((flag) => flag.code === 'TOUCH' && flag.ply === last + 1)
    .map((flag) => flag.atMs);
  const request = { touched: touched || touchedAtMs.length > 0, ...(move !== undefined && { move }) };
  return { line, move, check: checkClaim(line, request), touchedAtMs };
}

/** One line of `claim --json`. */
const makeClaimLine = (game: number, { line, move, check, touchedAtMs }: LookedAt) => ({
  game,
  ply: check.ply,
  claimant: check.claimant,
  move: move === undefined ? null : line.position.san(move),
  claimable: isClaimable(check),
  forfeited: check.isForfeited,
  touchedAtMs,
  ended: check.ended ?? null,
  provisional: check.isProvisional,
  doubtful: check.doubtful,
  answers: check.answers.map((answer) => ({
    ...answer,
    moves: answer.plies.map((ply) => nameOf(line, ply, move)),
  })),
});

function makeClaimText(game: number, { line, move, check, touchedAtMs }: LookedAt): string[] {
  const side = check.claimant === 'white' ? 'White' : 'Black';
  const written = move === undefined ? '' : `, written move ${nameOf(line, check.ply + 1, move)}`;
  const lines = [`game ${game}, after ${nameOf(line, check.ply, move)}: ${side} to move${written}`];
  for (const answer of check.answers) lines.push(makeAnswerText(line, move, answer));
  if (check.doubtful.length > 0) lines.push(`plies in doubt: ${check.doubtful.join(', ')}`);
  if (check.isProvisional) lines.push('the last ply may still be replaced');
  if (check.isForfeited) {
    const times = touchedAtMs.length === 0 ? '' : `, seen ${touchedAtMs.length} times`;
    lines.push(`9.4: a piece was touched before the claim${times}: no claim with this move`);
  }
  if (check.ended !== undefined) lines.push(`the game has ended on the board: ${check.ended}`);
  lines.push(isClaimable(check) ? 'can be claimed' : 'cannot be claimed on this record');
  return lines;
}

function makeAnswerText(line: GameLine, move: Move | undefined, answer: ClaimAnswer): string {
  const { rule, article, verdict, atLeast, recorded, needed, plies } = answer;
  const count = atLeast === recorded ? `${recorded}` : `at least ${atLeast}, ${recorded} as recorded`;
  const names = plies.map((ply) => nameOf(line, ply, move));
  if (rule === 'threefold')
    return `${article} threefold repetition: ${verdict}, ${count} of ${needed} occurrences (${names.join(', ')})`;
  const since = plies.length === 0 ? '' : ` (${names[0]} to ${names.at(-1)})`;
  return `${article} fifty moves: ${verdict}, ${count} of ${needed} half-moves${since}`;
}

/** A ply as an arbiter names it: "4...Ng8"; "the start" before the first; one past the end is the written move. */
function nameOf(line: GameLine, number: number, written: Move | undefined): string {
  if (number === 0) return 'the start';
  const before = line.positionBefore(number);
  const dots = before.turn === 'white' ? '.' : '...';
  const san = line.plies[number - 1]?.record.san ?? before.san(written!);
  return `${before.fullmoves}${dots}${san}`;
}
