import { lastValueFrom, Subject, tap, toArray } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { MachineDriver } from '../../../core/machine.ts';
import type { DocumentChange } from '../../../recorder/publish/documents.ts';
import { pushRound, pushToLichess } from '../../../recorder/publish/lichess-push.ts';
import { makeLichessTags } from '../../../recorder/publish/lichess-tags.ts';
import { createPublication, type PublicationEvent } from '../../../recorder/publish/publication.ts';
import { BroadcastRound, startBroadcast } from './broadcast-stand-in.ts';
import { eventOf, pairing, recorded } from './public-games.ts';
import { pushSimulatedRound } from './push-event.ts';

const TOKEN = 'lip_thisIsSecret';
const closes: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0)) await close();
});

async function start(...ids: string[]) {
  const rounds = new Map(ids.map((id) => [id, new BroadcastRound()]));
  const server = await startBroadcast(TOKEN, rounds);
  closes.push(server.close);
  return { rounds, ...server };
}

const code = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'taken',
    (error: { code: string; message: string; stack: string }) => {
      expect(`${error.message}${error.stack}${JSON.stringify(error)}`).not.toContain('Secret');
      return error.code;
    },
  );

describe('the stand-in for the broadcast', () => {
  it('refuses what lichess refuses', () => {
    const round = new BroadcastRound();
    const push = (moves: string, tags = '[White "Ann"]\n[Black "Bob"]') =>
      round.push(`${tags}\n\n${moves}\n`)[0]!;
    expect(push('1. e4 e5 *')).toMatchObject({ moves: 2 });
    expect(push('1. e4 Ke5 2. d4 *').error).toContain('illegal');
    expect(push('1. e4 e5 2. -- *').error).toContain('null');
    // The last move, a king that has gone to the centre, is overlooked.
    expect(push('1. e4 e5 2. Ke4 *')).toMatchObject({ moves: 2 });
    expect(push('1. e4 {a\n\n[b} *').error).toBeDefined();
    expect(push('1. e4 *', '[White "Ann"]\n[Black "?"]').error).toContain('dropped');
    expect(push('1. e4 *', '[White_1 "Ann"]\n[Black "Bob"]').error).toContain('tag');
    // In the middle of a game, too, a king that walks into check shows a result: what follows is no game any more.
    expect(push('1. e4 d6 2. Ke5 Kd5 *')).toMatchObject({ moves: 2 });
    expect(push('1. e4 e5 *', '[White "Ann"]\n[Black "Bob"]\n[Result "won"]').error).toContain('result');
    for (const result of ['1-0', '1:0', '½–½', '0-0', '*'])
      expect(push('1. e4 e5 *', `[White "Ann"]\n[Black "Bob"]\n[Result "${result}"]`).error).toBeUndefined();
    // A shorter line takes nothing away.
    expect(push('1. e4 *')).toMatchObject({ moves: 2 });
    expect(round.chapters[0]).toMatchObject({ live: 1, moves: ['e4', 'e5'] });
    expect(push('1. e4 c5 *')).toMatchObject({ moves: 2 });
    expect(round.chapters).toHaveLength(1);
    round.push('[White "Cid"]\n[Black "Bob"]\n\n1. d4 *\n');
    expect(round.chapters).toHaveLength(2);
  });

  it('finds a game again as lichess does, and shows games in the order in which they come', () => {
    const list = new Map([['11', { name: 'Anand, Vera', title: 'GM' }]]);
    const round = new BroadcastRound(list);
    const game = (white: string, moves: string, more = '', round = '1.1'): string =>
      `[Event "E"]\n[Site "S"]\n[Round "${round}"]\n[White "${white}"]\n[Black "Bob"]\n${more}\n${moves} *\n`;
    round.push(`${game('V. Anand', '', '[WhiteFideId "11"]\n')}\n${game('Cid', '', '', '1.2')}`);
    expect(round.chapters.map(({ tags }) => tags.get('White'))).toEqual(['Anand, Vera', 'Cid']);
    // The name that the list of FIDE gives counts, whatever is written.
    round.push(`${game('Cid', '1. d4', '', '1.2')}\n${game('Anand V', '1. e4', '[WhiteFideId "11"]\n')}`);
    expect(round.chapters.map(({ tags }) => tags.get('White'))).toEqual(['Cid', 'Anand, Vera']);
    // Another name at another table with the position of a game is that game, by whatever moves it came about.
    round.push(game('Dan', '1. d4 d5', '', '1.9'));
    expect(round.chapters.map(({ moves }) => moves.length)).toEqual([2, 1]);
    round.push(game('Eve', '1. c4', '', '1.9'));
    expect(round.chapters).toHaveLength(3);
  });
});

describe('pushing a round', () => {
  it('takes a round of people who take back, play illegal moves and show results with their kings', async () => {
    const { url, rounds } = await start('round1xx');
    const told = await pushSimulatedRound(1, 5, 12, url, TOKEN, rounds.get('round1xx')!);
    expect(told.faults).toEqual([]);
    // Nothing would be proved by a round in which nothing happened.
    expect(told.pushes).toBeGreaterThan(20);
    expect(Math.min(told.withdrawn, told.illegal, told.kings)).toBeGreaterThan(0);
  });

  it('names each refusal by a code, and never the token', async () => {
    const { url, troubles, seen } = await start('abcdefgh');
    const pgn = '[White "Ann"]\n[Black "Bob"]\n\n*\n';
    expect(await code(pushRound(url, 'abcdefgh', TOKEN, pgn))).toBe('taken');
    expect(seen[0]).toMatchObject({ authorization: `Bearer ${TOKEN}`, type: 'text/plain; charset=utf-8' });
    expect(seen[0]!.agent).toMatch(/^Jadoube\/\d/);
    expect(await code(pushRound(url, 'abcdefgh', 'wrongSecret', pgn))).toBe('LICHESS_TOKEN');
    expect(await code(pushRound(url, 'nosuchid', TOKEN, pgn))).toBe('LICHESS_ROUND');
    for (const [status, expected] of [
      [400, 'LICHESS_REFUSED'],
      [429, 'LICHESS_BUSY'],
      [500, 'LICHESS_UNREACHABLE'],
      [302, 'LICHESS_UNREACHABLE'],
    ] as const) {
      troubles.push(status);
      expect(await code(pushRound(url, 'abcdefgh', TOKEN, pgn))).toBe(expected);
    }
    expect(await code(pushRound('http://127.0.0.1:9', 'abcdefgh', TOKEN, pgn))).toBe('LICHESS_UNREACHABLE');
    // In the clear it is sent to this machine only.
    expect(await code(pushRound('http://lichess.example', 'abcdefgh', TOKEN, pgn))).toBe('LICHESS_TOKEN');
  });

  it('tries again with the newest games, tells of a refused game once, and pushes what is due at the end', async () => {
    const { url, rounds, troubles } = await start('abcdefgh');
    const round = rounds.get('abcdefgh')!;
    const publication = createPublication({ documents: ['pgn'] });
    const driver = new MachineDriver<PublicationEvent, DocumentChange>(publication);
    const changes = new Subject<DocumentChange>();
    const feed = (event: PublicationEvent): void => {
      for (const change of driver.feed(event)) changes.next(change);
    };
    const waiting = new Map<string, () => void>();
    const said: string[] = [];
    const ended = lastValueFrom(
      changes.pipe(
        pushToLichess({
          publication,
          rounds: { 1: 'abcdefgh' },
          token: () => TOKEN,
          url,
          everyMs: 1,
          retryMs: 1,
          longestRetryMs: 5,
        }),
        tap((told) => {
          const word = told.type === 'pushed' ? `pushed ${told.games}` : told.fault.code;
          said.push(word);
          waiting.get(word)?.();
          waiting.delete(word);
        }),
        toArray(),
      ),
    );
    const until = (word: string) => new Promise<void>((resolve) => void waiting.set(word, resolve));
    troubles.push(500, 502, 429);
    let next = until('pushed 2');
    feed({ type: 'event', atMs: 0, event: eventOf([pairing(1, 1), pairing(1, 2), pairing(2, 1)]) });
    feed({ type: 'recorded', atMs: 600, recorded: recorded('token1x1', ['e4']) });
    await next;
    expect(said).toEqual(['LICHESS_UNREACHABLE', 'LICHESS_BUSY', 'pushed 2']);
    expect(round.chapters.map(({ moves }) => moves)).toEqual([['e4'], []]);
    // A name of one letter is nobody's: without the dialect the game is dropped there.
    said.length = 0;
    next = until('LICHESS_GAME_REFUSED');
    const nobody = pairing(1, 2, { tags: { White: 'X', Black: 'Y' } });
    feed({ type: 'event', atMs: 700, event: eventOf([pairing(1, 1), nobody]) });
    await next;
    next = until('pushed 2');
    feed({ type: 'recorded', atMs: 1600, recorded: recorded('token1x1', ['e4', 'e5']) });
    await next;
    expect(said.filter((word) => word === 'LICHESS_GAME_REFUSED')).toHaveLength(1);
    next = until('pushed 2');
    feed({ type: 'recorded', atMs: 2600, recorded: recorded('token1x1', ['e4', 'e5', 'Nf3']) });
    await next;
    // A move that is taken back stays there: said once the game is over, for then no next move puts it right.
    next = until('LICHESS_AHEAD');
    for (const atMs of [4600, 5600]) {
      const over = recorded('token1x1', ['e4', 'e5'], { result: '1-0', board: `dgt-${atMs}` });
      feed({ type: 'recorded', atMs, recorded: over });
    }
    await next;
    changes.complete();
    await ended;
    expect(said.filter((word) => word === 'LICHESS_AHEAD')).toHaveLength(1);
    expect(round.chapters[0]!.live).toBe(2);
    expect(round.chapters[0]!.moves).toEqual(['e4', 'e5', 'Nf3']);
    expect(rounds.size).toBe(1);
  });
});

describe('the tags for lichess', () => {
  it.each([
    ['180+2', undefined],
    ['180', undefined],
    ['300+3', '300+3'],
    ['5400+30', '5400+30'],
    ['40/7200:1800', '40/7200:1800'],
  ])('keep the time control %s only where it is not taken for another', (control, expected) => {
    expect(makeLichessTags({ White: 'Ann', Black: 'Bob', TimeControl: control }).TimeControl).toBe(expected);
  });

  it('name a side that is nobody there', () => {
    for (const name of ['', '?', 'X', 'Я', 'bye', 'Unknown', '𝕏'])
      expect(makeLichessTags({ White: name, Black: 'Bob', Board: '3' })).toEqual({
        White: 'White, table 3',
        Black: 'Bob',
        Board: '3',
      });
    expect(makeLichessTags({ White: 'Li', Black: 'Xu' })).toEqual({ White: 'Li', Black: 'Xu' });
  });
});
