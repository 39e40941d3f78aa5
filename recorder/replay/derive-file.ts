import type { Decoded } from '../../boards/definition.ts';
import { BOARDS, findBoard } from '../../boards/registry.ts';
import { applyToRecords, type GameRecord, makeRecords } from '../../core/game-record.ts';
import { runThrough } from '../../core/machine.ts';
import { Position } from '../../core/position.ts';
import type { ReconstructorOptions } from '../../core/reconstructor.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import type { SensorEvent } from '../../core/sensor-event.ts';
import { createDerivation, createJudgedGames } from '../derive.ts';
import { parseCapture } from './capture.ts';
import { parseTrace } from './trace.ts';
import { timeByClock } from './untimed.ts';

/** After the end of a file whatever waits for time to pass runs out. */
const LONG_QUIET_MS = Number.POSITIVE_INFINITY;

/** The games of one file and what is to be said about reading it. */
export interface DerivedFile {
  readonly games: readonly GameRecord[];
  readonly notes: readonly string[];
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
  if (name.endsWith('.bin')) return deriveBytes(bytes, boardId);
  return fail('FILE_KIND', 'only .ndjson, .bin and .trace files can be replayed');
}

const gamesOf = (events: readonly SensorEvent[], options: ReconstructorOptions): GameRecord[] =>
  makeRecords(runThrough(createJudgedGames(options), events, LONG_QUIET_MS));

const noteDiscarded = (count: number): string[] =>
  count === 0 ? [] : [`${count} bytes belong to no message and were discarded`];

function deriveTrace(text: string): Result<DerivedFile> {
  const trace = parseTrace(text);
  if (!trace.ok) return trace;
  const { start, variant, rotated, occupancy, events } = trace.value;
  const position = Position.fromFen(start, variant);
  if (!position.ok) return position;
  // The notation tells what happened when it happened: no scan stands between hand and event.
  const profile = { sensing: occupancy ? 'occupancy' : 'identity', scanMs: 0 } as const;
  return ok({ games: gamesOf(events, { profile, start, variant, rotated }), notes: [] });
}

function deriveBytes(bytes: Uint8Array, boardId: string | undefined): Result<DerivedFile> {
  const board = findBoard(boardId ?? BOARDS[0]!.id);
  if (!board.ok) return board;
  const { profile } = board.value;
  const decoded: readonly Decoded[] = board.value.createDecoder().decode(bytes, 0);
  const events = decoded.flatMap((item) => (item.type === 'sensor' ? [item.event] : []));
  const discarded = decoded.reduce((sum, d) => sum + (d.type === 'discarded' ? d.bytes.length : 0), 0);
  return ok({ games: gamesOf(timeByClock(events), { profile }), notes: noteDiscarded(discarded) });
}

function deriveCapture(text: string, boardId: string | undefined): Result<DerivedFile> {
  const capture = parseCapture(text);
  if (!capture.ok) return capture;
  const { header, entries, truncated } = capture.value;
  const definition = findBoard(boardId ?? header.board);
  if (!definition.ok) return definition;
  const { fen, variant = 'standard' } = header;
  if (fen !== undefined) {
    const position = Position.fromFen(fen, variant);
    if (!position.ok) return position;
  }
  const machine = createDerivation({
    definition: definition.value,
    variant,
    ...(fen !== undefined && { start: fen }),
  });
  const games: GameRecord[] = [];
  let discarded = 0;
  for (const output of runThrough(machine, entries, LONG_QUIET_MS)) {
    if (output.type === 'event') applyToRecords(games, output.event);
    if (output.type === 'discarded') discarded += output.count;
  }
  const cut = truncated ? ['the last line was cut off and is left out'] : [];
  return ok({ games, notes: [...cut, ...noteDiscarded(discarded)] });
}
