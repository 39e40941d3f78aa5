import { renameSync, statSync, truncateSync } from 'node:fs';
import { appendFile, mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pino } from 'pino';
import { BoardError } from '../../core/board-error.ts';
import type { ServeUpdate } from '../serve/service.ts';

/** A log of everything but the moves: links, messages, bytes without meaning, failures. */
export interface Log {
  take(update: ServeUpdate): void;
  close(): Promise<void>;
}

/** When a log is begun anew, and how many of the old ones are kept as `<file>.1`, `<file>.2` and so on. */
export interface LogRotation {
  readonly megabytes: number;
  readonly keep: number;
}

/** Opens a log file, appending to it; it grows without end when no rotation is given. Rejects with FILE_UNWRITABLE. */
export async function openLog(file: string, rotation?: LogRotation): Promise<Log> {
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
  const sink = rotation === undefined ? destination : rotating(destination, file, rotation);
  const logger = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, sink);
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
        case 'fault': {
          const { fault, lost } = update;
          const service = 'service' in update ? update.service : undefined;
          logger.error({ code: fault.code, lost, service }, fault.message);
          break;
        }
        case 'notice':
          logger.info({ service: update.service }, update.text);
          break;
        case 'sent':
          logger.debug({ service: update.service, target: update.target }, 'sent');
          break;
        case 'fleet':
        case 'sensed':
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

/** Begins the file anew when it has grown too large; what cannot be renamed goes on growing. */
function rotating(
  destination: ReturnType<typeof pino.destination>,
  file: string,
  { megabytes, keep }: LogRotation,
): { write(line: string): void } {
  let size = statSync(file).size;
  return {
    write(line) {
      destination.write(line);
      size += Buffer.byteLength(line);
      if (size < megabytes * 1_000_000) return;
      size = 0;
      try {
        for (let old = keep - 1; old >= 1; old--) renameIfThere(`${file}.${old}`, `${file}.${old + 1}`);
        if (keep > 0) renameIfThere(file, `${file}.1`);
        else truncateSync(file);
        destination.reopen(file);
      } catch {
        // The log is not the record.
      }
    },
  };
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
