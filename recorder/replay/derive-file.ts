import type { BoardDefinition } from '../../boards/definition.ts';
import { BOARDS, findBoard } from '../../boards/registry.ts';
import type { GameEvent } from '../../core/game-event.ts';
import { applyGameEvent, createGameRecord, type GameRecord } from '../../core/game-record.ts';
import { MachineDriver } from '../../core/machine.ts';
import { Position } from '../../core/position.ts';
import { createReconstructor, type ReconstructorOptions } from '../../core/reconstructor.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import type { SensorEvent } from '../../core/sensor-event.ts';
import { parseCapture } from './capture.ts';
import { parseTrace } from './trace.ts';
import { timeByClock } from './untimed.ts';

/** The games of one file and what is to be said about reading it. */
export interface DerivedFile {
  readonly games: readonly GameRecord[];
  readonly notes: readonly string[];
}

/** Derives every game from sensor events; the end of the events is a long quiet. */
export function deriveGames(events: readonly SensorEvent[], options: ReconstructorOptions): GameRecord[] {
  const driver = new MachineDriver<SensorEvent, GameEvent>(createReconstructor(options));
  const games: GameRecord[] = [];
  const outputs: GameEvent[] = [];
  for (const event of events) driver.feed(event, outputs);
  driver.advance(Number.POSITIVE_INFINITY, outputs);
  for (const output of outputs) {
    if (output.type === 'gameStarted') games.push(createGameRecord(output));
    const game = games[games.length - 1];
    if (game !== undefined) applyGameEvent(game, output);
  }
  return games;
}

/**
 * Derives the games of a file by the extension of its name: `.ndjson` (capture), `.bin` (raw bytes, no times),
 * `.trace` (notation of the case files). Coded faults for what cannot be read.
 */
export function deriveFile(
  name: string,
  bytes: Uint8Array,
  boardId: string | undefined,
): Result<DerivedFile> {
  if (name.endsWith('.trace')) return deriveTrace(new TextDecoder().decode(bytes));
  if (name.endsWith('.ndjson')) return deriveCapture(new TextDecoder().decode(bytes), boardId);
  if (name.endsWith('.bin')) {
    const board = findBoard(boardId ?? BOARDS[0]!.id);
    if (!board.ok) return board;
    const notes: string[] = [];
    const events = decodeAll(board.value, [{ bytes, atMs: 0 }], notes);
    return ok({ games: deriveGames(timeByClock(events), { profile: board.value.profile }), notes });
  }
  return fail('FILE_KIND', `${name}: only .ndjson, .bin and .trace files can be replayed`);
}

function deriveTrace(text: string): Result<DerivedFile> {
  const trace = parseTrace(text);
  if (!trace.ok) return trace;
  const { start, variant, rotated, occupancy, events } = trace.value;
  const position = Position.fromFen(start, variant);
  if (!position.ok) return position;
  // The notation tells what happened when it happened: no scan stands between hand and event.
  const profile = { sensing: occupancy ? 'occupancy' : 'identity', scanMs: 0 } as const;
  return ok({ games: deriveGames(events, { profile, start, variant, rotated }), notes: [] });
}

function deriveCapture(text: string, boardId: string | undefined): Result<DerivedFile> {
  const capture = parseCapture(text);
  if (!capture.ok) return capture;
  const { header, entries, truncated } = capture.value;
  const board = findBoard(boardId ?? header.board);
  if (!board.ok) return board;
  const variant = header.variant ?? 'standard';
  if (header.fen !== undefined) {
    const position = Position.fromFen(header.fen, variant);
    if (!position.ok) return position;
  }
  const notes = truncated ? ['the last line was cut off and is left out'] : [];
  const events: SensorEvent[] = [];
  let decoder = board.value.createDecoder();
  const discarded = { count: 0 };
  for (const entry of entries) {
    if (entry.type === 'tx') continue;
    if (entry.type === 'link') {
      // A new connection begins with a new message.
      decoder = board.value.createDecoder();
      events.push({ type: 'link', atMs: entry.atMs, link: entry.link });
      continue;
    }
    for (const decoded of decoder.decode(entry.bytes, entry.atMs)) {
      if (decoded.type === 'sensor') events.push(decoded.event);
      else if (decoded.type === 'discarded') discarded.count += decoded.bytes.length;
    }
  }
  if (discarded.count > 0) notes.push(`${discarded.count} bytes belong to no message and were discarded`);
  const options: ReconstructorOptions = {
    profile: board.value.profile,
    variant,
    ...(header.fen === undefined ? {} : { start: header.fen }),
  };
  return ok({ games: deriveGames(events, options), notes });
}

function decodeAll(
  board: BoardDefinition,
  chunks: readonly { readonly bytes: Uint8Array; readonly atMs: number }[],
  notes: string[],
): SensorEvent[] {
  const decoder = board.createDecoder();
  const events: SensorEvent[] = [];
  let discarded = 0;
  for (const { bytes, atMs } of chunks) {
    for (const decoded of decoder.decode(bytes, atMs)) {
      if (decoded.type === 'sensor') events.push(decoded.event);
      else if (decoded.type === 'discarded') discarded += decoded.bytes.length;
    }
  }
  if (discarded > 0) notes.push(`${discarded} bytes belong to no message and were discarded`);
  return events;
}
