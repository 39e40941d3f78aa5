import type { BoardDefinition } from '../../boards/definition.ts';
import { findBoard } from '../../boards/registry.ts';
import { Position } from '../../core/position.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import { nameAtHub } from './partition.ts';
import { type Arrived, decodeRelayMessage } from './relay-message.ts';

/** A message that games can be derived from. */
export interface Piece {
  readonly arrived: Arrived;
  /** Name of the board at the hub. */
  readonly board: string;
  readonly definition: BoardDefinition;
}

/** Reads a message and what it is about; RELAY_MESSAGE when nothing can be derived from it. */
export function readPiece(data: Uint8Array): Result<Piece> {
  const read = decodeRelayMessage(data);
  if (!read.ok) return read;
  const { edge, board, kind, options } = read.value;
  const found = findBoard(kind);
  if (!found.ok) return fail('RELAY_MESSAGE', found.fault.message);
  if (options.start !== undefined && !Position.fromFen(options.start, options.variant).ok)
    return fail('RELAY_MESSAGE', `${board} begins from a position that cannot be`);
  return ok({ arrived: read.value, board: nameAtHub(board, edge), definition: found.value });
}
