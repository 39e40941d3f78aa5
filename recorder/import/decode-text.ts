/** The text of a file whose encoding nobody has told. */

/** Encodings that pairing programs write, the likelier first where nothing else decides. */
export const ENCODINGS = [
  'utf-8',
  'windows-1252',
  'windows-1251',
  'iso-8859-2',
  'windows-1250',
  'utf-16le',
  'utf-16be',
] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Letters beyond ASCII of the languages for which an encoding is used. */
const LETTERS: readonly (readonly [encoding: Encoding, letters: RegExp, federations: RegExp])[] = [
  [
    'windows-1252',
    /[äöüßéèêëàâáãåæçíîïìñóôòõøúûùÿœýðþÄÖÜÉÈÊÀÂÁÅÆÇÍÎÑÓÔØÚÛŒÝÐÞ]/g,
    /\b(ESP|FRA|GER|ITA|POR|BRA|ARG|AUT|SUI|NED|BEL|DEN|NOR|SWE|FIN|ISL|FAI|MEX|COL|PER|CUB|IRL)\b/,
  ],
  ['windows-1251', /[А-Яа-яЁёІіЎўЇїЄєҐґ]/g, /\b(RUS|BLR|UKR|BUL|KAZ|MKD|SRB|FID)\b/],
  [
    'iso-8859-2',
    /[ąćęłńóśźżáčďéěíňřšťúůýžäôľĺŕőűöüăâîşţđçëĄĆĘŁŃÓŚŹŻÁČĎÉĚÍŇŘŠŤÚŮÝŽĽŐŰÖÜĂÂÎŞŢĐ]/g,
    /\b(POL|CZE|SVK|HUN|SLO|CRO|BIH|SRB|ROU|ALB|MNE)\b/,
  ],
  [
    'windows-1250',
    /[ąćęłńóśźżáčďéěíňřšťúůýžäôľĺŕőűöüăâîşţđçëĄĆĘŁŃÓŚŹŻÁČĎÉĚÍŇŘŠŤÚŮÝŽĽŐŰÖÜĂÂÎŞŢĐ]/g,
    /\b(POL|CZE|SVK|HUN|SLO|CRO|BIH|SRB|ROU|ALB|MNE)\b/,
  ],
];

const decode = (bytes: Uint8Array, encoding: Encoding): string => new TextDecoder(encoding).decode(bytes);

/** What speaks against a reading: signs inside words, control characters, two alphabets in one word, capitals behind small letters. */
function oddities(text: string): number {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  return (
    5 * count(/[\u0080-\u009f\ufffd]/g) +
    3 * count(/(?<=\p{L})[^\p{L}\p{M}\x00-\x7f’´`](?=\p{L})/gu) +
    2 * count(/(?<=[^\x00-\x7f])[\u00a1-\u00bf\u2013-\u2122](?=[\p{L}\s,"|;]|$)/gu) +
    3 * count(/[A-Za-z][А-Яа-яЁёІіЎў]|[А-Яа-яЁёІіЎў][A-Za-z]/g) +
    2 * count(/\p{Ll}\p{Lu}/gu) +
    // A sign where a word should begin or end with a letter.
    3 * count(/[a-z][±³¶¼¿¹¾¡£¦¬¯¥¨µ](?![\w])|(?<![\w])[±³¶¼¿¹¾¡£¦¬¯](?=[a-z])/g)
  );
}

/**
 * Decodes a file: by its byte order mark, as UTF-8 when it is valid UTF-8, else by the one of the common encodings in which its words are
 * words. Never throws; what is in no encoding comes out with U+FFFD.
 */
export function decodeText(
  bytes: Uint8Array,
  encoding?: Encoding,
): { readonly text: string; readonly encoding: Encoding } {
  if (encoding !== undefined) return { text: decode(bytes, encoding), encoding };
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return { text: decode(bytes, 'utf-16le'), encoding: 'utf-16le' };
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return { text: decode(bytes, 'utf-16be'), encoding: 'utf-16be' };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' };
  } catch {
    // Something of one byte a letter.
  }
  let best: { text: string; encoding: Encoding; score: number } | undefined;
  for (const [candidate, letters, federations] of LETTERS) {
    const text = decode(bytes, candidate);
    const score = (text.match(letters)?.length ?? 0) - oddities(text) + (federations.test(text) ? 0.5 : 0);
    if (best === undefined || score > best.score) best = { text, encoding: candidate, score };
  }
  return { text: best!.text, encoding: best!.encoding };
}
