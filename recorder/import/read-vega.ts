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
  for (const [i, text] of rounds.entries()) {
    const match = /^(\d{1,4})?\s*([wb-])?\s*([10=+\-WDLHFUZ*])?$/i.exec(text);
    if (match === null) warnings.push(lineWarning(line, `round ${i + 1} of ${rank} cannot be understood`));
    const colour = match?.[2]?.toLowerCase();
    played.push({
      opponent: parseNumber(match?.[1]),
      colour: colour === 'w' || colour === 'b' ? colour : undefined,
      result: match?.[3]?.toUpperCase() ?? '',
    });
  }
  while (played.length > 0 && played.at(-1)!.opponent === undefined && played.at(-1)!.result === '')
    played.pop();
  return { number: rank, facts, rounds: played, line };
}
