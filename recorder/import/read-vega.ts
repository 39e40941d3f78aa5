import type { EventFacts, PlayerFacts } from '../tournament/tournament.ts';
import {
  factOf,
  type Imported,
  type ImportWarning,
  lineWarning,
  parseDay,
  parseNumber,
  parseTitle,
  type ReadOptions,
} from './imported.ts';
import { pairReported, type ReportedPlayer, type ReportedRound } from './report-players.ts';

/** Records that say nothing that is kept. */
const SKIPPED = new Set('062 072 082 092 112 122 142 152 172 182 192'.split(' '));

/** Reads a tournament of Vega (`.tdf`): records as of a report, fields between bars (broadcast-pgn-trf 4.7). */
export function readVega(text: string, options: ReadOptions = {}): Imported {
  const section = options.section ?? '';
  const warnings: ImportWarning[] = [];
  const event: { -readonly [key in keyof EventFacts]: EventFacts[key] } = {};
  const dates: { round: number; date: string }[] = [];
  const players: ReportedPlayer[] = [];
  for (const [index, row] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const line = index + 1;
    if (row.trim() === '') continue;
    const [, id, rest] = /^(\w{3})\s*\|?(.*)$/s.exec(row) ?? [];
    const fields = (rest ?? '').split('|').map((field) => field.trim());
    const value = fields.filter((field) => field !== '').join(' ');
    if (id === '001') {
      const player = readPlayer(fields, section, line, warnings);
      if (player !== undefined) players.push(player);
    } else if (id === '012') event.name = value;
    else if (id === '022') event.site = value;
    else if (id === '032') event.federation = value;
    else if (id === '042' || id === '052') {
      const day = parseDay(value);
      if (day !== undefined) event[id === '042' ? 'startDate' : 'endDate'] = day;
    } else if (id === '102') event.arbiter = value;
    else if (id === '132') {
      for (const [i, field] of value.split(';').entries()) {
        const date = parseDay(field);
        if (date !== undefined) dates.push({ round: i + 1, date });
      }
    } else if (id === '162') {
      const rounds = parseNumber(value);
      if (rounds !== undefined) event.rounds = rounds;
    } else if (id === undefined || !SKIPPED.has(id))
      warnings.push(lineWarning(line, `records "${row.slice(0, 3)}" are not known`));
  }
  for (const name of ['name', 'site', 'federation', 'arbiter'] as const)
    if (event[name] === '') delete event[name];
  const pairings = pairReported(players, section, warnings);
  return { kind: 'vega', event, dates, players: players.map(({ facts }) => facts), pairings, warnings };
}

function readPlayer(
  fields: readonly string[],
  section: string,
  line: number,
  warnings: ImportWarning[],
): ReportedPlayer | undefined {
  const [
    number,
    sex,
    title,
    name,
    rating,
    federation,
    fideId,
    nationalRating,
    nationalId,
    birth,
    ,
    ,
    ...rounds
  ] = fields;
  const rank = parseNumber(number);
  if (rank === undefined || name === undefined || name === '') {
    warnings.push(lineWarning(line, 'the player has no starting rank or no name'));
    return undefined;
  }
  const facts: PlayerFacts = {
    section,
    name,
    number: rank,
    ...factOf('sex', sex?.toLowerCase()),
    ...factOf('title', parseTitle(title)),
    ...factOf('rating', parseNumber(rating)),
    ...factOf('federation', federation),
    ...factOf('fideId', parseNumber(fideId)),
    ...factOf('nationalRating', parseNumber(nationalRating)),
    ...factOf('nationalId', nationalId),
    ...factOf('birth', birth),
  };
  const played: ReportedRound[] = [];
  for (const [i, [text, own]] of splitRounds(rounds).entries()) {
    if (own === undefined)
      warnings.push(lineWarning(line, `round ${i + 1} of ${rank} cannot be understood: "${text}"`));
    played.push(own ?? { opponent: undefined, colour: undefined, result: '' });
  }
  while (played.length > 0 && played.at(-1)!.opponent === undefined && played.at(-1)!.result === '')
    played.pop();
  return { number: rank, facts, rounds: played, line };
}

const RESULT = '[10=+\\-WDLHFUZ*]';
/** A round in one field, `12 w 1`, `w12=`: opponent and colour in either order, the result last. */
const ROUND = new RegExp(`^(?:(\\d{1,4})?\\s*([wb-])?|([wb])\\s*(\\d{1,4}))\\s*(${RESULT})?$`, 'i');
const OPPONENT = /^\d{0,4}$/;
const COLOUR = /^[wb-]?$/i;
const ONE_RESULT = new RegExp(`^${RESULT}?$`, 'i');

/**
 * Rounds as they stand in the fields: one field each, or opponent, colour and result in three. The manual shows neither; what the fields hold
 * tells which it is. A round that cannot be understood comes with its text alone.
 */
function splitRounds(
  fields: readonly string[],
): (readonly [text: string, round: ReportedRound | undefined])[] {
  const own = [...fields];
  while (own.at(-1) === '') own.pop();
  const isInThrees =
    own.length > 1 &&
    own.every((field, i) => [OPPONENT, COLOUR, ONE_RESULT][i % 3]!.test(field)) &&
    own.some((field, i) => i % 3 === 1 && /^[wb]$/i.test(field));
  const texts = isInThrees
    ? Array.from({ length: Math.ceil(own.length / 3) }, (_, i) =>
        own
          .slice(3 * i, 3 * i + 3)
          .join(' ')
          .trim(),
      )
    : own;
  return texts.map((text) => {
    const match = ROUND.exec(text);
    if (match === null) return [text, undefined];
    const colour = (match[2] ?? match[3])?.toLowerCase();
    return [
      text,
      {
        opponent: parseNumber(match[1] ?? match[4]),
        colour: colour === 'w' || colour === 'b' ? colour : undefined,
        result: match[5]?.toUpperCase() ?? '',
      },
    ];
  });
}
