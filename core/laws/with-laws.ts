import type { Correction } from '../correction.ts';
import { FLAG_WORDS, type Flag } from '../flag.ts';
import type { GameEvent, ResultReason } from '../game-event.ts';
import { type Machine, MachineDriver, type Step, type Tick } from '../machine.ts';
import type { SensorEvent } from '../sensor-event.ts';
import type { Decision } from './decision.ts';
import { isTokenless, type Score, type Termination } from './endings.ts';
import type { EndingProposal, LawsEvent, LawsOutput } from './laws.ts';

/** What happens at a board: what its sensors say, and what people enter. */
export type TableEvent = SensorEvent | Decision | Correction | Extract<LawsEvent, { type: 'verdict' }>;

/** Flags that are about the board itself, not about a game: told after its end as well. */
const OF_THE_BOARD = ['LINK_LOST', 'RESYNC', 'SENSOR_FLICKER', 'ROTATED_180'];

/** Endings that a reconstructor does not see. */
const OF_THE_LAWS: readonly Termination[] = ['fivefold', 'seventy-five', 'dead-position', 'flag-fall'];

/** A game that was ended here, and not by the reconstructor. */
interface Closed {
  /** Number of its last ply. */
  readonly ply: number;
  readonly score: Score;
  readonly reason: ResultReason;
  /** By an arbiter's result. */
  readonly isDecided: boolean;
  isPostgameTold: boolean;
}

/**
 * Joins a reconstructor and the Laws to one machine: what the Laws flag becomes game events, after those of which they are
 * about. A fifth repetition and the 75th move end the game (9.6), which a reconstructor does not see; so does an arbiter's
 * result, which outweighs whatever the board has shown or will show, and a flag that is registered (6.8). What the
 * reconstructor makes of the board after that is post-game, until its next game. Each of the two sees its own ticks only, so
 * that a reconstructor says the same with and without the Laws.
 *
 * Decisions go to the Laws, corrections to the reconstructor; both are about the present game.
 */
export function withLaws(
  reconstructor: Machine<SensorEvent | Correction, GameEvent>,
  laws: Machine<LawsEvent, LawsOutput>,
): Machine<TableEvent, GameEvent> {
  const games = new MachineDriver(reconstructor);
  const watch = new MachineDriver(laws);
  let out: GameEvent[] = [];
  let plies = 0;
  /** The reconstructor has ended the game. */
  let isEnded = false;
  /** The result as told last. */
  let told: Score = '*';
  let closed: Closed | undefined;
  /** Proposals that were told of this game. */
  const proposed = new Set<string>();

  const raise = (word: keyof typeof FLAG_WORDS, code: string, atMs: number, detail?: string): void => {
    const flag = { code, severity: FLAG_WORDS[word][0], ply: closed?.ply ?? plies, atMs };
    out.push({ type: 'flag', atMs, flag: detail === undefined ? flag : { ...flag, detail } });
  };

  /** Tells a result, and what it replaces. */
  const tellResult = (score: Score, reason: ResultReason, atMs: number): void => {
    if (isTokenless(score)) out.push({ type: 'result', atMs, result: '*', reason, score });
    else out.push({ type: 'result', atMs, result: score, reason });
    const word = told === '*' || told === score ? 'RESULT' : 'RESULT_CHANGED';
    raise(word, word === 'RESULT' ? `RESULT(${score})` : word, atMs, reason);
    told = score;
  };

  /** Ends the game after ply `ply`, if it has not ended yet. */
  const close = (ply: number, score: Score, reason: ResultReason, isDecided: boolean, atMs: number): void => {
    const wasOver = isEnded || closed !== undefined;
    closed = { ply, score, reason, isDecided, isPostgameTold: closed?.isPostgameTold ?? false };
    if (plies > ply) out.push({ type: 'withdrawn', atMs, number: ply + 1 });
    plies = ply;
    tellResult(score, reason, atMs);
    if (!wasOver) out.push({ type: 'gameEnded', atMs, result: isTokenless(score) ? '*' : score });
  };

  /** What the Laws propose is part of the record: the desk sees it, and it is derived again. */
  const propose = ({ termination, score, ply, verdict }: EndingProposal, atMs: number): void => {
    const flag: Flag = {
      code: `RESULT_PROPOSED(${score})`,
      severity: FLAG_WORDS.RESULT_PROPOSED[0],
      ply,
      atMs,
      detail: verdict === undefined ? termination : `${termination}, ${verdict}`,
    };
    const key = `${flag.code} ${ply} ${flag.detail}`;
    if (!proposed.has(key)) out.push({ type: 'flag', atMs, flag });
    proposed.add(key);
  };

  const hear = (outputs: readonly LawsOutput[]): void => {
    for (const output of outputs) {
      if (output.type === 'flag') out.push(output);
      if (output.type === 'proposal') propose(output.proposal, output.atMs);
      if (output.type !== 'ending' || isEnded || closed?.isDecided === true) continue;
      const { termination, score, ply } = output.ending;
      // A position that was dead before the flag was registered may be found out only later (5.2.2).
      const isRescored = closed?.reason === termination && closed.ply === ply && closed.score !== score;
      const isSooner = closed?.reason === 'flag-fall' && termination === 'dead-position';
      if (isSooner || isRescored || (closed === undefined && OF_THE_LAWS.includes(termination)))
        close(ply, score, termination, false, output.atMs);
    }
  };

  /** What an arbiter decides; a result stands whatever was shown, and `*` says that none does. */
  const decide = (decision: Decision): void => {
    hear(watch.feed(decision));
    const { ruling, atMs } = decision;
    if (ruling.type !== 'result') return;
    if (ruling.score === '*') tellResult('*', ruling.termination, atMs);
    else close(closed?.ply ?? plies, ruling.score, ruling.termination, true, atMs);
  };

  /** What is told of a game that was closed here: its own plies, and what is about the board. */
  const tellPostgame = (event: GameEvent, { ply, score, reason, isDecided }: Closed): void => {
    switch (event.type) {
      case 'ply':
        if (event.number <= ply && event.amended !== true) out.push(event);
        else tellOfPostgame(event.atMs);
        break;
      case 'result':
        // Of a result that was decided the Laws tell it themselves.
        if (event.result !== score && !isDecided)
          raise(
            'RESULT_CONFLICT',
            'RESULT_CONFLICT',
            event.atMs,
            `board ${event.result}, ${reason} ${score}`,
          );
        break;
      case 'flag':
        if (OF_THE_BOARD.includes(event.flag.code)) out.push(event);
        break;
      case 'withdrawn':
      case 'gameEnded':
        break;
      default:
        out.push(event);
    }
  };

  const tellOfPostgame = (atMs: number): void => {
    if (closed === undefined || closed.isPostgameTold) return;
    closed.isPostgameTold = true;
    raise('POSTGAME', 'POSTGAME', atMs);
  };

  /** `isCorrected`: an operator's word, which is told of a game that is over as well. */
  const conclude = (events: readonly GameEvent[], isCorrected = false): void => {
    for (const event of events) {
      if (event.type === 'gameStarted') {
        plies = 0;
        isEnded = false;
        told = '*';
        closed = undefined;
        proposed.clear();
      }
      if (closed !== undefined && !(isCorrected && isOfPlies(event))) tellPostgame(event, closed);
      else {
        if (event.type === 'ply') plies = Math.max(plies, event.number);
        if (event.type === 'withdrawn') plies = Math.min(plies, event.number - 1);
        if (event.type === 'result') told = event.result;
        if (event.type === 'result' || event.type === 'gameEnded') isEnded = true;
        out.push(event);
      }
      hear(watch.feed(event));
    }
    if (isCorrected && closed !== undefined) closed = { ...closed, ply: plies };
  };

  /** All ticks of both up to a time, in their order. */
  const advance = (atMs: number): void => {
    for (;;) {
      const gamesAtMs = games.wakeAtMs ?? Number.POSITIVE_INFINITY;
      const watchAtMs = watch.wakeAtMs ?? Number.POSITIVE_INFINITY;
      const due = Math.min(gamesAtMs, watchAtMs);
      if (due > atMs || due === Number.POSITIVE_INFINITY) return;
      if (gamesAtMs <= watchAtMs) conclude(games.advance(due));
      else hear(watch.advance(due));
    }
  };

  const take = (event: TableEvent): void => {
    if (event.type === 'decision') decide(event);
    else if (event.type === 'verdict') hear(watch.feed(event));
    else if (event.type === 'correction') conclude(games.feed(event), true);
    else {
      hear(watch.feed({ type: 'seen', atMs: event.atMs, event }));
      conclude(games.feed(event));
    }
  };

  return {
    step(event: TableEvent | Tick): Step<GameEvent> {
      out = [];
      advance(event.atMs);
      if (event.type !== 'tick') take(event);
      const wakeAtMs = Math.min(
        games.wakeAtMs ?? Number.POSITIVE_INFINITY,
        watch.wakeAtMs ?? Number.POSITIVE_INFINITY,
      );
      return wakeAtMs === Number.POSITIVE_INFINITY ? { outputs: out } : { outputs: out, wakeAtMs };
    },
  };
}

const isOfPlies = ({ type }: GameEvent): boolean => type === 'ply' || type === 'withdrawn';
