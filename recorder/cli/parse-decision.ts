/** What is decided, as the words of a command line say it. */
import { BoardError } from '../../core/board-error.ts';
import { SCORES, type Score, type Termination } from '../../core/laws/endings.ts';
import { type GameLine, lineOf } from '../../core/laws/game-line.ts';
import {
  doerOf,
  IRREGULARITIES,
  type IrregularityKind,
  type IrregularityRef,
} from '../../core/laws/irregularity-kind.ts';
import { opponent, type Side } from '../../core/square.ts';
import { checkCorrection } from '../correct-record.ts';
import type { GameAtDesk } from '../enter.ts';
import type { EntryContent } from '../entry.ts';
import { makePlyName } from '../view/decision-text.ts';
import { DECISIONS, type DecisionWord, KINDS } from './decision-words.ts';
import { ArgumentError } from './print-fault.ts';

/** The options of a decision. */
export interface DecisionOptions {
  readonly ply: string | undefined;
  readonly side: Side | undefined;
  readonly termination: Termination | undefined;
  readonly replaces: number | undefined;
  readonly all: boolean;
}

/** A decision other than `undo`, checked against the game; throws an `ArgumentError` or a coded error. */
export function parseDecision(
  at: GameAtDesk,
  word: Exclude<DecisionWord, 'undo'>,
  details: readonly string[],
  options: DecisionOptions,
): EntryContent {
  const { record } = at.game;
  const line = lineOf(record.start, record.variant, record.plies);
  const last = record.plies.length;
  const plyOf = (): number => (options.ply === undefined ? last : parsePly(options.ply, line, last));
  const mover = (ply: number): Side => moverOf(line, ply);
  if (word !== 'result' && options.termination !== undefined) refuse('--termination', word);
  if (word !== 'correct' && options.all) refuse('--all', word);
  if (word !== 'correct' && options.replaces !== undefined) refuse('--replaces', word);
  if (word === 'correct') return parseCorrection(at, details, line, options);
  const [detail, ...more] = details;
  const takesDetail = word === 'confirm' || word === 'dismiss' || word === 'enter' || word === 'result';
  if (more.length > 0 || takesDetail !== (detail !== undefined)) throw new ArgumentError(usageOf(word));
  switch (word) {
    case 'confirm':
    case 'dismiss':
      return { type: word, ...findIrregularity(at, line, word, parseKind(detail!), options) };
    case 'enter': {
      const kind = parseKind(detail!);
      const ply = Math.max(1, plyOf());
      const side = options.side ?? doerOf(kind, mover(ply));
      return { type: 'enter', kind, ...(side !== undefined && { side }), ply };
    }
    case 'draw-offer': {
      const ply = plyOf();
      if (ply < 1) throw new BoardError('PLY_UNKNOWN', { ply, plies: last });
      return { type: 'draw-offer', side: options.side ?? mover(ply), ply };
    }
    case 'draw-declined':
      return { type: 'draw-declined', ply: plyOf() };
    case 'flag-registered':
      if (options.side === undefined) throw new ArgumentError(`${usageOf(word)}: whose flag fell`);
      return { type: 'flag-registered', side: options.side };
    case 'result':
      return { type: 'result', score: parseScore(detail!), termination: options.termination ?? 'unknown' };
  }
}

const refuse = (option: string, word: string): never => {
  throw new ArgumentError(`${option} says nothing about ${word}`);
};

const usageOf = (word: DecisionWord): string => `decide GAME ${DECISIONS[word]}`;

/** Reads which kind of decision it is; throws an `ArgumentError`. */
export function parseDecisionWord(text: string): DecisionWord {
  if (Object.hasOwn(DECISIONS, text)) return text as DecisionWord;
  throw new ArgumentError(`"${text}" is none of ${Object.keys(DECISIONS).join(', ')}`);
}

/** A kind by its own word or by that of its flag: `illegal`, `PRESSED_WITHOUT_MOVE`. */
function parseKind(text: string): IrregularityKind {
  const word = text.replace(/\(.*$/, '');
  const kind = KINDS.find((known) => known === word.toLowerCase() || IRREGULARITIES[known].word === word);
  if (kind === undefined) throw new ArgumentError(`"${text}" is none of ${KINDS.join(', ')}`);
  return kind;
}

function parseScore(text: string): Score {
  const written = text.replaceAll('½', '1/2');
  const score = SCORES.find((known) => known === written);
  if (score === undefined) throw new ArgumentError(`"${text}" is none of ${SCORES.join(', ')}`);
  return score;
}

/** A ply by its number, or by its move: `12.` of White, `12...` of Black. PLY_UNKNOWN beyond `most`. */
export function parsePly(text: string, line: GameLine, most: number): number {
  const match = /^(\d{1,5})(\.|\.\.\.|…)?$/.exec(text);
  if (match === null) throw new BoardError('PLY_UNKNOWN', { ply: text, plies: line.plies.length });
  const [, digits, dots] = match;
  const { fullmoves, turn } = line.start;
  const before = (fullmoves - 1) * 2 + (turn === 'black' ? 1 : 0);
  const number = Number(digits);
  const ply = dots === undefined ? number : (number - 1) * 2 + (dots === '.' ? 1 : 2) - before;
  if (ply < 0 || ply > most || (dots !== undefined && ply < 1))
    throw new BoardError('PLY_UNKNOWN', { ply: text, plies: line.plies.length });
  return ply;
}

const moverOf = (line: GameLine, ply: number): Side =>
  ply % 2 === 1 ? line.start.turn : opponent(line.start.turn);

/** The one irregularity that was seen and is meant. */
function findIrregularity(
  { irregularities }: GameAtDesk,
  line: GameLine,
  word: 'confirm' | 'dismiss',
  kind: IrregularityKind,
  { ply, side }: DecisionOptions,
): IrregularityRef {
  const number = ply === undefined ? undefined : parsePly(ply, line, line.plies.length + 1);
  const found = irregularities.filter(
    (seen) =>
      seen.kind === kind &&
      (number === undefined || seen.ply === number) &&
      (side === undefined || seen.side === side) &&
      seen.state !== (word === 'confirm' ? 'confirmed' : 'dismissed'),
  );
  const what = [kind, ...(side === undefined ? [] : [side]), ...(ply === undefined ? [] : [`ply ${ply}`])];
  const [only, ...others] = found;
  if (only === undefined) throw new BoardError('IRREGULARITY_UNKNOWN', { what: what.join(', ') });
  if (others.length > 0) {
    const places = found.map((seen) => `${seen.side ?? 'nobody'} at ${makePlyName(line, seen.ply)}`);
    throw new ArgumentError(`${what.join(', ')} was seen more than once, say which: ${places.join('; ')}`);
  }
  return { kind, ...(only.side !== undefined && { side: only.side }), ply: only.ply };
}

function parseCorrection(
  { game: { record } }: GameAtDesk,
  details: readonly string[],
  line: GameLine,
  { all, replaces, ply, side }: DecisionOptions,
): EntryContent {
  if (ply !== undefined || side !== undefined) refuse(ply !== undefined ? '--ply' : '--side', 'correct');
  const [first, ...moves] = details;
  const isEmpty = moves.length === 0 && !all && (replaces ?? 0) === 0;
  if (first === undefined || isEmpty || (all && replaces !== undefined))
    throw new ArgumentError(usageOf('correct'));
  const from = parsePly(first, line, record.plies.length + 1);
  if (from < 1) throw new BoardError('PLY_UNKNOWN', { ply: first, plies: record.plies.length });
  const checked = checkCorrection(record, from, moves, all ? undefined : (replaces ?? moves.length));
  if ('move' in checked)
    throw new BoardError('MOVE_ILLEGAL', {
      move: checked.move,
      place: makePlyName(line, checked.ply).replace(/[^.]*$/, ''),
    });
  return checked.correction;
}
