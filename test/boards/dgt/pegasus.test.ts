import { describe, expect, it } from 'vitest';
import type { SessionEvent, SessionOutput } from '../../../boards/definition.ts';
import { encodeDeveloperKey, encodePegasusLeds, pegasus } from '../../../boards/dgt/pegasus.ts';
import { MachineDriver } from '../../../core/machine.ts';
import { makePlacement } from '../../../core/placement.ts';
import { parseSquare } from '../../../core/square.ts';
import { placementOf, sensorsOf } from '../contract.ts';
import { bytesOf, hex, Loop } from '../loop.ts';

const READY_MS = 10_000;

describe('a Pegasus', () => {
  it('tells which squares are taken, and nothing else of them', () => {
    const decoder = pegasus.createDecoder();
    const dump = decoder.decode(bytesOf('86 00 43 01x16 00x32 01x16'), 0);
    expect(makePlacement(placementOf(sensorsOf(dump)))).toBe('????????/????????/8/8/8/8/????????/????????');
    // a8 is square 0 of the board; whatever is not 1 is empty.
    const updates = decoder.decode(bytesOf('8E 00 05 34 00 8E 00 05 24 01 8E 00 05 00 02'), 0);
    expect(sensorsOf(updates)).toMatchObject([
      { square: parseSquare('e2'), cell: 0 },
      { square: parseSquare('e4'), cell: 13 },
      { square: parseSquare('a8'), cell: 0 },
    ]);
  });

  it('hears only words it knows: updates by 44, no clock, no key where none was set', () => {
    const loop = new Loop(pegasus.createSession(), pegasus.createSimulator({})).open().wait(READY_MS);
    expect(loop.states).toEqual(['identifying', 'ready']);
    const heard = new Set(loop.written);
    expect(heard).toContain('44');
    for (const text of heard) expect(['40', '42', '44', '45', '47', '4C', '4D', '55']).toContain(text);
  });

  it('is told the key of its user after each reset', () => {
    const settings = { 'developer-key': '0102030405ff' };
    const loop = new Loop(pegasus.createSession(settings), pegasus.createSimulator({})).open().wait(READY_MS);
    const resets = loop.written.flatMap((text, index) => (text === '40' ? [loop.written[index + 1]] : []));
    expect(resets.length).toBeGreaterThan(0);
    for (const next of resets) expect(next).toBe('63 07 01 02 03 04 05 FF 00');
    expect(hex(encodeDeveloperKey('0102030405ff'))).toBe('63 07 01 02 03 04 05 FF 00');
  });

  it('lights squares, and says that it has no clock', () => {
    const lit = (...squares: string[]) => hex(encodePegasusLeds(squares.map((name) => parseSquare(name)!)));
    expect(lit('e2', 'e4')).toBe('60 07 05 02 00 02 34 24 00');
    expect(lit()).toBe('60 02 00 00');
    const session = new MachineDriver<SessionEvent, SessionOutput>(pegasus.createSession());
    session.feed({ type: 'opened', atMs: 0 });
    const answersTo = (command: Extract<SessionEvent, { type: 'command' }>['command']) =>
      session
        .feed({ type: 'command', atMs: 10, id: 7, command })
        .flatMap((output) => (output.type === 'answer' ? [[output.id, output.fault?.code]] : []));
    expect(answersTo({ type: 'leds', squares: [] })).toEqual([[7, undefined]]);
    expect(answersTo({ type: 'clockText', text: 'hello' })).toEqual([[7, 'COMMAND_UNSUPPORTED']]);
    // The conversation goes on.
    expect(session.wakeAtMs).toBeDefined();
  });
});
