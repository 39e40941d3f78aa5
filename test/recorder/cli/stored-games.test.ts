import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Subject } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chessnut } from '../../../boards/chessnut/definition.ts';
import type { ChessnutSimulatorOptions } from '../../../boards/chessnut/simulator.ts';
import type { SimulatorEvent } from '../../../boards/definition.ts';
import { makeLinkAddress } from '../../../driver/address.ts';
import { createSystemClock } from '../../../driver/clock.ts';
import { createLoopbackDevice } from '../../../driver/loopback-device.ts';
import { runBoard } from '../../../recorder/demo/simulated-board.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runCommand } from './test-io.ts';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';
const E4 = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR';
const E5 = 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR';

/** A board with these stored games behind a TCP port of this machine. */
async function serve(storedGames: readonly (readonly string[])[]): Promise<string> {
  const clock = createSystemClock();
  const device = await createLoopbackDevice();
  const hand = new Subject<SimulatorEvent>();
  const cable = new Subject<typeof device>();
  const options: ChessnutSimulatorOptions = { storedGames };
  const running = runBoard(chessnut, options, hand, cable, clock).subscribe();
  cable.next(device);
  onTestFinished(async () => {
    running.unsubscribe();
    await device.close();
  });
  return `chessnut=${makeLinkAddress(device.address)}`;
}

describe('stored-games', () => {
  it('writes each game to a file that replay reads, and deletes only then', async () => {
    const out = temporaryFolder();
    const board = await serve([
      [START, E4],
      [START, E4, E5],
    ]);
    const first = await runCommand('stored-games', '--board', board, '--out', out);
    expect(first).toMatchObject({ status: 0, err: '' });
    expect(readdirSync(out)).toHaveLength(1);
    const all = await runCommand('stored-games', '--board', board, '--out', out, '--delete');
    expect(all).toMatchObject({ status: 0, err: '' });
    const files = readdirSync(out).sort();
    expect(files).toHaveLength(3);
    const replayed = await runCommand('replay', '--board', 'chessnut', join(out, files[0]!));
    expect(replayed.out).toContain('1. e4 e5');
    // The board has none left.
    expect((await runCommand('stored-games', '--board', board, '--out', out, '--delete')).out).toContain(
      ' 0 ',
    );
    expect(readdirSync(out)).toHaveLength(3);
  });

  it('says which boards it can ask', async () => {
    const { status, err } = await runCommand('stored-games', '--board', 'dgt=tcp://127.0.0.1:1');
    expect(status).not.toBe(0);
    expect(err).toContain('ARGUMENT_INVALID');
  });
});
