/** A game as it goes to paper: what is stored of it, and what people have said of it. */
import type { Correction } from '../../core/correction.ts';
import type { GameRecord } from '../../core/game-record.ts';
import type { Decision } from '../../core/laws/decision.ts';
import { type Score, type Termination, terminationOf } from '../../core/laws/endings.ts';
import { type RateOfPlay, type Regime, rateOfGame } from '../../core/laws/rate-of-play.ts';
import { parseTimeControl, type TimeControl, type TimeControls } from '../../core/laws/time-control.ts';
import { opponent, type Side } from '../../core/square.ts';

/** A draw offer `(=)`, made with a ply (9.1). */
export interface DrawOffer {
  readonly side: Side;
  readonly ply: number;
}

/** What the event prescribes for a game. */
export interface PaperRules {
  readonly controls?: TimeControls;
  readonly rate?: RateOfPlay;
  /** `full` when absent. */
  readonly regime?: Regime;
}

export interface PaperGame {
  /** Number in the database. */
  readonly id: number;
  readonly board: string;
  readonly startedWallMs: number;
  readonly record: GameRecord;
  readonly tags: Readonly<Record<string, string>>;
  /** What the event prescribes; what is absent is looked for in the tags. */
  readonly rules?: PaperRules;
  /** Wall clock time at a time of the record, ms since 1970. */
  readonly wallMsOf: (atMs: number) => number;
}

/** When somebody entered something, for people; it may count from an earlier moment on. */
interface EnteredAt {
  readonly enteredWallMs?: number;
}
export type EnteredDecision = Decision & EnteredAt;
export type EnteredCorrection = Correction & EnteredAt;

/** What people have decided and entered about a game, in order of time. */
export interface Entered {
  readonly decisions?: readonly EnteredDecision[];
  readonly corrections?: readonly EnteredCorrection[];
  /** Draw offers that are known otherwise than by decisions. */
  readonly offers?: readonly DrawOffer[];
}

/** All draw offers of a game, by ply, each once. */
export function offersOf({ decisions = [], offers = [] }: Entered): DrawOffer[] {
  const all = new Map<string, DrawOffer>();
  for (const { side, ply } of offers) all.set(`${ply} ${side}`, { side, ply });
  for (const { ruling } of decisions) {
    if (ruling.type !== 'draw-offer') continue;
    const { side, ply } = ruling;
    all.set(`${ply} ${side}`, { side, ply });
  }
  return [...all.values()].sort((a, b) => a.ply - b.ply);
}

/** How a game has ended: as the arbiter entered it last, else as the board has shown it. */
export function outcomeOf(
  { result, score, reason }: GameRecord,
  { decisions = [] }: Entered = {},
): { readonly score: Score; readonly termination: Termination | undefined } {
  const entered = decisions.findLast(({ ruling }) => ruling.type === 'result')?.ruling;
  if (entered?.type === 'result') return { score: entered.score, termination: entered.termination };
  return { score: score ?? result, termination: reason === undefined ? undefined : terminationOf(reason) };
}

/** The time controls of a game: of the event, else of the tags, for both players or each its own; undefined where nothing can be read. */
export function controlsOf({ tags, rules }: Pick<PaperGame, 'tags' | 'rules'>): TimeControls | undefined {
  if (rules?.controls !== undefined) return rules.controls;
  const read = (name: string): TimeControl | undefined => {
    const control = parseTimeControl(tags[name] ?? '?');
    return control.ok && control.value.type !== 'unknown' ? control.value : undefined;
  };
  const both = read('TimeControl');
  const white = read('WhiteTimeControl') ?? both;
  const black = read('BlackTimeControl') ?? both;
  return white === undefined || black === undefined ? undefined : { white, black };
}

/** The rate of play of a game; undefined when nobody has said. */
export function rateOf(game: Pick<PaperGame, 'tags' | 'rules'>): RateOfPlay | undefined {
  const controls = controlsOf(game);
  return (controls === undefined ? undefined : rateOfGame(controls)) ?? game.rules?.rate;
}

/** A ply's place on a scoresheet. */
export interface PlyPlace {
  /** Number of the move, as the players count. */
  readonly move: number;
  readonly side: Side;
}

/** Where the plies of a game stand on its scoresheet, by their number from 1. */
export function placesOf({ start }: Pick<GameRecord, 'start'>): (ply: number) => PlyPlace {
  const [, turn = 'w', , , , fullmove = '1'] = start.split(' ');
  const first: Side = turn === 'b' ? 'black' : 'white';
  const begin = (Number(fullmove) - 1) * 2 + (first === 'black' ? 1 : 0);
  return (ply) => ({
    move: Math.floor((begin + ply - 1) / 2) + 1,
    side: ply % 2 === 1 ? first : opponent(first),
  });
}

/** A ply as an arbiter names it, "4...Ng8"; only the number of the move where nothing is recorded for it. */
export function makePlyName(record: GameRecord, ply: number, move: (san: string) => string): string {
  const place = placesOf(record)(Math.max(1, ply));
  const san = record.plies[ply - 1]?.san;
  return `${place.move}${place.side === 'white' ? '.' : '...'}${san === undefined ? '' : move(san)}`;
}
