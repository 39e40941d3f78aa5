import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { NewEntry } from '../../../recorder/entry.ts';
import { MIGRATIONS } from '../../../recorder/store/migrations.ts';
import { openForWriting } from '../../../recorder/store/open-database.ts';
import { openEntryStore, openStore, openStoreReader, type Store } from '../../../recorder/store/store.ts';
import { codeOf } from '../../kit/code-of.ts';
import { recordGames } from '../recorded-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const open = (file: string): Store => openStore(file, { wallMs: () => 0 });
const RESULT: NewEntry = {
  game: 1,
  atMs: 5,
  wallMs: 77,
  by: 'A. Arbiter',
  what: { type: 'result', score: '0-0', termination: 'default' },
};

function recordedFile(): string {
  const file = join(temporaryFolder(), 'games.sqlite');
  recordGames(file, [['e4', 'e5']]);
  return file;
}

describe('entries', () => {
  it('are given back with who, when and what, and with who has undone them', () => {
    const file = recordedFile();
    const store = open(file);
    expect(store.entered(1)).toEqual({ entries: [], lastId: 0 });
    const first = store.enter(1, RESULT);
    const second = store.enter(1, { ...RESULT, what: { type: 'draw-declined', ply: 2 } });
    const undo = store.enter(1, { game: 1, atMs: 6, wallMs: 88, by: 'B', undoes: first });
    expect(store.entered(1)).toEqual({
      entries: [
        { ...RESULT, id: first, undone: { id: undo, wallMs: 88, by: 'B' } },
        { ...RESULT, id: second, what: { type: 'draw-declined', ply: 2 } },
      ],
      lastId: undo,
    });
    store.close();
  });

  it('are never changed and never deleted, and neither are rules', () => {
    const file = recordedFile();
    const store = open(file);
    store.enter(1, RESULT);
    store.setRules(1, { white: '300' }, 5);
    store.close();
    const db = new Sqlite(file);
    for (const sql of [
      "UPDATE entries SET signed_by = 'X'",
      'DELETE FROM entries',
      "UPDATE rules SET white = '60'",
      'DELETE FROM rules',
    ]) {
      expect(() => db.exec(sql)).toThrow(
        expect.objectContaining({ code: 'SQLITE_CONSTRAINT_TRIGGER' }) as Error,
      );
    }
    db.close();
  });

  it('can be undone once, in their own game, and an undo cannot', () => {
    const store = open(recordedFile());
    const id = store.enter(1, RESULT);
    const undo = (undoes: number, game = 1): number =>
      store.enter(1, { game, atMs: 6, wallMs: 88, by: 'B', undoes });
    expect(() => undo(id + 1)).toThrow();
    expect(() => undo(id, 2)).toThrow();
    const undone = undo(id);
    expect(() => undo(id)).toThrow();
    expect(() => undo(undone)).toThrow();
    expect(store.entered(1).lastId).toBe(undone);
    store.close();
  });

  it('leave their sitting behind until its games honour them', () => {
    const store = open(recordedFile());
    expect(store.behind()).toEqual([]);
    store.enter(1, RESULT);
    expect(store.behind().map(({ id }) => id)).toEqual([1]);
    const entered = store.entered(1);
    store.enter(1, { ...RESULT, atMs: 1e9 });
    store.replaceGames(1, [], entered);
    expect(store.behind().map(({ id }) => id)).toEqual([1]);
    store.replaceGames(1, [], store.entered(1));
    expect(store.behind()).toEqual([]);
    // What comes next must come after what was entered.
    expect(store.originMs(0)).toBeGreaterThan(1e9);
    store.close();
  });

  it('are written beside the recorder that has the database, and it notices', () => {
    const file = recordedFile();
    const store = open(file);
    expect(store.hasChanged()).toBe(true);
    expect(store.hasChanged()).toBe(false);
    expect(codeOf(() => open(file))).toBe('STORE_LOCKED');
    const desk = openEntryStore(file);
    expect(store.hasChanged()).toBe(false);
    desk.enter(1, RESULT);
    desk.close();
    expect(store.hasChanged()).toBe(true);
    expect(store.hasChanged()).toBe(false);
    store.enter(1, RESULT);
    expect(store.hasChanged()).toBe(false);
    store.close();
  });

  it('that cannot be read mean a damaged database', () => {
    const file = recordedFile();
    const db = new Sqlite(file);
    db.exec(
      `INSERT INTO entries (sitting_id, game, at_ms, wall_ms, signed_by, what) VALUES (1, 1, 1, 1, 'A', '{"type":"checkers"}')`,
    );
    db.close();
    const reader = openStoreReader(file);
    expect(codeOf(() => reader.entered(1))).toBe('STORE_CORRUPT');
    reader.close();
  });
});

describe('rules', () => {
  it('count from the last time that they were said', () => {
    const file = recordedFile();
    const store = open(file);
    expect(store.sittings()[0]!.options.rules).toBeUndefined();
    store.setRules(1, { white: '300', black: '180', regime: 'limited' }, 5);
    store.setRules(1, { white: '300', black: '300', rate: 'blitz' }, 6);
    expect(store.sittings()[0]!.options.rules).toEqual({ white: '300', black: '300', rate: 'blitz' });
    store.close();
  });
});

describe('a file from before there were entries', () => {
  it('is read as it is, and brought up to date by whoever may write', () => {
    const file = join(temporaryFolder(), 'old.sqlite');
    const old = openForWriting(file, MIGRATIONS.slice(0, 1));
    old.exec(`
      INSERT INTO store VALUES (1, 'token');
      INSERT INTO boards (id, key, kind, first_seen_wall_ms) VALUES (1, 'dgt-1', 'dgt', 0);
      INSERT INTO sittings VALUES (1, 1, NULL, 'standard', 0, 0, 0, 0);
      INSERT INTO games VALUES (1, 1, 1, 'standard', 'x', 0, 0, '1-0', 'kings', 1, 'normal', '', 1, NULL, NULL)`);
    old.close();
    const reader = openStoreReader(file);
    expect(reader.games()[0]!.record).toMatchObject({ result: '1-0', reason: 'kings', score: undefined });
    expect(reader.entered(1)).toEqual({ entries: [], lastId: 0 });
    expect(reader.behind()).toEqual([]);
    reader.close();
    expect(codeOf(() => openEntryStore(file))).toBe('STORE_LOCKED');
    const store = open(file);
    expect(store.games()[0]!.record).toMatchObject({ result: '1-0', reason: 'kings', score: undefined });
    expect(store.behind()).toEqual([]);
    store.close();
  });
});
