import { findBoard } from '../../boards/registry.ts';
import { emptyPlacement, makePlacement, type Placement, turnPlacement } from '../../core/placement.ts';
import { turnSquare } from '../../core/square.ts';
import type { StoredGame, StoredSitting, StoreReader } from '../store/store.ts';
import type { Timeline, TimelineEvent } from './model/desk-api.ts';

/** What came before a game began and belongs to its setting up, ms. */
const LEAD_MS = 30_000;
/** Events of a timeline; a game of six hours has fewer. */
const MOST_EVENTS = 20_000;

/**
 * Reads again what a board said while a game was played, in true coordinates. A clock tells of itself every second: only a
 * change of what runs is told. `untilMs`: monotonic time at which the next game began.
 */
export function readTimeline(
  store: StoreReader,
  sitting: StoredSitting,
  { id, record }: StoredGame,
  untilMs: number | undefined,
): Timeline {
  const board = findBoard(sitting.kind);
  if (!board.ok) return { game: id, placement: makePlacement(emptyPlacement()), events: [], isCut: false };
  const isTurned = record.orientation === 'rotated';
  const fromMs = record.startedAtMs - LEAD_MS;
  let decoder = board.value.createDecoder();
  let placement: Placement = emptyPlacement();
  let before = placement;
  let lever: string | undefined;
  let events: TimelineEvent[] = [];
  let isCut = false;
  const wallOf = createWallClock(store, sitting.id);

  const tell = (event: TimelineEvent, monotonicMs: number): void => {
    if (monotonicMs < fromMs) {
      before = placement;
      return;
    }
    events.push(event);
    if (events.length <= MOST_EVENTS + 1000) return;
    isCut = true;
    const dropped = events.slice(0, events.length - MOST_EVENTS);
    before = dropped.reduce((cells, event) => applyTimelineEvent(cells, event), before);
    events = events.slice(-MOST_EVENTS);
  };

  for (const input of store.inputs(sitting.id)) {
    if (untilMs !== undefined && input.atMs >= untilMs) break;
    if (input.type === 'tx') continue;
    const atMs = wallOf(input.atMs);
    if (input.type === 'link') {
      decoder = board.value.createDecoder();
      tell({ atMs, type: 'link', link: input.link }, input.atMs);
      continue;
    }
    for (const decoded of decoder.decode(input.bytes, input.atMs)) {
      if (decoded.type === 'discarded')
        tell({ atMs, type: 'discarded', count: decoded.bytes.length, code: decoded.fault.code }, input.atMs);
      if (decoded.type !== 'sensor') continue;
      const { event } = decoded;
      if (event.type === 'square') {
        const square = isTurned ? turnSquare(event.square) : event.square;
        placement = placement.slice();
        placement[square] = event.cell;
        tell({ atMs, type: 'square', square, cell: event.cell }, input.atMs);
      } else if (event.type === 'dump') {
        const next = isTurned ? turnPlacement(event.placement) : event.placement;
        // A dump that says what is known already is a sign of life and nothing else.
        if (makePlacement(next) === makePlacement(placement)) continue;
        placement = next.slice();
        tell({ atMs, type: 'dump', placement: makePlacement(next) }, input.atMs);
      } else if (event.type === 'clock' && event.reading.connected) {
        const { running, left, right } = event.reading;
        if (running === lever) continue;
        lever = running;
        tell(
          {
            atMs,
            type: 'lever',
            leftMs: left.timeMs,
            rightMs: right.timeMs,
            ...(running !== undefined && { running }),
          },
          input.atMs,
        );
      }
    }
  }
  return { game: id, placement: makePlacement(before), events, isCut };
}

/** What stands on the board after an event. */
function applyTimelineEvent(cells: Placement, event: TimelineEvent): Placement {
  if (event.type !== 'square') return cells;
  const next = cells.slice();
  next[event.square] = event.cell;
  return next;
}

/** Wall clock times of a sitting, asked of the store once a second of its own time. */
function createWallClock(store: StoreReader, sittingId: number): (atMs: number) => number {
  let known: { atMs: number; wallMs: number } | undefined;
  return (atMs) => {
    if (known === undefined || atMs - known.atMs > 1000)
      known = { atMs, wallMs: store.wallMsAt(sittingId, atMs) };
    return known.wallMs + (atMs - known.atMs);
  };
}
