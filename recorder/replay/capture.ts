/** Captures: what passed over a link, as lines of JSON. The first line says what it is, the others what passed. */
import { z } from 'zod';
import { fail, ok, type Result } from '../../core/result.ts';
import type { RawInput } from '../raw-input.ts';

const HEADER = z.looseObject({
  jadoube: z.literal(1),
  board: z.string().min(1),
  startedAt: z.string(),
  link: z.string().optional(),
  fen: z.string().optional(),
  variant: z.enum(['standard', 'chess960']).optional(),
  rateOfPlay: z.string().optional(),
  supervision: z.enum(['full', 'limited']).optional(),
});

const TIME = z.number().finite();
/** Pairs of digits with blanks anywhere between pairs; looked at in one pass, whatever its length. */
const isHex = (text: string): boolean => {
  if (!/^[\s0-9a-fA-F]*$/.test(text)) return false;
  return text.split(/\s+/).every((run) => run.length % 2 === 0);
};
const HEX = z.string().refine(isHex, 'is no hexadecimal text');
const ENTRY = z.union([
  z.looseObject({ t: TIME, rx: HEX }),
  z.looseObject({ t: TIME, tx: HEX }),
  z.looseObject({ t: TIME, link: z.enum(['lost', 'up']) }),
]);

/** First line of a capture. */
export type CaptureHeader = z.infer<typeof HEADER>;

/** A capture as read; `truncated` when its last line was cut off and left out. */
export interface Capture {
  readonly header: CaptureHeader;
  /** Never falling in time, parts of a millisecond as the file gives them. */
  readonly entries: readonly RawInput[];
  readonly truncated: boolean;
}

const parseHex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replace(/\s+/g, ''), 'hex'));

const makeHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Writes the first line of a capture, line end included. */
export const makeCaptureHeader = (header: Omit<CaptureHeader, 'jadoube'>): string =>
  `${JSON.stringify({ jadoube: 1, ...header })}\n`;

/** Writes one entry of a capture, line end included. */
export function makeCaptureEntry(entry: RawInput): string {
  const t = Math.round(entry.atMs * 1000) / 1000;
  return `${JSON.stringify(entry.type === 'link' ? { t, link: entry.link } : { t, [entry.type]: makeHex(entry.bytes) })}\n`;
}

/**
 * Reads a capture. Fails with `CAPTURE_SYNTAX` naming the line; a last line without line end that cannot be read was
 * cut off by a crash and is left out, and said.
 */
export function parseCapture(text: string): Result<Capture> {
  const lines = text.split(/\r?\n/);
  const cutLine = lines.pop() ?? '';
  const first = parseJson(lines[0] ?? cutLine);
  const header = HEADER.safeParse(first);
  if (!header.success) {
    return fail(
      'CAPTURE_SYNTAX',
      'line 1 is no head of a capture: {"jadoube":1,"board":"dgt","startedAt":"..."}',
    );
  }
  const entries: RawInput[] = [];
  let atMs = Number.NEGATIVE_INFINITY;
  const take = (line: string): boolean => {
    const parsed = ENTRY.safeParse(parseJson(line));
    if (!parsed.success) return false;
    const entry = parsed.data;
    // Time never falls, whatever the file says: order is what counts.
    atMs = Math.max(atMs, entry.t);
    if ('rx' in entry) entries.push({ type: 'rx', atMs, bytes: parseHex(entry.rx as string) });
    else if ('tx' in entry) entries.push({ type: 'tx', atMs, bytes: parseHex(entry.tx as string) });
    else entries.push({ type: 'link', atMs, link: entry.link as 'lost' | 'up' });
    return true;
  };
  for (let i = 1; i < lines.length; i++) {
    if (lines[i]!.trim() === '') continue;
    if (!take(lines[i]!))
      return fail('CAPTURE_SYNTAX', `line ${i + 1} cannot be read: ${lines[i]!.slice(0, 60)}`);
  }
  const truncated = lines.length > 0 && cutLine.trim() !== '' && !take(cutLine);
  return ok({ header: header.data, entries, truncated });
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
