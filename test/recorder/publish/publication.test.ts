import { describe, expect, it } from 'vitest';
import { MachineDriver } from '../../../core/machine.ts';
import type { DocumentChange } from '../../../recorder/publish/documents.ts';
import {
  createPublication,
  type PublicationEvent,
  type PublicationOptions,
  SERVER_DOCUMENTS,
} from '../../../recorder/publish/publication.ts';
import { eventOf, pairing, recorded } from './public-games.ts';

/** An output of which the names that change are kept. */
function open(options: PublicationOptions = {}) {
  const publication = createPublication(options);
  const driver = new MachineDriver<PublicationEvent, DocumentChange>(publication);
  const names = (changes: readonly DocumentChange[]) => changes.map(({ name }) => name).sort();
  return {
    publication,
    feed: (input: PublicationEvent) => names(driver.feed(input)),
    wait: (untilMs: number) => names(driver.advance(untilMs)),
  };
}

describe('a publication', () => {
  it('has the documents of LiveChess for every pairing, begun or not', () => {
    const { publication, feed } = open();
    const event = eventOf([pairing(1, 1), pairing(1, 2), pairing(2, 1)]);
    const expected = [
      'round-1/game-1.pgn',
      'round-1/game-2.pgn',
      'round-1/games.pgn',
      'round-1/index.json',
      'round-2/game-1.pgn',
      'round-2/games.pgn',
      'round-2/index.json',
      'tournament.json',
    ];
    expect(feed({ type: 'event', atMs: 0, event })).toEqual(expected);
    expect(publication.names()).toEqual(expected);
    expect(publication.text('round-1/game-2.pgn')).toBe(
      [
        '[Event "Open"]\n[Site "Minsk"]\n[Date "????.??.??"]\n[Round "1.2"]\n[White "White2, Anna Maria"]\n[Black "Black2, Ben"]',
        '[Result "*"]\n[Board "2"]\n[GameId "token1x2"]\n\n*\n',
      ].join('\n'),
    );
    expect(JSON.parse(publication.text('tournament.json')!)).toMatchObject({
      rounds: [
        { count: 2, live: 0 },
        { count: 1, live: 0 },
      ],
      eboards: [],
    });
  });

  it('tells of a ply in the files of its game and its round only', () => {
    const { publication, feed } = open();
    feed({ type: 'event', atMs: 0, event: eventOf([pairing(1, 1), pairing(1, 2)]) });
    expect(feed({ type: 'recorded', atMs: 600, recorded: recorded('token1x1', ['e4']) })).toEqual([
      'round-1/game-1.pgn',
      'round-1/games.pgn',
      'round-1/index.json',
      'tournament.json',
    ]);
    expect(feed({ type: 'recorded', atMs: 1600, recorded: recorded('token1x1', ['e4', 'e5']) })).toEqual([
      'round-1/game-1.pgn',
      'round-1/games.pgn',
    ]);
    expect(publication.text('round-1/games.pgn')).toContain('1. e4 e5 *');
    // The same again is no news, neither is a game of nobody.
    expect(feed({ type: 'recorded', atMs: 1700, recorded: recorded('token1x1', ['e4', 'e5']) })).toEqual([]);
    expect(feed({ type: 'recorded', atMs: 1800, recorded: recorded('other', ['d4']) })).toEqual([]);
  });

  it('takes the file of a pairing away that is no more, and moves a game with its pairing', () => {
    const { publication, feed } = open();
    const [one, two] = [pairing(1, 1), pairing(1, 2)];
    feed({ type: 'event', atMs: 0, event: eventOf([one, two]) });
    feed({ type: 'recorded', atMs: 600, recorded: recorded('token1x2', ['d4']) });
    const changed = feed({ type: 'event', atMs: 700, event: eventOf([{ ...two, board: 1 }]) });
    expect(changed).toContain('round-1/game-2.pgn');
    expect(publication.text('round-1/game-2.pgn')).toBeUndefined();
    expect(publication.text('round-1/game-1.pgn')).toContain('[GameId "token1x2"]');
    expect(publication.text('round-1/games.pgn')!.match(/\[Event /g)).toHaveLength(1);
  });

  it('knows a game that was recorded before its pairing was', () => {
    const { publication, feed } = open();
    feed({ type: 'recorded', atMs: 600, recorded: recorded('token1x1', ['d4']) });
    feed({ type: 'event', atMs: 700, event: eventOf([pairing(1, 1)]) });
    expect(publication.text('round-1/game-1.pgn')).toContain('1. d4');
  });

  it('lets plies out when they are old enough, and says that a game has begun no sooner', () => {
    const { publication, feed, wait } = open({
      delay: { ms: 10_000, plies: 0 },
      documents: SERVER_DOCUMENTS,
    });
    feed({ type: 'event', atMs: 0, event: eventOf([pairing(1, 1)]) });
    const clocks = [60_000, 70_000];
    expect(
      feed({ type: 'recorded', atMs: 1600, recorded: recorded('token1x1', ['e4', 'e5'], { clocks }) }),
    ).toEqual([]);
    const game = () => JSON.parse(publication.text('round-1/game-1.json')!);
    expect([wait(9999), game().live]).toEqual([[], false]);
    wait(10_000);
    expect(game()).toMatchObject({ live: true, moves: ['e4'], clock: null });
    wait(11_500);
    expect(game().moves).toEqual(['e4 60', 'e5 70+1']);
    // As it was ten seconds ago, told as if it were now.
    const readAt = Date.UTC(2026, 0, 2, 12) + 1500 + 10_000;
    expect(game().clock).toEqual({ white: 60, black: 70, run: true, time: readAt });
  });

  it('withholds a game, a board or all, and the pairing of a game that begins meanwhile stays bare', () => {
    for (const scope of [
      { type: 'all' },
      { type: 'game', game: 1 },
      { type: 'board', board: 'dgt-12345' },
    ] as const) {
      const { publication, feed } = open();
      feed({ type: 'event', atMs: 0, event: eventOf([pairing(1, 1), pairing(1, 2)]) });
      feed({ type: 'recorded', atMs: 600, recorded: recorded('token1x1', ['e4']) });
      feed({ type: 'holds', atMs: 700, holds: [{ scope, sinceMs: 700 }] });
      expect(feed({ type: 'recorded', atMs: 1600, recorded: recorded('token1x1', ['e4', 'e5']) })).toEqual(
        [],
      );
      const other = { ...recorded('token1x2', ['c4', 'c5'], { board: 'dgt-2' }), games: [2] };
      expect(feed({ type: 'recorded', atMs: 1600, recorded: other }).length > 0).toBe(true);
      expect(publication.text('round-1/game-2.pgn')!.includes('c5')).toBe(scope.type !== 'all');
      feed({ type: 'holds', atMs: 5000, holds: [] });
      expect(publication.text('round-1/game-1.pgn')).toContain('e5');
    }
  });

  it('shows the same after a restart as before it', () => {
    const delay = { ms: 3000, plies: 1 };
    const moves = ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6'];
    const event = eventOf([pairing(1, 1)]);
    const before = open({ delay });
    before.feed({ type: 'event', atMs: 0, event });
    for (let atMs = 0; atMs <= 12_000; atMs += 500) {
      before.wait(atMs);
      const played = moves.slice(0, Math.floor(atMs / 1000) + 1);
      before.feed({ type: 'recorded', atMs, recorded: recorded('token1x1', played) });
      const after = open({ delay });
      after.feed({ type: 'event', atMs, event });
      after.feed({ type: 'recorded', atMs, recorded: recorded('token1x1', played) });
      expect(after.publication.text('round-1/game-1.pgn')).toBe(
        before.publication.text('round-1/game-1.pgn'),
      );
    }
  });
});
