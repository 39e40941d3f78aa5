import type { Machine } from '../../core/machine.ts';
import { createDialogue } from '../conversation/dialogue.ts';
import type { SessionEvent, SessionOutput } from '../definition.ts';
import { ChessUpDecoder, encodeCommand, speaksChessUp } from './codec.ts';

const MOVED = new Set(['MOVE', 'PROMOTION', 'RELEASED']);

/** Creates the session of a ChessUp: what it tells of moves makes us ask for the position (PROTOCOL.md, section 4). */
export const createChessUpSession = (): Machine<SessionEvent, SessionOutput> =>
  createDialogue({
    name: 'ChessUp',
    createDecoder: () => new ChessUpDecoder(),
    speaks: speaksChessUp,
    openWaitMs: 200,
    pauseMs: 50,
    introduction: [],
    position: { bytes: encodeCommand('ASK_POSITION'), answer: 'POSITION' },
    // Without an acknowledgement it tells the same move again.
    reply: (decoded) =>
      decoded.type === 'message' && decoded.name === 'MOVE' ? encodeCommand('ACKNOWLEDGE') : undefined,
    doubts: (decoded) => decoded.type === 'message' && MOVED.has(decoded.name),
  });
