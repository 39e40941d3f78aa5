/**
 * Many simulated boards of all kinds at once in one process, each played on by hands, through session, connection and fleet: whether
 * every board is known in the end, what the event loop is delayed by, and whether heap or timers grow.
 *
 *   npm run bench:boards -- --boards 64 --seconds 600
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { firstValueFrom, map, merge, Subject, type Subscription, tap, timer } from 'rxjs';
import type { SimulatorEvent } from '../../boards/definition.ts';
import { BOARDS } from '../../boards/registry.ts';
import { EMPTY, emptyPlacement, type Placement, parseCell } from '../../core/placement.ts';
import { makeLinkAddress } from '../../driver/address.ts';
import { createSystemClock } from '../../driver/clock.ts';
import { createFleet } from '../../driver/fleet.ts';
import { runMachine } from '../../driver/run-machine.ts';
import { createMemoryPair } from '../../driver/transports/memory.ts';

const { values } = parseArgs({
  options: { boards: { type: 'string', default: '64' }, seconds: { type: 'string', default: '600' } },
});
const clock = createSystemClock();
const wait = (ms: number) => firstValueFrom(timer(ms));
const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
const heap = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1024;
};

/** Bytes that each board has said since it was switched on, by its place, and those that were heard of it. */
const said = new Map<string, number>();
const heard = new Map<string, number>();
const running: Subscription[] = [];
const boards: Subscription[] = [];
const tables = Array.from({ length: Number(values.boards) }, (_, i) => {
  const definition = BOARDS[i % BOARDS.length]!;
  const { transport, device } = createMemoryPair(`soak${i}`, clock);
  const hand = new Subject<SimulatorEvent>();
  const heard$ = device.bytes$.pipe(
    map((bytes): SimulatorEvent => ({ type: 'bytes', atMs: clock.monotonicMs(), bytes })),
  );
  const board$ = merge(heard$, hand).pipe(
    runMachine(() => definition.createSimulator({ serialNumber: String(10_001 + i) }), clock),
    tap(({ bytes }) => {
      said.set(
        makeLinkAddress(transport.address),
        (said.get(makeLinkAddress(transport.address)) ?? 0) + bytes.length,
      );
      device.write(bytes);
    }),
  );
  boards.push(board$.subscribe());
  hand.next({ type: 'bytes', atMs: clock.monotonicMs(), bytes: new Uint8Array(0) });
  return { definition, transport, hand };
});
const byPlace = new Map(tables.map((table) => [makeLinkAddress(table.transport.address), table]));
const fleet = createFleet({
  definitions: BOARDS,
  clock,
  named: tables.map(({ definition, transport }) => ({ kind: definition.id, link: transport.address })),
  search: 'none',
  list: async () => [],
  transportFor: (link) => byPlace.get(makeLinkAddress(link))!.transport,
});
const shown = new Map<string, Placement>();
const placeOf = new Map<string, string>();
let messages = 0;
let losses = 0;
const messages$ = fleet.updates$.pipe(
  tap(({ board, update }) => {
    messages++;
    if (update.type === 'link' && update.link === 'lost') losses++;
    if (update.type === 'rx') heard.set(board, (heard.get(board) ?? 0) + update.bytes.length);
    if (update.type !== 'sensor') return;
    if (update.event.type === 'dump') shown.set(board, update.event.placement.slice());
    if (update.event.type === 'square') {
      const placement = shown.get(board) ?? emptyPlacement();
      placement[update.event.square] = update.event.cell;
      shown.set(board, placement);
    }
  }),
);
const status$ = fleet.status$.pipe(
  tap(({ boards }) => {
    for (const { board, link } of boards) placeOf.set(board, makeLinkAddress(link));
  }),
);
running.push(messages$.subscribe(), status$.subscribe());

await wait(30_000);
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
const endMs = clock.monotonicMs() + Number(values.seconds) * 1000;
const heaps: { readonly atMs: number; readonly kB: number }[] = [];
const timersBefore = timers();
let actions = 0;
for (let step = 0; clock.monotonicMs() < endMs || step % 4 !== 2; step++) {
  // A knight goes out and home again; in the end it stands on f3.
  const [square, cell] = [
    [6, EMPTY],
    [21, parseCell('N')!],
    [21, EMPTY],
    [6, parseCell('N')!],
  ][step % 4] as [number, number];
  for (const { hand } of tables) {
    hand.next({ type: 'square', atMs: clock.monotonicMs(), square, cell });
    actions++;
  }
  await wait(1500);
  if (step % 20 === 0) heaps.push({ atMs: clock.monotonicMs(), kB: heap() });
}
delay.disable();
const timersAfter = timers();
await wait(15_000);
const seen = [...placeOf].filter(([board]) => {
  const placement = shown.get(board);
  return placement !== undefined && placement[6] === EMPTY && placement[21] !== EMPTY;
});
const known = new Set(seen.map(([, place]) => place));
const late = heaps.slice(Math.floor(heaps.length / 2));
const [from, to] = [late[0], late.at(-1)];
const slope =
  from === undefined || to === undefined || to.atMs <= from.atMs
    ? 'not measured'
    : `${(((to.kB - from.kB) * 60_000) / (to.atMs - from.atMs)).toFixed(0)} kB a minute`;
const unknown = tables.filter(({ transport }) => !known.has(makeLinkAddress(transport.address)));
// Some boards never stop talking: what they have said last arrives before it is counted.
for (const board of boards) board.unsubscribe();
await wait(1_000);
// On a line what is heard is handed out to its boards, and noise is nobody's.
const unheard = [...placeOf]
  .filter(([, place]) => byPlace.get(place)?.definition.line === undefined)
  .filter(([board, place]) => heard.get(board) !== said.get(place));
process.stdout.write(
  `${tables.length} boards of ${new Set(tables.map(({ definition }) => definition.id)).size} kinds, ${values.seconds} s\n` +
    `done by hands ${actions}, messages ${messages}, links lost ${losses}, boards not known in the end ${unknown.length}` +
    `${unknown.length > 0 ? ` (${[...new Set(unknown.map(({ definition }) => definition.id))].join(', ')})` : ''}\n` +
    `boards of which not every byte was heard: ${unheard.length}${unheard.length > 0 ? ` (${unheard.map(([board, place]) => `${board}: ${heard.get(board)} of ${said.get(place)}`).join(', ')})` : ''}\n` +
    `event loop delay: p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms, longest ${(delay.max / 1e6).toFixed(0)} ms\n` +
    `heap over the second half: ${slope}${globalThis.gc === undefined ? ' (without collection: start with --expose-gc)' : ''}\n` +
    `timers: ${timersBefore} before, ${timersAfter} after\n`,
);
for (const subscription of running) subscription.unsubscribe();
process.exitCode = unknown.length + unheard.length + losses > 0 ? 1 : 0;
