/**
 * Which piece carries which tag (PROTOCOL.md, section 3). Every set of pieces has tags of its own, so a board has to be
 * taught: here the start position of a game does it. What is learnt stays for all games after it.
 */
import {
  type Cell,
  EMPTY,
  emptyPlacement,
  OCCUPIED,
  type Placement,
  parsePlacement,
} from '../../core/placement.ts';
import { rankOf, type Square } from '../../core/square.ts';

/** A tag as text, five numbers; empty: nothing stands there. 64 of them are a board, a1 = 0. */
export type Tag = string;
export type Tags = readonly Tag[];

const START = parsePlacement('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR')!;
/** Where a spare queen may stand while the pieces are learnt: white on d3, black on d6. */
const SPARES: readonly (readonly [Square, Cell])[] = [
  [19, 5],
  [43, 11],
];

/** Lines compared with each other: a tag counts when most of them agree. */
const HISTORY = 3;
const MOST = 2;
/** The start position must stand still for so many lines before it is believed to teach. */
const LEARN_LINES = 5;
/** Lines for which a first touch of the far pieces is waited for to become a move. */
const FIRST_MOVE_LINES = 40;

/** Tag to piece. */
export type TagMap = ReadonlyMap<Tag, Cell>;

/** Makes pictures of lines of tags: noise taken out, pieces named as far as they are known. */
export class TagReader {
  #pieces: TagMap;
  #history: Tags[] = [];
  #steady: Tag[] | undefined;
  /** For how many lines the steady board has not changed. */
  #still = 0;
  #told = false;
  /** Learnt from a board of which nobody knows which way it lies: the first move will tell. */
  #first: { readonly tags: Tags; lines: number } | undefined;

  constructor(pieces: TagMap = new Map()) {
    this.#pieces = pieces;
  }

  /** What is known of the pieces, for the next connection to the same board. */
  get pieces(): TagMap {
    return this.#pieces;
  }

  /** Takes a line; gives the pictures that are to be told now, mostly one. */
  take(tags: Tags): Placement[] {
    this.#history.push(tags);
    if (this.#history.length > HISTORY) this.#history.shift();
    if (this.#history.length < MOST) return [];
    const before = this.#steady;
    this.#steady = this.#smooth(before);
    const steady = this.#steady;
    this.#still = before?.every((tag, square) => tag === steady[square]) ? this.#still + 1 : 0;
    const pictures = this.#learn(steady) ?? this.#awaitFirstMove(steady) ?? [this.#picture(steady)];
    if (pictures.length > 0) this.#told = true;
    return pictures;
  }

  /**
   * A known piece that shows up is there, and no longer where it was: noise has tags that nobody carries. Anything else (a
   * square that has become empty, a tag not known) must be seen in two of the last three lines, a stranger among known
   * pieces in all three.
   */
  #smooth(before: Tags | undefined): Tag[] {
    const lines = this.#history;
    const newest = lines.at(-1)!;
    const arrived = new Set(
      newest.filter((tag, square) => this.#pieces.has(tag) && before?.[square] !== tag),
    );
    const steady: Tag[] = [];
    for (let square = 0; square < 64; square++) {
      const was = before?.[square] ?? '';
      const now = newest[square]!;
      const seen = lines.map((line) => line[square]!);
      const agree = seen.filter((tag) => tag === now).length;
      const isStranger = now !== '' && this.#pieces.size > 0 && !this.#pieces.has(now);
      if (arrived.has(now) || (now === '' && arrived.has(was))) steady.push(now);
      else steady.push(agree >= (isStranger ? HISTORY : MOST) ? now : was);
    }
    return steady;
  }

  /** A start position with tags nobody knows teaches them; undefined when there is nothing to learn. */
  #learn(steady: Tags): Placement[] | undefined {
    if (!isStart(steady)) return undefined;
    const home = steady.filter((tag, square) => tag !== '' && START[square] !== EMPTY);
    const known = home.filter((tag) => this.#pieces.has(tag));
    if (known.length === home.length) return undefined;
    // Before it has told anything, a board that may teach in a moment is not told as one of unknown pieces.
    if (this.#still < LEARN_LINES) return this.#told ? undefined : [];
    const votes = (turned: boolean): number =>
      steady.filter((tag, square) => this.#pieces.get(tag) === START[turned ? 63 - square : square]).length;
    const turned = votes(true) > votes(false);
    this.#teach(steady, turned);
    this.#first = known.length === 0 ? { tags: steady, lines: 0 } : undefined;
    return [this.#picture(steady)];
  }

  #teach(steady: Tags, turned: boolean): void {
    const pieces = new Map(this.#pieces);
    const learn = (square: Square, cell: Cell): void => {
      const tag = steady[turned ? 63 - square : square]!;
      if (tag !== '') pieces.set(tag, cell);
    };
    START.forEach((cell, square) => {
      if (cell !== EMPTY) learn(square, cell);
    });
    for (const [square, cell] of SPARES) learn(square, cell);
    this.#pieces = pieces;
  }

  /**
   * White moves first: when the first piece to arrive on an empty square comes from the seventh or eighth rank of a board
   * that has just taught its pieces, the board lies the other way round, and the pieces are those of the other side.
   */
  #awaitFirstMove(steady: Tags): Placement[] | undefined {
    const first = this.#first;
    if (first === undefined) return undefined;
    const changed = [...steady.keys()].filter((square) => steady[square] !== first.tags[square]);
    if (changed.length === 0) {
      first.lines = 0;
      return undefined;
    }
    const left = changed.filter((square) => steady[square] === '');
    const arrived = changed.filter((square) => steady[square] !== '');
    const isFar =
      left.every((square) => rankOf(square) >= 6) && arrived.every((square) => first.tags[square] === '');
    if (!isFar || left.length > 1 || ++first.lines > FIRST_MOVE_LINES) {
      this.#first = undefined;
      return undefined;
    }
    if (arrived.length === 0) return [];
    this.#first = undefined;
    if (arrived.length > 1 || steady[arrived[0]!] !== first.tags[left[0]!]) return undefined;
    this.#pieces = new Map();
    this.#teach(first.tags, true);
    return [this.#picture(first.tags), this.#picture(steady)];
  }

  #picture(tags: Tags): Placement {
    const placement = emptyPlacement();
    tags.forEach((tag, square) => {
      placement[square] = tag === '' ? EMPTY : (this.#pieces.get(tag) ?? OCCUPIED);
    });
    return placement;
  }
}

/** Whether all home squares hold tags, each its own, and nothing else does but spare queens. */
function isStart(tags: Tags): boolean {
  const taken = tags.filter((tag) => tag !== '');
  if (new Set(taken).size !== taken.length) return false;
  return tags.every((tag, square) => {
    if (START[square] !== EMPTY) return tag !== '';
    return tag === '' || SPARES.some(([spare]) => spare === square);
  });
}
