import {
  filter,
  firstValueFrom,
  map,
  merge,
  ReplaySubject,
  Subject,
  type Subscription,
  scan,
  tap,
} from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import type { SimulatorEvent } from '../../boards/definition.ts';
import { dgtBus } from '../../boards/dgt/definition.ts';
import { createSystemClock } from '../../driver/clock.ts';
import { createFleet } from '../../driver/fleet.ts';
import type { BoardMessage, FleetStatus } from '../../driver/roster.ts';
import { runMachine } from '../../driver/run-machine.ts';
import { createMemoryPair } from '../../driver/transports/memory.ts';

const SPEED = 8;
const SERIALS = ['01025', '01026', '01027'];

describe('a line of boards in the fleet', () => {
  const open: Subscription[] = [];
  afterEach(() => {
    for (const subscription of open.splice(0)) subscription.unsubscribe();
  });

  function setUp() {
    const clock = createSystemClock({ speed: SPEED });
    const { transport, device } = createMemoryPair('line', clock);
    const hand = new Subject<SimulatorEvent>();
    const heard$ = device.bytes$.pipe(
      map((bytes): SimulatorEvent => ({ type: 'bytes', atMs: clock.monotonicMs(), bytes })),
    );
    const boards = SERIALS.map((serialNumber) => ({ serialNumber }));
    open.push(
      merge(heard$, hand)
        .pipe(
          runMachine(() => dgtBus.line!.createSimulator(boards), clock),
          tap(({ bytes }) => device.write(bytes)),
        )
        .subscribe(),
    );
    const fleet = createFleet({
      definitions: [dgtBus],
      clock,
      named: [{ kind: 'dgt-bus', link: transport.address }],
      search: 'none',
      list: async () => [],
      transportFor: () => transport,
    });
    const messages$ = new ReplaySubject<BoardMessage>();
    const status$ = new ReplaySubject<FleetStatus>();
    open.push(fleet.updates$.subscribe(messages$), fleet.status$.subscribe(status$));
    const states = (wanted: string): Promise<FleetStatus> =>
      firstValueFrom(
        status$.pipe(
          filter(
            ({ boards }) =>
              [...boards]
                .sort((a, b) => a.board.localeCompare(b.board))
                .map((b) => b.state)
                .join(' ') === wanted,
          ),
        ),
      );
    const linksOf = (board: string, wanted: string): Promise<string> =>
      firstValueFrom(
        messages$.pipe(
          filter((message) => message.board === board && message.update.type === 'link'),
          scan((text, { update }) => `${text} ${update.type === 'link' ? update.link : ''}`, ''),
          filter((text) => text.startsWith(wanted)),
        ),
      );
    return { clock, device, hand, fleet, states, linksOf, messages$ };
  }

  it('makes a board of each, with its own name, place and stream', async () => {
    const { states } = setUp();
    const { boards, ports } = await states('up up up');
    expect(boards.map(({ board }) => board).sort()).toEqual(SERIALS.map((serial) => `dgt-bus-${serial}`));
    expect(boards.map(({ station }) => station).sort()).toEqual(['1025', '1026', '1027']);
    expect(ports).toHaveLength(1);
  });

  it('lets one board be lost and come back while the others go on', async () => {
    const { clock, hand, states, linksOf } = setUp();
    await states('up up up');
    const power = (on: boolean) =>
      hand.next({ type: 'power', atMs: clock.monotonicMs(), on, station: '1026' });
    power(false);
    await states('up lost up');
    power(true);
    await states('up up up');
    expect(await linksOf('dgt-bus-01026', ' up lost up')).toBeDefined();
    expect(await linksOf('dgt-bus-01025', ' up')).toBeDefined();
  });

  it('loses all of them with the cable, and has the same boards when it is back', async () => {
    const { device, states, linksOf } = setUp();
    await states('up up up');
    device.unplug();
    await states('lost lost lost');
    device.plug();
    const { boards } = await states('up up up');
    expect(boards).toHaveLength(3);
    for (const serial of SERIALS) await linksOf(`dgt-bus-${serial}`, ' up lost up');
  });

  it('says of a command that no board of a line can obey it, and of a board that is away that it is', async () => {
    const { fleet, states } = setUp();
    await states('up up up');
    const tell = (board: string) =>
      firstValueFrom(fleet.command$(board, { type: 'clockText', text: 'hello' }));
    expect((await tell('dgt-bus-01026'))?.code).toBe('COMMAND_UNSUPPORTED');
    expect((await tell('dgt-bus-09999'))?.code).toBe('COMMAND_AWAY');
  });
});
