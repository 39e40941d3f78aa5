import { type Flag, SEVERITIES } from '../../core/flag.ts';
import type { GameRecord } from '../../core/game-record.ts';
import type { Side } from '../../core/square.ts';
import type { LinkState } from '../../driver/connection.ts';
import type { ServeUpdate } from '../serve/service.ts';

/** One board as a person looking at the whole room wants to see it. */
export interface LiveRow {
  readonly board: string;
  white: string;
  black: string;
  link: LinkState;
  /** Number of the game in the store; undefined before the first. */
  id: number | undefined;
  /** Number of the game on this board; 0 before the first. */
  game: number;
  /** Move text of the game so far, numbered. */
  moves: string;
  plies: number;
  whiteMs: number | undefined;
  blackMs: number | undefined;
  running: Side | undefined;
  /** In one or two words: "playing", "1-0 checkmate", "in doubt". */
  state: string;
  /** The last warning or alarm of the game; it stays until the next game. */
  flag: Flag | undefined;
}

/** All boards, and what is to be said besides them. */
export interface LiveView {
  /** In the order in which they appeared. */
  readonly rows: LiveRow[];
  /** Ports that cannot be used, and why; by port. */
  readonly ports: Map<string, string>;
  /** Failures of the recorder itself, the newest last. */
  readonly notices: string[];
}

export const createLiveView = (): LiveView => ({ rows: [], ports: new Map(), notices: [] });

const NOTICES = 3;

/** Brings a view up to date with what the recorder tells, in place. */
export function updateLiveView(view: LiveView, update: ServeUpdate): void {
  switch (update.type) {
    case 'board':
      if (update.update.type === 'link') {
        const row = rowOf(view, update.board);
        row.link = update.update.link;
        row.state = makeState(row, undefined);
      }
      break;
    case 'fleet': {
      view.ports.clear();
      for (const { key, fault, board } of update.status.ports) {
        if (fault !== undefined && board === undefined) view.ports.set(key, fault.message);
      }
      for (const { board, state } of update.status.boards) {
        const row = rowOf(view, board);
        row.link = state;
        row.state = makeState(row, undefined);
      }
      break;
    }
    case 'game':
      updateRow(rowOf(view, update.board), update);
      break;
    case 'rederived': {
      const { id, board, record, tags } = update.game;
      const row = rowOf(view, board);
      // What was decided of an earlier game does not bring it back.
      if (row.id === id) updateRow(row, { id, record, tags, events: [] });
      break;
    }
    case 'fault':
      view.notices.push(`${update.fault.message} ${update.cure}`);
      view.notices.splice(0, view.notices.length - NOTICES);
      break;
    case 'notice':
      view.notices.push(`${update.service}: ${update.text}`);
      view.notices.splice(0, view.notices.length - NOTICES);
      break;
    case 'sensed':
    case 'capture':
    case 'written':
    case 'sent':
      break;
  }
}

function rowOf(view: LiveView, board: string): LiveRow {
  const known = view.rows.find((row) => row.board === board);
  if (known !== undefined) return known;
  const row: LiveRow = {
    board,
    white: '',
    black: '',
    link: 'connecting',
    id: undefined,
    game: 0,
    moves: '',
    plies: 0,
    whiteMs: undefined,
    blackMs: undefined,
    running: undefined,
    state: '',
    flag: undefined,
  };
  view.rows.push(row);
  return row;
}

type GameNews = Pick<Extract<ServeUpdate, { type: 'game' }>, 'id' | 'record' | 'tags' | 'events'>;

function updateRow(row: LiveRow, { id, record, tags, events }: GameNews): void {
  row.id = id;
  row.game = record.game;
  row.white = tags.White ?? '';
  row.black = tags.Black ?? '';
  row.plies = record.plies.length;
  row.whiteMs = record.whiteMs;
  row.blackMs = record.blackMs;
  if (record.ended) row.running = undefined;
  else for (const event of events) if (event.type === 'clock') row.running = event.running;
  row.moves = makeMoves(record);
  row.flag = record.flags.findLast(
    (flag) => SEVERITIES.indexOf(flag.severity) >= SEVERITIES.indexOf('warning'),
  );
  row.state = makeState(row, record);
}

/** The moves of a game, numbered; a ply that is not certain carries "?", one that is not agreed yet stands in brackets. */
export function makeMoves(record: GameRecord): string {
  const [, turn = 'w', , , , fullmove = '1'] = record.start.split(' ');
  const offset = (Number(fullmove) - 1) * 2 + (turn === 'b' ? 1 : 0);
  const words: string[] = [];
  record.plies.forEach((ply, index) => {
    if (ply === undefined) return;
    const half = offset + index;
    const san =
      ply.state === 'ambiguous' ? `${ply.san}?` : ply.state === 'provisional' ? `(${ply.san})` : ply.san;
    if (half % 2 === 0) words.push(`${half / 2 + 1}.${san}`);
    else words.push(index === 0 ? `${(half + 1) / 2}...${san}` : san);
  });
  return words.join(' ');
}

/** States of a game that is going on. */
export const IN_PLAY: readonly string[] = ['playing', 'moving', 'in doubt'];

const LINK_WORDS: Partial<Record<LinkState, string>> = {
  connecting: 'connecting',
  lost: 'link lost',
  retrying: 'link lost',
};

/** Says how a board stands; without a record, only its link can have changed. */
function makeState(row: LiveRow, record: GameRecord | undefined): string {
  const link = LINK_WORDS[row.link];
  if (record === undefined)
    return link ?? (row.state === '' || isLinkWord(row.state) ? stateOf(row) : row.state);
  const result = record.score ?? record.result;
  if (record.ended) return record.reason === undefined ? result : `${result} ${record.reason}`;
  if (link !== undefined) return link;
  if (record.plies.some((ply) => ply?.state === 'ambiguous')) return 'in doubt';
  return record.inSync || record.plies.length === 0 ? stateOf(row) : 'moving';
}

const isLinkWord = (state: string): boolean => Object.values(LINK_WORDS).includes(state);

const stateOf = (row: LiveRow): string => (row.plies > 0 ? 'playing' : row.game > 0 ? 'ready' : 'waiting');
