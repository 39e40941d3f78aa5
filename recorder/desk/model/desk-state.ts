/** What the page knows of the hall: a pure reducer over what the server sends, and what is reckoned from it. */
import type { Side } from '../../../core/square.ts';
import { compareAttention } from './attention-order.ts';
import type { LiveChanges, LiveSnapshot, Notice } from './desk-api.ts';
import { type Attention, applyChange, type HallRow } from './hall-row.ts';

export interface DeskState {
  /** By board, in the order in which they appeared. */
  readonly rows: ReadonlyMap<string, HallRow>;
  readonly notices: readonly Notice[];
  readonly seq: number;
  readonly boot: string;
  readonly speed: number;
  /** The server's clock at `heardAtMs` of this machine's; both ms. */
  readonly serverMs: number;
  readonly heardAtMs: number;
  readonly connection: 'connecting' | 'live' | 'lost';
  /** A message is missing: everything must be asked for anew. */
  readonly isBehind: boolean;
}

export type DeskEvent =
  | { readonly type: 'snapshot'; readonly data: LiveSnapshot; readonly atMs: number }
  | { readonly type: 'changes'; readonly data: LiveChanges; readonly atMs: number }
  | {
      readonly type: 'beat';
      readonly data: { readonly seq: number; readonly nowMs: number };
      readonly atMs: number;
    }
  | { readonly type: 'lost' };

export const EMPTY_DESK: DeskState = {
  rows: new Map(),
  notices: [],
  seq: 0,
  boot: '',
  speed: 1,
  serverMs: 0,
  heardAtMs: 0,
  connection: 'connecting',
  isBehind: false,
};

/** Nothing was heard for so long: the server or the way to it is gone, ms. It beats every ten seconds. */
export const SILENT_MS = 25_000;

/** The state after something the server has sent, or the loss of it. Times of the page are monotonic ms. */
export function reduceDesk(state: DeskState, event: DeskEvent): DeskState {
  switch (event.type) {
    case 'snapshot': {
      const { seq, boot, nowMs, speed, rows, notices } = event.data;
      return {
        // A row that is the same as before stays the same thing: nothing need be drawn again.
        rows: new Map(rows.map((row) => [row.board, keep(state.rows.get(row.board), row)])),
        notices,
        seq,
        boot,
        speed,
        serverMs: nowMs,
        heardAtMs: event.atMs,
        connection: 'live',
        isBehind: false,
      };
    }
    case 'changes': {
      const { seq, nowMs, rows = [], notices } = event.data;
      // Sent before the snapshot that came meanwhile, which has it already.
      if (seq <= state.seq) return state;
      if (seq !== state.seq + 1) return { ...state, isBehind: true };
      const after = new Map(state.rows);
      for (const change of rows) {
        const before = after.get(change.board);
        if (before !== undefined) after.set(change.board, applyChange(before, change));
        else if (change.set !== undefined) after.set(change.board, change.set as HallRow);
      }
      return {
        ...state,
        rows: rows.length === 0 ? state.rows : after,
        notices: notices ?? state.notices,
        seq,
        serverMs: nowMs,
        heardAtMs: event.atMs,
        connection: 'live',
      };
    }
    case 'beat':
      return {
        ...state,
        serverMs: event.data.nowMs,
        heardAtMs: event.atMs,
        connection: 'live',
        isBehind: state.isBehind || event.data.seq !== state.seq,
      };
    case 'lost':
      return state.connection === 'lost' ? state : { ...state, connection: 'lost' };
  }
}

const keep = (before: HallRow | undefined, after: HallRow): HallRow =>
  before !== undefined && JSON.stringify(before) === JSON.stringify(after) ? before : after;

/** The server's clock now, reckoned from when it was heard last. */
export const serverNow = ({ serverMs, heardAtMs, speed }: DeskState, atMs: number): number =>
  serverMs + (atMs - heardAtMs) * speed;

/** What a player's clock shows now, ms, reckoned from what it showed last; undefined without a clock. */
export function clockNow(row: HallRow, side: Side, nowMs: number): number | undefined {
  const told = side === 'white' ? row.whiteMs : row.blackMs;
  if (told === undefined) return undefined;
  if (row.running !== side || row.clockAtMs === undefined || row.link !== 'up') return told;
  return Math.max(0, told - Math.max(0, nowMs - row.clockAtMs));
}

/** Something that needs attention, with its board. */
export interface AttentionItem extends Attention, Pick<HallRow, 'board' | 'table' | 'white' | 'black'> {}

/**
 * What needs attention in the whole hall: the gravest first, the oldest of equals first. `before` is given back when it still says
 * all of it, so that whoever shows it need not draw it again.
 */
export function attentionItems(
  { rows }: DeskState,
  before: readonly AttentionItem[] = [],
): readonly AttentionItem[] {
  const items = [...rows.values()]
    .flatMap(({ board, table, white, black, attention }) =>
      attention.map(
        (item): AttentionItem => ({
          ...item,
          board,
          ...(table !== undefined && { table }),
          ...(white !== undefined && { white }),
          ...(black !== undefined && { black }),
        }),
      ),
    )
    .sort(compareAttention);
  const isSame = (a: AttentionItem, b: AttentionItem | undefined): boolean =>
    // Lists of resolutions are made with what they belong to: the same list is the same thing.
    a.resolutions === b?.resolutions && a.table === b.table && a.white === b.white && a.black === b.black;
  return items.length === before.length && items.every((item, i) => isSame(item, before[i])) ? before : items;
}

/** How boards are put in order. */
export const ORDERS = ['table', 'attention'] as const;
export type HallOrder = (typeof ORDERS)[number];

const collator = new Intl.Collator('en', { numeric: true });

/** What a board is called in the hall: its table, where that is known. */
export const nameOf = ({ table, board }: { readonly table?: string; readonly board: string }): string =>
  table ?? board;

/** What the order of boards hangs on, as a text: while it is the same, `boardsToShow` gives the same boards. */
export const orderKey = ({ rows }: DeskState, order: HallOrder): string => {
  let key = '';
  for (const { board, table, white, black, attention } of rows.values()) {
    const [worst] = attention;
    key += `${board}\n${table}\n${white}\n${black}\n`;
    if (order === 'attention' && worst !== undefined)
      key += `${worst.key}\n${worst.severity}\n${worst.sinceMs}\n`;
  }
  return key;
};

/** The boards to be shown: all, or those that a text is found in; in an order. */
export function boardsToShow({ rows }: DeskState, text: string, order: HallOrder): HallRow[] {
  const wanted = text.trim().toLocaleLowerCase();
  const shown = [...rows.values()].filter(
    ({ board, table, white, black }) =>
      wanted === '' ||
      [board, table, white, black].some((name) => name?.toLocaleLowerCase().includes(wanted) === true),
  );
  const byName = (a: HallRow, b: HallRow): number => collator.compare(nameOf(a), nameOf(b));
  if (order === 'table') return shown.sort(byName);
  return shown.sort((a, b) => {
    const [x, y] = [a.attention[0], b.attention[0]];
    if (x === undefined || y === undefined)
      return Number(x === undefined) - Number(y === undefined) || byName(a, b);
    return compareAttention(x, y);
  });
}

export interface HallSummary {
  readonly boards: number;
  readonly playing: number;
  readonly ended: number;
  readonly away: number;
  readonly attention: number;
}

/** The hall in five numbers. */
export function summaryOf({ rows }: DeskState): HallSummary {
  const all = [...rows.values()];
  const count = (is: (row: HallRow) => boolean): number => all.filter(is).length;
  return {
    boards: all.length,
    playing: count(({ state }) => state === 'playing' || state === 'moving' || state === 'doubt'),
    ended: count(({ state }) => state === 'ended'),
    away: count(({ link }) => link !== 'up'),
    attention: all.reduce((sum, { attention }) => sum + attention.length, 0),
  };
}
