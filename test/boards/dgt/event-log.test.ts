import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeLog, type LogEvent } from '../../../boards/dgt/event-log.ts';
import { makeSquare } from '../../../core/square.ts';
import { bytesOf } from '../loop.ts';

const show = (event: LogEvent): string => {
  switch (event.type) {
    case 'square':
      return `${makeSquare(event.square)}=${event.cell}${event.quick ? ' quick' : ''}`;
    case 'time':
      return `${event.face} ${event.timeMs}`;
    case 'mark':
      return event.mark;
    case 'unknown':
      return event.byte.toString(16);
  }
};

const read = (text: string): string[] => decodeLog(bytesOf(text)).map(show);

test('reads power-up, pieces, a move and a stopped clock', () => {
  expect(read('7F 7F 7F 6A 42 38 6F 40 34 51 24 70 59 58 6B')).toEqual([
    'powerUp',
    'a1=4',
    'array',
    'e2=0',
    'e4=1 quick',
    'left 3598000',
    'end',
  ]);
});

test('reads every mark', () => {
  expect(read('6A 6B 6C 6D 6E 6F 7A 7B 7C')).toEqual([
    'powerUp',
    'end',
    'shuffledArray',
    'emptyBoard',
    'downloaded',
    'array',
    'arrayRotated',
    'gameStart',
    'watchdog',
  ]);
});

test('gives 60 to the right face and 70 to the left', () => {
  expect(read('61 30 00 79 59 59')).toEqual(['right 5400000', 'left 35999000']);
});

test('loses one byte to what it does not know and nothing after it', () => {
  expect(read('7C 03 40 34')).toEqual(['watchdog', '3', 'e2=0']);
  expect(read('7D 7E 10 20 30 51 24')).toEqual(['7d', '7e', '10', '20', '30', 'e4=1 quick']);
  // A piece change whose square is missing, and times with impossible digits.
  expect(read('51 51 24')).toEqual(['51', 'e4=1 quick']);
  expect(read('70 6A 58')).toEqual(['70', 'powerUp', '58']);
  expect(read('40')).toEqual(['40']);
  expect(read('70 59')).toEqual(['70', '59']);
});

test('never fails and never makes up an entry', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const events = decodeLog(bytes);
      const used = events.reduce((n, e) => n + (e.type === 'square' ? 2 : e.type === 'time' ? 3 : 1), 0);
      expect(used).toBeLessThanOrEqual(bytes.length);
    }),
  );
});
