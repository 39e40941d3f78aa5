import { makePlacement } from '../../core/placement.ts';
import type { ServeUpdate } from '../serve/service.ts';
import type { StoredGame } from '../store/store.ts';

/** Turns what the recorder tells into lines of JSON, one object a line, for other programs. */
export interface JsonLines {
  /** Lines without their line ends; often none. */
  take(update: ServeUpdate): string[];
}

/** Creates a writer of JSON lines; what it has said of a port, a board's pieces or its clock it does not say again. */
export function createJsonLines(): JsonLines {
  const said = new Map<string, string>();
  /** Whether this is new of its subject; then it is remembered. */
  const isNews = (subject: string, news: unknown): boolean => {
    const text = JSON.stringify(news);
    if (said.get(subject) === text) return false;
    said.set(subject, text);
    return true;
  };
  return {
    take(update) {
      switch (update.type) {
        case 'game': {
          const { board, id, record, events } = update;
          return events.flatMap((event) => {
            const line = {
              board,
              id,
              game: record.game,
              ...event,
              ...(event.type === 'board' && { placement: makePlacement(event.placement) }),
            };
            const isState = event.type === 'board' || event.type === 'clock';
            if (isState && !isNews(`${event.type} ${board}`, { ...line, atMs: undefined })) return [];
            return [JSON.stringify(line)];
          });
        }
        case 'rederived':
          return [JSON.stringify({ type: 'rederived', ...lineOf(update.game) })];
        case 'board': {
          const { board, kind, update: heard } = update;
          if (heard.type === 'link') return [JSON.stringify({ board, kind, ...heard })];
          if (heard.type === 'identity')
            return [JSON.stringify({ board, kind, type: 'identity', ...heard.identity })];
          return [];
        }
        case 'fleet':
          return update.status.ports.flatMap(({ key, state, fault, board }) => {
            const line = { type: 'port', port: key, state, board, fault };
            return isNews(`port ${key}`, line) ? [JSON.stringify(line)] : [];
          });
        case 'fault': {
          const { fault, cure, lost } = update;
          const service = 'service' in update ? { service: update.service } : {};
          return [
            JSON.stringify({
              type: 'fault',
              ...service,
              code: fault.code,
              message: fault.message,
              cure,
              lost,
            }),
          ];
        }
        case 'sensed':
          return [];
        case 'capture':
        case 'written':
        case 'notice':
        case 'sent':
          return [JSON.stringify(update)];
      }
    },
  };
}

/** A whole game, for whoever has followed it event by event and has to begin anew. */
const lineOf = ({ board, id, record }: StoredGame) => ({
  board,
  id,
  game: record.game,
  plies: record.plies,
  result: record.result,
  score: record.score,
  reason: record.reason,
  ended: record.ended,
  flags: record.flags,
});
