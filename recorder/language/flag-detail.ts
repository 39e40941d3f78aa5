/**
 * The details of flags, which are stored in the words of whoever raised them: squares and moves are the same in every
 * language, and each kind of phrase is known here by its form. What has no known form is told in English only.
 */
import type { FlagWord } from '../../core/flag.ts';
import { RESULTS, type ResultReason } from '../../core/game-event.ts';
import { ENDINGS, type MateVerdict, type Termination, terminationOf } from '../../core/laws/endings.ts';
import { IRREGULARITIES, type IrregularityKind } from '../../core/laws/irregularity-kind.ts';
import { ROLES, type Role } from '../../core/placement.ts';
import { SIDES, type Side } from '../../core/square.ts';
import { makeShortTime } from './short-time.ts';
import type { Wording } from './wording.ts';

const MATE_TEXTS = {
  winnable: 'detail-can-mate',
  unwinnable: 'detail-cannot-mate',
  undecided: 'detail-mate-open',
} as const satisfies Record<MateVerdict, string>;

type Teller = (phrases: Wording, groups: readonly string[]) => string | undefined;

interface Form {
  readonly form: RegExp;
  readonly tell: Teller;
}

const SIDE = `(${SIDES.join('|')})`;
const MOVE = `(?:O-O(?:-O)?|[KQRBN]?[a-h1-8]{0,2}x?[a-h][1-8](?:=[QRBN])?|![a-h][1-8][a-h][1-8])[+#]?`;
const title = (phrases: Wording, side: string): string => phrases.side(side as Side).title;
const time = (seconds: string): string => makeShortTime(Number(seconds) * 1000);
const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text);
const isKind = (text: string): text is IrregularityKind => Object.hasOwn(IRREGULARITIES, text);

const endingName = ({ catalogue }: Wording, text: string): string | undefined => {
  if (Object.hasOwn(ENDINGS, text)) return catalogue.terminations[text as Termination].name;
  // `pieces` and the like are reasons of the board.
  return text === 'pieces' ? catalogue.terminations[terminationOf(text as ResultReason)].name : undefined;
};

/** Forms by word; a word that is not here tells of squares and moves only. */
const FORMS: Partial<Record<FlagWord, readonly Form[]>> = {
  TIME_ADDED: [
    { form: new RegExp(`^${SIDE} ([\\d.]+) s$`), tell: (p, [side, s]) => `${title(p, side!)} +${time(s!)}` },
  ],
  CLOCK_JUMP: [
    {
      form: new RegExp(`^${SIDE} ([\\d.]+) s to ([\\d.]+) s$`),
      tell: (p, [side, from, to]) => `${title(p, side!)} ${time(from!)} → ${time(to!)}`,
    },
  ],
  WRITING_OVER: [
    { form: new RegExp(`^${SIDE} ([\\d.]+) s$`), tell: (p, [side, s]) => `${title(p, side!)} ${time(s!)}` },
  ],
  DOUBLE_PRESS: [{ form: new RegExp(`^${SIDE}$`), tell: (p, [side]) => title(p, side!) }],
  DEFAULT_TIME: [{ form: new RegExp(`^${SIDE}$`), tell: (p, [side]) => title(p, side!) }],
  FLAG_FALL: [
    {
      form: new RegExp(`^${SIDE} (first|second|unknown), (\\d+) moves recorded$`),
      tell: (p, [side, order, moves]) =>
        p.text(`detail-fall-${order as 'first' | 'second' | 'unknown'}`, {
          side: title(p, side!),
          moves: moves!,
        }),
    },
  ],
  CLOCK_LOST: [
    {
      form: /^(disconnected|silent|no-presses)$/,
      tell: (p, [why]) => p.text(`detail-clock-${why as 'disconnected' | 'silent' | 'no-presses'}`),
    },
  ],
  RESULT: [{ form: /^([a-z-]+)$/, tell: (p, [reason]) => endingName(p, reason!) }],
  RESULT_PROPOSED: [
    { form: /^([a-z-]+)$/, tell: (p, [ending]) => endingName(p, ending!) },
    {
      form: /^([a-z-]+), (winnable|unwinnable|undecided)$/,
      tell: (p, [ending, verdict]) => {
        const name = endingName(p, ending!);
        return name && p.text(MATE_TEXTS[verdict as MateVerdict], { ending: name });
      },
    },
  ],
  RESULT_CHANGED: [
    { form: /^(\S+) to (\S+)$/, tell: (_, [from, to]) => (isScore(from!) ? `${from} → ${to}` : undefined) },
  ],
  RESULT_CONFLICT: [
    {
      form: /^board (\S+), desk (\S+)$/,
      tell: (p, [board, desk]) => p.text('detail-conflict-desk', { board: board!, desk: desk! }),
    },
    {
      form: /^board (\S+), drawn by itself$/,
      tell: (p, [board]) => p.text('detail-conflict-drawn', { board: board! }),
    },
    {
      form: new RegExp(`^flag ${SIDE} at ([\\d.]+) ms, ([a-z-]+) at ([\\d.]+) ms$`),
      tell: (p, [side, fell, ending, made]) => {
        const difference = (Number(made) - Number(fell)) / 1000;
        const seconds = `${difference < 0 ? '−' : '+'}${Math.abs(difference).toFixed(1)}`;
        const name = endingName(p, ending!);
        if (name === undefined) return undefined;
        return p.text('detail-conflict-flag', { side: p.side(side as Side).genitive, ending: name, seconds });
      },
    },
  ],
  UNDERPROMO_NOTICE: [
    { form: /^([a-z]+)$/, tell: (p, [role]) => (isRole(role!) ? p.catalogue.pieces[role].name : undefined) },
  ],
  THREEFOLD_CLAIMABLE: [
    { form: /^plies ([\d, ]+)$/, tell: (p, [plies]) => p.text('detail-plies', { plies: plies! }) },
  ],
  DRAW_TOO_EARLY: [{ form: /^(\d+) plies$/, tell: (p, [n]) => p.count('ply', Number(n)) }],
  FIFTY_CLAIMABLE: [{ form: /^(\d+) half-moves$/, tell: (p, [n]) => p.count('half-move', Number(n)) }],
  CORRECTION_REFUSED: [
    {
      form: /^(\S+) cannot be played as ply (\d+)$/,
      tell: (p, [move, ply]) => p.text('detail-unplayable', { move: p.move(move!), ply: ply! }),
    },
    {
      form: /^(\S+) before ply (\d+) cannot be played again$/,
      tell: (p, [move, ply]) => p.text('detail-not-again', { move: p.move(move!), ply: ply! }),
    },
    {
      form: /^ply (\d+) does not follow a record of (\d+) plies$/,
      tell: (p, [ply, plies]) => p.text('detail-beyond', { ply: ply!, plies: p.count('ply', Number(plies)) }),
    },
  ],
  POSTGAME: [{ form: /^its end is proposed here$/, tell: (p) => p.text('detail-end-here') }],
};

const PERIOD: readonly Form[] = [
  {
    form: new RegExp(`^${SIDE} period (\\d+), (\\d+) moves recorded$`),
    tell: (p, [side, period, moves]) =>
      p.text('detail-period', { side: title(p, side!), period: period!, moves: moves! }),
  },
];
const KINDS: readonly Form[] = [
  {
    form: /^([a-z-]+(?:, [a-z-]+)*)$/,
    tell: (p, [kinds]) => {
      const names = kinds!
        .split(', ')
        .map((kind) => (isKind(kind) ? p.catalogue.irregularities[kind] : undefined));
      return names.includes(undefined) ? undefined : names.join(', ');
    },
  },
];
const MORE_FORMS: Partial<Record<FlagWord, readonly Form[]>> = {
  PERIOD_CHANGE: PERIOD,
  PERIOD_EARLY: PERIOD,
  ILLEGAL_STANDS: KINDS,
  IRREGULAR_SINCE: KINDS,
  CLAIM_OVER: KINDS,
};

/** Moves and squares in lists, and numbers: no words. */
const NO_WORDS = new RegExp(`^(?:${MOVE}|\\d+)(?:[;, ]+(?:${MOVE}|\\d+))*$`);
const MOVES = new RegExp(MOVE, 'g');

const isScore = (text: string): boolean => (RESULTS as readonly string[]).includes(text);

/** The detail of a flag in a language; empty where there is none, or where this language has no words for it. */
export function makeFlagDetail(phrases: Wording, word: FlagWord, detail: string | undefined): string {
  if (detail === undefined || detail === '') return '';
  for (const { form, tell } of [...(FORMS[word] ?? []), ...(MORE_FORMS[word] ?? [])]) {
    const match = form.exec(detail);
    const told = match === null ? undefined : tell(phrases, match.slice(1));
    if (told !== undefined) return told;
  }
  if (NO_WORDS.test(detail)) return detail.replace(MOVES, (move) => phrases.move(move));
  return phrases.language === 'en' ? detail : '';
}
