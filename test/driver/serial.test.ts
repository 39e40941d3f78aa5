import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstValueFrom } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BoardError, isBoardError } from '../../core/board-error.ts';
import { createSystemClock } from '../../driver/clock.ts';
import { createPseudoTerminal, type PseudoTerminal } from '../../driver/pseudo-terminal.ts';
import { DEFAULT_SERIAL } from '../../driver/transport.ts';
import { accessFault, createSerialTransport, explainOpenFailure } from '../../driver/transports/serial.ts';

const clock = createSystemClock();
const NOBODY = 65534;

const openingOf = (path: string): Promise<unknown> =>
  firstValueFrom(createSerialTransport(path, DEFAULT_SERIAL, clock).open$()).then(
    (event) => event.type,
    (error: unknown) => error,
  );

async function terminalOr(skip: (why: string) => never): Promise<PseudoTerminal> {
  const terminal = await createPseudoTerminal();
  if (terminal === undefined) return skip('this system has no pseudo-terminals');
  onTestFinished(() => terminal.close());
  return terminal;
}

/** The name of a group, by the system's own tool where it has one. */
function groupName(gid: number): string {
  const [name] = execFileSync('sh', ['-c', `getent group ${gid} || echo ${gid}`], { encoding: 'utf8' }).split(
    ':',
  );
  return name!.trim();
}

/** Another program that opens a port through the same library and holds it until it is killed. */
async function holdElsewhere(path: string): Promise<ChildProcess> {
  const script = `const { SerialPort } = await import('serialport');
    const port = new SerialPort({ path: process.argv[1], baudRate: 9600 });
    port.on('data', () => {});
    port.on('open', () => console.log('held'));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout!, 'data');
  return child;
}

describe('a serial port', () => {
  it('that another program holds is LINK_BUSY, and free again when that program dies', async ({ skip }) => {
    const { path } = await terminalOr(skip);
    const holder = await holdElsewhere(path);
    const refused = await openingOf(path);
    expect(isBoardError(refused, 'LINK_BUSY') && refused.context).toEqual({ device: path });
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    expect(await openingOf(path)).toBe('opened');
  });

  it('that may not be opened is LINK_PERMISSION and names the device, its group and the cure', async ({
    skip,
  }) => {
    const { path } = await terminalOr(skip);
    await chmod(path, 0);
    const { gid } = await stat(path);
    const root = process.getuid?.() === 0;
    if (root) {
      // An administrator may open anything: become nobody for the moment. The library must be loaded before.
      await import('serialport');
      process.seteuid!(NOBODY);
      onTestFinished(() => process.seteuid!(0));
    }
    // What can be told without trying goes by the user who really runs this.
    const faults = [await openingOf(path), ...(root ? [] : [await accessFault(path)])];
    for (const fault of faults) {
      if (!isBoardError(fault, 'LINK_PERMISSION')) throw new Error(`not refused: ${fault}`);
      const { device, group } = fault.context;
      expect(device).toBe(path);
      expect(group).toBe(groupName(gid));
      expect(fault.cure).toContain(String(group));
    }
  });

  it('that is not there is LINK_GONE', async () => {
    expect(isBoardError(await openingOf('/dev/no-such-port'), 'LINK_GONE')).toBe(true);
  });

  it('that is a plain file is LINK_UNSUPPORTED', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'jadoube-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, 'port');
    await writeFile(path, '');
    expect(isBoardError(await openingOf(path), 'LINK_UNSUPPORTED')).toBe(true);
  });
});

describe('explainOpenFailure', () => {
  // What the library says on the systems these tests do not run on.
  it.each([
    ['Error Resource temporarily unavailable Cannot lock port', 'LINK_BUSY'],
    ['Error: Resource busy, cannot open /dev/tty', 'LINK_BUSY'],
    ['Opening COM3: Access denied', 'LINK_BUSY'],
    ['Error: Permission denied, cannot open /dev/tty', 'LINK_PERMISSION'],
    ['Opening COM3: File not found', 'LINK_GONE'],
    ['Opening COM3: Unknown error code 31', 'LINK_GONE'],
    ['Error: Inappropriate ioctl for device setting custom baud rate of 9600', 'LINK_UNSUPPORTED'],
  ])('takes "%s" for %s', async (text, code) => {
    expect((await explainOpenFailure('/dev/tty', new Error(text))).code).toBe(code);
  });

  it('keeps a coded error as it is', async () => {
    const error = new BoardError('LINK_UNSUPPORTED', { device: 'x' });
    expect(await explainOpenFailure('x', error)).toBe(error);
  });
});
