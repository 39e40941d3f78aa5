/** All boards as the hall shows them, brought up to date by what the recorder tells and what people enter. */
import { FLAG_WORDS } from '../../core/flag.ts';
import type { GameEvent } from '../../core/game-event.ts';
import type { GameRecord } from '../../core/game-record.ts';
import { GameLine, lineOf } from '../../core/laws/game-line.ts';
import { differingSquares, makePlacement } from '../../core/placement.ts';
import type { Side } from '../../core/square.ts';
import type { LinkState } from '../../driver/connection.ts';
import type { Entry } from '../entry.ts';
import type { HoldScope } from '../publish/public-event.ts';
import type { RecorderUpdate } from '../recorder.ts';
import type { StoredGame } from '../store/store.ts';
import { attentionOf } from './model/attention.ts';
import { compareAttention } from './model/attention-order.ts';
import { type Attention, changeOf, type GameState, type HallRow, type RowChange } from './model/hall-row.ts';

/** A clock that is nearer than this to what the page reckons by itself is no news, ms. */
const CLOCK_DRIFT_MS = 1200;
/** Games of a board that are still watched for what is not settled. */
const WATCHED_GAMES = 3;

interface HallGame {
  readonly id: number;
  readonly token: string;
  readonly sittingId: number | undefined;
  readonly startedWallMs: number;
  tags: Readonly<Record<string, string>>;
  record: GameRecord;
  line: GameLine;
  entries: readonly Entry[];
  revision: number;
  running: Side | undefined;
  /** The clocks as they were told last: the page reckons from there. */
  clock: { whiteMs: number; blackMs: number; running: Side | undefined; atMs: number } | undefined;
  /** When the clock was heard last, monotonic ms. */
  clockHeardMs: number | undefined;
}

interface HallBoard {
  readonly board: string;
  kind: string;
  link: LinkState;
  linkSinceMs: number;
  fault: string | undefined;
  batteryPercent: number | undefined;
  /** The oldest first. */
  readonly games: HallGame[];
  /** As told last. */
  told: HallRow | undefined;
  isDirty: boolean;
}

/** A game as the desk holds it. */
export interface GameInHall {
  readonly id: number;
  readonly board: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly record: GameRecord;
  readonly entries: readonly Entry[];
  readonly revision: number;
}

export interface HallOptions {
  /** Wall clock, ms. */
  readonly nowMs: () => number;
  /** Wall clock at a monotonic time of the recorder, ms. */
  readonly wallMsOf: (atMs: number) => number;
}

/** The hall: takes what the recorder tells, gives rows and what has changed of them. */
export class Hall {
  readonly #options: HallOptions;
  readonly #boards = new Map<string, HallBoard>();
  /** Whose game it is. */
  readonly #boardOf = new Map<number, HallBoard>();
  #areAllHeld = false;
  #heldBoards: ReadonlySet<string> = new Set();

  constructor(options: HallOptions) {
    this.#options = options;
  }

  /** Puts games in that were recorded before this run, with what was entered about them. */
  load(games: readonly StoredGame[], entriesOf: (game: StoredGame) => readonly Entry[]): void {
    for (const stored of games) {
      const board = this.#board(stored.board);
      if (board.games.some(({ id }) => id === stored.id)) continue;
      const game = this.#open(board, stored, stored.sittingId, stored.record, stored.startedWallMs);
      game.line = lineOf(stored.record.start, stored.record.variant, stored.record.plies);
      game.entries = entriesOf(stored);
    }
  }

  take(update: RecorderUpdate): void {
    switch (update.type) {
      case 'board': {
        const board = this.#board(update.board);
        board.kind = update.kind;
        if (update.update.type === 'link') {
          this.#setLink(board, update.update.link, update.update.fault?.code);
        } else if (update.update.type === 'identity') {
          const { batteryPercent } = update.update.identity;
          if (batteryPercent === undefined || batteryPercent === board.batteryPercent) break;
          board.batteryPercent = batteryPercent;
          board.isDirty = true;
        }
        break;
      }
      case 'fleet':
        for (const { board: id, definition, identity, state, fault } of update.status.boards) {
          const board = this.#board(id);
          board.kind = definition.id;
          board.batteryPercent = identity.batteryPercent ?? board.batteryPercent;
          this.#setLink(board, state, fault?.code);
        }
        break;
      case 'game':
        this.#takeGame(update);
        break;
      case 'rederived': {
        const { id, board: name, record, tags } = update.game;
        const board = this.#board(name);
        const game =
          board.games.find((known) => known.id === id) ??
          this.#open(board, update.game, update.game.sittingId, record, update.game.startedWallMs);
        game.record = record;
        game.tags = tags;
        game.line = lineOf(record.start, record.variant, record.plies);
        game.revision++;
        board.isDirty = true;
        break;
      }
      case 'fault':
      case 'written':
      case 'capture':
        break;
      default:
        // What later updates tell is not the hall's to show.
        break;
    }
  }

  #takeGame({
    board: name,
    id,
    token,
    tags,
    record,
    events,
  }: Extract<RecorderUpdate, { type: 'game' }>): void {
    const board = this.#board(name);
    const known = board.games.find((game) => game.id === id);
    const game = known ?? this.#open(board, { id, token, tags }, undefined, record, this.#options.nowMs());
    // A new game of which not all events came here.
    if (known === undefined) game.line = lineOf(record.start, record.variant, record.plies);
    else for (const event of events) game.line.take(event);
    game.record = record;
    game.tags = tags;
    const isNews = events.map((event) => this.#takeEvent(game, event));
    if (known !== undefined && !isNews.includes(true)) return;
    game.revision++;
    board.isDirty = true;
  }

  /** True when there is something to show of it. */
  #takeEvent(game: HallGame, event: GameEvent): boolean {
    if (event.type !== 'clock') return true;
    const { whiteMs, blackMs, running } = event;
    const wasSilent = game.record.flags.some(
      ({ code, atMs }) => code === 'CLOCK_LOST' && atMs >= (game.clockHeardMs ?? 0) && atMs < event.atMs,
    );
    game.clockHeardMs = event.atMs;
    const atMs = this.#options.wallMsOf(event.atMs);
    game.running = running;
    const last = game.clock;
    const reckoned = (side: Side): number => {
      const ms = side === 'white' ? last!.whiteMs : last!.blackMs;
      return last!.running === side ? ms - (atMs - last!.atMs) : ms;
    };
    const isAsReckoned =
      last !== undefined &&
      last.running === running &&
      Math.abs(reckoned('white') - whiteMs) < CLOCK_DRIFT_MS &&
      Math.abs(reckoned('black') - blackMs) < CLOCK_DRIFT_MS;
    if (isAsReckoned && !wasSilent) return false;
    game.clock = { whiteMs, blackMs, running, atMs };
    return true;
  }

  /** What was entered about the games of a board is this now. */
  enter(gameId: number, entries: readonly Entry[]): void {
    const board = this.#boardOf.get(gameId);
    const game = board?.games.find(({ id }) => id === gameId);
    if (board === undefined || game === undefined) return;
    if (JSON.stringify(entries) === JSON.stringify(game.entries)) return;
    game.entries = entries;
    game.revision++;
    board.isDirty = true;
  }

  /** This is withheld from the world now; single games are by what is entered about them. */
  setHolds(holds: readonly { readonly scope: HoldScope }[]): void {
    this.#areAllHeld = holds.some(({ scope }) => scope.type === 'all');
    this.#heldBoards = new Set(holds.flatMap(({ scope }) => (scope.type === 'board' ? [scope.board] : [])));
    for (const board of this.#boards.values()) {
      if (this.#widerHold(board.board) !== board.told?.heldWith) board.isDirty = true;
    }
  }

  #widerHold(board: string): HallRow['heldWith'] {
    return this.#areAllHeld ? 'all' : this.#heldBoards.has(board) ? 'board' : undefined;
  }

  /** The tags of a game are these now. */
  setTags(gameId: number, tags: Readonly<Record<string, string>>): void {
    const board = this.#boardOf.get(gameId);
    const game = board?.games.find(({ id }) => id === gameId);
    if (board === undefined || game === undefined) return;
    game.tags = tags;
    board.isDirty = true;
  }

  game(id: number): GameInHall | undefined {
    const board = this.#boardOf.get(id);
    const game = board?.games.find((known) => known.id === id);
    if (board === undefined || game === undefined) return undefined;
    const { tags, record, entries, revision } = game;
    return { id, board: board.board, tags, record, entries, revision };
  }

  /** Numbers of the games that are watched. */
  gameIds(): number[] {
    return [...this.#boardOf.keys()];
  }

  /** All boards as told last, in the order in which they appeared; `changes` has been asked before. */
  rows(): HallRow[] {
    this.changes();
    return [...this.#boards.values()].flatMap(({ told }) => (told === undefined ? [] : [told]));
  }

  /** What has changed since this was last asked; a board that is new comes as a whole. */
  changes(): RowChange[] {
    const changes: RowChange[] = [];
    for (const board of this.#boards.values()) {
      if (!board.isDirty) continue;
      board.isDirty = false;
      const row = this.#row(board);
      const change = board.told === undefined ? { board: board.board, set: row } : changeOf(board.told, row);
      board.told = row;
      if (change !== undefined) changes.push(change);
    }
    return changes;
  }

  #board(id: string): HallBoard {
    const known = this.#boards.get(id);
    if (known !== undefined) return known;
    const board: HallBoard = {
      board: id,
      kind: id.split('-')[0] ?? '',
      link: 'connecting',
      linkSinceMs: this.#options.nowMs(),
      fault: undefined,
      batteryPercent: undefined,
      games: [],
      told: undefined,
      isDirty: true,
    };
    this.#boards.set(id, board);
    return board;
  }

  #setLink(board: HallBoard, link: LinkState, fault: string | undefined): void {
    if (board.link === link && board.fault === fault) return;
    const wasUp = board.link === 'up';
    // Lost, retrying, connecting: one absence for whoever waits for the board.
    if (board.link !== link && (wasUp || link === 'up')) board.linkSinceMs = this.#options.nowMs();
    board.link = link;
    board.fault = link === 'up' ? undefined : (fault ?? board.fault);
    board.isDirty = true;
  }

  #open(
    board: HallBoard,
    { id, token, tags }: Pick<StoredGame, 'id' | 'token' | 'tags'>,
    sittingId: number | undefined,
    record: GameRecord,
    startedWallMs: number,
  ): HallGame {
    const game: HallGame = {
      id,
      token,
      sittingId,
      startedWallMs,
      tags,
      record,
      line: new GameLine(record.start, record.variant),
      entries: [],
      revision: 1,
      running: undefined,
      clock: undefined,
      clockHeardMs: undefined,
    };
    board.games.push(game);
    board.games.sort((a, b) => a.id - b.id);
    this.#boardOf.set(id, board);
    for (const old of board.games.splice(0, Math.max(0, board.games.length - WATCHED_GAMES)))
      this.#boardOf.delete(old.id);
    board.isDirty = true;
    return game;
  }

  #row(board: HallBoard): HallRow {
    const game = board.games.at(-1);
    const attention = board.games.flatMap((each) =>
      attentionOf({
        id: each.id,
        record: each.record,
        entries: each.entries,
        isLinkUp: each !== game || board.link === 'up',
        clockHeardMs: each.clockHeardMs,
        wallMsOf: this.#options.wallMsOf,
      }),
    );
    const lost = this.#linkAttention(board, game);
    if (lost !== undefined) attention.push(lost);
    attention.sort(compareAttention);
    const heldWith = this.#widerHold(board.board);
    return {
      board: board.board,
      kind: board.kind,
      link: board.link,
      linkSinceMs: board.linkSinceMs,
      ...(board.fault !== undefined && { fault: board.fault }),
      ...(board.batteryPercent !== undefined && { batteryPercent: board.batteryPercent }),
      ...(game === undefined ? { state: 'waiting' as const } : gameFields(game)),
      ...(heldWith !== undefined && { heldWith }),
      attention,
    };
  }

  /** A board that is away while nothing of its game says so. */
  #linkAttention(board: HallBoard, game: HallGame | undefined): Attention | undefined {
    const isAway = board.link === 'lost' || board.link === 'retrying';
    if (!isAway || game?.record.ended === true) return undefined;
    // Told by the record as well, and perhaps settled there.
    if (game?.record.flags.some(({ code }) => code === 'LINK_LOST') === true) return undefined;
    return {
      key: `${board.board} link`,
      ...(game !== undefined && { game: game.id }),
      code: 'LINK_LOST',
      severity: FLAG_WORDS.LINK_LOST[0],
      ply: game?.record.plies.length ?? 0,
      sinceMs: board.linkSinceMs,
      article: '',
      ...(board.fault !== undefined && { detail: board.fault }),
      resolutions: game === undefined ? [] : [{ name: 'open' }],
    };
  }
}

function gameFields({ id, tags, record, line, entries, revision, clock }: HallGame) {
  const { position } = line;
  const last = line.plies.at(-1);
  const standing = entries.filter(({ undone }) => undone === undefined).map(({ what }) => what);
  const held = standing.findLast(({ type }) => type === 'hold' || type === 'release');
  const clocks = standing.findLast(({ type }) => type === 'clocks-stopped' || type === 'clocks-resumed');
  const lastNumber =
    last === undefined ? undefined : `${last.before.fullmoves}${last.mover === 'white' ? '.' : '...'}`;
  return {
    game: id,
    revision,
    lastEntry: lastEntryOf(entries),
    ...(tags.Event !== undefined && { event: tags.Event }),
    ...(tags.Round !== undefined && { round: tags.Round }),
    ...((tags.Board ?? tags.Table) !== undefined && { table: tags.Board ?? tags.Table! }),
    ...(tags.White !== undefined && { white: tags.White }),
    ...(tags.Black !== undefined && { black: tags.Black }),
    recorded: makePlacement(position.cells),
    sensed: makePlacement(record.placement),
    differing: record.inSync ? [] : differingSquares(record.placement, position.cells),
    turn: position.turn,
    plies: record.plies.length,
    ...(last !== undefined && {
      lastSan: last.record.san,
      lastUci: last.record.uci,
      ...(lastNumber !== undefined && { lastNumber }),
    }),
    state: stateOf(record),
    result: record.result,
    ...(record.score !== undefined && { score: record.score }),
    ...(record.reason !== undefined && { reason: record.reason }),
    orientation: record.orientation,
    ...(held?.type === 'hold' && { isHeld: true }),
    ...(clocks?.type === 'clocks-stopped' && { areClocksStopped: true }),
    ...(clock !== undefined
      ? {
          whiteMs: clock.whiteMs,
          blackMs: clock.blackMs,
          clockAtMs: clock.atMs,
          ...(clock.running !== undefined && !record.ended && { running: clock.running }),
        }
      : {
          ...(record.whiteMs !== undefined && { whiteMs: record.whiteMs }),
          ...(record.blackMs !== undefined && { blackMs: record.blackMs }),
        }),
  } satisfies Partial<HallRow>;
}

/** The last thing that somebody has entered, an undo included; 0 when nobody has. What was searched for is nobody's word. */
export const lastEntryOf = (entries: readonly Entry[]): number =>
  Math.max(
    0,
    ...entries
      .filter(({ what }) => what.type !== 'verdict')
      .map(({ id, undone }) => Math.max(id, undone?.id ?? 0)),
  );

function stateOf(record: GameRecord): GameState {
  if (record.ended) return 'ended';
  if (record.plies.some((ply) => ply?.state === 'ambiguous')) return 'doubt';
  if (record.plies.length === 0) return record.inSync ? 'ready' : 'moving';
  return record.inSync ? 'playing' : 'moving';
}
