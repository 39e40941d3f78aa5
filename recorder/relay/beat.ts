/** The sign of life of an edge: heard at once or not at all, never kept. */
import { z } from 'zod';

/** Time between two signs of life, ms. */
export const BEAT_MS = 2000;

const BEAT = z.object({ v: z.literal(1), waiting: z.int().min(0) });

/** Writes a sign of life. `waiting`: rows of input that are not safe in the stream yet. */
export const encodeBeat = (waiting: number): Uint8Array =>
  new TextEncoder().encode(JSON.stringify({ v: 1, waiting }));

/** Reads a sign of life: how many rows wait; undefined when it is none. */
export function decodeBeat(data: Uint8Array): number | undefined {
  try {
    return BEAT.safeParse(JSON.parse(new TextDecoder().decode(data))).data?.waiting;
  } catch {
    return undefined;
  }
}
