/**
 * The one way from what passed over a board's link, and what people have entered, to its games: bytes, decoder,
 * reconstructor, laws, game events. The recorder runs it live, `rederive` runs it over the store and `replay` over a
 * capture; given the same input all see the same events.
 */
import type { BoardDefinition, Decoder } from '../boards/definition.ts';
import type { GameEvent, Variant } from '../core/game-event.ts';
import { createLaws, type LawsEvent, type LawsOptions, type LawsOutput } from '../core/laws/laws.ts';
import { type TableEvent, withLaws } from '../core/laws/with-laws.ts';
import { type Machine, MachineDriver, runThrough, type Step, type Tick } from '../core/machine.ts';
import { createReconstructor, type ReconstructorOptions } from '../core/reconstructor.ts';
import { type Entry, eventOf, inOrder } from './entry.ts';
import type { RawInput } from './raw-input.ts';

/** What is known of a board before its first byte. */
export interface DeriveOptions {
  readonly definition: Pick<BoardDefinition, 'createDecoder' | 'profile'>;
  /** FEN of the start position of its games; the initial position when absent. */
  readonly start?: string;
  readonly variant?: Variant;
  /** The board is known to be turned by 180 degrees. */
  readonly rotated?: boolean;
  /** Time controls, supervision and whatever else the Laws depend on. */
  readonly laws?: Omit<LawsOptions, 'rotated'>;
  /** The machine that concludes; the reconstructor and the Laws when absent. */
  readonly createReconstructor?: () => Machine<TableEvent, GameEvent>;
  /** What was entered about the games; a change of it is a new derivation. */
  readonly entries?: readonly Entry[];
}

/** What the Laws tell besides flags: irregularities, proposals, endings, the moments of plies. */
export type LawsNews = Exclude<LawsOutput, { type: 'flag' }>;

/** What comes out of a derivation, in order. */
export type DeriveOutput =
  /** The input that was taken, with the time under which it counts: this is what is to be stored. */
  | { readonly type: 'input'; readonly input: RawInput }
  | { readonly type: 'event'; readonly event: GameEvent }
  /** Bytes that belong to no message. */
  | { readonly type: 'discarded'; readonly atMs: number; readonly count: number; readonly code: string }
  /** For the desk, not part of a record. `game`: 1-based number of the game it is about. */
  | { readonly type: 'law'; readonly game: number; readonly news: LawsNews }
  /** An entry whose game was not the present one at its time, or is not there at all: nothing has come of it. */
  | { readonly type: 'unheard'; readonly entry: Entry };

/**
 * The machine that makes games of what sensors say and people enter, and tells what the Laws have to say of them. What they
 * say besides flags is handed to `hear`.
 */
export function createJudgedGames(
  options: ReconstructorOptions,
  laws: Omit<LawsOptions, 'rotated'> = {},
  hear: (game: number, news: LawsNews) => void = () => {},
): Machine<TableEvent, GameEvent> {
  const { rotated } = options;
  const all = { ...laws, ...(rotated !== undefined && { rotated }) };
  const judge = createLaws(all);
  let game = 0;
  const heard: Machine<LawsEvent, LawsOutput> = {
    step(event) {
      if (event.type === 'gameStarted') game = event.game;
      const step = judge.step(event);
      for (const output of step.outputs) if (output.type !== 'flag') hear(game, output);
      return step;
    },
  };
  return withLaws(createReconstructor(options), heard);
}

/**
 * Creates the machine from raw input to game events of one board. It outlives connections: each begins with a new
 * decoder, the reconstructor goes on. Times are made whole and never fall.
 */
export function createDerivation(options: DeriveOptions): Machine<RawInput, DeriveOutput> {
  const { definition, start, variant, rotated, laws } = options;
  const news: DeriveOutput[] = [];
  const inner = new MachineDriver<TableEvent, GameEvent>(
    options.createReconstructor?.() ??
      createJudgedGames(
        {
          profile: definition.profile,
          ...(start !== undefined && { start }),
          ...(variant !== undefined && { variant }),
          ...(rotated !== undefined && { rotated }),
        },
        laws,
        (number, about) => news.push({ type: 'law', game: number, news: about }),
      ),
  );
  const entries = inOrder(options.entries ?? []);
  let game = 0;
  let decoder: Decoder = definition.createDecoder();
  let lastMs = Number.NEGATIVE_INFINITY;
  /** What the games have heard of, and the time that has passed for them. */
  let heardMs = Number.NEGATIVE_INFINITY;

  const say = (events: readonly GameEvent[], outputs: DeriveOutput[]): void => {
    for (const event of events) {
      if (event.type === 'gameStarted') game = event.game;
      outputs.push({ type: 'event', event });
    }
    outputs.push(...news.splice(0));
  };

  const advance = (atMs: number, outputs: DeriveOutput[]): void => {
    heardMs = Math.max(heardMs, atMs);
    say(inner.advance(atMs), outputs);
  };

  /** Hears what was entered at or before a time, each entry before what else happened in its millisecond. */
  const takeEntries = (atMs: number, outputs: DeriveOutput[]): void => {
    while (entries.length > 0 && entries[0]!.atMs <= atMs) {
      const entry = entries.shift()!;
      const event = eventOf(entry);
      advance(event.atMs, outputs);
      if (entry.game === game) say(inner.feed(event), outputs);
      else outputs.push({ type: 'unheard', entry });
    }
  };

  const take = (input: RawInput, outputs: DeriveOutput[]): void => {
    if (input.type === 'tx') return;
    if (input.type === 'link') {
      // A new connection begins with a new message, and to the same board.
      decoder = decoder.reopen?.() ?? definition.createDecoder();
      say(inner.feed({ type: 'link', atMs: input.atMs, link: input.link }), outputs);
      return;
    }
    for (const decoded of decoder.decode(input.bytes, input.atMs)) {
      if (decoded.type === 'sensor') {
        // A board that is asked from time to time tells later what has happened before: not before what was concluded.
        const atMs = Math.max(heardMs, Math.floor(decoded.event.atMs));
        heardMs = atMs;
        say(inner.feed(decoded.event.atMs === atMs ? decoded.event : { ...decoded.event, atMs }), outputs);
      } else if (decoded.type === 'discarded') {
        const { bytes, fault } = decoded;
        outputs.push({ type: 'discarded', atMs: input.atMs, count: bytes.length, code: fault.code });
      }
    }
  };

  return {
    step(event: RawInput | Tick): Step<DeriveOutput> {
      const atMs = Math.max(lastMs, Math.floor(event.atMs));
      lastMs = atMs;
      const outputs: DeriveOutput[] = [];
      takeEntries(atMs, outputs);
      if (event.type !== 'rx') advance(atMs, outputs);
      if (event.type !== 'tick') {
        const input: RawInput = event.atMs === atMs ? event : { ...event, atMs };
        outputs.push({ type: 'input', input });
        take(input, outputs);
        advance(atMs, outputs);
      }
      // A part of a millisecond would be cut off the tick, which then comes too early for what was due.
      const wakeAtMs = Math.min(
        Math.ceil(inner.wakeAtMs ?? Number.POSITIVE_INFINITY),
        entries[0]?.atMs ?? Number.POSITIVE_INFINITY,
      );
      return wakeAtMs === Number.POSITIVE_INFINITY ? { outputs } : { outputs, wakeAtMs };
    },
  };
}

/** Derives all game events from input, up to and including what was due at `untilMs`. */
export function* deriveEvents(
  machine: Machine<RawInput, DeriveOutput>,
  inputs: Iterable<RawInput>,
  untilMs: number,
): Generator<GameEvent> {
  for (const output of runThrough(machine, inputs, untilMs)) if (output.type === 'event') yield output.event;
}
