/** The hall as the server tells it, kept up to date for as long as the page is open. */
import { computed, signal } from '@preact/signals';
import type { LiveChanges, LiveSnapshot, SessionInfo } from '../model/desk-api.ts';
import {
  attentionItems,
  type DeskEvent,
  EMPTY_DESK,
  reduceDesk,
  SILENT_MS,
  serverNow,
} from '../model/desk-state.ts';
import { getJson } from './server.ts';

export const desk = signal(EMPTY_DESK);
export const attention = computed(() => attentionItems(desk.value));
export const session = signal<SessionInfo | undefined>(undefined);
/** The server's clock; moves on while clocks run, as often as they need. */
export const now = signal(0);

const take = (event: DeskEvent): void => {
  desk.value = reduceDesk(desk.value, event);
};

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

/** Moves the clocks; nobody looks at a page that is hidden. */
function tick(): void {
  if (document.visibilityState === 'hidden') return;
  ticks++;
  const nowMs = serverNow(desk.value, performance.now());
  const isShort = [...desk.value.rows.values()].some(
    ({ running, whiteMs = 0, blackMs = 0, clockAtMs = 0 }) =>
      running !== undefined && (running === 'white' ? whiteMs : blackMs) - (nowMs - clockAtMs) < 20_500,
  );
  if (isShort || ticks % SLOW_TICKS === 0) now.value = nowMs;
}

/** Starts everything. */
export function start(): void {
  void refresh();
  setInterval(tick, TICK_MS);
  setInterval(wake, 5000);
  document.addEventListener('visibilitychange', wake);
  addEventListener('online', wake);
}
