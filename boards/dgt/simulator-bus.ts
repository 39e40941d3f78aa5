/**
 * A line with several simulated boards: all hear every byte of the host, and when two speak at once what arrives is neither
 * (PROTOCOL.md, section 10).
 */
import { type Machine, MachineDriver, type Step, type Tick } from '../../core/machine.ts';
import type { SimulatorEvent, SimulatorOutput } from '../definition.ts';
import { createDgtSimulator, scatter } from './simulator.ts';
import { earliest } from './simulator-line.ts';
import type { DgtSimulatorOptions } from './simulator-options.ts';

/** What is wrong with a line; ordinals count from 1. */
export interface DgtBusOptions {
  /** Another number, other moments of the answers to pings. */
  readonly seed?: number;
  readonly baudRate?: number;
  /** One bit of every so many bytes from the boards is turned. */
  readonly corruptEvery?: number;
  /** Every so many commands of the host arrive damaged: no board understands them. */
  readonly deafEvery?: number;
  /** Pairs of time and bytes that no board has sent, ms after the line was switched on. */
  readonly noise?: readonly { readonly atMs: number; readonly bytes: readonly number[] }[];
}

const DEFAULT_SERIAL = '01025';
const BITS_PER_BYTE = 10;
const DEFAULT_BAUD = 9600;
/** A bridge hands over what it has this often, ms. */
const BRIDGE_MS = 16;

interface Board {
  readonly station: string;
  readonly driver: MachineDriver<SimulatorEvent, SimulatorOutput>;
  readonly serial: number;
  answers: number;
  /** Until when it is sending. */
  busyUntilMs: number;
}

/** A byte on its way to the host. */
interface Flying {
  /** When its last bit is through. */
  readonly atMs: number;
  readonly byte: number;
  readonly from: Board | undefined;
}

/** The address under which a simulated board is found: its serial number. */
export const stationOf = ({ serialNumber = DEFAULT_SERIAL }: DgtSimulatorOptions): string =>
  String(Number(serialNumber.slice(-5)) % 0x4000);

/** Switches all boards of a line on; events without a station are about the first board. */
export const createDgtBusSimulator = (
  boards: readonly DgtSimulatorOptions[],
  options: DgtBusOptions = {},
): Machine<SimulatorEvent, SimulatorOutput> => new DgtBusSimulator(boards, options);

/** Milliseconds, now more, now less: boards that are asked at once do not speak in step. */
const latencyMs = (board: Board): number => 1 + scatter(board.serial * 7919 + board.answers++) * 9;

const withoutSpeed = ({ baudRate: _, ...board }: DgtSimulatorOptions): DgtSimulatorOptions => board;

class DgtBusSimulator implements Machine<SimulatorEvent, SimulatorOutput> {
  readonly #options: DgtBusOptions;
  readonly #boards: readonly Board[];
  readonly #byteMs: number;
  #flying: Flying[] = [];
  #handedMs = Number.NEGATIVE_INFINITY;
  #noise: readonly { readonly atMs: number; readonly bytes: readonly number[] }[] = [];
  #isOn = false;
  #bytes = 0;
  #commands = 0;

  constructor(boards: readonly DgtSimulatorOptions[], options: DgtBusOptions) {
    this.#options = options;
    this.#byteMs = (BITS_PER_BYTE * 1000) / (options.baudRate ?? DEFAULT_BAUD);
    this.#boards = boards.map((board) => ({
      station: stationOf(board),
      driver: new MachineDriver(
        // The speed of the line is the line's: a board hands over whole messages.
        createDgtSimulator({ ...withoutSpeed(board), pingSeed: options.seed ?? 1 }),
      ),
      serial: Number(stationOf(board)),
      answers: 0,
      busyUntilMs: Number.NEGATIVE_INFINITY,
    }));
  }

  step(event: SimulatorEvent | Tick): Step<SimulatorOutput> {
    const { atMs } = event;
    if (!this.#isOn) {
      this.#isOn = true;
      this.#noise = (this.#options.noise ?? []).map((item) => ({ ...item, atMs: item.atMs + atMs }));
      for (const board of this.#boards)
        this.#send(board, board.driver.feed({ type: 'bytes', atMs, bytes: new Uint8Array(0) }), atMs);
    }
    this.#advance(atMs);
    if (event.type === 'bytes') {
      const bytes = this.#damage(event.bytes);
      for (const board of this.#boards)
        this.#send(board, board.driver.feed({ type: 'bytes', atMs, bytes }), atMs);
    } else if (event.type !== 'tick') {
      const board =
        event.station === undefined
          ? this.#boards[0]
          : this.#boards.find(({ station }) => station === event.station);
      if (board !== undefined) this.#send(board, board.driver.feed(event), atMs);
      // Whoever is switched off falls silent in the middle of a word.
      if (event.type === 'power' && !event.on)
        this.#flying = this.#flying.filter((flying) => flying.from !== board || flying.atMs <= atMs);
    }
    const bytes = this.#arrived(atMs);
    const outputs = bytes.length === 0 ? [] : [{ type: 'write', bytes: Uint8Array.from(bytes) } as const];
    const wakeAtMs = this.#nextMs(atMs);
    return wakeAtMs === undefined ? { outputs } : { outputs, wakeAtMs };
  }

  #advance(atMs: number): void {
    for (const board of this.#boards) {
      for (let due = board.driver.wakeAtMs; due !== undefined && due <= atMs; due = board.driver.wakeAtMs)
        this.#send(board, board.driver.advance(due), due);
    }
    if (this.#noise.length === 0) return;
    const due = this.#noise.filter((item) => item.atMs <= atMs);
    this.#noise = this.#noise.filter((item) => item.atMs > atMs);
    for (const item of due) this.#put(undefined, item.bytes, item.atMs);
  }

  /** A board speaks whether or not somebody else does. */
  #send(board: Board, outputs: readonly SimulatorOutput[], atMs: number): void {
    for (const { bytes } of outputs)
      board.busyUntilMs = this.#put(board, [...bytes], Math.max(atMs + latencyMs(board), board.busyUntilMs));
  }

  #put(from: Board | undefined, bytes: readonly number[], startMs: number): number {
    const isAlone = this.#flying.length === 0;
    bytes.forEach((byte, i) => {
      this.#flying.push({ atMs: startMs + (i + 1) * this.#byteMs, byte, from });
    });
    if (!isAlone) this.#flying.sort((a, b) => a.atMs - b.atMs);
    return startMs + bytes.length * this.#byteMs;
  }

  /** What has arrived whole; bytes of two senders in one time are one byte, which is neither. */
  #arrived(atMs: number): number[] {
    const isDue = this.#flying[0] !== undefined && this.#flying[0].atMs <= atMs;
    if (!isDue || (atMs < this.#handedMs + BRIDGE_MS && this.#flying.at(-1)!.atMs > atMs)) return [];
    this.#handedMs = atMs;
    const bytes: number[] = [];
    while (this.#flying[0] !== undefined && this.#flying[0].atMs <= atMs) {
      const { atMs: endMs, byte, from } = this.#flying.shift()!;
      const other = this.#flying.findIndex((f) => f.from !== from && f.atMs < endMs + this.#byteMs);
      const heard = other === -1 ? byte : byte & this.#flying.splice(other, 1)[0]!.byte;
      this.#bytes++;
      const every = this.#options.corruptEvery;
      bytes.push(every !== undefined && this.#bytes % every === 0 ? heard ^ (1 << (this.#bytes % 7)) : heard);
    }
    return bytes;
  }

  #damage(bytes: Uint8Array): Uint8Array {
    const every = this.#options.deafEvery;
    if (every === undefined || bytes.length === 0 || ++this.#commands % every !== 0) return bytes;
    return bytes.map((byte, i) => (i === bytes.length - 1 ? byte ^ 1 : byte));
  }

  #nextMs(atMs: number): number | undefined {
    let next: number | undefined;
    for (const { driver } of this.#boards) next = earliest(next, driver.wakeAtMs);
    next = earliest(next, this.#noise[0]?.atMs);
    const first = this.#flying[0];
    if (first === undefined) return next;
    const last = this.#flying.at(-1)!;
    return earliest(
      next,
      Math.max(first.atMs, Math.min(last.atMs, Math.max(this.#handedMs, atMs) + BRIDGE_MS)),
    );
  }
}
