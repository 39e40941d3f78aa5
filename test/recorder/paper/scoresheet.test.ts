import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../recorder/language/language.ts';
import { createPhrases } from '../../../recorder/language/phrases.ts';
import { makeScoresheet, type Scoresheet, type SheetPly } from '../../../recorder/paper/scoresheet.ts';
import { makeScoresheetHtml } from '../../../recorder/paper/scoresheet-html.ts';
import { legendOf, MARK_SIGNS, makeScoresheetText } from '../../../recorder/paper/scoresheet-text.ts';
import { playedGame } from '../pgn/played-game.ts';
import { decision, eventfulGame, flag, paperGame } from './eventful-game.ts';

const pliesOf = ({ moves }: Scoresheet): SheetPly[] =>
  moves.flatMap(({ white, black }) => [white, black]).filter((ply) => ply !== undefined);
const marksOf = (sheet: Scoresheet): Record<number, readonly string[]> =>
  Object.fromEntries(
    pliesOf(sheet).flatMap(({ number, marks }) => (marks.length === 0 ? [] : [[number, marks]])),
  );
const timed = (clocks: (number | undefined)[], tags: Record<string, string>): (number | undefined)[] =>
  pliesOf(
    makeScoresheet(
      paperGame(
        playedGame(['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6'].slice(0, clocks.length), { clocks }),
        tags,
      ),
    ),
  ).map(({ usedMs }) => usedMs);

describe('a scoresheet', () => {
  it('has a line a move, both players beside each other', () => {
    const { moves } = makeScoresheet(paperGame(playedGame(['e4', 'e5', 'Nf3'])));
    expect(moves).toMatchObject([
      { move: 1, white: { san: 'e4', number: 1 }, black: { san: 'e5', number: 2 } },
      { move: 2, white: { san: 'Nf3', number: 3 } },
    ]);
    expect(moves[1]!.black).toBeUndefined();
  });

  it('begins where the position says, with Black if Black moves first', () => {
    const start = '4k3/8/8/8/8/8/4P3/4K3 b - - 0 30';
    const sheet = makeScoresheet(paperGame(playedGame(['Kd7', 'e4'], { start })));
    expect(sheet.start).toBe(start);
    expect(sheet.moves).toMatchObject([
      { move: 30, black: { san: 'Kd7' } },
      { move: 31, white: { san: 'e4' } },
    ]);
    expect(sheet.moves[0]!.white).toBeUndefined();
  });

  it('marks what is inferred, ambiguous, illegal, amended and not certain yet', () => {
    const sheet = makeScoresheet(eventfulGame(), { amended: [2] });
    expect(marksOf(sheet)).toEqual({
      2: ['amended'],
      3: ['ambiguous'],
      5: ['unwritten'],
      6: ['inferred'],
      10: ['illegal', 'provisional'],
    });
    expect(pliesOf(sheet)[2]!.candidates).toEqual(['Nh3']);
  });

  it('explains the marks that occur, and no others', () => {
    const en = createPhrases('en');
    const signs = (sheet: Scoresheet): string[] => legendOf(sheet, en).map(([sign]) => sign);
    expect(signs(makeScoresheet(paperGame(playedGame(['e4']))))).toEqual([]);
    expect(
      signs(makeScoresheet(eventfulGame(), { amended: [2], offers: [{ side: 'black', ply: 4 }] })).sort(),
    ).toEqual([...Object.values(MARK_SIGNS), '(=)'].sort());
  });

  it('9.1: notes a draw offer at the move with which it was made, from a decision too, once', () => {
    const sheet = makeScoresheet(eventfulGame(), {
      offers: [{ side: 'black', ply: 4 }],
      decisions: [
        decision(3000, { type: 'draw-offer', side: 'black', ply: 4 }),
        decision(6000, { type: 'draw-offer', side: 'white', ply: 7 }),
      ],
    });
    expect(pliesOf(sheet).flatMap(({ number, isOffer }) => (isOffer ? [number] : []))).toEqual([4, 7]);
    expect(makeScoresheetText(sheet, createPhrases('en')).join('\n').match(/\(=\)/g)).toHaveLength(3);
  });

  it('8.4: says from where on a player need not write, and that a new period brings the duty back', () => {
    expect(makeScoresheet(eventfulGame()).free).toEqual([{ side: 'white', ply: 5, lastPly: 9 }]);
    const moves = ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6'];
    const clocks = [200_000, 3_600_000, 3_700_000, 3_600_000, 100_000, 3_000_000];
    const record = playedGame(moves, { clocks });
    const free = (TimeControl: string) => makeScoresheet(paperGame(record, { TimeControl })).free;
    expect(free('1/7200:3600')).toEqual([
      { side: 'white', ply: 1, lastPly: 1 },
      { side: 'white', ply: 5, lastPly: 5 },
    ]);
    expect(free('5400')).toEqual([{ side: 'white', ply: 1, lastPly: 5 }]);
    expect(free('5400+30')).toEqual([]);
    expect(free('?')).toEqual([]);
  });

  it('goes by what the event prescribes, whatever the tags say', () => {
    const record = playedGame(['e4', 'e5'], { clocks: [100_000, 100_000] });
    const period = { moves: undefined, baseMs: 5_400_000, bonusMs: 0, mode: 'increment' } as const;
    const control = { type: 'periods', periods: [period] } as const;
    const game = {
      ...paperGame(record, { TimeControl: '180+2' }),
      rules: { controls: { white: control, black: control } },
    };
    const sheet = makeScoresheet(game);
    expect([sheet.isWritingFree, sheet.free.map(({ ply }) => ply)]).toEqual([false, [1, 2]]);
    expect(makeScoresheet({ ...paperGame(record), rules: { rate: 'blitz' } }).isWritingFree).toBe(true);
  });

  it('8.4: believes the flag that was raised while the clock was read, without a known time control', () => {
    const record = playedGame(['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6']);
    record.flags.push(flag('WRITING_OVER', 3, 3000, 'black 299 s'));
    expect(makeScoresheet(paperGame(record)).free).toEqual([{ side: 'black', ply: 4, lastPly: 6 }]);
  });

  it('A.2, B.2: says that in rapid and blitz nobody has to write', () => {
    const record = playedGame(['e4', 'e5'], { clocks: [100_000, 100_000] });
    for (const TimeControl of ['900+10', '180+2']) {
      const sheet = makeScoresheet(paperGame(record, { TimeControl }));
      expect([sheet.isWritingFree, sheet.free]).toEqual([true, []]);
    }
    expect(makeScoresheet(paperGame(record, { TimeControl: '5400+30' })).isWritingFree).toBe(false);
  });

  it('tells the time used by the clock, increments counted back', () => {
    expect(timed([5_425_000, 5_430_000, 5_400_000], { TimeControl: '5400+30' })).toEqual([5000, 0, 55_000]);
    expect(timed([5_395_000, 5_300_000, 5_395_500], { TimeControl: '5400' })).toEqual([5000, 100_000, 0]);
    // The second period's time came with the second move.
    expect(timed([60_000, 60_000, 3_650_000, 3_640_000], { TimeControl: '2/5400:3600' })).toEqual([
      5_340_000, 5_340_000, 10_000, 20_000,
    ]);
    // Somebody has set the clock: nobody knows what was used.
    expect(timed([5_000_000, 5_000_000, 5_300_000], { TimeControl: '5400' })[2]).toBeUndefined();
    expect(timed([5_000_000, undefined, undefined, 4_000_000], { TimeControl: '5400' })).toEqual([
      400_000,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('tells the time used by the presses where no time control is known, and not of plies that nobody saw', () => {
    expect(timed([undefined, undefined, undefined], {})).toEqual([undefined, 1000, 1000]);
    const record = playedGame(['e4', 'e5', 'Nf3', 'Nc6']);
    record.plies[1] = { ...record.plies[1]!, inferred: true };
    const sheet = makeScoresheet(paperGame(record));
    expect([sheet.used, pliesOf(sheet).map(({ usedMs }) => usedMs)]).toEqual([
      'presses',
      [undefined, undefined, undefined, 1000],
    ]);
  });

  it('remarks irregularities once, with what became of them, and leaves small things out', () => {
    const decisions = [
      decision(8000, { type: 'confirm', kind: 'pressed-without-move', side: 'white', ply: 9 }),
      decision(9900, { type: 'enter', kind: 'two-hands', side: 'white', ply: 7 }),
      decision(9950, { type: 'result', score: '0-1', termination: 'illegal-moves' }),
    ];
    const sheet = makeScoresheet(eventfulGame(), { decisions });
    expect(
      sheet.remarks.map(({ flag: told, irregularity }) => [
        told?.code,
        irregularity?.kind,
        irregularity?.state,
      ]),
    ).toEqual([
      ['AMBIGUOUS(2)', undefined, undefined],
      ['MISSED_PLIES(1)', undefined, undefined],
      ['PRESSED_WITHOUT_MOVE', 'pressed-without-move', 'confirmed'],
      ['TIME_ADDED(black,120)', undefined, undefined],
      ['ILLEGAL', 'illegal', 'seen'],
      ['RESULT_CONFLICT', undefined, undefined],
      [undefined, 'two-hands', 'confirmed'],
    ]);
    // What was entered counts before what the board has shown.
    expect(sheet).toMatchObject({ score: '0-1', termination: 'illegal-moves', isOver: true });
    expect(makeScoresheet(eventfulGame())).toMatchObject({ score: '1-0', termination: 'kings' });
  });

  it('7.5.5: says of the second confirmed one what the Laws provide', () => {
    const decisions = [
      decision(8000, { type: 'confirm', kind: 'pressed-without-move', side: 'white', ply: 9 }),
      decision(9900, { type: 'enter', kind: 'two-hands', side: 'white', ply: 7 }),
    ];
    const { remarks } = makeScoresheet(eventfulGame(), { decisions });
    const penalties = remarks.flatMap(({ irregularity }) =>
      irregularity?.side === 'white' ? [irregularity.penalty] : [],
    );
    expect(penalties).toMatchObject([
      { type: 'time', to: 'black', ms: 120_000 },
      { type: 'loss', count: 2, loser: 'white', score: '0-1', verdict: 'winnable' },
    ]);
  });

  it.each(LANGUAGES)('is written in %s as text, without a cursor being moved', (language) => {
    const sheet = makeScoresheet(eventfulGame(), {
      amended: [2],
      decisions: [decision(8000, { type: 'dismiss', kind: 'illegal', side: 'black', ply: 10 })],
    });
    const text = makeScoresheetText(sheet, createPhrases(language)).join('\n');
    expect(text).not.toMatch(/\x1b|undefined|\{/);
    expect(text).toContain('Anna & Co (2100)');
    const knight = { en: 'Nf3(?)', ru: 'Кf3(?)', be: 'Кf3(?)' }[language];
    expect(text).toContain(knight);
    expect(text).toContain('d8-d3‡');
    for (const number of ['7.5.1', '7.5.3', '8.7']) expect(text).toContain(number);
    expect(makeScoresheetText(sheet, createPhrases(language, { san: true })).join('\n')).toContain('Nf3(?)');
  });

  it.each(LANGUAGES)('is printed in %s as one page that needs nothing besides itself', (language) => {
    const sheet = makeScoresheet(eventfulGame(), { amended: [2] });
    const page = makeScoresheetHtml(sheet, createPhrases(language));
    expect(page).toContain(`<html lang="${language}">`);
    expect(page).toContain('@page { size: A4;');
    expect(page).not.toMatch(/<script|<link|<img|src=|url\(|https?:/i);
    // What people wrote stays text.
    expect(page).toContain('Open &lt;&quot;A&quot;&gt;');
    expect(page).toContain('Anna &amp; Co');
    expect(page).not.toContain('\x1b');
    const tags = [...page.matchAll(/<(\/?)([a-z0-9]+)[^>]*>/g)].filter(([, , name]) => name !== 'meta');
    const open: string[] = [];
    for (const [, end, name] of tags) {
      if (end === '') open.push(name!);
      else expect(open.pop()).toBe(name);
    }
    expect(open).toEqual([]);
    expect(page.match(/<div>[^<]*<\/div>\n/g)).toHaveLength(3);
  });

  it('prints every move of a long game once, in columns that fit a page', () => {
    const shuffle = ['Nf3', 'Nf6', 'Ng1', 'Ng8'];
    const record = playedGame(Array.from({ length: 400 }, (_, i) => shuffle[i % 4]!));
    const page = makeScoresheetHtml(makeScoresheet(paperGame(record)), createPhrases('en'));
    const numbers = [...page.matchAll(/<td class="n">(\d+)<\/td>/g)].map(([, number]) => Number(number));
    expect(numbers).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
    for (const table of page.split('<tbody>').slice(1))
      expect(table.match(/<tr>/g)!.length).toBeLessThanOrEqual(42);
  });
});
