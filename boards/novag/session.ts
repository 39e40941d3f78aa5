import type { Machine } from '../../core/machine.ts';
import { createDialogue } from '../conversation/dialogue.ts';
import type { SessionEvent, SessionOutput } from '../definition.ts';
import { encodeCommand, NovagDecoder, speaksNovag } from './codec.ts';

const MOVED = new Set(['MOVE', 'TAKE_BACK', 'NEW_GAME']);

/** Creates the session of a Citrine: whatever it tells of moves makes us ask for the position (PROTOCOL.md, section 4). */
export const createNovagSession = (): Machine<SessionEvent, SessionOutput> =>
  createDialogue({
    name: 'Novag Citrine',
    createDecoder: () => new NovagDecoder(),
    speaks: speaksNovag,
    openWaitMs: 300,
    pauseMs: 150,
    introduction: [
      { bytes: encodeCommand('I'), answer: 'IDENTITY', attempts: 3 },
      { bytes: encodeCommand('X ON') },
    ],
    position: { bytes: encodeCommand('P'), answer: 'POSITION', answerMs: 1500 },
    doubts: (decoded) => decoded.type === 'message' && MOVED.has(decoded.name),
  });
