import { describe, expect, it } from 'vitest';
import { MachineDriver } from '../../../core/machine.ts';
import { createLights, REST_MS } from '../../../recorder/lights/lights-machine.ts';

const lights = (on: boolean) => {
  const driver = new MachineDriver(createLights());
  driver.feed({ type: 'switched', atMs: 0, on });
  return driver;
};
const light = (...squares: number[]) => [{ type: 'light', squares }];

describe('lights', () => {
  it('come on after a rest on the squares that differ, and go out when the board agrees', () => {
    const driver = lights(true);
    driver.feed({ type: 'moved', atMs: 1000 });
    expect(driver.feed({ type: 'differing', atMs: 1010, squares: [12, 28] })).toEqual([]);
    expect(driver.advance(1000 + REST_MS - 1)).toEqual([]);
    expect(driver.advance(1000 + REST_MS)).toEqual(light(12, 28));
    expect(driver.feed({ type: 'differing', atMs: 9000, squares: [] })).toEqual(light());
  });

  it('go out as soon as something moves, and come back with what differs then', () => {
    const driver = lights(true);
    expect(driver.feed({ type: 'differing', atMs: 5000, squares: [12] })).toEqual(light(12));
    expect(driver.feed({ type: 'moved', atMs: 6000 })).toEqual(light());
    driver.feed({ type: 'differing', atMs: 6010, squares: [12, 13] });
    expect(driver.advance(6000 + REST_MS)).toEqual(light(12, 13));
  });

  it('of a board that agrees are never spoken of', () => {
    const driver = lights(true);
    driver.feed({ type: 'moved', atMs: 1000 });
    driver.feed({ type: 'differing', atMs: 1010, squares: [12] });
    driver.feed({ type: 'moved', atMs: 1500 });
    driver.feed({ type: 'differing', atMs: 1510, squares: [] });
    expect(driver.advance(60_000)).toEqual([]);
  });

  it('that nobody wants stay dark', () => {
    const driver = lights(false);
    driver.feed({ type: 'moved', atMs: 1000 });
    driver.feed({ type: 'differing', atMs: 1010, squares: [12] });
    expect(driver.advance(60_000)).toEqual([]);
    expect(driver.feed({ type: 'switched', atMs: 61_000, on: true })).toEqual(light(12));
    expect(driver.feed({ type: 'switched', atMs: 62_000, on: false })).toEqual(light());
  });

  it('are told again to a board that was away', () => {
    const driver = lights(true);
    driver.feed({ type: 'differing', atMs: 5000, squares: [12] });
    expect(driver.feed({ type: 'up', atMs: 9000 })).toEqual(light(12));
  });
});
