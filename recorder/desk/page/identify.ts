/** Which board is meant: the one on which a king is lifted. */
import { computed, effect, signal } from '@preact/signals';
import { kingsLifted } from '../model/identify.ts';
import { desk } from './live.ts';

/** Whoever waits for a king: what stood on the boards when they began, and what is done with the board. */
const waiting = signal<
  | {
      readonly whose: string;
      readonly before: ReadonlyMap<string, string>;
      readonly found: (board: string) => void;
    }
  | undefined
>(undefined);

/** For whom a king is waited for; undefined for nobody. */
export const waitsFor = computed(() => waiting.value?.whose);

export function waitForKing(whose: string, found: (board: string) => void): void {
  const before = new Map([...desk.peek().rows.values()].map(({ board, sensed = '' }) => [board, sensed]));
  waiting.value = { whose, before, found };
}

export const stopWaiting = (): void => {
  waiting.value = undefined;
};

effect(() => {
  const waited = waiting.value;
  if (waited === undefined) return;
  const [lifted] = kingsLifted(waited.before, [...desk.value.rows.values()]);
  if (lifted === undefined) return;
  waiting.value = undefined;
  waited.found(lifted);
});
