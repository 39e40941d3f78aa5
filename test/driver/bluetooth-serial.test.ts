import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filter, firstValueFrom } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BOARDS } from '../../boards/registry.ts';
import { createSystemClock } from '../../driver/clock.ts';
import { createFleet, type Fleet } from '../../driver/fleet.ts';
import { createPseudoTerminal, type PseudoTerminal } from '../../driver/pseudo-terminal.ts';
import type { FleetStatus } from '../../driver/roster.ts';
import { createSimulatedBoard } from '../kit/simulated-board.ts';

// Kinds of board are asked one after the other, each for some seconds: here a second has 100 ms.
const clock = createSystemClock({ speed: 10 });
const CLASSIC = BOARDS.filter(({ serial, bluetooth }) => serial !== undefined && bluetooth?.classic === true);

const when = (fleet: Fleet, is: (status: FleetStatus) => boolean): Promise<FleetStatus> =>
  firstValueFrom(fleet.status$.pipe(filter(is)));

/** A name such as /dev/rfcomm0, which stays while what is behind it comes and goes. */
async function createPort() {
  const folder = await mkdtemp(join(tmpdir(), 'jadoube-test-'));
  const path = join(folder, 'rfcomm0');
  let terminal: PseudoTerminal | undefined;
  onTestFinished(async () => {
    await terminal?.close();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    path,
    switchOn: async (): Promise<PseudoTerminal | undefined> => {
      terminal = await createPseudoTerminal();
      if (terminal === undefined) return undefined;
      await rm(path, { force: true });
      await symlink(terminal.path, path);
      return terminal;
    },
    switchOff: async (): Promise<void> => terminal?.close(),
  };
}

describe('a board with a serial port over Bluetooth', () => {
  it.each(CLASSIC.map((board) => [board.id, board] as const))(
    'of the kind %s is found without being named, and again after it was switched off',
    async (_, definition) => {
      const port = await createPort();
      const first = await port.switchOn();
      // Without pseudo-terminals there is nothing to be a serial port.
      if (first === undefined) return;
      const board = createSimulatedBoard(definition, { serialNumber: '00042' }, clock);
      board.attach(first);
      onTestFinished(() => board.switchOff());
      const fleet = createFleet({
        definitions: BOARDS,
        clock,
        list: async () => [{ path: port.path, bluetooth: true }],
      });
      const following = fleet.updates$.subscribe();
      onTestFinished(() => following.unsubscribe());
      const isUp = ({ boards }: FleetStatus): boolean => boards.some(({ state }) => state === 'up');
      const { boards } = await when(fleet, isUp);
      expect(boards.map((one) => one.definition.id)).toEqual([definition.id]);
      const known = boards[0]!.board;

      board.detach();
      await port.switchOff();
      await when(fleet, (status) => !isUp(status));
      board.attach((await port.switchOn())!);
      const back = await when(fleet, isUp);
      expect(back.boards.map((one) => one.board)).toEqual([known]);
    },
    60_000,
  );
});
