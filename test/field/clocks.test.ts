/** Real games with their real clocks, played in by hands: every time in the written file is the one that was recorded then. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HandAction } from '../../boards/hand/action.ts';
import { type PlayedGame, playPeople } from '../../boards/hand/people.ts';
import { HABITS } from '../../boards/hand/profiles.ts';
import { scanGame } from '../../boards/hand/scan.ts';
import { makeRecords } from '../../core/game-record.ts';
import { runThrough } from '../../core/machine.ts';
import type { Side } from '../../core/square.ts';
import { createJudgedGames } from '../../recorder/derive.ts';
import { type PgnGame, parsePgn } from '../../recorder/pgn/reader.ts';
import { makePgn } from '../../recorder/pgn/writer.ts';
import { dataFolder, hasFieldGames } from '../bench/field-games.ts';

const FILE = 'world-cup-2025-odd.pgn';
/** From the first touch to the press: this much of a player's time is not thinking. */
const HANDLING_MS = 3000;
const DAY_MS = 86_400_000;
const CHUNK = 30;

/** Plays a game with the thinking times of its own clocks, and shows what these showed at each press. */
function playTimed(game: PgnGame, seed: number): PlayedGame {
  const spent = game.plies.map((ply) =>
    ply.spentMs === undefined ? 5000 : Math.max(600, ply.spentMs - HANDLING_MS),
  );
  const played = playPeople(
    {
      variant: game.variant,
      start: game.start,
      moves: game.plies.map((ply) => ply.uci),
      spentMs: spent,
      result: game.result ?? '*',
    },
    {
      seed,
      profile: 'classical',
      noise: 'none',
      clock: true,
      afterGame: 'nothing',
      habits: { gesture: 1, thinkMs: { ...HABITS.classical.thinkMs, limits: [600, DAY_MS] } },
    },
  );
  if (!played.ok) throw new Error(played.fault.message);
  return { ...played.value, actions: withClocksOf(game, played.value) };
}

/** The actions with the clock of the source instead of the players' own. */
function withClocksOf(game: PgnGame, played: PlayedGame): HandAction[] {
  const own = played.actions.filter((action) => action.type === 'clock');
  const others = played.actions.filter((action) => action.type !== 'clock');
  const times: Record<Side, number> = { white: 0, black: 0 };
  const sides: readonly Side[] = own[1]?.running === 'black' ? ['black', 'white'] : ['white', 'black'];
  const firstOf = (ply: number): number => game.plies[ply]?.clockMs ?? 5_400_000;
  times[sides[0]!] = firstOf(0);
  times[sides[1]!] = firstOf(1);
  const shown: HandAction[] = [];
  const show = (atMs: number, running: Side | undefined): void => {
    shown.push({ type: 'clock', atMs, whiteMs: times.white, blackMs: times.black, running });
  };
  show(own[0]!.atMs, undefined);
  show(own[1]!.atMs, sides[0]);
  let sinceMs = own[1]!.atMs;
  for (const [i, ply] of played.plies.entries()) {
    const mover = sides[i % 2]!;
    const isMate = i === played.plies.length - 1 && played.result !== '*' && ply.san.endsWith('#');
    // A mate needs no press: what the clock shows when it stands is its time.
    const atMs = isMate ? ply.releasedAtMs - 1 : ply.pressedAtMs!;
    times[mover] = game.plies[i]?.clockMs ?? Math.max(1000, times[mover] - (atMs - sinceMs));
    show(atMs, isMate ? mover : sides[(i + 1) % 2]);
    sinceMs = atMs;
  }
  const end = own.at(-1)!;
  if (end.running === undefined && end.atMs > sinceMs) {
    const running = sides[played.plies.length % 2]!;
    times[running] = Math.max(1000, times[running] - (end.atMs - sinceMs));
    show(end.atMs, undefined);
  }
  return [...others, ...shown].sort((a, b) => a.atMs - b.atMs);
}

/** The game as the recorder would write it. */
function writeGame(game: PgnGame, seed: number): PgnGame {
  const played = playTimed(game, seed);
  const { events } = scanGame(played, { seed, noise: 'none', sensing: 'identity', clockEveryMs: 30_000 });
  const machine = createJudgedGames({
    profile: { sensing: 'identity', scanMs: 250 },
    start: played.start,
    variant: played.variant,
  });
  const records = makeRecords(runThrough(machine, events, (events.at(-1)?.atMs ?? 0) + 120_000));
  return parsePgn(makePgn(records[0]!))[0]!;
}

describe.skipIf(!hasFieldGames())(`the games of ${FILE}, played in with their own clocks`, () => {
  const games = hasFieldGames() ? parsePgn(readFileSync(join(dataFolder(), 'pgn', FILE))) : [];

  it('are all there, some with moves at the end that nobody can have played', () => {
    expect(games).toHaveLength(273);
    expect(games.filter((game) => game.unread.length > 0)).toHaveLength(4);
  });

  const chunks = Array.from({ length: Math.ceil(games.length / CHUNK) }, (_, i) => i * CHUNK);
  it.each(chunks)(
    'are written with their moves and times, from game %i on',
    { timeout: 600_000 },
    (first) => {
      const faults: string[] = [];
      for (const [i, game] of games.slice(first, first + CHUNK).entries()) {
        const written = writeGame(game, first + i + 1);
        const name = `game ${first + i}, ${game.tags.get('White')}`;
        if (written.faults.length > 0 || written.unread.length > 0) faults.push(`${name}: cannot be read`);
        const sans = (plies: PgnGame['plies']): string => plies.map(({ san }) => san).join(' ');
        if (sans(written.plies) !== sans(game.plies))
          faults.push(
            `${name}: ${written.plies.length} plies instead of ${game.plies.length}: ${sans(written.plies.slice(-3))}`,
          );
        for (const [ply, { clockMs }] of game.plies.entries())
          if (clockMs !== undefined && written.plies[ply]?.clockMs !== clockMs)
            faults.push(`${name}: ply ${ply + 1} at ${written.plies[ply]?.clockMs}, not at ${clockMs}`);
        if (game.result !== '*' && game.result !== undefined && written.result !== game.result)
          faults.push(`${name}: ${written.result} instead of ${game.result}`);
      }
      expect(faults).toEqual([]);
    },
  );
});
