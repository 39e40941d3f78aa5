/**
 * The one way from what passed over a board's link to its games: bytes, decoder, reconstructor, game events. The
 * recorder runs it live, `rederive` runs it over the store; given the same input both see the same events.
 */
import type { BoardDefinition, Decoder } from '../boards/definition.ts';
import type { GameEvent, Variant } from '../core/game-event.ts';
import { applyGameEvent, createGameRecord, type GameRecord } from '../core/game-record.ts';
import { type Machine, MachineDriver, type Step, type Tick } from '../core/machine.ts';
import { createReconstructor } from '../core/reconstructor.ts';
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
  /** The machine that concludes; the reconstructor when absent. */
  readonly createReconstructor?: () => Machine<SensorEvent, GameEvent>;
}

/** What comes out of a derivation, in order. */
export type DeriveOutput =
  /** The input that was taken, with the time under which it counts: this is what is to be stored. */
  | { readonly type: 'input'; readonly input: RawInput }
  | { readonly type: 'event'; readonly event: GameEvent }
  /** Bytes that belong to no message. */
  | { readonly type: 'discarded'; readonly atMs: number; readonly count: number; readonly code: string };

/**
 * Creates the machine from raw input to game events of one board. It outlives connections: each begins with a new
 * decoder, the reconstructor goes on. Times are made whole and never fall.
 */
export function createDerivation(options: DeriveOptions): Machine<RawInput, DeriveOutput> {
  const { definition, start, variant, rotated } = options;
  const inner = new MachineDriver<SensorEvent, GameEvent>(
    options.createReconstructor?.() ??
      createReconstructor({
        profile: definition.profile,
        ...(start !== undefined && { start }),
        ...(variant !== undefined && { variant }),
        ...(rotated !== undefined && { rotated }),
      }),
  );
  let decoder: Decoder = definition.createDecoder();
  let lastMs = 0;

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
      return inner.wakeAtMs === undefined ? { outputs } : { outputs, wakeAtMs: inner.wakeAtMs };
    },
  };
}

/** Applies game events to the records of a board, in place: `gameStarted` begins one, all others go to the last. */
export function applyToRecords(records: GameRecord[], event: GameEvent): void {
  if (event.type === 'gameStarted') records.push(createGameRecord(event));
  else if (records.length > 0) applyGameEvent(records[records.length - 1]!, event);
}

/** Derives all games from stored input, up to and including what was due at `untilMs`. */
export function deriveRecords(
  machine: Machine<RawInput, DeriveOutput>,
  inputs: Iterable<RawInput>,
  untilMs: number,
): GameRecord[] {
  const records: GameRecord[] = [];
  for (const event of deriveEvents(machine, inputs, untilMs)) applyToRecords(records, event);
  return records;
}

/** Derives all game events from stored input, up to and including what was due at `untilMs`. */
export function* deriveEvents(
  machine: Machine<RawInput, DeriveOutput>,
  inputs: Iterable<RawInput>,
  untilMs: number,
): Generator<GameEvent> {
  const driver = new MachineDriver(machine);
  for (const input of inputs) {
    for (const output of driver.feed(input)) if (output.type === 'event') yield output.event;
  }
  for (const output of driver.advance(untilMs)) if (output.type === 'event') yield output.event;
}
