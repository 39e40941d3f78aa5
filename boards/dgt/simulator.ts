/**
 * The board's side of the protocol, written from the facts and the golden frames of `PROTOCOL.md` and from nothing of
 * our own codec: only the table of names and numbers is shared, so that one mistake cannot hide on both sides.
 */
import type { Machine, Step, Tick } from '../../core/machine.ts';
import { EMPTY, makeCell, parsePlacement } from '../../core/placement.ts';
import type { ClockFace } from '../../core/sensor-event.ts';
import type { Side } from '../../core/square.ts';
import type { SimulatorEvent, SimulatorOutput } from '../definition.ts';
import {
  BUS_COMMANDS,
  COMMANDS,
  type CommandName,
  MESSAGES,
  type MessageName,
  PIECE_CODES,
} from './messages.ts';
import { type ClockDisplay, NO_CLOCK, SimulatedClock } from './simulator-clock.ts';
import { earliest, SimulatedLine } from './simulator-line.ts';
import { SimulatedLog } from './simulator-log.ts';
import { type DgtFaults, type DgtSimulatorOptions, PRESETS, type PresetFacts } from './simulator-options.ts';

type Mode = 'bus' | 'idle' | 'update' | 'updateBoard' | 'updateNice';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';
const DEFAULT_SERIAL = '01025';
const DEFAULT_TRADEMARK = 'Sim board 1.0';

const SCAN_MS = 200;
const ACK_MS = 90;
const CLOCK_EVERY_MS = 1000;
/** A lift that waits for its place is reported after this time all the same. */
const HOLD_MS = 1000;
/** A command that is not complete after this silence is forgotten. */
const INPUT_GAP_MS = 1000;
const REPEAT_ACK_MS = 1000;
/** Boards of a line answer a ping to all within this time. */
const PING_SPREAD_MS = 1100;
const START_GAME_MS = 70;

const COMMANDS_BY_ID: ReadonlyMap<number, (typeof COMMANDS)[number]> = new Map(
  COMMANDS.map((command) => [command.id, command]),
);
const BUS_BY_ID: ReadonlyMap<number, (typeof BUS_COMMANDS)[number]> = new Map(
  BUS_COMMANDS.map((command) => [command.id, command]),
);
const MESSAGE_IDS = Object.fromEntries(MESSAGES.map(({ name, id }) => [name, id])) as Record<
  MessageName,
  number
>;

/** Switches a simulated board on; the first event is the moment at which that happens. */
export const createDgtSimulator = (options: DgtSimulatorOptions = {}): SimulatedDgt =>
  new DgtSimulator(options);

/** A simulated board, and what a person would see on it. */
export interface SimulatedDgt extends Machine<SimulatorEvent, SimulatorOutput> {
  /** What hides the times of its clock; undefined while they are shown. */
  readonly clockDisplay: ClockDisplay | undefined;
  /** Squares (a1 = 0, true coordinates) whose lights are on. */
  readonly lit: readonly number[];
}

class DgtSimulator implements SimulatedDgt {
  readonly #options: DgtSimulatorOptions;
  readonly #preset: PresetFacts;
  readonly #faults: DgtFaults;
  readonly #scanMs: number;
  readonly #serial: string;
  readonly #clock: SimulatedClock | undefined;
  readonly #line: SimulatedLine;
  readonly #log = new SimulatedLog();
  readonly #keepsNoLog: boolean;

  #mode: Mode = 'bus';
  #switchedOnAtMs: number | undefined;
  #nowMs = 0;

  /** What stands on each square of the hardware (0 = a8 when the board is not turned), and what the last scan saw. */
  readonly #standing: number[];
  #seen: number[];
  /** The last lift, for faults of lifts and slides. */
  #lift: { readonly index: number; readonly code: number; readonly atMs: number } | undefined;
  #slides = new Map<number, readonly number[]>();
  #scanAtMs: number | undefined;
  #squares: 'all' | 'dark' | 'light' = 'all';
  #flickerAtMs: number | undefined;
  #flickerOff = false;
  #updates = 0;

  #clockAtMs: number | undefined;
  #clockSent: string | undefined;
  #clockMessages = 0;
  #ack: { readonly payload: readonly number[]; readonly atMs: number } | undefined;

  #input: number[] = [];
  #inputAtMs = 0;
  #answers = 0;
  #ignoreNextPing = false;
  #pings = 0;
  #changesSent = 0;
  #isOff = false;
  readonly #done = new Set<string>();
  /** Numbers on the hardware of the squares that are lit. */
  readonly #lit = new Set<number>();

  constructor(options: DgtSimulatorOptions) {
    this.#options = options;
    this.#preset = PRESETS[options.preset ?? 'usb-xl'];
    this.#keepsNoLog = options.keepsNoLog === true;
    this.#faults = options.faults ?? {};
    this.#scanMs = options.scanMs ?? SCAN_MS;
    this.#serial = (options.serialNumber ?? DEFAULT_SERIAL).padStart(5, '0').slice(-5);
    this.#line = new SimulatedLine(options.baudRate, this.#faults);
    if (this.#preset.clockVersion !== undefined && options.clock !== false) {
      this.#clock = new SimulatedClock({
        timePerMove: options.timePerMove ?? true,
        batteryLow: options.clockBatteryLow ?? false,
        swapTurnBits: this.#faults.swapTurnBits ?? false,
      });
    }
    const placement = parsePlacement(options.placement ?? START);
    if (placement === undefined) throw new Error(`"${options.placement}" is no placement to simulate`);
    this.#standing = Array.from({ length: 64 }, () => 0);
    placement.forEach((cell, square) => {
      this.#standing[this.#indexOf(square)] = this.#codeOf(cell);
    });
    this.#seen = [...this.#standing];
  }

  get clockDisplay(): ClockDisplay | undefined {
    return this.#clock?.shown;
  }

  get lit(): readonly number[] {
    return [...Array(64).keys()].filter((square) => this.#lit.has(this.#indexOf(square)));
  }

  step(event: SimulatorEvent | Tick): Step<SimulatorOutput> {
    this.#run(event.atMs);
    switch (event.type) {
      case 'square':
        this.#hand(event.square, event.cell);
        break;
      case 'clock':
        this.#setClock(this.#faceTimes(event.whiteMs, event.blackMs), this.#faceOf(event.running));
        break;
      case 'bytes':
        if (!this.#silent) for (const byte of event.bytes) this.#take(byte);
        break;
      case 'power':
        if (this.#isOff === event.on) {
          this.#isOff = !event.on;
          if (event.on) this.#restart();
        }
        break;
      case 'tick':
        break;
    }
    // What was asked for "at once" is due now.
    this.#run(event.atMs);
    if (this.#silent) this.#line.clear();
    const outputs = this.#line.take(this.#nowMs).map((bytes) => ({ type: 'write', bytes }) as const);
    const wakeAtMs = this.#nextMs();
    return wakeAtMs === undefined ? { outputs } : { outputs, wakeAtMs };
  }

  // --- time

  /** Does everything that is due up to `atMs`, in order. */
  #run(atMs: number): void {
    if (this.#switchedOnAtMs === undefined) {
      this.#switchedOnAtMs = atMs;
      this.#nowMs = atMs;
      this.#log.powerUp(this.#seen);
      this.#flickerAtMs = this.#faults.flicker && atMs + this.#faults.flicker.everyMs;
    }
    for (;;) {
      const due = this.#dueMs();
      if (due === undefined || due > atMs) break;
      this.#nowMs = Math.max(this.#nowMs, due);
      this.#doDue();
    }
    this.#nowMs = Math.max(this.#nowMs, atMs);
    this.#clock?.advance(this.#nowMs);
  }

  #dueMs(): number | undefined {
    const oneOff = earliest(this.#oneOffMs('unaskedLogAtMs'), this.#oneOffMs('powerCycleAtMs'));
    return earliest(earliest(this.#scanAtMs, this.#clockAtMs), earliest(this.#flickerAtMs, oneOff));
  }

  #nextMs(): number | undefined {
    return earliest(this.#dueMs(), this.#line.wakeAtMs);
  }

  /** The moment of a fault that happens once; undefined when it has happened or never will. */
  #oneOffMs(fault: 'unaskedLogAtMs' | 'powerCycleAtMs'): number | undefined {
    const afterMs = this.#faults[fault];
    if (afterMs === undefined || this.#done.has(fault) || this.#switchedOnAtMs === undefined)
      return undefined;
    return this.#switchedOnAtMs + afterMs;
  }

  #doDue(): void {
    const isDue = (atMs: number | undefined): boolean => atMs !== undefined && atMs <= this.#nowMs;
    if (isDue(this.#oneOffMs('powerCycleAtMs'))) {
      this.#done.add('powerCycleAtMs');
      this.#restart();
    }
    if (isDue(this.#oneOffMs('unaskedLogAtMs'))) {
      this.#done.add('unaskedLogAtMs');
      this.#send('EE_MOVES', this.#log.download());
    }
    if (isDue(this.#flickerAtMs) && this.#faults.flicker !== undefined) {
      this.#flickerOff = !this.#flickerOff;
      this.#flickerAtMs = this.#nowMs + this.#faults.flicker.everyMs;
      this.#scheduleScan();
    }
    if (isDue(this.#scanAtMs)) this.#scan();
    if (isDue(this.#clockAtMs)) {
      this.#clock?.advance(this.#nowMs);
      this.#pushClock();
    }
  }

  get #silent(): boolean {
    if (this.#isOff) return true;
    const { silentFromMs, silentUntilMs } = this.#faults;
    if (silentFromMs === undefined || this.#switchedOnAtMs === undefined) return false;
    const onMs = this.#nowMs - this.#switchedOnAtMs;
    return onMs >= silentFromMs && (silentUntilMs === undefined || onMs < silentUntilMs);
  }

  #restart(): void {
    this.#mode = 'bus';
    this.#input = [];
    this.#clockAtMs = undefined;
    this.#clockSent = undefined;
    this.#scanAtMs = undefined;
    this.#seen = this.#scanned();
    this.#log.powerUp(this.#seen);
  }

  // --- squares

  /** Number of a square of the table on the hardware: a8 = 0 ... h1 = 63, the other way round on a turned board. */
  #indexOf(square: number): number {
    const file = square % 8;
    const rank = Math.floor(square / 8);
    const index = (7 - rank) * 8 + file;
    return this.#options.rotated === true ? 63 - index : index;
  }

  #codeOf(cell: number): number {
    const code = PIECE_CODES.indexOf(makeCell(cell) as (typeof PIECE_CODES)[number]);
    if (this.#preset.occupancyOnly === true) return cell === EMPTY ? 0 : 1;
    // What lies on a square without its coil upright is not seen at all.
    return Math.max(code, 0);
  }

  #hand(square: number, cell: number): void {
    const index = this.#indexOf(square);
    const code = this.#codeOf(cell);
    if (code === 0) this.#lift = { index, code: this.#standing[index]!, atMs: this.#nowMs };
    else if (this.#faults.slides === true && this.#lift?.code === code) {
      const passed = between(this.#lift.index, index).filter((square) => this.#standing[square] === 0);
      this.#slides.set(index, passed);
    }
    this.#standing[index] = code;
    this.#scheduleScan();
  }

  #scheduleScan(): void {
    const atMs =
      this.#scanMs === 0 ? this.#nowMs : (Math.floor(this.#nowMs / this.#scanMs) + 1) * this.#scanMs;
    this.#scanAtMs = earliest(this.#scanAtMs, atMs);
  }

  /** What a scan sees now; squares it leaves out keep what was seen before. */
  #scanned(): number[] {
    const { flicker } = this.#faults;
    const flickering = flicker === undefined || !this.#flickerOff ? -1 : this.#indexOf(flicker.square);
    return this.#standing.map((code, index) => {
      if (this.#squares !== 'all' && isDark(index) !== (this.#squares === 'dark')) return this.#seen[index]!;
      return index === flickering ? 0 : code;
    });
  }

  /** One scan of all squares: every difference is reported once, in the order of the squares. */
  #scan(): void {
    this.#scanAtMs = undefined;
    if (this.#isOff) return;
    const now = this.#scanned();
    const changed = [...now.keys()].filter((index) => now[index] !== this.#seen[index]);
    const places = changed.filter((index) => now[index] !== 0);
    const lifts = changed.filter((index) => now[index] === 0);
    const report = this.#faults.lifts ?? 'at-once';
    if (report !== 'at-once' && places.length === 0 && lifts.length > 0) {
      const untilMs = (this.#lift?.atMs ?? this.#nowMs) + HOLD_MS;
      if (untilMs > this.#nowMs) {
        this.#scanAtMs = untilMs;
        return;
      }
    }
    for (const index of report === 'after-next-place' ? [...places, ...lifts] : changed) {
      const code = now[index]!;
      for (const passed of code === 0 ? [] : (this.#slides.get(index) ?? [])) {
        this.#report(passed, code);
        this.#report(passed, 0);
      }
      this.#slides.delete(index);
      this.#report(index, code);
    }
  }

  #report(index: number, code: number): void {
    this.#seen[index] = code;
    this.#log.square(this.#nowMs, index, code, this.#seen);
    if (this.#mode !== 'update' && this.#mode !== 'updateBoard' && this.#mode !== 'updateNice') return;
    this.#updates++;
    if (this.#faults.dropUpdates?.includes(this.#updates) !== true) this.#send('FIELD_UPDATE', [index, code]);
  }

  // --- clock

  /** The clock stays beside the connector: White sits behind its left face, on a turned board behind its right one. */
  #faceOf(side: Side | undefined): ClockFace | undefined {
    if (side === undefined) return undefined;
    return (side === 'white') === (this.#options.rotated !== true) ? 'left' : 'right';
  }

  #faceTimes(whiteMs: number, blackMs: number): readonly [left: number, right: number] {
    return this.#options.rotated === true ? [blackMs, whiteMs] : [whiteMs, blackMs];
  }

  #setClock([leftMs, rightMs]: readonly [number, number], running: ClockFace | undefined): void {
    const clock = this.#clock;
    if (clock === undefined) return;
    const stopped = clock.running;
    clock.set(this.#nowMs, leftMs, rightMs, running);
    // A time is written when the lever moves, for the face that it has stopped (PROTOCOL.md, section 7).
    const isPress = stopped !== undefined && clock.running !== undefined && stopped !== clock.running;
    if (isPress) this.#log.time(stopped, clock.logTime(stopped));
    this.#pushClock(true);
  }

  #clockBytes(): readonly number[] {
    this.#clockMessages++;
    const bytes = this.#clock?.bytes() ?? NO_CLOCK;
    const every = this.#faults.impossibleClockEvery;
    if (every === undefined || this.#clockMessages % every !== 0) return bytes;
    return [bytes[0]!, 0x7b, ...bytes.slice(2)];
  }

  /** Sends a reading when the mode asks for one, and plans the next. */
  #pushClock(changedOnly = this.#mode === 'updateNice'): void {
    this.#clockAtMs = undefined;
    if (this.#mode !== 'update' && this.#mode !== 'updateNice') return;
    const shown = (this.#clock?.bytes() ?? NO_CLOCK).join();
    if (!changedOnly || shown !== this.#clockSent) this.#send('BWTIME', this.#clockBytes());
    this.#clockSent = shown;
    this.#clockAtMs = this.#mode === 'update' ? this.#nowMs + CLOCK_EVERY_MS : this.#clock?.changesAtMs;
  }

  /** A message to the clock: `03 command data... 00`. */
  #commandClock(data: readonly number[]): void {
    const [start, command] = data;
    const clock = this.#clock;
    if (clock === undefined || start !== 0x03 || command === undefined || command === 0x00) return;
    const answer = this.#faults.clockAnswer ?? 'accepted';
    if (answer === 'none') return;
    const version = command === 0x09 ? this.#preset.clockVersion! : 0;
    const ack =
      answer === 'lost' ? [0x20, 0, 0, 0] : [answer === 'refused' ? 0x40 : 0x10, command, version, 0];
    const payload = packAck(ack as [number, number, number, number]);
    if (answer !== 'refused' && answer !== 'lost') {
      if (command === 0x0a) this.#setAndRun(data);
      else clock.show(command, data.slice(2), this.#preset.clockVersion! >> 4);
    }
    // A board tells what the clock answers only while it sends clock messages.
    if (this.#mode !== 'update' && this.#mode !== 'updateNice') return;
    const atMs = this.#nowMs + (this.#options.ackMs ?? ACK_MS);
    this.#ack = { payload, atMs };
    this.#send('BWTIME', payload, atMs);
    if (answer === 'then-zeros') this.#send('BWTIME', [0, 0, 0, 0, 0, 0, 0], atMs);
  }

  #setAndRun(data: readonly number[]): void {
    const [lh = 0, lm = 0, ls = 0, rh = 0, rm = 0, rs = 0, flags = 0] = data.slice(2);
    const ms = (h: number, m: number, s: number): number => (((h & 0x0f) * 60 + m) * 60 + s) * 1000;
    const running = (flags & 0x01) !== 0 ? 'left' : (flags & 0x02) !== 0 ? 'right' : undefined;
    this.#setClock([ms(lh, lm, ls), ms(rh, rm, rs)], running);
  }

  // --- commands

  #take(byte: number): void {
    if (this.#nowMs - this.#inputAtMs > INPUT_GAP_MS) this.#input = [];
    this.#inputAtMs = this.#nowMs;
    // Only the first byte of a bus command has bit 7.
    if (byte >= 0x80) this.#input = [];
    this.#input.push(byte);
    const [id, size] = this.#input as [number, number | undefined];
    const command = COMMANDS_BY_ID.get(id);
    const length =
      id >= 0x80 ? 4 : command !== undefined && 'data' in command ? (size === undefined ? 2 : size + 2) : 1;
    if (this.#input.length < length) return;
    const bytes = this.#input;
    this.#input = [];
    if (id >= 0x80) this.#takeBusCommand(bytes);
    else if (command !== undefined && this.#faults.ignores?.includes(command.name) !== true) {
      if (this.#mode === 'bus') this.#mode = 'idle';
      this.#obey(command.name, bytes.slice(2));
    }
  }

  #obey(name: CommandName, data: readonly number[]): void {
    const { version, hardware, longSerial, battery, shortBusAddress, states } = this.#preset;
    switch (name) {
      case 'RESET':
      case 'STARTBOOTLOADER':
        this.#setMode('idle');
        return;
      case 'SEND_UPDATE':
        this.#setMode('update');
        return;
      case 'SEND_UPDATE_BRD':
      // What the newer clock messages hold is not known: these two modes only report squares.
      case 'UPDATE_I2C':
      case 'UPDATE_I2C_NICE':
        this.#setMode('updateBoard');
        return;
      case 'SEND_UPDATE_NICE':
        this.#setMode('updateNice');
        return;
      case 'TO_BUSMODE':
        this.#setMode('bus');
        return;
      case 'SEND_CLK': {
        const repeat = this.#faults.repeatAck === true ? this.#ack : undefined;
        const fresh = repeat !== undefined && this.#nowMs - repeat.atMs <= REPEAT_ACK_MS;
        this.#answer('BWTIME', fresh ? repeat.payload : this.#clockBytes());
        return;
      }
      case 'SEND_BRD':
        this.#answer('BOARD_DUMP', this.#seen, this.#nowMs + (this.#faults.lateDumpMs ?? 0));
        return;
      case 'SEND_BRD_50B':
      case 'SEND_BRD_50W': {
        const dark = name === 'SEND_BRD_50B';
        const codes = this.#seen.filter((_, index) => isDark(index) === dark);
        const rest = Array.from({ length: 50 - codes.length }, () => 0);
        this.#answer(dark ? 'BOARD_DUMP_50B' : 'BOARD_DUMP_50W', [...codes, ...rest]);
        return;
      }
      case 'SCAN_50B':
        this.#squares = 'dark';
        return;
      case 'SCAN_50W':
        this.#squares = 'light';
        return;
      case 'SCAN_100':
        this.#squares = 'all';
        this.#scheduleScan();
        return;
      case 'RETURN_SERIALNR':
        this.#answer('SERIALNR', ascii(this.#serial));
        return;
      case 'RETURN_LONG_SERIALNR':
        if (longSerial !== undefined) this.#answer('LONG_SERIALNR', ascii(longSerial));
        return;
      case 'RETURN_BUSADRES':
        this.#answer('BUSADRES', shortBusAddress === true ? [0] : this.#address);
        return;
      case 'SEND_TRADEMARK':
        this.#answer('TRADEMARK', ascii(this.#options.trademark ?? DEFAULT_TRADEMARK));
        return;
      case 'SEND_VERSION':
        this.#answer('VERSION', version);
        return;
      case 'SEND_HARDWARE_VERSION':
        if (hardware !== undefined) this.#answer('HARDWARE_VERSION', hardware);
        return;
      case 'SEND_EE_MOVES':
        if (!this.#keepsNoLog) this.#answer('EE_MOVES', this.#log.download());
        return;
      case 'SEND_BATTERY_STATUS':
        if (battery !== undefined) this.#answer('BATTERY_STATUS', battery);
        return;
      case 'SEND_I2C_CLOCK':
        if (states === true) this.#answer('I2C_CLOCK', [0]);
        return;
      case 'SEND_LOCK_STATE':
        if (states === true) this.#answer('LOCK_STATE', [0]);
        return;
      case 'SEND_DEVKEY_STATE':
        if (states === true) this.#answer('DEVKEY_STATE', [0]);
        return;
      case 'SBI_CLOCK':
        this.#commandClock(data);
        return;
      case 'SET_LEDS':
        this.#light(data);
        return;
      case 'I2C_CLOCK_MESSAGE':
      case 'DEVELOPER_KEY':
        return;
    }
  }

  /** `pattern from to 00`: pattern 1 lights two squares, 0 puts them out, or all when the first is no square. */
  #light([pattern, from = 0, to = 0]: readonly number[]): void {
    if (this.#preset.lights !== true) return;
    if (pattern === 1) for (const square of [from, to]) this.#lit.add(square);
    if (pattern !== 0) return;
    if (from >= 0x40) this.#lit.clear();
    else for (const square of [from, to]) this.#lit.delete(square);
  }

  #setMode(mode: Mode): void {
    this.#mode = mode;
    // Entering a mode that tells of the clock tells of it once, whether it changed or not.
    this.#pushClock(false);
  }

  #answer(name: MessageName, payload: readonly number[], atMs = this.#nowMs): void {
    this.#answers++;
    if (this.#faults.dropAnswers?.includes(this.#answers) !== true) this.#send(name, payload, atMs);
  }

  #send(name: MessageName, payload: readonly number[], atMs = this.#nowMs): void {
    const length = payload.length + 3;
    this.#line.send([MESSAGE_IDS[name], length >> 7, length & 0x7f, ...payload], atMs);
  }

  // --- bus

  get #address(): [high: number, low: number] {
    const number = Number(this.#serial) % 0x4000;
    return [number >> 7, number & 0x7f];
  }

  #pingWaitMs(): number {
    const seed = this.#options.pingSeed;
    if (seed === undefined) return 0;
    return scatter(seed * 1009 + Number(this.#serial) * 31 + this.#pings++) * PING_SPREAD_MS;
  }

  /** `cmd addrHi addrLo checksum`; the first one in single mode only changes the mode. */
  #takeBusCommand(bytes: readonly number[]): void {
    if (this.#mode !== 'bus') {
      this.#setMode('bus');
      return;
    }
    const [id, high, low, sum] = bytes as [number, number, number, number];
    const command = BUS_BY_ID.get(id);
    const all = high === 0 && low === 0;
    const [ownHigh, ownLow] = this.#address;
    if (checksum(bytes.slice(0, 3)) !== sum || command === undefined) return;
    if (!all && (high !== ownHigh || low !== ownLow)) return;
    const reply = (type: number, data: readonly number[], waitMs = 0): void => {
      const length = data.length + 6;
      const packet = [type, length >> 7, length & 0x7f, ownHigh, ownLow, ...data];
      this.#line.send([...packet, checksum(packet)], this.#nowMs + waitMs);
    };
    const changesId = (): number =>
      this.#options.alternatesChanges === true && this.#changesSent % 2 === 0 ? 0x8b : 0x85;
    switch (command.name) {
      case 'BUS_SEND_CLK':
        reply(command.reply, this.#clockBytes());
        return;
      case 'BUS_SEND_BRD':
        reply(command.reply, this.#seen);
        return;
      case 'BUS_SEND_CHANGES':
        this.#changesSent++;
        reply(changesId(), this.#log.changes());
        return;
      case 'BUS_REPEAT_CHANGES':
        reply(changesId(), this.#log.repeatChanges());
        return;
      case 'BUS_SET_START_GAME':
        this.#log.startGame(this.#seen);
        reply(command.reply, [], this.#options.pingSeed === undefined ? 0 : START_GAME_MS);
        return;
      case 'BUS_SEND_FROM_START':
        reply(command.reply, this.#log.fromStart());
        return;
      case 'BUS_PING':
        if (all && this.#ignoreNextPing) this.#ignoreNextPing = false;
        else reply(command.reply, [], all ? this.#pingWaitMs() : 0);
        return;
      case 'BUS_IGNORE_NEXT_PING':
        this.#ignoreNextPing = true;
        reply(command.reply, []);
        return;
      case 'BUS_END_BUSMODE':
        this.#setMode('idle');
        return;
      case 'BUS_RESET':
        this.#restart();
        return;
      case 'BUS_SEND_VERSION':
        reply(command.reply, this.#preset.version);
        return;
      case 'BUS_SEND_ALL':
        this.#changesSent++;
        reply(changesId(), this.#log.changes());
        reply(0x84, this.#clockBytes());
        reply(0x83, this.#seen);
        return;
    }
  }
}

/** A number that looks random, the same every time. */
export const scatter = (seed: number): number => {
  let x = (seed + 0x9e3779b9) | 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return ((x ^ (x >>> 15)) >>> 0) / 2 ** 32;
};

const ascii = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0) & 0x7f);

/** Sum of all bytes before it, seven bits. */
const checksum = (bytes: readonly number[]): number => bytes.reduce((sum, byte) => sum + byte, 0) & 0x7f;

/** Whether the square with this number is dark; a1 = 56 is. */
const isDark = (index: number): boolean => ((index >> 3) + (index & 7)) % 2 === 1;

/** Hides the four bytes of a clock's answer in a clock message (PROTOCOL.md, section 6). */
function packAck([ack0, ack1, ack2, ack3]: readonly [number, number, number, number]): number[] {
  return [
    0x0a | ((ack2 & 0x80) >> 3) | ((ack3 & 0x80) >> 2),
    ack0 & 0x7f,
    ack1 & 0x7f,
    0x0a | ((ack0 & 0x80) >> 3) | ((ack1 & 0x80) >> 2),
    ack2 & 0x7f,
    ack3 & 0x7f,
    0,
  ];
}

/** Squares strictly between two on one line; none when they are not on one. */
function between(from: number, to: number): number[] {
  const files = (to & 7) - (from & 7);
  const ranks = (to >> 3) - (from >> 3);
  const steps = Math.max(Math.abs(files), Math.abs(ranks));
  if (files !== 0 && ranks !== 0 && Math.abs(files) !== Math.abs(ranks)) return [];
  const step = (ranks * 8 + files) / steps;
  return Array.from({ length: Math.max(0, steps - 1) }, (_, i) => from + step * (i + 1));
}
