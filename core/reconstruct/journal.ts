/**
 * What happened at a board since a moment at which little was in doubt, so that it can be read once more with more
 * patience when the line that seemed best keeps costing (`beam.ts`).
 */
import { EMPTY } from '../placement.ts';
import type { Square } from '../square.ts';
import type { Node } from './node.ts';
import type { Reading, SeenPress } from './reading.ts';
import type { Scene, SeenChange } from './scene.ts';

/** One thing that happened, and the clock then. */
export interface Entry {
  /** What: changes of squares, one emptied that was thought to be, a picture of the whole board, a press. */
  readonly what: readonly SeenChange[] | Square | 'picture' | SeenPress;
  readonly nowMs: number;
  readonly clock: Scene['clock'];
  readonly clockSeen: boolean;
}

/** How things stood at some moment: scene and readings are copies. */
export interface Mark {
  readonly scene: Scene;
  readonly readings: readonly Reading[];
  /** Number of the last ply then. */
  readonly number: number;
  /** What all lines had cost until then. */
  readonly paid: number;
  /** Index of the first entry after it. */
  from: number;
}

/** Plies between two marks: the older one is at least that far back. */
const MARK_PLIES = 10;
const MAX_ENTRIES = 300;

export class Journal {
  #entries: Entry[] = [];
  /** How much has ever happened. */
  noted = 0;
  #older: Mark | undefined;
  #newer: Mark | undefined;

  /** Begins anew: what was is not in question any more. */
  clear(): void {
    this.#entries = [];
    this.#older = undefined;
    this.#newer = undefined;
  }

  note(what: Entry['what'], { nowMs, clock, clockSeen }: Scene): void {
    this.noted++;
    if (this.#older === undefined) return;
    if (this.#entries.push({ what, nowMs, clock, clockSeen }) > MAX_ENTRIES) this.#forget();
  }

  /** Whether it is time for a mark after ply `number`. */
  wantsMark(number: number): boolean {
    return this.#newer === undefined || number >= this.#newer.number + MARK_PLIES;
  }

  mark(scene: Scene, readings: readonly Reading[], number: number, paid: number): void {
    this.#forget();
    this.#newer = {
      scene: scene.copy(),
      readings: copyReadings(readings),
      number,
      paid,
      from: this.#entries.length,
    };
    this.#older ??= this.#newer;
  }

  /** The older mark, and what has happened since. */
  read(): { readonly mark: Mark; readonly entries: readonly Entry[] } | undefined {
    return this.#older === undefined ? undefined : { mark: this.#older, entries: this.#entries };
  }

  /** Lets go of what was before the newer mark. */
  #forget(): void {
    if (this.#newer === undefined) return;
    // A new array: whoever reads the old one is told so.
    this.#entries = this.#entries.slice(this.#newer.from);
    this.#older = this.#newer;
    this.#older.from = 0;
  }
}

/** Readings that go on by themselves. */
export function copyReadings(readings: readonly Reading[]): Reading[] {
  const copies = new Map<Node, Node>();
  return readings.map((reading) => reading.copy(copies));
}

/** Brings a scene to where it stood when something happened. */
export function replayScene(scene: Scene, { what, nowMs, clock, clockSeen }: Entry): void {
  scene.nowMs = nowMs;
  scene.clock = clock;
  scene.clockSeen = clockSeen;
  if (!isChanges(what)) return;
  for (const { square, after, atMs } of what) {
    scene.show(square, after);
    scene.changedAtMs[square] = atMs;
    if (after === EMPTY) scene.liftedAtMs[square] = atMs;
  }
  scene.lastChangeMs = nowMs;
}

export const isChanges = (what: Entry['what']): what is readonly SeenChange[] => Array.isArray(what);
