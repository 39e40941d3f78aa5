/**
 * Real games on every kind of board: hands, simulator, link, session and reconstruction, in virtual time. What is
 * recorded must be what was played.
 */
import { concat, ignoreElements, map, merge, of, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { BoardDefinition } from '../../boards/definition.ts';
import { playPeople } from '../../boards/hand/people.ts';
import type { Habits } from '../../boards/hand/profiles.ts';
import { BOARDS } from '../../boards/registry.ts';
import type { GameEvent } from '../../core/game-event.ts';
import { makeRecords } from '../../core/game-record.ts';
import { MachineDriver } from '../../core/machine.ts';
import { makePlacement } from '../../core/placement.ts';
import { createReconstructor } from '../../core/reconstructor.ts';
import { connectBoard } from '../../driver/connect.ts';
import { createMemoryPair } from '../../driver/transports/memory.ts';
import { FAMOUS_GAMES } from '../../recorder/demo/games.ts';
import { playActions$, runBoard } from '../../recorder/demo/simulated-board.ts';
import { runMarbles } from '../kit/marbles.ts';

/** From the opening of the link to the first hand. */
const READY_MS = 15_000;
/** From the last hand to the end of the recording. */
const CONCLUDE_MS = 60_000;

/**
 * One game with mate, one of which the board lies turned and that ends with kings in the centre, and one with a promotion or a king
 * hunt by turns. Ten games from tournaments on every kind of board: `test/field/boards.test.ts`.
 */
const indicesFor = (kind: number): readonly number[] => [0, 2, 3 + (kind % (FAMOUS_GAMES.length - 3))];

/**
 * Of a capture an occupancy board must see that the victim was lifted: where it looks more seldom than hands exchange two
 * pieces, the hands take their time. That a quicker exchange is lost on such a board is no fault of its code.
 */
const capturesFor = ({ profile }: BoardDefinition): Partial<Habits> =>
  profile.sensing === 'occupancy' && profile.scanMs > 150
    ? {
        swapMs: [2 * profile.scanMs, 4 * profile.scanMs],
        capture: { victimFirst: 1, swap: 1, bothInAir: 0, beside: 0 },
      }
    : {};

for (const [kind, definition] of BOARDS.entries()) {
  describe(`a game on a board of the kind ${definition.id}`, () => {
    it.each(indicesFor(kind).map((index) => [FAMOUS_GAMES[index]!.name, index] as const))(
      '%s is recorded as it was played',
      (_, index) => {
        const game = FAMOUS_GAMES[index]!;
        const played = playPeople(
          { moves: game.moves.split(' '), result: game.result },
          {
            seed: 100 + index,
            profile: 'classical',
            noise: 'none',
            clock: definition.capabilities.clock,
            maxThinkMs: 8000,
            afterGame: 'nothing',
            habits: { gesture: 1, ...capturesFor(definition) },
            mishaps: { illegal: 0 },
          },
        );
        if (!played.ok) throw new Error(played.fault.message);
        const { actions, placement, plies, result } = played.value;
        const reconstruction = new MachineDriver(createReconstructor({ profile: definition.profile }));
        const events: GameEvent[] = [];
        runMarbles(({ clock, flush }) => {
          const { transport, device } = createMemoryPair('games', clock);
          // Both halves of the start position look alike to a board that knows no pieces: it must lie right.
          const rotated = index % 4 === 2 && definition.profile.sensing === 'identity';
          const options = { serialNumber: '04711', placement: makePlacement(placement), rotated };
          const hands$ = concat(timer(READY_MS).pipe(ignoreElements()), playActions$(actions, clock));
          // Switched on first, or it would not hear what it is asked.
          const board$ = runBoard(definition, options, hands$, of(device), clock);
          const updates$ = connectBoard(definition, transport, { clock });
          const stop$ = timer(READY_MS + played.value.endAtMs + CONCLUDE_MS).pipe(map(() => 'stop' as const));
          const running = merge(board$, updates$, stop$).subscribe((update) => {
            if (update === 'stop') {
              reconstruction.advance(clock.monotonicMs(), events);
              running.unsubscribe();
            } else if (update.type === 'sensor') reconstruction.feed(update.event, events);
          });
          flush();
        });
        const record = makeRecords(events).findLast((one) => one.plies.length > 0);
        expect(record?.plies.map(({ san }) => san)).toEqual(plies.map(({ san }) => san));
        // A computer that tells moves tells nothing of kings in the centre; mate it tells.
        if (definition.profile.sensing !== 'moves') expect(record?.result).toBe(result);
      },
    );
  });
}
