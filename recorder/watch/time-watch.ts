import { defer, EMPTY, mergeMap, type Observable, of, repeat } from 'rxjs';
import { BoardError } from '../../core/board-error.ts';
import type { Clock } from '../../driver/clock.ts';

/** Time between two looks at the clocks, ms. */
const LOOK_MS = 1000;
/** A look that is later than this is told: less is a slow disk or a busy machine, and nobody notices, ms. */
const STOOD_MS = 3000;
/** A wall clock that has gone so much more or less than time has passed was set; less is a clock that is kept right, ms. */
const STEPPED_MS = 2000;

/** How both clocks stand at a look. */
export interface ClockLook {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/** What two looks that should be `LOOK_MS` apart say: this program stood still (HOST_STALLED), the wall clock jumped (CLOCK_STEPPED). */
export function compareLooks(before: ClockLook, now: ClockLook): BoardError[] {
  const passedMs = now.monotonicMs - before.monotonicMs;
  const stoodMs = passedMs - LOOK_MS;
  const steppedMs = now.wallMs - before.wallMs - passedMs;
  const seconds = (ms: number): number => Math.round(ms / 1000);
  return [
    ...(stoodMs > STOOD_MS ? [new BoardError('HOST_STALLED', { seconds: seconds(stoodMs) })] : []),
    ...(Math.abs(steppedMs) > STEPPED_MS
      ? [
          new BoardError('CLOCK_STEPPED', {
            seconds: seconds(Math.abs(steppedMs)),
            direction: steppedMs > 0 ? 'forwards' : 'back',
          }),
        ]
      : []),
  ];
}

/** Looks at both clocks every second and tells what is wrong with them; cold, never ends. */
export function watchTime$(clock: Clock): Observable<BoardError> {
  return defer(() => {
    const look = (): ClockLook => ({ monotonicMs: clock.monotonicMs(), wallMs: clock.wallMs() });
    let before = look();
    return defer(() => clock.timer$(LOOK_MS)).pipe(
      mergeMap(() => {
        const now = look();
        const told = compareLooks(before, now);
        before = now;
        return told.length === 0 ? EMPTY : of(...told);
      }),
      repeat(),
    );
  });
}
