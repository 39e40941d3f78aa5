import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCaptureFile } from '../../recorder/capture/capture-file.ts';
import type { RawInput } from '../../recorder/raw-input.ts';
import { parseCapture } from '../../recorder/replay/capture.ts';
import { temporaryFolder } from './temporary-folder.ts';

const HEADER = { board: 'dgt', startedAt: '2031-01-02T03:04:05.678Z' };

describe('capture file', () => {
  it('holds what passed, in the form that is replayed, from the first moment on', () => {
    const dir = join(temporaryFolder(), 'captures');
    const capture = createCaptureFile(dir, 'dgt-1/../x', { ...HEADER, variant: 'chess960' });
    const inputs: RawInput[] = [
      { type: 'link', atMs: 1, link: 'up' },
      { type: 'rx', atMs: 1, bytes: Uint8Array.of(0x8e, 0, 5) },
      { type: 'tx', atMs: 2, bytes: Uint8Array.of(0x42) },
      { type: 'link', atMs: 9, link: 'lost' },
    ];
    for (const input of inputs) expect(capture.write(input)).toBeUndefined();
    // Not closed: what was written is in the file already.
    expect(readdirSync(dir)).toEqual(['dgt-1-..-x-20310102T030405Z.ndjson']);
    const parsed = parseCapture(readFileSync(capture.path, 'utf8'));
    expect(parsed.ok && parsed.value).toEqual({
      header: { jadoube: 1, ...HEADER, variant: 'chess960' },
      entries: inputs,
      truncated: false,
    });
    capture.close();
    capture.close();
    expect(capture.write(inputs[0]!)).toBeUndefined();
  });

  it('never overwrites an older capture', () => {
    const dir = temporaryFolder();
    const paths = [1, 2, 3].map(() => {
      const capture = createCaptureFile(dir, 'dgt-1', HEADER);
      capture.close();
      return capture.path;
    });
    expect(new Set(paths).size).toBe(3);
  });

  it('says with a code that the folder cannot be written', () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, 'file'), '');
    mkdirSync(join(dir, 'folder'));
    expect(() => createCaptureFile(join(dir, 'file'), 'dgt-1', HEADER)).toThrow(
      expect.objectContaining({ code: 'CAPTURE_DIR_UNWRITABLE' }),
    );
  });
});
