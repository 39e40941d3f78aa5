import { isBoardError } from '../../core/board-error.ts';
import { amendedPlies } from '../paper/amended-plies.ts';
import { createPaperSource } from '../paper/paper-source.ts';
import { makeScoresheet } from '../paper/scoresheet.ts';
import { makeScoresheetHtml } from '../paper/scoresheet-html.ts';
import { makeScoresheetText } from '../paper/scoresheet-text.ts';
import { rederiveSitting } from '../rederive.ts';
import { openStoreReader, type StoredGame, type StoredSitting, type StoreReader } from '../store/store.ts';
import { makeErrorText } from '../view/fault-text.ts';
import { parseGameId, parseOptions, phrasesFor, SCORESHEET } from './arguments.ts';
import type { Io } from './io.ts';
import { ArgumentError } from './print-fault.ts';
import { writeFile } from './write-file.ts';

/** Prints the scoresheet of a stored game: as text, or as a page to be printed. */
export async function runScoresheet(game: string, options: unknown, io: Io): Promise<number> {
  const id = parseGameId(game);
  const { db, html, san, limited, lang } = parseOptions(SCORESHEET, options);
  const phrases = phrasesFor(lang, io, { san });
  const reader = openStoreReader(db);
  try {
    const [stored] = reader.games({ id });
    if (stored === undefined) throw new ArgumentError(`there is no game ${id} in ${db}`);
    const source = createPaperSource(reader, limited);
    const entered = source.enteredOf(stored);
    const amended = findAmended(stored, source.sittingOf(stored), reader, io);
    const sheet = makeScoresheet(source.gameOf(stored), { ...entered, amended });
    if (html === undefined) for (const line of makeScoresheetText(sheet, phrases)) io.out.write(`${line}\n`);
    else {
      const page = makeScoresheetHtml(sheet, phrases);
      if (html === true) io.out.write(page);
      else await writeFile(html, page);
    }
    return 0;
  } finally {
    reader.close();
  }
}

/** What was corrected while the game was recorded: the raw input tells. A sheet of damaged input has the game all the same. */
function findAmended(
  { record }: StoredGame,
  sitting: StoredSitting | undefined,
  reader: StoreReader,
  io: Io,
): number[] {
  try {
    const again = sitting === undefined ? undefined : rederiveSitting(reader, sitting);
    return again === undefined ? [] : amendedPlies(again.events, record);
  } catch (error) {
    if (!isBoardError(error)) throw error;
    io.err.write(makeErrorText(error));
    return [];
  }
}
