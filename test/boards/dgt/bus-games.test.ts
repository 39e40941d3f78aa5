import { describe, expect, test } from 'vitest';
import { dgtBus } from '../../../boards/dgt/definition.ts';
import { createDgtBusSimulator } from '../../../boards/dgt/simulator-bus.ts';
import { FAMOUS_GAMES } from '../../../recorder/demo/games.ts';
import { playCalmly, playThrough, ucisOf } from '../play-through.ts';

const tableOf = (game: number, plies: number, station: number) => ({
  played: playCalmly({ moves: FAMOUS_GAMES[game]!.moves.split(' ').slice(0, plies) }, game + 1, 'blitz'),
  station: String(station),
});
const wordsOf = (flags: readonly { readonly code: string }[] = []): string[] =>
  flags.map(({ code }) => code.replace(/\(.*/, ''));

describe('games on a line', () => {
  test('ten on ten boards come out as they were played, on turned boards too', () => {
    const tables = FAMOUS_GAMES.map((_, i) => tableOf(i, 30, 1025 + i));
    const boards = tables.map(({ station }, i) => ({
      serialNumber: `0${station}`,
      rotated: i % 2 === 1,
      alternatesChanges: i % 3 === 0,
    }));
    const { records, loop } = playThrough(dgtBus, createDgtBusSimulator(boards), tables);
    for (const [i, record] of records.entries())
      expect(ucisOf(record?.plies)).toEqual(ucisOf(tables[i]!.played.plies));
    expect(loop.losses).toEqual([]);
  }, 120_000);

  test('noise, wrong checksums and commands that nobody understands cost no move', () => {
    const tables = [tableOf(0, 24, 1025), tableOf(1, 24, 1026)];
    const boards = tables.map(({ station }) => ({ serialNumber: `0${station}` }));
    const noise = Array.from({ length: 40 }, (_, i) => ({
      atMs: 23_000 + i * 1717,
      bytes: [0x00, 0x85, 0x7f],
    }));
    const options = { corruptEvery: 211, deafEvery: 31, noise };
    const { records, loop } = playThrough(dgtBus, createDgtBusSimulator(boards, options), tables);
    expect(loop.outputs.some((o) => o.type === 'discarded' && o.fault.code === 'FRAME_CHECKSUM')).toBe(true);
    expect(loop.written.some((bytes) => bytes.startsWith('84'))).toBe(true);
    for (const [i, record] of records.entries())
      expect(ucisOf(record?.plies)).toEqual(ucisOf(tables[i]!.played.plies));
  }, 60_000);

  test('a line that is dead for minutes of a game loses nothing of it', () => {
    const tables = [tableOf(4, 44, 1025), tableOf(5, 44, 1026), tableOf(8, 44, 1027)];
    const boards = tables.map(({ station }) => ({ serialNumber: `0${station}` }));
    const lastMs = Math.min(...tables.map(({ played }) => played.plies.at(-1)!.releasedAtMs));
    const gaps = [
      { fromMs: lastMs * 0.2, toMs: lastMs * 0.5 },
      { fromMs: lastMs * 0.7, toMs: lastMs * 0.9 },
    ];
    const { records } = playThrough(dgtBus, createDgtBusSimulator(boards), tables, gaps);
    for (const [i, record] of records.entries()) {
      expect(ucisOf(record?.plies)).toEqual(ucisOf(tables[i]!.played.plies));
      const words = wordsOf(record?.flags);
      expect(words.filter((word) => word === 'LINK_LOST')).toHaveLength(2);
      expect(words.filter((word) => word === 'RECALLED')).toHaveLength(2);
      expect(words).not.toContain('AMBIGUOUS');
    }
  }, 60_000);
});
