/** The tables of one run of the machine, each a case of its own. */
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openStoreReader, type StoredGame } from '../../recorder/store/store.ts';
import { type MachineRun, runInMachine } from './machine.ts';
import { BUSY_MS, type Played } from './played.ts';

/** What a table needs at most once its turn has come, and what follows the last, ms: `CASE_MS` and twice `END_MS` of inside.ts. */
const TABLE_MS = 180_000;
const END_MS = 40_000;
/** The machine must be up after this time, ms. */
const UP_MS = 60_000;

/** A table: what the case is called, its name inside the machine, and what the recorder calls its board. */
export type Table = readonly [title: string, name: string, board: string];

export interface RunOptions {
  /** The Bluetooth service runs, and the recorder has no rights. */
  readonly bluez?: boolean;
  /** So many tables are played one after the other. */
  readonly turns: number;
}

/**
 * Runs the machine with all tables and makes a case of each; skipped, it says why. A machine that takes too long is switched
 * off. `JADOUBE_HIL_TABLES` names those to be played.
 */
export function describeTables(title: string, all: readonly Table[], { bluez, turns }: RunOptions): void {
  const limitMs = UP_MS + turns * TABLE_MS + END_MS;
  const wanted = process.env.JADOUBE_HIL_TABLES?.split(',');
  const tables = all.filter(([, name]) => wanted?.includes(name) ?? true);
  const isOptional = bluez === true && process.env.JADOUBE_HIL_BLUEZ !== '1';
  if (isOptional) process.stdout.write(`${title}: not run, JADOUBE_HIL_BLUEZ=1 runs it (README)\n`);
  if (isOptional || tables.length === 0) return void describe.skip(title, () => it.todo('is not wanted'));
  const hardware = inject('hardware');
  const out = mkdtempSync(join(tmpdir(), 'jadoube-hil-out-'));
  const file = (name: string): string => join(out, name);
  let run: MachineRun | undefined;
  let lateMachine: string | undefined;
  let played: Readonly<Record<string, Played>> = {};
  let games: readonly StoredGame[] = [];

  describe(title, () => {
    beforeAll(async () => {
      if (typeof hardware === 'string') return;
      copyFileSync(hardware.app, file('app.tar'));
      const command = `mkdir /app && tar -xf /hil-out/app.tar -C /app && node /app/inside.mjs ${bluez ? '--bluez ' : ''}${tables.map(([, name]) => name).join(' ')}`;
      const fromMs = Date.now();
      run = await runInMachine(command, { ...hardware, cwd: '/', out, limitMs });
      const beganMs = existsSync(file('began')) ? statSync(file('began')).mtimeMs - fromMs : Infinity;
      if (run.isCutOff && beganMs > UP_MS)
        lateMachine = `the machine was not up after ${UP_MS / 1000} s: this host has no time for it`;
      const keep = process.env.JADOUBE_HIL_KEEP;
      if (keep !== undefined)
        cpSync(out, join(keep, bluez ? 'bluez' : 'hci'), {
          recursive: true,
          filter: (path) => !path.endsWith('.tar'),
        });
      if (existsSync(file('played.json'))) played = JSON.parse(readFileSync(file('played.json'), 'utf8'));
      if (existsSync(file('games.sqlite'))) {
        const reader = openStoreReader(file('games.sqlite'));
        games = reader.games();
        reader.close();
      }
      const screen = run.screen.replace(/[^\n\x20-\x7e]/g, '').trim();
      process.stdout.write(`hardware in the loop: run\n${screen}\n`);
    }, limitMs + 30_000);

    afterAll(() => rmSync(out, { recursive: true, force: true }));

    /** What became of a table; undefined, with the reason printed, when its devices are not to be had. */
    const missing = (name: string): string | undefined => {
      if (typeof hardware === 'string') return hardware;
      const reason = played[name] === undefined ? lateMachine : played[name].unavailable;
      if (reason !== undefined) process.stdout.write(`hardware in the loop: ${name} skipped: ${reason}\n`);
      return reason;
    };

    it.for(tables)('records the whole game on %s', ([, name, board], { skip }) => {
      const reason = missing(name);
      if (reason !== undefined) return skip(reason);
      const truth = played[name];
      expect(truth, 'the machine ended before the table did').toBeDefined();
      expect(truth?.failed).toBeUndefined();
      const mine = games.filter((game) => game.board === board && game.record.plies.length > 0);
      const recorded = mine.map(({ record }) => ({
        sans: record.plies.map(({ san }) => san),
        result: record.result,
      }));
      const expected = [{ sans: truth?.sans, result: truth?.result }];
      const { lateMs = 0 } = truth ?? {};
      if (lateMs > BUSY_MS && !isDeepStrictEqual(recorded, expected))
        return skip(`its game is another, on a machine whose timers are ${lateMs} ms late (99th percentile)`);
      expect(recorded).toEqual(expected);
    });

    it('ends cleanly when it is told to', ({ skip }) => {
      const reasons = tables.map(([, name]) => missing(name));
      const [reason] = reasons;
      if (reason !== undefined && reasons.every((one) => one !== undefined)) return skip(reason);
      if (lateMachine !== undefined) return skip(lateMachine);
      const lateMs = Math.max(...Object.values(played).map((one) => one.lateMs ?? 0));
      if (lateMs > BUSY_MS && run?.status !== 0)
        return skip(`it had no time: timers were ${lateMs} ms late (99th percentile)`);
      expect(run?.status).toBe(0);
      expect(readFileSync(file('recorder-status'), 'utf8')).toBe('0');
    });
  });
}
