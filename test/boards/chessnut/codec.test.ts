import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ChessnutDecoder,
  decodePosition,
  encodeCommand,
  encodeLamps,
} from '../../../boards/chessnut/codec.ts';
import { COMMANDS, type CommandName } from '../../../boards/chessnut/messages.ts';
import type { Decoded } from '../../../boards/definition.ts';
import { makePlacement } from '../../../core/placement.ts';
import { parseSquare } from '../../../core/square.ts';
import { bytesOf, hex } from '../loop.ts';

const START = '58 23 31 85 44x4 00x16 77x4 A6 C9 9B 6A';
const AFTER_E4 = '58 23 31 85 44x4 00x9 70 00x6 77 07 77 77 A6 C9 9B 6A';
const TAIL = 'CB 01 00 00';

const decode = (text: string, decoder = new ChessnutDecoder(), atMs = 5): Decoded[] =>
  decoder.decode(bytesOf(text), atMs);
const boards = (decoded: readonly Decoded[]): string[] =>
  decoded.flatMap((d) =>
    d.type === 'sensor' && d.event.type === 'dump' ? [makePlacement(d.event.placement)] : [],
  );
const faults = (decoded: readonly Decoded[]): string[] =>
  decoded.flatMap((d) => (d.type === 'discarded' ? [`${d.fault.code} ${hex(d.bytes)}`] : []));

describe('positions', () => {
  it.each([
    [START, 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR'],
    [AFTER_E4, 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR'],
    ['00x5 20 00 01 00x16 60 C0 00x6', '8/1q2k3/8/8/8/8/4K1R1/8'],
    ['A6 B9 9C 6A 77x4 00x16 44x4 58 13 32 85', 'RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr'],
  ])('%s are %s', (bytes, fen) => {
    expect(makePlacement(decodePosition(bytesOf(bytes))!)).toBe(fen);
  });

  it('come in notifications of 38 bytes and in reports of 64', () => {
    expect(boards(decode(`01 24 ${START} ${TAIL}`))).toEqual(['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR']);
    const report = decode(`01 3D ${AFTER_E4} ${TAIL} 00x26`);
    expect(boards(report)).toEqual(['rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR']);
    expect(faults(report)).toEqual([]);
  });

  it('are told when they change, else every five seconds', () => {
    const decoder = new ChessnutDecoder();
    const told: number[] = [];
    for (let atMs = 0; atMs < 12_000; atMs += 200) {
      const board = atMs < 3000 ? START : AFTER_E4;
      if (boards(decode(`01 24 ${board} ${TAIL}`, decoder, atMs)).length > 0) told.push(atMs);
    }
    expect(told).toEqual([0, 3000, 8000]);
  });

  it('that hold a piece which does not exist are none', () => {
    const decoded = decode(`01 24 ${START.replace('58', '5D')} ${TAIL}`);
    expect(boards(decoded)).toEqual([]);
    expect(faults(decoded)[0]).toBe('FRAME_VALUE 01');
  });
});

describe('messages', () => {
  it('of the battery are read in both forms', () => {
    const percents = (text: string) =>
      decode(text).flatMap((d) => (d.type === 'identity' ? [d.identity.batteryPercent] : []));
    expect(percents('2A 02 64 00')).toEqual([100]);
    expect(percents('2A 02 5F 00')).toEqual([95]);
    expect(percents('2A 02 64 01')).toEqual([100]);
    expect(percents('2A 02 D0 00')).toEqual([80]);
    expect(percents('2A 02 7F 00')).toEqual([]);
    expect(percents('41 03 0C 01 4D')).toEqual([77]);
  });

  it('without meaning for the game come out by name', () => {
    const names = decode('23 01 00 0F 01 02 32 01 03').map((d) => (d.type === 'message' ? d.name : d.type));
    expect(names).toEqual(['ACK', 'BUTTON', 'STORED_COUNT']);
  });

  it('of a stored game are no positions of now', () => {
    const decoder = new ChessnutDecoder();
    const decoded = decode(`37 01 BE 01 24 ${AFTER_E4} ${TAIL} 37 01 ED 01 24 ${START} ${TAIL}`, decoder);
    expect(boards(decoded)).toEqual(['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR']);
    expect(decoded.flatMap((d) => (d.type === 'message' ? [d.name] : []))).toEqual([
      'STORED_MARK',
      'STORED_POSITION',
      'STORED_MARK',
    ]);
  });

  it('of a stored game that breaks off do not swallow what follows', () => {
    const decoder = new ChessnutDecoder();
    decode(`37 01 BE 01 24 ${AFTER_E4} ${TAIL}`, decoder, 0);
    expect(boards(decode(`01 24 ${START} ${TAIL}`, decoder, 4000))).toHaveLength(1);
  });
});

describe('the framer', () => {
  it('gives up a message that breaks off, and never joins it to the next one', () => {
    const decoder = new ChessnutDecoder();
    expect(decode(`01 24 ${START.slice(0, 23)}`, decoder, 0)).toEqual([]);
    const decoded = decode(`01 24 ${AFTER_E4} ${TAIL}`, decoder, 200);
    expect(faults(decoded)[0]).toMatch(/^FRAME_TRUNCATED 01 24 58/);
    expect(boards(decoded)).toEqual(['rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR']);
  });

  it('finds every good message after bytes that are none', () => {
    // No byte here can begin a message.
    const noise = fc.uint8Array({ min: 0x45, max: 0xff, maxLength: 30 });
    fc.assert(
      fc.property(noise, noise, (before, between) => {
        const text = `${hex(before)} 01 24 ${START} ${TAIL} ${hex(between)} 01 24 ${AFTER_E4} ${TAIL}`;
        const decoded = decode(text);
        expect(boards(decoded)).toHaveLength(2);
        const lost = decoded.flatMap((d) => (d.type === 'discarded' ? [...d.bytes] : []));
        expect(lost).toEqual([...before, ...between]);
      }),
    );
  });
});

describe('commands', () => {
  it('are the bytes of the protocol', () => {
    expect(hex(encodeCommand('LIVE'))).toBe('21 01 00');
    expect(hex(encodeCommand('BATTERY'))).toBe('29 01 00');
    expect(hex(encodeLamps(['e2', 'e4'].map((name) => parseSquare(name)!)))).toBe(
      '0A 08 00 00 00 00 08 00 08 00',
    );
    expect(hex(encodeLamps(['a1', 'h8'].map((name) => parseSquare(name)!)))).toBe(
      '0A 08 01 00 00 00 00 00 00 80',
    );
    expect(hex(encodeLamps([]))).toBe('0A 08 00 00 00 00 00 00 00 00');
  });

  it('never beep, never drive a piece, never touch the firmware', () => {
    const ids = (Object.keys(COMMANDS) as CommandName[]).map((name) => encodeCommand(name)[0]!);
    for (const id of [0x0b, 0x1b, 0x42, 0x27]) expect(ids).not.toContain(id);
  });
});
