import type { Machine } from '../../core/machine.ts';
import { createDialogue } from '../conversation/dialogue.ts';
import type { SessionEvent, SessionOutput } from '../definition.ts';
import { encodeCommand, encodeLights, IChessOneDecoder, speaksIChessOne } from './codec.ts';

/** Creates the session of an iChessOne (PROTOCOL.md, section 5). */
export const createIChessOneSession = (): Machine<SessionEvent, SessionOutput> =>
  createDialogue({
    name: 'iChessOne',
    createDecoder: () => new IChessOneDecoder(),
    speaks: speaksIChessOne,
    lights: (squares) => [encodeLights(squares)],
    openWaitMs: 200,
    pauseMs: 100,
    introduction: [{ bytes: encodeCommand('CPIRQ') }],
    position: { bytes: encodeCommand('RP'), answer: 'POSITION' },
    battery: {
      question: { bytes: encodeCommand('RB'), answer: 'BATTERY', answerMs: 600, attempts: 1 },
      everyMs: 300_000,
    },
  });
