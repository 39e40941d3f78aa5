/**
 * The DGT Pegasus: the protocol of the e-boards over Bluetooth Low Energy, from a board that knows only which squares
 * are taken (PROTOCOL.md, section 11).
 */
import type { Machine, Step, Tick } from '../../core/machine.ts';
import { EMPTY, OCCUPIED, WHITE_PAWN } from '../../core/placement.ts';
import type { SensorEvent } from '../../core/sensor-event.ts';
import type { Square } from '../../core/square.ts';
import { NORDIC_UART } from '../conversation/nordic-uart.ts';
import type {
  BoardDefinition,
  BoardSettings,
  Decoded,
  Decoder,
  SessionEvent,
  SessionOutput,
} from '../definition.ts';
import { DgtDecoder } from './codec.ts';
import { createDgtSession } from './session.ts';
import { createDgtSimulator } from './simulator.ts';

const RESET = 0x40;
const UPDATE_BOARD = 0x44;
const UPDATE_NICE = 0x4b;
const LEDS = 0x60;
const DEVELOPER_KEY = 0x63;
/** Commands of one byte that a Pegasus knows; nothing else of the e-boards' is sent to one. */
const KNOWN: readonly number[] = [RESET, 0x42, UPDATE_BOARD, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4c, 0x4d, 0x55];

/** Assumed: nobody says how often it looks at its squares. */
const SCAN_MS = 50;

const LED_SPEED = 2;
const LED_INTENSITY = 2;
const UNTIL_CHANGED = 0;

/** Name of the setting that holds the key a maker of programs has from the vendor. */
const KEY_SETTING = 'developer-key';
const KEY = /^[0-9a-f]{12}$/i;

/** "Taken" has the code of a white pawn; every other code means empty (sources differ on which). */
const cellOf = (cell: number): number => (cell === WHITE_PAWN ? OCCUPIED : EMPTY);

function occupancyOf(event: SensorEvent): SensorEvent {
  if (event.type === 'square') return { ...event, cell: cellOf(event.cell) };
  if (event.type === 'dump') return { ...event, placement: event.placement.map(cellOf) };
  return event;
}

const asOccupancy = <T extends SessionOutput | Decoded>(output: T): T =>
  output.type === 'sensor' ? { ...output, event: occupancyOf(output.event) } : output;

class PegasusDecoder implements Decoder {
  readonly #decoder = new DgtDecoder();

  decode(bytes: Uint8Array, atMs: number): Decoded[] {
    return this.#decoder.decode(bytes, atMs).map(asOccupancy);
  }
}

/** Encodes the lights: lit until they are changed on these squares of the board's own numbering, dark elsewhere. */
export function encodePegasusLeds(squares: readonly Square[]): Uint8Array {
  if (squares.length === 0) return Uint8Array.of(LEDS, 2, 0, 0);
  // The board counts from a8; only the ranks run the other way from ours.
  const indices = squares.map((square) => square ^ 56);
  return Uint8Array.of(LEDS, 5 + squares.length, 5, LED_SPEED, UNTIL_CHANGED, LED_INTENSITY, ...indices, 0);
}

/** Encodes a developer key of twelve hex digits. */
export const encodeDeveloperKey = (key: string): Uint8Array =>
  Uint8Array.of(
    DEVELOPER_KEY,
    7,
    ...(key.match(/../g) ?? []).map((digits) => Number.parseInt(digits, 16)),
    0,
  );

/** The conversation of an e-board, in the words a Pegasus knows; after each reset it is told the key, if there is one. */
class PegasusSession implements Machine<SessionEvent, SessionOutput> {
  readonly #session = createDgtSession();
  readonly #key: Uint8Array | undefined;

  constructor(settings: BoardSettings) {
    const key = settings[KEY_SETTING];
    this.#key = key !== undefined && KEY.test(key) ? encodeDeveloperKey(key) : undefined;
  }

  step(event: SessionEvent | Tick): Step<SessionOutput> {
    if (event.type === 'command') {
      // Time has not been asked for: the conversation goes on with the next thing that is due.
      const wake = this.#session.step({ type: 'bytes', atMs: event.atMs, bytes: new Uint8Array(0) });
      const outputs = [...wake.outputs.flatMap((output) => this.#translate(output)), ...obey(event)];
      return wake.wakeAtMs === undefined ? { outputs } : { outputs, wakeAtMs: wake.wakeAtMs };
    }
    const { outputs, ...rest } = this.#session.step(event);
    return { outputs: outputs.flatMap((output) => this.#translate(output)), ...rest };
  }

  #translate(output: SessionOutput): SessionOutput[] {
    if (output.type !== 'write') return [asOccupancy(output)];
    const [command = 0] = output.bytes;
    if (command === UPDATE_NICE) return [{ type: 'write', bytes: Uint8Array.of(UPDATE_BOARD) }];
    if (output.bytes.length > 1 || !KNOWN.includes(command)) return [];
    if (command !== RESET || this.#key === undefined) return [output];
    return [output, { type: 'write', bytes: this.#key }];
  }
}

function obey({ id, command }: Extract<SessionEvent, { type: 'command' }>): SessionOutput[] {
  if (command.type === 'leds')
    // Nothing answers: handed over is obeyed.
    return [
      { type: 'write', bytes: encodePegasusLeds(command.squares) },
      { type: 'answer', id },
    ];
  const message = 'a Pegasus has no clock';
  return [{ type: 'answer', id, fault: { code: 'COMMAND_UNSUPPORTED', message } }];
}

/** The DGT Pegasus: occupancy, over Bluetooth Low Energy. */
export const pegasus: BoardDefinition = {
  id: 'dgt-pegasus',
  name: 'DGT Pegasus',
  models: ['DGT Pegasus'],
  profile: { sensing: 'occupancy', scanMs: 2 * SCAN_MS },
  capabilities: { serialNumber: true, clock: false, leds: true, battery: true, storedGames: false },
  usb: [],
  bluetooth: {
    names: [/^DGT_PEGASUS_/],
    lowEnergy: {
      ...NORDIC_UART,
      // Nothing that is sent is longer, but for lights on many squares; those are one message to the board's reader.
      greatestWrite: 20,
    },
  },
  settings: [
    {
      name: KEY_SETTING,
      pattern: KEY,
      what: 'the developer key the vendor gave you, twelve hex digits; without one the board is asked all the same',
    },
  ],
  createDecoder: () => new PegasusDecoder(),
  createSession: (settings = {}) => new PegasusSession(settings),
  createSimulator: (options) => createDgtSimulator({ scanMs: SCAN_MS, ...options, preset: 'pegasus' }),
};
