import { describe, expect, it } from 'vitest';
import { decodeText, type Encoding } from '../../../recorder/import/decode-text.ts';

/** Bytes of a text in an encoding of one byte a letter, by asking the decoder what each byte is. */
function encode(text: string, encoding: Encoding): Uint8Array {
  const table = new Map(
    Array.from(
      { length: 256 },
      (_, byte) => [new TextDecoder(encoding).decode(Uint8Array.of(byte)), byte] as const,
    ),
  );
  return Uint8Array.from([...text], (letter) => {
    const byte = table.get(letter);
    if (byte === undefined) throw new Error(`${letter} is not in ${encoding}`);
    return byte;
  });
}

const tags = (white: string, black: string): string =>
  `[White "${white}"]\n[Black "${black}"]\n[Result "*"]\n\n*\n\n`;

describe('decodeText', () => {
  it.each<[Encoding, string]>([
    ['windows-1252', tags('Müller, Jörg', 'Núñez, José') + tags('Grønn, Åsa', 'Élie, François')],
    ['windows-1252', tags('Hübner, Robert', 'Smith, John')],
    ['windows-1251', tags('Иванов, Пётр', 'Ёлкин, Юрий') + tags('Šachov'.replace('Š', 'S'), 'Жукова, Анна')],
    ['windows-1251', tags('Кавалёў, Андрэй', 'Дзяніс, Міхась')],
    [
      'iso-8859-2',
      tags('Wojtaszek, Radosław', 'Świercz, Dariusz') + tags('Gałązka, Żaneta', 'Łuczak, Paweł'),
    ],
    ['iso-8859-2', tags('Šimáček, Jiří', 'Žilka, Štěpán')],
    ['windows-1250', tags('Šimáček, Jiří', 'Žilka, Štěpán') + tags('Świercz, Śląsk', 'Źródło, Bożena')],
  ])('reads %s', (encoding, text) => {
    const decoded = decodeText(encode(text, encoding));
    expect(decoded.text).toBe(text);
  });

  it('takes UTF-8 for UTF-8, with a byte order mark or without, and UTF-16 by its mark', () => {
    const text = tags('Müller', 'Иванов');
    const utf8 = new TextEncoder().encode(text);
    expect(decodeText(utf8)).toEqual({ text, encoding: 'utf-8' });
    expect(decodeText(Uint8Array.from([0xef, 0xbb, 0xbf, ...utf8])).text).toBe(text);
    const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
    expect(decodeText(utf16)).toEqual({ text, encoding: 'utf-16le' });
  });

  it('does as it is told when an encoding is named', () => {
    expect(decodeText(Uint8Array.of(0xe9), 'windows-1251').text).toBe('й');
  });
});
