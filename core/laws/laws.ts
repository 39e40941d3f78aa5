/**
 * The Laws at one table: joins what watches touches, the clock, irregularities, draws and endings over the events of a
 * board. It observes, counts and proposes; what an arbiter has decided comes in as an event like any other.
 *
 * Beside a reconstructor it never says again what that has said: a flag of the same word and ply is raised once.
 */
import { FLAG_WORDS, type Flag, wordOf } from '../flag.ts';
import type { GameEvent } from '../game-event.ts';
import { type Machine, MachineDriver, type Step, type Tick } from '../machine.ts';
import { emptyPlacement, type Placement } from '../placement.ts';
import type { Position } from '../position.ts';
import type { ClockFace, ClockReading, SensorEvent } from '../sensor-event.ts';
import { makeSquare, opponent, SIDES, type Side } from '../square.ts';
import { Table } from '../table.ts';
import {
  type ClockFinding,
  type ClockSeen,
  type ClockWatch,
  type ClockWatchEvent,
  createClockWatch,
  makeClockFlag,
} from './clock-watch.ts';
import type { Decision, Ruling } from './decision.ts';
import {
  automaticDraw,
  comesTo,
  countHalfmoves,
  countRepetitions,
  FIFTY_PLIES,
  THREEFOLD,
} from './draw-rules.ts';
import {
  agreementBarred,
  type CanMate,
  decideEnding,
  ENDINGS,
  type EndingSeen,
  isTokenless,
  type MateVerdict,
  proposeLoss,
  type Score,
  type Termination,
  terminationOf,
  winFor,
} from './endings.ts';
import { GameLine } from './game-line.ts';
import {
  type ClocksThen,
  type Irregularity,
  type IrregularityFinding,
  IrregularityLog,
} from './irregularity.ts';
import { IRREGULARITIES } from './irregularity-kind.ts';
import { type RateOfPlay, type Regime, rateOfGame } from './rate-of-play.ts';
import type { TimeControls } from './time-control.ts';
import { createTouchLog, type TouchFinding, type TouchLogEvent } from './touch-log.ts';
import { isDeadPosition, mayBeDead } from './unwinnable/dead-position.ts';
import { canMateAtOnce } from './unwinnable/winnability.ts';

/** What is known of the event and the game. */
export interface LawsOptions {
  readonly controls?: TimeControls;
  /** The rate of play where it is not told by the time controls. */
  readonly rate?: RateOfPlay;
  /** `full` when absent. */
  readonly regime?: Regime;
  /** The board is known to be turned by 180 degrees. */
  readonly rotated?: boolean;
  /** Answers at once whether a side can mate, `canMateAtOnce` when absent; a slower answer comes as a `verdict`. */
  readonly canMate?: CanMate;
  /** A draw may be agreed when each player has made so many moves (9.1.1); after the first when absent. */
  readonly drawFrom?: number;
  /** Default time after the beginning of the game, which is when a clock that is there is started (6.6, 6.7), ms; none when absent. */
  readonly defaultMs?: number;
}

export type LawsEvent =
  | GameEvent
  /** What the board has said, in its own coordinates, before the game events that were concluded from it. */
  | { readonly type: 'seen'; readonly atMs: number; readonly event: SensorEvent }
  | Decision
  | ({
      readonly type: 'verdict';
      readonly atMs: number;
    } & Verdict);

/** Whether each side can still mate in a position, found by whoever takes the time to search. */
export interface Verdict {
  /** The position is the one after this ply. */
  readonly ply: number;
  /** The position that was asked about, where the record may have changed since. */
  readonly fen?: string;
  readonly white: MateVerdict;
  readonly black: MateVerdict;
}

/** An ending that the arbiter is asked to decide on, or that has come about by itself. */
export interface EndingProposal {
  readonly termination: Termination;
  readonly score: Score;
  readonly ply: number;
  /** Where the score hangs on whether the opponent can mate. */
  readonly verdict?: MateVerdict;
}

/** The three moments of a ply (4.2, 4.7, 6.2.1) and both clocks at each. */
export interface PlyMoments {
  readonly ply: number;
  readonly touchedAtMs: number | undefined;
  readonly madeAtMs: number;
  readonly completedAtMs: number | undefined;
  readonly clocks: {
    readonly touched: ClocksThen | undefined;
    readonly made: ClocksThen | undefined;
    readonly completed: ClocksThen | undefined;
  };
}

export type LawsOutput =
  | { readonly type: 'flag'; readonly atMs: number; readonly flag: Flag }
  | { readonly type: 'irregularity'; readonly atMs: number; readonly irregularity: Irregularity }
  | { readonly type: 'proposal'; readonly atMs: number; readonly proposal: EndingProposal }
  /** The ending that stands by all that is known. */
  | { readonly type: 'ending'; readonly atMs: number; readonly ending: EndingSeen }
  /** A result hangs on who can still mate after this ply, and it could not be said at once: a `verdict` is asked for. */
  | { readonly type: 'question'; readonly atMs: number; readonly ply: number; readonly fen: string }
  | { readonly type: 'moments'; readonly atMs: number; readonly moments: PlyMoments };

/** Readings kept to tell the clocks at a moment that has passed. */
const MOST_READINGS = 512;
const MOST_CHANGES = 64;
/** A flag this close to the end of the game may have been first or second: clocks and sensors are not more exact. */
const PHOTO_FINISH_MS = 2000;

/** Flags of draws that a ply can bring about. */
const DRAW_WORDS: readonly string[] = [
  'THREEFOLD_CLAIMABLE',
  'FIFTY_CLAIMABLE',
  'FIVEFOLD',
  'SEVENTY_FIVE',
  'DEAD_POSITION',
];

/** Creates the machine of the Laws for one board; it goes from game to game. */
export const createLaws = (options: LawsOptions = {}): Laws => new Laws(options);

/** What belongs to one game. */
class Game {
  readonly line: GameLine;
  /** The plies that are agreed: counts and draws look at these only. */
  readonly agreed: GameLine;
  touches: MachineDriver<TouchLogEvent, TouchFinding>;
  readonly irregularities: IrregularityLog;
  readonly startedAtMs: number;
  readonly raised = new Set<string>();
  endings: EndingSeen[] = [];
  standing: EndingSeen | undefined;
  /** What the board, and what the desk, say of the result. */
  boardResult: Score | undefined;
  deskResult: Score | undefined;
  isOver = false;
  offer: { readonly side: Side; readonly ply: number } | undefined;
  isDefaultTold = false;
  /** When its clock was started; undefined while it stands, and where none is heard. */
  clockStartedAtMs: number | undefined;
  /** A clock is heard: the game has not begun before it runs. */
  hasClock = false;
  isFiftyTold = false;
  /** Losses that were proposed before it was known whether the opponent can mate, with the position each is about. */
  open: {
    readonly termination: Termination;
    readonly loser: Side;
    readonly ply: number;
    readonly position: Position;
  }[] = [];
  /** When the first piece was touched in the turn of each ply. */
  readonly touchedAtMs = new Map<number, number>();

  constructor(
    event: Extract<GameEvent, { type: 'gameStarted' }>,
    board: Placement,
    options: LawsOptions,
    canMate: CanMate,
  ) {
    this.startedAtMs = event.atMs;
    this.line = new GameLine(event.start, event.variant);
    this.agreed = new GameLine(event.start, event.variant);
    this.touches = this.watchTouches(board);
    const { controls, regime, rate } = options;
    this.irregularities = new IrregularityLog(this.line, {
      ...(regime !== undefined && { regime }),
      rate: rate ?? (controls === undefined ? undefined : rateOfGame(controls)),
      canMate,
    });
  }

  /** Plies from a number on are gone or others: what they brought about did not happen. */
  forgetDraws(from: number): void {
    for (const key of this.raised) {
      const [word, ply] = key.split(' ');
      if (DRAW_WORDS.includes(word!) && Number(ply) >= from) this.raised.delete(key);
    }
    if (this.isOver) return;
    this.endings = this.endings.filter(
      ({ termination, ply }) => ply < from || ENDINGS[termination].by !== 'itself',
    );
    this.standing = decideEnding(this.endings);
  }

  /** A log of touches that begins with this board. */
  watchTouches(board: Placement): MachineDriver<TouchLogEvent, TouchFinding> {
    return new MachineDriver(createTouchLog(this.line, board));
  }
}

export class Laws implements Machine<LawsEvent, LawsOutput> {
  readonly #options: LawsOptions;
  readonly #table: Table;
  readonly #watch: ClockWatch;
  readonly #clock: MachineDriver<ClockWatchEvent, ClockFinding>;
  readonly #board: Placement = emptyPlacement();
  /** What stands on the board is known: it has been seen whole, or a game began before that, from its start position. */
  #isPictured = false;
  /** The first change of a board that has not been seen whole, until its game begins. */
  #first: Extract<SensorEvent, { type: 'square' }> | undefined;
  #nowMs = 0;
  #game: Game | undefined;
  #isLinkLost = false;
  /** A reading by faces, until the game event tells which is whose. */
  #reading: ClockReading | undefined;
  #whiteFace: ClockFace;
  #readings: { readonly atMs: number; readonly clocks: ClocksThen }[] = [];
  #lastFall: Extract<ClockFinding, { type: 'flag-fall' }> | undefined;
  /** When squares changed of late. */
  readonly #changedAtMs: number[] = [];
  /** What has been found out by searching, by FEN and side. */
  readonly #verdicts = new Map<string, MateVerdict>();
  readonly #canMate: CanMate = (position, side) =>
    this.#verdicts.get(`${position.fen()} ${side}`) ??
    (this.#options.canMate ?? canMateAtOnce)(position, side);
  #out: LawsOutput[] = [];

  constructor(options: LawsOptions) {
    this.#options = options;
    const rotated = options.rotated === true;
    this.#table = new Table(rotated);
    this.#whiteFace = rotated ? 'right' : 'left';
    this.#watch = createClockWatch(options.controls === undefined ? {} : { controls: options.controls });
    this.#clock = new MachineDriver(this.#watch);
  }

  /** All irregularities of the present game. */
  get irregularities(): readonly Irregularity[] {
    return this.#game?.irregularities.list ?? [];
  }

  /** The line of the present game, plies that are only placed included. */
  get line(): GameLine | undefined {
    return this.#game?.line;
  }

  step(event: LawsEvent | Tick): Step<LawsOutput> {
    this.#out = [];
    this.#nowMs = event.atMs;
    this.#hearClock(this.#clock.advance(event.atMs));
    if (this.#game !== undefined) this.#hearTouches(this.#game.touches.advance(event.atMs));
    this.#take(event);
    this.#watchDefault();
    const wakeAtMs = Math.min(
      this.#clock.wakeAtMs ?? Number.POSITIVE_INFINITY,
      this.#game?.touches.wakeAtMs ?? Number.POSITIVE_INFINITY,
      this.#defaultDueMs() ?? Number.POSITIVE_INFINITY,
    );
    return wakeAtMs === Number.POSITIVE_INFINITY ? { outputs: this.#out } : { outputs: this.#out, wakeAtMs };
  }

  #take(event: LawsEvent | Tick): void {
    switch (event.type) {
      case 'tick':
      case 'board':
        break;
      case 'seen':
        this.#onSeen(event.event);
        break;
      case 'gameStarted':
        this.#onGameStarted(event);
        break;
      case 'orientation':
        if (this.#table.orientation !== event.orientation) this.#turn();
        break;
      case 'clock':
        this.#onClock(event);
        break;
      case 'ply':
        this.#onPly(event);
        break;
      case 'withdrawn':
        this.#onWithdrawn(event);
        break;
      case 'flag':
        this.#onFlag(event.flag);
        break;
      case 'result':
        this.#onResult(event);
        break;
      case 'gameEnded':
        if (this.#game !== undefined) this.#game.isOver = true;
        this.#hearClock(this.#clock.feed(event));
        break;
      case 'decision':
        this.#onDecision(event);
        break;
      case 'verdict':
        this.#onVerdict(event);
        break;
    }
  }

  #onGameStarted(event: Extract<GameEvent, { type: 'gameStarted' }>): void {
    if (this.#table.orientation !== event.orientation) this.#turn();
    const game = new Game(event, this.#board, this.#options, this.#canMate);
    this.#game = game;
    this.#lastFall = undefined;
    this.#hearClock(this.#clock.feed(event));
    if (this.#isPictured) return;
    this.#isPictured = true;
    this.#board.set(game.line.start.cells);
    game.touches = game.watchTouches(this.#board);
    if (this.#first !== undefined) this.#onSeen(this.#first);
  }

  // ---------------------------------------------------------------- sensors

  #onSeen(event: SensorEvent): void {
    switch (event.type) {
      case 'square': {
        if (!this.#isPictured && this.#game === undefined) this.#first ??= event;
        const square = this.#table.square(event.square);
        this.#changedAtMs.push(event.atMs);
        if (this.#changedAtMs.length > MOST_CHANGES) this.#changedAtMs.splice(0, MOST_CHANGES / 2);
        this.#board[square] = event.cell;
        this.#feedTouches({ ...event, square });
        break;
      }
      case 'dump': {
        const placement = this.#table.placement(event.placement);
        this.#board.set(placement);
        this.#isPictured = true;
        this.#feedTouches({ ...event, placement });
        break;
      }
      case 'clock':
        this.#reading = event.reading;
        if (!event.reading.connected)
          this.#hearClock(this.#clock.feed({ type: 'clockGone', atMs: event.atMs }));
        break;
      case 'press':
        this.#hearClock(this.#clock.feed(event));
        break;
      case 'recalled':
        for (const item of event.events) {
          if (item.type === 'clock') this.#reading = item.reading;
          else this.#board[this.#table.square(item.square)] = item.cell;
        }
        this.#hearClock(this.#clock.feed({ type: 'recalled', atMs: event.atMs }));
        this.#feedTouches({ type: 'dump', atMs: event.atMs, placement: this.#board.slice() });
        break;
      case 'link':
        this.#isLinkLost = event.link === 'lost';
        this.#hearClock(this.#clock.feed(event));
        this.#feedTouches(event);
        break;
    }
  }

  #turn(): void {
    this.#table.turn();
    this.#board.reverse();
    this.#whiteFace = otherFace(this.#whiteFace);
    this.#feedTouches({ type: 'dump', atMs: this.#nowMs, placement: this.#board });
  }

  #feedTouches(event: TouchLogEvent): void {
    if (this.#game !== undefined) this.#hearTouches(this.#game.touches.feed(event));
  }

  // ---------------------------------------------------------------- the clock

  #onClock(event: Extract<GameEvent, { type: 'clock' }>): void {
    const { atMs, whiteMs, blackMs, running } = event;
    if (this.#game !== undefined) {
      this.#game.hasClock = true;
      if (running !== undefined) this.#game.clockStartedAtMs ??= atMs;
    }
    this.#readings.push({ atMs, clocks: { whiteMs, blackMs } });
    if (this.#readings.length > MOST_READINGS) this.#readings.splice(0, MOST_READINGS / 2);
    this.#hearClock(this.#clock.feed(this.#withFlags(event)));
  }

  /** Adds what the clock says of flags, once it is clear which face is whose. */
  #withFlags(event: Extract<GameEvent, { type: 'clock' }>): ClockSeen {
    const reading = this.#reading;
    this.#reading = undefined;
    if (reading === undefined) return event;
    const { left, right } = reading;
    if (left.timeMs !== right.timeMs) this.#whiteFace = left.timeMs === event.whiteMs ? 'left' : 'right';
    else if (reading.running !== undefined && event.running !== undefined)
      this.#whiteFace = event.running === 'white' ? reading.running : otherFace(reading.running);
    const white = reading[this.#whiteFace].flag;
    const black = reading[otherFace(this.#whiteFace)].flag;
    const { atMs, whiteMs, blackMs, running } = event;
    return { type: 'clock', atMs, whiteMs, blackMs, running, fallen: { white, black } };
  }

  #hearClock(findings: readonly ClockFinding[]): void {
    for (const finding of findings) {
      // Hands at work are no accident of the clock, also where no ply was made of what they did.
      if (finding.type === 'double-press' && this.#hasChanged(finding.fromMs, finding.atMs)) continue;
      if (this.#game !== undefined)
        this.#out.push({ type: 'flag', atMs: this.#nowMs, flag: makeClockFlag(finding) });
      if (finding.type === 'flag-fall') {
        this.#lastFall = finding;
        this.#proposeFlagFall(finding.side);
      }
    }
  }

  /** Whether a square changed between two times. */
  #hasChanged(fromMs: number, toMs: number): boolean {
    return this.#changedAtMs.some((atMs) => atMs >= fromMs && atMs <= toMs);
  }

  #proposeFlagFall(side: Side): void {
    const game = this.#game;
    if (game === undefined || game.isOver) return;
    this.#proposeLoss(game, 'flag-fall', side, game.line.plies.length, game.line.position);
  }

  #clocksAt(atMs: number | undefined): ClocksThen | undefined {
    if (atMs === undefined) return undefined;
    return this.#readings.findLast((reading) => reading.atMs <= atMs)?.clocks;
  }

  // ---------------------------------------------------------------- plies

  #onPly(event: Extract<GameEvent, { type: 'ply' }>): void {
    const game = this.#game;
    if (game === undefined) return;
    const { number, ply } = event;
    const isAgreed = ply.state !== 'provisional';
    const was = game.agreed.plies[number - 1]?.record;
    if (was !== undefined && was.san !== ply.san) game.forgetDraws(number);
    game.line.take(event);
    game.agreed.followAgreed(game.line, number);
    this.#feedTouches(event);
    this.#hearClock(this.#clock.feed(event));
    this.#hearIrregularities(game.irregularities.takePly(number, event.atMs, isAgreed, this.#board));
    const isNews = was === undefined || was.san !== ply.san || was.state === 'ambiguous';
    if (!isAgreed || !isNews || game.isOver || game.agreed.plies.length < number) return;
    this.#tellMoments(game, number);
    if (number === game.agreed.plies.length) this.#watchDraws(game);
  }

  #onWithdrawn(event: Extract<GameEvent, { type: 'withdrawn' }>): void {
    const game = this.#game;
    if (game === undefined) return;
    game.forgetDraws(event.number);
    game.line.take(event);
    game.agreed.take(event);
    this.#feedTouches(event);
    this.#hearClock(this.#clock.feed(event));
    this.#hearIrregularities(game.irregularities.takeWithdrawn(event.number, event.atMs));
    if (game.offer !== undefined && game.offer.ply >= event.number) game.offer = undefined;
    if (!comesTo(game.agreed, Number.POSITIVE_INFINITY, FIFTY_PLIES)) game.isFiftyTold = false;
  }

  #tellMoments(game: Game, number: number): void {
    const { madeAtMs, completedAtMs } = game.agreed.plies[number - 1]!.record;
    const touchedAtMs = game.touchedAtMs.get(number);
    game.touchedAtMs.delete(number);
    this.#out.push({
      type: 'moments',
      atMs: this.#nowMs,
      moments: {
        ply: number,
        touchedAtMs,
        madeAtMs,
        completedAtMs,
        clocks: {
          touched: this.#clocksAt(touchedAtMs),
          made: this.#clocksAt(madeAtMs),
          completed: this.#clocksAt(completedAtMs),
        },
      },
    });
  }

  /** Draws that can be claimed or have come about, with the last agreed ply. */
  #watchDraws(game: Game): void {
    const { agreed } = game;
    const ply = agreed.plies.length;
    if (!comesTo(agreed, THREEFOLD, FIFTY_PLIES)) game.isFiftyTold = false;
    else if (agreed.position.ending() === undefined) this.#tellDraws(game, ply);
    if (game.endings.length > 0 || agreed.position.ending() !== undefined) return;
    const dead = this.#isDead(agreed.position);
    if (dead === undefined && this.#isDead(agreed.start) === false)
      this.#out.push({ type: 'question', atMs: this.#nowMs, ply, fen: agreed.position.fen() });
    if (dead !== true || this.#isDead(agreed.start) === true) return;
    // Where every move ends the game on the board, the next one will; a flag that falls before finds that nobody can mate.
    if (!agreed.position.moves().every((move) => agreed.position.play(move).ending() !== undefined))
      this.#onDead(game, ply);
  }

  /**
   * Whether neither side can mate; undefined where only a longer search can say. Whoever sets up such a position wants to see
   * moves, not a result.
   */
  #isDead(position: Position): boolean | undefined {
    const { canMate } = this.#options;
    if (canMate !== undefined) return SIDES.every((side) => canMate(position, side) === 'unwinnable');
    const known = SIDES.map((side) => this.#verdicts.get(`${position.fen()} ${side}`));
    if (known.includes('winnable')) return false;
    if (known.every((verdict) => verdict === 'unwinnable')) return true;
    return isDeadPosition(position) ?? (mayBeDead(position) ? undefined : false);
  }

  #tellDraws(game: Game, ply: number): void {
    const { agreed } = game;
    const draw = automaticDraw(agreed);
    if (draw !== undefined) {
      const word = draw.type === 'fivefold' ? 'FIVEFOLD' : 'SEVENTY_FIVE';
      this.#raise(word, ply, `${draw.atLeast}`);
      this.#see(game, { termination: draw.type, score: '1/2-1/2', ply, atMs: this.#nowMs });
      // Whatever clock and hands do after the end concerns nobody.
      game.isOver = true;
      this.#hearClock(this.#clock.feed({ type: 'gameEnded', atMs: this.#nowMs, result: '1/2-1/2' }));
      return;
    }
    const repetition = countRepetitions(agreed);
    if (repetition.atLeast >= THREEFOLD)
      this.#raise('THREEFOLD_CLAIMABLE', ply, `plies ${repetition.plies.join(', ')}`);
    const { atLeast } = countHalfmoves(agreed);
    if (atLeast >= FIFTY_PLIES && !game.isFiftyTold)
      this.#raise('FIFTY_CLAIMABLE', ply, `${atLeast} half-moves`);
    game.isFiftyTold = atLeast >= FIFTY_PLIES;
  }

  #onVerdict({ ply, fen, white, black }: Extract<LawsEvent, { type: 'verdict' }>): void {
    const game = this.#game;
    if (game === undefined) return;
    const now = game.line.positionBefore(ply + 1).fen();
    const asked = fen ?? now;
    for (const [side, verdict] of [
      ['white', white],
      ['black', black],
    ] as const)
      if (verdict !== 'undecided') this.#verdicts.set(`${asked} ${side}`, verdict);
    this.#decideOpen(game, asked);
    if (asked !== now || ply > game.agreed.plies.length) return;
    // A flag that was registered after the position had died did not end the game (5.2.2).
    if (game.isOver && game.standing?.termination !== 'flag-fall') return;
    if (white === 'unwinnable' && black === 'unwinnable') this.#onDead(game, ply);
  }

  /** It is known now who can mate in a position on which results hang. */
  #decideOpen(game: Game, fen: string): void {
    const decided = game.open.filter(({ position }) => position.fen() === fen);
    game.open = game.open.filter((open) => !decided.includes(open));
    this.#hearIrregularities(game.irregularities.takeVerdict(fen, this.#nowMs));
    for (const { termination, loser, ply, position } of decided) {
      const { score, verdict } = proposeLoss(position, loser, this.#canMate);
      const at = game.endings.findIndex((e) => e.termination === termination && e.ply === ply);
      const seen = game.endings[at];
      if (termination === 'flag-fall' && seen !== undefined) {
        // Registered already: the flag stands, what it costs is what the Laws say (6.9).
        if (seen.score === score) continue;
        game.endings[at] = { ...seen, score };
        this.#tellStanding(game);
      } else if (termination !== 'resignation' || verdict === 'unwinnable')
        this.#propose({ termination, score, ply, verdict });
    }
  }

  #onDead(game: Game, ply: number): void {
    if (game.endings.some(({ termination }) => termination === 'dead-position')) return;
    this.#raise('DEAD_POSITION', ply);
    // The game ended when the position arose, whenever that was found out (5.2.2).
    const atMs = game.agreed.plies[ply - 1]?.record.madeAtMs ?? game.startedAtMs;
    this.#see(game, { termination: 'dead-position', score: '1/2-1/2', ply, atMs });
  }

  // ---------------------------------------------------------------- touches

  #hearTouches(findings: readonly TouchFinding[]): void {
    const game = this.#game;
    if (game === undefined || game.isOver) return;
    for (const finding of findings) {
      if (finding.type === 'touched') this.#onTouched(game, finding);
      else if (finding.check.fault !== undefined) {
        const { type, square } = finding.check.fault;
        const word = type === 'rook-first' ? 'ROOK_TOUCHED_FIRST' : 'TOUCH_MOVE';
        this.#raise(word, finding.ply, makeSquare(square));
      }
    }
  }

  #onTouched(game: Game, { ply, side, atMs }: Extract<TouchFinding, { type: 'touched' }>): void {
    game.touchedAtMs.set(ply, atMs);
    const claimable = game.irregularities.list.filter(
      (i) =>
        i.ply === ply - 1 && i.side === opponent(side) && i.state === 'seen' && i.article.startsWith('4.'),
    );
    if (claimable.length > 0)
      this.#raiseFlag(makeFlag('CLAIM_OVER', ply, atMs, claimable.map((i) => i.kind).join(', ')));
    if (game.offer?.side !== opponent(side)) return;
    game.offer = undefined;
    this.#raiseFlag(makeFlag('OFFER_LAPSED', ply, atMs));
  }

  // ---------------------------------------------------------------- irregularities

  #onFlag(flag: Flag): void {
    const game = this.#game;
    if (game === undefined) return;
    game.raised.add(keyOf(flag));
    this.#hearIrregularities(game.irregularities.takeFlag(flag, this.#clocksAt(flag.atMs)));
  }

  #hearIrregularities(findings: readonly IrregularityFinding[]): void {
    for (const finding of findings) {
      switch (finding.type) {
        case 'irregularity':
          this.#out.push({ type: 'irregularity', atMs: finding.atMs, irregularity: finding.irregularity });
          if (finding.irregularity.state === 'confirmed') this.#proposePenalty(finding.irregularity);
          break;
        case 'provided':
          this.#out.push({ type: 'irregularity', atMs: finding.atMs, irregularity: finding.irregularity });
          break;
        case 'stands':
          this.#out.push({ type: 'irregularity', atMs: finding.atMs, irregularity: finding.irregularity });
          if (IRREGULARITIES[finding.irregularity.kind].counts)
            this.#raise('ILLEGAL_STANDS', finding.irregularity.ply, finding.irregularity.kind);
          break;
        case 'found-later':
          this.#raise(
            `IRREGULAR_SINCE(${finding.irregularity.ply})`,
            finding.irregularity.ply,
            finding.irregularity.kind,
          );
          break;
        case 'draw-a54':
          this.#raise('DRAW_A54', finding.ply);
          this.#propose({ termination: 'illegal-position', score: '1/2-1/2', ply: finding.ply });
          break;
      }
    }
  }

  /** A second one was confirmed: the result that the Laws provide, for the arbiter to give. */
  #proposePenalty({ penalty, ply, before }: Irregularity): void {
    const game = this.#game;
    if (game === undefined || penalty?.type !== 'loss') return;
    this.#proposeLoss(game, 'illegal-moves', penalty.loser, ply, before, ply - 1);
  }

  /**
   * Proposes what a player loses by, or a draw; asks whoever can search whether the opponent can mate, where it is not known at
   * once. `after`: the ply after which the position stands.
   */
  #proposeLoss(
    game: Game,
    termination: Termination,
    loser: Side,
    ply: number,
    position: Position,
    after = ply,
  ): void {
    const { score, verdict } = proposeLoss(position, loser, this.#canMate);
    this.#propose({ termination, score, ply, verdict });
    if (verdict === 'undecided') this.#ask(game, termination, loser, ply, position, after);
  }

  #ask(
    game: Game,
    termination: Termination,
    loser: Side,
    ply: number,
    position: Position,
    after: number,
  ): void {
    game.open.push({ termination, loser, ply, position });
    this.#out.push({ type: 'question', atMs: this.#nowMs, ply: after, fen: position.fen() });
  }

  // ---------------------------------------------------------------- endings

  #onResult(event: Extract<GameEvent, { type: 'result' }>): void {
    const game = this.#game;
    if (game === undefined) return;
    const { result: score, reason, atMs } = event;
    game.boardResult = score;
    game.isOver = true;
    const ply = game.line.plies.length;
    // A later signal replaces the first.
    game.endings = game.endings.filter(({ termination }) => termination !== 'kings');
    this.#see(game, { termination: terminationOf(reason), score, ply, atMs });
    // Players who show a draw have mostly agreed it.
    if (reason === 'kings' && score === '1/2-1/2') this.#watchAgreement(game, ply, atMs, false);
    if (reason === 'dead-position') this.#raise('DEAD_POSITION', ply);
    this.#watchPhotoFinish(game, terminationOf(reason), ply, atMs);
    this.#hearClock(this.#clock.feed(event));
    this.#watchConflict(game);
  }

  #onDecision({ ruling, by, atMs }: Decision): void {
    const game = this.#game;
    if (game === undefined) return;
    const found = game.irregularities.takeRuling(ruling, by, atMs, this.#clocksAt(atMs));
    this.#hearIrregularities(found);
    this.#onRuling(game, ruling, atMs);
  }

  #onRuling(game: Game, ruling: Ruling, atMs: number): void {
    const ply = game.line.plies.length;
    switch (ruling.type) {
      case 'draw-offer':
        this.#onOffer(game, ruling.side, ruling.ply);
        break;
      case 'draw-declined':
        game.offer = undefined;
        break;
      case 'flag-registered': {
        const { score, verdict } = proposeLoss(game.line.position, ruling.side, this.#canMate);
        this.#see(game, { termination: 'flag-fall', score, ply, atMs });
        if (verdict === 'undecided') this.#ask(game, 'flag-fall', ruling.side, ply, game.line.position, ply);
        if (game.standing?.termination === 'flag-fall') this.#close(game, score, atMs);
        break;
      }
      case 'result':
        game.deskResult = ruling.score;
        if (ruling.termination === 'resignation') this.#proposeResignation(game, ruling.score, ply);
        this.#see(game, { termination: ruling.termination, score: ruling.score, ply, atMs });
        if (ruling.termination === 'agreement') this.#watchAgreement(game, ply, atMs, true);
        this.#watchConflict(game);
        if (ruling.score !== '*') this.#close(game, ruling.score, atMs);
        break;
    }
  }

  /** The arbiter has ended the game: whatever clock and hands do after that concerns nobody. */
  #close(game: Game, score: Score, atMs: number): void {
    if (game.isOver) return;
    game.isOver = true;
    this.#hearClock(this.#clock.feed({ type: 'gameEnded', atMs, result: isTokenless(score) ? '*' : score }));
  }

  /** A resignation is a draw where the opponent cannot mate (5.1.2): proposed when something else was entered. */
  #proposeResignation(game: Game, entered: Score, ply: number): void {
    const loser = SIDES.find((side) => entered === winFor(opponent(side)));
    if (loser === undefined) return;
    const { score, verdict } = proposeLoss(game.line.position, loser, this.#canMate);
    if (score !== entered) this.#propose({ termination: 'resignation', score, ply, verdict });
    else if (verdict === 'undecided') this.#ask(game, 'resignation', loser, ply, game.line.position, ply);
  }

  /** An offer made with a ply (9.1); it may have been entered after the opponent's touch that made it lapse. */
  #onOffer(game: Game, side: Side, ply: number): void {
    this.#watchAgreement(game, ply, this.#nowMs, false);
    const touchedAtMs = game.touchedAtMs.get(ply + 1) ?? game.line.plies[ply]?.record.madeAtMs;
    game.offer = touchedAtMs === undefined ? { side, ply } : undefined;
    if (touchedAtMs !== undefined) this.#raiseFlag(makeFlag('OFFER_LAPSED', ply + 1, touchedAtMs));
  }

  /**
   * A draw agreed before each player has moved (5.2.3; not where players have only shown the result), or agreed or offered before
   * the event allows it (9.1.1): for the arbiter to accept.
   */
  #watchAgreement({ line }: Game, ply: number, atMs: number, isEntered: boolean): void {
    const { fullmoves, turn } = line.positionBefore(ply + 1);
    // The game may go on from a position that was set up.
    const played = 2 * (fullmoves - 1) + (turn === 'black' ? 1 : 0);
    const barred = agreementBarred(played, this.#options.drawFrom);
    if (
      barred === 'too-early' ||
      (barred === 'no-moves' && (isEntered || this.#options.drawFrom !== undefined))
    )
      this.#raiseFlag(makeFlag('DRAW_TOO_EARLY', ply, atMs, `${played} plies`));
  }

  /** A flag fell just before the move that ended the game: which was first is the arbiter's to say (6.8, 5.1.1, 5.2.1). */
  #watchPhotoFinish(game: Game, termination: Termination, ply: number, atMs: number): void {
    const fall = this.#lastFall;
    if (fall === undefined || ENDINGS[termination].by !== 'itself') return;
    const madeAtMs = game.line.plies[ply - 1]?.record.madeAtMs ?? atMs;
    if (Math.abs(madeAtMs - fall.atMs) > PHOTO_FINISH_MS) return;
    this.#raise(
      'RESULT_CONFLICT',
      ply,
      `flag ${fall.side} at ${fall.atMs} ms, ${termination} at ${madeAtMs} ms`,
    );
  }

  /** Board and desk disagree on the result: the signed score sheets win (8.7). */
  #watchConflict({ boardResult, deskResult, line }: Game): void {
    if (boardResult === undefined || deskResult === undefined || boardResult === deskResult) return;
    this.#raise('RESULT_CONFLICT', line.plies.length, `board ${boardResult}, desk ${deskResult}`);
  }

  #see(game: Game, ending: EndingSeen): void {
    game.endings.push(ending);
    this.#tellStanding(game);
  }

  #tellStanding(game: Game): void {
    const standing = decideEnding(game.endings);
    if (standing === undefined || standing === game.standing) return;
    game.standing = standing;
    this.#out.push({ type: 'ending', atMs: this.#nowMs, ending: standing });
  }

  #propose(proposal: EndingProposal): void {
    this.#out.push({ type: 'proposal', atMs: this.#nowMs, proposal });
  }

  /** When somebody who has not come loses (6.7); undefined once anything has happened. */
  #defaultDueMs(): number | undefined {
    const game = this.#game;
    const { defaultMs } = this.#options;
    if (game === undefined || defaultMs === undefined || game.isOver || game.isDefaultTold) return undefined;
    // Thinking is not absence: a side that has touched a piece or moved is there.
    if (game.line.plies.length > 0 || game.touchedAtMs.size > 0) return undefined;
    const begunAtMs = game.hasClock ? game.clockStartedAtMs : game.startedAtMs;
    return begunAtMs === undefined ? undefined : begunAtMs + defaultMs;
  }

  #watchDefault(): void {
    const dueMs = this.#defaultDueMs();
    if (dueMs === undefined || this.#nowMs < dueMs) return;
    this.#game!.isDefaultTold = true;
    // Without a link nobody knows what happened.
    if (!this.#isLinkLost) this.#raise('DEFAULT_TIME', 0, this.#game!.line.start.turn);
  }

  // ---------------------------------------------------------------- flags

  #raise(code: string, ply: number, detail?: string): void {
    this.#raiseFlag(makeFlag(code, ply, this.#nowMs, detail));
  }

  #raiseFlag(flag: Flag): void {
    const game = this.#game;
    if (game === undefined) return;
    const key = keyOf(flag);
    if (game.raised.has(key)) return;
    game.raised.add(key);
    this.#out.push({ type: 'flag', atMs: this.#nowMs, flag });
    this.#hearIrregularities(game.irregularities.takeFlag(flag, this.#clocksAt(flag.atMs)));
  }
}

const otherFace = (face: ClockFace): ClockFace => (face === 'left' ? 'right' : 'left');

/** Two flags of one word and ply are one. */
const keyOf = ({ code, ply }: Flag): string => `${code} ${ply}`;

function makeFlag(code: string, ply: number, atMs: number, detail?: string): Flag {
  const word = wordOf(code);
  const flag: Flag = { code, severity: FLAG_WORDS[word][0], ply, atMs };
  return detail === undefined ? flag : { ...flag, detail };
}
