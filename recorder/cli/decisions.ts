import { lineOf } from '../../core/laws/game-line.ts';
import { restorePoint } from '../../core/laws/irregularity.ts';
import { lookAtGame } from '../enter.ts';
import { makeShortTime } from '../language/short-time.ts';
import { openStoreReader } from '../store/store.ts';
import { makeEntryLine, makeIrregularityText, makePlyName } from '../view/decision-text.ts';
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
    const print = (lines: readonly string[], value: object): void => {
      for (const text of json ? [JSON.stringify(value)] : lines.map(plainText)) io.out.write(`${text}\n`);
    };
    for (const entry of at.entries) {
      const { wallMs, undone, ...said } = entry;
      print([makeEntryLine(entry, line, isHeard(entry.id), phrases)], {
        type: 'decision',
        ...said,
        game: id,
        at: new Date(wallMs).toISOString(),
        heard: undone === undefined && isHeard(entry.id),
        undone: undone === undefined ? null : { by: undone.by, at: new Date(undone.wallMs).toISOString() },
      });
    }
    for (const irregularity of at.irregularities) {
      const { before, ply, clocks, ...facts } = irregularity;
      const pliesSince = Math.max(0, record.plies.length - ply);
      // What was wrong from the start goes back to the start.
      const restore = restorePoint(line, Math.max(1, ply));
      const lines = [
        makeIrregularityText(irregularity, line, phrases),
        `  ${phrases.text('desk-before', {
          fen: before.fen(),
          clocks:
            clocks === undefined
              ? '?'
              : `${makeShortTime(clocks.whiteMs)} / ${makeShortTime(clocks.blackMs)}`,
          plies: String(pliesSince),
        })}`,
      ];
      if (!restore.isExact) {
        const told = { ply: makePlyName(line, restore.ply, phrases), fen: restore.position.fen() };
        lines.push(`  ${phrases.text('desk-restore', told)}`);
      }
      print(lines, {
        type: 'irregularity',
        game: id,
        ...facts,
        ply,
        clocks,
        before: before.fen(),
        pliesSince,
        restore: { ply: restore.ply, fen: restore.position.fen(), exact: restore.isExact },
      });
    }
    if (!json && at.entries.length + at.irregularities.length === 0)
      io.out.write(`${phrases.text('desk-none')}\n`);
    return 0;
  } finally {
    reader.close();
  }
}
