import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePgn as parseOpsPgn, startingPosition } from 'chessops/pgn';
import { makeSanAndPlay, parseSan } from 'chessops/san';
import { describe, expect, it } from 'vitest';
import { createGameRecord } from '../../core/game-record.ts';
import { type PgnGame, parsePgn, readPgn } from '../../recorder/pgn/reader.ts';
import { makePgn } from '../../recorder/pgn/writer.ts';

const data = process.env.JADOUBE_DATA ?? '../shared/data';
const present = existsSync(join(data, 'pgn'));
if (!present) console.warn(`no field data in ${data}: PGN files were not read`);

/** The game written again by our writer, as if it had just been played. */
function rewrite(game: PgnGame): string {
  const record = createGameRecord({
    type: 'gameStarted',
    atMs: 0,
    game: 1,
    variant: game.variant,
    start: game.start,
    orientation: 'normal',
  });
  record.result = game.result;
  for (const { san, uci, clockMs } of game.plies) {
    record.plies.push({
      san,
      uci,
      state: 'settled',
      madeAtMs: 0,
      completedAtMs: 0,
      ...(clockMs !== undefined && { clockMs }),
    });
  }
  return makePgn(record, Object.fromEntries(game.tags));
}

describe.skipIf(!present)('PGN files of the field', () => {
  const expected = {
    'club-games.pgn': { games: 2037, plies: 153_183, clocks: 0, cut: 0 },
    'national-games-2019.pgn': { games: 454, plies: 33_253, clocks: 3_023, cut: 1 },
    'open-2025-odd.pgn': { games: 252, plies: 20_369, clocks: 20_320, cut: 0 },
    'world-cup-2025-odd.pgn': { games: 273, plies: 24_464, clocks: 24_278, cut: 4 },
  };

  it.each(Object.entries(expected))(
    'reads all games of %s as the rules library does',
    async (name, numbers) => {
      const path = join(data, 'pgn', name);
      const games: PgnGame[] = [];
      for await (const game of readPgn(createReadStream(path))) games.push(game);
      const plies = games.flatMap((game) => game.plies);
      expect({
        games: games.length,
        plies: plies.length,
        clocks: plies.filter((ply) => ply.clockMs !== undefined).length,
        cut: games.filter((game) => game.unread.length > 0).length,
      }).toEqual(numbers);

      // The library makes a game without moves of a tag whose quotes are not escaped, and reads variations in
      // square brackets as moves.
      const text = readFileSync(path, 'utf8').replace(/\[(\d+\.[^\]"]*)\]/g, '($1)');
      const theirs = parseOpsPgn(text).flatMap((game) => {
        const position = startingPosition(game.headers).unwrap();
        const sans: string[] = [];
        for (const node of game.moves.mainline()) {
          const move = parseSan(position, node.san);
          if (move === undefined) break;
          sans.push(makeSanAndPlay(position, move));
        }
        return sans.length === 0 ? [] : [sans];
      });
      const ours = games.map((game) => game.plies.map((ply) => ply.san)).filter((sans) => sans.length > 0);
      expect(ours).toEqual(theirs);
    },
  );

  it.each(Object.keys(expected))('writes the games of %s and reads them back the same', (name) => {
    const games = parsePgn(readFileSync(join(data, 'pgn', name)));
    for (const game of games.filter((_, i) => games.length < 1000 || i % 8 === 0)) {
      const again = parsePgn(rewrite(game))[0]!;
      expect(again.faults).toEqual([]);
      expect(again.result).toBe(game.result);
      expect(again.plies.map((ply) => ply.san)).toEqual(game.plies.map((ply) => ply.san));
      expect(again.plies.map((ply) => ply.clockMs)).toEqual(
        game.plies.map((ply) =>
          ply.clockMs === undefined ? undefined : Math.floor(ply.clockMs / 1000) * 1000,
        ),
      );
    }
  });
});

describe.skipIf(!present)('PGN files that are broken or unusual', () => {
  const games = Object.fromEntries(
    (present ? readdirSync(join(data, 'pgn-syntax')) : []).map((name) => [
      name,
      parsePgn(readFileSync(join(data, 'pgn-syntax', name))),
    ]),
  );

  it('finds every game in every file', () => {
    expect(
      Object.fromEntries(
        Object.entries(games).flatMap(([name, list]) => (list.length === 1 ? [] : [[name, list.length]])),
      ),
    ).toEqual({
      'empty_body.pgn': 2,
      'fishtest-fastchess.pgn': 4,
      'kasparov-deep-blue.pgn': 6,
      'multiple.pgn': 4,
      'no_moves_but_comment_followed_by_termination_marker.pgn': 2,
      'no_moves_but_game_termination_multiple.pgn': 2,
      'no_moves_but_game_termination_multiple_2.pgn': 3,
      'no_moves_two_games.pgn': 2,
      'skip.pgn': 2,
    });
  });

  it('reads names whose quotes and backslashes were not escaped', () => {
    expect(games['unescaped_quote_header.pgn']![0]!.tags.get('White')).toBe('Smith, John "The King"');
    expect(games['unescaped_quote_header.pgn']![0]!.tags.get('Site')).toBe('Club "Victory"');
    expect(games['backslash_header.pgn']![0]!.tags.get('Event')).toBe('Tournament \\');
    expect(games['square_bracket_in_header.pgn']![0]!.tags.get('Variation')).toBe('closing ] opening');
    expect(games['non_ascii.pgn']![0]!.tags.get('Black')).toBe('Владимир Петров');
  });

  it('says where a text is broken', () => {
    expect(games['corrupted.pgn']![0]!.faults.map((fault) => [fault.code, fault.line])).toEqual([
      ['PGN_TOKEN', 57],
      ['PGN_RESULT_MISSING', 57],
    ]);
    expect(games['corrupted.pgn']![0]!.plies).toHaveLength(124);
    expect(games['variations.pgn']![0]!.plies).toHaveLength(108);
    expect(games['no_moves_but_game_termination_2.pgn']![0]!.faults).toMatchObject([
      { code: 'PGN_RESULT_CONFLICT' },
    ]);
  });
});
