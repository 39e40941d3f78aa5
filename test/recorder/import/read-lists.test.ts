import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Imported,
  type ImportKind,
  parseDay,
  parseListResult,
} from '../../../recorder/import/imported.ts';
import { kindOf, readImport } from '../../../recorder/import/read-file.ts';
import { readPairs } from '../../../recorder/import/read-pairs.ts';
import { readTrf } from '../../../recorder/import/read-trf.ts';
import { codeOf } from '../../kit/code-of.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Pairings as `round.board White - Black result`. */
function tell({ players, pairings }: Imported): string[] {
  const name = (at: number | undefined): string =>
    at === undefined ? '-' : players[at]!.name || `#${players[at]!.number}`;
  return pairings.map(({ section, round, board, white, black, result }) =>
    `${section === '' ? '' : `${section} `}${round}.${board ?? '-'} ${name(white)} - ${name(black)} ${result?.score ?? ''}${result?.forfeit === true ? 'F' : ''}`.trimEnd(),
  );
}

/** A player's record with everything in its columns. */
const trfPlayer = (
  number: number,
  title: string,
  name: string,
  rating: number,
  fideId: number,
  rounds: readonly string[],
): string => {
  const row = [
    ...`001 ${String(number).padStart(4)} m${title.padStart(3)} ${name.padEnd(33)} ${String(rating).padStart(4)} BLR ${String(fideId).padStart(11)} 1990/00/00  0.0 ${String(number).padStart(4)}`.padEnd(
      91,
    ),
  ];
  return `${row.join('')}${rounds.map((round) => round.padEnd(8)).join('  ')}`.trimEnd();
};

const TRF = [
  '012 Кубак горада',
  '022 Minsk',
  '032 BLR',
  '042 2026/11/28',
  '052 2026/11/30',
  '062 4',
  '092 Individual: Swiss-System',
  '102 IA Novak, Jan (13500000)',
  '122 90 min + 30 sec',
  `132${' '.repeat(88)}26/11/28  26/11/29`,
  'XXR 5',
  trfPlayer(1, 'GM', 'Anand, Vera', 2500, 13500001, ['   3 w 1', '   2 b']),
  trfPlayer(2, 'g', 'Bird, Olga', 2400, 13500002, ['   4 b =', '   1 w']),
  trfPlayer(3, '', 'Ёлкина, Юлія', 2300, 13500003, ['   1 b 0', '   4 w']),
  trfPlayer(4, 'wf', 'Dvořák, Eva', 2200, 13500004, ['   2 w =', '   3 b']),
  trfPlayer(5, '', 'Evans, Ada', 2100, 13500005, ['0000 - U', '0000 - H']),
  'ZZZ what is this',
];

describe('lists of pairings', () => {
  it('reads what pairing programs export for LiveChess: PGN with tags only, order as table order', () => {
    const text = [
      '[Event "Open"]\n[Site "Minsk"]\n[Date "2026.11.30"]\n[Round "3.1"]\n[White "Anand, Vera"]\n[Black "Bird, Olga"]\n[Result "*"]\n[WhiteElo "2500"]\n[BlackElo "-"]\n[WhiteFideId "13500001"]\n[WhiteTitle "GM"]\n[BlackTeam "Club"]\n\n*\n',
      '[Event "Open"]\n[Round "3.2"]\n[White "Cox, Ida"]\n[Black "bye"]\n[Result "1-0"]\n\n1-0\n',
      '[Event "Open"]\n[Round "3"]\n[Board "12"]\n[White "Dahl, Una"]\n[Black "Evans, Ada"]\n[Result "0-1"]\n',
    ].join('\n');
    const read = readImport(bytes(text), 'x.pgn');
    expect(read.kind).toBe('pgn');
    expect(tell(read)).toEqual([
      '3.1 Anand, Vera - Bird, Olga *',
      '3.2 Cox, Ida - - 1-0',
      '3.12 Dahl, Una - Evans, Ada 0-1',
    ]);
    expect(read.players[0]).toEqual({
      section: '',
      name: 'Anand, Vera',
      fideId: 13500001,
      title: 'GM',
      rating: 2500,
    });
    expect(read.players[1]!.team).toBe('Club');
    expect(read.event).toEqual({ name: 'Open', site: 'Minsk' });
    expect(read.dates).toEqual([{ round: 3, date: '2026-11-30' }]);
  });

  it.each([
    ['\r\n', TRF],
    ['\r', TRF],
    ['\n', ['### a comment', ...TRF, '222 5400+30', '142 7']],
  ])('reads a report with line ends %j: players, rounds, the round that is not played yet', (end, rows) => {
    const read = readImport(bytes(rows.join(end)), 'x.trf');
    expect(read.kind).toBe('trf');
    expect(read.event).toMatchObject({
      name: 'Кубак горада',
      site: 'Minsk',
      federation: 'BLR',
      startDate: '2026-11-28',
      endDate: '2026-11-30',
    });
    expect(read.event.timeControl).toBe(end === '\n' ? '5400+30' : undefined);
    expect(read.event.rounds).toBe(end === '\n' ? 7 : 5);
    expect(read.dates).toEqual([
      { round: 1, date: '2026-11-28' },
      { round: 2, date: '2026-11-29' },
    ]);
    expect(read.players.map(({ name, title, number, fideId }) => [number, title, name, fideId])).toEqual([
      [1, 'GM', 'Anand, Vera', 13500001],
      [2, 'GM', 'Bird, Olga', 13500002],
      [3, undefined, 'Ёлкина, Юлія', 13500003],
      [4, 'WFM', 'Dvořák, Eva', 13500004],
      [5, undefined, 'Evans, Ada', 13500005],
    ]);
    expect(tell(read)).toEqual([
      '1.1 Anand, Vera - Ёлкина, Юлія 1-0',
      '1.2 Dvořák, Eva - Bird, Olga 1/2-1/2',
      '1.- Evans, Ada - -',
      // The leaders first: 1 and 0.5 points against 0.5 and 0.
      '2.1 Bird, Olga - Anand, Vera *',
      '2.2 Ёлкина, Юлія - Dvořák, Eva *',
      '2.- Evans, Ada - -',
    ]);
    expect(read.warnings.map(({ code, line }) => [code, line])).toEqual([
      ['IMPORT_LINE', rows.indexOf('ZZZ what is this') + 1],
    ]);
  });

  it('reads teams, forfeits and numbers that touch their neighbours', () => {
    const rows = [
      `013 ${'Alpha'.padEnd(32)}   1    2`,
      `${`310   2 ${'Beta'.padEnd(32)} BET`.padEnd(73)}   3    4`,
      trfPlayer(1, '', 'A', 0, 0, ['   3 w +']),
      trfPlayer(2, '', 'B', 0, 0, ['   4 b 0']),
      trfPlayer(3, '', 'C', 0, 0, ['   1 b -']),
      trfPlayer(4, '', 'D', 0, 0, ['   2 w 1']),
    ];
    const read = readTrf(rows.join('\n'));
    expect(read.players.map(({ team }) => team)).toEqual(['Alpha', 'Alpha', 'Beta', 'Beta']);
    expect(tell(read)).toEqual(['1.1 A - C 1-0F', '1.2 D - B 1-0']);
    expect(read.players[0]).not.toHaveProperty('rating');
  });

  it('names the line of everything in a report that does not fit', () => {
    const rows = [
      trfPlayer(1, '', 'A', 0, 0, ['   2 w 1', '   9 w']),
      trfPlayer(2, '', 'B', 0, 0, ['   1 w 0', 'what is ']),
      trfPlayer(2, '', 'Twice', 0, 0, []),
      '001      m    ',
      '042 next week',
    ];
    const { warnings } = readTrf(rows.join('\n'));
    expect(warnings.map(({ line }) => line).sort()).toEqual([1, 1, 2, 3, 4, 5]);
  });

  it('reads the pairs of an engine, of the round that was said', () => {
    const text = '3\n1 4\n5 2\n3 0\n';
    expect(codeOf(() => readImport(bytes(text), 'x'))).toBe('IMPORT_ROUND');
    const read = readImport(bytes(text), 'x', { round: 4, section: 'B' });
    expect(tell(read)).toEqual(['B 4.1 #1 - #4', 'B 4.2 #5 - #2', 'B 4.- #3 - -']);
    expect(readPairs('2\n1 2\nx y\n', { round: 1 }).warnings.map(({ line }) => line)).toEqual([3, 1]);
  });

  it('reads a tournament of Vega', () => {
    const text = [
      '012 |Torneo',
      '022 |Roma',
      '132 |2026/11/28;2026/11/29',
      '162 |5',
      '001 |1|m|GM|Rossi, Ada|2500|ITA|800001|2510|N1|1990/01/01|1.0|1|2 w 1|',
      '001 2|w||Bianchi, Eva|2400|ITA|800002|||1991|0.0|2|1 b 0|',
      '999 |?',
    ].join('\r\n');
    const read = readImport(bytes(text), 'x.tdf');
    expect([read.kind, read.event]).toEqual(['vega', { name: 'Torneo', site: 'Roma', rounds: 5 }]);
    expect(tell(read)).toEqual(['1.1 Rossi, Ada - Bianchi, Eva 1-0']);
    expect(read.players[0]).toMatchObject({
      fideId: 800001,
      title: 'GM',
      nationalId: 'N1',
      nationalRating: 2510,
    });
    expect(read.warnings.map(({ line }) => line)).toEqual([7]);
  });

  it.each([
    ['a field each', ['2 w 1|  ', '1b0', '4b=|', '3 w =']],
    ['opponent, colour and result in three fields', ['2|w|1', '1|b|0|', '4|b|=', '3|w|=']],
    ['the colour first', ['w2 1', 'b1 0', 'b 4=', 'w3=']],
  ])('reads rounds of Vega with %s', (_, rounds) => {
    const names = ['Rossi, Ada', 'Bianchi, Eva', 'Verdi, Ida', 'Neri, Una'];
    const text = names.map((name, i) => `001 |${i + 1}|w||${name}|||||||0.0|${i + 1}|${rounds[i]}`);
    const read = readImport(bytes(['012 |Torneo', ...text].join('\n')), 'x.tdf');
    expect(tell(read).sort()).toEqual([
      '1.1 Rossi, Ada - Bianchi, Eva 1-0',
      '1.2 Neri, Una - Verdi, Ida 1/2-1/2',
    ]);
    expect(read.warnings.filter(({ message }) => message.includes('understood'))).toEqual([]);
  });

  it.each([
    'Round,Board,White,White FIDE ID,Black,Black Elo,Result\r\n2,7,"Anand, Vera",13500001,"Bird, Olga",2400,½-½\r\n',
    'round;table;white;WhiteFideId;black;BlackElo;result\n2;7;Anand, Vera;13500001;Bird, Olga;2400;1/2\n',
    '\ufeffТур\tСтол\tБелые\tБелые FIDE\tЧёрные\tЧёрные рейтинг\tРезультат\n2\t7\tAnand, Vera\t13500001\tBird, Olga\t2400\t0,5-0,5\n',
  ])('reads a table: %j', (text) => {
    const read = readImport(bytes(text), 'x.csv');
    expect([read.kind, tell(read), read.warnings]).toEqual([
      'csv',
      ['2.7 Anand, Vera - Bird, Olga 1/2-1/2'],
      [],
    ]);
    expect(read.players).toMatchObject([{ fideId: 13500001 }, { rating: 2400 }]);
  });

  it('names the rows of a table that say nothing', () => {
    const read = readImport(
      bytes('White,Black,Result,Weather\nA,B,1-0,fine\n,,,\nC,D,won,\nE,bye,,\n'),
      'x.csv',
    );
    expect(tell(read)).toEqual(['1.- A - B 1-0', '1.- C - D', '1.- E - - *']);
    expect(read.warnings.map(({ line }) => line)).toEqual([1, 3, 4]);
  });

  it('refuses what is no list', () => {
    for (const text of ['', 'hello', '{"a": 1}', '\0\0\0'])
      expect(codeOf(() => readImport(bytes(text), 'x'))).toBe('IMPORT_KIND');
  });

  it('never throws but for the kind and the round, whatever a file holds', () => {
    const kinds: ImportKind[] = ['pgn', 'trf', 'vega', 'pairs', 'csv'];
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom(...TRF, '001 |1|', '3', '1 2', 'White,Black', '[White "A"]', '"'),
    );
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom(...kinds), (lines, kind) => {
        readImport(bytes(lines.join('\n')), 'x', { kind, round: 1 });
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.constantFrom(...kinds), (data, kind) => {
        readImport(data, 'x', { kind, round: 1 });
      }),
    );
  });

  it.each([
    ['1-0', '1-0', false],
    ['½–½', '1/2-1/2', false],
    ['1/2:1/2', '1/2-1/2', false],
    ['0,5-0,5', '1/2-1/2', false],
    ['+ - -', '1-0', true],
    ['- : +', '0-1', true],
    ['0 - 0', '0-0', false],
    ['--', '0-0', true],
    ['', '*', false],
  ])('reads the result %j', (text, score, forfeit) => {
    expect(parseListResult(text)).toEqual({ score, forfeit });
  });

  it.each([
    ['2026/1/5', '2026-01-05'],
    ['26.11.30', '2026-11-30'],
    ['30.11.2026', '2026-11-30'],
    ['2026/13/01', undefined],
    ['????.??.??', undefined],
  ])('reads the day %j', (text, day) => {
    expect(parseDay(text)).toBe(day);
  });

  it('knows the kind of every list by what is in it', () => {
    expect(kindOf(TRF.join('\n'))).toBe('trf');
    expect(readdirSync(join(import.meta.dirname)).length).toBeGreaterThan(0);
    expect(kindOf(readFileSync('README.md', 'utf8'))).not.toBe('trf');
  });
});
