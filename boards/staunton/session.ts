import type { Machine } from '../../core/machine.ts';
import { createDialogue } from '../conversation/dialogue.ts';
import type { SessionEvent, SessionOutput } from '../definition.ts';
import { encodeLights, StauntonDecoder, speaksStaunton } from './codec.ts';

/** Creates the session of a House of Staunton board: it tells by itself and there is nothing to ask (PROTOCOL.md, section 5). */
export const createStauntonSession = (): Machine<SessionEvent, SessionOutput> =>
  createDialogue({
    name: 'House of Staunton board',
    createDecoder: () => new StauntonDecoder(),
    speaks: speaksStaunton,
    lights: encodeLights,
    openWaitMs: 0,
    pauseMs: 50,
    introduction: [],
    position: { bytes: new Uint8Array(0), answer: 'POSITION', answerMs: 5000, attempts: 2 },
    idleMs: 15_000,
  });
