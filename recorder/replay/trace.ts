/** Board events in the text notation of the case files: `-e2 +e4=P ~900 CW D=<placement> LINK-`. */
import type { Variant } from '../../core/game-event.ts';
import { EMPTY, OCCUPIED, parseCell, parsePlacement } from '../../core/placement.ts';
import { START_FEN } from '../../core/position.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import type { SensorEvent } from '../../core/sensor-event.ts';
import { parseSquare } from '../../core/square.ts';

/** Tokens with no pause between them are this far apart, ms. */
export const TOKEN_MS = 120;

/** A trace file as read: how the board is set up and what it sends. */
export interface Trace {
  readonly start: string;
  readonly variant: Variant;
  readonly rotated: boolean;
  readonly occupancy: boolean;
  readonly events: readonly SensorEvent[];
}

/** Reads a trace; lines that only tests use (`out`, `flags`, `may`, `end`) are skipped. Fails with `TRACE_SYNTAX`. */
export function parseTrace(text: string): Result<Trace> {
  const fields = new Map<string, string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.startsWith('#') || line.trim() === '') continue;
    const colon = line.indexOf(':');
    if (colon < 0)
      return fail('TRACE_SYNTAX', `line ${index + 1}: "${line.slice(0, 60)}" has no name before a colon`);
    const name = line.slice(0, colon).trim();
    const value = line.slice(colon + 1).trim();
    fields.set(name, name === 'ev' && fields.has('ev') ? `${fields.get('ev')} ${value}` : value);
  }
  const fen = fields.get('fen') ?? 'start';
  const occupancy = fields.get('occ') === 'yes';
  const events = parseTraceEvents(fields.get('ev') ?? '', occupancy);
  if (!events.ok) return events;
  return ok({
    start: fen === 'start' ? START_FEN : fen,
    variant: fields.get('v960') === 'yes' ? 'chess960' : 'standard',
    rotated: fields.get('rot') === 'yes',
    occupancy,
    events: events.value,
  });
}

/** Reads the tokens of an `ev:` line; times begin at 0. Fails with `TRACE_SYNTAX` naming the token. */
export function parseTraceEvents(text: string, occupancy: boolean): Result<SensorEvent[]> {
  const events: SensorEvent[] = [];
  let atMs = 0;
  let waited = true;
  for (const token of text.split(/\s+/)) {
    if (token === '') continue;
    const pause = /^~(\d{1,9})$/.exec(token);
    if (pause !== null) {
      atMs += Number(pause[1]);
      waited = true;
      continue;
    }
    if (!waited) atMs += TOKEN_MS;
    const event = parseToken(token, atMs, occupancy);
    if (event === undefined) return fail('TRACE_SYNTAX', `"${token}" is no event of a trace`);
    events.push(event);
    waited = false;
  }
  return ok(events);
}

function parseToken(token: string, atMs: number, occupancy: boolean): SensorEvent | undefined {
  switch (token) {
    case 'CW':
      return { type: 'press', atMs, side: 'white' };
    case 'CB':
      return { type: 'press', atMs, side: 'black' };
    case 'LINK-':
      return { type: 'link', atMs, link: 'lost' };
    case 'LINK+':
      return { type: 'link', atMs, link: 'up' };
  }
  if (token.startsWith('D=')) {
    const placement = parsePlacement(token.slice(2));
    if (placement === undefined) return undefined;
    return {
      type: 'dump',
      atMs,
      placement: occupancy ? placement.map((cell) => (cell === EMPTY ? EMPTY : OCCUPIED)) : placement,
    };
  }
  const match = /^([-+])([a-h][1-8])(?:=(.))?$/.exec(token);
  const square = match === null ? undefined : parseSquare(match[2]!);
  if (match === null || square === undefined) return undefined;
  if (match[1] === '-')
    return match[3] === undefined ? { type: 'square', atMs, square, cell: EMPTY } : undefined;
  const cell = match[3] === undefined ? undefined : parseCell(match[3]);
  if (cell === undefined) return undefined;
  return { type: 'square', atMs, square, cell: occupancy ? OCCUPIED : cell };
}
