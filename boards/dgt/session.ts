/**
 * The conversation with one board over one open link:
 *
 *   opened ── wait ──▶ 40 ── quiet ──▶ 4D, (54,) 45, 47, 55, (49 after a long absence,) 42 (each answered, or given up) ──▶ 4B ──▶ ready
 *   ready: 42 on doubt and when idle, 45 when nothing is heard; four times no answer and the link is lost;
 *          between them what an operator orders
 *
 * Everything received goes through the one decoder and out again in order, so that replaying the bytes gives the
 * same sensor events (PROTOCOL.md, section 8).
 */
import type { FaultCode } from '../../core/board-error.ts';
import type { Machine, Step, Tick } from '../../core/machine.ts';
import type { BoardIdentity, Decoded, SessionEvent, SessionOutput, SessionState } from '../definition.ts';
import { decodeClockMessage } from './clock.ts';
import { DgtDecoder, encodeCommand, speaksProtocol } from './codec.ts';
import { EE_MOVES_ID, GAP_MS, LOG_MS } from './frame.ts';
import { COMMANDS, type MessageName, type PlainCommandName } from './messages.ts';
import { DgtOrders } from './orders.ts';

/** A port that was just opened may have reset the board's USB bridge. */
const OPEN_WAIT_MS = 400;
/** The line must be this long without bytes after a reset before anything is asked. */
const QUIET_MS = 100;
/** A line that never gets quiet is asked all the same. */
const NEVER_QUIET_MS = 1500;
const ANSWER_MS = 1000;
const OPTIONAL_ANSWER_MS = 600;
/** Commands without an answer get this time, because the input of an old board holds ten bytes. */
const PAUSE_MS = 100;

/** Squares changing within this time of each other are one stream of updates: no dump is asked for inside it. */
const STREAM_MS = 400;
/** A stream that goes on this long (a flickering square) no longer holds back a dump on doubt. */
const LONGEST_DOUBT_MS = 5000;
const DUMP_GAP_MS = 1000;
const DUMP_AFTER_CHANGE_MS = 2000;
const DUMP_WHEN_IDLE_MS = 5000;
const PROBE_AFTER_MS = 2000;
const BATTERY_EVERY_MS = 300_000;

const ATTEMPTS = 3;
/** Boards, above all over Bluetooth, fall silent for a few seconds and come back: once ready they are given more time. */
const READY_ATTEMPTS = 4;
/** The attempt whose failure is worth a word. */
const SILENT_AFTER = 2;
/** A board that says something but not the answer is asked more often before it is given up. */
const PATIENT_ATTEMPTS = 8;

interface Question {
  readonly command: PlainCommandName;
  readonly answerMs: number;
  readonly attempts: number;
  /** Without an answer the link is useless. */
  readonly required: boolean;
}

const required = (command: PlainCommandName, attempts: number): Question => ({
  command,
  answerMs: ANSWER_MS,
  attempts,
  required: true,
});

/** A board that may have been away this long is asked for its log first: shorter gaps hold a ply or two. */
const LOG_AFTER_MS = 10_000;
/** Sending it takes more than eight seconds, in which the board can tell nothing else. */
const LOG: Question = { command: 'SEND_EE_MOVES', answerMs: ANSWER_MS, attempts: 1, required: false };

/** Asked in this order before the board is ready; boards without a long serial number stay silent on that one. */
const INTRODUCTION: readonly Question[] = [
  { command: 'SEND_VERSION', answerMs: ANSWER_MS, attempts: ATTEMPTS, required: false },
  { command: 'RETURN_SERIALNR', answerMs: ANSWER_MS, attempts: ATTEMPTS, required: false },
  { command: 'SEND_TRADEMARK', answerMs: ANSWER_MS, attempts: 2, required: false },
  { command: 'RETURN_LONG_SERIALNR', answerMs: OPTIONAL_ANSWER_MS, attempts: 1, required: false },
  required('SEND_BRD', ATTEMPTS),
];
/** The log before the picture: what happened in order, then what came of it. */
const INTRODUCTION_AGAIN: readonly Question[] = [...INTRODUCTION.slice(0, -1), LOG, INTRODUCTION.at(-1)!];

const DUMP = required('SEND_BRD', READY_ATTEMPTS);
const PROBE = required('RETURN_SERIALNR', READY_ATTEMPTS);
const BATTERY: Question = {
  command: 'SEND_BATTERY_STATUS',
  answerMs: OPTIONAL_ANSWER_MS,
  attempts: 1,
  required: false,
};

const ANSWERS: ReadonlyMap<string, MessageName> = new Map(
  COMMANDS.flatMap((c) => ('answer' in c ? [[c.name, c.answer] as const] : [])),
);

const EMPTY_CHUNK = new Uint8Array(0);

/** A question on its way. */
interface Asked {
  readonly question: Question;
  readonly firstAtMs: number;
  attempt: number;
  deadlineMs: number;
}

type Phase = 'closed' | 'opening' | 'resetting' | 'introducing' | 'ready' | 'lost';

/** Creates the session of a DGT board; `opened` begins a new conversation each time. */
export const createDgtSession = (): Machine<SessionEvent, SessionOutput> => new DgtSession();

class DgtSession implements Machine<SessionEvent, SessionOutput> {
  #decoder = new DgtDecoder();
  #out: SessionOutput[] = [];
  #nowMs = 0;

  #phase: Phase = 'closed';
  #state: SessionState | undefined;
  /** Since when the phase lasts. */
  #phaseAtMs = 0;
  #asked: Asked | undefined;
  #introduction = INTRODUCTION;
  /** Which question of the introduction comes next. */
  #next = 0;
  #introduced = false;
  /** It told of itself before anything was asked: a terminal that was not set up yet may have echoed that back to it. */
  #mayHaveEchoed = false;
  #pausedUntilMs = 0;

  #byteAtMs = Number.NEGATIVE_INFINITY;
  #heardAtMs = Number.NEGATIVE_INFINITY;
  #garbage = false;
  #serial: string | undefined;
  #isShared = false;
  #squareAtMs = Number.NEGATIVE_INFINITY;
  #dumpAtMs = Number.NEGATIVE_INFINITY;
  #doubtAtMs: number | undefined;
  #batteryAtMs: number | undefined;
  readonly #orders = new DgtOrders();

  step(event: SessionEvent | Tick): Step<SessionOutput> {
    this.#nowMs = event.atMs;
    this.#out = [];
    switch (event.type) {
      case 'opened':
        this.#open();
        this.#introduction = (event.awayMs ?? 0) >= LOG_AFTER_MS ? INTRODUCTION_AGAIN : INTRODUCTION;
        break;
      case 'bytes':
        if (event.bytes.length > 0) this.#byteAtMs = event.atMs;
        if (event.bytes.length > 0 && this.#phase === 'opening') this.#mayHaveEchoed = true;
        this.#receive(this.#decoder.decode(event.bytes, event.atMs));
        break;
      case 'command':
        this.#orders.add(event.id, event.command);
        if (this.#phase === 'closed' || this.#phase === 'lost') this.#out.push(...this.#orders.drop());
        break;
      case 'tick':
        this.#receive(this.#decoder.decode(EMPTY_CHUNK, event.atMs));
        break;
    }
    if (this.#isShared && this.#phase !== 'lost' && this.#phase !== 'closed') this.#lose();
    const wakeAtMs = this.#act();
    return wakeAtMs === undefined ? { outputs: this.#out } : { outputs: this.#out, wakeAtMs };
  }

  #open(): void {
    this.#out.push(...this.#decoder.end(this.#nowMs));
    this.#asked = undefined;
    this.#next = 0;
    this.#introduced = false;
    this.#mayHaveEchoed = false;
    this.#byteAtMs = Number.NEGATIVE_INFINITY;
    this.#heardAtMs = Number.NEGATIVE_INFINITY;
    this.#garbage = false;
    this.#serial = undefined;
    this.#isShared = false;
    this.#squareAtMs = Number.NEGATIVE_INFINITY;
    this.#dumpAtMs = Number.NEGATIVE_INFINITY;
    this.#doubtAtMs = undefined;
    this.#batteryAtMs = undefined;
    this.#out.push(...this.#orders.drop());
    this.#enter('opening');
    this.#say('identifying');
  }

  // --- what is heard

  #receive(decoded: readonly Decoded[]): void {
    for (const item of decoded) {
      this.#out.push(item);
      if (speaksProtocol(item)) this.#hear();
      else {
        this.#garbage = true;
        this.#doubt();
      }
      if (item.type === 'sensor') {
        if (item.event.type === 'square') this.#squareAtMs = this.#nowMs;
        if (item.event.type === 'dump') {
          this.#dumpAtMs = this.#nowMs;
          this.#doubtAtMs = undefined;
          this.#answered('BOARD_DUMP');
        }
      }
      if (item.type === 'identity') {
        this.#recognise(item.identity);
        this.#orders.know(item.identity);
      }
      if (item.type === 'message') {
        if (item.name === 'CLOCK_ACK') this.#acknowledge(item.payload);
        // While the stored log was on the line, no update could be.
        if (item.name === 'EE_MOVES') this.#doubt();
        this.#answered(item.name);
      }
    }
  }

  #acknowledge(payload: Uint8Array): void {
    const message = decodeClockMessage(payload);
    if (message.type === 'ack') this.#out.push(...this.#orders.hear(message.ack, this.#nowMs));
  }

  /** Two numbers on one link are two boards, and what they say together is nobody's. */
  #recognise({ serialNumber }: BoardIdentity): void {
    if (serialNumber === undefined || !/^\d{5}/.test(serialNumber)) return;
    this.#isShared ||= this.#serial !== undefined && this.#serial !== serialNumber;
    this.#serial = serialNumber;
  }

  #hear(): void {
    this.#heardAtMs = this.#nowMs;
    if (this.#state !== 'silent' || this.#phase !== 'ready') return;
    this.#say('ready');
    this.#doubt();
  }

  #doubt(): void {
    this.#doubtAtMs ??= this.#nowMs;
  }

  #answered(name: string): void {
    const question = this.#asked?.question;
    if (question === undefined || ANSWERS.get(question.command) !== name) return;
    this.#asked = undefined;
    if (this.#phase === 'introducing') {
      // Its own bytes may have told it to scan one half of its squares. Only then: it keeps this in a memory that wears out.
      if (this.#mayHaveEchoed && !this.#introduced) this.#write('SCAN_100');
      this.#introduced = true;
      this.#next++;
    } else if (question.command === 'SEND_BRD') this.#startUpdates();
    else if (question.command === 'SEND_BATTERY_STATUS') this.#batteryAtMs = this.#nowMs + BATTERY_EVERY_MS;
  }

  // --- what is done

  /** Does what is due now; returns when something is due next. */
  #act(): number | undefined {
    for (;;) {
      const dueMs = this.#dueMs();
      if (dueMs === undefined || dueMs > this.#nowMs) return dueMs;
      this.#doDue();
    }
  }

  #dueMs(): number | undefined {
    switch (this.#phase) {
      case 'closed':
      case 'lost':
        return undefined;
      case 'opening':
        return this.#phaseAtMs + OPEN_WAIT_MS;
      case 'resetting': {
        const quietMs = Math.max(this.#phaseAtMs, this.#byteAtMs) + QUIET_MS;
        return this.#afterLog(Math.min(quietMs, this.#phaseAtMs + NEVER_QUIET_MS));
      }
      case 'introducing':
        return this.#asked === undefined ? this.#nowMs : this.#afterLog(this.#asked.deadlineMs);
      case 'ready':
        return this.#afterLog(
          this.#asked?.deadlineMs ??
            Math.max(
              this.#pausedUntilMs,
              Math.min(this.#orders.dueMs ?? Infinity, this.#nextQuestion().atMs),
            ),
        );
    }
  }

  /** While the stored log arrives the board cannot answer: waits for the end of it, or for its breaking off. */
  #afterLog(atMs: number): number {
    const unfinished = this.#decoder.unfinished;
    if (unfinished?.id !== EE_MOVES_ID) return atMs;
    return Math.max(atMs, Math.min(unfinished.startedAtMs + LOG_MS, this.#byteAtMs + GAP_MS) + 1);
  }

  #doDue(): void {
    switch (this.#phase) {
      case 'opening':
        this.#write('RESET');
        this.#enter('resetting');
        return;
      case 'resetting':
        this.#enter('introducing');
        return;
      case 'introducing': {
        if (this.#asked !== undefined) this.#giveUpOrRepeat(this.#asked);
        else if (this.#next < this.#introduction.length) this.#ask(this.#introduction[this.#next]!);
        else {
          this.#enter('ready');
          this.#startUpdates();
          this.#batteryAtMs = this.#nowMs;
          this.#say('ready');
        }
        return;
      }
      case 'ready':
        if (this.#asked !== undefined) this.#giveUpOrRepeat(this.#asked);
        else if ((this.#orders.dueMs ?? Infinity) <= this.#nowMs) this.#obey();
        else this.#ask(this.#nextQuestion().question);
        return;
    }
  }

  #obey(): void {
    const outputs = this.#orders.act(this.#nowMs);
    this.#out.push(...outputs);
    if (outputs.some(({ type }) => type === 'write')) this.#pausedUntilMs = this.#nowMs + PAUSE_MS;
  }

  /** The question that is due first in a board that is ready. */
  #nextQuestion(): { readonly atMs: number; readonly question: Question } {
    const dump = { atMs: this.#dumpDueMs(), question: DUMP };
    const probe = { atMs: this.#heardAtMs + PROBE_AFTER_MS, question: PROBE };
    const first = dump.atMs <= probe.atMs ? dump : probe;
    if (this.#batteryAtMs === undefined || this.#batteryAtMs >= first.atMs) return first;
    return { atMs: this.#batteryAtMs, question: BATTERY };
  }

  #dumpDueMs(): number {
    const idleMs =
      this.#squareAtMs > this.#dumpAtMs
        ? this.#squareAtMs + DUMP_AFTER_CHANGE_MS
        : this.#dumpAtMs + DUMP_WHEN_IDLE_MS;
    if (this.#doubtAtMs === undefined) return idleMs;
    const streamEndMs = this.#squareAtMs + STREAM_MS;
    const doubtMs = Math.min(Math.max(this.#doubtAtMs, streamEndMs), this.#doubtAtMs + LONGEST_DOUBT_MS);
    return Math.min(idleMs, Math.max(doubtMs, this.#dumpAtMs + DUMP_GAP_MS));
  }

  #ask(question: Question): void {
    // Whatever becomes of it, an optional question is not asked again before it was answered.
    if (question === BATTERY) this.#batteryAtMs = undefined;
    this.#asked = {
      question,
      firstAtMs: this.#nowMs,
      attempt: 1,
      deadlineMs: this.#nowMs + question.answerMs,
    };
    // What changes while the log is sent is told behind it.
    if (question === LOG) this.#write('SEND_UPDATE_NICE');
    this.#write(question.command);
  }

  #giveUpOrRepeat(asked: Asked): void {
    const { question } = asked;
    const heard = this.#heardAtMs > asked.firstAtMs;
    const attempts = question.required && heard ? PATIENT_ATTEMPTS : question.attempts;
    const silent = question.required && !heard && asked.attempt >= SILENT_AFTER;
    if (silent && this.#phase === 'ready') this.#say('silent');
    if (asked.attempt < attempts) {
      asked.attempt++;
      asked.deadlineMs = this.#nowMs + question.answerMs;
      this.#write(question.command);
      return;
    }
    this.#asked = undefined;
    // A sender that has said nothing of this protocol until now need not be asked any further.
    const stranger = this.#phase === 'introducing' && this.#heardAtMs === Number.NEGATIVE_INFINITY;
    if (question.required || stranger) this.#lose();
    else if (this.#phase === 'introducing') this.#next++;
  }

  /** From now on the board tells of squares and clock by itself; repeated, because a board whose power failed forgets. */
  #startUpdates(): void {
    this.#write('SEND_UPDATE_NICE');
    this.#pausedUntilMs = this.#nowMs + PAUSE_MS;
  }

  #lose(): void {
    const foreign = this.#garbage && !this.#introduced;
    const code: FaultCode = this.#isShared ? 'LINK_SHARED' : foreign ? 'LINK_FOREIGN' : 'LINK_SILENT';
    const message = this.#isShared
      ? 'two boards answer on this link: name it as a line, dgt-bus=...'
      : foreign
        ? 'what answers is no DGT board: name another port or another kind of board'
        : 'the board does not answer: check its power and its cable';
    this.#enter('lost');
    this.#out.push(...this.#orders.drop());
    this.#say('silent');
    this.#out.push({ type: 'lost', atMs: this.#nowMs, fault: { code, message } });
  }

  #enter(phase: Phase): void {
    this.#phase = phase;
    this.#phaseAtMs = this.#nowMs;
  }

  #say(state: SessionState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#out.push({ type: 'state', atMs: this.#nowMs, state });
  }

  #write(command: PlainCommandName): void {
    this.#out.push({ type: 'write', bytes: encodeCommand(command) });
  }
}
