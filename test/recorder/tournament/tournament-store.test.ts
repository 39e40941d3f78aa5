import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore, openStoreReader } from '../../../recorder/store/store.ts';
import { openTournamentStore } from '../../../recorder/store/tournament-store.ts';
import type { TournamentChange } from '../../../recorder/tournament/change.ts';
import { conflictsOf, gamesThatCount, standingResult } from '../../../recorder/tournament/tournament.ts';
import { codeOf } from '../../kit/code-of.ts';
import { RECORDED_WALL_MS, recordGames } from '../recorded-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const PAIRED: readonly TournamentChange[] = [
  { type: 'event', facts: { name: 'Open', site: 'Minsk' } },
  {
    type: 'player-added',
    key: 'a',
    facts: { section: '', name: 'Anand, Vera', rating: 2400, fideId: 13500001 },
  },
  { type: 'player-added', key: 'b', facts: { section: '', name: 'Bird, Olga', title: 'WFM' } },
  { type: 'player-added', key: 'c', facts: { section: '', name: 'Cox, Ida' } },
  {
    type: 'pairing-added',
    key: 'p',
    facts: { section: '', round: 2, leg: 1, board: 7, place: 1, white: { key: 'a' }, black: { key: 'b' } },
  },
  {
    type: 'pairing-added',
    key: 'q',
    facts: { section: '', round: 2, leg: 1, board: 8, place: 2, white: { key: 'c' }, black: { key: 'a' } },
  },
];

/** A database with two pairings. */
function pairedFile(): string {
  const file = join(temporaryFolder(), 'games.sqlite');
  const store = openTournamentStore(file);
  store.apply(PAIRED, { by: 'test', wallMs: RECORDED_WALL_MS });
  store.close();
  return file;
}

function withTournament<T>(file: string, run: (store: ReturnType<typeof openTournamentStore>) => T): T {
  const store = openTournamentStore(file);
  try {
    return run(store);
  } finally {
    store.close();
  }
}

const assign = (pairing: number, eboard: string, takesGames = true): TournamentChange => ({
  type: 'assigned',
  pairing: { id: pairing },
  eboard,
  takesGames,
});
const at = { by: 'test', wallMs: RECORDED_WALL_MS };

describe('the tournament in a store', () => {
  it('gives a game the names, table and identity of its pairing', () => {
    const file = pairedFile();
    withTournament(file, (store) => store.apply([assign(1, 'dgt-1')], at));
    recordGames(file, [['e4', 'e5', 'Nf3', 'Nc6']], { Annotator: 'x', White: 'old' });
    const reader = openStoreReader(file);
    const [game] = reader.games();
    reader.close();
    const [pairing] = withTournament(file, (store) => store.read().pairings);
    expect(game!.pairing).toBe(1);
    expect(game!.tags).toEqual({
      Annotator: 'x',
      Event: 'Open',
      Site: 'Minsk',
      Round: '2.7',
      Board: '7',
      White: 'Anand, Vera',
      WhiteElo: '2400',
      WhiteFideId: '13500001',
      Black: 'Bird, Olga',
      BlackTitle: 'WFM',
      GameId: pairing!.token,
    });
    expect(pairing!.token).not.toBe(game!.token);
    expect(pairing).toMatchObject({ eboard: 'dgt-1', games: [{ game: game!.id, board: 'dgt-1', plies: 3 }] });
  });

  it('keeps the identity when names, colours and table change', () => {
    const file = pairedFile();
    withTournament(file, (store) => {
      const [before] = store.read().pairings;
      store.apply(
        [
          {
            type: 'player-changed',
            id: 1,
            facts: { section: '', name: 'Anand, Viera' },
            before: { section: '', name: 'Anand, Vera' },
          },
          {
            type: 'pairing-changed',
            id: 1,
            facts: { section: '', round: 2, leg: 1, board: 9, place: 4, white: { id: 2 }, black: { id: 1 } },
            before: { section: '', round: 2, leg: 1, board: 7, place: 1, white: { id: 1 }, black: { id: 2 } },
          },
        ],
        at,
      );
      const after = store.read().pairings.find(({ id }) => id === 1)!;
      expect(after.token).toBe(before!.token);
      expect(after.black!.name).toBe('Anand, Viera');
      expect(after.board).toBe(9);
    });
  });

  it('takes a running game along when its electronic board turns out to stand at another table', () => {
    const file = pairedFile();
    withTournament(file, (store) => store.apply([assign(1, 'dgt-1'), assign(2, 'dgt-2')], at));
    recordGames(file, [['e4', 'e5', 'Nf3', 'Nc6']]);
    withTournament(file, (store) => {
      expect(store.read().pairings.map(({ games }) => games.length)).toEqual([1, 0]);
      store.apply([assign(1, 'dgt-2'), assign(2, 'dgt-1')], at);
      const [first, second] = store.read().pairings;
      expect([first!.eboard, first!.games.length]).toEqual(['dgt-2', 0]);
      expect([second!.eboard, second!.games.length]).toEqual(['dgt-1', 1]);
    });
  });

  it('keeps results apart by their sources, the desk first, and lists who disagrees', () => {
    const file = pairedFile();
    const result = (source: 'desk' | 'file' | 'board', score: '1-0' | '0-1' | '*'): TournamentChange => ({
      type: 'result',
      pairing: { id: 1 },
      source,
      score,
      forfeit: false,
    });
    withTournament(file, (store) => {
      store.apply([result('board', '0-1'), result('file', '0-1')], at);
      expect(standingResult(store.read().pairings[0]!)).toMatchObject({ source: 'file', score: '0-1' });
      expect(conflictsOf(store.read())).toEqual([]);
      store.apply([result('desk', '1-0')], { ...at, by: 'IA Novak' });
      expect(standingResult(store.read().pairings[0]!)).toMatchObject({
        source: 'desk',
        score: '1-0',
        by: 'IA Novak',
      });
      expect(conflictsOf(store.read()).map(({ type }) => type)).toEqual(['results']);
      store.apply([result('desk', '*')], at);
      expect(standingResult(store.read().pairings[0]!)).toMatchObject({ source: 'file' });
    });
  });

  it('counts the game that was played, not the pieces set up again after it', () => {
    const file = pairedFile();
    withTournament(file, (store) => store.apply([assign(1, 'dgt-1')], at));
    const long = [
      'e4',
      'e5',
      'Nf3',
      'Nc6',
      'Bb5',
      'a6',
      'Ba4',
      'Nf6',
      'O-O',
      'Be7',
      'Re1',
      'b5',
      'Bb3',
      'd6',
    ];
    recordGames(file, [
      ['d4', 'd5'],
      [...long, 'c3', 'O-O', 'h3', 'Nb8', 'd4', 'Nbd7', 'Nbd2', 'Bb7'],
      ['c4', 'e5', 'Nc3', 'Nf6', 'g3'],
    ]);
    withTournament(file, (store) => {
      const [pairing] = store.read().pairings;
      expect(pairing!.games).toHaveLength(3);
      expect(gamesThatCount(pairing!).map(({ game }) => game)).toEqual([pairing!.games[1]!.game]);
      const third = pairing!.games[2]!.game;
      store.apply([{ type: 'game-chosen', pairing: 1, game: third }], at);
      expect(gamesThatCount(store.read().pairings[0]!).map(({ game }) => game)).toEqual([third]);
    });
  });

  it('makes all changes or none, and refuses what was made from an older state', () => {
    const file = pairedFile();
    withTournament(file, (store) => {
      const { revision } = store.read();
      expect(() => store.apply([assign(1, 'dgt-1'), assign(99, 'dgt-2')], at)).toThrow();
      expect(store.read().revision).toBe(revision);
      store.apply([assign(1, 'dgt-1')], { ...at, seen: revision });
      expect(codeOf(() => store.apply([assign(1, 'dgt-2')], { ...at, seen: revision }))).toBe(
        'TOURNAMENT_CHANGED',
      );
      expect(store.read().pairings[0]!.eboard).toBe('dgt-1');
    });
  });

  it('is changed while a recorder writes to the same database', () => {
    const file = pairedFile();
    const recorder = openStore(file, { wallMs: () => RECORDED_WALL_MS });
    withTournament(file, (store) => {
      const before = store.state();
      store.apply([assign(1, 'dgt-1')], at);
      expect(store.state()).not.toBe(before);
    });
    expect(recorder.hasChanged()).toBe(true);
    recorder.close();
  });
});
