/** The LiveChess interface as a service of `serve`. */
import {
  EMPTY,
  endWith,
  ignoreElements,
  map,
  merge,
  type Observable,
  switchMap,
  take,
  takeUntil,
} from 'rxjs';
import { isLoopback } from '../http/serve-app.ts';
import type { RecorderUpdate } from '../recorder.ts';
import { type Notice, type ServeContext, type Service, section$ } from '../serve/service.ts';
import type { Tournament } from '../tournament/tournament.ts';
import { livechessServer$ } from './livechess-server.ts';

/** Boards that were recorded less long ago are listed before they are heard of, ms. */
const RECENT_MS = 12 * 3_600_000;

/** Who sits at each board, for the list of boards: "1.3 Last, First - Last, First". */
const commentsOf = ({ pairings }: Tournament): ReadonlyMap<string, string> =>
  new Map(
    pairings.flatMap(({ eboard, round, board, white, black }) =>
      eboard === undefined
        ? []
        : [[eboard, `${round}.${board ?? '?'} ${white?.name ?? '?'} - ${black?.name ?? '?'}`] as const],
    ),
  );

/** What is known of boards before they speak: how each lay in its last game. */
function knownBoards({ store, clock }: ServeContext) {
  const kinds = new Map(store.sittings().map(({ board, kind }) => [board, kind]));
  const boards = new Map(
    store
      .games({ sinceWallMs: clock.wallMs() - RECENT_MS })
      .map(({ board, record }) => [board, record.orientation] as const),
  );
  return [...boards].flatMap(([board, orientation]) => {
    const kind = kinds.get(board);
    return kind === undefined ? [] : [{ board, kind, orientation }];
  });
}

/** Serves programs made for LiveChess, as the settings say; begins anew when these change. */
export const livechessService: Service = (context) => {
  const { config$, fleet, clock, tournament } = context;
  const ended$ = context.updates$.pipe(ignoreElements(), endWith(0), take(1));
  return section$(config$, 'livechess').pipe(
    takeUntil(ended$),
    switchMap(({ enabled, host, port, origins }): Observable<Notice> => {
      if (!enabled) return EMPTY;
      const status$ = fleet.status$.pipe(
        map((status): RecorderUpdate => ({ type: 'fleet', status })),
        takeUntil(ended$),
      );
      return livechessServer$({
        host,
        port,
        origins,
        known: knownBoards(context),
        // Whoever begins late has missed how the fleet stood.
        updates$: merge(status$, context.updates$),
        comments$: tournament.state$.pipe(map(commentsOf)),
        fleet,
        clock,
      }).pipe(
        map(
          ({ url }): Notice => ({
            type: 'notice',
            service: 'livechess',
            text: `listens at ${url}${isLoopback(host) ? '' : ', for every machine that can reach this one'}`,
          }),
        ),
      );
    }),
  );
};
