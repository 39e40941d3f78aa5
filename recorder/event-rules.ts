import type { LawsOptions } from '../core/laws/laws.ts';
import { type RateOfPlay, type Regime, rateOfGame } from '../core/laws/rate-of-play.ts';
import { parseTimeControl, type TimeControl } from '../core/laws/time-control.ts';
import { fail, ok, type Result } from '../core/result.ts';

/** What the event prescribes for the games of a sitting; what nobody has said is absent. */
export interface EventRules {
  /** Time control of White and of Black, in PGN's grammar (`core/laws/time-control.ts`). */
  readonly white?: string;
  readonly black?: string;
  readonly regime?: Regime;
  /** Rate of play, for where no time control tells it. */
  readonly rate?: RateOfPlay;
  /** No draw by agreement before each player has made so many moves (9.1.1). */
  readonly drawFrom?: number;
  /** Minutes after the beginning of a game within which a player may still arrive (6.7), from 1: who has come no sensor sees. */
  readonly defaultMinutes?: number;
}

/** The fields of `EventRules`, in their order. */
export const RULE_FIELDS = [
  'white',
  'black',
  'regime',
  'rate',
  'drawFrom',
  'defaultMinutes',
] as const satisfies readonly (keyof EventRules)[];

const UNKNOWN: TimeControl = { type: 'unknown' };
const readControl = (text: string | undefined): TimeControl => {
  const control = text === undefined ? undefined : parseTimeControl(text);
  return control?.ok === true ? control.value : UNKNOWN;
};

/** The rules as the Laws take them; a time control that cannot be read counts as unknown (callers check it first). */
export const lawsOptionsOf = ({
  white,
  black,
  regime,
  rate,
  drawFrom,
  defaultMinutes,
}: EventRules): LawsOptions => ({
  ...((white !== undefined || black !== undefined) && {
    controls: { white: readControl(white), black: readControl(black) },
  }),
  ...(regime !== undefined && { regime }),
  ...(rate !== undefined && { rate }),
  ...(drawFrom !== undefined && { drawFrom }),
  ...(defaultMinutes !== undefined && { defaultMs: defaultMinutes * 60_000 }),
});

/** The rate of play of games under these rules; undefined when nothing tells it. */
export const rateOfRules = (rules: EventRules): RateOfPlay | undefined => {
  const { rate, controls } = lawsOptionsOf(rules);
  return rate ?? (controls === undefined ? undefined : rateOfGame(controls));
};

/** Whether two sets of rules say the same. */
export const areSameRules = (a: EventRules, b: EventRules): boolean =>
  RULE_FIELDS.every((field) => a[field] === b[field]);

/** More moves than a game has: no draw is ever agreed. */
export const MOST_DRAW_FROM = 9999;

/** A day: whoever is later has not come to this round. */
export const MOST_DEFAULT_MINUTES = 1440;

/** The rules of an event as its operator says them, in settings or in words of a command. */
export interface SaidRules {
  readonly timeControl?: string | undefined;
  readonly supervision?: Regime | undefined;
  readonly rate?: RateOfPlay | undefined;
  readonly drawFrom?: number | undefined;
  readonly defaultMinutes?: number | undefined;
}

/** Reads them; undefined when nobody says any. Fails with TIME_CONTROL_SYNTAX. */
export function readRules(said: SaidRules): Result<EventRules | undefined> {
  const { timeControl, supervision, rate, drawFrom, defaultMinutes } = said;
  const controls = timeControl === undefined ? undefined : parseTimeControls(timeControl);
  if (controls?.ok === false) return controls;
  const rules: EventRules = {
    ...controls?.value,
    ...(supervision !== undefined && { regime: supervision }),
    ...(rate !== undefined && { rate }),
    ...(drawFrom !== undefined && { drawFrom }),
    ...(defaultMinutes !== undefined && { defaultMinutes }),
  };
  return ok(Object.keys(rules).length === 0 ? undefined : rules);
}

/** Reads one time control for both players, or White's and Black's with a comma between; fails with TIME_CONTROL_SYNTAX. */
export function parseTimeControls(text: string): Result<Pick<EventRules, 'white' | 'black'>> {
  const [white = '', black = white, ...more] = text.split(',').map((part) => part.trim());
  for (const part of [white, black]) {
    const control = parseTimeControl(part);
    if (!control.ok) return control;
    if (part === '') return fail('TIME_CONTROL_SYNTAX', 'a time control is missing');
  }
  if (more.length > 0) return fail('TIME_CONTROL_SYNTAX', `"${text}" has more than two time controls`);
  return ok({ white, black });
}
