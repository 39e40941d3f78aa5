/**
 * What an operator tells a DGT board to do: clock commands, one at a time, each repeated until the clock has acknowledged
 * it, and the lights of a Revelation II (PROTOCOL.md, sections 6 and 12).
 */
import { type FaultCode, meaningOf } from '../../core/board-error.ts';
import { type Fault, fail, ok, type Result } from '../../core/result.ts';
import type { Square } from '../../core/square.ts';
import type { BoardCommand, BoardIdentity, SessionOutput } from '../definition.ts';
import {
  CLOCK_COMMANDS,
  type ClockAck,
  encodeClockDisplay,
  encodeClockEnd,
  encodeClockSetAndRun,
  encodeClockText,
  encodeClockVersion,
  encodeRevelationText,
  hasSegments,
} from './clock.ts';

/** A clock acknowledges within one or two seconds. */
const ACK_MS = 2000;
const ATTEMPTS = 3;
/** A clock that refuses is asked once more, as working programs do: some refusals are accidents of the line. */
const REFUSALS = 2;
/** Pause before a command that did not get through is sent again. */
const AGAIN_MS = 100;
const REFUSED = 0x40;

const DGT_3000 = 2;
const BEEP_SHORT = 1;

const LEDS = 0x60;
/** Firmware of a Revelation II (3.22 is 322) from which lights can be put out, and from which it shows texts of its own. */
const LEDS_OFF_SINCE = 322;
const TEXT_SINCE = 324;

/** Something that is written, and the commands whose acknowledgement says that it was obeyed; none: nothing answers. */
interface Part {
  readonly bytes: Uint8Array;
  readonly acks: readonly number[];
  readonly attempts: number;
  /** The order has failed when it has. */
  readonly required: boolean;
}

interface Order {
  readonly id: number;
  readonly command: BoardCommand;
  /** What is left to do; undefined until it is known what this board and its clock can do. */
  parts: Part[] | undefined;
  /** The first part is on its way until then. */
  deadlineMs: number | undefined;
  attempt: number;
  refusals: number;
}

const part = (bytes: Uint8Array, ...acks: number[]): Part => ({
  bytes,
  acks,
  attempts: ATTEMPTS,
  required: true,
});
const ASK_VERSION: Part = { ...part(encodeClockVersion(), CLOCK_COMMANDS.version), attempts: 2 };
/** Some clocks go on showing a text after they were set; those that do not need not answer. */
const CLEAR: Part = { ...part(encodeClockEnd(), CLOCK_COMMANDS.end), attempts: 1, required: false };

/**
 * Encodes the lights of a Revelation II (firmware 3.22 and newer): all out, then exactly these squares (the board's own
 * numbering), two a message.
 */
export function encodeRevelationLeds(squares: readonly Square[]): Uint8Array[] {
  const messages = [Uint8Array.of(LEDS, 4, 0, 0x40, 0x40, 0)];
  for (let i = 0; i < squares.length; i += 2) {
    // The board counts from a8; only the ranks run the other way from ours.
    const from = squares[i]! ^ 56;
    const to = (squares[i + 1] ?? squares[i]!) ^ 56;
    messages.push(Uint8Array.of(LEDS, 4, 1, from, to, 0));
  }
  return messages;
}

/** The orders that wait; obeyed in turn. */
export class DgtOrders {
  #orders: Order[] = [];
  #clockMain: number | undefined;
  #isRevelation = false;
  #firmware = 0;

  /** When the next thing is due; undefined while there is no order. */
  get dueMs(): number | undefined {
    const [order] = this.#orders;
    return order && (order.deadlineMs ?? Number.NEGATIVE_INFINITY);
  }

  add(id: number, command: BoardCommand): void {
    this.#orders.push({ id, command, parts: undefined, deadlineMs: undefined, attempt: 0, refusals: 0 });
  }

  /** The link is gone or another board may be there: what waits is given up, and what is known is forgotten. */
  drop(): SessionOutput[] {
    this.#clockMain = undefined;
    this.#isRevelation = false;
    this.#firmware = 0;
    return this.#orders.splice(0).map(({ id }) => ({ type: 'answer', id, fault: faultOf('COMMAND_AWAY') }));
  }

  /** Learns what the board is. */
  know({ model, firmware }: BoardIdentity): void {
    if (model !== undefined) this.#isRevelation = model === 'Revelation II';
    const version = /^(\d+)\.(\d+)$/.exec(firmware ?? '');
    if (version !== null) this.#firmware = Number(version[1]) * 100 + Number(version[2]);
  }

  /** Takes what the clock has acknowledged. */
  hear(ack: ClockAck, atMs: number): SessionOutput[] {
    if (ack.type === 'version') this.#clockMain = ack.main;
    const [order] = this.#orders;
    const current = order?.parts?.[0];
    if (order?.deadlineMs === undefined || current === undefined) return [];
    if (ack.type === 'version' && current.acks.includes(CLOCK_COMMANDS.version)) return this.#done(order);
    if (ack.type === 'accepted' && current.acks.includes(ack.command)) return this.#done(order);
    // What got lost between board and clock may name no command.
    if (ack.type !== 'failed' || (ack.command !== 0 && !current.acks.includes(ack.command))) return [];
    if (ack.status === REFUSED) order.refusals++;
    if (order.refusals >= REFUSALS)
      return current.required ? this.#finish(order, faultOf('COMMAND_REFUSED')) : this.#done(order);
    order.deadlineMs = Math.min(order.deadlineMs, atMs + AGAIN_MS);
    return [];
  }

  /** Does the next thing of the first order. */
  act(nowMs: number): SessionOutput[] {
    const [order] = this.#orders;
    if (order === undefined) return [];
    if (order.parts === undefined) {
      const parts = this.#plan(order.command);
      if (!parts.ok) return this.#finish(order, parts.fault);
      order.parts = parts.value;
    }
    const [next] = order.parts;
    if (next === undefined) return this.#finish(order);
    if (order.attempt >= next.attempts)
      return next.required ? this.#finish(order, faultOf('COMMAND_UNANSWERED')) : this.#done(order);
    const write: SessionOutput = { type: 'write', bytes: next.bytes };
    if (next.acks.length === 0) return [write, ...this.#done(order)];
    order.attempt++;
    order.deadlineMs = nowMs + ACK_MS;
    return [write];
  }

  #done(order: Order): SessionOutput[] {
    const asked = order.parts?.shift();
    order.attempt = 0;
    order.refusals = 0;
    order.deadlineMs = undefined;
    if (order.parts?.length !== 0) return [];
    // What the clock can show is known only now.
    if (asked === ASK_VERSION && order.command.type !== 'clockVersion') {
      order.parts = undefined;
      return [];
    }
    return this.#finish(order);
  }

  #finish(order: Order, fault?: Fault): SessionOutput[] {
    this.#orders = this.#orders.filter((other) => other !== order);
    return [{ type: 'answer', id: order.id, ...(fault && { fault }) }];
  }

  #plan(command: BoardCommand): Result<Part[]> {
    switch (command.type) {
      case 'leds':
        if (!this.#isRevelation)
          return fail('COMMAND_UNSUPPORTED', 'of DGT boards only a Revelation II has lights');
        if (this.#firmware < LEDS_OFF_SINCE)
          return fail('COMMAND_UNSUPPORTED', 'its lights can be put out only with firmware 3.22 or newer');
        return ok(encodeRevelationLeds(command.squares).map((bytes) => part(bytes)));
      case 'clockVersion':
        return ok([ASK_VERSION]);
      case 'clockSet': {
        const { leftMs, rightMs, running } = command;
        const bytes = encodeClockSetAndRun({ leftMs, rightMs, running, lever: running !== undefined });
        return bytes.ok ? ok([part(bytes.value, CLOCK_COMMANDS.setAndRun), CLEAR]) : bytes;
      }
      case 'clockText':
        return this.#planText(command.text, command.beep === true);
    }
  }

  /** Eleven letters on a Revelation II, eight on a DGT 3000, six of segments on any other clock. */
  #planText(text: string, beep: boolean): Result<Part[]> {
    const { display, text: ascii, revelationText, end } = CLOCK_COMMANDS;
    if (text === '') return ok([part(encodeClockEnd(), end)]);
    const isOwn = this.#isRevelation && this.#firmware >= TEXT_SINCE;
    if (!isOwn && this.#clockMain === undefined) return ok([ASK_VERSION]);
    const isSegments = !isOwn && this.#clockMain !== DGT_3000;
    const most = isOwn ? 11 : isSegments ? 6 : 8;
    const isKnown = isSegments ? hasSegments(text) : /^[ -~]*$/.test(text);
    if (text.length > most || !isKnown) {
      const letters = isSegments ? 'that seven segments can show' : 'of ASCII';
      return fail('ARGUMENT_INVALID', `"${text}": this clock shows at most ${most} characters ${letters}`);
    }
    const tone = beep ? BEEP_SHORT : 0;
    // Every kind of text is acknowledged as a display by some.
    if (isOwn) return ok([part(encodeRevelationText(text, tone), revelationText, ascii, display)]);
    if (isSegments) return ok([part(encodeClockDisplay(text, { beep }), display)]);
    return ok([part(encodeClockText(text, tone), ascii, display)]);
  }
}

const faultOf = (code: FaultCode): Fault => ({ code, message: meaningOf(code) });
