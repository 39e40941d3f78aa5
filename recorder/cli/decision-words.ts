/** The words of `decide` and its help. */
import { ENDINGS, SCORES, type Termination } from '../../core/laws/endings.ts';
import { IRREGULARITIES, type IrregularityKind } from '../../core/laws/irregularity-kind.ts';

/** What can be said of a game, each with how it is written. */
export const DECISIONS = {
  confirm: 'confirm KIND [--ply PLY] [--side SIDE]',
  dismiss: 'dismiss KIND [--ply PLY] [--side SIDE]',
  enter: 'enter KIND [--ply PLY] [--side SIDE]',
  'draw-offer': 'draw-offer [--ply PLY] [--side SIDE]',
  'draw-declined': 'draw-declined [--ply PLY]',
  'flag-registered': 'flag-registered --side SIDE',
  result: 'result RESULT [--termination REASON]',
  correct: 'correct PLY [MOVE...] [--replaces NUMBER | --all]',
  undo: 'undo DECISION',
} as const;

export type DecisionWord = keyof typeof DECISIONS;

/** Kinds of irregularity as they are written. */
export const KINDS = Object.keys(IRREGULARITIES) as IrregularityKind[];
/** Reasons of a result that an arbiter can give; kings in the centre are the players'. */
export const REASONS = (Object.keys(ENDINGS) as Termination[]).filter((reason) => reason !== 'kings');

const EXAMPLES = [
  ['jadoube decide 7 confirm illegal --by "A. Arbiter"', 'the illegal move that was seen counts (7.5.5)'],
  ['jadoube decide 7 enter two-hands --ply 12...', 'Black used both hands for the 12th move (7.5.4)'],
  ['jadoube decide 7 result 1-0 --termination resignation', 'the result and how it came about'],
  ['jadoube decide 7 correct 12. Nbd2', 'White played Nbd2; what follows stays as far as it is legal'],
  ['jadoube decide 7 undo 3', 'decision 3 never was'],
] as const;

/** What can be decided and how it is written. */
export function makeDecideHelp(): string {
  const width = Math.max(...EXAMPLES.map(([text]) => text.length));
  return [
    'What can be decided:',
    ...Object.values(DECISIONS).map((usage) => `  ${usage}`),
    '',
    `KIND: ${KINDS.join(', ')}`,
    `RESULT: ${SCORES.join(', ')}`,
    `REASON: ${REASONS.join(', ')}`,
    'MOVE: SAN or UCI; !e1g1 for a move that was played although it is illegal',
    '',
    'Examples:',
    ...EXAMPLES.map(([text, meaning]) => `  ${text.padEnd(width)}  ${meaning}`),
    '',
  ].join('\n');
}
