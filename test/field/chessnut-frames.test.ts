import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ChessnutDecoder } from '../../boards/chessnut/codec.ts';
import type { Decoded } from '../../boards/definition.ts';
import { makePlacement } from '../../core/placement.ts';
import { bytesOf } from '../boards/loop.ts';

const DATA = process.env.JADOUBE_DATA ?? join(import.meta.dirname, '../../../shared/data');
const FILE = join(DATA, 'chessnut/chessnut-air-frames.json');

interface Frames {
  readonly sources: readonly {
    readonly board_frames: Readonly<Record<string, string>>;
    readonly replies?: Readonly<Record<string, string>>;
  }[];
}

/** What a frame says, one word each. */
const words = (decoded: readonly Decoded[]): string[] =>
  decoded.flatMap((d) => {
    if (d.type === 'sensor' && d.event.type === 'dump') return [makePlacement(d.event.placement)];
    if (d.type === 'identity') return [`${d.identity.batteryPercent}%`];
    return [d.type === 'message' ? d.name : d.type];
  });

describe.skipIf(!existsSync(FILE))('frames of a real Chessnut Air', () => {
  // The second source of the file is no oracle.
  const source = () => (JSON.parse(readFileSync(FILE, 'utf8')) as Frames).sources[0]!;
  const read = (text: string) => words(new ChessnutDecoder().decode(bytesOf(text), 0));

  it('decode to the boards that stood there', () => {
    expect(Object.values(source().board_frames).map(read)).toEqual([
      ['8/8/8/8/8/8/8/8'],
      ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR'],
      ['rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR'],
      ['rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR'],
    ]);
  });

  it('decode to the answers that were given', () => {
    const { replies = {} } = source();
    expect(Object.fromEntries(Object.entries(replies).map(([name, text]) => [name, read(text)]))).toEqual({
      ack: ['ACK'],
      'battery 100': ['100%', 'BATTERY'],
      'battery 95': ['95%', 'BATTERY'],
      'NEW GAME button': ['BUTTON'],
    });
  });
});
