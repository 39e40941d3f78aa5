/**
 * Fetches the games a board has recorded by itself (PROTOCOL.md, section 6):
 *
 *   opened ──▶ how many? ──▶ hand over ──▶ the newest, position by position ──▶ told ── kept ──▶ deleted ──▶ how many?
 *
 * Only the newest can be reached, so the next one comes only after this one is deleted; and that is done only when
 * somebody says that it is kept.
 */
import type { Machine, Step, Tick } from '../../core/machine.ts';
import type { StoredGamesEvent, StoredGamesOutput } from '../definition.ts';
import { ChessnutDecoder, encodeCommand } from './codec.ts';
import { type CommandName, STORED_BEGINS, STORED_ENDS } from './messages.ts';

const ANSWER_MS = 2000;
const ATTEMPTS = 3;
/** Between two commands: over USB a board wants 200 ms. */
const PAUSE_MS = 300;
/** A transfer that says nothing for so long has broken off. */
const SILENT_MS = 8000;
/** Id and length of a position as it comes over Bluetooth, which is how it is kept. */
const POSITION_ID = 0x01;

type Phase = 'closed' | 'counting' | 'preparing' | 'receiving' | 'told' | 'deleting' | 'done';

export const createChessnutStoredGames = (): Machine<StoredGamesEvent, StoredGamesOutput> =>
  new StoredGames();

class StoredGames implements Machine<StoredGamesEvent, StoredGamesOutput> {
  readonly #decoder = new ChessnutDecoder();
  #phase: Phase = 'closed';
  #out: StoredGamesOutput[] = [];
  #nowMs = 0;
  #dueMs = Number.POSITIVE_INFINITY;
  #attempts = 0;
  #count: number | undefined;
  /** Commands that follow one after the other. */
  #queue: CommandName[] = [];
  #positions: number[][] = [];

  step(event: StoredGamesEvent | Tick): Step<StoredGamesOutput> {
    this.#nowMs = event.atMs;
    this.#out = [];
    switch (event.type) {
      case 'opened':
        this.#ask();
        break;
      case 'bytes':
        this.#receive(event.bytes);
        break;
      case 'kept':
        if (this.#phase === 'told') this.#enter('deleting', ['DELETE_SENT']);
        break;
      case 'enough':
        if (this.#phase !== 'done' && this.#phase !== 'closed') this.#end();
        break;
      case 'tick':
        if (this.#dueMs <= this.#nowMs) this.#act();
        break;
    }
    return this.#dueMs === Infinity ? { outputs: this.#out } : { outputs: this.#out, wakeAtMs: this.#dueMs };
  }

  #ask(): void {
    this.#attempts = 0;
    this.#enter('counting', []);
    this.#act();
  }

  #enter(phase: Phase, queue: CommandName[]): void {
    this.#phase = phase;
    this.#queue = queue;
    this.#dueMs = queue.length > 0 ? this.#nowMs : Infinity;
    if (queue.length > 0) this.#act();
  }

  /** Does what is due. */
  #act(): void {
    const next = this.#queue.shift();
    if (next !== undefined) {
      this.#write(next);
      this.#dueMs = this.#nowMs + (this.#queue.length > 0 ? PAUSE_MS : this.#waitAfter());
      return;
    }
    switch (this.#phase) {
      case 'counting':
        if (this.#attempts++ >= ATTEMPTS) this.#fail('the board does not say how many games it has');
        else {
          this.#write('COUNT_STORED');
          this.#dueMs = this.#nowMs + ANSWER_MS;
        }
        return;
      case 'preparing':
      case 'receiving':
        this.#fail('the transfer of a stored game broke off; it is still on the board');
        return;
      case 'deleting':
        this.#ask();
        return;
      default:
        this.#dueMs = Infinity;
    }
  }

  #waitAfter(): number {
    if (this.#phase === 'deleting') return PAUSE_MS;
    return this.#phase === 'preparing' ? SILENT_MS : Infinity;
  }

  #receive(bytes: Uint8Array): void {
    for (const item of this.#decoder.decode(bytes, this.#nowMs)) {
      if (item.type !== 'message') continue;
      const [value = 0] = item.payload;
      if (item.name === 'STORED_COUNT' && this.#phase === 'counting') this.#counted(value);
      if (item.name === 'STORED_MARK' && value === STORED_BEGINS && this.#phase === 'preparing') {
        this.#phase = 'receiving';
        this.#positions = [];
      }
      if (this.#phase !== 'receiving') continue;
      this.#dueMs = this.#nowMs + SILENT_MS;
      if (item.name === 'STORED_POSITION')
        this.#positions.push([POSITION_ID, item.payload.length, ...item.payload]);
      if (item.name === 'STORED_MARK' && value === STORED_ENDS) {
        this.#enter('told', []);
        this.#out.push({
          type: 'game',
          bytes: Uint8Array.from(this.#positions.flat()),
          positions: this.#positions.length,
        });
      }
    }
  }

  #counted(count: number): void {
    // A board that has not deleted what it was to delete would give the same game for ever.
    if (this.#count !== undefined && count >= this.#count) {
      this.#fail('the board has not deleted the game that was fetched');
      return;
    }
    this.#count = count;
    this.#out.push({ type: 'count', count });
    if (count === 0) this.#end();
    else this.#enter('preparing', ['UPLOAD', 'READY_FOR_STORED', 'SEND_NEWEST']);
  }

  #fail(message: string): void {
    this.#out.push({ type: 'failed', fault: { code: 'LINK_SILENT', message } });
    this.#end();
  }

  /** Leaves the board as it is used to be: reporting what stands on it. */
  #end(): void {
    this.#phase = 'done';
    this.#dueMs = Infinity;
    this.#queue = [];
    this.#write('LIVE');
    this.#out.push({ type: 'done' });
  }

  #write(command: CommandName): void {
    this.#out.push({ type: 'write', bytes: encodeCommand(command) });
  }
}
