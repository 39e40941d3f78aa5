import type { Machine } from '../../core/machine.ts';
import { createDialogue } from '../conversation/dialogue.ts';
import type { SessionEvent, SessionOutput } from '../definition.ts';
import { encodeCommand, encodeLights, SquareOffDecoder, speaksSquareOff } from './codec.ts';

/** Creates the session of a Square Off Pro (PROTOCOL.md, section 4). */
export const createSquareOffSession = (): Machine<SessionEvent, SessionOutput> =>
  createDialogue({
    name: 'Square Off Pro',
    createDecoder: () => new SquareOffDecoder(),
    speaks: speaksSquareOff,
    lights: (squares) => [encodeLights(squares)],
    openWaitMs: 200,
    pauseMs: 100,
    introduction: [{ bytes: encodeCommand('14#1*'), answer: 'NEW_GAME', attempts: 2 }],
    position: { bytes: encodeCommand('30#R*'), answer: 'OCCUPANCY' },
  });
