/**
 * What an edge tells a hub of one board: rows of its raw input as they stand in its store, with everything that is needed to
 * derive the same games from them. One message is one line of JSON; the rows are in base64.
 */
import { z } from 'zod';
import type { BoardIdentity } from '../../boards/definition.ts';
import { type GameEvent, VARIANTS } from '../../core/game-event.ts';
import { RATES_OF_PLAY, REGIMES } from '../../core/laws/rate-of-play.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import { parseEntryContent } from '../entry.ts';
import { MOST_DEFAULT_MINUTES, MOST_DRAW_FROM, parseTimeControls } from '../event-rules.ts';
import type { RawInput } from '../raw-input.ts';
import { decodeInputs } from '../store/packed-inputs.ts';
import type { EntryAway, ForwardRow, SignedRules } from '../store/relay-tables.ts';
import type { SittingOptions } from '../store/store.ts';
import { eventFromJson, eventToJson, GAME_EVENT } from './derived-event.ts';

/** A piece of a sitting, as an edge sends it. */
export interface RelayMessage {
  /** Name of the edge: "hall-1". */
  readonly edge: string;
  /** Name of the sitting in the world. */
  readonly origin: string;
  readonly board: string;
  readonly kind: string;
  readonly options: SittingOptions;
  readonly startedMs: number;
  readonly startedWallMs: number;
  /** What the board has said of itself; with the first message of a connection and when it is new. */
  readonly identity?: BoardIdentity;
  /** In order; empty when only time has passed. */
  readonly rows: readonly Omit<ForwardRow, 'sittingId'>[];
  /** What was entered at the edge about the games of the sitting, in order. */
  readonly entries?: readonly Pick<EntryAway, 'uid' | 'entry'>[];
  /** What the edge has derived reaches to here; no input before it is still to come. */
  readonly seenToMs: number;
  /** What a worker has made of it. */
  readonly derived?: DerivedPiece;
}

/** Where a sitting stands: id of its last row, and how far its time has come. */
export interface SittingPoint {
  readonly position: number;
  readonly seenToMs: number;
}

/** What came of the rows and the time of a message, for a sitting that stood at a certain point before. */
export interface DerivedPiece {
  /** Place in the stream of the message that brought the rows. */
  readonly source: number;
  readonly from: SittingPoint;
  readonly events: readonly GameEvent[];
}

/** A row as it has arrived. */
export interface ArrivedRow {
  readonly id: number;
  readonly atMs: number;
  readonly wallMs: number;
  readonly inputs: readonly RawInput[];
}

/** A piece of a sitting, as a hub takes it. */
export interface Arrived extends Omit<RelayMessage, 'rows'> {
  readonly rows: readonly ArrivedRow[];
}

/** Names of events and edges: a part of a subject, and never an "@". */
export const NAME = /^[A-Za-z0-9_-]{1,64}$/;

const TIME = z.int().min(0);
const SHORT = z.string().min(1).max(200);
const RULE = z.string().max(200).optional();
const RULES = z.object({
  white: RULE,
  black: RULE,
  regime: z.enum(REGIMES).optional(),
  rate: z.enum(RATES_OF_PLAY).optional(),
  drawFrom: z.int().min(1).max(MOST_DRAW_FROM).optional(),
  defaultMinutes: z.int().min(1).max(MOST_DEFAULT_MINUTES).optional(),
});

const ENTRY = z.object({
  uid: SHORT,
  entry: z.object({
    game: z.int().min(1),
    atMs: TIME,
    wallMs: TIME,
    by: SHORT,
    what: z.unknown().optional(),
    undoes: SHORT.optional(),
  }),
});

const MESSAGE = z.object({
  v: z.literal(1),
  edge: z.string().regex(NAME),
  origin: SHORT,
  board: SHORT,
  kind: SHORT,
  options: z.object({
    start: z.string().max(200).optional(),
    variant: z.enum(VARIANTS),
    rotated: z.boolean(),
    rules: RULES.optional(),
  }),
  startedMs: TIME,
  startedWallMs: TIME,
  identity: z.record(z.string(), z.union([z.string().max(500), z.number()])).optional(),
  rows: z.array(z.object({ id: TIME, atMs: TIME, wallMs: TIME, data: z.base64() })).max(10_000),
  entries: z.array(ENTRY).max(10_000).optional(),
  seenToMs: TIME,
  derived: z
    .object({
      source: TIME,
      from: z.object({ position: TIME, seenToMs: TIME }),
      events: z.array(GAME_EVENT).max(100_000),
    })
    .optional(),
});

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** Undefined members are left out, as everywhere in this program. */
const plain = <T>(value: unknown): T => JSON.parse(JSON.stringify(value)) as T;

/** Writes a message as it goes over the wire. */
export const encodeRelayMessage = ({ rows, derived, ...facts }: RelayMessage): Uint8Array =>
  encoder.encode(
    JSON.stringify({
      v: 1,
      ...facts,
      rows: rows.map(({ id, atMs, wallMs, data }) => ({
        id,
        atMs,
        wallMs,
        data: Buffer.from(data).toString('base64'),
      })),
      ...(derived && { derived: { ...derived, events: derived.events.map(eventToJson) } }),
    }),
  );

/** Reads a message; RELAY_MESSAGE when it is none. */
export function decodeRelayMessage(bytes: Uint8Array): Result<Arrived> {
  const read = readJson(bytes, MESSAGE);
  if (!read.ok) return read;
  const { v: _, rows, entries: said, derived, ...facts } = read.value;
  const entries: Pick<EntryAway, 'uid' | 'entry'>[] = [];
  for (const one of said ?? []) {
    const entry = readEntry(one);
    if (!entry.ok) return entry;
    entries.push(entry.value);
  }
  const arrived: ArrivedRow[] = [];
  for (const { id, atMs, wallMs, data } of rows) {
    const inputs = decodeInputs(Buffer.from(data, 'base64'), atMs);
    if (inputs === undefined) return fail('RELAY_MESSAGE', `row ${id} of ${facts.origin} is damaged`);
    arrived.push({ id, atMs, wallMs, inputs });
  }
  return ok({
    ...plain<Omit<Arrived, 'rows' | 'entries' | 'derived'>>(facts),
    rows: arrived,
    ...(derived && { derived: { ...derived, events: derived.events.map(eventFromJson) } }),
    ...(said !== undefined && { entries }),
  });
}

/** A worker has taken a partition: written before anything else, so that whoever had it can write nothing after. */
export interface Taken {
  readonly worker: string;
  /** Place of the last message of input that was derived before. */
  readonly source: number;
}

const TAKEN = z.object({ v: z.literal(1), worker: SHORT, source: TIME });

export const encodeTaken = ({ worker, source }: Taken): Uint8Array =>
  encoder.encode(JSON.stringify({ v: 1, worker, source }));

/** Reads what stands in front of the messages of a worker; undefined when it is another thing. */
export function decodeTaken(bytes: Uint8Array): Taken | undefined {
  const read = readJson(bytes, TAKEN);
  return read.ok ? read.value : undefined;
}

/** An entry, or rules, on the way to the edge that records the games. */
export type RelayEntry = Pick<EntryAway, 'uid' | 'origin'> &
  (
    | { readonly entry: EntryAway['entry']; readonly rules?: undefined }
    | { readonly entry?: undefined; readonly rules: SignedRules }
  );

const ENTERED = z.object({
  v: z.literal(1),
  uid: SHORT,
  origin: SHORT,
  entry: ENTRY.shape.entry.optional(),
  rules: z.object({ rules: RULES, wallMs: TIME, by: SHORT }).optional(),
});

export const encodeRelayEntry = ({ uid, origin, entry, rules }: RelayEntry): Uint8Array =>
  encoder.encode(JSON.stringify({ v: 1, uid, origin, entry, rules }));

/** Reads an entry or rules; RELAY_MESSAGE when it is neither. */
export function decodeRelayEntry(bytes: Uint8Array): Result<RelayEntry> {
  const read = readJson(bytes, ENTERED);
  if (!read.ok) return read;
  const { uid, origin, entry, rules } = read.value;
  if (rules !== undefined) {
    const said = plain<SignedRules>(rules);
    for (const control of [said.rules.white, said.rules.black]) {
      const parsed = control === undefined ? undefined : parseTimeControls(control);
      if (parsed?.ok === false) return fail('RELAY_MESSAGE', `rules ${uid}: ${parsed.fault.message}`);
    }
    return ok({ uid, origin, rules: said });
  }
  if (entry === undefined) return fail('RELAY_MESSAGE', `${uid} is neither an entry nor rules`);
  const content = readEntry({ uid, entry });
  return content.ok ? ok({ ...content.value, origin }) : content;
}

function readEntry({ uid, entry: given }: z.infer<typeof ENTRY>): Result<Pick<EntryAway, 'uid' | 'entry'>> {
  const { what: said, ...signed } = plain<typeof given>(given);
  const what = said === undefined ? undefined : parseEntryContent(JSON.stringify(said));
  if ((what === undefined) === (signed.undoes === undefined)) {
    return fail('RELAY_MESSAGE', `entry ${uid} says nothing that can be entered`);
  }
  return ok({ uid, entry: { ...plain<Omit<EntryAway['entry'], 'what'>>(signed), ...(what && { what }) } });
}

/** No message of ours is nested half as deep. */
const MOST_DEPTH = 32;

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}

function readJson<T>(bytes: Uint8Array, shape: z.ZodType<T>): Result<T> {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch {
    return fail('RELAY_MESSAGE', `${bytes.length} bytes that are no JSON`);
  }
  // What looks at it goes down with it, as far as the stack allows.
  if (isDeeper(value, MOST_DEPTH)) return fail('RELAY_MESSAGE', `nested deeper than ${MOST_DEPTH}`);
  const { data, error } = shape.safeParse(value);
  return data === undefined
    ? fail('RELAY_MESSAGE', `${error?.issues[0]?.path.join('.')}: ${error?.issues[0]?.message}`)
    : ok(data);
}
