/** Lines of a Citrine to what they say, and commands to lines (PROTOCOL.md, sections 2 and 3). */
import { EMPTY, emptyPlacement, type Placement, parseCell } from '../../core/placement.ts';
import type { LinkDecoder } from '../conversation/dialogue.ts';
import { discard } from '../conversation/discard.ts';
import { asciiBytes, LineFramer, type TextLine } from '../conversation/line-framer.ts';
import { Picture } from '../conversation/picture.ts';
import type { Decoded } from '../definition.ts';
import { type CommandText, LINES, LONGEST_LINE } from './messages.ts';

const UNKNOWN_LINE = 'UNKNOWN_LINE';

/** Decodes what a computer says, in any chunking. */
export class NovagDecoder implements LinkDecoder {
  readonly #framer = new LineFramer({ longest: LONGEST_LINE });
  readonly #picture = new Picture();
  #rows: Placement = emptyPlacement();
  /** The rank whose row comes next; undefined outside a listing. */
  #rank: number | undefined;

  decode(bytes: Uint8Array, atMs: number): Decoded[] {
    return this.#framer
      .push(bytes)
      .flatMap((item) => (item.type === 'line' ? this.#line(item, atMs) : [item]));
  }

  end(): Decoded[] {
    return this.#framer.end();
  }

  #line(line: TextLine, atMs: number): Decoded[] {
    const name = LINES.find(({ pattern }) => pattern.test(line.text))?.name ?? UNKNOWN_LINE;
    const message: Decoded = { type: 'message', name, payload: line.bytes };
    if (name === 'POSITION_HEAD') {
      this.#rank = 7;
      this.#rows = emptyPlacement();
    }
    if (name === 'IDENTITY') {
      const firmware = line.text.replace(/^ID\.?\s*/i, '');
      return [{ type: 'identity', identity: { firmware } }, message];
    }
    if (name !== 'ROW') return [message];
    return this.#row(line, message, atMs);
  }

  /** A row of the listing: ".8 br bn ... 8"; the heading of the files is none, nor is a row of a game's moves. */
  #row(line: TextLine, message: Decoded, atMs: number): Decoded[] {
    const rank = this.#rank;
    if (rank === undefined || !/^\.[1-8] /.test(line.text)) return [message];
    const isNext = Number(line.text[1]) === rank + 1;
    this.#rank = undefined;
    if (!isNext || !this.#read(line.text, rank))
      return [discard(line.bytes, 'FRAME_VALUE', 'a row of the board')];
    if (rank > 0) {
      this.#rank = rank - 1;
      return [message];
    }
    return [
      ...this.#picture.take(this.#rows, atMs),
      { type: 'message', name: 'POSITION', payload: line.bytes },
    ];
  }

  #read(text: string, rank: number): boolean {
    for (let file = 0; file < 8; file++) {
      const square = text.slice(3 + 3 * file, 5 + 3 * file).padEnd(2);
      const isEmpty = square === '  ' || square === '::';
      const [, side, letter] = /^([wb])([prnbqk])$/i.exec(square) ?? [];
      if (!isEmpty && letter === undefined) return false;
      const named = side?.toLowerCase() === 'w' ? letter?.toUpperCase() : letter?.toLowerCase();
      this.#rows[rank * 8 + file] = named === undefined ? EMPTY : parseCell(named)!;
    }
    return true;
  }
}

/** Whether something decoded shows that its sender speaks this protocol. */
export const speaksNovag = (decoded: Decoded): boolean =>
  decoded.type === 'message'
    ? decoded.name !== UNKNOWN_LINE && decoded.name !== 'ROW'
    : decoded.type !== 'discarded';

/** Encodes a command. */
export const encodeCommand = (text: CommandText): Uint8Array => asciiBytes(`${text}\r\n`);
