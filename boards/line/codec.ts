/** Lines of a board to what they say, and commands to lines (PROTOCOL.md, sections 2 and 3). */
import { EMPTY, OCCUPIED, type Placement, parseCell, parsePlacement } from '../../core/placement.ts';
import type { ClockFace, ClockReading } from '../../core/sensor-event.ts';
import { makeSquare, parseSquare, type Square } from '../../core/square.ts';
import type { LinkDecoder } from '../conversation/dialogue.ts';
import { discard } from '../conversation/discard.ts';
import { asciiBytes, LineFramer, type TextLine } from '../conversation/line-framer.ts';
import type { BoardIdentity, Decoded, Sensing } from '../definition.ts';
import { type CommandWord, LINES, LONGEST_LINE, VERSION } from './messages.ts';

/** The name under which lines come out that no table knows. */
export const UNKNOWN_LINE = 'UNKNOWN_LINE';
/** A greeting of another version, or of a board that senses otherwise than was thought. */
export const OTHER_HELLO = 'OTHER_HELLO';

const NAMES: ReadonlyMap<string, string> = new Map(LINES.map(({ word, name }) => [word, name]));

/** Decodes what a self-built board says. On a board that knows occupancy only, whatever is not empty is occupied. */
export class LineDecoder implements LinkDecoder {
  readonly #framer = new LineFramer({ longest: LONGEST_LINE });
  readonly #sensing: Sensing;
  #lever: ClockFace = 'left';

  constructor(sensing: Sensing) {
    this.#sensing = sensing;
  }

  decode(bytes: Uint8Array, atMs: number): Decoded[] {
    return this.#framer
      .push(bytes)
      .flatMap((item) => (item.type === 'line' ? this.#line(item, atMs) : [item]));
  }

  end(): Decoded[] {
    return this.#framer.end();
  }

  #line(line: TextLine, atMs: number): Decoded[] {
    const checked = checkLine(line);
    if (typeof checked !== 'string') return [checked];
    const [word = '', ...fields] = checked.split(/\s+/);
    const name = NAMES.get(word) ?? (word.startsWith('#') ? 'COMMENT' : UNKNOWN_LINE);
    const message: Decoded = { type: 'message', name, payload: line.bytes };
    if (name === 'COMMENT' || name === UNKNOWN_LINE) return [message];
    const said = this.#read(word, fields, atMs);
    if (said === undefined)
      return [discard(line.bytes, 'FRAME_VALUE', `"${word}" with values that cannot be`)];
    return [...said, said.length === 0 ? { ...message, name: OTHER_HELLO } : message];
  }

  /** What a known line says; empty for a greeting of somebody else; undefined when its values are impossible. */
  #read(word: string, fields: readonly string[], atMs: number): Decoded[] | undefined {
    switch (word) {
      case 'jadoube': {
        const [version, sensing, ...keys] = fields;
        if (version === undefined || sensing === undefined) return undefined;
        if (Number(version) !== VERSION || sensing !== this.#sensing) return [];
        return [{ type: 'identity', identity: parseKeys(keys) }];
      }
      case 'board': {
        const placement = this.#placement(fields[0] ?? '');
        return placement && [{ type: 'sensor', event: { type: 'dump', atMs, placement } }];
      }
      case 'square': {
        const square = parseSquare(fields[0] ?? '');
        const cell = fields[1] === '.' ? EMPTY : parseCell(fields[1] ?? '');
        if (square === undefined || cell === undefined) return undefined;
        return [{ type: 'sensor', event: { type: 'square', atMs, square, cell: this.#seen(cell) } }];
      }
      case 'clock': {
        const reading = this.#reading(fields);
        return reading && [{ type: 'sensor', event: { type: 'clock', atMs, reading } }];
      }
      case 'press': {
        const [side] = fields;
        if (side !== 'white' && side !== 'black') return undefined;
        return [{ type: 'sensor', event: { type: 'press', atMs, side } }];
      }
      case 'battery': {
        const batteryPercent = wholeNumber(fields[0], 100);
        return batteryPercent === undefined
          ? undefined
          : [{ type: 'identity', identity: { batteryPercent } }];
      }
      default:
        return undefined;
    }
  }

  #seen(cell: number): number {
    return cell !== EMPTY && this.#sensing === 'occupancy' ? OCCUPIED : cell;
  }

  /** Ranks from the eighth to the first; digits count empty squares and a dot is one. */
  #placement(text: string): Placement | undefined {
    return parsePlacement(text.replaceAll('.', '1'))?.map((cell) => this.#seen(cell));
  }

  #reading(fields: readonly string[]): ClockReading | undefined {
    const zero = { timeMs: 0, flag: false };
    if (fields[0] === 'none')
      return { left: zero, right: zero, running: undefined, lever: this.#lever, connected: false };
    const [leftMs, rightMs] = [
      wholeNumber(fields[0], LONGEST_TIME_MS),
      wholeNumber(fields[1], LONGEST_TIME_MS),
    ];
    const [running, lever = running === 'none' ? this.#lever : running] = fields.slice(2);
    if (leftMs === undefined || rightMs === undefined || (lever !== 'left' && lever !== 'right'))
      return undefined;
    if (running !== 'left' && running !== 'right' && running !== 'none') return undefined;
    this.#lever = lever;
    const face = (timeMs: number, side: ClockFace) => ({ timeMs, flag: timeMs === 0 && lever === side });
    return {
      left: face(leftMs, 'left'),
      right: face(rightMs, 'right'),
      running: running === 'none' ? undefined : running,
      lever,
      connected: true,
    };
  }
}

const LONGEST_TIME_MS = 100 * 3_600_000;

/** Reads digits; undefined for anything else, and for more than `most`. */
function wholeNumber(text: string | undefined, most: number): number | undefined {
  if (text === undefined || !/^\d{1,9}$/.test(text)) return undefined;
  const value = Number(text);
  return value <= most ? value : undefined;
}

/** Takes the checksum off a line that has one; the fault when it is wrong. */
function checkLine(line: TextLine): string | Extract<Decoded, { type: 'discarded' }> {
  const match = /^(.*)\*([0-9A-Fa-f]{2})$/.exec(line.text);
  if (match === null) return line.text;
  const text = match[1]!;
  return checksumOf(text) === Number.parseInt(match[2]!, 16)
    ? text.trimEnd()
    : discard(line.bytes, 'FRAME_CHECKSUM');
}

/** All characters before the asterisk, combined by exclusive or. */
const checksumOf = (text: string): number => [...text].reduce((sum, letter) => sum ^ letter.charCodeAt(0), 0);

function parseKeys(keys: readonly string[]): BoardIdentity {
  const value = (key: string): string | undefined =>
    keys.find((pair) => pair.startsWith(`${key}=`))?.slice(key.length + 1) || undefined;
  const [serialNumber, model, firmware] = [value('serial'), value('model'), value('firmware')];
  return {
    ...(serialNumber !== undefined && { serialNumber }),
    ...(model !== undefined && { model: model.replaceAll('_', ' ') }),
    ...(firmware !== undefined && { firmware }),
  };
}

/** Whether something decoded shows that its sender speaks this protocol, however odd the values in it. */
export const speaksLines = (decoded: Decoded): boolean =>
  decoded.type === 'message'
    ? decoded.name !== UNKNOWN_LINE && decoded.name !== OTHER_HELLO
    : decoded.type !== 'discarded' || decoded.fault.code === 'FRAME_VALUE';

/** Encodes a command. */
export const encodeCommand = (word: CommandWord): Uint8Array => asciiBytes(`${word}\n`);

/** Encodes the command that lights exactly these squares; none puts all lights out. */
export const encodeLights = (squares: readonly Square[]): Uint8Array =>
  asciiBytes(`${['lights', ...squares.map(makeSquare)].join(' ')}\n`);
