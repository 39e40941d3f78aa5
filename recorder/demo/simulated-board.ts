/** A simulated board at the far end of a link, and the hands that play on it, in the time of a clock. */
import {
  concat,
  concatMap,
  defer,
  EMPTY,
  from,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  switchMap,
  take,
  tap,
} from 'rxjs';
import type { BoardDefinition, SimulatorEvent, SimulatorOptions } from '../../boards/definition.ts';
import type { HandAction } from '../../boards/hand/action.ts';
import type { Clock } from '../../driver/clock.ts';
import { runMachine } from '../../driver/run-machine.ts';
import type { DeviceEnd } from '../../driver/transport.ts';

const NOTHING = new Uint8Array(0);

/**
 * Does what hands do, with the waits between that they had, the first counted from the subscription: whoever is held up
 * does the rest later, not faster. A press is what the clock makes of it.
 */
export const playActions$ = (actions: readonly HandAction[], clock: Clock): Observable<SimulatorEvent> =>
  defer(() => {
    let lastMs = clock.monotonicMs();
    let lastActionMs = 0;
    return from(actions.filter((action) => action.type !== 'press')).pipe(
      concatMap((action) => {
        const waitMs = lastMs + action.atMs - lastActionMs - clock.monotonicMs();
        return (waitMs <= 0 ? of(0) : clock.timer$(waitMs)).pipe(
          map((): SimulatorEvent => {
            lastMs = clock.monotonicMs();
            lastActionMs = action.atMs;
            return { ...action, atMs: lastMs };
          }),
        );
      }),
    );
  });

/**
 * Switches a simulated board on: hands do things to it, and its cable is in one device end after another, or in none.
 * Emits nothing; completes when the hands are done and no cable will ever bring anything more.
 */
export function runBoard(
  definition: BoardDefinition,
  options: SimulatorOptions,
  hand$: Observable<SimulatorEvent>,
  cable$: Observable<DeviceEnd | undefined>,
  clock: Clock,
): Observable<never> {
  return defer(() => {
    let device: DeviceEnd | undefined;
    const heard$ = cable$.pipe(
      tap((next) => {
        device = next;
      }),
      switchMap((next) => next?.bytes$ ?? EMPTY),
      map((bytes): SimulatorEvent => ({ type: 'bytes', atMs: clock.monotonicMs(), bytes })),
    );
    // A board speaks when it is switched on, not when somebody first asks it.
    const on$ = defer(() => of<SimulatorEvent>({ type: 'bytes', atMs: clock.monotonicMs(), bytes: NOTHING }));
    return concat(on$, merge(heard$, hand$)).pipe(
      runMachine(() => definition.createSimulator(options), clock),
      tap(({ bytes }) => device?.write(bytes)),
      ignoreElements(),
    );
  });
}

/**
 * A simulated board behind one device end: it answers whoever opens the other end, and reports what the hands do once
 * `start$` says so. Emits nothing; completes when the link's far end is closed and the hands are done.
 */
export function serveBoard(
  device: DeviceEnd,
  definition: BoardDefinition,
  options: SimulatorOptions,
  hands: { readonly actions: readonly HandAction[]; readonly start$: Observable<unknown> },
  clock: Clock,
): Observable<never> {
  const played$ = hands.start$.pipe(
    take(1),
    switchMap(() => playActions$(hands.actions, clock)),
  );
  return runBoard(definition, options, played$, of(device), clock);
}
