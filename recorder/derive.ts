/**
 * The one way from what passed over a board's link to its games: bytes, decoder, reconstructor, laws, game events. The
 * recorder runs it live, `rederive` runs it over the store and `replay` over a capture; given the same input all see
 * the same events.
 */
import type { BoardDefinition, Decoder } from '../boards/definition.ts';
import type { GameEvent, Variant } from '../core/game-event.ts';
import { createLaws, type LawsOptions } from '../core/laws/laws.ts';
import { withLaws } from '../core/laws/with-laws.ts';
import { type Machine, MachineDriver, runThrough, type Step, type Tick } from '../core/machine.ts';
import { createReconstructor, type ReconstructorOptions } from '../core/reconstructor.ts';
import type { SensorEvent } from '../core/sensor-event.ts';
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
  readonly createReconstructor?: () => Machine<SensorEvent, GameEvent>;
}

/** What comes out of a derivation, in order. */
export type DeriveOutput =
  /** The input that was taken, with the time under which it counts: this is what is to be stored. */
  | { readonly type: 'input'; readonly input: RawInput }
  | { readonly type: 'event'; readonly event: GameEvent }
  /** Bytes that belong to no message. */
  | { readonly type: 'discarded'; readonly atMs: number; readonly count: number; readonly code: string };

/** The machine that makes games of what sensors say, and tells what the Laws have to say of them. */
export function createJudgedGames(
  options: ReconstructorOptions,
  laws: Omit<LawsOptions, 'rotated'> = {},
): Machine<SensorEvent, GameEvent> {
  const { rotated } = options;
  const all = { leavesTouchMove: true, ...laws, ...(rotated !== undefined && { rotated }) };
  return withLaws(createReconstructor(options), createLaws(all));
}

/**
 * Creates the machine from raw input to game events of one board. It outlives connections: each begins with a new
 * decoder, the reconstructor goes on. Times are made whole and never fall.
 */
export function createDerivation(options: DeriveOptions): Machine<RawInput, DeriveOutput> {
  const { definition, start, variant, rotated, laws } = options;
  const inner = new MachineDriver<SensorEvent, GameEvent>(
    options.createReconstructor?.() ??
      createJudgedGames(
        {
          profile: definition.profile,
          ...(start !== undefined && { start }),
          ...(variant !== undefined && { variant }),
          ...(rotated !== undefined && { rotated }),
        },
        laws,
      ),
  );
  let decoder: Decoder = definition.createDecoder();
  let lastMs = Number.NEGATIVE_INFINITY;

  const take = (input: RawInput, outputs: DeriveOutput[]): void => {
    const say = (events: readonly GameEvent[]): void => {
      for (const event of events) outputs.push({ type: 'event', event });
    };
    if (input.type === 'tx') return;
    if (input.type === 'link') {
      // A new connection begins with a new message.
      decoder = definition.createDecoder();
      say(inner.feed({ type: 'link', atMs: input.atMs, link: input.link }));
      return;
    }
    for (const decoded of decoder.decode(input.bytes, input.atMs)) {
      if (decoded.type === 'sensor') say(inner.feed(decoded.event));
      else if (decoded.type === 'discarded') {
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
      for (const output of inner.advance(atMs)) outputs.push({ type: 'event', event: output });
      if (event.type !== 'tick') {
        const input: RawInput = event.atMs === atMs ? event : { ...event, atMs };
        outputs.push({ type: 'input', input });
        take(input, outputs);
      }
      // A part of a millisecond would be cut off the tick, which then comes too early for what was due.
      return inner.wakeAtMs === undefined ? { outputs } : { outputs, wakeAtMs: Math.ceil(inner.wakeAtMs) };
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
