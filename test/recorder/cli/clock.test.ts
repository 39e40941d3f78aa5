import { EMPTY, firstValueFrom, of, share } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dgt } from '../../../boards/dgt/definition.ts';
import { createDgtSimulator, type SimulatedDgt } from '../../../boards/dgt/simulator.ts';
import type { DgtSimulatorOptions } from '../../../boards/dgt/simulator-options.ts';
import { makeLinkAddress } from '../../../driver/address.ts';
import { createSystemClock } from '../../../driver/clock.ts';
import { createTransport } from '../../../driver/create-transport.ts';
import { createLoopbackDevice } from '../../../driver/loopback-device.ts';
import { createPseudoTerminal } from '../../../driver/pseudo-terminal.ts';
import { runBoard } from '../../../recorder/demo/simulated-board.ts';
import { runCommand } from './test-io.ts';

/** A board behind a TCP port of this machine, and what a person sees on it. */
async function serve(options: DgtSimulatorOptions): Promise<{ place: string; board: SimulatedDgt }> {
  const clock = createSystemClock();
  const device = await createLoopbackDevice();
  const board = createDgtSimulator(options);
  const running = runBoard(
    { ...dgt, createSimulator: () => board },
    {},
    EMPTY,
    of(device),
    clock,
  ).subscribe();
  onTestFinished(async () => {
    running.unsubscribe();
    await device.close();
  });
  return { place: `dgt=${makeLinkAddress(device.address)}`, board };
}

describe('clock', () => {
  it('tells the version, shows a text and takes it away', async () => {
    const { place, board } = await serve({ preset: 'bluetooth-3000' });
    expect(await runCommand('clock', place, 'version')).toEqual({
      status: 0,
      out: 'DGT 3000 2.0\n',
      err: '',
    });
    expect(await runCommand('clock', place, 'show', 'Round', '1')).toMatchObject({ status: 0, err: '' });
    expect(board.clockDisplay).toEqual({ text: 'Round 1 ' });
    expect(await runCommand('clock', place, 'clear')).toMatchObject({ status: 0, err: '' });
    expect(board.clockDisplay).toBeUndefined();
  });

  it('says that the clock refused to be set', async () => {
    const { place } = await serve({ faults: { clockAnswer: 'refused' } });
    const { status, out, err } = await runCommand('clock', place, 'set', '1:30:00', '--run', 'left');
    expect({ status, out }).toEqual({ status: 1, out: '' });
    expect(err).toMatch(/^COMMAND_REFUSED/);
  });

  it('leaves a board alone that another holds', async ({ skip }) => {
    const terminal = await createPseudoTerminal();
    if (terminal === undefined) return skip();
    onTestFinished(() => terminal.close());
    const link = { type: 'serial', path: terminal.path } as const;
    const opened$ = createTransport(link, dgt, createSystemClock()).open$().pipe(share());
    const holder = opened$.subscribe();
    onTestFinished(() => holder.unsubscribe());
    await firstValueFrom(opened$);
    const { status, err } = await runCommand('clock', `dgt=serial:${terminal.path}`, 'version');
    expect(status).toBe(1);
    expect(err).toMatch(/^LINK_BUSY/);
  });

  it.each([
    ['set', '1:30'],
    ['set', '0:60:00'],
    ['set'],
    ['show'],
    ['version', 'now'],
    ['stop'],
    ['version', '--run', 'left'],
    ['set', '0:05:00', '--run', 'up'],
    ['set', '0:05:00', '--beep'],
  ])('refuses "%s %s" before a port is opened', async (...words) => {
    const { status, err } = await runCommand('clock', 'dgt=tcp://127.0.0.1:1', ...words);
    expect(status).toBe(2);
    expect(err).toMatch(/^ARGUMENT_INVALID/);
  });

  it('names a link it cannot read', async () => {
    const { status, err } = await runCommand('clock', 'dgt=usb:1', 'version');
    expect(status).toBe(2);
    expect(err).toMatch(/^LINK_ADDRESS/);
  });
});
