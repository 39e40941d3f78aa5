import { BoardError } from '../../core/board-error.ts';
import { lineOf } from '../../core/laws/game-line.ts';
import { checkCorrection } from '../correct-record.ts';
import { type Entered, type GameAtDesk, openDesk } from '../enter.ts';
import type { EntryContent } from '../entry.ts';
import type { Phrases } from '../language/phrases.ts';
import { makeEntryText, makeNewsText, makePlyName } from '../view/decision-text.ts';
import { plainText } from '../view/display-text.ts';
import { DECIDE, parseGameId, parseOptions, phrasesFor } from './arguments.ts';
import type { Io } from './io.ts';
import { parseDecision, parseDecisionWord } from './parse-decision.ts';
import { type Rewritten, rewriteGames } from './pgn-folder.ts';
import { ArgumentError, statusOf } from './print-fault.ts';

/**
 * Stores what an arbiter decides or an operator corrects in a game, and says what comes of it. The games are derived again
 * at once, or by the recorder that is running on the same database.
 */
export async function runDecide(
  game: string,
  what: string,
  details: readonly string[],
  options: unknown,
  io: Io,
): Promise<number> {
  const id = parseGameId(game);
  const word = parseDecisionWord(what);
  const { db, pgn, by, json, lang, ...given } = parseOptions(DECIDE, options);
  const phrases = phrasesFor(lang, io);
  const signed = (by ?? io.user ?? '').trim();
  if (signed === '') throw new BoardError('SIGNATURE_MISSING');
  const desk = openDesk(db, () => Date.now());
  let at: GameAtDesk;
  let entered: Entered;
  let said: Said;
  try {
    at = desk.look(id);
    if (word === 'undo') {
      const undoes = parseUndo(details, given);
      said = { undoes };
      entered = desk.undo(at, signed, undoes);
    } else {
      said = { what: parseDecision(at, word, details, given) };
      entered = desk.enter(at, signed, said.what);
    }
  } finally {
    desk.close();
  }
  // Beside a recorder that writes the files itself there is nothing to be done.
  const changed = new Set([at.game.record.game, ...entered.differences.map(({ game: number }) => number)]);
  const { written, fault }: Rewritten = entered.isHonoured
    ? await rewriteGames(db, pgn, at.sitting.id, changed)
    : { written: [] };
  if (json) io.out.write(`${JSON.stringify({ ...makeLine(at, signed, said, entered), written })}\n`);
  else {
    const [first, ...more] = [
      ...makeText(at, signed, said, entered, phrases),
      ...written.map((path) => phrases.text('desk-written', { path })),
    ].map(plainText);
    io.out.write(`${[first, ...more.map((line) => `  ${line}`)].join('\n')}\n`);
  }
  // The decision is stored all the same.
  return fault === undefined ? 0 : statusOf(io, fault);
}

type Said = { readonly what: EntryContent } | { readonly undoes: number };

function parseUndo(details: readonly string[], options: Readonly<Record<string, unknown>>): number {
  const [text, ...more] = details;
  const extra = Object.entries(options).find(([, value]) => value !== undefined && value !== false);
  if (extra !== undefined) throw new ArgumentError(`--${extra[0]} says nothing about undo`);
  if (text === undefined || more.length > 0) throw new ArgumentError('decide GAME undo DECISION');
  if (!/^\d{1,15}$/.test(text)) throw new BoardError('DECISION_UNKNOWN', { id: text });
  return Number(text);
}

/** One line of `decide --json`. */
const makeLine = ({ game }: GameAtDesk, by: string, said: Said, entered: Entered) => ({
  type: 'decision',
  id: entered.id,
  game: game.id,
  by,
  ...said,
  honoured: entered.isHonoured,
  falls: entered.falls,
  differences: entered.differences,
  news: entered.news.flatMap((news): object[] => {
    if (news.type === 'proposal') return [{ type: news.type, ...news.proposal }];
    if (news.type !== 'irregularity') return [];
    const { before, ...irregularity } = news.irregularity;
    return [{ type: news.type, ...irregularity, before: before.fen() }];
  }),
});

/** What was stored in the first line, what comes of it in the others. */
function makeText(
  { game }: GameAtDesk,
  by: string,
  said: Said,
  entered: Entered,
  phrases: Phrases,
): string[] {
  const name = (ply: number): string => makePlyName(line, ply, phrases);
  const { record } = game;
  const line = lineOf(record.start, record.variant, record.plies);
  const lines =
    'undoes' in said
      ? [phrases.text('desk-undone', { game: game.id, id: said.undoes, by })]
      : [
          phrases.text('desk-stored', {
            id: entered.id,
            game: game.id,
            text: makeEntryText(said.what, line, phrases),
            by,
          }),
        ];
  if ('what' in said && said.what.type === 'correction') {
    const { from, plies, replaces } = said.what;
    const checked = checkCorrection(record, from, plies, replaces);
    if ('kept' in checked) {
      const end = from + (replaces ?? plies.length);
      if (checked.kept > 0)
        lines.push(phrases.text('desk-stay', { from: name(end), to: name(end + checked.kept - 1) }));
      if (checked.dropped > 0) {
        const from = name(end + checked.kept);
        lines.push(phrases.text('desk-gone', { from, plies: checked.dropped }));
      }
    }
  }
  if (entered.falls !== undefined) lines.push(phrases.text('desk-falls', { falls: entered.falls }));
  for (const news of entered.news) {
    const text = makeNewsText(news, line, phrases);
    if (text !== undefined) lines.push(text);
  }
  for (const { game: number, about, stored, derived } of entered.differences) {
    // One flag more, and all after it have another number: `--json` has them.
    if (about.startsWith('flag')) continue;
    const other = number === record.game ? '' : `game ${number} of the board, `;
    lines.push(`${other}${about}: ${stored} -> ${derived}`);
  }
  if (!entered.isHonoured) lines.push(phrases.text('desk-taken-up'));
  return lines;
}
