/** How boards and ports stand, for the setup page: what they say of themselves, and how well they are heard. */
import { cureOf, isFaultCode } from '../../core/board-error.ts';
import { makeLinkAddress } from '../../driver/address.ts';
import type { FleetStatus } from '../../driver/roster.ts';
import type { RecorderUpdate } from '../recorder.ts';
import type { BoardHealth, PortHealth } from './model/desk-api.ts';
import type { Setup } from './model/setup-api.ts';

const MINUTE_MS = 60_000;
/** A minute is counted in parts, so that the count does not jump. */
const PARTS = 12;

interface Heard {
  readonly parts: number[];
  part: number;
  discarded: number;
  losses: number;
}

/** Keeps the health of all boards up to date. */
export class BoardHealthWatch {
  readonly #nowMs: () => number;
  readonly #heard = new Map<string, Heard>();
  #status: FleetStatus = { boards: [], ports: [] };

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  take(update: RecorderUpdate): void {
    if (update.type === 'fleet') this.#status = update.status;
    if (update.type === 'game') this.#count(update.board, update.events.length);
    if (update.type !== 'board') return;
    const { board, update: said } = update;
    if (said.type === 'discarded') this.#of(board).discarded++;
    if (said.type === 'link' && said.link === 'lost') this.#of(board).losses++;
    if (said.type === 'message') this.#count(board, 1);
  }

  setup(): Pick<Setup, 'boards' | 'ports'> {
    const boards = this.#status.boards.map(
      ({ board, definition, identity, link, state, fault }): BoardHealth => {
        const heard = this.#of(board);
        this.#turn(heard);
        return {
          board,
          kind: definition.id,
          kindName: definition.name,
          address: makeLinkAddress(link),
          link: state,
          ...(fault !== undefined && state !== 'up' && { fault: withCure(fault) }),
          ...identity,
          messagesPerMinute: heard.parts.reduce((sum, n) => sum + n, 0),
          discarded: heard.discarded,
          losses: heard.losses,
        };
      },
    );
    const ports = this.#status.ports.map(
      ({ key, link, state, fault, board }): PortHealth => ({
        port: key,
        address: makeLinkAddress(link),
        state,
        ...(board !== undefined && { board }),
        ...(fault !== undefined && { fault }),
      }),
    );
    return { boards, ports };
  }

  #of(board: string): Heard {
    let heard = this.#heard.get(board);
    if (heard === undefined) {
      heard = { parts: Array.from({ length: PARTS }, () => 0), part: this.#part(), discarded: 0, losses: 0 };
      this.#heard.set(board, heard);
    }
    return heard;
  }

  #count(board: string, messages: number): void {
    const heard = this.#of(board);
    this.#turn(heard);
    heard.parts[heard.part % PARTS]! += messages;
  }

  #part(): number {
    return Math.floor(this.#nowMs() / (MINUTE_MS / PARTS));
  }

  /** Forgets the parts that are more than a minute old. */
  #turn(heard: Heard): void {
    const now = this.#part();
    for (let part = Math.max(heard.part + 1, now - PARTS + 1); part <= now; part++)
      heard.parts[part % PARTS] = 0;
    heard.part = now;
  }
}

const withCure = (fault: { readonly code: string; readonly message: string }) =>
  isFaultCode(fault.code)
    ? { ...fault, cure: cureOf(fault.code, {}) }
    : { code: fault.code, message: fault.message };
