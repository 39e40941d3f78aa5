/** The cells of the accuracy bench: what senses, who plays, how noisy it is; and one game of a cell. */
import { type HandGame, type PlayedGame, playPeople } from '../../boards/hand/people.ts';
import { NOISE_LEVELS, type NoiseLevel, PROFILES, type Profile } from '../../boards/hand/profiles.ts';
import { type Scan, scanGame } from '../../boards/hand/scan.ts';
import type { GameEvent } from '../../core/game-event.ts';
import type { Machine } from '../../core/machine.ts';
import { createReconstructor } from '../../core/reconstructor.ts';
import type { SensorEvent } from '../../core/sensor-event.ts';
import { createFirstLegal, createQuietMatcher } from './simple-strategies.ts';

export interface Cell {
  readonly sensing: 'identity' | 'occupancy';
  readonly profile: Profile;
  readonly noise: NoiseLevel;
}

export const RECORDERS = ['jadoube', 'first-legal', 'quiet-300'] as const;
export type Recorder = (typeof RECORDERS)[number];

export const makeCellName = (cell: Cell): string => `${cell.sensing}/${cell.profile}/${cell.noise}`;

/** Cells whose name matches a pattern: words of `sensing/profile/noise`, `*` for any, missing ones for any. */
export function parseCells(pattern: string): Cell[] {
  const [sensing = '*', profile = '*', noise = '*'] = pattern.split('/');
  const fits = (wanted: string, word: string): boolean => wanted === '*' || wanted.split('+').includes(word);
  const cells: Cell[] = [];
  for (const s of ['identity', 'occupancy'] as const) {
    for (const p of PROFILES) {
      for (const n of NOISE_LEVELS) {
        if (fits(sensing, s) && fits(profile, p) && fits(noise, n))
          cells.push({ sensing: s, profile: p, noise: n });
      }
    }
  }
  return cells;
}

/** The seed of a game in a cell: every cell sees every game with hands of its own. */
export function seedOf(cell: Cell, index: number): number {
  let seed = index * 7919 + 17;
  for (const letter of makeCellName(cell)) seed = (Math.imul(seed, 31) + letter.charCodeAt(0)) | 0;
  return seed >>> 0;
}

/** A game played by people of a cell, and what its board's sensors said of it. */
export interface SensedGame {
  readonly played: PlayedGame;
  readonly scan: Scan;
}

/** A session asks for a dump this long after the last change of a square, ms, as ours do. */
const SESSION_DUMP_MS = 2000;

/** One look at all squares of the sensors of noise level "none", ms. */
const IDEAL_SCAN_MS = 20;

/**
 * Plays one game in a cell; equal arguments give equal events. Occupancy boards have no clock socket, so their people
 * are heard without a clock; and these people have learnt that such a board must see the victim leave its square, so
 * that even in a swap it stays empty for a scan. Long thinks are cut at 20 s, which no rule depends on.
 */
export function senseGame(cell: Cell, game: HandGame, seed: number, dumpsOnlyMs?: number): SensedGame {
  const played = playPeople(game, {
    seed,
    profile: cell.profile,
    noise: cell.noise,
    maxThinkMs: 20_000,
    ...(cell.sensing === 'occupancy' ? { clock: false, habits: { swapMs: [60, 220] } } : {}),
  });
  if (!played.ok) throw new Error(`${played.fault.code}: ${played.fault.message}`);
  const isSlow = cell.profile === 'classical' || cell.profile === 'club';
  const scan = scanGame(played.value, {
    seed,
    noise: cell.noise,
    sensing: cell.sensing,
    ...(dumpsOnlyMs === undefined ? { idleDumpMs: SESSION_DUMP_MS } : { dumpsOnlyMs }),
    clockEveryMs: isSlow ? 5000 : 1000,
    // Without noise nothing escapes the sensors: they look faster than hands move.
    ...(cell.noise === 'none' ? { scanMs: IDEAL_SCAN_MS } : {}),
  });
  return { played: played.value, scan };
}

/** The recorder under measurement, told what an operator would tell: start position, variant, kind of board. */
export function createRecorder(
  recorder: Recorder,
  cell: Cell,
  played: PlayedGame,
  dumpsOnlyMs = 0,
): Machine<SensorEvent, GameEvent> {
  const common = { start: played.start, variant: played.variant };
  if (recorder === 'first-legal') return createFirstLegal(common);
  if (recorder === 'quiet-300') return createQuietMatcher(common);
  const scanMs = cell.noise === 'none' ? IDEAL_SCAN_MS : cell.sensing === 'identity' ? 250 : 50;
  // Sensors that are looked at only now and then lag that much more behind the clock.
  return createReconstructor({
    ...common,
    profile: { sensing: cell.sensing, scanMs: scanMs + dumpsOnlyMs },
  });
}
