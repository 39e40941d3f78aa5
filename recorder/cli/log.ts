import { appendFile, mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pino } from 'pino';
import { BoardError } from '../../core/board-error.ts';
import type { RecorderUpdate } from '../recorder.ts';

/** A log of everything but the moves: links, messages, bytes without meaning, failures. */
export interface Log {
  take(update: RecorderUpdate): void;
  close(): Promise<void>;
}

/** Opens a log file, appending to it; rejects with FILE_UNWRITABLE. */
export async function openLog(file: string): Promise<Log> {
  try {
    // The library tells of some failures by throwing, of some by an event, and of some not at all: so try it first.
    await mkdir(dirname(resolve(file)), { recursive: true });
    await appendFile(file, '');
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new BoardError('FILE_UNWRITABLE', { file, detail }, cause);
  }
  const destination = pino.destination({ dest: file, append: true, sync: true });
  // A disk that fills up later must not end the recording; the log is not the record.
  destination.on('error', () => {});
  const logger = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  return {
    take(update) {
      switch (update.type) {
        case 'board': {
          const { board, update: heard } = update;
          if (heard.type === 'discarded') {
            logger.warn(
              { board, code: heard.fault.code, hex: Buffer.from(heard.bytes).toString('hex') },
              'discarded',
            );
          } else if (heard.type === 'link')
            logger.info({ board, link: heard.link, fault: heard.fault }, 'link');
          else if (heard.type === 'message') logger.debug({ board, name: heard.name }, 'message');
          else logger.info({ board, ...heard }, heard.type);
          break;
        }
        case 'game':
          for (const event of update.events) {
            if (event.type === 'flag') logger.info({ board: update.board, ...event.flag }, 'flag');
          }
          break;
        case 'rederived': {
          const { id, board, record } = update.game;
          logger.info({ board, game: id, plies: record.plies.length, result: record.result }, 'rederived');
          break;
        }
        case 'fault':
          logger.error({ code: update.fault.code, lost: update.lost }, update.fault.message);
          break;
        case 'fleet':
        case 'capture':
        case 'written':
          break;
      }
    },
    close: () =>
      new Promise((resolve) => {
        destination.once('close', () => resolve());
        destination.end();
      }),
  };
}
