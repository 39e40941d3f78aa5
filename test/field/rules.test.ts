/** The rules against what the field knows of them: node counts, legal moves by SAN, and games that were played. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Chess } from 'chess.js';
import { describe, expect, it } from 'vitest';
import type { Variant } from '../../core/game-event.ts';
import { Position } from '../../core/position.ts';
import { type PgnGame, parsePgn } from '../../recorder/pgn/reader.ts';

const data = process.env.JADOUBE_DATA ?? '../shared/data';
const present = existsSync(join(data, 'perft'));
if (!present) console.warn(`no field data in ${data}: the rules were not compared with it`);

function at(fen: string, variant: Variant = 'standard'): Position {
  const position = Position.fromFen(fen, variant);
  if (!position.ok) throw new Error(position.fault.message);
  return position.value;
}

/** Number of legal sequences of this many plies. */
function countSequences(position: Position, plies: number): number {
  const moves = position.moves();
  if (plies <= 1) return moves.length;
  let count = 0;
  for (const move of moves) count += countSequences(position.play(move), plies - 1);
  return count;
}

interface PerftEntry {
  readonly id: string;
  readonly fen: string;
  /** Number of sequences by number of plies. */
  readonly counts: readonly number[];
}

function readPerft(file: string): PerftEntry[] {
  const entries: { id: string; fen: string; counts: number[] }[] = [];
  let id = '';
  for (const line of readFileSync(join(data, 'perft', file), 'utf8').split('\n')) {
    const [word, ...rest] = line.trim().split(/\s+/);
    if (word === 'id') id = rest.join(' ');
    if (word === 'epd') entries.push({ id, fen: `${rest.slice(0, 4).join(' ')} 0 1`, counts: [] });
    if (word === 'perft') entries.at(-1)?.counts.push(Number(rest[1]));
  }
  return entries;
}

describe.skipIf(!present)('numbers of legal sequences', () => {
  it.each<[string, Variant, number, number]>([
    ['random.perft', 'standard', 997, 8_000],
    ['chess960.perft', 'chess960', 960, 8_000],
    ['tricky.perft', 'chess960', 19, 150_000],
  ])('in %s (as %s) are those that are known', (file, variant, positions, budget) => {
    const entries = readPerft(file);
    expect(entries).toHaveLength(positions);
    let compared = 0;
    for (const { id, fen, counts } of entries) {
      // The deepest count that the budget allows, and in any case the moves themselves.
      const plies = Math.max(1, counts.findLastIndex((count) => count <= budget) + 1);
      expect([id, plies, countSequences(at(fen, variant), plies)]).toEqual([id, plies, counts[plies - 1]]);
      compared++;
    }
    expect(compared).toBe(positions);
  });
});

interface SanFile {
  readonly testCases: readonly {
    readonly start: { readonly fen: string };
    readonly expected: readonly { readonly move: string; readonly fen: string }[];
  }[];
}

/** Where a capture in passing would land is told or not: files differ. */
const withoutEnPassant = (fen: string): string => fen.split(' ').toSpliced(3, 1).join(' ');

describe.skipIf(!present)('legal moves by SAN', () => {
  const folder = join(data, 'san');
  it.each(present ? readdirSync(folder) : [])('in %s are all of them, and lead where they should', (file) => {
    const { testCases } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as SanFile;
    expect(testCases.length).toBeGreaterThan(0);
    for (const { start, expected } of testCases) {
      const position = at(start.fen);
      const played = position
        .moves()
        .map((move) => [position.san(move), withoutEnPassant(position.play(move).fen())]);
      const known = expected.map(({ move, fen }) => [move, withoutEnPassant(fen)]);
      expect(played.sort(), start.fen).toEqual(known.sort());
      for (const { move } of expected) expect(position.san(position.parseSan(move)!)).toBe(move);
    }
  });
});

/** Every so-manieth game of a file, so that a large file takes no longer than a small one. */
const gamesOf = (name: string, step: number): PgnGame[] => {
  const games = read.get(name) ?? parsePgn(readFileSync(join(data, 'pgn', name)));
  read.set(name, games);
  return games.filter((_, i) => i % step === 0);
};
const read = new Map<string, PgnGame[]>();

describe.skipIf(!present)('games that were played', () => {
  it.each([
    ['club-games.pgn', 8],
    ['national-games-2019.pgn', 2],
    ['open-2025-odd.pgn', 1],
    ['world-cup-2025-odd.pgn', 1],
  ])('in %s are legal from the first ply to the last', (name, step) => {
    const unread: string[] = [];
    let plies = 0;
    for (const game of gamesOf(name, step)) {
      let position = at(game.start, game.variant);
      for (const { san } of game.plies) {
        const move = position.parseSan(san);
        const again = move === undefined ? undefined : position.parseUci(position.uci(move));
        if (move === undefined || again !== move || position.san(move) !== san) {
          unread.push(`${san} in ${position.fen()}`);
          break;
        }
        position = position.play(move);
        plies++;
      }
    }
    expect(unread).toEqual([]);
    expect(plies).toBeGreaterThan(10_000);
  });

  it.each([
    ['club-games.pgn', 100],
    ['world-cup-2025-odd.pgn', 20],
  ])('in %s stand as another library says after every ply', (name, step) => {
    let plies = 0;
    for (const game of gamesOf(name, step)) {
      const other = new Chess(game.start);
      let position = at(game.start, game.variant);
      const ours: unknown[] = [];
      const theirs: unknown[] = [];
      for (const { san } of game.plies) {
        other.move(san);
        position = position.play(position.parseSan(san)!);
        ours.push([withoutEnPassant(position.fen()), position.isCheck(), position.hasMoves()]);
        theirs.push([withoutEnPassant(other.fen()), other.isCheck(), other.moves().length > 0]);
        plies++;
      }
      expect(ours).toEqual(theirs);
      expect([position.isCheckmate(), position.isStalemate()]).toEqual([
        other.isCheckmate(),
        other.isStalemate(),
      ]);
      expect(
        position
          .moves()
          .map((move) => position.san(move))
          .sort(),
      ).toEqual(other.moves().sort());
    }
    expect(plies).toBeGreaterThan(300);
  });
});
