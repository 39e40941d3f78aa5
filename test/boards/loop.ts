import type {
  BoardCommand,
  BoardDefinition,
  Decoded,
  SessionEvent,
  SessionOutput,
  SimulatorEvent,
  SimulatorOutput,
} from '../../boards/definition.ts';
import { type Machine, MachineDriver } from '../../core/machine.ts';

/** Bytes as they passed, hex, with their time. */
export interface Traffic {
  readonly atMs: number;
  /** `heard`: what a session of a line has handed out as one board's. */
  readonly direction: 'rx' | 'tx' | 'heard';
  readonly bytes: Uint8Array;
  readonly station?: string;
}

/** A session and a simulated board joined by a wire without length, in a time that only moves when told. */
export class Loop {
  readonly traffic: Traffic[] = [];
  readonly outputs: SessionOutput[] = [];
  readonly #session: MachineDriver<SessionEvent, SessionOutput>;
  readonly #simulator: MachineDriver<SimulatorEvent, SimulatorOutput>;
  #nowMs: number;
  #plugged = true;
  readonly #queue: { readonly to: 'host' | 'board'; readonly bytes: Uint8Array }[] = [];
  #passing = false;

  constructor(
    session: Machine<SessionEvent, SessionOutput>,
    simulator: Machine<SimulatorEvent, SimulatorOutput>,
    startMs = 1000,
  ) {
    this.#session = new MachineDriver(session);
    this.#simulator = new MachineDriver(simulator);
    this.#nowMs = startMs;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Opens the link now; `awayMs` as the driver knows it after a loss. */
  open(awayMs?: number): this {
    this.#plugged = true;
    // Switches the board on.
    this.#deliver(this.#simulator.feed({ type: 'bytes', atMs: this.#nowMs, bytes: new Uint8Array(0) }));
    const away = awayMs === undefined ? {} : { awayMs };
    this.#heed(this.#session.feed({ type: 'opened', atMs: this.#nowMs, ...away }));
    return this;
  }

  /** Cuts the cable: nothing passes any more, and neither side is told. */
  unplug(): this {
    this.#plugged = false;
    return this;
  }

  /** Lets time pass. */
  wait(durationMs: number): this {
    const untilMs = this.#nowMs + durationMs;
    for (;;) {
      const due = Math.min(this.#session.wakeAtMs ?? Infinity, this.#simulator.wakeAtMs ?? Infinity);
      if (due > untilMs) break;
      this.#nowMs = Math.max(this.#nowMs, due);
      // The board first: what it says at the very moment a wait of the host ends has come in time.
      this.#deliver(this.#simulator.advance(this.#nowMs));
      this.#heed(this.#session.advance(this.#nowMs));
    }
    this.#nowMs = untilMs;
    return this;
  }

  /** Lifts from or puts on a square (a1 = 0, true coordinates). */
  square(square: number, cell: number, station?: string): this {
    const of = station === undefined ? {} : { station };
    this.#deliver(this.#simulator.feed({ type: 'square', atMs: this.#nowMs, square, cell, ...of }));
    return this;
  }

  clock(whiteMs: number, blackMs: number, running: 'white' | 'black' | undefined, station?: string): this {
    const of = station === undefined ? {} : { station };
    const atMs = this.#nowMs;
    this.#deliver(this.#simulator.feed({ type: 'clock', atMs, whiteMs, blackMs, running, ...of }));
    return this;
  }

  /** Switches a board off or on. */
  power(on: boolean, station?: string): this {
    const of = station === undefined ? {} : { station };
    this.#deliver(this.#simulator.feed({ type: 'power', atMs: this.#nowMs, on, ...of }));
    return this;
  }

  /** Tells the session to do something. */
  command(id: number, command: BoardCommand, station?: string): this {
    const of = station === undefined ? {} : { station };
    this.#heed(this.#session.feed({ type: 'command', atMs: this.#nowMs, id, command, ...of }));
    return this;
  }

  /** What the session has said about one board of a line. */
  of(station: string): SessionOutput[] {
    return this.outputs.filter((output) => output.station === station);
  }

  /** Bytes to the host that no board sent. */
  inject(bytes: Uint8Array): this {
    this.#deliver([{ type: 'write', bytes }]);
    return this;
  }

  /** Bytes to the board that the session has not written: an echo, another program. */
  mislead(bytes: Uint8Array): this {
    this.#deliver(this.#simulator.feed({ type: 'bytes', atMs: this.#nowMs, bytes }));
    return this;
  }

  /** Everything the session wrote, hex, one text per write. */
  get written(): string[] {
    return this.traffic.filter((t) => t.direction === 'tx').map((t) => hex(t.bytes));
  }

  /** Sensor events that came out live. */
  get sensors(): SessionOutput[] {
    return this.outputs.filter((output) => output.type === 'sensor');
  }

  /** States in order, of the board (on a line of its one board, not of the line). */
  get states(): string[] {
    const ofBoard = this.outputs.some((output) => output.station !== undefined);
    return this.outputs.flatMap((output) =>
      output.type === 'state' && (output.station !== undefined) === ofBoard ? [output.state] : [],
    );
  }

  /** Codes of the faults with which the link was declared lost. */
  get losses(): string[] {
    return this.outputs.flatMap((output) =>
      output.type === 'lost' && output.station === undefined ? [output.fault.code] : [],
    );
  }

  /** The received bytes through a decoder of their own, as a replay does it; of a line those of one board. */
  replay(definition: BoardDefinition, station?: string): Decoded[] {
    const decoder = definition.createDecoder();
    return this.received(definition, station).flatMap((t) => decoder.decode(t.bytes, t.atMs));
  }

  /** What is recorded as received. */
  received(definition: BoardDefinition, station?: string): Traffic[] {
    const direction = definition.line === undefined ? 'rx' : 'heard';
    return this.traffic.filter(
      (t) => t.direction === direction && (station === undefined || t.station === station),
    );
  }

  #deliver(outputs: readonly SimulatorOutput[]): void {
    this.#queue.push(...outputs.map(({ bytes }) => ({ to: 'host', bytes }) as const));
    this.#pass();
  }

  #heed(outputs: readonly SessionOutput[]): void {
    for (const output of outputs) {
      this.outputs.push(output);
      if (output.type === 'heard') {
        const { bytes, station } = output;
        const of = station === undefined ? {} : { station };
        this.traffic.push({ atMs: this.#nowMs, direction: 'heard', bytes, ...of });
      }
      if (output.type === 'write') this.#queue.push({ to: 'board', bytes: output.bytes });
    }
    this.#pass();
  }

  /** Hands over what is on the wire, in order, until nothing is said any more. */
  #pass(): void {
    if (this.#passing) return;
    this.#passing = true;
    for (let item = this.#queue.shift(); item !== undefined; item = this.#queue.shift()) {
      const { bytes } = item;
      if (item.to === 'board') this.traffic.push({ atMs: this.#nowMs, direction: 'tx', bytes });
      if (!this.#plugged) continue;
      if (item.to === 'board') {
        this.#deliver(this.#simulator.feed({ type: 'bytes', atMs: this.#nowMs, bytes }));
      } else {
        this.traffic.push({ atMs: this.#nowMs, direction: 'rx', bytes });
        this.#heed(this.#session.feed({ type: 'bytes', atMs: this.#nowMs, bytes }));
      }
    }
    this.#passing = false;
  }
}

/** Writes bytes as "86 00 43". */
export const hex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ');

/** Reads "86 00 43"; "07x8" is eight bytes 07. */
export const bytesOf = (text: string): Uint8Array =>
  Uint8Array.from(
    text
      .trim()
      .split(/\s+/)
      .filter((word) => word !== '')
      .flatMap((word) => {
        const [byte, count] = word.split('x') as [string, string | undefined];
        return Array.from({ length: Number(count ?? 1) }, () => Number.parseInt(byte, 16));
      }),
  );
