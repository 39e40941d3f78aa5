import { BoardError } from '../../core/board-error.ts';
import { openDesk } from '../enter.ts';
import type { HoldScope } from '../publish/public-event.ts';
import type { Signature } from '../store/hold-tables.ts';
import { type EntryStore, openEntryStore } from '../store/store.ts';
import { plainText } from '../view/display-text.ts';
import type { Io } from './io.ts';
import { ArgumentError } from './print-fault.ts';

export interface HoldOptions {
  readonly db: string;
  readonly game?: string;
  readonly board?: string;
  readonly all?: boolean;
  readonly by?: string;
}

function scopeOf({ game, board, all }: HoldOptions): HoldScope | undefined {
  const said = [game, board, all].filter((one) => one !== undefined);
  if (said.length > 1) throw new ArgumentError('one of --game, --board and --all');
  if (game !== undefined) {
    if (!/^\d{1,12}$/.test(game)) throw new ArgumentError(`"${game}" is no number of a game`);
    return { type: 'game', game: Number(game) };
  }
  if (board !== undefined) return { type: 'board', board };
  return all === true ? { type: 'all' } : undefined;
}

const wordsOf = (scope: HoldScope): string =>
  scope.type === 'all'
    ? 'all games'
    : scope.type === 'board'
      ? `board ${plainText(scope.board)}`
      : `game ${scope.game}`;

const isHeld = (store: EntryStore, game: number): boolean =>
  store.holds().some(({ scope }) => scope.type === 'game' && scope.game === game);

/** Enters something about a game, as the desk does; GAME_UNKNOWN. */
function enter(file: string, game: number, what: 'hold' | 'release', { by, wallMs }: Signature): void {
  const desk = openDesk(file, () => wallMs);
  try {
    desk.enter(desk.look(game), by, { type: what });
  } finally {
    desk.close();
  }
}

function holdGame(store: EntryStore, game: number, signature: Signature): boolean {
  if (isHeld(store, game)) return false;
  enter(store.file, game, 'hold', signature);
  return true;
}

function release(store: EntryStore, scope: HoldScope, signature: Signature): boolean {
  // Versions before held single games by rows as well.
  const wasHeldByRow = store.lift(scope, signature);
  if (scope.type !== 'game' || !isHeld(store, scope.game)) return wasHeldByRow;
  enter(store.file, scope.game, 'release', signature);
  return true;
}

/** Withholds games from publication, lets them go, or lists what is withheld; works beside a recorder, which heeds it within a second. */
export function runHold(what: string | undefined, options: HoldOptions, io: Io): number {
  if (what !== undefined && what !== 'release')
    throw new ArgumentError(`hold and "${what}": only release is known`);
  const scope = scopeOf(options);
  if (scope === undefined && what === 'release')
    throw new ArgumentError('release what: --game, --board or --all');
  const by = (options.by ?? io.user ?? '').trim();
  if (scope !== undefined && by === '') throw new BoardError('SIGNATURE_MISSING');
  const store = openEntryStore(options.db);
  try {
    if (scope === undefined) {
      const holds = store.holds();
      for (const { scope: held, by, wallMs } of holds)
        io.out.write(`${wordsOf(held)}, since ${new Date(wallMs).toISOString()}, ${plainText(by)}\n`);
      if (holds.length === 0) io.out.write('nothing is withheld\n');
      return 0;
    }
    const signature = { by, wallMs: Date.now() };
    const isNew =
      what === 'release'
        ? release(store, scope, signature)
        : scope.type === 'game'
          ? holdGame(store, scope.game, signature)
          : store.hold(scope, signature);
    const state =
      what === 'release'
        ? isNew
          ? 'released'
          : 'was not withheld'
        : isNew
          ? 'withheld'
          : 'is withheld already';
    io.out.write(`${wordsOf(scope)}: ${state}\n`);
    return 0;
  } finally {
    store.close();
  }
}
