import type { Machine } from '../../core/machine.ts';
import { createDialogue } from '../conversation/dialogue.ts';
import type { SessionEvent, SessionOutput } from '../definition.ts';
import { BleChessDecoder, encodeCommand, speaksBleChess } from './codec.ts';

/** Creates the session of a self-built Bluetooth board (PROTOCOL.md, section 3). */
export const createBleChessSession = (): Machine<SessionEvent, SessionOutput> =>
  createDialogue({
    name: 'board of the open Bluetooth chess protocol',
    createDecoder: () => new BleChessDecoder(),
    speaks: speaksBleChess,
    openWaitMs: 200,
    pauseMs: 100,
    introduction: [{ bytes: encodeCommand('feature get_state'), answer: 'OK', attempts: 2 }],
    position: { bytes: encodeCommand('get_state'), answer: 'STATE' },
  });
