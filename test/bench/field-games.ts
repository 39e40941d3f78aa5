/** Real games to be played by simulated people: a fixed mixture of the field's PGN files. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HandGame } from '../../boards/hand/people.ts';
import { createRandom, shuffled } from '../../boards/hand/random.ts';
import { parsePgn } from '../../recorder/pgn/reader.ts';

const FILES = ['world-cup-2025-odd.pgn', 'open-2025-odd.pgn', 'national-games-2019.pgn', 'club-games.pgn'];

/** Folder of the field data. */
export const dataFolder = (): string => process.env.JADOUBE_DATA ?? '../shared/data';

/** Whether the field's games are there. */
export const hasFieldGames = (): boolean =>
  FILES.every((file) => existsSync(join(dataFolder(), 'pgn', file)));

/** The first `count` games (at least eight legal plies each) of a fixed shuffle of all files. */
export function readFieldGames(count: number): HandGame[] {
  const texts = FILES.flatMap((file) =>
    readFileSync(join(dataFolder(), 'pgn', file), 'latin1')
      .split(/^(?=\[Event )/m)
      .filter((text) => text.trim() !== ''),
  );
  const games: HandGame[] = [];
  for (const text of shuffled(createRandom(1), texts)) {
    if (games.length >= count) break;
    const game = parsePgn(text)[0];
    if (game === undefined || game.plies.length < 8) continue;
    games.push({
      variant: game.variant,
      start: game.start,
      moves: game.plies.map((ply) => ply.uci),
      spentMs: game.plies.map((ply) => ply.spentMs),
      result: game.result ?? '*',
    });
  }
  return games;
}
