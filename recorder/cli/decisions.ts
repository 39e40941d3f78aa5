import { lineOf } from '../../core/laws/game-line.ts';
import { lookAtGame } from '../enter.ts';
import { openStoreReader } from '../store/store.ts';
import { makeEntryLine, makeIrregularityText } from '../view/decision-text.ts';
import { plainText } from '../view/display-text.ts';
import { DECISIONS_OF, parseGameId, parseOptions, phrasesFor } from './arguments.ts';
import type { Io } from './io.ts';

/** Lists what was decided and corrected in a game, and the irregularities of it as they stand. */
export async function runDecisions(game: string, options: unknown, io: Io): Promise<number> {
  const id = parseGameId(game);
  const { db, json, lang } = parseOptions(DECISIONS_OF, options);
  const phrases = phrasesFor(lang, io);
  const reader = openStoreReader(db);
  try {
    const at = lookAtGame(reader, id);
    const { record } = at.game;
    const line = lineOf(record.start, record.variant, record.plies);
    const isHeard = (entryId: number): boolean => !at.unheard.some((entry) => entry.id === entryId);
    const print = (text: string, value: object): void => {
      io.out.write(`${json ? JSON.stringify(value) : plainText(text)}\n`);
    };
    for (const entry of at.entries) {
      const { wallMs, undone, ...said } = entry;
      print(makeEntryLine(entry, line, isHeard(entry.id), phrases), {
        type: 'decision',
        ...said,
        game: id,
        at: new Date(wallMs).toISOString(),
        heard: undone === undefined && isHeard(entry.id),
        undone: undone === undefined ? null : { by: undone.by, at: new Date(undone.wallMs).toISOString() },
      });
    }
    for (const irregularity of at.irregularities) {
      const { before, ...facts } = irregularity;
      print(makeIrregularityText(irregularity, line, phrases), {
        type: 'irregularity',
        game: id,
        ...facts,
        before: before.fen(),
      });
    }
    if (!json && at.entries.length + at.irregularities.length === 0)
      io.out.write(`${phrases.text('desk-none')}\n`);
    return 0;
  } finally {
    reader.close();
  }
}
