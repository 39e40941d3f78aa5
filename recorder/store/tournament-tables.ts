/** The tournament in the store: read as a whole, changed by lists of changes that are logged. */
import type { Database } from 'better-sqlite3';
import { BoardError } from '../../core/board-error.ts';
import type { ResultReason } from '../../core/game-event.ts';
import { SCORES, type Score, type Termination, terminationOf } from '../../core/laws/endings.ts';
import type { PgnHeaders } from '../pgn/writer.ts';
import type { PairingFacts, PairingRef, PlayerRef, TournamentChange } from '../tournament/change.ts';
import { makeGameTags } from '../tournament/game-tags.ts';
import {
  comparePairings,
  EVENT_FIELDS,
  type EventFacts,
  type LinkedGame,
  type Pairing,
  type Player,
  type PlayerFacts,
  type ResultSource,
  type SourcedResult,
  type Tournament,
} from '../tournament/tournament.ts';

/** Schema from which on there are tournaments. */
export const TOURNAMENT_SINCE = 4;

interface PairingRow {
  readonly id: number;
  readonly section: string;
  readonly round: number;
  readonly leg: number;
  readonly board: number | null;
  readonly place: number;
  readonly white_id: number | null;
  readonly black_id: number | null;
  readonly withdrawn: 0 | 1;
  readonly eboard: string | null;
  readonly last_eboard: string | null;
}

interface GameRow {
  readonly pairing_id: number;
  readonly id: number;
  readonly board: string;
  readonly started_wall_ms: number;
  readonly plies: number;
  readonly has_result: 0 | 1;
  readonly chosen: 0 | 1;
  readonly after: number | null;
}

interface ResultRow {
  readonly pairing_id: number;
  readonly source: ResultSource;
  readonly score: Score;
  readonly forfeit: 0 | 1;
  readonly termination: Termination | null;
  readonly wall_ms: number;
  readonly signed_by: string;
}

/** The GameId of a pairing. */
const tokenOf = (token: string, pairing: number): string => `${token}p${pairing}`;

/** What a result of a game is worth by how it came about. */
function sourceOf(reason: string): ResultSource {
  switch (reason) {
    case 'kings':
    case 'pieces':
      return 'board';
    case 'flag-fall':
      return 'clock';
    case 'checkmate':
    case 'stalemate':
    case 'dead-position':
    case 'fivefold':
    case 'seventy-five':
      return 'inference';
    default:
      return 'desk';
  }
}

const PAIRING_COLUMNS = `pairings.*,
  (SELECT board FROM assignments WHERE pairing_id = pairings.id AND until_wall_ms IS NULL) AS eboard,
  (SELECT board FROM assignments WHERE pairing_id = pairings.id ORDER BY id DESC LIMIT 1) AS last_eboard
  FROM pairings`;

/** Statements that read the tournament; made once per connection. */
export function createTournamentReader(db: Database) {
  const token = db.prepare<[], string>('SELECT token FROM store').pluck();
  const facts = db.prepare<[], { name: string; value: string }>('SELECT name, value FROM event_facts');
  const rounds = db.prepare<[], { section: string; number: number; date: string | null }>(
    'SELECT section, number, date FROM rounds ORDER BY section, number',
  );
  const players = db.prepare<[], { id: number; facts: string }>('SELECT id, facts FROM players ORDER BY id');
  const player = db.prepare<[number], { id: number; facts: string }>(
    'SELECT id, facts FROM players WHERE id = ?',
  );
  const pairings = db.prepare<[], PairingRow>(`SELECT ${PAIRING_COLUMNS}`);
  const games = db.prepare<[], GameRow>(
    `SELECT pairing_games.pairing_id, games.id, boards.key AS board, games.started_wall_ms, pairing_games.chosen,
       (SELECT count(*) FROM plies WHERE game_id = games.id AND state IN ('confirmed', 'settled')) AS plies,
       (games.result <> '*' OR games.score IS NOT NULL) AS has_result,
       CASE WHEN sittings.start IS assignments.start THEN
         (SELECT before.id FROM games AS before WHERE before.sitting_id = after_sitting AND before.number = after_number)
       END AS after
     FROM pairing_games JOIN games ON games.sitting_id = pairing_games.sitting_id AND games.number = pairing_games.number
       JOIN sittings ON sittings.id = games.sitting_id JOIN boards ON boards.id = sittings.board_id
       LEFT JOIN assignments ON assignments.id = pairing_games.assignment_id
     ORDER BY games.id`,
  );
  const seen = db.prepare<[], { pairing_id: number; id: number; value: string }>(
    `SELECT pairing_games.pairing_id, games.id, decisions.value FROM decisions JOIN games ON games.id = decisions.game_id
       JOIN pairing_games ON pairing_games.sitting_id = games.sitting_id AND pairing_games.number = games.number
     WHERE decisions.type = 'result' ORDER BY decisions.id`,
  );
  const said = db.prepare<[], ResultRow>(
    `SELECT * FROM pairing_results WHERE id IN (SELECT max(id) FROM pairing_results GROUP BY pairing_id, source)`,
  );
  const revision = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM tournament_log').pluck();
  const state = db
    .prepare<[], string>(
      `SELECT (SELECT coalesce(max(id), 0) FROM tournament_log) || ' ' || (SELECT count(*) FROM pairing_games) || ' ' ||
         (SELECT count(*) || ' ' || coalesce(sum(id * ((result <> '*') + 2 * (score IS NOT NULL) + 4 * ended)), 0) FROM games) || ' ' ||
         (SELECT count(*) FROM plies JOIN games ON games.id = game_id WHERE ended = 0 AND plies.number <= 20)`,
    )
    .pluck();
  const ofGame = db.prepare<[number, number], PairingRow & { chosen: 0 | 1 }>(
    `SELECT pairing_games.chosen, ${PAIRING_COLUMNS} JOIN pairing_games ON pairing_games.pairing_id = pairings.id
     WHERE pairing_games.sitting_id = ? AND pairing_games.number = ?`,
  );
  const dateOf = db
    .prepare<[string, number], string>('SELECT date FROM rounds WHERE section = ? AND number = ?')
    .pluck();

  const startOf = db
    .prepare<[string], string | null>(
      'SELECT start FROM assignments WHERE board = ? AND until_wall_ms IS NULL',
    )
    .pluck();

  const event = (): EventFacts => {
    const rows = new Map(facts.all().map(({ name, value }) => [name, value]));
    return Object.fromEntries(
      EVENT_FIELDS.flatMap((name) => {
        const value = rows.get(name);
        return value === undefined ? [] : [[name, JSON.parse(value)]];
      }),
    ) as EventFacts;
  };
  const readPlayer = (row: { id: number; facts: string }): Player => ({
    ...(JSON.parse(row.facts) as PlayerFacts),
    id: row.id,
  });
  const readPairing = (
    row: PairingRow,
    playerOf: (id: number) => Player | undefined,
    world: string,
  ): Omit<Pairing, 'games' | 'results'> => {
    const [white, black] = [row.white_id, row.black_id].map((id) => (id === null ? undefined : playerOf(id)));
    return {
      id: row.id,
      token: tokenOf(world, row.id),
      section: row.section,
      round: row.round,
      leg: row.leg,
      ...(row.board !== null && { board: row.board }),
      place: row.place,
      ...(white !== undefined && { white }),
      ...(black !== undefined && { black }),
      withdrawn: row.withdrawn === 1,
      ...(row.eboard !== null && { eboard: row.eboard }),
      ...(row.eboard === null && row.last_eboard !== null && { lastEboard: row.last_eboard }),
    };
  };

  const readAll = db.transaction((): Tournament => {
    const everybody = new Map(players.all().map((row) => [row.id, readPlayer(row)]));
    const gamesOf = byPairing(games.all());
    const seenOf = byPairing(seen.all());
    const saidOf = byPairing(said.all());
    const world = token.get() ?? '';
    return {
      revision: revision.get() ?? 0,
      event: event(),
      rounds: rounds
        .all()
        .map(({ section, number, date }) => ({ section, number, ...(date !== null && { date }) })),
      players: [...everybody.values()],
      pairings: pairings
        .all()
        .map((row): Pairing => {
          const linked = (gamesOf.get(row.id) ?? []).map(readGame);
          return {
            ...readPairing(row, (id) => everybody.get(id), world),
            games: linked,
            results: mergeResults(saidOf.get(row.id) ?? [], seenOf.get(row.id) ?? [], linked),
          };
        })
        .sort(comparePairings),
    };
  });

  return {
    /** The tournament as it stands, from one moment. */
    read: (): Tournament => readAll(),
    /** Text that is another one when the tournament may be. */
    state: (): string => state.get() ?? '',
    /** FEN from which a game goes on at a board; undefined when none does. */
    startOf: (board: string): string | undefined => startOf.get(board) ?? undefined,
    /** Whose game it is that was recorded as the given one of a sitting, and the tags it has from there. */
    tagsOf(
      sitting: number,
      number: number,
    ): { readonly pairing: number; readonly tags: PgnHeaders } | undefined {
      const row = ofGame.get(sitting, number);
      if (row === undefined) return undefined;
      const pairing = readPairing(
        row,
        (id) => {
          const found = player.get(id);
          return found === undefined ? undefined : readPlayer(found);
        },
        token.get() ?? '',
      );
      return {
        pairing: row.id,
        tags: makeGameTags(event(), pairing, dateOf.get(row.section, row.round) ?? undefined),
      };
    },
  };
}

function byPairing<Row extends { readonly pairing_id: number }>(rows: readonly Row[]): Map<number, Row[]> {
  const all = new Map<number, Row[]>();
  for (const row of rows) {
    const own = all.get(row.pairing_id);
    if (own === undefined) all.set(row.pairing_id, [row]);
    else own.push(row);
  }
  return all;
}

const readGame = (row: GameRow): LinkedGame => ({
  game: row.id,
  board: row.board,
  startedWallMs: row.started_wall_ms,
  plies: row.plies,
  hasResult: row.has_result === 1,
  ...(row.after !== null && { after: row.after }),
  chosen: row.chosen === 1,
});

/** One result a source: what was said outside the games, and what the games that may count have shown. */
function mergeResults(
  said: readonly ResultRow[],
  seen: readonly { readonly id: number; readonly value: string }[],
  games: readonly LinkedGame[],
): SourcedResult[] {
  const results = new Map<ResultSource, SourcedResult>();
  const chosen = games.find((game) => game.chosen)?.game;
  for (const { id, value } of seen) {
    if (chosen !== undefined && id !== chosen) continue;
    const [score, reason = ''] = value.split(' ');
    if (!(SCORES as readonly string[]).includes(score!)) continue;
    const source = sourceOf(reason);
    // The first game that has a result is the game; what comes after is played for fun.
    if (chosen === undefined && games.find((game) => game.hasResult)?.game !== id) continue;
    results.set(source, {
      source,
      score: score as Score,
      forfeit: false,
      termination: terminationOf(reason as ResultReason),
    });
  }
  for (const row of said) {
    results.set(row.source, {
      source: row.source,
      score: row.score,
      forfeit: row.forfeit === 1,
      ...(row.termination !== null && { termination: row.termination }),
      wallMs: row.wall_ms,
      by: row.signed_by,
    });
  }
  return [...results.values()];
}

/** A running game is given to the pairing whose board it is on when it began no longer ago than this, ms. */
const RUNNING_MS = 12 * 3_600_000;

/** Statements that change the tournament; made once per connection. */
export function createTournamentWriter(db: Database, file: string) {
  const putFact = db.prepare(
    'INSERT INTO event_facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  const putRound = db.prepare(
    'INSERT INTO rounds (section, number, date) VALUES (?, ?, ?) ON CONFLICT (section, number) DO UPDATE SET date = excluded.date',
  );
  const addPlayer = db.prepare('INSERT INTO players (section, name, facts) VALUES (?, ?, ?)');
  const setPlayer = db.prepare('UPDATE players SET section = ?, name = ?, facts = ? WHERE id = ?');
  const keepRound = db.prepare('INSERT OR IGNORE INTO rounds (section, number) VALUES (?, ?)');
  const addPairing = db.prepare(
    'INSERT INTO pairings (section, round, leg, board, place, white_id, black_id) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const setPairing = db.prepare(
    'UPDATE pairings SET section = ?, round = ?, leg = ?, board = ?, place = ?, white_id = ?, black_id = ?, withdrawn = 0 WHERE id = ?',
  );
  const setWithdrawn = db.prepare('UPDATE pairings SET withdrawn = ? WHERE id = ?');
  const addResult = db.prepare(
    'INSERT INTO pairing_results (pairing_id, source, score, forfeit, termination, wall_ms, signed_by) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const openOf = db
    .prepare<[string], number>('SELECT id FROM assignments WHERE board = ? AND until_wall_ms IS NULL')
    .pluck();
  const openAt = db.prepare<[number], { id: number; board: string }>(
    'SELECT id, board FROM assignments WHERE pairing_id = ? AND until_wall_ms IS NULL',
  );
  const endBoard = db.prepare(
    'UPDATE assignments SET until_wall_ms = ? WHERE board = ? AND until_wall_ms IS NULL',
  );
  const endPairing = db.prepare(
    'UPDATE assignments SET until_wall_ms = ? WHERE pairing_id = ? AND until_wall_ms IS NULL',
  );
  const assign = db.prepare(
    `INSERT INTO assignments (pairing_id, board, from_wall_ms, start, after_sitting, after_number)
     SELECT @pairing, @board, @wallMs, @start,
       (SELECT sitting_id FROM games WHERE id = @after), (SELECT number FROM games WHERE id = @after)`,
  );
  const takeGames = db.prepare(
    'UPDATE pairing_games SET pairing_id = ?, assignment_id = ?, chosen = 0 WHERE assignment_id = ?',
  );
  const takeRunning = db.prepare(
    `INSERT INTO pairing_games (sitting_id, number, pairing_id, assignment_id)
     SELECT games.sitting_id, games.number, @pairing, @assignment FROM games
       JOIN sittings ON sittings.id = games.sitting_id JOIN boards ON boards.id = sittings.board_id
     WHERE boards.key = @board AND games.ended = 0 AND games.started_wall_ms > @since
       AND games.id = (SELECT max(latest.id) FROM games AS latest JOIN sittings ON sittings.id = latest.sitting_id
         WHERE sittings.board_id = boards.id)
     ON CONFLICT (sitting_id, number) DO NOTHING`,
  );
  const choose = db.prepare(
    `UPDATE pairing_games SET chosen = EXISTS (SELECT 1 FROM games WHERE games.sitting_id = pairing_games.sitting_id
       AND games.number = pairing_games.number AND games.id = @game) WHERE pairing_id = @pairing`,
  );
  const claim = db.prepare(
    `INSERT INTO pairing_games (sitting_id, number, pairing_id) SELECT sitting_id, number, @pairing FROM games WHERE id = @game
     ON CONFLICT (sitting_id, number) DO UPDATE SET pairing_id = excluded.pairing_id`,
  );
  const log = db.prepare('INSERT INTO tournament_log (wall_ms, signed_by, what) VALUES (?, ?, ?)');
  const revision = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM tournament_log').pluck();

  const applyAll = db.transaction(
    (changes: readonly TournamentChange[], by: string, wallMs: number, seen: number | undefined): void => {
      if (seen !== undefined && revision.get() !== seen) throw new BoardError('TOURNAMENT_CHANGED', { file });
      const added = new Map<string, number>();
      /** What was assigned until now, by board: two tables may exchange theirs in one list. */
      const ended = new Map<string, number>();
      const idOf = (ref: PlayerRef | PairingRef | undefined): number | null => {
        if (ref === undefined) return null;
        if ('id' in ref) return ref.id;
        const id = added.get(ref.key);
        if (id === undefined) throw new Error(`nothing was added as ${ref.key}`);
        return id;
      };
      const row = ({ section, round, leg, board, place, white, black }: PairingFacts) =>
        [section, round, leg, board ?? null, place, idOf(white), idOf(black)] as const;
      for (const change of changes) {
        log.run(Math.floor(wallMs), by, JSON.stringify(change));
        switch (change.type) {
          case 'event':
            for (const name of EVENT_FIELDS) {
              const value = change.facts[name];
              if (value !== undefined) putFact.run(name, JSON.stringify(value));
            }
            break;
          case 'round':
            putRound.run(change.section, change.number, change.date);
            break;
          case 'player-added': {
            const { section, name } = change.facts;
            added.set(
              change.key,
              Number(addPlayer.run(section, name, JSON.stringify(change.facts)).lastInsertRowid),
            );
            break;
          }
          case 'player-changed': {
            const { section, name } = change.facts;
            setPlayer.run(section, name, JSON.stringify(change.facts), change.id);
            break;
          }
          case 'pairing-added': {
            const { section, round } = change.facts;
            keepRound.run(section, round);
            added.set(change.key, Number(addPairing.run(...row(change.facts)).lastInsertRowid));
            break;
          }
          case 'pairing-changed':
            keepRound.run(change.facts.section, change.facts.round);
            setPairing.run(...row(change.facts), change.id);
            break;
          case 'pairing-withdrawn':
          case 'pairing-restored':
            setWithdrawn.run(change.type === 'pairing-withdrawn' ? 1 : 0, change.id);
            break;
          case 'result': {
            const { pairing, source, score, forfeit, termination } = change;
            addResult.run(
              idOf(pairing),
              source,
              score,
              forfeit ? 1 : 0,
              termination ?? null,
              Math.floor(wallMs),
              by,
            );
            break;
          }
          case 'assigned': {
            const { eboard, takesGames, goesOn } = change;
            const pairing = idOf(change.pairing)!;
            const before = openOf.get(eboard) ?? ended.get(eboard);
            const left = openAt.get(pairing);
            if (left !== undefined) ended.set(left.board, left.id);
            endBoard.run(Math.floor(wallMs), eboard);
            endPairing.run(Math.floor(wallMs), pairing);
            const { lastInsertRowid } = assign.run({
              pairing,
              board: eboard,
              wallMs: Math.floor(wallMs),
              start: goesOn?.start ?? null,
              after: goesOn?.game ?? null,
            });
            if (!takesGames) break;
            if (before !== undefined) takeGames.run(pairing, lastInsertRowid, before);
            takeRunning.run({
              pairing,
              board: eboard,
              assignment: lastInsertRowid,
              since: wallMs - RUNNING_MS,
            });
            break;
          }
          case 'unassigned':
            endBoard.run(Math.floor(wallMs), change.eboard);
            break;
          case 'game-chosen':
            claim.run({ pairing: change.pairing, game: change.game });
            choose.run({ pairing: change.pairing, game: change.game });
            break;
        }
      }
    },
  );
  return {
    /**
     * Makes all changes or none; `seen`: the revision they were made from, TOURNAMENT_CHANGED when it is another one by now.
     */
    apply(changes: readonly TournamentChange[], by: string, wallMs: number, seen?: number): void {
      applyAll.immediate(changes, by, wallMs, seen);
    },
  };
}
