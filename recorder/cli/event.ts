import { join } from 'node:path';
import { z } from 'zod';
import { BoardError } from '../../core/board-error.ts';
import { SCORES } from '../../core/laws/endings.ts';
import { ENCODINGS } from '../import/decode-text.ts';
import { IMPORT_KINDS } from '../import/imported.ts';
import { readImportFile } from '../import/read-file.ts';
import { joinPgn } from '../pgn/writer.ts';
import { openStoreReader } from '../store/store.ts';
import { openTournamentStore, type TournamentStore } from '../store/tournament-store.ts';
import type { TournamentChange } from '../tournament/change.ts';
import { describeChanges, makePairingName } from '../tournament/describe-change.ts';
import { ASSIGNMENT_MODES, compareSerials, planAssignment } from '../tournament/plan-assignment.ts';
import { planImport } from '../tournament/plan-import.ts';
import { planSwap } from '../tournament/plan-swap.ts';
import { foldName } from '../tournament/player-name.ts';
import { makeRoundPgn } from '../tournament/round-pgn.ts';
import {
  conflictsOf,
  currentRound,
  type Pairing,
  type Player,
  pgnResult,
  standingResult,
  type Tournament,
} from '../tournament/tournament.ts';
import { padText, plainText } from '../view/display-text.ts';
import { DB, parseOptions } from './arguments.ts';
import type { Io } from './io.ts';
import { ArgumentError } from './print-fault.ts';
import { writeFile } from './write-file.ts';

const NUMBER = z
  .string()
  .regex(/^[1-9]\d{0,4}$/, 'is no number')
  .transform(Number);
const EVENT = DB.extend({
  by: z.string().max(100).optional(),
  section: z.string().max(100).optional(),
  json: z.boolean().default(false),
});
const INIT = EVENT.extend({
  name: z.string().max(500).optional(),
  site: z.string().max(500).optional(),
  rounds: NUMBER.optional(),
  timeControl: z.string().max(200).optional(),
  arbiter: z.string().max(500).optional(),
});
const IMPORT = EVENT.extend({
  round: NUMBER.optional(),
  encoding: z.enum(ENCODINGS).optional(),
  format: z.enum(IMPORT_KINDS).optional(),
  dryRun: z.boolean().default(false),
  whole: z.boolean().default(false),
});
const ROUND = EVENT.extend({ round: NUMBER.optional(), dryRun: z.boolean().default(false) });
const ASSIGN = ROUND.extend({
  mode: z.enum(ASSIGNMENT_MODES).optional(),
  from: NUMBER.optional(),
  force: z.boolean().default(false),
});

/** Runs something with the tournament of a database. */
function withTournament(db: string, run: (store: TournamentStore) => number): number {
  const store = openTournamentStore(db);
  try {
    return run(store);
  } finally {
    store.close();
  }
}

const signed = (by: string | undefined, io: Io): string => {
  const name = (by ?? io.user ?? '').trim();
  if (name === '') throw new BoardError('SIGNATURE_MISSING');
  return name;
};

const say = (io: Io, ...lines: readonly string[]): void => {
  for (const line of lines) io.out.write(`${plainText(line)}\n`);
};

/** Makes changes and says what they are; with `dryRun` says it only. */
function change(
  store: TournamentStore,
  changes: readonly TournamentChange[],
  options: { readonly by?: string | undefined; readonly json: boolean; readonly dryRun?: boolean },
  io: Io,
): void {
  const tournament = store.read();
  if (options.dryRun !== true && changes.length > 0)
    store.apply(changes, { by: signed(options.by, io), wallMs: Date.now(), seen: tournament.revision });
  if (options.json) for (const one of changes) io.out.write(`${JSON.stringify(one)}\n`);
  else {
    say(io, ...describeChanges(tournament, changes));
    if (changes.length === 0) say(io, 'nothing changes');
    else if (options.dryRun === true) say(io, `${changes.length} changes, none made (--dry-run)`);
  }
}

/** Says what the event is. */
export function runEventInit(options: unknown, io: Io): number {
  const { db, by, json, name, site, rounds, timeControl, arbiter } = parseOptions(INIT, options);
  return withTournament(db, (store) => {
    const facts = {
      ...(name !== undefined && { name }),
      ...(site !== undefined && { site }),
      ...(rounds !== undefined && { rounds }),
      ...(timeControl !== undefined && { timeControl }),
      ...(arbiter !== undefined && { arbiter }),
    };
    change(store, Object.keys(facts).length === 0 ? [] : [{ type: 'event', facts }], { by, json }, io);
    if (!json) say(io, `The event is in ${db}. Next: jadoube event import FILE`);
    return 0;
  });
}

/** Reads lists of pairings and makes what they say true; with `--dry-run` says what would change. */
export function runEventImport(files: readonly string[], options: unknown, io: Io): number {
  const { db, by, json, section, round, encoding, format, dryRun, whole } = parseOptions(IMPORT, options);
  return withTournament(db, (store) => {
    for (const file of files) {
      const read = readImportFile(file, {
        ...(section !== undefined && { section }),
        ...(round !== undefined && { round }),
        ...(encoding !== undefined && { encoding }),
        ...(format !== undefined && { kind: format }),
      });
      const plan = planImport(store.read(), read, { whole });
      for (const { code, line, message } of [...read.warnings, ...plan.warnings])
        io.err.write(`${plainText(`${code}: ${file}, line ${line}: ${message}`)}\n`);
      if (!json)
        say(
          io,
          `${file}: ${read.kind}, ${read.encoding}, ${read.players.length} players, ${read.pairings.length} pairings`,
        );
      change(store, plan.changes, { by, json, dryRun }, io);
    }
    return 0;
  });
}

/** The round that was said, or the one that is played; throws an `ArgumentError` when there is none. */
function roundOf(tournament: Tournament, section: string, said: number | undefined): number {
  const round = said ?? currentRound(tournament, section);
  if (round === undefined)
    throw new ArgumentError('there is no round yet: import pairings, or name it with --round');
  return round;
}

/** The pairing of a table; throws an `ArgumentError`. */
function pairingAt(tournament: Tournament, section: string, round: number, table: string): Pairing {
  const found = tournament.pairings.find(
    (pairing) =>
      pairing.section === section &&
      pairing.round === round &&
      !pairing.withdrawn &&
      String(pairing.board) === table,
  );
  if (found === undefined) throw new ArgumentError(`round ${round} has no table ${table}`);
  return found;
}

/** The player that is meant by a FIDE id, a starting rank, or a name; undefined when nobody is. */
function findPlayer(tournament: Tournament, section: string, text: string): Player | undefined {
  const own = tournament.players.filter((player) => player.section === section);
  const named = own.filter(({ name }) => foldName(name) === foldName(text));
  if (named.length === 1) return named[0];
  if (!/^\d+$/.test(text)) {
    if (named.length > 1) throw new ArgumentError(`several players are called "${text}": name the FIDE id`);
    return undefined;
  }
  const number = Number(text);
  return own.find(({ fideId }) => fideId === number) ?? own.find((player) => player.number === number);
}

/** Puts two players at a table by hand, or withdraws who is there. */
export function runEventPair(table: string, players: readonly string[], options: unknown, io: Io): number {
  const {
    db,
    by,
    json,
    section = '',
    round,
    dryRun,
    remove,
  } = parseOptions(ROUND.extend({ remove: z.boolean().default(false) }), options);
  if (!/^[1-9]\d{0,4}$/.test(table)) throw new ArgumentError(`"${table}" is no number of a table`);
  return withTournament(db, (store) => {
    const tournament = store.read();
    const number = round ?? currentRound(tournament, section) ?? 1;
    const there = tournament.pairings.find(
      (pairing) =>
        pairing.section === section &&
        pairing.round === number &&
        !pairing.withdrawn &&
        pairing.board === Number(table),
    );
    if (remove) {
      if (there === undefined) throw new ArgumentError(`round ${number} has no table ${table}`);
      change(store, [{ type: 'pairing-withdrawn', id: there.id }], { by, json, dryRun }, io);
      return 0;
    }
    const [white, black] = players;
    if (white === undefined || black === undefined || players.length > 2)
      throw new ArgumentError('event pair TABLE WHITE BLACK');
    // The same as a list of one line would do.
    const names = [white, black].map(
      (text) => findPlayer(tournament, section, text) ?? { section, name: text },
    );
    const plan = planImport(tournament, {
      kind: 'csv',
      event: {},
      dates: [],
      players: names,
      pairings: [{ section, round: number, board: Number(table), white: 0, black: 1, line: 1 }],
      warnings: [],
    });
    const others: TournamentChange[] =
      there === undefined || plan.changes.some((one) => 'id' in one && one.id === there.id)
        ? []
        : [there.white, there.black].every((player) =>
              names.some((name) => 'id' in name && name.id === player?.id),
            )
          ? []
          : [{ type: 'pairing-withdrawn', id: there.id }];
    change(store, [...others, ...plan.changes], { by, json, dryRun }, io);
    return 0;
  });
}

/** Says which electronic board stands at which table. */
export function runEventAssign(places: readonly string[], options: unknown, io: Io): number {
  const { db, by, json, section = '', round, dryRun, mode, from, force } = parseOptions(ASSIGN, options);
  return withTournament(db, (store) => {
    const tournament = store.read();
    const number = roundOf(tournament, section, round);
    const named = places.filter((place) => place.includes('='));
    if (named.length > 0 && named.length < places.length)
      throw new ArgumentError('either TABLE=BOARD for each, or boards in their order');
    if (named.length > 0) {
      const changes = named.map((place): TournamentChange => {
        const [table = '', eboard = ''] = place.split('=');
        const pairing = pairingAt(tournament, section, number, table);
        return eboard === '' || eboard === '-'
          ? pairing.eboard === undefined
            ? missing(`table ${table} has no electronic board`)
            : { type: 'unassigned', eboard: pairing.eboard }
          : {
              type: 'assigned',
              pairing: { id: pairing.id },
              eboard: knownBoard(db, eboard),
              takesGames: true,
            };
      });
      change(store, changes, { by, json, dryRun }, io);
      return 0;
    }
    const eboards = places.length > 0 ? places.map((place) => knownBoard(db, place)) : boardsOf(db);
    const plan = planAssignment(tournament, {
      section,
      round: number,
      mode: mode ?? (places.length > 0 ? 'order' : 'remembered'),
      eboards,
      force,
      ...(from !== undefined && { firstTable: from }),
    });
    change(store, plan.changes, { by, json, dryRun }, io);
    for (const { eboard, pairing } of plan.busy)
      io.err.write(
        `${plainText(`${eboard} stays at ${makePairingName(pairing)}: no result there yet (--force takes it)`)}\n`,
      );
    if (!json && plan.without.length > 0) say(io, `${plan.without.length} tables have no electronic board`);
    return plan.busy.length > 0 ? 1 : 0;
  });
}

const missing = (text: string): never => {
  throw new ArgumentError(text);
};

/** Keys of all boards that were ever seen, by serial number. */
function boardsOf(db: string): string[] {
  const reader = openStoreReader(db);
  try {
    return reader.boards().sort(compareSerials);
  } finally {
    reader.close();
  }
}

/** The key of a board by its key or the end of its number; one that was never seen is taken as it is written. */
function knownBoard(db: string, text: string): string {
  const boards = boardsOf(db);
  if (boards.includes(text)) return text;
  const found = boards.filter((key) => key.endsWith(text) && /^\d+$/.test(text));
  if (found.length === 1) return found[0]!;
  if (found.length > 1) throw new ArgumentError(`several boards end in ${text}: ${found.join(', ')}`);
  if (!/^[a-z][\w.@-]*-[\w.@-]+$/.test(text))
    throw new ArgumentError(
      `no board "${text}" was seen yet: write KIND-NUMBER, as \`jadoube games\` names it`,
    );
  return text;
}

/** Gives a table another electronic board in mid-game: the game goes on there from where it stands. */
export function runEventSwap(table: string, board: string, options: unknown, io: Io): number {
  const { db, by, json, section = '', round, dryRun } = parseOptions(ROUND, options);
  return withTournament(db, (store) => {
    const tournament = store.read();
    const pairing = pairingAt(tournament, section, roundOf(tournament, section, round), table);
    const eboard = knownBoard(db, board);
    const reader = openStoreReader(db);
    try {
      const plan = planSwap(tournament, pairing, eboard, (id) => reader.games({ id })[0]?.record);
      if (!plan.ok) throw new ArgumentError(plan.fault.message);
      change(store, plan.value, { by, json, dryRun }, io);
      for (const one of plan.value)
        if (!json && one.type === 'assigned' && one.goesOn !== undefined)
          say(io, `set up on ${one.eboard}: ${one.goesOn.start}`);
    } finally {
      reader.close();
    }
    return 0;
  });
}

/** Enters the result of a table, as the desk has it. */
export function runEventResult(table: string, score: string, options: unknown, io: Io): number {
  const {
    db,
    by,
    json,
    section = '',
    round,
    dryRun,
    forfeit,
  } = parseOptions(ROUND.extend({ forfeit: z.boolean().default(false) }), options);
  const known = SCORES.find((one) => one === score) ?? (score === '1/2' ? '1/2-1/2' : undefined);
  if (known === undefined) throw new ArgumentError(`"${score}" is none of ${SCORES.join(', ')}`);
  return withTournament(db, (store) => {
    const tournament = store.read();
    const pairing = pairingAt(tournament, section, roundOf(tournament, section, round), table);
    change(
      store,
      [{ type: 'result', pairing: { id: pairing.id }, source: 'desk', score: known, forfeit }],
      { by, json, dryRun },
      io,
    );
    return 0;
  });
}

/** Says which of the recorded games is the game of a table. */
export function runEventGame(table: string, game: string, options: unknown, io: Io): number {
  const { db, by, json, section = '', round, dryRun } = parseOptions(ROUND, options);
  if (!/^\d{1,15}$/.test(game))
    throw new ArgumentError(`"${game}" is no number of a game; \`jadoube games\` lists them`);
  return withTournament(db, (store) => {
    const tournament = store.read();
    const pairing = pairingAt(tournament, section, roundOf(tournament, section, round), table);
    const reader = openStoreReader(db);
    const isThere = reader.games({ id: Number(game) }).length > 0;
    reader.close();
    if (!isThere) throw new BoardError('GAME_UNKNOWN', { game, file: db });
    change(
      store,
      [{ type: 'game-chosen', pairing: pairing.id, game: Number(game) }],
      { by, json, dryRun },
      io,
    );
    return 0;
  });
}

/** Writes the games of a round as they stand, tables without a game by their tags: one file, or one a table in a folder. */
export async function runEventPublish(place: string, options: unknown, io: Io): Promise<number> {
  const { db, json, section, round } = parseOptions(ROUND, options);
  const store = openTournamentStore(db);
  const reader = openStoreReader(db);
  try {
    const tournament = store.read();
    const number = roundOf(tournament, section ?? '', round);
    const games = makeRoundPgn(reader, tournament, number, section);
    const isFile = /\.pgn$/i.test(place);
    const all = joinPgn(games.map(({ pgn }) => pgn));
    const files = isFile
      ? [[place, all] as const]
      : [
          ...games.map(
            ({ pairing, pgn }, i) =>
              [join(place, `round-${number}`, `game-${pairing.board ?? i + 1}.pgn`), pgn] as const,
          ),
          [join(place, `round-${number}`, 'games.pgn'), all] as const,
        ];
    for (const [path, text] of files) await writeFile(path, text);
    if (json)
      io.out.write(
        `${JSON.stringify({ round: number, tables: games.length, files: files.map(([path]) => path) })}\n`,
      );
    else
      say(
        io,
        `${place}: ${games.length} tables of round ${number}, ${games.filter(({ pairing }) => pairing.games.length > 0).length} with a game`,
      );
    return 0;
  } finally {
    reader.close();
    store.close();
  }
}

/** Tells how the event stands: tables, electronic boards, games, results, and what needs somebody. */
export function runEventStatus(options: unknown, io: Io): number {
  const { db, json, section, round } = parseOptions(ROUND, options);
  return withTournament(db, (store) => {
    const tournament = store.read();
    const number = round ?? currentRound(tournament, section);
    const own = tournament.pairings.filter(
      (pairing) => pairing.round === number && (section === undefined || pairing.section === section),
    );
    const conflicts = conflictsOf({ pairings: own });
    if (json) {
      io.out.write(
        `${JSON.stringify({ revision: tournament.revision, event: tournament.event, round: number, pairings: own.map((pairing) => ({ ...pairing, result: standingResult(pairing) })), conflicts: conflicts.map((conflict) => ({ ...conflict, pairing: conflict.pairing.id })) })}\n`,
      );
      return 0;
    }
    const { name, site } = tournament.event;
    say(
      io,
      [name ?? 'an event without a name', site, number === undefined ? 'no pairings yet' : `round ${number}`]
        .filter((word) => word !== undefined)
        .join(', '),
    );
    const rows = own
      .filter((pairing) => !pairing.withdrawn || pairing.games.length > 0)
      .map((pairing) => [
        `${pairing.section === '' ? '' : `${pairing.section} `}${pairing.board ?? '-'}`,
        `${pairing.white?.name ?? 'nobody'} - ${pairing.black?.name ?? 'nobody'}`,
        pairing.eboard ?? '',
        pairing.withdrawn ? 'withdrawn' : tellGame(pairing),
        resultText(pairing),
      ]);
    if (rows.length > 0) {
      const all = [['Table', 'Players', 'Board', 'Game', 'Result'], ...rows].map((row) => row.map(plainText));
      const widths = all[0]!.map((_, i) => Math.max(...all.map((row) => row[i]!.length)));
      for (const row of all)
        io.out.write(
          `${row
            .map((text, i) => padText(text, widths[i]!))
            .join('  ')
            .trimEnd()}\n`,
        );
    }
    for (const conflict of conflicts)
      say(io, `! ${makePairingName(conflict.pairing)}: ${tellConflict(conflict)}`);
    return 0;
  });
}

const resultText = (pairing: Pairing): string => {
  const result = standingResult(pairing);
  if (result === undefined) return '';
  const token = pgnResult(result);
  return `${token === '*' ? result.score : token}${result.forfeit ? ' forfeit' : ''} (${result.source})`;
};

function tellGame({ games }: Pairing): string {
  const last = games.at(-1);
  if (last === undefined) return '';
  return `${games.map(({ game }) => game).join(', ')}: ${Math.max(...games.map(({ plies }) => plies))} plies`;
}

function tellConflict(conflict: ReturnType<typeof conflictsOf>[number]): string {
  switch (conflict.type) {
    case 'results':
      return `results differ: ${conflict.results.map(({ source, score }) => `${source} ${score}`).join(', ')}; \`event result\` decides`;
    case 'games':
      return `games ${conflict.games.join(', ')} were recorded here and the first counts; \`event game\` decides`;
    case 'withdrawn':
      return 'is in no list any more and has a game; `event pair` brings it back, `event game` gives the game to another table';
  }
}
