import { parseTimeControl } from '../../core/laws/time-control.ts';
import { type PgnGame, parsePgn } from '../pgn/reader.ts';
import { foldName, isNobody } from '../tournament/player-name.ts';
import type { EventFacts, PlayerFacts } from '../tournament/tournament.ts';
import {
  type Imported,
  type ImportedPairing,
  type ImportWarning,
  lineWarning,
  parseDay,
  parseListResult,
  parseNumber,
  parseTitle,
  type ReadOptions,
} from './imported.ts';

/** Tags whose names programs write in several cases. */
function tagOf({ tags }: PgnGame, name: string): string | undefined {
  const value = tags.get(name) ?? [...tags].find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
  const plain = value?.trim() ?? '';
  return plain === '' || /^[?-]+$/.test(plain) ? undefined : plain;
}

/**
 * Reads pairings from the tags of PGN games, with moves or without: what pairing programs export for LiveChess. Order in the file is
 * the order of tables where no tag numbers them (broadcast-pgn-trf 4.1).
 */
export function readPgnPairings(text: string, options: ReadOptions = {}): Imported {
  const games = parsePgn(text);
  const warnings: ImportWarning[] = [];
  const players: PlayerFacts[] = [];
  const known = new Map<string, number>();
  const pairings: ImportedPairing[] = [];
  const dates = new Map<number, string>();
  const said = {
    name: new Map<string, number>(),
    site: new Map<string, number>(),
    timeControl: new Map<string, number>(),
  };
  let startDate: string | undefined;

  for (const game of games) {
    // A list of pairings has no moves and often no results at their ends.
    for (const { code, line, message } of game.faults)
      if (code !== 'PGN_RESULT_MISSING' || game.plies.length > 0) warnings.push({ code, line, message });
    const [whiteName, blackName] = [tagOf(game, 'White'), tagOf(game, 'Black')];
    if (whiteName === undefined && blackName === undefined) {
      warnings.push(lineWarning(game.line, 'the game names no player'));
      continue;
    }
    const section = options.section ?? tagOf(game, 'Section') ?? '';
    const parts = (tagOf(game, 'Round') ?? '').split('.').map((part) => parseNumber(part));
    const round = parts[0] ?? options.round;
    if (round === undefined)
      warnings.push(
        lineWarning(game.line, 'the Round tag names no round: taken for round 1 (--round says which)'),
      );
    const board = parseNumber(tagOf(game, 'Board')) ?? (parts.length > 1 ? parts.at(-1) : undefined);
    const player = (side: 'White' | 'Black', name: string | undefined): number | undefined => {
      if (name === undefined || isNobody(name)) return undefined;
      const fideId = parseNumber(tagOf(game, `${side}FideId`));
      const facts: PlayerFacts = {
        section,
        name,
        ...optional('fideId', fideId),
        ...optional('title', parseTitle(tagOf(game, `${side}Title`))),
        ...optional('rating', parseNumber(tagOf(game, `${side}Elo`))),
        ...optional('team', tagOf(game, `${side}Team`)),
        ...optional(
          'federation',
          tagOf(game, `${side}Federation`) ?? tagOf(game, `${side}Fed`) ?? tagOf(game, `${side}Country`),
        ),
      };
      const key = `${section}\n${fideId ?? foldName(name)}`;
      const at = known.get(key);
      if (at !== undefined) {
        players[at] = { ...players[at]!, ...facts };
        return at;
      }
      known.set(key, players.length);
      return players.push(facts) - 1;
    };
    const [white, black] = [player('White', whiteName), player('Black', blackName)];
    const tagged = game.tags.get('Result') ?? '*';
    const result = parseListResult(tagged) ?? { score: game.result, forfeit: false };
    pairings.push({
      section,
      round: round ?? 1,
      ...optional('board', board),
      ...optional('white', white),
      ...optional('black', black),
      result: result.score === '*' ? { score: game.result, forfeit: false } : result,
      line: game.line,
    });
    const date = parseDay(tagOf(game, 'Date') ?? '');
    if (date !== undefined && !dates.has(round ?? 1)) dates.set(round ?? 1, date);
    startDate ??= parseDay(tagOf(game, 'EventDate') ?? '');
    for (const [name, tag] of [
      ['name', 'Event'],
      ['site', 'Site'],
      ['timeControl', 'TimeControl'],
    ] as const) {
      const value = tagOf(game, tag);
      if (value !== undefined) said[name].set(value, (said[name].get(value) ?? 0) + 1);
    }
  }
  if (said.name.size > 1)
    warnings.push(
      lineWarning(1, `the file names ${said.name.size} events; the one most games have is taken`),
    );
  const control = most(said.timeControl);
  const event: EventFacts = {
    ...optional('name', most(said.name)),
    ...optional('site', most(said.site)),
    ...optional('startDate', startDate),
    ...optional('timeControl', control !== undefined && parseTimeControl(control).ok ? control : undefined),
  };
  return {
    kind: 'pgn',
    event,
    dates: [...dates].map(([round, date]) => ({ round, date })),
    players,
    pairings,
    warnings,
  };
}

const optional = <Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { [key in Name]?: Value } => (value === undefined ? {} : ({ [name]: value } as { [key in Name]?: Value }));

const most = (counts: ReadonlyMap<string, number>): string | undefined =>
  [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
