/** The hall as the server tells it, kept up to date for as long as the page is open. */
import { batch, computed, type Signal, signal } from '@preact/signals';
import type { LiveChanges, LiveSnapshot, SessionInfo } from '../model/desk-api.ts';
import {
  type AttentionItem,
  attentionItems,
  boardsToShow,
  type DeskEvent,
  EMPTY_DESK,
  orderKey,
  reduceDesk,
  SILENT_MS,
  serverNow,
  summaryOf,
} from '../model/desk-state.ts';
import type { HallRow } from '../model/hall-row.ts';
import { searchText } from './search.ts';
import { getJson } from './server.ts';
import { order } from './settings.ts';

export const desk = signal(EMPTY_DESK);
export const session = signal<SessionInfo | undefined>(undefined);
/** The server's clock; moves on once a second. */
export const now = signal(0);
/** The same for clocks that show tenths: moves on ten times a second while one of them runs. */
export const fineNow = signal(0);

let items: readonly AttentionItem[] = [];
export const attention = computed(() => {
  items = attentionItems(desk.value, items);
  return items;
});

/** A value that stays the same thing for as long as it says the same: whoever shows it is not drawn again. */
function steady<T>(compute: () => T) {
  let last: T | undefined;
  return computed((): T => {
    const next = compute();
    if (last === undefined || JSON.stringify(last) !== JSON.stringify(next)) last = next;
    return last;
  });
}
export const summary = steady(() => summaryOf(desk.value));
export const connection = computed(() => desk.value.connection);
export const notices = computed(() => desk.value.notices);
/** Nothing of any game goes out. */
export const areAllHeld = computed(() =>
  [...desk.value.rows.values()].some(({ heldWith }) => heldWith === 'all'),
);
export const boardCount = computed(() => desk.value.rows.size);
const key = computed(() => orderKey(desk.value, order.value));
/** Boards that the hall shows, in their order. */
export const shownBoards = computed((): readonly string[] => {
  void key.value;
  return boardsToShow(desk.peek(), searchText.value, order.value).map(({ board }) => board);
});

const rowSignals = new Map<string, Signal<HallRow>>();
/** The row of a board: whoever shows it is drawn again when this board changes, and for no other. */
export const rowOf = (board: string): Signal<HallRow> => rowSignals.get(board)!;

const take = (event: DeskEvent): void =>
  batch(() => {
    const before = desk.peek();
    desk.value = reduceDesk(before, event);
    const { rows } = desk.peek();
    if (rows === before.rows) return;
    for (const [board, row] of rows) {
      const known = rowSignals.get(board);
      if (known === undefined) rowSignals.set(board, signal(row));
      else known.value = row;
    }
  });

let source: EventSource | undefined;

/** Begins to listen, from the beginning: the first message is everything. */
export function listen(): void {
  source?.close();
  source = new EventSource('/api/live');
  const on = <T>(name: string, make: (data: T) => DeskEvent): void =>
    source?.addEventListener(name, (message) => {
      take(make(JSON.parse((message as MessageEvent<string>).data) as T));
      if (desk.value.isBehind) listen();
    });
  on<LiveSnapshot>('snapshot', (data) => ({ type: 'snapshot', data, atMs: performance.now() }));
  on<LiveChanges>('changes', (data) => ({ type: 'changes', data, atMs: performance.now() }));
  on<{ seq: number; nowMs: number }>('beat', (data) => ({ type: 'beat', data, atMs: performance.now() }));
  source.onerror = () => {
    take({ type: 'lost' });
    // The browser tries again by itself unless it was refused: then somebody has to sign in.
    if (source?.readyState === EventSource.CLOSED) void refresh();
  };
}

/** Asks who is signed in, and listens when somebody may. */
export async function refresh(): Promise<void> {
  try {
    session.value = await getJson<SessionInfo>('/api/session');
    if (session.value.role !== undefined) listen();
  } catch {
    setTimeout(() => void refresh(), 2000);
  }
}

/** A page that has slept, or a way that has gone silent without an end: listen anew. */
function wake(): void {
  const isSilent = performance.now() - desk.value.heardAtMs > SILENT_MS;
  if (source !== undefined && isSilent && document.visibilityState === 'visible') listen();
}

const TICK_MS = 100;
/** Clocks that show whole seconds need no more than this. */
const SLOW_TICKS = 10;
let ticks = 0;

/** Moves the clocks, all at once, so that they are drawn at once; nobody looks at a page that is hidden. */
function tick(): void {
  if (document.visibilityState === 'hidden') return;
  ticks++;
  const nowMs = serverNow(desk.peek(), performance.now());
  batch(() => {
    fineNow.value = nowMs;
    if (ticks % SLOW_TICKS === 0) now.value = nowMs;
  });
}

/** Starts everything. */
export function start(): void {
  void refresh();
  setInterval(tick, TICK_MS);
  setInterval(wake, 5000);
  document.addEventListener('visibilitychange', wake);
  addEventListener('online', wake);
}
