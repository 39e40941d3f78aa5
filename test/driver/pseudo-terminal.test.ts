import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { filter, firstValueFrom, lastValueFrom, map, toArray } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isBoardError } from '../../core/board-error.ts';
import { createSystemClock } from '../../driver/clock.ts';
import { createPseudoTerminal, KEEPERS, keepTerminal } from '../../driver/pseudo-terminal.ts';
import { DEFAULT_SERIAL } from '../../driver/transport.ts';
import { createSerialTransport } from '../../driver/transports/serial.ts';
import { allBytes, gathered } from './transport-contract.ts';

const clock = createSystemClock();

describe.each(KEEPERS)('a pseudo-terminal kept by $command', (keeper) => {
  it('carries all byte values both ways untouched, many and at once', async ({ skip }) => {
    const terminal = await keepTerminal(keeper);
    if (terminal === undefined) return skip('it is not on this system');
    onTestFinished(() => terminal.close());
    const transport = createSerialTransport(terminal.path, DEFAULT_SERIAL, clock);
    const sent = allBytes(200);
    const whole = filter((all: Uint8Array) => all.length >= sent.length);
    const atBoard = firstValueFrom(gathered(terminal.bytes$).pipe(whole));
    const atHost = firstValueFrom(
      gathered(
        transport.open$().pipe(
          map((event) => {
            if (event.type === 'bytes') return event.bytes;
            void event.write(sent);
            terminal.write(sent);
            return new Uint8Array(0);
          }),
        ),
      ).pipe(whole),
    );
    expect(await atHost).toEqual(sent);
    expect(await atBoard).toEqual(sent);
  });

  it('takes control characters for bytes before anybody has opened it', async ({ skip }) => {
    const terminal = await keepTerminal(keeper);
    if (terminal === undefined) return skip('it is not on this system');
    // An echo, an interrupt or an end of file would come back or end it.
    terminal.write(allBytes());
    const echoed = lastValueFrom(terminal.bytes$.pipe(toArray()));
    const transport = createSerialTransport(terminal.path, DEFAULT_SERIAL, clock);
    expect((await firstValueFrom(transport.open$())).type).toBe('opened');
    await terminal.close();
    expect(await echoed).toEqual([]);
  });
});

describe('createPseudoTerminal', () => {
  it('tries what there is', async () => {
    const terminals = await Promise.all(KEEPERS.map(keepTerminal));
    const first = await createPseudoTerminal();
    for (const terminal of [...terminals, first]) await terminal?.close();
    expect(first !== undefined).toBe(terminals.some((terminal) => terminal !== undefined));
  });

  it('has a name of its own each time, and none after its end', async ({ skip }) => {
    const [one, two] = await Promise.all([createPseudoTerminal(), createPseudoTerminal()]);
    if (one === undefined || two === undefined) return skip('this system has no pseudo-terminals');
    expect(one.path).not.toBe(two.path);
    await one.close();
    await two.close();
    const error = await firstValueFrom(createSerialTransport(one.path, DEFAULT_SERIAL, clock).open$()).catch(
      (e: unknown) => e,
    );
    expect(isBoardError(error, 'LINK_GONE')).toBe(true);
  });

  it('ends with the process that made it, however that ends', async ({ skip }) => {
    const script = `const { createPseudoTerminal } = await import('./driver/pseudo-terminal.ts');
      console.log((await createPseudoTerminal())?.path ?? 'none');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const path = line.toString().trim();
    if (path === 'none') return skip('this system has no pseudo-terminals');
    const transport = createSerialTransport(path, DEFAULT_SERIAL, clock);
    const end = lastValueFrom(
      transport.open$().pipe(
        map((event) => {
          if (event.type === 'opened') child.kill('SIGKILL');
        }),
      ),
    ).catch((error: unknown) => error);
    expect(isBoardError(await end, 'LINK_GONE')).toBe(true);
  });
});

describe('keepTerminal', () => {
  it.each([
    ['a program that does not exist', { command: 'jadoube-no-such-program', arguments: [] }],
    ['a program that says something else', { command: 'echo', arguments: ['hello'] }],
    ['a program that says nothing and ends', { command: 'true', arguments: [] }],
  ])('gives no terminal by %s', async (_, keeper) => {
    expect(await keepTerminal(keeper)).toBeUndefined();
  });
});
