import { describe, expect, it } from 'vitest';
import type { GameEvent } from '../../../core/game-event.ts';
import { makePlacement, parsePlacement } from '../../../core/placement.ts';
import { createJsonLines } from '../../../recorder/view/json-lines.ts';
import { playedGame } from '../pgn/played-game.ts';

describe('JSON lines', () => {
  it('writes one object a line for every event of a game', () => {
    const record = playedGame(['e4']);
    const placement = parsePlacement('8/8/8/8/8/8/8/K1k5')!;
    const lines = createJsonLines().take({
      type: 'game',
      board: 'dgt-1',
      id: 7,
      token: 't7',
      tags: {},
      record,
      events: [
        { type: 'ply', atMs: 5, number: 1, ply: record.plies[0]! },
        { type: 'board', atMs: 6, placement, inSync: true },
      ],
    });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { board: 'dgt-1', id: 7, game: 1, type: 'ply', number: 1, ply: { san: 'e4' } },
      { board: 'dgt-1', id: 7, game: 1, type: 'board', placement: makePlacement(placement) },
    ]);
    for (const line of lines) expect(line).not.toContain('\n');
  });

  it('writes a game that was derived again as a whole', () => {
    const record = playedGame(['e4', 'e5']);
    record.score = '0-0';
    record.reason = 'default';
    const facts = { id: 7, token: 't7', sittingId: 1, board: 'dgt-1', startedWallMs: 0, tags: {} };
    const lines = createJsonLines().take({ type: 'rederived', game: { ...facts, record } });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        type: 'rederived',
        board: 'dgt-1',
        id: 7,
        game: 1,
        plies: [{ san: 'e4' }, { san: 'e5' }],
        result: '*',
        score: '0-0',
        reason: 'default',
      },
    ]);
  });

  it('does not say again how pieces and clock stand while nothing has changed', () => {
    const lines = createJsonLines();
    const record = playedGame(['e4']);
    const placement = parsePlacement('8/8/8/8/8/8/8/K1k5')!;
    const board = { type: 'board', placement, inSync: true } as const;
    const clock = { type: 'clock', whiteMs: 1, blackMs: 2, running: undefined } as const;
    const told = (...events: GameEvent[]): unknown[] =>
      lines
        .take({ type: 'game', board: 'dgt-1', id: 7, token: 't7', tags: {}, record, events })
        .map((line) => {
          const { atMs, type } = JSON.parse(line) as { atMs: number; type: string };
          return `${atMs} ${type}`;
        });
    expect(told({ ...board, atMs: 1 }, { ...clock, atMs: 2 })).toEqual(['1 board', '2 clock']);
    expect(told({ ...board, atMs: 3 }, { ...clock, atMs: 4 }, { ...board, atMs: 5 })).toEqual([]);
    expect(told({ ...board, atMs: 6, inSync: false }, { ...clock, atMs: 7, running: 'white' })).toEqual([
      '6 board',
      '7 clock',
    ]);
    // It stands as it did, but it has not stood so all the while.
    expect(told({ ...board, atMs: 8 })).toEqual(['8 board']);
  });

  it('says of a port only what is new', () => {
    const lines = createJsonLines();
    const status = {
      boards: [],
      ports: [{ key: 'p', link: { type: 'serial', path: 'p' } as const, state: 'connecting' as const }],
    };
    expect(lines.take({ type: 'fleet', status })).toHaveLength(1);
    expect(lines.take({ type: 'fleet', status })).toHaveLength(0);
    const failed = {
      ...status,
      ports: [{ ...status.ports[0]!, state: 'failed' as const, fault: { code: 'C', message: 'm' } }],
    };
    expect(lines.take({ type: 'fleet', status: failed }).map((line) => JSON.parse(line))).toEqual([
      { type: 'port', port: 'p', state: 'failed', fault: { code: 'C', message: 'm' } },
    ]);
  });

  it('tells failures with code and cure', () => {
    const [line] = createJsonLines().take({
      type: 'fault',
      fault: { code: 'STORE_FULL', message: 'm' },
      cure: 'c',
      lost: false,
    });
    expect(JSON.parse(line!)).toEqual({
      type: 'fault',
      code: 'STORE_FULL',
      message: 'm',
      cure: 'c',
      lost: false,
    });
  });
});
