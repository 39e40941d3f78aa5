import { z } from 'zod';
import { findBoard } from '../../boards/registry.ts';
import { BoardError } from '../../core/board-error.ts';
import { VARIANTS } from '../../core/game-event.ts';
import { RATES_OF_PLAY, REGIMES } from '../../core/laws/rate-of-play.ts';
import { DEFAULT_BUDGET } from '../../core/laws/unwinnable/winnability.ts';
import { Position } from '../../core/position.ts';
import { SIDES } from '../../core/square.ts';
import { type BoardAddress, parseBoardAddress } from '../../driver/address.ts';
import {
  type EventRules,
  MOST_DEFAULT_MINUTES,
  MOST_DRAW_FROM,
  readRules,
  type SaidRules,
} from '../event-rules.ts';
import { chooseLanguage } from '../language/language.ts';
import { createPhrases, type Phrases } from '../language/phrases.ts';
import { REASONS } from './decision-words.ts';
import type { Io } from './io.ts';
import { ArgumentError } from './print-fault.ts';

const PATH = z
  .string()
  .min(1, 'a file or folder must have a name')
  .refine((text) => !text.includes('\0'));

/** The language of messages; checked by `phrasesFor`. */
export const LANG = z.string().optional();

/** Options of all commands that look into a database. */
export const DB = z.object({ db: PATH });

const DEFAULT_MINUTES_HINT = `is a number of minutes from 1 to ${MOST_DEFAULT_MINUTES}`;
const DEFAULT_MINUTES = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, DEFAULT_MINUTES_HINT)
  .transform(Number)
  .refine((minutes) => minutes <= MOST_DEFAULT_MINUTES, DEFAULT_MINUTES_HINT)
  .optional();

const DRAW_FROM = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, `is a number of moves from 1 to ${MOST_DRAW_FROM}`)
  .transform(Number)
  .optional();

export const RECORD = DB.extend({
  board: z.array(z.string()).default([]),
  pgn: z.union([PATH, z.literal(false)]),
  capture: PATH.optional(),
  fen: z.string().optional(),
  variant: z.enum(VARIANTS),
  log: PATH.optional(),
  lights: z.boolean().default(false),
  lang: LANG,
  timeControl: z.string().optional(),
  supervision: z.enum(REGIMES).optional(),
  rate: z.enum(RATES_OF_PLAY).optional(),
  drawFrom: DRAW_FROM,
  defaultMinutes: DEFAULT_MINUTES,
});

const ID = z
  .string()
  .regex(/^\d{1,15}$/, 'is no number of a game; `jadoube games` lists them')
  .transform(Number);

export const GAMES = DB.extend({
  board: z.string().optional(),
  json: z.boolean().default(false),
  lang: LANG,
});

export const EXPORT = GAMES.extend({
  game: z.array(ID).default([]),
  all: z.boolean().default(false),
  tenths: z.boolean().default(false),
  emt: z.boolean().default(false),
  out: PATH.optional(),
});

export const CLAIM = DB.extend({
  move: z.string().min(2).max(12).optional(),
  ply: z
    .string()
    .regex(/^\d{1,5}$/, 'is no number of a ply')
    .transform(Number)
    .optional(),
  touched: z.boolean().default(false),
  lang: LANG,
  json: z.boolean().default(false),
});

const PAPER = DB.extend({
  /** To a file, or to standard output when no file is named. */
  html: z.union([PATH, z.literal(true)]).optional(),
  san: z.boolean().default(false),
  limited: z.boolean().default(false),
  lang: LANG,
});

export const SCORESHEET = PAPER;

export const REPORT = PAPER.extend({
  board: z.string().optional(),
  since: z
    .string()
    .transform(parseTime)
    .refine((ms) => !Number.isNaN(ms), 'is no day or time, such as 2026-11-30 or 2026-11-30T14:00')
    .optional(),
  game: z.array(ID).default([]),
  event: z.string().optional(),
  round: z.string().optional(),
  json: z.boolean().default(false),
}).refine(({ html, json }) => html === undefined || !json, {
  path: ['html'],
  error: 'does not go with --json',
});

/** A local day or time as ISO 8601 has it, ms since 1970; NaN when it is none. */
function parseTime(text: string): number {
  const form = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?)?$/.exec(text);
  if (form === null) return Number.NaN;
  // A day alone would be read as one of Greenwich.
  return Date.parse(form[1] === undefined ? `${text}T00:00` : text);
}

/** Reads a game's number as `games` lists it; throws an `ArgumentError`. */
export function parseGameId(text: string): number {
  const id = ID.safeParse(text);
  if (id.success) return id.data;
  throw new ArgumentError(`"${text}" ${id.error.issues[0]!.message}`);
}

/** The PGN folder; looked up when absent (`pgn-folder.ts`), `false` for none. */
const PGN_FOLDER = z.union([PATH, z.literal(false)]).optional();

/** Commander has `true` for an option whose opposite is known and that is absent. */
const DEFAULTED_PGN = z.preprocess((value) => (value === true ? undefined : value), PGN_FOLDER);

const SIGNED = z.string().max(100, 'is too long for a name').optional();

export const RULES = DB.extend({
  pgn: DEFAULTED_PGN,
  board: z.string().min(1).optional(),
  all: z.boolean().default(false),
  reset: z.boolean().default(false),
  timeControl: z.string().optional(),
  supervision: z.enum(REGIMES).optional(),
  rate: z.enum(RATES_OF_PLAY).optional(),
  drawFrom: DRAW_FROM,
  defaultMinutes: DEFAULT_MINUTES,
  arbiters: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'is no number of arbiters')
    .transform(Number)
    .optional(),
  by: SIGNED,
  lang: LANG,
  json: z.boolean().default(false),
}).transform((options) => ({
  ...options,
  pgn: options.pgn,
  timeControl: options.timeControl,
  supervision: options.supervision,
  rate: options.rate,
  drawFrom: options.drawFrom,
  defaultMinutes: options.defaultMinutes,
  arbiters: options.arbiters,
}));

export const DECIDE = DB.extend({
  pgn: DEFAULTED_PGN,
  by: SIGNED,
  ply: z.string().optional(),
  side: z.enum(SIDES).optional(),
  termination: z.enum(REASONS).optional(),
  replaces: z
    .string()
    .regex(/^\d{1,4}$/, 'is no number of plies')
    .transform(Number)
    .optional(),
  all: z.boolean().default(false),
  lang: LANG,
  json: z.boolean().default(false),
}).transform((options) => ({
  ...options,
  // There or undefined, so that a reader need not tell the two apart.
  pgn: options.pgn,
  ply: options.ply,
  side: options.side,
  termination: options.termination,
  replaces: options.replaces,
}));

export const DECISIONS_OF = DB.extend({ json: z.boolean().default(false), lang: LANG });

export const REDERIVE = GAMES.extend({ apply: z.boolean().default(false) });

export const DOCTOR = DB.extend({
  pgn: z.union([PATH, z.literal(false)]),
  json: z.boolean().default(false),
  udevRules: z.boolean().default(false),
});

export const STORED_GAMES = z.object({
  board: z.string().optional(),
  out: PATH,
  delete: z.boolean().default(false),
});

export const CLOCK = z.object({
  run: z.enum(['left', 'right'], 'is left or right, as the clock is seen from its front').optional(),
  beep: z.boolean().default(false),
});

export const UNWINNABLE = z.object({
  json: z.boolean().default(false),
  budget: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'is no number of nodes between 1 and 999999999')
    .transform(Number)
    .default(DEFAULT_BUDGET),
});

/** Checks options as the command line gives them; throws an `ArgumentError` that names the first wrong one. */
export function parseOptions<T extends z.ZodType>(schema: T, options: unknown): z.output<T> {
  const parsed = schema.safeParse(options);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0] ?? '');
  throw new ArgumentError(`--${name}: ${issue?.message ?? 'cannot be understood'}`);
}

/** What is said in the language of `--lang` or of the environment; throws LANGUAGE_UNKNOWN. */
export const phrasesFor = (
  lang: string | undefined,
  { env }: Pick<Io, 'env'>,
  options?: { readonly san?: boolean },
): Phrases => createPhrases(chooseLanguage(lang, env), options);

/** Reads `--board`; throws LINK_ADDRESS or BOARD_UNKNOWN. */
export function parseBoardOption(text: string): BoardAddress {
  const address = parseBoardAddress(text);
  if (!address.ok) throw new BoardError('LINK_ADDRESS', { address: text });
  const { kind } = address.value;
  if (kind !== undefined && !findBoard(kind).ok) throw new BoardError('BOARD_UNKNOWN', { board: kind });
  return address.value;
}

/** Checks `--fen` for a variant; throws an `ArgumentError`. */
export function checkStart(fen: string | undefined, variant: (typeof VARIANTS)[number]): void {
  if (fen === undefined) return;
  const position = Position.fromFen(fen, variant);
  if (!position.ok) throw new ArgumentError(`--fen: ${position.fault.message}`);
}

/** The rules of the event as `record` is told them, undefined when nobody says any; throws TIME_CONTROL_SYNTAX. */
export function parseRules(said: SaidRules): EventRules | undefined {
  const rules = readRules(said);
  if (rules.ok) return rules.value;
  throw new BoardError('TIME_CONTROL_SYNTAX', {
    control: said.timeControl ?? '',
    detail: rules.fault.message,
  });
}
