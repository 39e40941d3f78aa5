import { parseTimeControl } from '../../core/laws/time-control.ts';
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

/** Records that say nothing that is kept: totals, arbiters' words, systems, byes that stand with the players, acceleration. */
const SKIPPED = new Set(
  '062 072 082 092 112 152 162 172 182 192 202 212 240 250 260 299 300 320 330 352 362 801 802 XXC XXZ XXS XXA XXP BBW BBD BBL BBZ BBF BBU DAT ###'.split(
    ' ',
  ),
);

interface Team {
  readonly name: string;
  readonly players: readonly number[];
}

/**
 * Reads a tournament report as FIDE has it, TRF16 or TRF26 (broadcast-pgn-trf 4.3 to 4.6). Columns count characters. Tables are
 * derived, for the report has none. What is not understood is left out, with its line.
 */
export function readTrf(text: string, options: ReadOptions = {}): Imported {
  const section = options.section ?? '';
  const warnings: ImportWarning[] = [];
  const event: { -readonly [key in keyof EventFacts]: EventFacts[key] } = {};
  const dates: { round: number; date: string }[] = [];
  const players: ReportedPlayer[] = [];
  const nationals = new Map<number, Pick<PlayerFacts, 'nationalId' | 'nationalRating'>>();
  const teams: Team[] = [];
  let words: string | undefined;

  for (const [index, row] of text.split(/\r\n|\n|\r/).entries()) {
    const line = index + 1;
    // A byte order mark is no column.
    const chars = [...(index === 0 ? row.replace(/^\ufeff/, '') : row)];
    if (chars.every((char) => char.trim() === '' || char === '\u001a')) continue;
    const cut = (from: number, to = chars.length): string => chars.slice(from - 1, to).join('');
    const id = cut(1, 3);
    const rest = cut(5).trim();
    switch (id) {
      case '001': {
        const player = readPlayer(cut, chars.length, section, line, warnings);
        if (player === undefined) break;
        if (players.some(({ number }) => number === player.number))
          warnings.push(lineWarning(line, `starting rank ${player.number} stands twice; the first is taken`));
        else players.push(player);
        break;
      }
      case '012':
        if (rest !== '') event.name = rest;
        break;
      case '022':
        if (rest !== '') event.site = rest;
        break;
      case '032':
        if (rest !== '') event.federation = rest;
        break;
      case '042':
      case '052': {
        const day = parseDay(rest);
        if (day === undefined) {
          if (rest !== '') warnings.push(lineWarning(line, `"${rest}" is no day`));
        } else if (id === '042') event.startDate = day;
        else event.endDate = day;
        break;
      }
      case '102':
        if (rest !== '') event.arbiter = rest;
        break;
      case '122':
        words = rest;
        break;
      case '222':
        if (parseTimeControl(rest).ok && rest !== '') event.timeControl = rest;
        else warnings.push(lineWarning(line, `"${rest}" is no time control that is known`));
        break;
      case '132':
        for (let round = 1; 92 + 10 * (round - 1) <= chars.length; round++) {
          const from = 92 + 10 * (round - 1);
          const date = parseDay(cut(from, from + 7));
          if (date !== undefined) dates.push({ round, date });
        }
        break;
      case '142':
      case 'XXR': {
        const rounds = parseNumber(rest);
        if (rounds === undefined) warnings.push(lineWarning(line, `"${rest}" is no number of rounds`));
        else event.rounds = rounds;
        break;
      }
      case '013':
        // The first player touches the name.
        teams.push({ name: cut(5, 36).trim(), players: readNumbers(cut(37), 5) });
        break;
      case '310':
        teams.push({ name: cut(9, 40).trim(), players: readNumbers(cut(74), 5) });
        break;
      default:
        if (id.startsWith('###') || SKIPPED.has(id)) break;
        if (/^[A-Z]{3}$/.test(id) && parseNumber(cut(5, 8)) !== undefined) {
          const [nationalId, nationalRating] = [cut(58, 68).trim(), parseNumber(cut(49, 52))];
          nationals.set(Number(cut(5, 8)), {
            ...(nationalId !== '' && { nationalId }),
            ...(nationalRating !== undefined && { nationalRating }),
          });
        } else warnings.push(lineWarning(line, `records "${id}" are not known`));
    }
  }
  // In PGN's form by chance, or words for people.
  if (event.timeControl === undefined && words !== undefined && words !== '' && parseTimeControl(words).ok)
    event.timeControl = words;

  const joined = players.map((player): ReportedPlayer => {
    const at = teams.findIndex((team) => team.players.includes(player.number));
    const team = teams[at];
    return {
      ...player,
      facts: {
        ...player.facts,
        ...nationals.get(player.number),
        ...(team !== undefined && team.name !== '' && { team: team.name }),
      },
      ...(team !== undefined && { team: at + 1, teamBoard: team.players.indexOf(player.number) + 1 }),
    };
  });
  const pairings = pairReported(joined, section, warnings);
  return { kind: 'trf', event, dates, players: joined.map(({ facts }) => facts), pairings, warnings };
}

/** Numbers of players in columns of four, so many apart. */
const readNumbers = (text: string, step: number): number[] => {
  const chars = [...text];
  const numbers: number[] = [];
  for (let at = 0; at < chars.length; at += step) {
    const number = parseNumber(chars.slice(at, at + 4).join(''));
    if (number !== undefined) numbers.push(number);
  }
  return numbers;
};

function readPlayer(
  cut: (from: number, to?: number) => string,
  length: number,
  section: string,
  line: number,
  warnings: ImportWarning[],
): ReportedPlayer | undefined {
  const number = parseNumber(cut(5, 8));
  const name = cut(15, 47).trim();
  if (number === undefined || name === '') {
    warnings.push(
      lineWarning(line, number === undefined ? 'the player has no starting rank' : 'the player has no name'),
    );
    return undefined;
  }
  const facts: PlayerFacts = {
    section,
    name,
    number,
    ...factOf('sex', cut(10, 10).trim().toLowerCase()),
    ...factOf('title', parseTitle(cut(11, 13))),
    ...factOf('rating', parseNumber(cut(49, 52))),
    ...factOf('federation', cut(54, 56).trim()),
    ...factOf('fideId', parseNumber(cut(58, 68))),
    ...factOf('birth', cut(70, 79).trim().replace(/\/00/g, '').replace(/\/$/, '')),
  };
  const rounds: ReportedRound[] = [];
  for (let from = 92; from <= length; from += 10) {
    const [opponent, colour, result] = [
      cut(from, from + 3).trim(),
      cut(from + 5, from + 5).toLowerCase(),
      cut(from + 7, from + 7),
    ];
    const isKnown =
      /^(\d{1,4})?$/.test(opponent) && /^[wb\- ]?$/.test(colour) && /^[10=+\-WDLHFUZ* ]?$/i.test(result);
    if (!isKnown)
      warnings.push(lineWarning(line, `round ${rounds.length + 1} of ${number} cannot be understood`));
    rounds.push({
      opponent: isKnown ? parseNumber(opponent) : undefined,
      colour: isKnown && (colour === 'w' || colour === 'b') ? colour : undefined,
      result: isKnown ? result.trim().toUpperCase() : '',
    });
  }
  while (rounds.length > 0 && rounds.at(-1)!.opponent === undefined && rounds.at(-1)!.result === '')
    rounds.pop();
  return { number, facts, rounds, line };
}
