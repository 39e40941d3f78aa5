/** Plays sensor events through a recorder and compares what comes out with what was truly played. */
import type { PlayedGame, TruePly } from '../../boards/hand/people.ts';
import type { SensorFault } from '../../boards/hand/scan.ts';
import type { Flag, FlagWord } from '../../core/flag.ts';
import type { GameEvent, PlyRecord } from '../../core/game-event.ts';
import { type GameRecord, makeRecords } from '../../core/game-record.ts';
import { type Machine, runThrough } from '../../core/machine.ts';
import type { SensorEvent } from '../../core/sensor-event.ts';

/** Quiet after the last event: whatever waits for time to pass runs out. */
const LONG_QUIET_MS = 120_000;

/** One derived run: every game event in order, and the games they make. */
export interface Derived {
  readonly outputs: readonly GameEvent[];
  readonly records: readonly GameRecord[];
}

/** Feeds all events, then a long quiet. */
export function derive(machine: Machine<SensorEvent, GameEvent>, events: readonly SensorEvent[]): Derived {
  const outputs = [...runThrough(machine, events, (events.at(-1)?.atMs ?? 0) + LONG_QUIET_MS)];
  return { outputs, records: makeRecords(outputs) };
}

/** How one game came out. */
export interface GameScore {
  readonly plies: number;
  readonly pliesRight: number;
  readonly isExact: boolean;
  /** Not exact, but no confirmed ply is wrong and the record says that something is in doubt. */
  readonly isDeclared: boolean;
  /** Confirmed plies of the final record that were not played at their number. */
  readonly wrongConfirmed: number;
  /** Plies that were confirmed wrongly at any time, corrected later or not. */
  readonly everWrong: number;
  readonly doubts: number;
  readonly falseAlarms: readonly Flag[];
  readonly illegalTrue: number;
  readonly illegalMissed: number;
  readonly isResultRight: boolean;
  /** From the hand leaving the piece to the ply being confirmed, ms, for each right ply. */
  readonly confirmMs: readonly number[];
  readonly error?: string;
}

const isConfirmed = (ply: PlyRecord): boolean => ply.state === 'confirmed' || ply.state === 'settled';

/** Whether a recorded ply is the one that was played; an illegal one must be marked as such. */
export const isSamePly = (ply: PlyRecord | undefined, truth: TruePly | undefined): boolean =>
  ply !== undefined &&
  truth !== undefined &&
  ply.uci === truth.uci &&
  ply.san.startsWith('!') === truth.san.startsWith('!');

/** The longest game of a run: what the people played (setting up for another one may follow). */
export const mainRecord = (records: readonly GameRecord[]): GameRecord | undefined =>
  [...records].sort((a, b) => b.plies.length - a.plies.length || a.game - b.game)[0];

/** Words that sensors and links earn by their own faults. */
const FAULT_WORDS: Readonly<Record<SensorFault['type'], readonly FlagWord[]>> = {
  linkGap: ['LINK_LOST'],
  deadSpot: ['SENSOR_MISSING'],
  lostUpdate: ['SENSOR_MISSING'],
  flicker: ['SENSOR_FLICKER', 'SENSOR_MISSING'],
  lateDump: [],
};

/** A flag's word without its value. */
export const wordOf = (flag: Flag): string => flag.code.replace(/\(.*$/, '');

/** Flags of severity warning or alarm that tell something that did not happen; doubts are counted by themselves. */
export function findFalseAlarms(
  flags: readonly Flag[],
  played: PlayedGame,
  faults: readonly SensorFault[],
): Flag[] {
  const anywhere = new Set<string>(faults.flatMap((fault) => FAULT_WORDS[fault.type]));
  anywhere.add('AMBIGUOUS');
  if (played.result === '*') anywhere.add('RESULT_UNKNOWN');
  return flags.filter((flag) => {
    if (flag.severity !== 'warning' && flag.severity !== 'alarm') return false;
    const word = wordOf(flag);
    return (
      !anywhere.has(word) && !played.flags.some((f) => f.word === word && Math.abs(f.ply - flag.ply) <= 2)
    );
  });
}

/** Compares a run with the truth. */
export function scoreGame(played: PlayedGame, faults: readonly SensorFault[], derived: Derived): GameScore {
  const truth = played.plies;
  const record = mainRecord(derived.records);
  const plies = record?.plies ?? [];
  const flags = derived.records.flatMap((r) => r.flags);
  let pliesRight = 0;
  let wrongConfirmed = 0;
  for (let i = 0; i < Math.max(truth.length, plies.length); i++) {
    const ply = plies[i];
    if (isSamePly(ply, truth[i])) pliesRight += 1;
    else if (ply !== undefined && isConfirmed(ply)) wrongConfirmed += 1;
  }
  const isExact = pliesRight === truth.length && plies.length === truth.length;
  const everWrong = new Set<string>();
  const confirmedAt = new Map<number, number>();
  let game = 0;
  for (const event of derived.outputs) {
    if (event.type === 'gameStarted') game = event.game;
    if (event.type !== 'ply' || game !== (record?.game ?? game) || !isConfirmed(event.ply)) continue;
    const true_ = truth[event.number - 1];
    if (isSamePly(event.ply, true_)) {
      if (!confirmedAt.has(event.number)) confirmedAt.set(event.number, event.atMs);
    } else if (!played.withdrawn.some((w) => w.number === event.number && w.uci === event.ply.uci)) {
      everWrong.add(`${event.number} ${event.ply.uci}`);
    }
  }
  const doubts = flags.filter((flag) => wordOf(flag) === 'AMBIGUOUS').length;
  const saysDoubt =
    doubts > 0 ||
    plies.some((ply) => ply.state === 'ambiguous') ||
    record?.inSync !== true ||
    flags.some((flag) => wordOf(flag) === 'DISPLACED');
  const illegal = played.flags.filter((flag) => flag.word === 'ILLEGAL' && flag.must);
  const illegalMissed = illegal.filter(
    (flag) => !flags.some((f) => wordOf(f) === 'ILLEGAL' && Math.abs(f.ply - flag.ply) <= 2),
  ).length;
  return {
    plies: truth.length,
    pliesRight,
    isExact,
    isDeclared: !isExact && wrongConfirmed === 0 && saysDoubt,
    wrongConfirmed,
    everWrong: everWrong.size,
    doubts,
    falseAlarms: findFalseAlarms(flags, played, faults),
    illegalTrue: illegal.length,
    illegalMissed,
    isResultRight: (record?.result ?? '*') === played.result,
    confirmMs: [...confirmedAt].map(([number, atMs]) => atMs - truth[number - 1]!.releasedAtMs),
  };
}
