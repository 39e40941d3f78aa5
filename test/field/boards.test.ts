import { takeUntil } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { BoardDefinition, Sensing } from '../../boards/definition.ts';
import { type HandGame, type PlayedGame, playPeople } from '../../boards/hand/people.ts';
import { BOARDS } from '../../boards/registry.ts';
import type { GameEvent } from '../../core/game-event.ts';
import { MachineDriver } from '../../core/machine.ts';
import { createReconstructor } from '../../core/reconstructor.ts';
import { connectBoard } from '../../driver/connect.ts';
import { createMemoryPair } from '../../driver/transports/memory.ts';
import { serveBoard } from '../../recorder/demo/simulated-board.ts';
import { hasFieldGames, readFieldGames } from '../bench/field-games.ts';
import { runMarbles } from '../kit/marbles.ts';

const GAMES = 10;
/** The board has become ready and the first picture has been taken before hands begin. */
const BEFORE_MS = 15_000;
const AFTER_MS = 30_000;

/** Real games of the standard start; an occupancy board cannot tell which piece a pawn became, so all become queens. */
const games = (): HandGame[] =>
  readFieldGames(60)
    .filter(({ moves, variant }) => variant !== 'chess960' && !moves.some((move) => /[rbn]$/.test(move)))
    .slice(0, GAMES);

/** What an occupancy board must see of a capture is the lift of the victim: hands there are no quicker than its scan. */
const SLOW_CAPTURE = {
  swapMs: [500, 900],
  capture: { victimFirst: 1, swap: 1, bothInAir: 0, beside: 0 },
} as const;

const playSteadily = (game: HandGame, seed: number, sensing: Sensing): PlayedGame => {
  const played = playPeople(game, {
    seed,
    profile: 'rapid',
    noise: 'none',
    clock: true,
    maxThinkMs: 6000,
    afterGame: 'nothing',
    habits: {
      gesture: 0,
      slide: 0,
      ghost: 0,
      replyBeforePress: 0,
      overlap: 0,
      airMs: [900, 1500],
      ...(sensing === 'occupancy' && SLOW_CAPTURE),
    },
  });
  if (!played.ok) throw new Error(played.fault.message);
  return played.value;
};

/** The moves that come out of a simulated board, its link, its session and the reconstruction, in UCI, and their states. */
function record(definition: BoardDefinition, played: PlayedGame, rotated: boolean): string[] {
  // That a board which knows its pieces lies the other way round is found out; of an occupancy board it is said.
  const isSaid = rotated && definition.profile.sensing === 'occupancy';
  const reconstructor = new MachineDriver(
    createReconstructor({ profile: definition.profile, ...(isSaid && { rotated }) }),
  );
  const events: GameEvent[] = [];
  const endMs = BEFORE_MS + (played.actions.at(-1)?.atMs ?? 0) + AFTER_MS;
  runMarbles(({ clock, flush }) => {
    const { transport, device } = createMemoryPair('board', clock);
    const hands = { actions: played.actions, start$: clock.timer$(BEFORE_MS) };
    serveBoard(device, definition, { rotated }, hands, clock)
      .pipe(takeUntil(clock.timer$(endMs)))
      .subscribe();
    connectBoard(definition, transport, { clock })
      .pipe(takeUntil(clock.timer$(endMs)))
      .subscribe((update) => {
        if (update.type === 'sensor') reconstructor.feed(update.event, events);
      });
    flush();
  });
  reconstructor.advance(endMs, events);
  const plies: string[] = [];
  for (const event of events) {
    if (event.type === 'gameStarted') plies.length = 0;
    if (event.type === 'withdrawn') plies.length = event.number - 1;
    if (event.type === 'ply') plies[event.number - 1] = event.ply.uci;
  }
  return plies;
}

describe.skipIf(!hasFieldGames())('real games on a simulated board of every kind', () => {
  const real = games();
  it('are ten', () => expect(real.length).toBe(GAMES));
  describe.each(BOARDS.map((board) => [board.id, board] as const))('%s', (_, board) => {
    it.each(real.map((game, index) => [index, game] as const))(
      'game %i comes out of link, session and reconstruction as it was played',
      (index, game) => {
        const played = playSteadily(game, index + 1, board.profile.sensing);
        // One in three lies the other way round, where the board can know it.
        const rotated = index % 3 === 2 && board.profile.sensing !== 'moves';
        expect(record(board, played, rotated)).toEqual(played.plies.map((ply) => ply.uci));
      },
    );
  });
});
