import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutStart, cutText, displayWidth, padText, plainText } from '../../../recorder/view/display-text.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 40 });

describe('text on a terminal', () => {
  it('holds nothing that could move the cursor, change a colour or turn the direction', () => {
    expect(plainText('a\x1b[31mb\x07\r\nc\u202ed\u2028e\u009bf')).toBe('a[31mb cd ef');
    fc.assert(
      fc.property(anyText, (text) => {
        expect(plainText(text)).not.toMatch(/[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/u);
      }),
    );
  });

  it('counts cells, not characters', () => {
    expect(displayWidth('abc')).toBe(3);
    expect(displayWidth('e\u0301')).toBe(1);
    expect(displayWidth('王')).toBe(2);
    expect(displayWidth('♟')).toBe(1);
  });

  it('never takes more room than there is, whatever the text', () => {
    fc.assert(
      fc.property(anyText.map(plainText), fc.nat(30), (text, width) => {
        for (const cut of [cutText(text, width), cutStart(text, width)]) {
          expect(displayWidth(cut)).toBeLessThanOrEqual(width);
          if (displayWidth(text) <= width) expect(cut).toBe(text);
        }
        expect(displayWidth(padText(cutText(text, width), width))).toBe(width);
      }),
    );
    expect(cutText('Kasparov', 5)).toBe('Kasp…');
    expect(cutStart('1.e4 e5', 4)).toBe('… e5');
  });
});
