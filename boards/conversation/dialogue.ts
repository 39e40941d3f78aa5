/**
 * The conversation that most boards have in common, as a machine that a maker describes with a table:
 *
 *   opened ── wait ──▶ introduction (asked in order, each answered, repeated or given up) ──▶ ready
 *   ready: the position on doubt and when idle, a probe when nothing is heard; no answer again and again is a loss
 *
 * Everything received goes through the one decoder and out again in order, so that replaying the bytes gives the same
 * sensor events. A question without bytes is a wait: the board answers it by itself.
 */
import { type FaultCode, meaningOf } from '../../core/board-error.ts';
import type { Machine, Step, Tick } from '../../core/machine.ts';
import type { Square } from '../../core/square.ts';
import type {
  BoardCommand,
  Decoded,
  Decoder,
  SessionEvent,
  SessionOutput,
  SessionState,
} from '../definition.ts';

/** Something that is said to the board. */
export interface Question {
  /** Empty: nothing is written, the answer comes by itself. */
  readonly bytes: Uint8Array;
  /** Name of the decoded message that answers; absent: nothing does, and the next thing is done after the pause. */
  readonly answer?: string;
  /** Longest wait for the answer, ms. */
  readonly answerMs?: number;
  /** How often it is asked before it is given up. */
  readonly attempts?: number;
  /** Without an answer the link is useless. */
  readonly required?: boolean;
}

/** A decoder that can say that its link is gone. */
export interface LinkDecoder extends Decoder {
  /** Gives up the unfinished message. */
  end(atMs: number): Decoded[];
}

/** What a maker says of the conversation with its boards. */
export interface DialogueFacts {
  /** "Certabo board", for messages to people. */
  readonly name: string;
  createDecoder(): LinkDecoder;
  /** Whether something decoded shows that its sender speaks this protocol. */
  speaks(decoded: Decoded): boolean;
  /** Wait between the opening of the port and the first word, ms. */
  readonly openWaitMs: number;
  /** Shortest time between two writes, ms. */
  readonly pauseMs: number;
  /** Said in this order before the board is ready; the position comes after it. */
  readonly introduction: readonly Question[];
  /** Gets the whole board; its `answer` names the message with which any picture comes, asked for or not. */
  readonly position: Question & { readonly answer: string };
  /** Whether something decoded shows that this is a board of another kind. */
  isForeign?(decoded: Decoded): boolean;
  /** Longest time without a picture while nothing happens, ms. */
  readonly idleMs?: number;
  /** Asked from time to time (ms); an answer is not needed. */
  readonly battery?: { readonly question: Question; readonly everyMs: number };
  /** What lights exactly these squares; absent on boards without lights. One element a write. */
  lights?(squares: readonly Square[]): readonly Uint8Array[];
  /** What is written in reply to something decoded, at once (boards that wait for an acknowledgement). */
  reply?(decoded: Decoded): Uint8Array | undefined;
  /** Whether the picture must be asked for again after something decoded. */
  doubts?(decoded: Decoded): boolean;
}

const ANSWER_MS = 1000;
const ATTEMPTS = 3;
/** Boards, above all over Bluetooth, fall silent for a few seconds and come back: once ready they are given more time. */
const READY_ATTEMPTS = 4;
/** The attempt whose failure is worth a word. */
const SILENT_AFTER = 2;
/** A board that says something but not the answer is asked more often before it is given up. */
const PATIENT_ATTEMPTS = 8;
/** Squares changing within this time of each other are one stream of updates: no picture is asked for inside it. */
const STREAM_MS = 400;
/** A stream that goes on this long (a flickering square) no longer holds back a picture on doubt. */
const LONGEST_DOUBT_MS = 5000;
const PICTURE_GAP_MS = 1000;
const PICTURE_AFTER_CHANGE_MS = 2000;
const PICTURE_WHEN_IDLE_MS = 5000;

const EMPTY_CHUNK = new Uint8Array(0);
const NEVER = Number.NEGATIVE_INFINITY;

interface Asked {
  readonly question: Question;
  readonly firstAtMs: number;
  readonly attempts: number;
  attempt: number;
  deadlineMs: number;
}

/** Something that is still to be done, and its writes that are left. */
interface Order {
  readonly id: number;
  readonly writes: Uint8Array[];
}

type Phase = 'closed' | 'opening' | 'introducing' | 'ready' | 'lost';

/** Creates the session of a board from what its maker's folder says of it; `opened` begins a new conversation each time. */
export const createDialogue = (facts: DialogueFacts): Machine<SessionEvent, SessionOutput> =>
  new Dialogue(facts);

class Dialogue implements Machine<SessionEvent, SessionOutput> {
  readonly #facts: DialogueFacts;
  readonly #introduction: readonly Question[];
  #decoder: LinkDecoder;
  #out: SessionOutput[] = [];
  #nowMs = 0;

  #phase: Phase = 'closed';
  #state: SessionState | undefined;
  #openedAtMs = 0;
  #asked: Asked | undefined;
  #next = 0;
  #introduced = false;
  #pausedUntilMs = NEVER;

  #heardAtMs = NEVER;
  #garbage = false;
  #squareAtMs = NEVER;
  #pictureAtMs = NEVER;
  #doubtAtMs: number | undefined;
  #batteryAtMs: number | undefined;
  #orders: Order[] = [];

  constructor(facts: DialogueFacts) {
    this.#facts = facts;
    this.#introduction = [...facts.introduction, { required: true, ...facts.position }];
    this.#decoder = facts.createDecoder();
  }

  step(event: SessionEvent | Tick): Step<SessionOutput> {
    this.#nowMs = event.atMs;
    this.#out = [];
    if (event.type === 'opened') this.#open();
    else if (event.type === 'command') this.#order(event.id, event.command);
    else this.#receive(this.#decoder.decode(event.type === 'bytes' ? event.bytes : EMPTY_CHUNK, event.atMs));
    const wakeAtMs = this.#act();
    return wakeAtMs === undefined ? { outputs: this.#out } : { outputs: this.#out, wakeAtMs };
  }

  #open(): void {
    this.#out.push(...this.#decoder.end(this.#nowMs));
    this.#decoder = this.#facts.createDecoder();
    this.#asked = undefined;
    this.#next = 0;
    this.#introduced = false;
    this.#pausedUntilMs = NEVER;
    this.#heardAtMs = NEVER;
    this.#garbage = false;
    this.#squareAtMs = NEVER;
    this.#pictureAtMs = NEVER;
    this.#doubtAtMs = undefined;
    this.#batteryAtMs = undefined;
    this.#dropOrders();
    this.#phase = 'opening';
    this.#openedAtMs = this.#nowMs;
    this.#say('identifying');
  }

  // --- what is heard

  #receive(decoded: readonly Decoded[]): void {
    for (const item of decoded) {
      this.#out.push(item);
      if (this.#phase !== 'lost' && this.#facts.isForeign?.(item) === true) this.#lose('LINK_FOREIGN');
      if (this.#facts.speaks(item)) this.#hear();
      else {
        this.#garbage = true;
        this.#doubt();
      }
      if (this.#facts.doubts?.(item) === true) this.#doubt();
      if (item.type === 'sensor' && item.event.type === 'square') this.#squareAtMs = this.#nowMs;
      if (item.type === 'message') {
        if (item.name === this.#facts.position.answer) {
          this.#pictureAtMs = this.#nowMs;
          this.#doubtAtMs = undefined;
        }
        this.#answered(item.name);
      }
      const reply = this.#phase === 'lost' ? undefined : this.#facts.reply?.(item);
      if (reply !== undefined) this.#write(reply);
    }
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
    if (question?.answer !== name) return;
    this.#asked = undefined;
    if (this.#phase !== 'introducing') return;
    this.#introduced = true;
    this.#next++;
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
        return this.#openedAtMs + this.#facts.openWaitMs;
      case 'introducing':
        if (this.#asked !== undefined) return this.#asked.deadlineMs;
        return this.#next < this.#introduction.length
          ? Math.max(this.#nowMs, this.#pausedUntilMs)
          : this.#nowMs;
      case 'ready':
        if (this.#asked !== undefined) return this.#asked.deadlineMs;
        return Math.max(
          this.#pausedUntilMs,
          this.#orders.length > 0 ? this.#nowMs : this.#nextQuestion().atMs,
        );
    }
  }

  #doDue(): void {
    if (this.#phase === 'opening') this.#phase = 'introducing';
    else if (this.#asked !== undefined) this.#giveUpOrRepeat(this.#asked);
    else if (this.#phase === 'ready' && this.#orders.length > 0) this.#obey(this.#orders[0]!);
    else if (this.#phase === 'ready') this.#ask(this.#nextQuestion().question);
    else if (this.#next < this.#introduction.length) this.#ask(this.#introduction[this.#next]!);
    else {
      this.#phase = 'ready';
      if (this.#facts.battery !== undefined) this.#batteryAtMs = this.#nowMs;
      this.#say('ready');
    }
  }

  #order(id: number, command: BoardCommand): void {
    const writes = command.type === 'leds' ? this.#facts.lights?.(command.squares) : undefined;
    if (writes === undefined) this.#answer(id, 'COMMAND_UNSUPPORTED', `no ${this.#facts.name} can do that`);
    else if (this.#phase === 'closed' || this.#phase === 'lost') this.#answer(id, 'COMMAND_AWAY');
    else this.#orders.push({ id, writes: [...writes] });
  }

  #obey(order: Order): void {
    const bytes = order.writes.shift();
    if (bytes !== undefined) this.#write(bytes);
    if (order.writes.length > 0) return;
    this.#orders.shift();
    this.#answer(order.id);
  }

  #dropOrders(): void {
    for (const { id } of this.#orders.splice(0)) this.#answer(id, 'COMMAND_AWAY');
  }

  #answer(id: number, code?: FaultCode, detail?: string): void {
    const fault = code && { code, message: detail ?? meaningOf(code) };
    this.#out.push(fault === undefined ? { type: 'answer', id } : { type: 'answer', id, fault });
  }

  /** The question that is due first in a board that is ready. */
  #nextQuestion(): { readonly atMs: number; readonly question: Question } {
    const { position, battery } = this.#facts;
    const atMs = this.#pictureDueMs();
    if (battery === undefined || this.#batteryAtMs === undefined || this.#batteryAtMs >= atMs)
      return { atMs, question: position };
    return { atMs: this.#batteryAtMs, question: battery.question };
  }

  #pictureDueMs(): number {
    const idleMs =
      this.#squareAtMs > this.#pictureAtMs
        ? this.#squareAtMs + PICTURE_AFTER_CHANGE_MS
        : this.#pictureAtMs + (this.#facts.idleMs ?? PICTURE_WHEN_IDLE_MS);
    if (this.#doubtAtMs === undefined) return idleMs;
    const streamEndMs = this.#squareAtMs + STREAM_MS;
    const doubtMs = Math.min(Math.max(this.#doubtAtMs, streamEndMs), this.#doubtAtMs + LONGEST_DOUBT_MS);
    return Math.min(idleMs, Math.max(doubtMs, this.#pictureAtMs + PICTURE_GAP_MS));
  }

  #ask(question: Question): void {
    const { battery, position } = this.#facts;
    if (question === battery?.question) this.#batteryAtMs = this.#nowMs + battery.everyMs;
    this.#write(question.bytes);
    if (question.answer === undefined) {
      if (this.#phase === 'introducing') this.#next++;
      return;
    }
    const attempts = this.#phase === 'ready' && question === position ? READY_ATTEMPTS : question.attempts;
    this.#asked = {
      question,
      firstAtMs: this.#nowMs,
      attempts: attempts ?? ATTEMPTS,
      attempt: 1,
      deadlineMs: this.#nowMs + (question.answerMs ?? ANSWER_MS),
    };
  }

  #giveUpOrRepeat(asked: Asked): void {
    const { question } = asked;
    const required = question.required === true || question.answer === this.#facts.position.answer;
    const heard = this.#heardAtMs > asked.firstAtMs;
    const attempts = required && heard ? Math.max(PATIENT_ATTEMPTS, asked.attempts) : asked.attempts;
    if (required && !heard && asked.attempt >= SILENT_AFTER && this.#phase === 'ready') this.#say('silent');
    if (asked.attempt < attempts) {
      asked.attempt++;
      asked.deadlineMs = this.#nowMs + (question.answerMs ?? ANSWER_MS);
      this.#write(question.bytes);
      return;
    }
    this.#asked = undefined;
    // A sender that has said nothing of this protocol until now need not be asked any further.
    const stranger = this.#phase === 'introducing' && this.#heardAtMs === NEVER;
    if (required || stranger) this.#lose();
    else if (this.#phase === 'introducing') this.#next++;
  }

  #lose(code: FaultCode = this.#garbage && !this.#introduced ? 'LINK_FOREIGN' : 'LINK_SILENT'): void {
    const message =
      code === 'LINK_FOREIGN'
        ? `what answers is no ${this.#facts.name}: name another port or another kind of board`
        : 'the board does not answer: check its power and its cable';
    this.#phase = 'lost';
    this.#dropOrders();
    this.#say('silent');
    this.#out.push({ type: 'lost', atMs: this.#nowMs, fault: { code, message } });
  }

  #say(state: SessionState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#out.push({ type: 'state', atMs: this.#nowMs, state });
  }

  #write(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#out.push({ type: 'write', bytes });
    this.#pausedUntilMs = this.#nowMs + this.#facts.pauseMs;
  }
}
