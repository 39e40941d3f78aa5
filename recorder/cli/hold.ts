import { BoardError } from '../../core/board-error.ts';
import type { HoldScope } from '../publish/public-event.ts';
import { openEntryStore } from '../store/store.ts';
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

/** Withholds games from publication, lets them go, or lists what is withheld; works beside a recorder, which heeds it within a second. */
export function runHold(what: string | undefined, options: HoldOptions, io: Io): number {
  if (what !== undefined && what !== 'release')
    throw new ArgumentError(`hold and "${what}": only release is known`);
  const scope = scopeOf(options);
  if (scope === undefined && what === 'release')
    throw new ArgumentError('release what: --game, --board or --all');
  const store = openEntryStore(options.db);
  try {
    if (scope === undefined) {
      const holds = store.holds();
      for (const { scope: held, by, wallMs } of holds)
        io.out.write(`${wordsOf(held)}, since ${new Date(wallMs).toISOString()}, ${plainText(by)}\n`);
      if (holds.length === 0) io.out.write('nothing is withheld\n');
      return 0;
    }
    if (scope.type === 'game' && store.games({ id: scope.game }).length === 0)
      throw new BoardError('GAME_UNKNOWN', { game: scope.game, file: options.db });
    const by = (options.by ?? io.user ?? '').trim();
    if (by === '') throw new BoardError('SIGNATURE_MISSING');
    const signature = { by, wallMs: Date.now() };
    const isNew = what === 'release' ? store.lift(scope, signature) : store.hold(scope, signature);
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
