import type { Machine } from '../../core/machine.ts';
import { createDialogue } from '../conversation/dialogue.ts';
import type { Sensing, SessionEvent, SessionOutput } from '../definition.ts';
import {
  EONE,
  encodeCommand,
  encodeLights,
  encodeSetting,
  MillenniumDecoder,
  speaksChessLink,
} from './codec.ts';

const REPORTS = 0x02;
const ON_CHANGE = 0x03;

/** Creates the session of a ChessLink board (PROTOCOL.md, section 6). */
export const createMillenniumSession = (sensing: Sensing): Machine<SessionEvent, SessionOutput> =>
  createDialogue({
    name: 'ChessLink board',
    createDecoder: () => new MillenniumDecoder(sensing),
    speaks: speaksChessLink,
    // Its letters are its own tracking: taken for sensed pieces they could be wrong without anybody's noticing.
    isForeign: (decoded) => sensing === 'identity' && decoded.type === 'message' && decoded.name === EONE,
    lights: (squares) => [encodeLights(squares)],
    openWaitMs: 200,
    pauseMs: 100,
    introduction: [
      { bytes: encodeCommand('V'), answer: 'VERSION', attempts: 4, required: true },
      {
        bytes: encodeCommand('I', '00'),
        answer: sensing === 'occupancy' ? EONE : 'IDENTITY',
        answerMs: 400,
        attempts: 1,
      },
      // Not every board acknowledges a setting: nothing waits for it.
      { bytes: encodeSetting(REPORTS, ON_CHANGE) },
    ],
    position: { bytes: encodeCommand('S'), answer: 'POSITION' },
  });
