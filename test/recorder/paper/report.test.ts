import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../recorder/language/language.ts';
import { createPhrases } from '../../../recorder/language/phrases.ts';
import { isUneventful, makeReport } from '../../../recorder/paper/report.ts';
import { makeReportHtml, makeReportText } from '../../../recorder/paper/report-text.ts';
import { playedGame } from '../pgn/played-game.ts';
import { decision, eventfulGame, flag, paperGame } from './eventful-game.ts';

const quiet = () => paperGame(playedGame(['e4', 'e5'], { result: '1/2-1/2' }), { White: 'C', Black: 'D' });

describe('a report', () => {
  it('has of each game what an arbiter hands in', () => {
    const [report] = makeReport([eventfulGame()], {
      enteredOf: () => ({
        decisions: [
          decision(8000, { type: 'confirm', kind: 'pressed-without-move', side: 'white', ply: 9 }),
          decision(8500, { type: 'draw-offer', side: 'white', ply: 9 }),
        ],
      }),
    });
    expect(report).toMatchObject({
      score: '1-0',
      termination: 'kings',
      isOver: true,
      open: undefined,
      irregularities: [
        {
          kind: 'pressed-without-move',
          side: 'white',
          ply: 9,
          article: '7.5.3',
          state: 'confirmed',
          by: 'A. Arbiter',
        },
        { kind: 'illegal', side: 'black', ply: 10, article: '7.5.1', state: 'seen' },
      ],
      timeAdded: [{ side: 'black', ms: 120_000, ply: 8 }],
      offers: [{ side: 'white', ply: 9 }],
      resultFlags: [{ code: 'RESULT_CONFLICT' }],
      pliesInDoubt: [
        { ply: 3, type: 'ambiguous', candidates: ['Nh3'] },
        { ply: 6, type: 'inferred', candidates: [] },
      ],
      flags: [],
    });
    expect(report!.decisions).toHaveLength(2);
    expect(report!.irregularities[0]!.clocks).toEqual({ whiteMs: 200_000, blackMs: 5_100_000 });
  });

  it('counts an illegal move that was put right before the press as corrected, and proposes nothing for it', () => {
    const record = playedGame(['e4', 'e5', 'Nf3', 'Nc6'], { result: '1-0' });
    record.flags.push({ ...flag('ILLEGAL', 3, 1800, 'g1 g3'), severity: 'notice' });
    const [report] = makeReport([paperGame(record)]);
    expect(report!.irregularities).toMatchObject([
      { kind: 'illegal', state: 'corrected', penalty: undefined },
    ]);
  });

  it('A.5: what was answered under limited supervision stands', () => {
    const record = playedGame(['e4', '!e7e4', 'Nf3', 'Nc6'], { result: '1-0' });
    record.flags.push(flag('ILLEGAL', 2, 1800, 'e7e4'));
    const stateOf = (regime: 'full' | 'limited') =>
      makeReport([{ ...paperGame(record), rules: { regime } }])[0]!.irregularities.map(({ state }) => state);
    expect(stateOf('limited')).toEqual(['stands']);
    expect(stateOf('full')).toEqual(['seen']);
  });

  it('tells of games without an end and of ends without a result', () => {
    const going = paperGame(playedGame(['e4']));
    const closed = paperGame(playedGame(['e4']));
    closed.record.ended = true;
    expect(makeReport([going, closed, quiet()]).map(({ open }) => open)).toEqual([
      'not-ended',
      'ended-without',
      undefined,
    ]);
  });

  it('tells alarms that no other list has, and nothing of small things', () => {
    const record = playedGame(['e4', 'e5'], { result: '0-1' });
    record.flags.push(
      flag('FLAG_FALL', 2, 5000, 'white first, 1 moves recorded'),
      flag('TOUCH', 2, 5100, 'g1'),
    );
    const [report] = makeReport([paperGame(record)]);
    expect(report!.flags.map(({ code }) => code)).toEqual(['FLAG_FALL']);
    expect(isUneventful(report!)).toBe(false);
    expect(isUneventful(makeReport([quiet()])[0]!)).toBe(true);
  });

  it.each(LANGUAGES)(
    'is written and printed in %s: eventful games with all sections, the others counted',
    (language) => {
      const phrases = createPhrases(language);
      const reports = makeReport([eventfulGame(), quiet(), quiet()], {
        enteredOf: ({ tags }) =>
          tags.White === 'C'
            ? {}
            : {
                decisions: [
                  decision(8000, { type: 'draw-offer', side: 'white', ply: 9 }),
                  decision(8100, { type: 'flag-registered', side: 'black' }),
                ],
              },
      });
      const text = makeReportText(reports, phrases).join('\n');
      const page = makeReportHtml(reports, phrases);
      for (const section of [
        'irregularities',
        'time',
        'decisions',
        'offers',
        'results',
        'ambiguous',
      ] as const) {
        expect(text).toContain(`  ${phrases.text(`report-${section}`)}:\n`);
        expect(page).toContain(`<h3>${phrases.text(`report-${section}`)}</h3>`);
      }
      for (const told of [text, page]) {
        expect(told).toContain(phrases.count('nothing-to-report', 2));
        expect(told).not.toMatch(/\x1b|undefined|\{n\}/);
        expect(told).toContain('+2:00');
      }
      expect(page).not.toMatch(/<script|<link|src=|https?:/i);
      expect(makeReportText([], phrases).join('\n')).toContain(phrases.text('report-none'));
    },
  );
});
