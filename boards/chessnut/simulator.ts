/**
 * The board's side, written from the facts and the golden frames of `PROTOCOL.md` and from nothing of our own codec, so
 * that one mistake cannot hide on both sides.
 */
import type { Machine, Step, Tick } from '../../core/machine.ts';
import { makeCell, type Placement, parsePlacement } from '../../core/placement.ts';
import type { SimulatorEvent, SimulatorOptions, SimulatorOutput } from '../definition.ts';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';
/** Letters of the nibbles 0..C. */
const NIBBLES = '.qkbpnRPrBNQK';
const HID_REPORT = 64;
const REPORT_MS = 200;
/** Pause between two positions of a stored game. */
const STORED_MS = 20;

/** Everything a simulated Chessnut can be told. */
export interface ChessnutSimulatorOptions extends SimulatorOptions {
  /** `hid`: 64-byte reports, filled up; `ble`: notifications. Default `ble`. */
  readonly wire?: 'hid' | 'ble';
  /** Time between two positions. */
  readonly reportMs?: number;
  readonly batteryPercent?: number;
  readonly charging?: boolean;
  /** A Chessnut Move: has another question for its battery, and says 0 to the usual one. */
  readonly move?: boolean;
  /** Games recorded while nobody was connected, oldest first: FEN placements. */
  readonly storedGames?: readonly (readonly string[])[];
  /** From then on nothing is answered: the battery is out. */
  readonly silentFromMs?: number;
}

/** Switches a simulated board on; the first event is the moment at which that happens. */
export const createChessnutSimulator = (
  options: ChessnutSimulatorOptions = {},
): Machine<SimulatorEvent, SimulatorOutput> => new ChessnutSimulator(options);

class ChessnutSimulator implements Machine<SimulatorEvent, SimulatorOutput> {
  readonly #options: ChessnutSimulatorOptions;
  readonly #standing: string[];
  readonly #stored: (readonly string[])[];
  #onAtMs: number | undefined;
  #nowMs = 0;
  #out: SimulatorOutput[] = [];
  #mode: 'idle' | 'live' | 'upload' = 'idle';
  #ready = false;
  #reportAtMs: number | undefined;
  /** What is left to send of a stored game, and when. */
  #sending: { readonly frames: string[]; atMs: number } | undefined;
  #input: number[] = [];

  constructor(options: ChessnutSimulatorOptions) {
    this.#options = options;
    this.#standing = lettersOf(options.placement ?? START, options.rotated === true);
    this.#stored = [...(options.storedGames ?? [])];
  }

  step(event: SimulatorEvent | Tick): Step<SimulatorOutput> {
    this.#out = [];
    this.#nowMs = event.atMs;
    this.#onAtMs ??= event.atMs;
    if (event.type === 'square') {
      this.#standing[this.#options.rotated === true ? 63 - event.square : event.square] = makeCell(
        event.cell,
      );
    }
    if (this.#options.silentFromMs !== undefined && this.#nowMs >= this.#onAtMs + this.#options.silentFromMs)
      return { outputs: [] };
    if (event.type === 'bytes') this.#hear(event.bytes);
    if (this.#reportAtMs !== undefined && this.#reportAtMs <= this.#nowMs) {
      this.#reportAtMs += this.#options.reportMs ?? REPORT_MS;
      if (this.#reportAtMs <= this.#nowMs) this.#reportAtMs = this.#nowMs + 1;
      this.#position(this.#standing);
    }
    this.#sendStored();
    const wakeAtMs = Math.min(this.#reportAtMs ?? Infinity, this.#sending?.atMs ?? Infinity);
    return wakeAtMs === Infinity ? { outputs: this.#out } : { outputs: this.#out, wakeAtMs };
  }

  /** Takes what comes from the host apart; what it does not know it passes over. */
  #hear(bytes: Uint8Array): void {
    for (const byte of bytes) {
      this.#input.push(byte);
      const [id = 0, length] = this.#input;
      if (!KNOWN_COMMANDS.includes(id)) this.#input = [];
      else if (length !== undefined && this.#input.length >= 2 + length) {
        const payload = this.#input.slice(2, 2 + length);
        this.#input = [];
        this.#obey(id, payload[0] ?? 0);
      }
    }
  }

  #obey(id: number, value: number): void {
    const { batteryPercent = 88, charging = false, move = false } = this.#options;
    switch (id) {
      case 0x21:
        this.#mode = value === 0 ? 'live' : 'upload';
        this.#reportAtMs = this.#mode === 'live' ? this.#nowMs : undefined;
        this.#sending = undefined;
        this.#say(0x23, 0x01, 0x00);
        return;
      case 0x0a:
        this.#say(0x23, 0x01, 0x00);
        return;
      case 0x29:
        this.#say(0x2a, 0x02, move ? 0 : batteryPercent, charging ? 1 : 0);
        return;
      case 0x41:
        if (move && value === 0x0c) this.#say(0x41, 0x03, 0x0c, charging ? 1 : 0, batteryPercent);
        return;
      case 0x31:
        this.#say(0x32, 0x01, this.#stored.length);
        return;
      case 0x33:
        this.#ready = this.#mode === 'upload';
        this.#say(0x23, 0x01, 0x00);
        return;
      case 0x34: {
        const newest = this.#stored.at(-1);
        if (this.#ready && newest !== undefined)
          this.#sending = { frames: ['begin', ...newest, 'end'], atMs: this.#nowMs };
        return;
      }
      case 0x39:
        if (this.#mode === 'upload') this.#stored.pop();
        this.#say(0x23, 0x01, 0x00);
        return;
      default:
    }
  }

  #sendStored(): void {
    while (this.#sending !== undefined && this.#sending.atMs <= this.#nowMs) {
      const frame = this.#sending.frames.shift();
      this.#sending.atMs += STORED_MS;
      if (frame === undefined) this.#sending = undefined;
      else if (frame === 'begin') this.#say(0x37, 0x01, 0xbe);
      else if (frame === 'end') this.#say(0x37, 0x01, 0xed);
      else this.#position(lettersOf(frame, false));
    }
  }

  #position(letters: readonly string[]): void {
    const board: number[] = [];
    for (let rank = 7; rank >= 0; rank--) {
      for (let file = 7; file > 0; file -= 2) {
        const [right, left] = [letters[rank * 8 + file]!, letters[rank * 8 + file - 1]!];
        board.push(NIBBLES.indexOf(right) + 16 * NIBBLES.indexOf(left));
      }
    }
    const onS = Math.floor((this.#nowMs - this.#onAtMs!) / 1000);
    const tail = [onS & 255, (onS >> 8) & 255, (onS >> 16) & 255, (onS >> 24) & 255];
    if (this.#options.wire === 'hid') {
      const rest = Array.from({ length: 0x3d - board.length - tail.length }, () => 0);
      this.#say(0x01, 0x3d, ...board, ...tail, ...rest);
    } else this.#say(0x01, 0x24, ...board, ...tail);
  }

  #say(...bytes: number[]): void {
    if (this.#options.wire === 'hid') while (bytes.length < HID_REPORT) bytes.push(0);
    this.#out.push({ type: 'write', bytes: Uint8Array.from(bytes) });
  }
}

const KNOWN_COMMANDS = [0x0a, 0x21, 0x29, 0x31, 0x33, 0x34, 0x39, 0x41];

function lettersOf(text: string, turned: boolean): string[] {
  const placement: Placement | undefined = parsePlacement(text);
  if (placement === undefined) throw new Error(`"${text}" is no placement to simulate`);
  const letters = [...placement].map(makeCell);
  return turned ? letters.reverse() : letters;
}
