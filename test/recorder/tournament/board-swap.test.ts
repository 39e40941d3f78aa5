import { join } from 'node:path';
import { filter, firstValueFrom, lastValueFrom, ReplaySubject, Subject, tap } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { dgt } from '../../../boards/dgt/definition.ts';
import { EMPTY } from '../../../core/placement.ts';
import { Position } from '../../../core/position.ts';
import { makeLinkAddress } from '../../../driver/address.ts';
import { createSystemClock } from '../../../driver/clock.ts';
import { createFleet } from '../../../driver/fleet.ts';
import { createMemoryPair } from '../../../driver/transports/memory.ts';
import { type RecorderUpdate, record$ } from '../../../recorder/recorder.ts';
import { openStore, openStoreReader } from '../../../recorder/store/store.ts';
import { openTournamentStore } from '../../../recorder/store/tournament-store.ts';
import type { TournamentChange } from '../../../recorder/tournament/change.ts';
import { readPairedGame } from '../../../recorder/tournament/join-games.ts';
import { planSwap } from '../../../recorder/tournament/plan-swap.ts';
import { createSimulatedBoard } from '../../kit/simulated-board.ts';
import { rederiveFile } from '../rederive-file.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const SERIALS = ['11111', '22222'] as const;

/** Two boards in one hall, both at the initial position, and a recorder on them. */
function openHall() {
  const file = join(temporaryFolder(), 'games.sqlite');
  const clock = createSystemClock({ speed: 25 });
  const store = openStore(file, { wallMs: clock.wallMs });
  const tournament = openTournamentStore(file);
  const apply = (...changes: readonly TournamentChange[]): void =>
    tournament.apply(changes, { by: 'test', wallMs: clock.wallMs() });
  const tables = SERIALS.map((serialNumber) => {
    const board = createSimulatedBoard(dgt, { serialNumber }, clock);
    const pair = createMemoryPair(`table ${serialNumber}`, clock);
    board.attach(pair.device);
    return { board, transport: pair.transport };
  });
  const fleet = createFleet({
    definitions: [dgt],
    clock,
    named: tables.map(({ transport }) => ({ kind: 'dgt', link: transport.address })),
    search: 'none',
    list: async () => [],
    transportFor: (link) =>
      tables.find(({ transport }) => makeLinkAddress(transport.address) === makeLinkAddress(link))!.transport,
  });
  const stop = new Subject<void>();
  const updates = new ReplaySubject<RecorderUpdate>();
  const ended = lastValueFrom(record$({ fleet, store, clock, stop$: stop }).pipe(tap(updates)), {
    defaultValue: undefined,
  });
  return {
    file,
    store,
    tournament,
    apply,
    board: (at: number) => tables[at]!.board,
    game: (is: (update: Extract<RecorderUpdate, { type: 'game' }>) => boolean) =>
      firstValueFrom(updates.pipe(filter((update) => update.type === 'game' && is(update)))) as Promise<
        Extract<RecorderUpdate, { type: 'game' }>
      >,
    close: async (): Promise<void> => {
      stop.next();
      await ended;
      tournament.close();
      store.close();
    },
  };
}

/** Moves the pieces of a board from one position to another, captured and moved ones first. */
function setUp(board: ReturnType<typeof createSimulatedBoard>, from: Position, to: Position): void {
  const differing = [...to.cells.keys()].filter((square) => from.cells[square] !== to.cells[square]);
  for (const square of differing) board.square(square, EMPTY);
  for (const square of differing) if (to.cells[square] !== EMPTY) board.square(square, to.cells[square]!);
}

describe('a table that gets another electronic board in mid-game', () => {
  it('goes on with the same game, under the same GameId', async () => {
    const hall = openHall();
    hall.apply(
      { type: 'player-added', key: 'a', facts: { section: '', name: 'Anand, Vera' } },
      { type: 'player-added', key: 'b', facts: { section: '', name: 'Bird, Olga' } },
      {
        type: 'pairing-added',
        key: 'p',
        facts: {
          section: '',
          round: 1,
          leg: 1,
          board: 1,
          place: 1,
          white: { key: 'a' },
          black: { key: 'b' },
        },
      },
      { type: 'assigned', pairing: { key: 'p' }, eboard: 'dgt-11111', takesGames: false },
    );
    const began = await hall.game(({ board, record }) => board === 'dgt-11111' && record.game === 1);
    const token = began.tags.GameId;
    expect(token).toBe(hall.tournament.read().pairings[0]!.token);

    let position = Position.initial();
    const play = async (at: number, board: string, san: string, plies: number): Promise<void> => {
      const before = position;
      position = position.play(position.parseSan(san)!);
      setUp(hall.board(at), before, position);
      await hall.game(
        (update) =>
          update.board === board && update.record.plies.length >= plies && update.record.start !== '',
      );
    };
    await play(0, 'dgt-11111', 'e4', 1);
    await play(0, 'dgt-11111', 'e5', 2);
    await play(0, 'dgt-11111', 'Nf3', 3);
    await hall.game(({ board, record }) => board === 'dgt-11111' && record.plies[2]?.state === 'confirmed');
    await hall.game(({ board }) => board === 'dgt-22222');

    const pairing = hall.tournament.read().pairings[0]!;
    const plan = planSwap(
      hall.tournament.read(),
      pairing,
      'dgt-22222',
      (id) => hall.store.games({ id })[0]?.record,
    );
    expect(plan.ok && plan.value).toEqual([
      {
        type: 'assigned',
        pairing: { id: pairing.id },
        eboard: 'dgt-22222',
        takesGames: false,
        goesOn: { game: began.id, start: position.fen() },
      },
    ]);
    if (!plan.ok) return;
    const start = position.fen();
    hall.apply(...plan.value);
    setUp(hall.board(1), Position.initial(), position);
    const next = await hall.game(({ board, record }) => board === 'dgt-22222' && record.start === start);
    expect([next.pairing, next.tags.GameId]).toEqual([pairing.id, token]);
    const going = async (san: string, plies: number): Promise<void> => {
      const before = position;
      position = position.play(position.parseSan(san)!);
      setUp(hall.board(1), before, position);
      await hall.game(({ record, id }) => id === next.id && record.plies.length >= plies);
    };
    await going('Nc6', 1);
    await going('Bb5', 2);
    await going('a6', 3);
    await hall.close();

    const reader = openStoreReader(hall.file);
    const store = openTournamentStore(hall.file);
    const [stored] = store.read().pairings;
    expect(stored!.games.map(({ game, after }) => [game, after])).toEqual([
      [began.id, undefined],
      [next.id, began.id],
    ]);
    const game = readPairedGame(reader, stored!);
    expect(game!.record.plies.map(({ san }) => san)).toEqual(['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6']);
    expect([game!.board, game!.tags.GameId]).toEqual(['dgt-22222', token]);
    store.close();
    reader.close();
    expect(rederiveFile(hall.file).flat()).toEqual([]);
  }, 60_000);
});
