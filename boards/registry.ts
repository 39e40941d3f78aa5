import { fail, ok, type Result } from '../core/result.ts';
import { bleChess } from './ble-chess/definition.ts';
import { certabo, sentio } from './certabo/definition.ts';
import { chessnut, chessnutMove } from './chessnut/definition.ts';
import { chessUp } from './chessup/definition.ts';
import type { BoardDefinition } from './definition.ts';
import { dgt, dgtBus } from './dgt/definition.ts';
import { pegasus } from './dgt/pegasus.ts';
import { iChessOne } from './ichessone/definition.ts';
import { line, lineOccupancy } from './line/definition.ts';
import { chessLink, eOne } from './millennium/definition.ts';
import { novag } from './novag/definition.ts';
import { squareOffPro } from './square-off/definition.ts';
import { staunton } from './staunton/definition.ts';

/** Every kind of board there is; the only place that knows them all. */
export const BOARDS: readonly BoardDefinition[] = [
  dgt,
  dgtBus,
  pegasus,
  chessnut,
  chessnutMove,
  line,
  lineOccupancy,
  chessLink,
  eOne,
  certabo,
  sentio,
  iChessOne,
  squareOffPro,
  staunton,
  chessUp,
  novag,
  bleChess,
];

/** Finds a kind of board by its id; `BOARD_UNKNOWN` names the known ones. */
export function findBoard(id: string): Result<BoardDefinition> {
  const board = BOARDS.find((candidate) => candidate.id === id);
  if (board !== undefined) return ok(board);
  const known = BOARDS.map((candidate) => candidate.id).join(', ');
  return fail('BOARD_UNKNOWN', `no board is called "${id}": use one of ${known}`);
}
