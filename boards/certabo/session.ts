import type { Machine } from '../../core/machine.ts';
import { createDialogue, type LinkDecoder } from '../conversation/dialogue.ts';
import type { SessionEvent, SessionOutput } from '../definition.ts';
import { encodeLights, speaksNumbers } from './codec.ts';

const NOTHING = new Uint8Array(0);

/** Creates the session of a board that tells of itself without being asked: it only listens (PROTOCOL.md, section 6). */
export const createListeningSession = (
  name: string,
  createDecoder: () => LinkDecoder,
): Machine<SessionEvent, SessionOutput> =>
  createDialogue({
    name,
    createDecoder,
    speaks: speaksNumbers,
    // Single writes get lost: each is sent twice, and the board needs its time between two.
    lights: (squares) => [encodeLights(squares), encodeLights(squares)],
    openWaitMs: 0,
    pauseMs: 750,
    introduction: [],
    // It talks all the time: one that says nothing is not there. Its pieces may have to be learnt first, which is heard.
    position: { bytes: NOTHING, answer: 'POSITION', answerMs: 2500, attempts: 1 },
  });
