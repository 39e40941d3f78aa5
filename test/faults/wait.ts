import { filter, firstValueFrom, interval, timeout } from 'rxjs';
import type { Clock } from '../../driver/clock.ts';

/** Waits for a condition; says what it has waited for in vain. */
export const reach = async (is: () => boolean, what: string, withinMs = 90_000): Promise<void> => {
  const given = new Error(`waited in vain for ${what}`);
  await firstValueFrom(interval(50).pipe(filter(is), timeout({ first: withinMs }))).catch(
    (cause: unknown) => {
      given.cause = cause;
      throw given;
    },
  );
};

/** How long a fault lasts is what some tests are about: it is counted, not waited out by guess. */
export const lasting = async (clock: Clock, ms: number): Promise<void> => {
  await firstValueFrom(clock.timer$(ms));
};
