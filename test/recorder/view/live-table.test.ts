import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GameEvent } from '../../../core/game-event.ts';
import type { GameRecord } from '../../../core/game-record.ts';
import { createPhrases } from '../../../recorder/language/phrases.ts';
import type { RecorderUpdate } from '../../../recorder/recorder.ts';
import { displayWidth } from '../../../recorder/view/display-text.ts';
import { makeLiveTable } from '../../../recorder/view/live-table.ts';
import {
  createLiveView,
  type LiveView,
  makeMoves,
  updateLiveView,
} from '../../../recorder/view/live-view.ts';
import { playedGame } from '../pgn/played-game.ts';

const gameUpdate = (
  board: string,
  record: GameRecord,
  events: readonly GameEvent[] = [],
  tags: Record<string, string> = {},
): RecorderUpdate => ({ type: 'game', board, id: 1, token: 't', tags, record, events });

const link = (board: string, state: 'connecting' | 'up' | 'lost'): RecorderUpdate => ({
  type: 'board',
  board,
  kind: 'dgt',
  update: { type: 'link', atMs: 0, link: state },
});

const viewOf = (...updates: readonly RecorderUpdate[]): LiveView => {
  const view = createLiveView();
  for (const update of updates) updateLiveView(view, update);
  return view;
};

const stateOf = (view: LiveView): string | undefined => view.rows[0]?.state;

describe('live view', () => {
  it('says how a board stands, from the first contact to the result', () => {
    const record = playedGame([]);
    const view = viewOf(link('b', 'connecting'));
    expect(stateOf(view)).toBe('connecting');
    updateLiveView(view, link('b', 'up'));
    expect(stateOf(view)).toBe('waiting');
    updateLiveView(view, gameUpdate('b', record));
    expect(stateOf(view)).toBe('ready');
    const moves = playedGame(['e4']);
    updateLiveView(view, gameUpdate('b', moves));
    expect(stateOf(view)).toBe('playing');
    moves.inSync = false;
    updateLiveView(view, gameUpdate('b', moves));
    expect(stateOf(view)).toBe('moving');
    updateLiveView(view, link('b', 'lost'));
    expect(stateOf(view)).toBe('link lost');
    updateLiveView(view, link('b', 'up'));
    expect(stateOf(view)).toBe('playing');
    updateLiveView(view, gameUpdate('b', playedGame(['e4', 'e5'], { states: ['settled', 'ambiguous'] })));
    expect(stateOf(view)).toBe('in doubt');
    const ended = playedGame(['e4'], { result: '1-0' });
    ended.reason = 'kings';
    updateLiveView(view, gameUpdate('b', ended));
    expect(stateOf(view)).toBe('1-0 kings');
  });

  it('shows a game as it was derived again, when it is the one that is on the board', () => {
    const view = viewOf(link('b', 'up'), gameUpdate('b', playedGame(['e4'])));
    const row = view.rows[0]!;
    const facts = { token: 't', sittingId: 1, board: 'b', startedWallMs: 0, tags: {} };
    const decided = playedGame(['e4', 'e5']);
    decided.ended = true;
    decided.score = '0-0';
    decided.reason = 'default';
    updateLiveView(view, { type: 'rederived', game: { ...facts, id: row.id! + 1, record: decided } });
    expect(stateOf(view)).toBe('playing');
    updateLiveView(view, { type: 'rederived', game: { ...facts, id: row.id!, record: decided } });
    expect([row.plies, stateOf(view)]).toEqual([2, '0-0 default']);
  });

  it('writes moves with numbers, doubts with a question mark and open plies in brackets', () => {
    expect(
      makeMoves(playedGame(['e4', 'e5', 'Nf3'], { states: ['settled', 'ambiguous', 'provisional'] })),
    ).toBe('1.e4 e5? 2.(Nf3)');
    const start = '4k3/8/8/8/8/8/4P3/4K3 b - - 0 30';
    expect(makeMoves(playedGame(['Kd7', 'e4'], { start }))).toBe('30...Kd7 31.e4');
  });

  it('keeps the last serious flag of a game, and shows which clock runs', () => {
    const record = playedGame(['e4']);
    record.whiteMs = 60_000;
    record.blackMs = 61_000;
    record.flags.push(
      { code: 'ILLEGAL', severity: 'alarm', ply: 1, atMs: 0 },
      { code: 'TOUCH', severity: 'info', ply: 1, atMs: 0 },
    );
    const clock: GameEvent = { type: 'clock', atMs: 0, whiteMs: 60_000, blackMs: 61_000, running: 'black' };
    const view = viewOf(gameUpdate('b', record, [clock]));
    expect(view.rows[0]).toMatchObject({ running: 'black', flag: { code: 'ILLEGAL' } });
    const table = makeLiveTable(view, 120).join('\n');
    expect(table).toContain('>0:01:01');
    expect(table).toContain(' 0:01:00');
    expect(table).toContain('ILLEGAL');
    record.ended = true;
    record.result = '1-0';
    updateLiveView(view, gameUpdate('b', record, [clock]));
    expect(view.rows[0]!.running).toBeUndefined();
  });

  it('tells of ports that cannot be used until they can', () => {
    const fault = { code: 'LINK_PERMISSION', message: 'you may not open it' };
    const port = { key: '/dev/ttyUSB0', link: { type: 'serial', path: '/dev/ttyUSB0' } as const };
    const bad: RecorderUpdate = {
      type: 'fleet',
      status: { boards: [], ports: [{ ...port, state: 'retrying', fault }] },
    };
    const view = viewOf(bad);
    expect(makeLiveTable(view, 80).join('\n')).toContain('/dev/ttyUSB0: you may not open it');
    updateLiveView(view, { type: 'fleet', status: { boards: [], ports: [{ ...port, state: 'up' }] } });
    expect(makeLiveTable(view, 80)).toEqual(['no board yet']);
  });
});

describe('live table', () => {
  const long = playedGame(['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6', 'Ba4', 'Nf6', 'O-O', 'Be7']);

  it('sorts boards as people do and shows the end of the moves', () => {
    const view = viewOf(
      gameUpdate('dgt-10', long),
      gameUpdate('dgt-9', long, [], { White: 'Anna', Black: 'Ben' }),
    );
    for (const board of ['dgt-9', 'dgt-10']) updateLiveView(view, link(board, 'up'));
    const lines = makeLiveTable(view, 70);
    expect(lines[1]).toMatch(/^dgt-9 .*Anna .*Ben .*…/);
    expect(lines[1]).toContain('5.O-O Be7');
    expect(lines[2]).toMatch(/^dgt-10 /);
    expect(lines.at(-1)).toBe('2 boards, 2 playing, 20 plies');
  });

  it('fits whatever room there is, whatever the names are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ unit: 'binary', maxLength: 30 }), fc.string({ unit: 'binary' })), {
          maxLength: 9,
        }),
        fc.integer({ min: 20, max: 200 }),
        fc.integer({ min: 3, max: 12 }),
        (boards, width, height) => {
          const view = viewOf(
            ...boards.map(([board, name]) => gameUpdate(board, long, [], { White: name, Black: name })),
          );
          const lines = makeLiveTable(view, width, height);
          expect(lines.length).toBeLessThanOrEqual(height);
          for (const line of lines) {
            expect(displayWidth(line)).toBeLessThanOrEqual(width);
            expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
          }
        },
      ),
    );
  });

  it('speaks the language of whoever reads it, and explains flags where there is room', () => {
    const record = playedGame(['e4', 'e5'], { result: '1-0' });
    record.reason = 'checkmate';
    record.flags.push({ code: 'ILLEGAL', severity: 'alarm', ply: 2, atMs: 0, detail: 'e7e4' });
    const view = viewOf(gameUpdate('b', record), gameUpdate('c', playedGame(['e4'])), link('c', 'up'));
    const ru = createPhrases('ru');
    const lines = makeLiveTable(view, 160, 40, ru);
    expect(lines[0]).toContain(ru.text('live-state'));
    expect(lines[1]).toContain('1-0 мат');
    expect(lines[1]).toContain('невозможный ход');
    expect(lines[2]).toContain('игра');
    expect(lines.at(-1)).toMatch(/^b: ILLEGAL .*7\.5\.1.*e7e4/);
    expect(makeLiveTable(view, 160, lines.length - 1, ru).join('\n')).not.toContain('ILLEGAL');
    expect(makeLiveTable(view, 160, 40, createPhrases('be')).join('\n')).toContain('2 дошкі');
  });

  it('counts the boards for which there is no line', () => {
    const view = viewOf(...Array.from({ length: 40 }, (_, i) => gameUpdate(`dgt-${i}`, long)));
    const lines = makeLiveTable(view, 80, 12);
    expect(lines).toHaveLength(12);
    expect(lines.at(-2)).toBe('... and 31 more');
  });

  it('keeps its columns in place while the moves grow', () => {
    const short = playedGame(['e4']);
    const [a] = makeLiveTable(viewOf(gameUpdate('b', short)), 100);
    const [b] = makeLiveTable(viewOf(gameUpdate('b', long)), 100);
    expect(a).toBe(b);
  });
});
