/** Feedback at the board, for `record` and as a service of `serve`: lights on the squares that differ from the record. */
import {
  EMPTY,
  endWith,
  filter,
  groupBy,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  takeUntil,
} from 'rxjs';
import type { BoardDefinition } from '../../boards/definition.ts';
import { BOARDS } from '../../boards/registry.ts';
import type { GameRecord } from '../../core/game-record.ts';
import { lineOf } from '../../core/laws/game-line.ts';
import { differingSquares } from '../../core/placement.ts';
import { type Square, turnSquare } from '../../core/square.ts';
import type { Clock } from '../../driver/clock.ts';
import type { Fleet } from '../../driver/fleet.ts';
import type { BoardId } from '../../driver/roster.ts';
import { runMachine } from '../../driver/run-machine.ts';
import type { RecorderUpdate } from '../recorder.ts';
import { type Notice, type Service, section$ } from '../serve/service.ts';
import { createLights, type LightsEvent } from './lights-machine.ts';

const canLight = ({ capabilities, litModels = [] }: BoardDefinition): boolean =>
  capabilities.leds || litModels.length > 0;
/** Kinds of board of which some have lights; the sessions of the others of these kinds refuse and send nothing. */
const LIT: ReadonlySet<string> = new Set(BOARDS.filter(canLight).map(({ id }) => id));

/** The squares, as the board numbers them, on which a game that goes on is not as it is recorded; rising. */
export function squaresThatDiffer(record: GameRecord): Square[] {
  if (record.inSync || record.ended) return [];
  const { position } = lineOf(record.start, record.variant, record.plies);
  const squares = differingSquares(record.placement, position.cells);
  return record.orientation === 'normal' ? squares : squares.map(turnSquare).sort((a, b) => a - b);
}

/** What an update means for the lights of its board; where nobody wants lights nothing is compared. */
function eventOf(update: RecorderUpdate, atMs: number, isOn: boolean): LightsEvent | undefined {
  switch (update.type) {
    case 'sensed':
      return update.event.type === 'square' ? { type: 'moved', atMs } : undefined;
    case 'game':
      return { type: 'differing', atMs, squares: isOn ? squaresThatDiffer(update.record) : [] };
    case 'board':
      return update.update.type === 'link' && update.update.link === 'up' ? { type: 'up', atMs } : undefined;
    default:
      return undefined;
  }
}

const boardOf = (update: RecorderUpdate): BoardId | undefined =>
  'board' in update && typeof update.board === 'string' ? update.board : undefined;

/**
 * Lights the squares that differ while `on$` has said so last, and nothing before it has. Completes with `updates$`; a board that
 * does not obey is told of at most as a notice.
 */
export function lightBoards$(
  updates$: Observable<RecorderUpdate>,
  on$: Observable<boolean>,
  fleet: Pick<Fleet, 'command$'>,
  clock: Clock,
): Observable<Notice> {
  const ended$ = updates$.pipe(ignoreElements(), endWith(0));
  let isOn = false;
  const switched$ = on$.pipe(
    map((on): LightsEvent => {
      isOn = on;
      return { type: 'switched', atMs: clock.monotonicMs(), on };
    }),
    takeUntil(ended$),
  );
  const kinds = new Map<BoardId, string>();
  return updates$.pipe(
    filter((update) => {
      const board = boardOf(update);
      if (board !== undefined && 'kind' in update) kinds.set(board, update.kind);
      return board !== undefined && LIT.has(kinds.get(board) ?? '');
    }),
    groupBy((update) => boardOf(update)!),
    mergeMap((board$) =>
      merge(
        switched$,
        board$.pipe(
          map((update) => eventOf(update, clock.monotonicMs(), isOn)),
          filter((event) => event !== undefined),
        ),
      ).pipe(
        runMachine(createLights, clock),
        mergeMap(({ squares }) => fleet.command$(board$.key, { type: 'leds', squares })),
        mergeMap(
          (fault): Observable<Notice> =>
            fault === undefined || fault.code === 'COMMAND_UNSUPPORTED' || fault.code === 'COMMAND_AWAY'
              ? EMPTY
              : of({ type: 'notice', service: 'lights', text: `${board$.key}: ${fault.code}` }),
        ),
      ),
    ),
  );
}

/** Lights while `boards.lights` is on. */
export const lightsService: Service = ({ updates$, config$, fleet, clock }) =>
  lightBoards$(updates$, section$(config$, 'boards').pipe(map(({ lights }) => lights)), fleet, clock);
