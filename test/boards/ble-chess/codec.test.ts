import { describe, expect, it } from 'vitest';
import { BleChessDecoder } from '../../../boards/ble-chess/codec.ts';
import { createBleChessSession } from '../../../boards/ble-chess/session.ts';
import { createBleChessSimulator } from '../../../boards/ble-chess/simulator.ts';
import { makePlacement } from '../../../core/placement.ts';
import { Loop } from '../loop.ts';

const said = (text: string): unknown[] =>
  new BleChessDecoder().decode(new TextEncoder().encode(text), 7).map((item) => {
    if (item.type === 'message') return item.name;
    if (item.type === 'discarded') return item.fault.code;
    return item.type === 'sensor' && item.event.type === 'dump' ? makePlacement(item.event.placement) : item;
  });
const TAKEN = '????????/????????/8/8/8/8/????????/????????';

describe('packets of the open Bluetooth chess protocol', () => {
  it.each([
    [`state ${TAKEN}`, [TAKEN, 'STATE']],
    ['unsync bbbbbbbb/bbbbbbbb/8/8/8/8/wwwwwwww/wwwwwwww w', [TAKEN, 'STATE']],
    ['sync rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w', [TAKEN, 'STATE']],
    ['move a2a3', ['MOVE']],
    ['nok', ['NOK']],
    ['state 8/8', ['FRAME_VALUE']],
    ['login:', ['UNKNOWN_COMMAND']],
  ])('are read: %s', (text, meaning) => {
    expect(said(text)).toEqual(meaning);
  });

  it('never begin a round', () => {
    const loop = new Loop(createBleChessSession(), createBleChessSimulator()).open().wait(30_000);
    const written = loop.traffic.filter(({ direction }) => direction === 'tx');
    const words = new Set(written.map(({ bytes }) => new TextDecoder().decode(bytes)));
    expect([...words]).toEqual(['feature get_state', 'get_state']);
    expect(loop.states).toEqual(['identifying', 'ready']);
  });
});
