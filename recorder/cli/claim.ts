import type { GameRecord } from '../../core/game-record.ts';
import {
  type ClaimAnswer,
  type ClaimCheck,
  checkClaim,
  isClaimable,
  parseIntended,
} from '../../core/laws/draw-rules.ts';
import { type GameLine, lineOf } from '../../core/laws/game-line.ts';
import { wrongClaimTimeMs } from '../../core/laws/penalty-ladder.ts';
import type { RateOfPlay } from '../../core/laws/rate-of-play.ts';
import type { Move } from '../../core/position.ts';
import { opponent, type Side } from '../../core/square.ts';
import { createPhrases, type Phrases } from '../language/phrases.ts';
import { rateOf } from '../paper/paper-game.ts';
import { createPaperSource } from '../paper/paper-source.ts';
import { openStoreReader } from '../store/store.ts';
import { plainText } from '../view/display-text.ts';
import { CLAIM, parseGameId, parseOptions, phrasesFor } from './arguments.ts';
import type { Io } from './io.ts';
import { ArgumentError } from './print-fault.ts';

/**
 * Checks a draw claim (9.2, 9.3) in a stored game: for the position that stands, or for a move that the player has
 * written. Whatever the answer, the status is 0; the arbiter decides.
 */
export async function runClaim(game: string, options: unknown, io: Io): Promise<number> {
  const id = parseGameId(game);
  const { db, move, ply, touched, json, lang } = parseOptions(CLAIM, options);
  const phrases = phrasesFor(lang, io);
  const reader = openStoreReader(db);
  try {
    const [stored] = reader.games({ id });
    if (stored === undefined) throw new ArgumentError(`there is no game ${id} in ${db}`);
    const rate = rateOf(createPaperSource(reader, false).gameOf(stored));
    const claim = { ...lookAt(stored.record, { move, ply, touched }), rate };
    if (json) io.out.write(`${JSON.stringify(makeClaimLine(id, claim))}\n`);
    else for (const line of makeClaimText(id, claim, phrases)) io.out.write(`${plainText(line)}\n`);
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

/** With the rate of play of its game, where that is known. */
interface Claim extends LookedAt {
  readonly rate: RateOfPlay | undefined;
}

/** What the Laws provide for a claim that is wrong (9.5.3); undefined where it is right, or not certainly wrong. */
function providedFor({ check, rate }: Claim): { readonly to: Side; readonly ms: number } | undefined {
  const isWrong = check.answers.every(({ verdict }) => verdict === 'wrong');
  if (!isWrong || check.isForfeited || check.ended !== undefined || check.doubtful.length > 0)
    return undefined;
  return { to: opponent(check.claimant), ms: wrongClaimTimeMs(rate) };
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
const makeClaimLine = (game: number, claim: Claim) => ({
  ...makeAnswerLine(game, claim),
  provided: providedFor(claim) ?? null,
});

const makeAnswerLine = (game: number, { line, move, check, touchedAtMs }: LookedAt) => ({
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

function makeClaimText(game: number, looked: Claim, phrases: Phrases): string[] {
  const { line, move, check, touchedAtMs } = looked;
  const where =
    check.ply === 0
      ? phrases.text('claim-at-start')
      : phrases.text('claim-after', { move: nameOf(line, check.ply, move, phrases) });
  const side = phrases.side(check.claimant).genitive;
  const lines =
    move === undefined
      ? [phrases.text('claim-head', { game, where, side })]
      : [
          phrases.text('claim-head-written', {
            game,
            where,
            side,
            written: nameOf(line, check.ply + 1, move, phrases),
          }),
        ];
  for (const answer of check.answers) lines.push(makeAnswerText(line, move, answer, phrases));
  if (check.doubtful.length > 0)
    lines.push(phrases.text('claim-doubtful', { plies: check.doubtful.join(', ') }));
  if (check.isProvisional) lines.push(phrases.text('claim-provisional'));
  if (check.isForfeited) {
    const article = phrases.article('9.4');
    const times = phrases.count('time', touchedAtMs.length);
    lines.push(
      touchedAtMs.length === 0
        ? phrases.text('claim-touched', { article })
        : phrases.text('claim-touched-seen', { article, times }),
    );
  }
  if (check.ended !== undefined)
    lines.push(phrases.text('claim-ended', { ending: phrases.catalogue.terminations[check.ended].name }));
  lines.push(phrases.text(isClaimable(check) ? 'claim-can' : 'claim-cannot'));
  const provided = providedFor(looked);
  if (provided !== undefined) {
    const time = phrases.count('minute', provided.ms / 60_000);
    lines.push(phrases.text('claim-provided', { time, side: phrases.side(provided.to).dative }));
  }
  return lines;
}

function makeAnswerText(
  line: GameLine,
  move: Move | undefined,
  answer: ClaimAnswer,
  phrases: Phrases,
): string {
  const { rule, article, verdict, atLeast, recorded, needed, plies } = answer;
  const { claimRules, claimVerdicts } = phrases.catalogue;
  const count =
    atLeast === recorded ? recorded : phrases.text('claim-at-least', { certain: atLeast, recorded });
  const names = plies.map((ply) => nameOf(line, ply, move, phrases));
  const about =
    rule === 'threefold'
      ? names.join(', ')
      : names.length < 2 || names[0] === names.at(-1)
        ? (names[0] ?? '')
        : phrases.text('claim-from-to', { from: names[0]!, to: names.at(-1)! });
  const counted = phrases.text(`claim-${rule}`, { count, needed });
  const tail = about === '' ? '' : ` (${about})`;
  return `${phrases.article(article)}, ${claimRules[rule]}: ${claimVerdicts[verdict]}, ${counted}${tail}`;
}

/** A ply as an arbiter names it: "4...Ng8"; "the start" before the first; one past the end is the written move. */
function nameOf(line: GameLine, number: number, written: Move | undefined, phrases?: Phrases): string {
  if (number === 0) return (phrases ?? ENGLISH).text('claim-start');
  const before = line.positionBefore(number);
  const dots = before.turn === 'white' ? '.' : '...';
  const san = line.plies[number - 1]?.record.san ?? before.san(written!);
  return `${before.fullmoves}${dots}${phrases === undefined ? san : phrases.move(san)}`;
}

/** The words of `--json`, whatever the language. */
const ENGLISH = createPhrases('en');
