/** Which electronic board stands at which table: by order, by serial number, or as in the round before. */
import type { TournamentChange } from './change.ts';
import { isFinished, type Pairing, type Tournament } from './tournament.ts';

export const ASSIGNMENT_MODES = ['remembered', 'order', 'serial'] as const;
export type AssignmentMode = (typeof ASSIGNMENT_MODES)[number];

export interface AssignmentOptions {
  readonly section: string;
  readonly round: number;
  readonly mode: AssignmentMode;
  /** Keys of the electronic boards there are, in their order. */
  readonly eboards: readonly string[];
  /** The first table that gets one, for `order` and `serial`; 1 when absent. */
  readonly firstTable?: number;
  /** Boards whose games are still running in another round are taken as well. */
  readonly force?: boolean;
}

export interface AssignmentPlan {
  readonly changes: readonly TournamentChange[];
  /** Boards that stay where they are because the game there has no result yet. */
  readonly busy: readonly { readonly eboard: string; readonly pairing: Pairing }[];
  /** Tables of the round that have none. */
  readonly without: readonly Pairing[];
}

/** Order of keys by the numbers in them: `dgt-9` before `dgt-10`. */
export const compareSerials = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

const isRunning = (pairing: Pairing): boolean =>
  pairing.games.some(({ plies }) => plies > 0) && !isFinished(pairing);

/** Plans the boards of a round; pure. Games that were recorded stay where they are. */
export function planAssignment(tournament: Tournament, options: AssignmentOptions): AssignmentPlan {
  const { section, round, mode, eboards, firstTable = 1, force = false } = options;
  const own = tournament.pairings.filter(
    (pairing) =>
      pairing.section === section &&
      pairing.round === round &&
      !pairing.withdrawn &&
      pairing.white !== undefined &&
      pairing.black !== undefined,
  );
  const at = new Map(
    tournament.pairings.flatMap((pairing) =>
      pairing.eboard === undefined ? [] : [[pairing.eboard, pairing] as const],
    ),
  );
  const busy: { eboard: string; pairing: Pairing }[] = [];
  const changes: TournamentChange[] = [];
  const wanted = mode === 'remembered' ? rememberedBoards(tournament, section, round) : undefined;
  const order = mode === 'serial' ? [...eboards].sort(compareSerials) : eboards;
  const without: Pairing[] = [];
  for (const [index, pairing] of own.entries()) {
    const table = pairing.board ?? index + 1;
    const eboard = wanted === undefined ? order[table - firstTable] : wanted.get(table);
    if (eboard === undefined) {
      if (pairing.eboard === undefined) without.push(pairing);
      continue;
    }
    if (pairing.eboard === eboard) continue;
    const there = at.get(eboard);
    if (there !== undefined && isRunning(there) && !force) {
      busy.push({ eboard, pairing: there });
      without.push(pairing);
      continue;
    }
    changes.push({ type: 'assigned', pairing: { id: pairing.id }, eboard, takesGames: false });
  }
  return { changes, busy, without };
}

/** The boards of the tables as they were in the last round before that had any. */
export function rememberedBoards(
  { pairings }: Pick<Tournament, 'pairings'>,
  section: string,
  round: number,
): ReadonlyMap<number, string> {
  const boards = new Map<number, string>();
  const before = pairings
    .filter((pairing) => pairing.section === section && pairing.round < round && pairing.board !== undefined)
    .sort((a, b) => b.round - a.round);
  const taken = new Set<string>();
  for (const { board, eboard, lastEboard } of before) {
    const key = eboard ?? lastEboard;
    if (key === undefined || boards.has(board!) || taken.has(key)) continue;
    boards.set(board!, key);
    taken.add(key);
  }
  return boards;
}
