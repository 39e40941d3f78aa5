/**
 * What of a game needs somebody to look at it: flags that are not settled yet, each with what can be done about it. A
 * pure function of the record and of what was entered, so that every desk sees the same list.
 */
import { FLAG_WORDS, type Flag, type FlagWord, wordOf } from '../../../core/flag.ts';
import type { GameRecord } from '../../../core/game-record.ts';
import { type GameLine, lineOf } from '../../../core/laws/game-line.ts';
import { doerOf, IRREGULARITIES, type IrregularityKind } from '../../../core/laws/irregularity-kind.ts';
import { opponent, SIDES } from '../../../core/square.ts';
import { checkCorrection } from '../../correct-record.ts';
import type { Entry, EntryContent } from '../../entry.ts';
import { compareAttention } from './attention-order.ts';
import type { Attention, Resolution } from './hall-row.ts';

const KINDS = Object.keys(IRREGULARITIES) as IrregularityKind[];

/** Flags below a warning that need a look all the same. */
const NOTABLE: readonly FlagWord[] = [
  'PROMO_ASSUMED',
  'THREEFOLD_CLAIMABLE',
  'FIFTY_CLAIMABLE',
  'ILLEGAL',
  'ILLEGAL_STANDS',
  'DEFAULT_TIME',
  'RESULT_HINT',
];

/** What is over as soon as board and record agree again. */
const WHILE_APART: readonly FlagWord[] = [
  'DISPLACED',
  'WRONG_COLOUR',
  'PIECE_MISSING',
  'EXTRA_PIECE',
  'SENSOR_MISSING',
  'CASTLING_INCOMPLETE',
  'EP_VICTIM_LEFT',
  'PROMO_PENDING',
  'RESULT_HINT',
];

/** What only lasts until the next ply. */
const UNTIL_NEXT_PLY: readonly FlagWord[] = ['THREEFOLD_CLAIMABLE', 'FIFTY_CLAIMABLE', 'RESULT_HINT'];

/** What has no meaning once the game is over. */
const WHILE_PLAYING: readonly FlagWord[] = [
  ...WHILE_APART,
  ...UNTIL_NEXT_PLY,
  'LINK_LOST',
  'CLOCK_LOST',
  'WRONG_START',
  'DEFAULT_TIME',
  'PERIOD_EARLY',
  'IRREGULAR_SINCE',
];

/** Endings that stand by themselves: told, nothing to decide. */
const ENDS_BY_ITSELF: readonly FlagWord[] = ['FIVEFOLD', 'SEVENTY_FIVE', 'DEAD_POSITION'];

/** What is known of a game. */
export interface AttentionSource {
  readonly id: number;
  readonly record: GameRecord;
  /** What was entered about it, undone entries included. */
  readonly entries: readonly Entry[];
  readonly isLinkUp: boolean;
  /** When the clock was heard last, monotonic ms; absent where that is not known. */
  readonly clockHeardMs?: number | undefined;
  readonly wallMsOf: (atMs: number) => number;
}

/** Lists what needs attention in a game, the gravest first, the oldest of equals first. */
export function attentionOf(source: AttentionSource): Attention[] {
  const { record } = source;
  if (record.flags.length === 0) return [];
  const line = lineOf(record.start, record.variant, record.plies);
  const said = source.entries.filter(({ undone }) => undone === undefined).map(({ what }) => what);
  const list = new Map<string, Attention>();
  for (const flag of record.flags) {
    const word = wordOf(flag.code);
    if (!Object.hasOwn(FLAG_WORDS, word) || !needsLook(flag, word)) continue;
    const key = `${source.id} ${word} ${flag.ply}`;
    if (isSettled(flag, word, source, said, line)) list.delete(key);
    else list.set(key, makeAttention(key, flag, word, source, line));
  }
  return [...list.values()].sort(compareAttention);
}

/** Words of which an entry of the list is made. */
export const LISTED_WORDS: readonly FlagWord[] = (Object.keys(FLAG_WORDS) as FlagWord[]).filter((word) => {
  const [severity] = FLAG_WORDS[word];
  return severity === 'warning' || severity === 'alarm' || NOTABLE.includes(word);
});

const needsLook = ({ severity }: Flag, word: FlagWord): boolean =>
  severity === 'warning' || severity === 'alarm' || (NOTABLE.includes(word) && severity !== 'info');

function isSettled(
  flag: Flag,
  word: FlagWord,
  { record, entries, isLinkUp, clockHeardMs = Number.NEGATIVE_INFINITY }: AttentionSource,
  said: readonly EntryContent[],
  line: GameLine,
): boolean {
  const isAcknowledged = entries.some(
    ({ undone, what, atMs }) =>
      undone === undefined &&
      what.type === 'acknowledge' &&
      what.word === word &&
      what.ply === flag.ply &&
      // That it was seen on the board says nothing of its completion later.
      !(word === 'ILLEGAL' && flag.severity === 'alarm' && atMs < flag.atMs),
  );
  if (isAcknowledged) return true;
  if (record.ended && WHILE_PLAYING.includes(word)) return true;
  if (UNTIL_NEXT_PLY.includes(word) && record.plies.length > flag.ply) return true;
  if (WHILE_APART.includes(word) && record.inSync) return true;
  const kind = kindOf(flag, word);
  if (kind !== undefined) {
    const { ply, side } = refOf(kind, flag, line);
    const isRuled = said.some(
      (what) =>
        (what.type === 'confirm' || what.type === 'dismiss') &&
        what.kind === kind &&
        what.ply === ply &&
        what.side === side,
    );
    if (isRuled) return true;
  }
  switch (word) {
    case 'ILLEGAL':
      // Not completed, and put right: nothing has happened (7.5.1).
      return flag.severity !== 'alarm' && record.inSync;
    case 'AMBIGUOUS':
      return !record.plies.slice(Math.max(0, flag.ply - 1)).some((ply) => ply?.state === 'ambiguous');
    case 'PROMO_ASSUMED':
      return isCorrected(said, flag.ply);
    case 'CORRECTION_REFUSED':
      return false;
    case 'LINK_LOST':
      return isLinkUp;
    case 'CLOCK_LOST':
      // A clock is as far away as its board: one absence is enough to be told.
      return clockHeardMs > flag.atMs || !isLinkUp;
    case 'FLAG_FALL':
      return record.ended || said.some((what) => what.type === 'flag-registered');
    case 'RESULT_PROPOSED':
      // What somebody has said since settles it; a resignation that was entered before is what it is about (5.1.2).
      return (
        (record.ended && flag.code === `${word}(${record.score ?? record.result})`) ||
        entries.some(
          ({ undone, what, atMs }) => undone === undefined && what.type === 'result' && atMs > flag.atMs,
        )
      );
    case 'RESULT_UNKNOWN':
    case 'RESULT_CONFLICT':
    case 'RESULT_CHANGED':
    case 'DRAW_A54':
      return said.some((what) => what.type === 'result');
    default:
      return false;
  }
}

/** Whether somebody has said what was played at a ply. */
const isCorrected = (said: readonly EntryContent[], ply: number): boolean =>
  said.some(
    (what) =>
      what.type === 'correction' &&
      what.from <= ply &&
      (what.replaces === undefined || ply < what.from + Math.max(what.replaces, what.plies.length)),
  );

/** The irregularity a flag tells of; undefined for the others. */
const kindOf = ({ severity }: Flag, word: FlagWord): IrregularityKind | undefined =>
  word === 'OUT_OF_TURN' && severity === 'info'
    ? undefined
    : KINDS.find((kind) => IRREGULARITIES[kind].word === word);

function refOf(kind: IrregularityKind, flag: Flag, line: GameLine) {
  const ply = Math.max(1, flag.ply);
  const { turn } = line.start;
  const side = doerOf(kind, ply % 2 === 1 ? turn : opponent(turn));
  return { kind, ...(side !== undefined && { side }), ply };
}

function makeAttention(
  key: string,
  flag: Flag,
  word: FlagWord,
  source: AttentionSource,
  line: GameLine,
): Attention {
  const [, article] = FLAG_WORDS[word];
  return {
    key,
    game: source.id,
    code: flag.code,
    severity: flag.severity,
    ply: flag.ply,
    sinceMs: source.wallMsOf(flag.atMs),
    article,
    ...(flag.detail !== undefined && { detail: flag.detail }),
    resolutions: resolutionsOf(flag, word, source.record, line),
  };
}

const OPEN: Resolution = { name: 'open' };

function resolutionsOf(flag: Flag, word: FlagWord, record: GameRecord, line: GameLine): Resolution[] {
  const acknowledge: Resolution = { name: 'acknowledge', what: { type: 'acknowledge', word, ply: flag.ply } };
  const kind = kindOf(flag, word);
  if (kind !== undefined) {
    const ref = refOf(kind, flag, line);
    const ruled: Resolution[] = [
      { name: 'confirm', what: { type: 'confirm', ...ref } },
      { name: 'dismiss', what: { type: 'dismiss', ...ref } },
    ];
    const apart: Resolution[] = record.inSync ? [] : [{ name: 'resynchronise' }];
    // Not completed: there is nothing to count yet (4.7).
    if (word === 'ILLEGAL' && flag.severity !== 'alarm') return [acknowledge, ...apart, OPEN];
    // What 7.5.5 does not count has no penalty to be confirmed: that it was seen is the usual end of it.
    return IRREGULARITIES[kind].counts ? [...ruled, ...apart, OPEN] : [acknowledge, ...apart, ...ruled, OPEN];
  }
  switch (word) {
    case 'AMBIGUOUS':
      return [...choicesOf(flag, record), cutAt(flag.ply), OPEN];
    case 'PROMO_ASSUMED':
      return [...promotionsOf(flag, record), acknowledge, OPEN];
    case 'THREEFOLD_CLAIMABLE':
    case 'FIFTY_CLAIMABLE':
      return [{ name: 'claim' }, acknowledge, OPEN];
    case 'FLAG_FALL': {
      const side = SIDES.find((s) => flag.detail?.startsWith(s));
      const register: Resolution[] =
        side === undefined ? [] : [{ name: 'register', what: { type: 'flag-registered', side } }];
      return [...register, acknowledge, { name: 'claim' }, OPEN];
    }
    case 'RESULT_UNKNOWN':
    case 'RESULT_CONFLICT':
    case 'RESULT_CHANGED':
    case 'RESULT_PROPOSED':
    case 'DRAW_A54':
    case 'DEFAULT_TIME':
      return [{ name: 'decide-result' }, acknowledge, OPEN];
    default: {
      if (ENDS_BY_ITSELF.includes(word)) return [acknowledge, OPEN];
      const apart: Resolution[] = record.inSync ? [] : [{ name: 'resynchronise' }];
      return [acknowledge, ...apart, OPEN];
    }
  }
}

const cutAt = (ply: number): Resolution => ({
  name: 'cut',
  what: { type: 'correction', from: Math.max(1, ply), plies: [] },
});

/** The stored line of a doubt, and the others that fit as well; in SAN, as the flag tells them. */
function choicesOf({ ply, detail = '' }: Flag, record: GameRecord): Resolution[] {
  const from = Math.max(1, ply);
  const told = detail.split(';').map((text) =>
    text
      .trim()
      .split(/\s+/)
      .filter((word) => word !== ''),
  );
  const isOfOrders = told.some((moves) => moves.length > 1);
  // Where whole orders are in doubt, another single move fits nothing.
  const ofPly = isOfOrders ? [] : (record.plies[from - 1]?.candidates ?? []).map((san) => [san]);
  const lengths = [...told, ...ofPly].map(({ length }) => length);
  const length = Math.min(Math.max(1, ...lengths), Math.max(1, record.plies.length - from + 1));
  const stored = record.plies.slice(from - 1, from - 1 + length).map(({ san }) => san);
  const seen = new Set<string>();
  const choices: Resolution[] = [];
  for (const moves of [stored, ...told, ...ofPly]) {
    if (moves.length === 0 || seen.has(moves.join(' '))) continue;
    seen.add(moves.join(' '));
    // What the detail says is words for people: only what can be played is offered.
    const checked = checkCorrection(record, from, moves, moves.length);
    if ('move' in checked) continue;
    choices.push({
      name: choices.length === 0 ? 'accept' : 'replace',
      what: checked.correction,
      moves: checked.sans,
    });
  }
  return choices;
}

/** The queen that was assumed, and the other pieces it may have been (3.7.3.5). */
function promotionsOf({ ply }: Flag, record: GameRecord): Resolution[] {
  const stored = record.plies[ply - 1];
  const base = /^[a-h][1-8][a-h][1-8](?=[qrbn]$)/.exec(stored?.uci ?? '')?.[0];
  if (base === undefined) return [];
  return ['q', 'r', 'b', 'n'].flatMap((role, i): Resolution[] => {
    const checked = checkCorrection(record, ply, [`${base}${role}`], 1);
    if ('move' in checked) return [];
    return [{ name: i === 0 ? 'accept' : 'replace', what: checked.correction, moves: checked.sans }];
  });
}
