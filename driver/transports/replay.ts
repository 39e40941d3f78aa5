import { concat, concatMap, defer, EMPTY, map, mergeMap, type Observable, of, throwError } from 'rxjs';
import { BoardError } from '../../core/board-error.ts';
import { type LinkAddress, makeLinkAddress } from '../address.ts';
import type { Clock } from '../clock.ts';
import type { LinkEvent, Transport } from '../transport.ts';

/** One thing a capture says came from the board; `t` is monotonic ms on the capture's own scale. */
export type ReplayRecord =
  | { readonly t: number; readonly rx: Uint8Array }
  | { readonly t: number; readonly link: 'up' | 'lost' };

/**
 * Plays a capture as if it came from a board, in its own rhythm on the given clock (a faster clock plays it faster).
 * What is written is taken and has no effect. Like a tape it goes on where it stopped: after a `lost` the link is
 * gone, and the next opening waits for the `up`. Completes at the end of the capture.
 */
export function createReplayTransport(
  name: string,
  records: readonly ReplayRecord[],
  clock: Clock,
): Transport {
  const address: LinkAddress = { type: 'replay', name };
  const device = makeLinkAddress(address);
  // Where tape time zero lies on the clock; set by the first opening.
  let startMs: number | undefined;
  let next = 0;

  const opened = (): LinkEvent => ({ type: 'opened', atMs: clock.monotonicMs(), write: async () => {} });
  const play = (record: ReplayRecord): Observable<LinkEvent> => {
    if ('rx' in record) return of({ type: 'bytes', atMs: clock.monotonicMs(), bytes: record.rx });
    return record.link === 'lost' ? throwError(() => new BoardError('LINK_GONE', { device })) : EMPTY;
  };
  const due$ = (record: ReplayRecord): Observable<ReplayRecord> =>
    defer(() => {
      startMs ??= clock.monotonicMs() - (records[0]?.t ?? 0);
      return clock.timer$(Math.max(startMs + record.t - clock.monotonicMs(), 0)).pipe(map(() => record));
    });

  const open$ = (): Observable<LinkEvent> =>
    defer(() => {
      const first = records[next];
      const waits = next > 0 && first !== undefined && 'link' in first && first.link === 'up';
      const opening$ = waits ? due$(first).pipe(map(opened)) : clock.timer$(0).pipe(map(opened));
      // The position moves when a record is played, so that one that was not yet due is not lost by a close.
      const rest$ = defer(() => of(...records.slice(next))).pipe(
        concatMap(due$),
        mergeMap((record) => {
          next += 1;
          return play(record);
        }),
      );
      return concat(opening$, rest$);
    });
  return { address, open$ };
}
