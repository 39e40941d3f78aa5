import { makePlacement } from '../../core/placement.ts';
import type { RecorderUpdate } from '../recorder.ts';

/** Turns what the recorder tells into lines of JSON, one object a line, for other programs. */
export interface JsonLines {
  /** Lines without their line ends; often none. */
  take(update: RecorderUpdate): string[];
}

/** Creates a writer of JSON lines; it remembers what it has said of each port, and says only what is new. */
export function createJsonLines(): JsonLines {
  const ports = new Map<string, string>();
  return {
    take(update) {
      switch (update.type) {
        case 'game':
          return update.events.map((event) =>
            JSON.stringify({
              board: update.board,
              id: update.id,
              game: update.record.game,
              ...event,
              ...(event.type === 'board' && { placement: makePlacement(event.placement) }),
            }),
          );
        case 'board': {
          const { board, kind, update: heard } = update;
          if (heard.type === 'link') return [JSON.stringify({ board, kind, ...heard })];
          if (heard.type === 'identity')
            return [JSON.stringify({ board, kind, type: 'identity', ...heard.identity })];
          return [];
        }
        case 'fleet':
          return update.status.ports.flatMap(({ key, state, fault, board }) => {
            const line = JSON.stringify({ type: 'port', port: key, state, board, fault });
            if (ports.get(key) === line) return [];
            ports.set(key, line);
            return [line];
          });
        case 'fault': {
          const { fault, cure, lost } = update;
          return [JSON.stringify({ type: 'fault', code: fault.code, message: fault.message, cure, lost })];
        }
        case 'capture':
        case 'written':
          return [JSON.stringify(update)];
      }
    },
  };
}
