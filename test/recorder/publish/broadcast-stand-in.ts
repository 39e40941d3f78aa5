/**
 * A place that takes pushed games as lichess does, by the rules of broadcast-pgn-trf 1.2, 1.4 and 1.5. It reads PGN in its
 * own way and plays moves with another library than we do, so that what it takes others take too.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Chess, type Square } from 'chess.js';

/** A game as it stands there. */
export interface Chapter {
  tags: Map<string, string>;
  /** The main line; a shorter one that is pushed takes nothing away. */
  moves: readonly string[];
  clocks: readonly (string | undefined)[];
  /** The position after each ply, without counters. */
  positions: readonly string[];
  /** After how many plies it stands. */
  live: number;
}

/** What came of one pushed game. */
export interface Pushed {
  readonly tags: Readonly<Record<string, string>>;
  readonly moves?: number;
  readonly error?: string;
}

interface ReadGame {
  readonly tags: Map<string, string>;
  readonly moves: readonly string[];
  readonly clocks: readonly (string | undefined)[];
  readonly positions: readonly string[];
}

/** A player of the list of FIDE, by number. */
export interface ListedPlayer {
  readonly name: string;
  readonly title?: string;
  readonly rating?: number;
}

/** Names that are nobody's (1.4.3). */
const NOBODY = /^(.|bye|unknown)$/iu;
const NULL_MOVES = /^(--|Z0|null|pass|@@@@)$/;
/** Results in the spellings that are understood (1.4.5). */
const RESULTS: Readonly<Record<string, string>> = {
  '1-0': '1-0',
  '+-0': '1-0',
  '+--': '1-0',
  '1--': '1-0',
  WHITEWIN: '1-0',
  '0-1': '0-1',
  '0-+': '0-1',
  '--+': '0-1',
  '--1': '0-1',
  BLACKWIN: '0-1',
  '½-½': '1/2-1/2',
  '½': '1/2-1/2',
  DRAW: '1/2-1/2',
  '0-0': '0-0',
  '---': '0-0',
  '½-0': '1/2-0',
  '0-½': '0-1/2',
};
/** A result as it is kept; undefined for none. */
const normal = (text: string | undefined): string | undefined =>
  RESULTS[
    (text ?? '*')
      .replace(/\s+/g, '')
      .replace(/1\/2|0\.5/g, '½')
      .replace(/[–—_:]/g, '-')
      .toUpperCase()
  ];
const CENTRE_KING = /^K[a-h]?[1-8]?x?[de][45][+#]?$/;

/** Splits a body into games: after carriage returns are gone, at every empty line before a bracket (1.4.1). */
const split = (body: string): string[] =>
  body
    .replaceAll('\r', '')
    .split(/\n\n+(?=\[)/)
    .map((text) => text.trim())
    .filter((text) => text !== '');

function read(text: string): ReadGame | string {
  const tags = new Map<string, string>();
  const lines = text.split('\n');
  let at = 0;
  for (; at < lines.length && lines[at]!.startsWith('['); at++) {
    const match = /^\[([A-Za-z]+)\s+"((?:[^"\\]|\\.)*)"\]\s*$/.exec(lines[at]!);
    if (match === null) return `cannot read the tag ${lines[at]}`;
    tags.set(match[1]!, match[2]!.replace(/\\(.)/g, '$1').trim());
  }
  if (at < lines.length && lines[at] !== '') return 'no empty line after the tags';
  const body = lines.slice(at + 1).join('\n');
  if (/\n\n/.test(body)) return 'an empty line in the move text';
  if (body.split('{').length !== body.split('}').length) return 'a comment without an end';
  const moves: string[] = [];
  const clocks: (string | undefined)[] = [];
  for (const word of body.match(/\{[^}]*\}|\([^)]*\)|\S+/g) ?? []) {
    if (word.startsWith('{')) {
      const clock = /\[%clk\s(\d+:\d\d:\d\d)\]/.exec(word)?.[1];
      if (clock !== undefined && moves.length > 0) clocks[moves.length - 1] = clock;
      continue;
    }
    if (/^(\(|\$|1-0$|0-1$|1\/2-1\/2$|\*$)/.test(word)) continue;
    const move = word.replace(/^\d+\.+/, '');
    if (move !== '') {
      moves.push(move);
      clocks.push(undefined);
    }
  }
  return { tags, moves, clocks, positions: [] };
}

/** A position without its counters. */
const placeOf = (board: Chess): string => board.fen().split(' ').slice(0, 4).join(' ');

/** Whether a king that is put on a square of the centre would stand in check there. */
function isIntoCheck(board: Chess, move: string): boolean {
  const square = /[de][45]/.exec(move)?.[0] as Square | undefined;
  const side = board.turn();
  const home = board.findPiece({ type: 'k', color: side })[0];
  if (square === undefined || home === undefined) return false;
  const after = new Chess(board.fen(), { skipValidation: true });
  after.remove(home);
  after.put({ type: 'k', color: side }, square);
  return after.isAttacked(square, side === 'w' ? 'b' : 'w');
}

/** Plays a main line; what is left of it, or why the game is refused (1.4.6, 1.4.7). */
function play(game: ReadGame): ReadGame | string {
  const fen = game.tags.get('FEN');
  const board = fen === undefined ? new Chess() : new Chess(fen);
  const positions: string[] = [];
  const cut = (length: number): ReadGame => ({
    ...game,
    moves: game.moves.slice(0, length),
    clocks: game.clocks.slice(0, length),
    positions,
  });
  for (const [i, move] of game.moves.entries()) {
    if (NULL_MOVES.test(move)) return `null move at ply ${i + 1}`;
    try {
      board.move(move, { strict: true });
      positions.push(placeOf(board));
    } catch {
      const isKing = CENTRE_KING.test(move);
      // A king that shows the result; the last move of that kind is overlooked whether it is in check or not.
      if (isKing && (isIntoCheck(board, move) || i === game.moves.length - 1)) return cut(i);
      return `illegal move ${move} at ply ${i + 1}`;
    }
  }
  return cut(game.moves.length);
}

const idOf = (tags: Map<string, string>, side: string): string | undefined => {
  const id = tags.get(`${side}FideId`);
  return id === undefined || id === '0' ? undefined : id;
};

function areSamePlayers(a: Map<string, string>, b: Map<string, string>): boolean {
  const ids = [idOf(a, 'White'), idOf(b, 'White'), idOf(a, 'Black'), idOf(b, 'Black')];
  if (ids.every((id) => id !== undefined)) return ids[0] === ids[1] && ids[2] === ids[3];
  return a.get('White') === b.get('White') && a.get('Black') === b.get('Black');
}

const roundOf = (tags: Map<string, string>): string | undefined => /^\d+/.exec(tags.get('Round') ?? '')?.[0];
const boardOf = (tags: Map<string, string>): string | undefined =>
  tags.get('Board') ?? /\.(\d+)/.exec(tags.get('Round') ?? '')?.[1];

/** Whether a game belongs to a chapter (1.5). */
function isSame(chapter: Chapter, game: ReadGame): boolean {
  const [a, b] = [chapter.tags, game.tags];
  if (a.get('GameId') !== undefined && a.get('GameId') === b.get('GameId')) return true;
  const isSamePlace =
    a.get('Event') === b.get('Event') && a.get('Site') === b.get('Site') && roundOf(a) === roundOf(b);
  if (!isSamePlace) return false;
  if (boardOf(a) === boardOf(b) && areSamePlayers(a, b)) return true;
  const common = Math.min(chapter.moves.length, game.moves.length);
  return common > 0 && chapter.positions[common - 1] === game.positions[common - 1];
}

/** What a chapter is after a push (1.5): another line becomes the main one, a shorter one takes nothing away; newer clocks count. */
function join(chapter: Chapter | undefined, { tags, moves, clocks, positions }: ReadGame): Chapter {
  const isShorter =
    chapter !== undefined &&
    moves.length < chapter.moves.length &&
    moves.every((move, i) => move === chapter.moves[i]);
  if (!isShorter) return { tags, moves, clocks, positions, live: moves.length };
  return {
    tags,
    moves: chapter.moves,
    clocks: chapter.clocks.map((clock, i) => clocks[i] ?? clock),
    positions: chapter.positions,
    live: moves.length,
  };
}

/** One round of a broadcast. */
export class BroadcastRound {
  /** In the order in which they are shown. A round has an empty one before anything is pushed; the first game takes its place. */
  chapters: Chapter[] = [];
  readonly refusals: string[] = [];
  pushes = 0;
  readonly #fide: ReadonlyMap<string, ListedPlayer>;
  /** Texts that were played already: the same again says the same. */
  readonly #played = new Map<string, ReadGame | string>();

  constructor(fide: ReadonlyMap<string, ListedPlayer> = new Map()) {
    this.#fide = fide;
  }

  push(body: string): Pushed[] {
    this.pushes++;
    const taken = new Set<Chapter>();
    const told = split(body).map((text) => this.#take(text, taken));
    // When all were found, and in another order, they are shown in that of the source (1.5).
    if (this.chapters.every((chapter) => taken.has(chapter))) this.chapters = [...taken];
    return told;
  }

  #take(text: string, taken: Set<Chapter>): Pushed {
    const found = read(text);
    if (typeof found === 'string') return this.#refuse({}, found);
    for (const side of ['White', 'Black']) {
      if (NOBODY.test(found.tags.get(side) ?? '?')) found.tags.delete(side);
      // Whoever has a number is called as the list of FIDE has him (1.4.8).
      const listed = this.#fide.get(idOf(found.tags, side) ?? '');
      if (listed === undefined) continue;
      found.tags.set(side, listed.name);
      if (listed.title !== undefined) found.tags.set(`${side}Title`, listed.title);
      if (listed.rating !== undefined) found.tags.set(`${side}Elo`, String(listed.rating));
    }
    found.tags.delete('Date');
    const tags = Object.fromEntries(found.tags);
    if (['White', 'Black'].some((side) => !found.tags.has(side) && idOf(found.tags, side) === undefined))
      return this.#refuse(tags, 'dropped: a side is nobody');
    const result = found.tags.get('Result');
    if (result !== undefined && result !== '*' && normal(result) === undefined)
      return this.#refuse(tags, `no result: ${result}`);
    const played = this.#played.get(text) ?? play(found);
    this.#played.set(text, played);
    if (typeof played === 'string') return this.#refuse(tags, played);
    const chapter = this.chapters.find(
      (one) => !taken.has(one) && isSame(one, { ...played, tags: found.tags }),
    );
    const now = join(chapter, { ...played, tags: found.tags });
    if (chapter === undefined) this.chapters.push(now);
    else Object.assign(chapter, now);
    taken.add(chapter ?? now);
    return { tags, moves: now.moves.length };
  }

  #refuse(tags: Readonly<Record<string, string>>, error: string): Pushed {
    this.refusals.push(`${tags.GameId ?? '?'}: ${error}`);
    return { tags, error };
  }
}

/** The server: rounds by their ids, one token. */
export async function startBroadcast(token: string, rounds: ReadonlyMap<string, BroadcastRound>) {
  /** Statuses that the next pushes are answered with instead, and how they were asked. */
  const troubles: number[] = [];
  const seen: { authorization: string | undefined; type: string | undefined; agent: string | undefined }[] =
    [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const answer = (status: number, value: unknown): void => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
      };
      const { authorization, 'content-type': type, 'user-agent': agent } = request.headers;
      seen.push({ authorization, type, agent });
      const trouble = troubles.shift();
      if (trouble !== undefined) return answer(trouble, { error: `trouble ${trouble}` });
      const id = /^\/api\/broadcast\/round\/([^/]+)\/push$/.exec(request.url ?? '')?.[1];
      const round = id === undefined ? undefined : rounds.get(id);
      if (request.method !== 'POST' || round === undefined) return answer(404, { error: 'Not found' });
      if (authorization !== `Bearer ${token}`) return answer(401, { error: 'No such token' });
      const games = split(body);
      if (games.length > 100) return answer(400, { error: 'Too many games' });
      answer(200, { games: round.push(body) });
    });
  });
  // A round is played between two pushes: a connection may be idle for long.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    troubles,
    seen,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
