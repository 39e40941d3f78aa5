import { once } from 'node:events';
import { firstValueFrom, lastValueFrom, map, ReplaySubject, tap } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LowEnergyLink } from '../../boards/definition.ts';
import { isBoardError } from '../../core/board-error.ts';
import { createSystemClock } from '../../driver/clock.ts';
import { createBleTransport } from '../../driver/transports/ble.ts';
import { Radio } from '../../driver/transports/ble-radio.ts';
import { type Deafness, FakeAirBoard, FakeRadioLibrary } from './fake-radio-library.ts';
import { GO, gathered, testTransport } from './transport-contract.ts';

const LINK: LowEnergyLink = {
  services: ['6e400001-b5a3-f393-e0a9-e50e24dcca9e'],
  notify: ['6e400003-b5a3-f393-e0a9-e50e24dcca9e'],
  write: '6e400002-b5a3-f393-e0a9-e50e24dcca9e',
  withResponse: false,
  greatestWrite: 20,
};
const clock = createSystemClock();

function onAir(board: FakeAirBoard) {
  const library = new FakeRadioLibrary([board]);
  const radio = new Radio(library.asLibrary());
  return {
    library,
    open: (link = LINK) => createBleTransport(board.address, link, clock, async () => radio),
  };
}

let boards = 0;
const newBoard = (mtu?: number): FakeAirBoard =>
  new FakeAirBoard(`c0:ff:ee:00:00:${(++boards).toString(16).padStart(2, '0')}`, 'Board', LINK, mtu);

testTransport(
  'Bluetooth Low Energy, over a stand-in for the library',
  (script) => {
    const board = newBoard();
    const { open } = onAir(board);
    const received = new ReplaySubject<Uint8Array>();
    let begun = false;
    const listening = gathered(board.bytes$).subscribe((all) => {
      received.next(all);
      if (all[0] !== GO[0]) return;
      if (!begun) for (const chunk of script.sends ?? []) board.say(chunk);
      begun = true;
      if (script.unplugs === true && all.length > 1) board.unplug();
    });
    return {
      transport: open(),
      rival: open(),
      received$: received,
      dispose: () => listening.unsubscribe(),
    };
  },
  undefined,
);

const codeOf = (error: unknown): unknown => (isBoardError(error) ? error.code : error);

describe('a Bluetooth board', () => {
  beforeEach(
    () =>
      void vi.useFakeTimers({
        toFake: ['setTimeout', 'setInterval', 'performance', 'clearTimeout', 'clearInterval'],
      }),
  );
  afterEach(() => void vi.useRealTimers());

  /** What becomes of a link to a board that stops answering at some point, once all waits are over. */
  const endWith = async (deafness: Deafness) => {
    const board = newBoard();
    board.deafness = deafness;
    const { open } = onAir(board);
    const end = lastValueFrom(
      open()
        .open$()
        .pipe(map(({ type }) => type)),
    ).catch(codeOf);
    for (let turns = 0; turns < 300; turns++) await vi.advanceTimersByTimeAsync(100);
    return { end: await Promise.race([end, Promise.resolve('still open')]), board };
  };

  it.each(['connect', 'discover', 'subscribe'] as const)(
    'that does not answer when it is to %s is LINK_GONE, and let go of',
    async (deafness) => {
      const { end, board } = await endWith(deafness);
      expect(end).toBe('LINK_GONE');
      expect(board.state).not.toBe('connected');
    },
  );

  it('stays connected when it answers', async () => {
    const { end, board } = await endWith('none');
    expect(end).toBe('still open');
    expect(board.state).toBe('connected');
  });

  it('that is nowhere is LINK_GONE after a while', async () => {
    const radio = new Radio(new FakeRadioLibrary([]).asLibrary());
    const absent = createBleTransport('c0:ff:ee:ff:ff:ff', LINK, clock, async () => radio);
    const end = firstValueFrom(absent.open$()).catch(codeOf);
    for (let turns = 0; turns < 120; turns++) await vi.advanceTimersByTimeAsync(100);
    expect(await Promise.race([end, Promise.resolve('still waiting')])).toBe('LINK_GONE');
  });

  it('is let go of at once when nobody wants it, though it does not answer', async () => {
    const board = newBoard();
    board.deafness = 'discover';
    const { open } = onAir(board);
    const link = open()
      .open$()
      .subscribe({ error: () => {} });
    for (let turns = 0; turns < 20 && board.state !== 'connected'; turns++)
      await vi.advanceTimersByTimeAsync(100);
    const gone = once(board, 'disconnect');
    link.unsubscribe();
    await gone;
    expect(board.state).toBe('disconnected');
  });

  it('is LINK_GONE when Bluetooth is switched off, and the library is not used any more', async () => {
    const board = newBoard();
    const { library, open } = onAir(board);
    const types: string[] = [];
    const end = lastValueFrom(
      open()
        .open$()
        .pipe(tap(({ type }) => types.push(type))),
    ).catch(codeOf);
    for (let turns = 0; turns < 20 && types.length === 0; turns++) await vi.advanceTimersByTimeAsync(100);
    expect(types).toEqual(['opened']);
    library.switchOff();
    expect(await end).toBe('LINK_GONE');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(library.isStopped).toBe(true);
    expect(library.misuse).toEqual([]);
  });

  it('that is being connected when Bluetooth is switched off is LINK_GONE, and the library is not used any more', async () => {
    const board = newBoard();
    board.deafness = 'connect';
    const { library, open } = onAir(board);
    const end = firstValueFrom(open().open$()).catch(codeOf);
    for (let turns = 0; turns < 20 && board.state !== 'connecting'; turns++)
      await vi.advanceTimersByTimeAsync(100);
    library.switchOff();
    for (let turns = 0; turns < 300; turns++) await vi.advanceTimersByTimeAsync(100);
    expect(await end).toBe('LINK_GONE');
    expect(library.misuse).toEqual([]);
  });

  it('whose link carries too little is LINK_UNSUPPORTED', async () => {
    const board = newBoard(23);
    const { open } = onAir(board);
    const end = firstValueFrom(open({ ...LINK, leastNotification: 38 }).open$()).catch(codeOf);
    for (let turns = 0; turns < 20; turns++) await vi.advanceTimersByTimeAsync(100);
    expect(await end).toBe('LINK_UNSUPPORTED');
  });

  it('without the characteristic that is spoken to is LINK_FOREIGN', async () => {
    const board = newBoard();
    const { open } = onAir(board);
    const end = firstValueFrom(
      open({ ...LINK, write: '0000fff3-0000-1000-8000-00805f9b34fb' }).open$(),
    ).catch(codeOf);
    for (let turns = 0; turns < 20; turns++) await vi.advanceTimersByTimeAsync(100);
    expect(await end).toBe('LINK_FOREIGN');
  });
});

describe('the radio', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('is let go of when nobody asks any more, and not used after that', async () => {
    const board = newBoard();
    const library = new FakeRadioLibrary([board]);
    const radio = new Radio(library.asLibrary());
    radio.boards();
    for (let second = 0; second < 20 && !library.isStopped; second++)
      await vi.advanceTimersByTimeAsync(1_000);
    expect(library.isStopped).toBe(true);
    expect(radio.boards()).toHaveLength(1);
    expect(await radio.find(board.address, 60_000, new AbortController().signal)).toBeUndefined();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(library.misuse).toEqual([]);
  });
});
