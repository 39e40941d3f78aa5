/** Game events on their way from a worker to the hub, as JSON. */
import { z } from 'zod';
import { SEVERITIES } from '../../core/flag.ts';
import {
  type GameEvent,
  PLY_STATES,
  RESULT_REASONS,
  RESULTS,
  TOKENLESS_SCORES,
  VARIANTS,
} from '../../core/game-event.ts';

const TEXT = z.string().max(2000);
const ORIENTATION = z.enum(['normal', 'rotated']);
const NUMBER = z.int().min(1);
const MS = z.number();

/** One event as it stands in a message. */
export const GAME_EVENT = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('gameStarted'),
    atMs: MS,
    game: NUMBER,
    variant: z.enum(VARIANTS),
    start: TEXT,
    orientation: ORIENTATION,
  }),
  z.object({
    type: z.literal('ply'),
    atMs: MS,
    number: NUMBER,
    ply: z.object({
      san: TEXT,
      uci: TEXT,
      state: z.enum(PLY_STATES),
      madeAtMs: MS,
      completedAtMs: MS.optional(),
      clockMs: MS.optional(),
      candidates: z.array(TEXT).max(300).optional(),
      inferred: z.boolean().optional(),
    }),
    amended: z.boolean().optional(),
  }),
  z.object({ type: z.literal('withdrawn'), atMs: MS, number: NUMBER }),
  z.object({
    type: z.literal('flag'),
    atMs: MS,
    flag: z.object({
      code: TEXT,
      severity: z.enum(SEVERITIES),
      ply: z.int().min(0),
      atMs: MS,
      detail: TEXT.optional(),
    }),
  }),
  z.object({
    type: z.literal('result'),
    atMs: MS,
    result: z.enum(RESULTS),
    reason: z.enum(RESULT_REASONS),
    score: z.enum(TOKENLESS_SCORES).optional(),
  }),
  z.object({ type: z.literal('gameEnded'), atMs: MS, result: z.enum(RESULTS) }),
  z.object({
    type: z.literal('board'),
    atMs: MS,
    placement: z.array(z.int().min(0).max(14)).length(64),
    inSync: z.boolean(),
  }),
  z.object({ type: z.literal('orientation'), atMs: MS, orientation: ORIENTATION }),
  z.object({
    type: z.literal('clock'),
    atMs: MS,
    whiteMs: MS,
    blackMs: MS,
    running: z.enum(['white', 'black']).optional(),
  }),
]);

/** What JSON has for an event: a placement as a list of cells. */
export const eventToJson = (event: GameEvent): unknown =>
  event.type === 'board' ? { ...event, placement: [...event.placement] } : event;

/** An event as it was before it was written. */
export function eventFromJson(read: z.infer<typeof GAME_EVENT>): GameEvent {
  if (read.type === 'board') return { ...read, placement: Uint8Array.from(read.placement) };
  if (read.type === 'clock') return { ...read, running: read.running };
  // Members that are not there are not there: the schema leaves them undefined at most.
  return JSON.parse(JSON.stringify(read)) as GameEvent;
}
