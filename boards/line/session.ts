import type { Machine } from '../../core/machine.ts';
import { createDialogue } from '../conversation/dialogue.ts';
import type { Sensing, SessionEvent, SessionOutput } from '../definition.ts';
import { encodeCommand, encodeLights, LineDecoder, OTHER_HELLO, speaksLines } from './codec.ts';

/** Opening the port restarts many microcontrollers: their program answers two seconds later. */
const ATTEMPTS = 8;

/** Creates the session of a self-built board that speaks lines (PROTOCOL.md, section 4). */
export const createLineSession = (sensing: Sensing): Machine<SessionEvent, SessionOutput> =>
  createDialogue({
    name: `line-protocol board that senses ${sensing}`,
    createDecoder: () => new LineDecoder(sensing),
    speaks: speaksLines,
    isForeign: (decoded) => decoded.type === 'message' && decoded.name === OTHER_HELLO,
    lights: (squares) => [encodeLights(squares)],
    openWaitMs: 100,
    pauseMs: 20,
    introduction: [{ bytes: encodeCommand('hello'), answer: 'HELLO', attempts: ATTEMPTS, required: true }],
    position: { bytes: encodeCommand('board'), answer: 'BOARD' },
  });
