import { describe, expect, it } from 'vitest';
import type { GameEvent } from '../../core/game-event.ts';
import { MachineDriver } from '../../core/machine.ts';
import { parsePlacement, turnPlacement } from '../../core/placement.ts';
import { createReconstructor } from '../../core/reconstructor.ts';

const START = parsePlacement('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR')!;

describe('a start position that is set up anew from the other side before the first ply', () => {
  it('turns the board, and the game goes on in true squares', () => {
    const driver = new MachineDriver(createReconstructor());
    const events: GameEvent[] = [];
    driver.feed({ type: 'dump', atMs: 0, placement: START }, events);
    driver.feed({ type: 'dump', atMs: 10_000, placement: turnPlacement(START) }, events);
    driver.feed({ type: 'square', atMs: 12_000, square: 51, cell: 0 }, events);
    driver.feed({ type: 'square', atMs: 13_000, square: 35, cell: 1 }, events);
    driver.advance(60_000, events);
    const plies = events.flatMap((event) => (event.type === 'ply' ? [event.ply.uci] : []));
    expect(new Set(plies)).toEqual(new Set(['e2e4']));
    expect(events.filter((event) => event.type === 'gameStarted')).toHaveLength(1);
    expect(events.filter((event) => event.type === 'orientation')).toHaveLength(1);
  });
});
