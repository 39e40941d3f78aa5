/**
 * Runs in the virtual machine, as `inside [--bluez] TABLE...`: boards on real devices of its kernel, played by hands, while the shipped
 * `jadoube record` finds them by itself and records, all in one database. Each is unplugged twice in the middle of its
 * game; a ply is played meanwhile. What was played goes to /hil-out/played.json after each table, the database next to it.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Subject } from 'rxjs';
import type { BoardDefinition, SimulatorEvent, SimulatorOptions } from '../../boards/definition.ts';
import type { HandAction } from '../../boards/hand/action.ts';
import { playPeople } from '../../boards/hand/people.ts';
import { findBoard } from '../../boards/registry.ts';
import { makePlacement } from '../../core/placement.ts';
import { createSystemClock } from '../../driver/clock.ts';
import type { DeviceEnd } from '../../driver/transport.ts';
import { FAMOUS_GAMES } from '../../recorder/demo/games.ts';
import { runBoard } from '../../recorder/demo/simulated-board.ts';
import { openStoreReader } from '../../recorder/store/store.ts';
import type { Cable } from './devices/cable.ts';
import { createHidCable, createSerialCable } from './devices/gadget.ts';
import { createAirCable } from './devices/peripheral.ts';
import { createRfcommCable } from './devices/rfcomm.ts';
import { until } from './devices/until.ts';
import { BUSY_MS, type Played } from './played.ts';

const OUT = '/hil-out';
const BLUETOOTHD = [
  '/usr/libexec/bluetooth/bluetoothd',
  '/usr/lib/bluetooth/bluetoothd',
  '/usr/sbin/bluetoothd',
];
const DB = '/tmp/hil.sqlite';
const LOG = '/tmp/hil.log';
/** Where the radio of the recorder is; the boards have the ones before it. */
const RECORDER_HCI = 2;
/** The Bluetooth service is there, has the recorder's radio, and the recorder runs without rights. */
const isBluez = process.argv.includes('--bluez');
const NOBODY = 65_534;
/** From the finding of a board to the next hand: people look at the screen. */
const SETTLE_MS = 1_000;
/** A table that has not come to its end after this time does not, ms. */
const CASE_MS = 180_000;
const END_MS = 20_000;
/** The first board is found after a minute; a host that needs so long has no time for the rest either, ms. */
const SLOW_MS = 100_000;

const clock = createSystemClock();
let firstFoundMs: number | undefined;
const lateness = monitorEventLoopDelay({ resolution: 20 });
lateness.enable();
const log = (text: string): void => console.log(`${(performance.now() / 1000).toFixed(1)} ${text}`);
const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function boardOf(id: string): BoardDefinition {
  const found = findBoard(id);
  if (!found.ok) throw new Error(found.fault.message);
  return found.value;
}

interface Table {
  readonly name: string;
  /** What the recorder calls it. */
  readonly board: string;
  readonly definition: BoardDefinition;
  readonly options: SimulatorOptions & Readonly<Record<string, unknown>>;
  readonly cable: Cable;
  /** Name of one of the famous games. */
  readonly game: string;
  readonly seed: number;
}

/** Plays a whole game at one board; returns what a recorder must have made of it. */
async function play(table: Table): Promise<Played> {
  const { name, definition, cable } = table;
  const game = FAMOUS_GAMES.find((one) => one.name === table.game)!;
  const people = playPeople(
    { moves: game.moves.split(' '), result: game.result },
    {
      seed: table.seed,
      profile: 'rapid',
      noise: 'none',
      clock: definition.capabilities.clock,
      maxThinkMs: 900,
      afterGame: 'nothing',
      habits: { gesture: 1 },
      mishaps: { illegal: 0 },
    },
  );
  if (!people.ok) throw new Error(people.fault.message);
  const { actions, placement, plies, result } = people.value;
  const hand = new Subject<SimulatorEvent>();
  const cables = new Subject<DeviceEnd | undefined>();
  runBoard(
    definition,
    { ...table.options, placement: makePlacement(placement) },
    hand,
    cables,
    clock,
  ).subscribe();
  hand.next({ type: 'bytes', atMs: clock.monotonicMs(), bytes: new Uint8Array(0) });

  const linkIs = (wanted: boolean, what: string): Promise<void> =>
    until(() => isUp(table.board) === wanted, what, CASE_MS * 2);
  const plug = async (): Promise<void> => {
    cables.next(await cable.plug());
    await linkIs(true, `the recorder's finding ${name}`);
    log(`${name}: found`);
    firstFoundMs ??= Math.round(performance.now());
    await rest(SETTLE_MS);
  };
  let lastMs = 0;
  const perform = async (some: readonly HandAction[]): Promise<void> => {
    for (const action of some) {
      await rest(Math.max(0, action.atMs - lastMs));
      lastMs = action.atMs;
      if (action.type !== 'press') hand.next({ ...action, atMs: clock.monotonicMs() });
    }
  };
  const doneBy = (ply: number): number => plies[ply]?.pressedAtMs ?? plies[ply]?.releasedAtMs ?? Infinity;
  const between = (fromPly: number, toPly: number): HandAction[] =>
    actions.filter(({ atMs }) => atMs > (fromPly < 0 ? -1 : doneBy(fromPly)) && atMs <= doneBy(toPly));

  await plug();
  const cuts = [Math.floor(plies.length / 3), Math.floor((2 * plies.length) / 3)];
  let done = -1;
  for (const cut of cuts) {
    await perform(between(done, cut));
    await cable.unplug();
    cables.next(undefined);
    log(`${name}: unplugged after ply ${cut + 1}`);
    await perform(between(cut, cut + 1));
    await linkIs(false, `the recorder's missing ${name}`);
    await plug();
    done = cut + 1;
  }
  await perform(between(done, plies.length + 1));
  await until(() => hasEnded(table.board), `the end of the game of ${name} in the database`, END_MS).catch(
    // What is there is compared all the same.
    (error) => log(String(error)),
  );
  log(`${name}: played, timers up to ${lateMs()} ms late`);
  return { sans: plies.map(({ san }) => san), result, lateMs: lateMs() };
}

/** Whether the recorder has said last that it has a board. */
function isUp(board: string): boolean {
  const lines = readFileSync(`${OUT}/record.log`, 'utf8').split('\n');
  const last = lines.findLast(
    (line) => line.startsWith(`{"board":"${board}"`) && line.includes('"type":"link"'),
  );
  return last?.includes('"link":"up"') === true;
}

function startRecorder(): ChildProcess {
  const screen = openSync(`${OUT}/record.log`, 'w');
  const { HCI_CHANNEL_USER: _, ...env } = process.env;
  return spawn(
    process.execPath,
    ['/app/recorder/cli/jadoube.js', 'record', '--db', DB, '--pgn', '/tmp/hil-pgn', '--log', LOG],
    {
      stdio: ['ignore', screen, screen],
      env: { ...env, NOBLE_HCI_DEVICE_ID: String(RECORDER_HCI) },
      ...(isBluez && { uid: NOBODY, gid: NOBODY }),
    },
  );
}

const lateMs = (): number => Math.round(lateness.percentile(99) / 1e6);
const kernelLog = (): string => execFileSync('dmesg', { maxBuffer: 1 << 24 }).toString();

/** Whether the database has the end of a game of this board; not while there is no database. */
function hasEnded(board: string): boolean {
  try {
    const reader = openStoreReader(DB);
    const games = reader.games();
    reader.close();
    return games.some((game) => game.board === board && game.record.result !== '*');
  } catch {
    return false;
  }
}

/** Controllers: two boards and the recorder on Low Energy, a board and the recorder on classic Bluetooth. */
const RADIOS = { lowEnergy: [0, 1, RECORDER_HCI], classic: [3, 4] } as const;

function isHci(hci: number, wanted: 'up' | 'down'): boolean {
  try {
    execFileSync('hciconfig', [`hci${hci}`, wanted], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function startRadios(): Promise<void> {
  // Boards take their controllers for themselves: this kernel would hang up what none of its own programs uses.
  process.env.HCI_CHANNEL_USER = '1';
  mkdirSync('/run/dbus', { recursive: true });
  await startControllers('-L', RADIOS.lowEnergy.length, [RECORDER_HCI]);
  // Only those that are down can be taken.
  for (const hci of RADIOS.lowEnergy.filter((one) => one !== RECORDER_HCI))
    await until(() => isHci(hci, 'down'), `hci${hci}`, 30_000);
  if (isBluez) return startBluez();
  // A system bus, but nobody who speaks for Bluetooth on it: the recorder must find its other way to the radio by itself.
  if (!existsSync('/run/dbus/system_bus_socket')) writeFileSync('/run/dbus/system_bus_socket', '');
  // After the others: the kernel numbers them as they come.
  await startControllers('-B', RADIOS.classic.length, RADIOS.classic);
}

async function startControllers(kind: '-L' | '-B', count: number, used: readonly number[]): Promise<void> {
  spawn('btvirt', [kind, `-l${count}`], { stdio: 'ignore' }).on('error', () => {
    // Then no controller comes up, and that is said.
  });
  for (const hci of used) await until(() => isHci(hci, 'up'), `hci${hci}`, 30_000);
}

async function startBluez(): Promise<void> {
  writeFileSync('/etc/machine-id', `${'0123456789abcdef'.repeat(2)}\n`);
  // The service leaves the boards' controllers alone, which can be taken only while they are down.
  mkdirSync('/etc/bluetooth', { recursive: true });
  writeFileSync('/etc/bluetooth/main.conf', '[Policy]\nAutoEnable=false\n');
  execFileSync('dbus-daemon', ['--system', '--fork']);
  spawn(BLUETOOTHD.find(existsSync) ?? 'bluetoothd', ['-n'], { stdio: 'ignore' }).on('error', () => {
    // Likewise.
  });
  const isThere = (): boolean =>
    /boolean true/.test(
      spawnSync('dbus-send', [
        ...['--system', '--print-reply', '--dest=org.bluez', `/org/bluez/hci${RECORDER_HCI}`],
        ...['org.freedesktop.DBus.Properties.Get', 'string:org.bluez.Adapter1', 'string:Powered'],
      ]).stdout?.toString() ?? '',
    );
  await until(isThere, 'the Bluetooth service', 30_000);
}

/** A table but for its cable, which may not be to be had. */
type Plan = Omit<Table, 'cable'> & {
  readonly makeCable: () => Cable | Promise<Cable>;
  readonly radio?: true;
};

/**
 * Tables that are played at the same time, each list one after the other: of several connections of one emulated Low
 * Energy controller only the first works, so those boards take turns.
 */
function plans(): readonly (readonly Plan[])[] {
  const [dgt, chessnut, pegasus] = [boardOf('dgt'), boardOf('chessnut'), boardOf('dgt-pegasus')];
  return [
    [
      {
        name: 'chessnut-hid',
        board: 'chessnut-usb-HID17',
        definition: chessnut,
        options: { wire: 'hid' },
        makeCable: () =>
          createHidCable(
            {
              vendorId: '2d80',
              productId: '8100',
              product: 'Chessnut Pro',
              serialNumber: 'HID17',
              controller: 0,
            },
            [0x01, 0x0f, 0x23, 0x2a, 0x32, 0x37],
            [0x0a, 0x21, 0x29, 0x31, 0x33, 0x34, 0x39],
          ),
        game: 'King Hunt',
        seed: 1,
      },
    ],
    [
      {
        name: 'dgt-acm',
        board: 'dgt-04711',
        definition: dgt,
        options: { serialNumber: '04711' },
        makeCable: () =>
          createSerialCable({ vendorId: '045b', productId: '8111', product: 'DGT Board', controller: 1 }),
        game: 'Réti’s Double Check',
        seed: 2,
      },
    ],
    [
      {
        name: 'dgt-rfcomm',
        board: 'dgt-00042',
        definition: dgt,
        options: { serialNumber: '00042' },
        makeCable: () => createRfcommCable(...RADIOS.classic),
        radio: true,
        game: 'Opera Game',
        seed: 5,
      },
    ],
    [
      {
        name: 'chessnut-le',
        board: 'chessnut-00-aa-01-00-00-00',
        definition: chessnut,
        options: { wire: 'ble' },
        makeCable: () =>
          // Positions come by one characteristic, everything else by the second.
          createAirCable(RADIOS.lowEnergy[0], 'Chessnut Air', chessnut.bluetooth!.lowEnergy!, (message) =>
            message[0] === 0x01 ? 0 : 1,
          ),
        radio: true,
        game: 'Réti’s Double Check',
        seed: 3,
      },
      {
        name: 'pegasus-le',
        board: 'dgt-pegasus-00815',
        definition: pegasus,
        options: { serialNumber: '00815' },
        makeCable: () =>
          createAirCable(RADIOS.lowEnergy[1], 'DGT_PEGASUS_P000000815', pegasus.bluetooth!.lowEnergy!),
        radio: true,
        game: 'Opera Game',
        seed: 4,
      },
    ],
  ];
}

/**
 * Late because of the recorder, or because this machine gets no time of its own (an idle timer that is late tells), or because its
 * kernel has stopped at a fault of its own.
 */
function judgeLate(what: string): Played {
  const [bug] = /kernel BUG at .*|BUG: .*|Oops: .*/.exec(kernelLog()) ?? [];
  if (bug !== undefined) return { unavailable: `${what}, in a machine whose kernel has stopped: ${bug}` };
  if ((firstFoundMs ?? 0) > SLOW_MS)
    return {
      unavailable: `${what}, on a host so slow that the first board was found after ${firstFoundMs} ms`,
    };
  if (lateMs() < BUSY_MS) return { failed: what };
  return {
    unavailable: `${what}, on a machine so busy that its timers are ${lateMs()} ms late (99th percentile)`,
  };
}

/** Plays at a table if its devices are to be had, and takes its board away; says which of the three it came to. */
async function run({ makeCable, radio, ...plan }: Plan, radios: Promise<void>): Promise<Played> {
  let cable: Cable;
  try {
    if (radio) await radios;
    cable = await makeCable();
  } catch (error) {
    return { unavailable: String(error) };
  }
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<Played>((resolve) => {
    timer = setTimeout(() => resolve(judgeLate(`not at its end after ${CASE_MS / 1000} s`)), CASE_MS);
  });
  try {
    return await Promise.race([play({ ...plan, cable }), tooLong]);
  } catch (error) {
    return { failed: String(error) };
  } finally {
    clearTimeout(timer);
    // The next of its list needs the air for itself.
    await cable.unplug().catch(() => {});
  }
}

async function main(): Promise<void> {
  writeFileSync(`${OUT}/began`, '');
  const names = process.argv.slice(2).filter((name) => !name.startsWith('--'));
  const lists = plans().map((list) => list.filter(({ name }) => names.length === 0 || names.includes(name)));
  const radios = lists.flat().some(({ radio }) => radio) ? startRadios() : Promise.resolve();
  await radios.catch(() => {
    // Each table says it.
  });
  const recorder = startRecorder();
  const played: Record<string, Played> = {};
  await Promise.all(
    lists.map(async (list) => {
      for (const plan of list) {
        const outcome = await run(plan, radios);
        played[plan.name] = outcome;
        const fault = outcome.failed ?? outcome.unavailable;
        if (fault !== undefined) log(`${plan.name}: ${fault}`);
        writeFileSync(`${OUT}/played.json`, JSON.stringify(played));
      }
    }),
  );
  const exited = new Promise<number | null>((resolve) => recorder.once('exit', resolve));
  recorder.kill('SIGINT');
  setTimeout(() => recorder.kill('SIGKILL'), END_MS).unref();
  writeFileSync(`${OUT}/recorder-status`, String(await exited));
  if (existsSync(DB)) copyFileSync(DB, `${OUT}/games.sqlite`);
  if (existsSync(LOG)) copyFileSync(LOG, `${OUT}/hil.log`);
  writeFileSync(`${OUT}/kernel.log`, kernelLog());
  process.exit(0);
}

await main();
