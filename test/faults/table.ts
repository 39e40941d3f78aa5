/** Tables at which simulated people play on simulated boards behind TCP ports, in real time. */
import { connect, createServer, type Socket } from 'node:net';
import { dgt } from '../../boards/dgt/definition.ts';
import { playPeople } from '../../boards/hand/people.ts';
import { makeLinkAddress } from '../../driver/address.ts';
import { createSystemClock } from '../../driver/clock.ts';
import { createLoopbackDevice } from '../../driver/loopback-device.ts';
import type { DeviceEnd } from '../../driver/transport.ts';
import { FAMOUS_GAMES } from '../../recorder/demo/games.ts';
import { createSimulatedBoard } from '../kit/simulated-board.ts';
import { lasting } from './wait.ts';

export interface Table {
  /** Key of the board in the store. */
  readonly board: string;
  /** What `places` names. */
  readonly place: string;
  /** SAN of what is played. */
  readonly moves: readonly string[];
  readonly result: string;
  readonly device: DeviceEnd;
  /** How much of the game the hands have done: 0 to 1. */
  readonly done: () => number;
  /** Plays the whole game; resolves when the hands have done everything. */
  play(): Promise<void>;
  /** The hands rest wherever they are, also with a piece in the air, until `resume`. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

const SERIAL = 30_100;
/** Games that end on the board, by mate: nothing has to be signalled. */
export const SHORT = 'Réti’s Double Check';
export const LONG = 'Opera Game';

const open = new Set<Table>();

/** Switches off what a test has left. */
export async function closeTables(): Promise<void> {
  for (const table of [...open]) await table.close();
}

/**
 * Seats two players with a famous game at a new board; `host` is where the program finds it, or `end` the end of the cable
 * that is in it.
 */
export async function seatTable(
  number: number,
  name: string,
  host?: string,
  end?: DeviceEnd,
  maxThinkMs = 400,
): Promise<Table> {
  const clock = createSystemClock();
  const serialNumber = String(SERIAL + number);
  const game = FAMOUS_GAMES.find((famous) => famous.name === name)!;
  const played = playPeople(
    { moves: game.moves.split(' '), result: game.result },
    {
      seed: number,
      profile: 'blitz',
      noise: 'none',
      clock: true,
      maxThinkMs,
      afterGame: 'nothing',
      mishaps: { illegal: 0 },
    },
  );
  if (!played.ok) throw new Error(played.fault.message);
  const board = createSimulatedBoard(dgt, { serialNumber }, clock);
  const device = end ?? (await createLoopbackDevice(host));
  board.attach(device);
  let done = 0;
  let isClosed = false;
  let goOn = Promise.resolve();
  let resume = (): void => {};
  const actions = played.value.actions.filter((action) => action.type !== 'press');
  const table: Table = {
    board: `dgt-${serialNumber}`,
    place: `dgt=${makeLinkAddress(device.address)}`,
    moves: played.value.plies.map(({ san }) => san),
    result: played.value.result,
    device,
    done: () => done / actions.length,
    async play() {
      let lastMs = 0;
      for (const event of actions) {
        await lasting(clock, event.atMs - lastMs);
        lastMs = event.atMs;
        await goOn;
        if (isClosed) return;
        if (event.type === 'square') board.square(event.square, event.cell);
        if (event.type === 'clock') board.clock(event.whiteMs, event.blackMs, event.running);
        done++;
      }
    },
    pause() {
      goOn = new Promise((resolve) => {
        resume = resolve;
      });
    },
    resume: () => resume(),
    close: async () => {
      open.delete(table);
      isClosed = true;
      resume();
      board.switchOff();
      await device.close();
    },
  };
  open.add(table);
  return table;
}

/** A cable between the program and a board, which can be cut and is whole again at once. */
export interface Cable {
  readonly place: string;
  /** Cuts it where it is in use; gives whether it was. */
  cut(): boolean;
  close(): Promise<void>;
}

/** Lays a cable to a board. */
export async function layCable({ device }: Pick<Table, 'device'>): Promise<Cable> {
  const { address } = device;
  if (address.type !== 'tcp') throw new TypeError('the board is behind a TCP port');
  const ends = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(address.port, address.host);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(from);
      from.on('error', () => {});
      from.on('close', () => {
        ends.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const at = server.address() as { port: number };
  const cut = (): boolean => {
    const was = ends.size > 0;
    for (const end of ends) end.destroy();
    return was;
  };
  return {
    place: `dgt=${makeLinkAddress({ type: 'tcp', host: '127.0.0.1', port: at.port })}`,
    cut,
    close: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
