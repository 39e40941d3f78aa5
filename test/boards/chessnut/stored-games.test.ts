import { describe, expect, it } from 'vitest';
import { chessnut } from '../../../boards/chessnut/definition.ts';
import { createChessnutSimulator } from '../../../boards/chessnut/simulator.ts';
import { createChessnutStoredGames } from '../../../boards/chessnut/stored-games.ts';
import type {
  SimulatorEvent,
  SimulatorOutput,
  StoredGamesEvent,
  StoredGamesOutput,
} from '../../../boards/definition.ts';
import { MachineDriver } from '../../../core/machine.ts';
import { makePlacement } from '../../../core/placement.ts';
import { hex } from '../loop.ts';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';
const E4 = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR';
const D4 = 'rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR';

/** Fetches from a simulated board; `keeps` says of each game, by its number, whether it was written. */
function fetch(
  storedGames: readonly (readonly string[])[],
  keeps: (game: number) => boolean,
  deafFromMs?: number,
) {
  const host = new MachineDriver<StoredGamesEvent, StoredGamesOutput>(createChessnutStoredGames());
  const board = new MachineDriver<SimulatorEvent, SimulatorOutput>(
    createChessnutSimulator({ storedGames, ...(deafFromMs !== undefined && { silentFromMs: deafFromMs }) }),
  );
  const told: string[] = [];
  const written: string[] = [];
  let games = 0;
  let nowMs = 0;
  const heed = (outputs: readonly StoredGamesOutput[]): void => {
    for (const output of outputs) {
      if (output.type === 'write') {
        written.push(hex(output.bytes));
        const answers = board.feed({ type: 'bytes', atMs: nowMs, bytes: output.bytes });
        for (const { bytes } of answers) heed(host.feed({ type: 'bytes', atMs: nowMs, bytes }));
      } else if (output.type === 'game') {
        const decoder = chessnut.createDecoder();
        const fens = decoder
          .decode(output.bytes, 0)
          .flatMap((d) =>
            d.type === 'sensor' && d.event.type === 'dump' ? [makePlacement(d.event.placement)] : [],
          );
        told.push(`game ${fens.join(' ')}`);
        const event = keeps(games++) ? 'kept' : 'enough';
        heed(host.feed({ type: event, atMs: nowMs }));
      } else told.push(output.type === 'count' ? `count ${output.count}` : output.type);
    }
  };
  board.feed({ type: 'bytes', atMs: 0, bytes: new Uint8Array(0) });
  heed(host.feed({ type: 'opened', atMs: 0 }));
  while (nowMs < 60_000) {
    nowMs = Math.min(host.wakeAtMs ?? 60_000, board.wakeAtMs ?? 60_000, 60_000);
    for (const { bytes } of board.advance(nowMs)) heed(host.feed({ type: 'bytes', atMs: nowMs, bytes }));
    heed(host.advance(nowMs));
  }
  return { told, written };
}

describe('stored games', () => {
  it('come newest first, each deleted only after it was kept', () => {
    const { told, written } = fetch(
      [
        [START, E4],
        [START, D4],
      ],
      () => true,
    );
    expect(told).toEqual([
      'count 2',
      `game ${START} ${D4}`,
      'count 1',
      `game ${START} ${E4}`,
      'count 0',
      'done',
    ]);
    expect(written.filter((text) => text === '39 01 00')).toHaveLength(2);
    expect(written.at(-1)).toBe('21 01 00');
  });

  it('stay on the board when the newest one was not kept', () => {
    const { told, written } = fetch(
      [
        [START, E4],
        [START, D4],
      ],
      () => false,
    );
    expect(told).toEqual(['count 2', `game ${START} ${D4}`, 'done']);
    expect(written).not.toContain('39 01 00');
    expect(written.at(-1)).toBe('21 01 00');
  });

  it('are none on a board that has none, and it reports positions again', () => {
    const { told, written } = fetch([], () => true);
    expect(told).toEqual(['count 0', 'done']);
    expect(written).toEqual(['31 01 00', '21 01 00']);
  });

  it('are given up with a word when the board falls silent, and nothing is deleted', () => {
    const { told, written } = fetch([[START, E4]], () => true, 100);
    expect(told).toEqual(['count 1', 'failed', 'done']);
    expect(written).not.toContain('39 01 00');
    expect(fetch([], () => true, 0).told).toEqual(['failed', 'done']);
  });
});
