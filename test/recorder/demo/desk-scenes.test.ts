import { describe, expect, it } from 'vitest';
import { type FlagWord, wordOf } from '../../../core/flag.ts';
import { BACK_MS, STAGGER_MS } from '../../../recorder/demo/desk-demo.ts';
import { createDeskScenes, DEMO_RULES } from '../../../recorder/demo/desk-scenes.ts';
import { attentionOf, LISTED_WORDS } from '../../../recorder/desk/model/attention.ts';
import { playScene } from './play-scene.ts';

/** The demo promises everything within so much of its own time. */
const WITHIN_MS = 120_000;

/** What no board of this hall can bring about. */
const NOT_OF_THESE_BOARDS: Readonly<Partial<Record<FlagWord, string>>> = {
  COLOURS_REVERSED: 'a person enters it: no sensor sees who sits where',
  CORRECTION_REFUSED: 'comes of an entry',
  PROMO_ASSUMED: 'of boards that cannot tell pieces apart; these can',
  CLOCK_LOST: 'the simulated clock cannot be pulled out',
};

const scenes = createDeskScenes();
const listed = scenes.map((scene, i) => {
  // Tables begin one after the other.
  const untilMs = WITHIN_MS - STAGGER_MS * (i + 1);
  const { records, isUp } = playScene({ ...scene, rules: scene.rules ?? DEMO_RULES }, untilMs, BACK_MS);
  const list = records.flatMap((record) =>
    attentionOf({ id: record.game, record, entries: [], isLinkUp: isUp, wallMsOf: (atMs) => atMs }),
  );
  return { list, flags: records.flatMap(({ flags }) => flags) };
});

describe('the rehearsal of the desk', () => {
  it('has twelve tables', () => expect(scenes).toHaveLength(12));

  it.each(scenes.map((scene, i) => [i + 1, scene] as const))(
    'brings what is meant at table %i into the attention list within two minutes, and leaves it there',
    (table, { words }) => {
      const seen = new Set(listed[table - 1]!.list.map(({ code }) => wordOf(code)));
      expect([...seen].sort()).toEqual([...words].sort());
    },
  );

  it('raises every word of the list that boards of its kind can raise', () => {
    const raised = new Set(listed.flatMap(({ list }) => list.map(({ code }) => wordOf(code))));
    const expected = LISTED_WORDS.filter((word) => !(word in NOT_OF_THESE_BOARDS));
    expect([...raised].sort()).toEqual([...expected].sort());
  });

  it('has illegal moves of both kinds, completed and not, and a turned board', () => {
    const illegal = listed.flatMap(({ list }) => list.filter(({ code }) => code === 'ILLEGAL'));
    expect(illegal.map(({ severity }) => severity).sort()).toEqual(['alarm', 'notice']);
    expect(listed.flatMap(({ flags }) => flags.map(({ code }) => code))).toContain('ROTATED_180');
  });
});
