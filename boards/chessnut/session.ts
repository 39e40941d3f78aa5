/**
 * The conversation with one board over one open link:
 *
 *   opened ──▶ "report positions" ── a position ──▶ ready ──▶ battery, now and every five minutes
 *   no position for a while: asked for again; several times in vain and the link is lost
 *
 * Everything received goes through the one decoder and out again in order, so that replaying the bytes gives the same
 * sensor events.
 */
import type { FaultCode } from '../../core/board-error.ts';
import type { Machine, Step, Tick } from '../../core/machine.ts';
import type { Decoded, SessionEvent, SessionOutput, SessionState } from '../definition.ts';
import { ChessnutDecoder, encodeCommand, encodeLamps } from './codec.ts';
import type { CommandName } from './messages.ts';

/** Positions come every 200 ms or faster; after this silence the board is asked to report. */
const SILENT_MS = 1500;
const ASK_EVERY_MS = 1000;
/** The attempt whose failure is worth a word. */
const SILENT_AFTER = 2;
const BATTERY_AFTER_MS = 500;
const BATTERY_EVERY_MS = 300_000;

/** In what the models differ. */
export interface ChessnutModel {
  readonly battery: Extract<CommandName, 'BATTERY' | 'MOVE_BATTERY'>;
  /** Has the lamps of one colour; those of a Move have other commands. */
  readonly lamps: boolean;
  /** How often the board is asked in vain before the link is given up. */
  readonly attempts: number;
}

/** Creates the session of a Chessnut board; `opened` begins a new conversation each time. */
export const createChessnutSession = (model: ChessnutModel): Machine<SessionEvent, SessionOutput> =>
  new ChessnutSession(model);

class ChessnutSession implements Machine<SessionEvent, SessionOutput> {
  readonly #model: ChessnutModel;
  readonly #decoder = new ChessnutDecoder();
  #out: SessionOutput[] = [];
  #nowMs = 0;
  #open = false;
  #ready = false;
  #state: SessionState | undefined;
  #garbage = false;
  /** When it is due to ask for positions, and how often that was done since the last one. */
  #askAtMs = 0;
  #asked = 0;
  #batteryAtMs = Number.POSITIVE_INFINITY;

  constructor(model: ChessnutModel) {
    this.#model = model;
  }

  step(event: SessionEvent | Tick): Step<SessionOutput> {
    this.#nowMs = event.atMs;
    this.#out = [];
    if (event.type === 'opened') this.#begin();
    if (event.type === 'bytes') this.#receive(this.#decoder.decode(event.bytes, event.atMs));
    if (event.type === 'command') this.#obey(event);
    if (!this.#open) return { outputs: this.#out };
    if (this.#askAtMs <= this.#nowMs) this.#ask();
    if (this.#batteryAtMs <= this.#nowMs) {
      this.#batteryAtMs = this.#nowMs + BATTERY_EVERY_MS;
      this.#write(this.#model.battery);
    }
    if (!this.#open) return { outputs: this.#out };
    return { outputs: this.#out, wakeAtMs: Math.min(this.#askAtMs, this.#batteryAtMs) };
  }

  /** Lights are not confirmed in a way that could be told from other confirmations: handed over is obeyed. */
  #obey({ id, command }: Extract<SessionEvent, { type: 'command' }>): void {
    if (command.type !== 'leds' || !this.#model.lamps) {
      const message = 'this board has neither a clock nor lights of that sort';
      this.#out.push({ type: 'answer', id, fault: { code: 'COMMAND_UNSUPPORTED', message } });
      return;
    }
    this.#out.push({ type: 'write', bytes: encodeLamps(command.squares) });
    this.#out.push({ type: 'answer', id });
  }

  #begin(): void {
    this.#out.push(...this.#decoder.end());
    this.#open = true;
    this.#ready = false;
    this.#garbage = false;
    this.#asked = 0;
    this.#askAtMs = this.#nowMs;
    this.#batteryAtMs = Number.POSITIVE_INFINITY;
    this.#say('identifying');
  }

  #receive(decoded: readonly Decoded[]): void {
    this.#out.push(...decoded);
    if (decoded.some(({ type }) => type === 'discarded')) this.#garbage = true;
    if (this.#decoder.positionAtMs !== this.#nowMs) return;
    // Nothing is over while it reports.
    this.#asked = 0;
    this.#askAtMs = this.#nowMs + SILENT_MS;
    if (!this.#open) return;
    if (!this.#ready) this.#batteryAtMs = this.#nowMs + BATTERY_AFTER_MS;
    this.#ready = true;
    this.#say('ready');
  }

  #ask(): void {
    if (this.#asked >= SILENT_AFTER && this.#ready) this.#say('silent');
    if (this.#asked >= this.#model.attempts) {
      this.#lose();
      return;
    }
    this.#asked++;
    this.#askAtMs = this.#nowMs + ASK_EVERY_MS;
    // A board whose power failed has forgotten that it was to report.
    this.#write('LIVE');
  }

  #lose(): void {
    const foreign = this.#garbage && !this.#ready;
    const code: FaultCode = foreign ? 'LINK_FOREIGN' : 'LINK_SILENT';
    const message = foreign
      ? 'what answers is no Chessnut board: name another device or another kind of board'
      : 'the board does not answer: wake it up, check its battery and its cable';
    this.#open = false;
    this.#say('silent');
    this.#out.push({ type: 'lost', atMs: this.#nowMs, fault: { code, message } });
  }

  #say(state: SessionState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#out.push({ type: 'state', atMs: this.#nowMs, state });
  }

  #write(command: CommandName): void {
    this.#out.push({ type: 'write', bytes: encodeCommand(command) });
  }
}
