/**
 * One output's view of the event: games, records, holds and time come in, documents that are others now go out. It holds
 * nothing that is not in the store, so after a restart it shows what it showed before.
 */
import type { Machine, Step, Tick } from '../../core/machine.ts';
import { LANGUAGES } from '../language/language.ts';
import { joinPgn, type PgnHeaders, type PgnWriterOptions } from '../pgn/writer.ts';
import { makeGameJson, makeRoundJson, makeTournamentJson } from './cloud-json.ts';
import type { DocumentChange } from './documents.ts';
import {
  type Hold,
  heldSince,
  type PublicEvent,
  type PublicGame,
  type RecordedGame,
} from './public-event.ts';
import { makePublicPage, type PublicRound, pageFile, pagesOf, parsePageFile } from './public-pages.ts';
import { type Delay, NO_DELAY, releaseGame } from './release.ts';
import { makeShownPgn, type ShownGame, shownRecord } from './shown-game.ts';

/** What an output hears; `atMs` is the monotonic time of the store. */
export type PublicationEvent =
  /** The event is this from now on: games, their places, names, rounds. */
  | { readonly type: 'event'; readonly atMs: number; readonly event: PublicEvent }
  /** A game is recorded so far; the record is not changed any more by whoever gives it. */
  | { readonly type: 'recorded'; readonly atMs: number; readonly recorded: RecordedGame }
  /** These are all the holds there are from now on. */
  | { readonly type: 'holds'; readonly atMs: number; readonly holds: readonly Hold[] };

/** Which documents an output has; `all`: the games of all rounds in one file at the top. */
export const DOCUMENT_KINDS = ['pgn', 'round-pgn', 'all-pgn', 'json', 'game-json', 'page'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** What LiveChess writes to a folder (livechess.md 3.2). */
export const FOLDER_DOCUMENTS: readonly DocumentKind[] = ['pgn', 'round-pgn', 'json'];
/** What a server of games has: the cloud's paths (4.1), PGN, and pages for people. */
export const SERVER_DOCUMENTS: readonly DocumentKind[] = DOCUMENT_KINDS;

export interface PublicationOptions {
  readonly delay?: Delay;
  readonly documents?: readonly DocumentKind[];
  /** What the tags of a game become for the readers of this output. */
  readonly dialect?: (tags: PgnHeaders) => PgnHeaders;
  readonly pgn?: PgnWriterOptions;
}

export const gameFile = (round: number, board: number, kind: 'pgn' | 'json'): string =>
  `round-${round}/game-${board}.${kind}`;
export const roundFile = (round: number): string => `round-${round}/games.pgn`;
export const roundIndex = (round: number): string => `round-${round}/index.json`;
export const ALL_ROUNDS = 'games.pgn';
export const TOURNAMENT = 'tournament.json';
/** The newest round, in each language. */
export const EVENT_PAGES = LANGUAGES.map((language) => pageFile({ type: 'round' }, language));

/** A game with its texts; they are made when somebody asks. */
interface Shown {
  /** The game as the event has it; what is shown may know less. */
  readonly game: PublicGame;
  shown: ShownGame;
  pgn: string | undefined;
  json: string | undefined;
  /** What of the record is shown, to tell whether anything is another. */
  key: string;
  nextAtMs: number | undefined;
}

export interface Publication extends Machine<PublicationEvent, DocumentChange> {
  /** The newest text of a document; undefined when there is none of that name. */
  text(name: string): string | undefined;
  /** Names of all documents. */
  names(): string[];
}

/** Creates the view of one output. Outputs of a step are changed documents, each once. */
export function createPublication(options: PublicationOptions = {}): Publication {
  const { delay = NO_DELAY, documents = FOLDER_DOCUMENTS, dialect, pgn: pgnOptions } = options;
  const has = (kind: DocumentKind): boolean => documents.includes(kind);
  let event: PublicEvent | undefined;
  let holds: readonly Hold[] = [];
  const records = new Map<string, RecordedGame>();
  /** Games by round and board. */
  const games = new Map<string, Shown>();
  const known = new Set<string>();
  /** Pages as they are, for the many who look; until anything is another. */
  const pages = new Map<string, string>();

  const placeOf = ({ round, board }: PublicGame): string => `${round}/${board}`;
  const inOrder = (): Shown[] =>
    [...games.values()].sort(
      (a, b) => a.shown.game.round - b.shown.game.round || a.shown.game.board - b.shown.game.board,
    );
  const ofRound = (round: number): Shown[] => inOrder().filter(({ shown }) => shown.game.round === round);

  const pairing = (game: PublicGame, isResultKnown: boolean, nextAtMs?: number): Shown => {
    const { result, score, resultSinceMs: _, ...open } = game;
    const told = { ...(result !== undefined && { result }), ...(score !== undefined && { score }) };
    const shown = isResultKnown ? { ...open, ...told } : open;
    return {
      game,
      shown: { game: shown },
      pgn: undefined,
      json: undefined,
      key: JSON.stringify(shown),
      nextAtMs,
    };
  };

  /** A pairing without a game: a result by default is news as any other. */
  const bare = (game: PublicGame, nowMs: number): Shown => {
    const heldMs = heldSince(holds, undefined);
    const dueMs = (game.resultSinceMs ?? 0) + delay.ms;
    if (game.result === undefined || dueMs <= Math.min(nowMs, heldMs ?? nowMs)) return pairing(game, true);
    return pairing(game, false, heldMs === undefined ? dueMs : undefined);
  };

  const show = (game: PublicGame, nowMs: number): Shown => {
    const recorded = records.get(game.token);
    if (recorded === undefined) return bare(game, nowMs);
    const heldMs = heldSince(holds, recorded);
    // That somebody has sat down is news too.
    const begunMs = recorded.record.startedAtMs + delay.ms;
    if (begunMs > Math.min(nowMs, heldMs ?? nowMs))
      return pairing(game, false, heldMs === undefined ? begunMs : undefined);
    const release = releaseGame(recorded.record, recorded.times, nowMs, delay, heldMs);
    const { record, clockAtMs, nextAtMs } = release;
    const plies = record.plies.map(({ uci, san, clockMs, completedAtMs }) => [
      uci,
      san,
      clockMs,
      completedAtMs,
    ]);
    const { resultSinceMs: _, result: __, score: ___, ...open } = game;
    const key = JSON.stringify([
      open,
      recorded.board,
      plies,
      record.result,
      record.score,
      record.reason,
      clockAtMs,
    ]);
    return { game, shown: { game, recorded, release }, pgn: undefined, json: undefined, key, nextAtMs };
  };

  const pgnOf = (entry: Shown): string => {
    entry.pgn ??= makeShownPgn(entry.shown, dialect, pgnOptions);
    return entry.pgn;
  };
  const jsonOf = (entry: Shown): string => {
    entry.json ??= makeJson(makeGameJson(entry.shown, delay.ms));
    return entry.json;
  };

  /** The newest round of which anything is shown. */
  const roundShown = (): number => {
    const rounds = inOrder().filter(({ shown }) => shown.recorded !== undefined || shown.game.result);
    return (rounds.at(-1) ?? inOrder()[0])?.shown.game.round ?? 1;
  };
  const pageOf = (name: string): string | undefined => {
    const [, folder, file = ''] = /^(?:round-(\d+)\/)?([^/]+)$/.exec(name) ?? [];
    const parsed = parsePageFile(file);
    if (parsed === undefined || event === undefined) return undefined;
    const round = folder === undefined ? roundShown() : Number(folder);
    const at: PublicRound = {
      name: event.name,
      round,
      rounds: [...new Set(inOrder().map(({ shown }) => shown.game.round))],
      games: ofRound(round).map(({ shown }) => shown),
      isDelayed: delay.ms > 0 || delay.plies > 0,
    };
    return makePublicPage(at, parsed.page, parsed.language, folder === undefined ? '' : '../');
  };

  const text = (name: string): string | undefined => {
    if (!known.has(name) || event === undefined) return undefined;
    if (name.endsWith('.html')) {
      const page = pages.get(name) ?? pageOf(name);
      if (page !== undefined) pages.set(name, page);
      return page;
    }
    if (name === TOURNAMENT)
      return makeJson(
        makeTournamentJson(
          event,
          inOrder().map(({ shown }) => shown),
        ),
      );
    if (name === ALL_ROUNDS) return joinPgn(inOrder().map(pgnOf));
    const [, roundText, file = ''] = /^round-(\d+)\/(.+)$/.exec(name) ?? [];
    const round = Number(roundText);
    if (file === 'games.pgn') return joinPgn(ofRound(round).map(pgnOf));
    if (file === 'index.json') {
      const shown = ofRound(round).map((entry) => entry.shown);
      return makeJson(makeRoundJson(shown, event.dates?.[round] ?? dateOf(shown)));
    }
    const [, board, kind] = /^game-(\d+)\.(pgn|json)$/.exec(file) ?? [];
    const entry = games.get(`${round}/${board}`);
    return entry === undefined ? undefined : kind === 'pgn' ? pgnOf(entry) : jsonOf(entry);
  };

  /** Names of all documents of the event as it is. */
  const namesNow = (): Set<string> => {
    const names = new Set<string>();
    if (event === undefined) return names;
    if (has('json')) names.add(TOURNAMENT);
    if (has('all-pgn')) names.add(ALL_ROUNDS);
    const boards = new Map<number, number[]>();
    if (has('page')) {
      for (const name of EVENT_PAGES) names.add(name);
      for (const { shown } of games.values()) {
        const { round, board } = shown.game;
        boards.set(round, [...(boards.get(round) ?? []), board]);
      }
    }
    for (const [round, ofIt] of boards) for (const file of pagesOf(ofIt)) names.add(`round-${round}/${file}`);
    for (const { shown } of games.values()) {
      const { round, board } = shown.game;
      if (has('pgn')) names.add(gameFile(round, board, 'pgn'));
      if (has('game-json')) names.add(gameFile(round, board, 'json'));
      if (has('round-pgn')) names.add(roundFile(round));
      if (has('json')) names.add(roundIndex(round));
    }
    return names;
  };

  const change = (name: string): DocumentChange => ({ name, text: () => text(name) });

  /** Pages on which a game stands: its own, the round's, the event's. */
  const pageNamesOf = (round: number, board: number): string[] => [
    ...EVENT_PAGES,
    ...[...known].filter((name) => {
      if (!name.startsWith(`round-${round}/`)) return false;
      const page = parsePageFile(name.slice(name.indexOf('/') + 1))?.page;
      return page !== undefined && (!('board' in page) || page.board === board);
    }),
  ];

  /** Documents in which a game stands. */
  const namesOf = ({ round, board }: PublicGame): string[] =>
    [
      gameFile(round, board, 'pgn'),
      gameFile(round, board, 'json'),
      roundFile(round),
      roundIndex(round),
      ALL_ROUNDS,
      TOURNAMENT,
      ...(has('page') ? pageNamesOf(round, board) : []),
    ].filter((name) => known.has(name));

  /** Looks at games again and collects what is another now. */
  const review = (which: Iterable<PublicGame>, nowMs: number, changed: Set<string>): void => {
    for (const game of which) {
      const place = placeOf(game);
      const entry = show(game, nowMs);
      const before = games.get(place);
      if (before !== undefined && before.key === entry.key) {
        before.nextAtMs = entry.nextAtMs;
        continue;
      }
      games.set(place, entry);
      for (const name of namesOf(game)) {
        // The list of a round and of the event know results and who has begun, not moves.
        if ((name === TOURNAMENT || name === roundIndex(game.round)) && isListedAlike(before, entry))
          continue;
        changed.add(name);
      }
    }
  };

  const meet = (next: PublicEvent, nowMs: number, changed: Set<string>): void => {
    const isNewHead = event === undefined || headOf(event) !== headOf(next);
    event = next;
    const places = new Set(next.games.map(placeOf));
    for (const [place, { shown }] of games) {
      if (places.has(place)) continue;
      games.delete(place);
      for (const name of namesOf(shown.game)) changed.add(name);
    }
    for (const game of next.games) {
      // So that their names are known before they are looked at.
      if (!games.has(placeOf(game)))
        games.set(placeOf(game), {
          game,
          shown: { game },
          pgn: undefined,
          json: undefined,
          key: '',
          nextAtMs: undefined,
        });
    }
    const names = namesNow();
    for (const name of known) if (!names.has(name)) changed.add(name);
    known.clear();
    for (const name of names) known.add(name);
    if (isNewHead) for (const name of names) if (name.endsWith('.json')) changed.add(name);
    review(next.games, nowMs, changed);
  };

  const step = (input: PublicationEvent | Tick): Step<DocumentChange> => {
    const changed = new Set<string>();
    switch (input.type) {
      case 'event':
        meet(input.event, input.atMs, changed);
        break;
      case 'recorded': {
        const { token } = input.recorded;
        records.set(token, input.recorded);
        const game = event?.games.find((candidate) => candidate.token === token);
        if (game !== undefined) review([game], input.atMs, changed);
        break;
      }
      case 'holds':
        holds = input.holds;
        review(event?.games ?? [], input.atMs, changed);
        break;
      case 'tick': {
        const due = [...games.values()].filter(
          ({ nextAtMs }) => nextAtMs !== undefined && nextAtMs <= input.atMs,
        );
        review(
          due.map(({ game }) => game),
          input.atMs,
          changed,
        );
        break;
      }
    }
    let wakeAtMs: number | undefined;
    for (const { nextAtMs } of games.values()) {
      if (nextAtMs !== undefined) wakeAtMs = Math.min(wakeAtMs ?? nextAtMs, nextAtMs);
    }
    if (changed.size > 0 || input.type === 'event') pages.clear();
    const outputs = [...changed].map(change);
    return wakeAtMs === undefined ? { outputs } : { outputs, wakeAtMs };
  };

  return { step, text, names: () => [...known].sort() };
}

const makeJson = (value: unknown): string => `${JSON.stringify(value)}\n`;

const headOf = ({ games: _, ...head }: PublicEvent): string => JSON.stringify(head);

/** Whether the lists of games say the same of both. */
function isListedAlike(before: Shown | undefined, after: Shown): boolean {
  if (before === undefined || before.key === '') return false;
  const of = ({ shown }: Shown) =>
    JSON.stringify([
      shown.game,
      shownRecord(shown).result,
      shownRecord(shown).ended,
      shown.recorded?.board,
      shown.recorded?.record.variant,
    ]);
  return of(before) === of(after);
}

/** The day on which the first game of a round began, in local time. */
function dateOf(games: readonly ShownGame[]): string | undefined {
  const began = games.flatMap(({ recorded }) => (recorded === undefined ? [] : [recorded.startedWallMs]));
  if (began.length === 0) return undefined;
  const date = new Date(Math.min(...began));
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
