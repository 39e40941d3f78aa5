/**
 * What a board's sensors make of what truly happens: squares are looked at one after the other, once per scan, so
 * that short changes are missed, changes of one scan come in the order of the squares, and a square can go from
 * piece to piece. On top of that come the board's own faults: lost updates, flicker, dead spots, link gaps, late dumps.
 *
 * It gives sensor events without any bytes; the protocol simulators do the same job in bytes.
 */
import { EMPTY, OCCUPIED, type Placement, turnPlacement } from '../../core/placement.ts';
import type { ClockFace, ClockReading, SensorEvent } from '../../core/sensor-event.ts';
import { type Square, turnSquare } from '../../core/square.ts';
import type { HandAction } from './action.ts';
import type { PlayedGame } from './people.ts';
import { NOISE, type NoiseLevel, type SensorNoise } from './profiles.ts';
import { around, between, createRandom, isChance, type Random } from './random.ts';

export interface ScanOptions {
  readonly seed: number;
  readonly noise: NoiseLevel;
  readonly sensing: 'identity' | 'occupancy';
  /**
   * One look at all 64 squares, ms; when absent drawn from 200 to 250 for boards that identify pieces coil by coil, and
   * from 30 to 50 for occupancy boards (one maker's default is 41).
   */
  readonly scanMs?: number;
  /** How the clock is heard: readings as of a board's clock socket, presses by colour, or not at all. */
  readonly clock?: 'readings' | 'presses' | 'none';
  /** A running clock is read this often, ms; 1000 as displays change, more to save work in long games. */
  readonly clockEveryMs?: number;
  /** After this long without a change of a square the session asks for a dump, and again every ten seconds; 0 = never. */
  readonly idleDumpMs?: number;
  /** The board never tells single squares: it is asked for a dump this often, ms, and for nothing else. */
  readonly dumpsOnlyMs?: number;
  /** The board is turned by 180 degrees. */
  readonly rotated?: boolean;
  /** Changes of single knobs of the noise level. */
  readonly faults?: Partial<SensorNoise>;
}

/** A fault of sensor or link that truly happened. */
export interface SensorFault {
  readonly type: 'lostUpdate' | 'flicker' | 'deadSpot' | 'linkGap' | 'lateDump';
  readonly atMs: number;
  readonly untilMs: number;
  readonly square?: Square;
}

export interface Scan {
  readonly events: readonly SensorEvent[];
  readonly faults: readonly SensorFault[];
}

interface Edge {
  readonly atMs: number;
  readonly cell: number;
}

/** Where in a scan a square is looked at: a8 first, h1 last, as squares are numbered on such boards. */
const scanOrder = (square: Square): number => (7 - (square >> 3)) * 8 + (square & 7);

/** Puts faults of single squares into their histories: flicker and dead spots, where nothing else happens. */
function addSquareFaults(
  histories: Edge[][],
  random: Random,
  noise: SensorNoise,
  endAtMs: number,
  faults: SensorFault[],
): void {
  const quietPiece = (fromMs: number, toMs: number): { square: Square; cell: number } | undefined => {
    for (let attempt = 0; attempt < 20; attempt++) {
      const square = between(random, 0, 63);
      const edges = histories[square]!;
      if (edges.some((e) => e.atMs > fromMs - 1000 && e.atMs < toMs + 1000)) continue;
      const cell = edges.findLast((e) => e.atMs <= fromMs)?.cell ?? EMPTY;
      if (cell !== EMPTY) return { square, cell };
    }
    return undefined;
  };
  const insert = (square: Square, edges: readonly Edge[]): void => {
    histories[square] = [...histories[square]!, ...edges].sort((a, b) => a.atMs - b.atMs);
  };
  const count = (mean: number): number => Math.floor(mean) + (isChance(random, mean % 1) ? 1 : 0);
  for (let i = count(noise.flickers); i > 0; i--) {
    const fromMs = between(random, 1000, Math.max(1000, endAtMs));
    const edges: Edge[] = [];
    let atMs = fromMs;
    const bursts = between(random, 3, 10);
    const spot = quietPiece(fromMs, fromMs + bursts * 1200);
    if (spot === undefined) continue;
    for (let n = 0; n < bursts; n++) {
      edges.push({ atMs, cell: EMPTY });
      atMs += between(random, 100, 500);
      edges.push({ atMs, cell: spot.cell });
      atMs += between(random, 150, 700);
    }
    insert(spot.square, edges);
    faults.push({ type: 'flicker', atMs: fromMs, untilMs: atMs, square: spot.square });
  }
  for (let i = count(noise.deadSpots); i > 0; i--) {
    const fromMs = between(random, 1000, Math.max(1000, endAtMs));
    const untilMs = fromMs + between(random, 5000, 40_000);
    const spot = quietPiece(fromMs, untilMs);
    if (spot === undefined) continue;
    insert(spot.square, [
      { atMs: fromMs, cell: EMPTY },
      { atMs: untilMs, cell: spot.cell },
    ]);
    faults.push({ type: 'deadSpot', atMs: fromMs, untilMs, square: spot.square });
  }
}

/** Readings of the clock: one at once whenever it is pressed, set or stopped, and while it runs every so often. */
function readClock(actions: readonly HandAction[], endAtMs: number, options: ScanOptions): SensorEvent[] {
  const everyMs = options.clockEveryMs ?? 1000;
  // A turned board has its clock at Black's left: the faces are exchanged (White's is the right one).
  const whiteFace: ClockFace = options.rotated === true ? 'right' : 'left';
  const blackFace: ClockFace = options.rotated === true ? 'left' : 'right';
  let lever: ClockFace = whiteFace;
  const shown = (ms: number): number => Math.max(0, Math.ceil(ms / 1000) * 1000);
  const events: SensorEvent[] = [];
  const states = actions.filter((a) => a.type === 'clock');
  for (const [i, state] of states.entries()) {
    const untilMs = states[i + 1]?.atMs ?? endAtMs;
    const running =
      state.running === undefined ? undefined : state.running === 'white' ? whiteFace : blackFace;
    lever = running ?? lever;
    for (
      let atMs = state.atMs;
      atMs === state.atMs || (running !== undefined && atMs < untilMs);
      atMs += everyMs
    ) {
      const spentMs = atMs - state.atMs;
      const white = { timeMs: shown(state.whiteMs - (state.running === 'white' ? spentMs : 0)), flag: false };
      const black = { timeMs: shown(state.blackMs - (state.running === 'black' ? spentMs : 0)), flag: false };
      const reading: ClockReading = {
        left: whiteFace === 'left' ? white : black,
        right: whiteFace === 'left' ? black : white,
        running,
        lever,
        connected: true,
      };
      events.push({ type: 'clock', atMs, reading });
    }
  }
  return events;
}

/** Looks at a played game with a board's sensors. */
export function scanGame(game: PlayedGame, options: ScanOptions): Scan {
  const random = createRandom(options.seed ^ 0x5ca11ab1);
  const noise: SensorNoise = { ...NOISE[options.noise], ...options.faults };
  const periodMs =
    options.scanMs ?? (options.sensing === 'identity' ? between(random, 200, 250) : between(random, 30, 50));
  const phaseMs = between(random, 0, periodMs - 1);
  const hears = options.clock ?? (game.hasClock ? 'readings' : 'none');
  const idleDumpMs = options.idleDumpMs ?? 0;
  const faults: SensorFault[] = [];
  const sensed = (cell: number): number =>
    options.sensing === 'occupancy' && cell !== EMPTY ? OCCUPIED : cell;

  const histories: Edge[][] = Array.from({ length: 64 }, (_, square) => [
    { atMs: -1, cell: sensed(game.placement[square]!) },
  ]);
  for (const action of game.actions) {
    if (action.type === 'square') {
      histories[action.square]!.push({ atMs: action.atMs, cell: sensed(action.cell) });
    }
  }
  addSquareFaults(histories, random, noise, game.endAtMs, faults);

  // The looks at a square that find something else than the look before.
  const looks: { atMs: number; order: number; square: Square; cell: number }[] = [];
  for (let square = 0; square < 64; square++) {
    const edges = histories[square]!;
    const order = scanOrder(square);
    const offsetMs = phaseMs + (order * periodMs) / 64;
    let reported = edges[0]!.cell;
    for (let i = 1; i < edges.length; i++) {
      const look = offsetMs + Math.ceil((edges[i]!.atMs - offsetMs) / periodMs) * periodMs;
      const following = edges[i + 1];
      if (following !== undefined && following.atMs <= look) continue;
      if (edges[i]!.cell === reported) continue;
      reported = edges[i]!.cell;
      looks.push({ atMs: look, order, square, cell: reported });
    }
  }
  looks.sort((a, b) => a.atMs - b.atMs || a.order - b.order);

  const endAtMs = game.endAtMs + periodMs;
  const timed: SensorEvent[] =
    options.dumpsOnlyMs === undefined
      ? looks.map(({ atMs, square, cell }) => ({ type: 'square', atMs: Math.ceil(atMs), square, cell }))
      : dumpLooks(looks, Uint8Array.from(game.placement, sensed), options.dumpsOnlyMs, endAtMs);
  if (hears === 'readings') timed.push(...readClock(game.actions, endAtMs, options));
  if (hears === 'presses') {
    for (const action of game.actions) if (action.type === 'press') timed.push(action);
  }
  timed.sort((a, b) => a.atMs - b.atMs);

  const gaps = chooseGaps(random, noise, game.endAtMs);
  for (const gap of gaps) faults.push({ type: 'linkGap', ...gap });
  const events = deliver(timed, game, gaps, { random, noise, idleDumpMs, endAtMs, sensed, faults });
  return { events: options.rotated === true ? events.map(turnEvent) : events, faults };
}

/** Pictures of the whole board at equal times, of what was last found on each square. */
function dumpLooks(
  looks: readonly { readonly atMs: number; readonly square: Square; readonly cell: number }[],
  now: Placement,
  everyMs: number,
  endAtMs: number,
): SensorEvent[] {
  const dumps: SensorEvent[] = [];
  let next = 0;
  for (let atMs = everyMs; atMs < endAtMs + everyMs; atMs += everyMs) {
    for (let look = looks[next]; look !== undefined && look.atMs <= atMs; look = looks[++next]) {
      now[look.square] = look.cell;
    }
    dumps.push({ type: 'dump', atMs, placement: now.slice() });
  }
  return dumps;
}

interface Gap {
  readonly atMs: number;
  readonly untilMs: number;
}

function chooseGaps(random: Random, noise: SensorNoise, endAtMs: number): Gap[] {
  const gaps: Gap[] = [];
  if (!isChance(random, noise.linkGaps)) return gaps;
  const atMs = between(random, 3000, Math.max(3000, endAtMs));
  const middle = Math.sqrt(noise.linkGapMs[0] * noise.linkGapMs[1]);
  const lengthMs = Math.max(noise.linkGapMs[0], Math.min(noise.linkGapMs[1], around(random, middle, 0.8)));
  gaps.push({ atMs, untilMs: atMs + lengthMs });
  return gaps;
}

/** Sends what was sensed over a link that may lose single updates or be gone for a while, with dumps where asked for. */
function deliver(
  timed: readonly SensorEvent[],
  game: PlayedGame,
  gaps: readonly Gap[],
  with_: {
    readonly random: Random;
    readonly noise: SensorNoise;
    readonly idleDumpMs: number;
    readonly endAtMs: number;
    readonly sensed: (cell: number) => number;
    readonly faults: SensorFault[];
  },
): SensorEvent[] {
  const { random, noise, idleDumpMs, endAtMs, sensed, faults } = with_;
  const now = Uint8Array.from(game.placement, sensed);
  const out: SensorEvent[] = [{ type: 'dump', atMs: 0, placement: now.slice() }];
  const late: SensorEvent[] = [];
  const queue = [...gaps];
  let gap: Gap | undefined;
  let quietSinceMs = 0;
  let nextDumpMs = idleDumpMs > 0 ? idleDumpMs : Number.POSITIVE_INFINITY;
  const dump = (atMs: number): void => {
    out.push({ type: 'dump', atMs, placement: now.slice() });
    nextDumpMs = atMs + Math.max(idleDumpMs, 10_000);
  };
  const passTime = (atMs: number): void => {
    if (gap !== undefined && gap.untilMs <= atMs) {
      out.push({ type: 'link', atMs: gap.untilMs, link: 'up' });
      dump(gap.untilMs);
      gap = undefined;
    }
    while (gap === undefined && nextDumpMs < atMs && (queue[0] === undefined || nextDumpMs < queue[0].atMs)) {
      dump(nextDumpMs);
    }
    if (gap === undefined && queue[0] !== undefined && queue[0].atMs <= atMs) {
      gap = queue.shift()!;
      out.push({ type: 'link', atMs: gap.atMs, link: 'lost' });
      passTime(atMs);
    }
  };
  for (const event of timed) {
    passTime(event.atMs);
    if (event.type === 'dump') now.set(event.placement);
    if (event.type === 'square') {
      now[event.square] = event.cell;
      quietSinceMs = event.atMs;
      if (idleDumpMs > 0) nextDumpMs = quietSinceMs + idleDumpMs;
      if (gap !== undefined) continue;
      if (isChance(random, noise.lateDump)) {
        const delayMs = between(random, 100, 1200);
        late.push({ type: 'dump', atMs: event.atMs + delayMs, placement: now.slice() });
        faults.push({ type: 'lateDump', atMs: event.atMs, untilMs: event.atMs + delayMs });
      }
      if (isChance(random, noise.lostUpdate)) {
        faults.push({ type: 'lostUpdate', atMs: event.atMs, untilMs: event.atMs, square: event.square });
        continue;
      }
    }
    if (gap === undefined) out.push(event);
  }
  passTime(endAtMs + Math.max(idleDumpMs, ...gaps.map((g) => g.untilMs - endAtMs), 0) + 1);
  const isDown = (atMs: number): boolean => gaps.some((g) => atMs >= g.atMs && atMs <= g.untilMs);
  return [...out, ...late.filter((event) => !isDown(event.atMs))].sort((a, b) => a.atMs - b.atMs);
}

/** What the same event looks like on a board turned by 180 degrees (clock readings are turned where they are made). */
function turnEvent(event: SensorEvent): SensorEvent {
  if (event.type === 'square') return { ...event, square: turnSquare(event.square) };
  if (event.type === 'dump') return { ...event, placement: turnPlacement(event.placement) };
  return event;
}
