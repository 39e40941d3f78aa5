/**
 * A generous PGN reader: reads what people and programs write, says what was wrong with it, never throws.
 *
 * It works line by line, so that a file of any size can be fed in pieces and every fault carries a line number.
 */
import type { GameResult, Variant } from '../../core/game-event.ts';
import { type Move, Position, START_FEN } from '../../core/position.ts';
import type { Fault } from '../../core/result.ts';
import { parseClock } from './clock-text.ts';

export const PGN_FAULTS = [
  'PGN_TAG_BROKEN',
  'PGN_TAG_DUPLICATE',
  'PGN_COMMENT_UNCLOSED',
  'PGN_VARIATION_UNCLOSED',
  'PGN_CLOCK',
  'PGN_FEN',
  'PGN_VARIANT',
  'PGN_ILLEGAL_MOVE',
  'PGN_NULL_MOVE',
  'PGN_TOKEN',
  'PGN_RESULT_MISSING',
  'PGN_RESULT_UNKNOWN',
  'PGN_RESULT_CONFLICT',
  'PGN_LINE_TOO_LONG',
] as const;

/** Something wrong in a PGN text; reading went on. */
export interface PgnFault extends Fault {
  readonly code: (typeof PGN_FAULTS)[number];
  /** 1-based line of the text. */
  readonly line: number;
}

/** One legal ply as read. */
export interface PgnPly {
  /** Canonical SAN, however it was spelled. */
  readonly san: string;
  /** UCI; castling as the king's step in standard chess, king takes own rook in Chess960. */
  readonly uci: string;
  /** The mover's clock after the move, milliseconds (`[%clk]`). */
  readonly clockMs?: number;
  /** Time spent on the move, milliseconds (`[%emt]`). */
  readonly spentMs?: number;
  /** Numeric annotation glyphs, `!` and `?` signs included. */
  readonly nags: readonly number[];
  /** Comments after the move, without their clock commands; empty ones left out. */
  readonly comments: readonly string[];
  readonly line: number;
}

/** One game as read: its main line up to the first move that is not legal. */
export interface PgnGame {
  readonly tags: ReadonlyMap<string, string>;
  readonly variant: Variant;
  /** FEN of the start position. */
  readonly start: string;
  readonly plies: readonly PgnPly[];
  /** Main-line moves that could not be played: the first illegal one and all after it, as written. */
  readonly unread: readonly string[];
  readonly result: GameResult;
  /** Comments before the first move. */
  readonly comments: readonly string[];
  readonly faults: readonly PgnFault[];
  /** 1-based line on which the game begins. */
  readonly line: number;
}

/** Takes text or bytes in any pieces and gives back the games completed so far. */
export interface PgnReader {
  push(chunk: string | Uint8Array): PgnGame[];
  /** Ends the text: what is still open is a game as well. */
  end(): PgnGame[];
}

/** Longest line held while its end has not come, in bytes or characters. */
const MAX_LINE = 4_000_000;
/** Longest comment kept, in characters. */
const MAX_COMMENT = 64_000;

const STRICT_TAG = /^\s*\[\s*([A-Za-z0-9_][^\s"\]]*)\s*"((?:[^"\\]|\\.)*)"\s*\]/;
const LOOSE_TAG = /^\s*\[\s*([A-Za-z0-9_][^\s"\]]*)\s*"(.*)"\s*\]?\s*$/;
const TORN_TAG = /^\s*\[\s*([A-Za-z0-9_][^\s"\]]*)\s*"?(.*?)\s*\]?\s*$/;
const COMMAND = /\[%(\w+)\s*([^\]]*)\]/g;
const MOVE_SHAPE =
  /^(?:[PNBRQK]?[a-h]?[1-8]?[-x]?[a-h][1-8](?:=?[nbrqNBRQ])?|[Oo0](?:-[Oo0]){1,2})(?:\+{1,2}|#)?$/;
const GLYPHS: Readonly<Record<string, number>> = { '!': 1, '?': 2, '!!': 3, '??': 4, '!?': 5, '?!': 6 };
const RESULTS_READ: Readonly<Record<string, GameResult>> = {
  '1-0': '1-0',
  '+--': '1-0',
  '+-': '1-0',
  WHITEWIN: '1-0',
  '0-1': '0-1',
  '--+': '0-1',
  '-+': '0-1',
  BLACKWIN: '0-1',
  '1/2-1/2': '1/2-1/2',
  '1/2': '1/2-1/2',
  '½-½': '1/2-1/2',
  '½': '1/2-1/2',
  '0.5-0.5': '1/2-1/2',
  '=-=': '1/2-1/2',
  DRAW: '1/2-1/2',
  '*': '*',
  '?': '*',
  '': '*',
};

const plainDashes = (text: string): string => text.replace(/[‐-―−_]/g, '-');

/** Reads a result as tags and terminators spell it (dashes, halves, words); undefined when it is none of the four. */
export function parseResult(text: string): GameResult | undefined {
  const plain = plainDashes(text).replace(/\s+/g, '').replace(/:/g, '-').toUpperCase();
  return RESULTS_READ[plain];
}

/** Reads a Variant tag; undefined for rules this program does not know. */
export function parseVariant(text: string | undefined): Variant | undefined {
  if (text === undefined) return 'standard';
  const word = text.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (['', 'standard', 'normal', 'chess', 'fromposition', 'setup'].includes(word)) return 'standard';
  return /960|fischer|freestyle/.test(word) ? 'chess960' : undefined;
}

/** Reads a whole PGN text, games in order; never throws, whatever it is given. */
export function parsePgn(text: string | Uint8Array): PgnGame[] {
  const reader = createPgnReader();
  return [...reader.push(text), ...reader.end()];
}

/** Reads games from pieces of a file as they come, holding one game at a time. */
export async function* readPgn(chunks: AsyncIterable<string | Uint8Array>): AsyncGenerator<PgnGame> {
  const reader = createPgnReader();
  for await (const chunk of chunks) yield* reader.push(chunk);
  yield* reader.end();
}

/** Starts a reader; see `PgnReader`. Bytes are taken as UTF-8, a line that is none as windows-1252. */
export function createPgnReader(): PgnReader {
  const games: PgnGame[] = [];
  const lines = new LineReader((line, number) => builder.line(line, number));
  const builder = new GameBuilder(games, lines);
  return {
    push(chunk) {
      lines.push(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);
      return games.splice(0);
    },
    end() {
      lines.end();
      builder.finish();
      return games.splice(0);
    },
  };
}

/** Cuts bytes into lines at LF, CRLF or CR and decodes each. */
class LineReader {
  number = 0;
  tooLong = false;
  readonly #emit: (line: string, number: number) => void;
  #held: Uint8Array[] = [];
  #heldLength = 0;
  #first = true;
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #latin = new TextDecoder('windows-1252');

  constructor(emit: (line: string, number: number) => void) {
    this.#emit = emit;
  }

  push(bytes: Uint8Array): void {
    let from = 0;
    for (;;) {
      const at = bytes.indexOf(10, from);
      if (at < 0) break;
      this.#hold(bytes.subarray(from, at));
      this.#flush();
      from = at + 1;
    }
    // Copied: the caller may use its buffer again.
    if (from < bytes.length) this.#hold(bytes.slice(from));
    if (this.#heldLength > MAX_LINE) {
      this.tooLong = true;
      this.#flush();
    }
  }

  end(): void {
    if (this.#heldLength > 0) this.#flush();
  }

  #hold(bytes: Uint8Array): void {
    this.#held.push(bytes);
    this.#heldLength += bytes.length;
  }

  #flush(): void {
    const bytes = this.#held.length === 1 ? this.#held[0]! : concat(this.#held, this.#heldLength);
    this.#held = [];
    this.#heldLength = 0;
    let text: string;
    try {
      text = this.#utf8.decode(bytes);
    } catch {
      text = this.#latin.decode(bytes);
    }
    if (this.#first && text.startsWith('\ufeff')) text = text.slice(1);
    this.#first = false;
    if (text.endsWith('\r')) text = text.slice(0, -1);
    this.number++;
    if (!text.includes('\r')) this.#emit(text, this.number);
    else for (const line of text.split('\r')) this.#emit(line, this.number);
  }
}

function concat(parts: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

interface PlyDraft {
  san: string;
  uci: string;
  clockMs?: number;
  spentMs?: number;
  nags: number[];
  comments: string[];
  line: number;
}

/** Takes lines and builds games. */
class GameBuilder {
  readonly #games: PgnGame[];
  readonly #lines: LineReader;
  #line = 0;
  #started = false;
  #startLine = 0;
  #tags = new Map<string, string>();
  #faults: PgnFault[] = [];
  /** Anything but tags has been seen in this game. */
  #inMoves = false;
  #blankAfterTags = false;
  #comment: string | undefined;
  #commentLine = 0;
  #lastBlank = false;
  #depth = 0;
  #plies: PlyDraft[] = [];
  #unread: string[] = [];
  #comments: string[] = [];
  #terminator: GameResult | undefined;
  #position: Position | undefined;
  #ready = false;
  #variant: Variant = 'standard';
  #start = START_FEN;

  constructor(games: PgnGame[], lines: LineReader) {
    this.#games = games;
    this.#lines = lines;
  }

  line(text: string, number: number): void {
    this.#line = number;
    if (this.#lines.tooLong) {
      this.#lines.tooLong = false;
      this.#begin();
      this.#fault('PGN_LINE_TOO_LONG', 'a line is too long and was cut');
    }
    const blank = text.trim() === '';
    if (this.#comment !== undefined) {
      const lost = this.#lastBlank && /^\[[A-Z]\w*\s+".*"\]\s*$/.test(text);
      if (!lost) {
        this.#lastBlank = blank;
        this.#moves(text, 0);
        return;
      }
      // An open brace would swallow all games that follow.
      this.#closeComment(true);
    }
    this.#lastBlank = blank;
    if (text.startsWith('%')) return;
    if (blank) {
      if (this.#started && !this.#inMoves) this.#blankAfterTags = true;
      return;
    }
    if (this.#depth === 0 || /^\[[A-Z]\w*\s+".*"\]\s*$/.test(text)) {
      if (/^\s*\[(?!%)/.test(text) && this.#tagLine(text)) return;
    }
    this.#moves(text, 0);
  }

  finish(): void {
    if (this.#comment !== undefined) this.#closeComment(true);
    if (!this.#started) return;
    this.#prepare();
    if (this.#depth > 0) this.#fault('PGN_VARIATION_UNCLOSED', 'a variation is not closed');
    const result = this.#result();
    this.#games.push({
      tags: this.#tags,
      variant: this.#variant,
      start: this.#start,
      plies: this.#plies,
      unread: this.#unread,
      result,
      comments: this.#comments,
      faults: this.#faults,
      line: this.#startLine,
    });
    this.#started = false;
    this.#tags = new Map();
    this.#faults = [];
    this.#inMoves = false;
    this.#blankAfterTags = false;
    this.#depth = 0;
    this.#plies = [];
    this.#unread = [];
    this.#comments = [];
    this.#terminator = undefined;
    this.#position = undefined;
    this.#ready = false;
    this.#variant = 'standard';
    this.#start = START_FEN;
  }

  #result(): GameResult {
    const tag = this.#tags.get('Result');
    const tagged = tag === undefined ? undefined : parseResult(tag);
    if (tag !== undefined && tagged === undefined) {
      this.#fault('PGN_RESULT_UNKNOWN', `"${tag}" is none of the four results`);
    }
    if (this.#terminator === undefined) {
      this.#fault('PGN_RESULT_MISSING', 'the game has no result at its end');
      return tagged ?? '*';
    }
    if (tagged === undefined || tagged === '*') return this.#terminator;
    if (this.#terminator === '*') return tagged;
    if (tagged !== this.#terminator) {
      this.#fault(
        'PGN_RESULT_CONFLICT',
        `the tag says ${tagged}, the end of the moves ${this.#terminator}: the latter is taken`,
      );
    }
    return this.#terminator;
  }

  #fault(code: PgnFault['code'], message: string, line = this.#line): void {
    this.#faults.push({ code, message, line });
  }

  #begin(): void {
    if (this.#started) return;
    this.#started = true;
    this.#startLine = this.#line;
  }

  /** Reads a line of tags; false when it is not one. */
  #tagLine(text: string): boolean {
    const pairs: [name: string, value: string][] = [];
    let rest = text;
    for (;;) {
      const match = STRICT_TAG.exec(rest);
      if (match === null) break;
      pairs.push([match[1]!, match[2]!]);
      rest = rest.slice(match[0].length);
    }
    const broken = pairs.length === 0;
    if (broken) {
      const match = LOOSE_TAG.exec(text) ?? (this.#inMoves ? null : TORN_TAG.exec(text));
      if (match === null && this.#inMoves) return false;
      if (match !== null) pairs.push([match[1]!, match[2]!]);
      rest = '';
    }
    // Event comes first of all (8.1.1): behind a blank line it is another game's.
    const repeats = pairs.some(
      ([name]) => canonicalName(name) === 'Event' || this.#tags.has(canonicalName(name)),
    );
    if (this.#inMoves || (this.#blankAfterTags && repeats)) this.finish();
    this.#begin();
    if (broken) this.#fault('PGN_TAG_BROKEN', 'a tag is not written as [Name "value"]');
    for (const [name, raw] of pairs) {
      const key = canonicalName(name);
      if (this.#tags.has(key)) {
        this.#fault('PGN_TAG_DUPLICATE', `the tag ${key} stands twice; the first is taken`);
      } else this.#tags.set(key, raw.replace(/\\(["\\])/g, '$1'));
    }
    if (rest.trim() !== '') this.#moves(rest, 0);
    return true;
  }

  /** Sets up the start position from the tags, once. */
  #prepare(): void {
    if (this.#ready) return;
    this.#ready = true;
    const variant = parseVariant(this.#tags.get('Variant'));
    if (variant === undefined) {
      this.#fault(
        'PGN_VARIANT',
        `the rules of "${this.#tags.get('Variant')}" are not known`,
        this.#startLine,
      );
      return;
    }
    this.#variant = variant;
    const fen = this.#tags.get('FEN');
    if (fen === undefined) {
      this.#position = Position.initial();
      if (variant === 'chess960') {
        const start = Position.fromFen(START_FEN, variant);
        if (start.ok) this.#position = start.value;
      }
      return;
    }
    const position = Position.fromFen(fen, variant);
    if (position.ok) {
      this.#position = position.value;
      this.#start = position.value.fen();
    } else {
      this.#fault('PGN_FEN', position.fault.message, this.#startLine);
      this.#start = fen;
    }
  }

  #closeComment(unclosed = false): void {
    const text = this.#comment ?? '';
    this.#comment = undefined;
    if (unclosed) this.#fault('PGN_COMMENT_UNCLOSED', 'a comment is not closed', this.#commentLine);
    if (this.#depth > 0) return;
    this.#addComment(text);
  }

  #addComment(text: string): void {
    const flat = text.replace(/\s+/g, ' ');
    // A comment after a move that could not be read belongs to nothing that is kept.
    const ply = this.#unread.length > 0 ? undefined : this.#plies.at(-1);
    const left = flat
      .replace(COMMAND, (whole: string, name: string, value: string) => {
        if (name !== 'clk' && name !== 'emt') return whole;
        const ms = parseClock(value);
        if (ms === undefined) {
          this.#fault('PGN_CLOCK', `"${value.trim()}" is no clock time`);
          return whole;
        }
        if (ply !== undefined) {
          if (name === 'clk') ply.clockMs = ms;
          else ply.spentMs = ms;
        }
        return '';
      })
      .trim();
    if (left === '') return;
    if (ply !== undefined) ply.comments.push(left);
    else if (this.#plies.length === 0) this.#comments.push(left);
  }

  /** Reads move text of one line from a column on. */
  #moves(text: string, from: number): void {
    let at = from;
    if (this.#comment !== undefined && text.trim() === '') return;
    while (at < text.length) {
      if (this.#comment !== undefined) {
        const end = text.indexOf('}', at);
        const piece = text.slice(at, end < 0 ? undefined : end);
        if (this.#comment.length < MAX_COMMENT) {
          this.#comment += (this.#comment === '' ? '' : ' ') + piece.slice(0, MAX_COMMENT);
        }
        if (end < 0) return;
        at = end + 1;
        this.#closeComment();
        continue;
      }
      const char = text[at]!;
      if (char <= ' ' || char === '\u00a0' || char === ')' || char === '}' || char === ']') {
        if ((char === ')' || char === ']') && this.#depth > 0) this.#depth--;
        at++;
        continue;
      }
      this.#enterMoves();
      if (char === '{') {
        this.#comment = '';
        this.#commentLine = this.#line;
        at++;
      } else if (char === ';') {
        if (this.#depth === 0) this.#addComment(text.slice(at + 1));
        return;
      } else if (char === '(' || (char === '[' && text[at + 1] !== '%')) {
        // Some programs write variations in square brackets.
        this.#depth++;
        at++;
      } else if (char === '[') {
        const end = text.indexOf(']', at);
        const stop = end < 0 ? text.length : end + 1;
        if (this.#depth === 0) this.#addComment(text.slice(at, stop));
        at = stop;
      } else if (char === '<') {
        const end = text.indexOf('>', at);
        at = end < 0 ? text.length : end + 1;
      } else {
        let end = at + 1;
        while (end < text.length && !/[\s{}();[\]<>$\u00a0]/.test(text[end]!)) end++;
        if (/^\([NBRQ]\)/.test(text.slice(end, end + 3))) end += 3;
        if (this.#depth === 0) this.#word(text.slice(at, end));
        at = end;
      }
    }
  }

  #enterMoves(): void {
    // After a terminator comes another game, with or without tags.
    if (this.#terminator !== undefined) this.finish();
    this.#begin();
    this.#inMoves = true;
  }

  #word(raw: string): void {
    if (raw.startsWith('$')) {
      const nag = Number(raw.slice(1));
      if (Number.isInteger(nag) && nag <= 255) this.#plies.at(-1)?.nags.push(nag);
      return;
    }
    let word = plainDashes(raw);
    if (this.#isTerminator(word)) {
      this.#prepare();
      this.#terminator = parseResult(word) ?? '*';
      return;
    }
    word = word.replace(/^\d+(?:\.+|…|$)/, '').replace(/^[.…]+/, '');
    const glyph = /[!?]+$/.exec(word)?.[0];
    if (glyph !== undefined) word = word.slice(0, -glyph.length);
    if (word !== '') this.#move(word);
    if (glyph !== undefined && GLYPHS[glyph] !== undefined) this.#plies.at(-1)?.nags.push(GLYPHS[glyph]);
  }

  #isTerminator(word: string): boolean {
    if (word === '*') return true;
    if (!/^[01½][/\d½.]*[-:]?[\d/½.]*$/.test(word)) return false;
    if (word !== '0-0') return parseResult(word) !== undefined;
    // Castling by its zeros, or nobody scored: where castling is not legal the latter is meant.
    this.#prepare();
    if (this.#unread.length > 0 || this.#position?.parseSan('O-O') !== undefined) return false;
    this.#fault('PGN_RESULT_UNKNOWN', '0-0 is none of the four results');
    return true;
  }

  #move(word: string): void {
    this.#prepare();
    if (/^(?:e\.?p\.?|=|\+=|=\+|\+\/?-|-\/?\+|\+\/=|=\/\+|∞|N|D|N\.|\+{1,2}|#|mate)$/.test(word)) return;
    if (this.#unread.length > 0) {
      this.#unread.push(word);
      return;
    }
    if (/^(?:--|Z0|null|pass|@@@@|0000)$/i.test(word)) {
      this.#fault('PGN_NULL_MOVE', `"${word}" is no move`);
      this.#unread.push(word);
      return;
    }
    const position = this.#position;
    if (position === undefined) {
      this.#unread.push(word);
      return;
    }
    const move = findMove(position, word);
    if (move === undefined) {
      // Going on after a word that may have been a move would read the opponent's reply as a move of this side.
      if (MOVE_SHAPE.test(word)) {
        this.#fault('PGN_ILLEGAL_MOVE', `${word} is not legal as ply ${this.#plies.length + 1}`);
      } else this.#fault('PGN_TOKEN', `"${word.slice(0, 40)}" is no move`);
      this.#unread.push(word);
      return;
    }
    this.#plies.push({
      san: position.san(move),
      uci: position.uci(move),
      nags: [],
      comments: [],
      line: this.#line,
    });
    this.#position = position.play(move);
  }
}

const ROSTER_NAMES = new Map(
  [
    'Event',
    'Site',
    'Date',
    'Round',
    'White',
    'Black',
    'Result',
    'FEN',
    'SetUp',
    'Variant',
    'TimeControl',
    'WhiteElo',
    'BlackElo',
    'Board',
  ].map((name) => [name.toLowerCase(), name]),
);

/** Tags are case-sensitive; the well-known ones are found under any case. */
const canonicalName = (name: string): string => ROSTER_NAMES.get(name.toLowerCase()) ?? name;

/** The one legal move a word means, tolerant of spelling; undefined when none or several fit. */
function findMove(position: Position, word: string): Move | undefined {
  const plain = word
    .replace(/(?:e\.?p\.?|mate|\+{1,2}|#|†|‡)+$/i, '')
    .replace(/^[0o](-[0o]){1,2}$/i, (text) => text.replace(/[0o]/gi, 'O'))
    .replaceAll(':', 'x')
    .replace(/[(/]([NBRQ])\)?$/, '=$1')
    .replace(/^P(?=[a-h])/, '');
  return (
    position.parseSan(plain) ??
    position.parseUci(plain.toLowerCase()) ??
    (/^[nrqk]/.test(plain) ? position.parseSan(plain[0]!.toUpperCase() + plain.slice(1)) : undefined)
  );
}
