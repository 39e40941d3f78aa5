/** Routes of the setup page: tables and their boards, lists of pairings, what is withheld from the world. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { BoardError } from '../../core/board-error.ts';
import { readImport } from '../import/read-file.ts';
import type { OutputState } from '../publish/outputs.ts';
import { openEntryStore, type StoreReader } from '../store/store.ts';
import type { TournamentChange } from '../tournament/change.ts';
import { ASSIGNMENT_MODES, compareSerials, planAssignment } from '../tournament/plan-assignment.ts';
import { planImport } from '../tournament/plan-import.ts';
import { planSwap } from '../tournament/plan-swap.ts';
import {
  currentRound,
  gamesThatCount,
  type Pairing,
  standingResult,
  type Tournament,
} from '../tournament/tournament.ts';
import type { TournamentDesk } from '../tournament/tournament-desk.ts';
import type { Audit } from './audit.ts';
import type { BoardHealthWatch } from './board-health.ts';
import { makeChangeLines } from './change-lines.ts';
import type { ChangePreview, Setup, SetupTable, SetupTournament } from './model/setup-api.ts';
import { SIGNER } from './signer.ts';

export interface SetupRouteOptions {
  readonly health: BoardHealthWatch;
  readonly reader: StoreReader;
  /** Absent where there is no tournament to be changed. */
  readonly tournament?: TournamentDesk;
  /** How outputs stand; absent where nobody publishes. */
  readonly outputs?: () => readonly OutputState[];
  /** Boards that are simulated, and a hand for them. */
  readonly simulated?: SimulatedBoards;
  readonly nowMs: () => number;
  readonly audit: Audit;
  /** Hears that tags of games, or what is withheld, may be others now. */
  readonly changed: () => void;
}

/** Boards of a rehearsal, whose pieces nobody can take in hand. */
export interface SimulatedBoards {
  readonly boards: readonly string[];
  /** The white king is lifted and put back. */
  liftKing(board: string): void;
}

/** What routes ask of whoever asks, and how they sign. */
export interface SetupRights {
  readonly look: { preHandler: (request: FastifyRequest) => Promise<void> };
  readonly decide: { preHandler: (request: FastifyRequest) => Promise<void> };
  readonly signerOf: (request: FastifyRequest, by: string | undefined) => string;
  readonly parse: <T>(schema: z.ZodType<T>, body: unknown) => T;
}

/** Lists of pairings are no larger, bytes; as base64 in JSON they are a third longer. */
const MOST_LIST_BYTES = 2_000_000;
const LIST_BODY_BYTES = Math.ceil((MOST_LIST_BYTES * 4) / 3) + 4096;

const BY = SIGNER.optional();
const SEEN = z.int().min(0);
const BOARD = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[\w.@:-]+$/);
const ROUND = z.int().min(1).max(1000);
const IMPORT = z.strictObject({
  file: z.string().min(1).max(200),
  data: z.base64().max(Math.ceil((MOST_LIST_BYTES * 4) / 3)),
  round: ROUND.optional(),
  whole: z.boolean().default(false),
  /** The revision that was looked at: the changes are made; absent for a look. */
  seen: SEEN.optional(),
  by: BY,
});
const ASSIGN = z.strictObject({
  pairing: z.int().min(1),
  /** Absent: the table has no board any more. */
  eboard: BOARD.optional(),
  seen: SEEN,
  by: BY,
});
const ASSIGN_ALL = z.strictObject({
  round: ROUND,
  mode: z.enum(ASSIGNMENT_MODES),
  seen: SEEN.optional(),
  by: BY,
});
const SWAP = z.strictObject({
  pairing: z.int().min(1),
  eboard: BOARD,
  seen: SEEN.optional(),
  by: BY,
});
const HOLD = z.strictObject({ board: BOARD.optional(), isHeld: z.boolean(), by: BY });

const invalid = (why: string): BoardError => new BoardError('REQUEST_INVALID', { why });

/** A name as it may stand in an answer: no control characters. */
const plain = (text: string): string => text.replace(/\p{C}/gu, '');

/** Adds the routes of the setup page. Looking is for viewers, changing for operators; every change is signed and audited. */
export function addSetupRoutes(app: FastifyInstance, options: SetupRouteOptions, rights: SetupRights): void {
  const { health, reader, outputs, simulated, nowMs, audit } = options;
  const { look, decide, signerOf, parse } = rights;

  app.get('/api/setup', look, async (request, reply): Promise<Setup> => {
    reply.header('Cache-Control', 'no-store');
    const asked = z.coerce
      .number()
      .pipe(ROUND)
      .safeParse((request.query as { round?: string }).round);
    return {
      ...health.setup(),
      ...(outputs !== undefined && { outputs: outputs() }),
      holds: reader
        .holds()
        .flatMap(({ scope, wallMs, by }) =>
          scope.type === 'game'
            ? []
            : [{ ...(scope.type === 'board' && { board: scope.board }), sinceMs: wallMs, by }],
        ),
      ...(options.tournament !== undefined && {
        tournament: setupOf(options.tournament.current(), asked.success ? asked.data : undefined),
      }),
      simulated: simulated?.boards ?? [],
    };
  });

  const desk = (): TournamentDesk => {
    if (options.tournament === undefined) throw invalid('this desk has no tournament');
    return options.tournament;
  };
  const pairingOf = (tournament: Tournament, id: number): Pairing => {
    const found = tournament.pairings.find((one) => one.id === id && !one.withdrawn);
    if (found === undefined) throw invalid(`there is no pairing ${id}`);
    return found;
  };
  /** Makes changes when somebody has seen them, else says what they would be. */
  const make = (
    request: FastifyRequest,
    what: string,
    changes: readonly TournamentChange[],
    said: { readonly seen?: number | undefined; readonly by?: string | undefined },
    tournament: Tournament,
  ): ChangePreview => {
    const isMade = said.seen !== undefined;
    if (said.seen !== undefined && changes.length > 0) {
      const by = signerOf(request, said.by);
      desk().apply(changes, by, said.seen);
      audit({ type: 'enter', atMs: nowMs(), from: request.ip, by, what });
      options.changed();
    }
    return {
      revision: isMade ? desk().current().revision : tournament.revision,
      isMade,
      lines: makeChangeLines(tournament, changes),
      warnings: [],
    };
  };

  app.post('/api/tournament/import', { ...decide, bodyLimit: LIST_BODY_BYTES }, async (request) => {
    const { file, data, round, whole, seen, by } = parse(IMPORT, request.body);
    const bytes = Buffer.from(data, 'base64');
    const read = readImport(bytes, plain(file), { ...(round !== undefined && { round }) });
    const tournament = desk().current();
    const plan = planImport(tournament, read, { whole });
    const preview = make(request, 'import', plan.changes, { seen, by }, tournament);
    return {
      ...preview,
      warnings: [...read.warnings, ...plan.warnings].map(({ line, message }) => ({ line, message })),
      read: {
        kind: read.kind,
        encoding: read.encoding,
        players: read.players.length,
        pairings: read.pairings.length,
      },
    } satisfies ChangePreview;
  });

  app.post('/api/tournament/assign', decide, async (request) => {
    const { pairing: id, eboard, seen, by } = parse(ASSIGN, request.body);
    const tournament = desk().current();
    const pairing = pairingOf(tournament, id);
    const changes: TournamentChange[] =
      eboard === pairing.eboard
        ? []
        : eboard !== undefined
          ? [{ type: 'assigned', pairing: { id }, eboard, takesGames: true }]
          : [{ type: 'unassigned', eboard: pairing.eboard! }];
    return make(request, 'assign', changes, { seen, by }, tournament);
  });

  app.post('/api/tournament/assign-all', decide, async (request) => {
    const { round, mode, seen, by } = parse(ASSIGN_ALL, request.body);
    const tournament = desk().current();
    const sections = new Set(
      tournament.pairings.filter((one) => one.round === round).map(({ section }) => section),
    );
    const eboards = health
      .setup()
      .boards.map(({ board }) => board)
      .sort(compareSerials);
    const plans = [...sections].map((section) =>
      planAssignment(tournament, { section, round, mode, eboards }),
    );
    const preview = make(
      request,
      'assign',
      plans.flatMap(({ changes }) => changes),
      { seen, by },
      tournament,
    );
    return {
      ...preview,
      warnings: plans.flatMap(({ busy }) =>
        busy.map(({ eboard, pairing: { round: of, board } }) => ({
          message: `${eboard}: ${of}.${board ?? '–'}`,
        })),
      ),
    } satisfies ChangePreview;
  });

  app.post('/api/tournament/swap', decide, async (request) => {
    const { pairing: id, eboard, seen, by } = parse(SWAP, request.body);
    const tournament = desk().current();
    const plan = planSwap(
      tournament,
      pairingOf(tournament, id),
      eboard,
      (game) => reader.games({ id: game })[0]?.record,
    );
    if (!plan.ok) throw invalid(plan.fault.message);
    return make(request, 'swap', plan.value, { seen, by }, tournament);
  });

  app.post('/api/holds', decide, async (request) => {
    const { board, isHeld, by } = parse(HOLD, request.body);
    const signature = { by: signerOf(request, by), wallMs: nowMs() };
    const scope = board === undefined ? ({ type: 'all' } as const) : ({ type: 'board', board } as const);
    const store = openEntryStore(reader.file);
    let isNew: boolean;
    try {
      isNew = isHeld ? store.hold(scope, signature) : store.lift(scope, signature);
    } finally {
      store.close();
    }
    audit({
      type: 'enter',
      atMs: signature.wallMs,
      from: request.ip,
      by: signature.by,
      what: isHeld ? 'hold' : 'release',
    });
    options.changed();
    return { isHeld, isNew };
  });

  if (simulated !== undefined)
    app.post('/api/simulated/:board/king', decide, async (request) => {
      const { board } = request.params as { board: string };
      if (!simulated.boards.includes(board)) throw invalid('this board is not simulated');
      simulated.liftKing(board);
      return { board };
    });
}

function setupOf(tournament: Tournament, asked: number | undefined): SetupTournament {
  const there = tournament.pairings.filter(({ withdrawn }) => !withdrawn);
  const rounds = [...new Set(there.map(({ round }) => round))].sort((a, b) => a - b);
  const round = asked !== undefined && rounds.includes(asked) ? asked : currentRound(tournament);
  return {
    revision: tournament.revision,
    ...(tournament.event.name !== undefined && { name: tournament.event.name }),
    ...(round !== undefined && { round }),
    rounds,
    tables: there.filter((one) => one.round === round && one.black !== undefined).map(tableOf),
  };
}

function tableOf(pairing: Pairing): SetupTable {
  const { id, section, round, board, white, black, eboard } = pairing;
  const result = standingResult(pairing);
  const game = gamesThatCount(pairing).at(-1)?.game;
  return {
    pairing: id,
    section,
    round,
    ...(board !== undefined && { table: board }),
    ...(white !== undefined && { white: white.name }),
    ...(black !== undefined && { black: black.name }),
    ...(eboard !== undefined && { eboard }),
    ...(result !== undefined && { result: result.score }),
    ...(game !== undefined && { game }),
  };
}
