/**
 * One table through sensor events, as the recorder runs it: what people do at board and clock (traces), what arbiters decide, and
 * everything that is said of it.
 */
import { type Flag, wordOf } from '../../../core/flag.ts';
import { type GameRecord, makeRecords } from '../../../core/game-record.ts';
import type { Ruling } from '../../../core/laws/decision.ts';
import type { LawsOptions } from '../../../core/laws/laws.ts';
import { parseTimeControl, type TimeControls } from '../../../core/laws/time-control.ts';
import type { TableEvent } from '../../../core/laws/with-laws.ts';
import { runThrough } from '../../../core/machine.ts';
import { START_FEN } from '../../../core/position.ts';
import type { ClockReading } from '../../../core/sensor-event.ts';
import { createJudgedGames, type LawsNews } from '../../../recorder/derive.ts';
import { parseTraceEvents } from '../../../recorder/replay/trace.ts';
import { at } from './written-game.ts';

/** Time controls in PGN's grammar, for both players. */
export function control(text: string): TimeControls {
  const parsed = parseTimeControl(text);
  if (!parsed.ok) throw new Error(parsed.fault.message);
  return { white: parsed.value, black: parsed.value };
}

/** `w 1:00/0:59`, `b`, `-` (stopped), `x` (no clock): a reading with White's face on the left, `!` a flag. */
export function readingOf(text: string): ClockReading {
  const [who, times = '0/0'] = text.split(' ');
  const [left, right] = times.split('/').map((face) => ({
    timeMs:
      face
        .replace('!', '')
        .split(':')
        .reduce((sum, part) => sum * 60 + Number(part), 0) * 1000,
    flag: face.endsWith('!'),
  })) as [ClockReading['left'], ClockReading['left']];
  const running = who === 'w' ? 'left' : who === 'b' ? 'right' : undefined;
  return { left, right, running, lever: running ?? 'left', connected: who !== 'x' };
}

/** Moves as events: each lifted, put down a moment later, pressed, and a pause. */
export function play(start: string, moves: string): string {
  let position = at(start);
  const words: string[] = [];
  for (const san of moves.split(' ')) {
    const move = position.parseSan(san);
    if (move === undefined) throw new Error(`${san} is not legal`);
    const names = 'abcdefgh';
    const name = (square: number): string => `${names[square & 7]}${(square >> 3) + 1}`;
    for (const change of [...move.changes].sort((a, b) => a.after - b.after))
      words.push(
        change.after === 0
          ? `-${name(change.square)}`
          : `+${name(change.square)}=${'.PNBRQKpnbrqk'[change.after]}`,
        '~300',
      );
    words.push(position.turn === 'white' ? 'CW' : 'CB', '~2000');
    position = position.play(move);
  }
  return words.join(' ');
}

/** Moves on a clock: `w 1:00/1:00` first, then after each move what the clock shows when it has been pressed. */
export function clocked(moves: string, first: string, ...shown: readonly string[]): Part[] {
  const parts: Part[] = [{ clock: first }, '~1500'];
  let fen = START_FEN;
  for (const [i, san] of moves.split(' ').entries()) {
    const text = play(fen, san).replace(/ C[WB] ~2000$/, '');
    parts.push(text, { clock: shown[i]! }, '~1500');
    const position = at(fen);
    fen = position.play(position.parseSan(san)!).fen();
  }
  return parts;
}

/** A text of events, a reading of the clock, or a ruling, each after the one before. */
export type Part = string | { readonly clock: string } | { readonly ruling: Ruling };

export interface Sitting {
  readonly start?: string;
  readonly options?: Omit<LawsOptions, 'rotated'>;
  readonly rotated?: boolean;
  /** How long nothing happens at the end; an hour when absent. */
  readonly quietMs?: number;
}

/** What came of it: records, and what the Laws said besides flags. */
export interface Sat {
  readonly records: readonly GameRecord[];
  readonly news: readonly LawsNews[];
}

/** Runs it, the quiet at the end included. */
export function sitDown(
  parts: readonly Part[],
  { start = START_FEN, options = {}, rotated, quietMs = 3_600_000 }: Sitting = {},
): Sat {
  const events: TableEvent[] = [];
  let nowMs = 0;
  for (const part of parts) {
    if (typeof part === 'string') {
      const read = parseTraceEvents(part, false);
      if (!read.ok) throw new Error(read.fault.message);
      const offsetMs = nowMs + 120;
      for (const event of read.value) {
        events.push({ ...event, atMs: event.atMs + offsetMs });
        nowMs = event.atMs + offsetMs;
      }
      // A pause at the end of a part counts.
      nowMs += Number(/~(\d+)\s*$/.exec(part)?.[1] ?? 0);
    } else if ('clock' in part) {
      nowMs += 100;
      events.push({ type: 'clock', atMs: nowMs, reading: readingOf(part.clock) });
    } else events.push({ type: 'decision', atMs: nowMs, by: 'A. Arbiter', ruling: part.ruling });
  }
  const news: LawsNews[] = [];
  const machine = createJudgedGames(
    { start, profile: { sensing: 'identity', scanMs: 0 }, ...(rotated !== undefined && { rotated }) },
    options,
    (_game, about) => news.push(about),
  );
  const records = makeRecords(runThrough(machine, events, nowMs + quietMs));
  return { records, news };
}

const isLoud = ({ severity }: Flag): boolean => severity === 'warning' || severity === 'alarm';

/**
 * What there is to say of the last game, a fact a line: `moves e4 e5`, `flag TOUCH_MOVE 1 4.3`, `irregularity illegal white 1 7.5.1 seen`
 * (` open` while it is not completed), `penalty time black 120`, `proposal flag-fall 0-1 winnable`, `result 1-0 checkmate`,
 * `open last` (the last ply is not completed), `clock 2 3599` (the mover's clock at completion of ply 2, seconds), `detail FLAG_FALL
 * black second, 3 moves recorded`, `games 2`.
 */
export function factsOf({ records, news }: Sat): string[] {
  const record = records.at(-1)!;
  const facts = [`moves ${record.plies.map(({ san }) => san).join(' ')}`, `games ${records.length}`];
  for (const flag of record.flags)
    facts.push(`flag ${wordOf(flag.code)} ${flag.ply}${isLoud(flag) ? ' !' : ''}`);
  for (const flag of record.flags) if (flag.code.includes('(')) facts.push(`flag ${flag.code}`);
  for (const { code, detail } of record.flags)
    if (detail !== undefined) facts.push(`detail ${wordOf(code)} ${detail}`);
  for (const [i, { clockMs }] of record.plies.entries())
    if (clockMs !== undefined) facts.push(`clock ${i + 1} ${clockMs / 1000}`);
  const last = new Map<string, string[]>();
  for (const item of news) {
    if (item.type === 'proposal') {
      const { termination, score, verdict } = item.proposal;
      facts.push(`proposal ${termination} ${score}${verdict === undefined ? '' : ` ${verdict}`}`);
    }
    if (item.type !== 'irregularity') continue;
    const { kind, side = 'nobody', ply, article, state, isCompleted, penalty, remedy } = item.irregularity;
    const lines = [
      `irregularity ${kind} ${side} ${ply} ${article} ${state}${isCompleted ? '' : ' open'}`,
      ...(penalty?.type === 'time' ? [`penalty time ${penalty.to} ${penalty.ms / 1000}`] : []),
      ...(penalty?.type === 'loss' ? [`penalty ${penalty.score} ${penalty.verdict}`] : []),
      ...(remedy === undefined ? [] : [`remedy ${kind} ${remedy}`]),
    ];
    last.set(`${kind} ${side} ${ply}`, lines);
  }
  for (const lines of last.values()) facts.push(...lines);
  if (record.reason !== undefined) facts.push(`result ${record.score ?? record.result} ${record.reason}`);
  const ply = record.plies.at(-1);
  if (ply !== undefined && ply.completedAtMs === undefined) facts.push('open last');
  return facts;
}
