/** A scoresheet for a terminal. */
import { SIDES, type Side } from '../../core/square.ts';
import { PLY_MARKS, type PlyMark } from '../language/catalogue.ts';
import type { Phrases } from '../language/phrases.ts';
import { makeClock } from '../pgn/clock-text.ts';
import { padText, plainText } from '../view/display-text.ts';
import { makePlyName, placesOf } from './paper-game.ts';
import { isOfArbiter, makeDecisionText, makeOutcomeText, makeRemarkText } from './remark-text.ts';
import type { Scoresheet, SheetPly } from './scoresheet.ts';
import { makeDay, makeTagDay, makeUsedTime } from './stamp.ts';

/** What is written behind a move for each mark. */
export const MARK_SIGNS: Readonly<Record<PlyMark, string>> = {
  inferred: '°',
  ambiguous: '(?)',
  illegal: '‡',
  amended: '*',
  provisional: '(…)',
  unwritten: '|',
};
export const OFFER_SIGN = '(=)';

/** A move as it stands in its column. */
export const makeMoveCell = ({ san, marks, isOffer }: SheetPly, phrases: Phrases): string => {
  const signs = marks.map((mark) => MARK_SIGNS[mark]).join('');
  return `${phrases.move(san)}${signs}${isOffer ? ` ${OFFER_SIGN}` : ''}`;
};

/** Names and values of what is known of the game, in the order of a printed form. */
export function headOf({ game, start }: Scoresheet, phrases: Phrases): (readonly [string, string])[] {
  const { tags, board, startedWallMs } = game;
  const known = (value: string | undefined): string =>
    value === undefined || /^[?.]*$/.test(value) ? '' : value;
  const player = (side: Side): string => {
    const name = side === 'white' ? 'White' : 'Black';
    const rating = known(tags[`${name}Elo`]);
    const title = known(tags[`${name}Title`]);
    return [title, known(tags[name]), rating === '' ? '' : `(${rating})`]
      .filter((part) => part !== '')
      .join(' ');
  };
  const date = known(tags.Date);
  const rows: (readonly [string, string])[] = [
    [phrases.text('sheet-event'), known(tags.Event)],
    [phrases.text('sheet-site'), known(tags.Site)],
    [
      phrases.text('sheet-date'),
      date === '' ? makeDay(startedWallMs, phrases.language) : makeTagDay(date, phrases.language),
    ],
    [phrases.text('sheet-round'), known(tags.Round)],
    [phrases.text('sheet-board'), known(tags.Board) || board],
    [phrases.text('sheet-control'), known(tags.TimeControl)],
    [phrases.side('white').title, player('white')],
    [phrases.side('black').title, player('black')],
    [phrases.text('sheet-start'), start ?? ''],
  ];
  // Names stay on the form also when nobody knows them.
  return rows.filter(
    ([name, value]) => value !== '' || SIDES.some((side) => phrases.side(side).title === name),
  );
}

/** The result as it is written on the sheet. */
export const makeResultText = ({ score, termination, isOver }: Scoresheet, phrases: Phrases): string =>
  isOver ? makeOutcomeText(score, termination, phrases) : phrases.text('sheet-ongoing');

/** Marks that occur, each with what it means. */
export function legendOf(sheet: Scoresheet, phrases: Phrases): (readonly [string, string])[] {
  const plies = sheet.moves.flatMap(({ white, black }) => [white, black]).filter((ply) => ply !== undefined);
  const legend = PLY_MARKS.filter((mark) => plies.some(({ marks }) => marks.includes(mark))).map(
    (mark) => [MARK_SIGNS[mark], phrases.catalogue.plyMarks[mark]] as const,
  );
  return plies.some(({ isOffer }) => isOffer)
    ? [...legend, [OFFER_SIGN, phrases.text('sheet-offer-legend')]]
    : legend;
}

/** What is to be said below the moves: where writing ended, other moves that fit, where times come from. */
export function notesOf(sheet: Scoresheet, phrases: Phrases): string[] {
  const { record } = sheet.game;
  const placeOf = placesOf(record);
  const notes = sheet.free.map(({ side, ply }) =>
    phrases.text('sheet-writing-over', { side: phrases.side(side).title, move: placeOf(ply).move }),
  );
  if (sheet.isWritingFree) notes.push(phrases.text('sheet-writing-never'));
  for (const { white, black } of sheet.moves) {
    for (const ply of [white, black]) {
      if (ply === undefined || ply.candidates.length === 0) continue;
      const candidates = ply.candidates.map((san) => phrases.move(san)).join(', ');
      notes.push(
        phrases.text('sheet-candidates', { move: makePlyName(record, ply.number, phrases.move), candidates }),
      );
    }
  }
  if (sheet.used === 'clock') notes.push(phrases.text('sheet-used-clock'));
  if (sheet.used === 'presses') notes.push(phrases.text('sheet-used-recorder'));
  return notes;
}

/** Writes a scoresheet as lines of text, without anything that could move a cursor. */
export function makeScoresheetText(sheet: Scoresheet, phrases: Phrases): string[] {
  const lines = [`${phrases.text('sheet-title')}. ${phrases.text('sheet-game', { game: sheet.game.id })}`];
  for (const [name, value] of headOf(sheet, phrases)) lines.push(`${name}: ${value}`);
  lines.push('', ...makeTable(sheet, phrases), '');
  lines.push(`${phrases.text('sheet-result')}: ${makeResultText(sheet, phrases)}`);
  for (const [sign, meaning] of legendOf(sheet, phrases)) lines.push(`${padText(sign, 4)}${meaning}`);
  lines.push(...notesOf(sheet, phrases));
  const block = (title: string, texts: readonly string[]): void => {
    if (texts.length > 0) lines.push('', `${title}:`, ...texts.map((text) => `  ${text}`));
  };
  block(
    phrases.text('sheet-remarks'),
    sheet.remarks.map((remark) => makeRemarkText(remark, sheet.game, phrases)),
  );
  block(phrases.text('sheet-decisions'), [
    ...sheet.decisions.filter(isOfArbiter).map((decision) => makeDecisionText(decision, sheet.game, phrases)),
    ...sheet.corrections.map((correction) => makeDecisionText(correction, sheet.game, phrases)),
  ]);
  lines.push('', phrases.text('sheet-foot'));
  // Blanks in front are columns, those inside are columns as well: only what could do harm goes.
  return lines.map((line) => line.split(' ').map(plainText).join(' ').trimEnd());
}

function makeTable({ moves }: Scoresheet, phrases: Phrases): string[] {
  const cellsOf = (ply: SheetPly | undefined): string[] =>
    ply === undefined
      ? ['', '', '']
      : [
          makeMoveCell(ply, phrases),
          ply.clockMs === undefined ? '' : makeClock(ply.clockMs),
          ply.usedMs === undefined ? '' : makeUsedTime(ply.usedMs),
        ];
  const hasTimes = moves.some(
    ({ white, black }) => white?.usedMs !== undefined || black?.clockMs !== undefined,
  );
  const columnsOf = (cells: readonly string[]): readonly string[] => (hasTimes ? cells : cells.slice(0, 1));
  const head = [
    phrases.text('sheet-move'),
    ...SIDES.flatMap((side) =>
      columnsOf([phrases.side(side).title, phrases.text('sheet-clock'), phrases.text('sheet-used')]),
    ),
  ];
  const rows = moves.map(({ move, white, black }) => [
    String(move),
    ...columnsOf(cellsOf(white)),
    ...columnsOf(cellsOf(black)),
  ]);
  const widths = head.map((title, i) =>
    Math.max(...[title, ...rows.map((row) => row[i]!)].map((cell) => cell.length)),
  );
  return [head, ...rows].map((row) =>
    row
      .map((cell, i) => padText(cell, widths[i]!))
      .join('  ')
      .trimEnd(),
  );
}
