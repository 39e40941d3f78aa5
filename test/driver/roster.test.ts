import { describe, expect, it } from 'vitest';
import type { BoardIdentity } from '../../boards/definition.ts';
import { dgt } from '../../boards/dgt/definition.ts';
import type { BoardUpdate } from '../../driver/connection.ts';
import { createRoster, type FleetStatus, type RosterEvent, type RosterPort } from '../../driver/roster.ts';

/** Tells a roster what happens and keeps what it says. */
function createBook() {
  const roster = createRoster();
  const told: { board: string; text: string; atMs: number }[] = [];
  const closed: string[] = [];
  let status: FleetStatus = { boards: [], ports: [] };
  let statuses = 0;
  let nowMs = 0;

  const textOf = (u: BoardUpdate): string => {
    if (u.type === 'link') return u.link;
    if (u.type === 'sensor') return u.event.type === 'link' ? `(${u.event.link})` : u.event.type;
    if (u.type === 'rx') return `rx${u.bytes[0]}`;
    return u.type;
  };
  const tell = (event: RosterEvent): void => {
    for (const output of roster.step(event).outputs) {
      if (output.type === 'close') closed.push(output.key);
      else if (output.type === 'status') {
        status = output.status;
        statuses++;
      } else if (output.type === 'board') {
        const { update } = output;
        const atMs = update.type === 'sensor' ? update.event.atMs : update.atMs;
        told.push({ board: output.board, text: textOf(update), atMs });
      }
    }
  };
  const say = (key: string, ...updates: BoardUpdate[]): void => {
    for (const update of updates) {
      tell({ type: 'update', atMs: nowMs, key, update: { definition: dgt, update } });
    }
  };
  return {
    closed,
    status: () => status,
    /** How often the status was told. */
    statuses: () => statuses,
    /** What was told since the last look, as "board: a b c" per run of one board. */
    news: (): string[] => {
      const lines: string[] = [];
      for (const { board, text } of told.splice(0)) {
        if (lines.at(-1)?.startsWith(`${board}:`)) lines[lines.length - 1] += ` ${text}`;
        else lines.push(`${board}: ${text}`);
      }
      return lines;
    },
    told,
    at: (atMs: number): void => {
      nowMs = atMs;
    },
    plug: (key: string, more: Partial<RosterPort> = {}): void => {
      tell({ type: 'port', atMs: nowMs, port: { key, link: { type: 'serial', path: key }, ...more } });
      say(key, { type: 'link', atMs: nowMs, link: 'connecting' });
    },
    /** The board answers; without a serial number it becomes ready all the same. */
    answer: (key: string, identity: BoardIdentity = {}): void =>
      say(
        key,
        { type: 'link', atMs: nowMs, link: 'up' },
        { type: 'sensor', event: { type: 'link', atMs: nowMs, link: 'up' } },
        { type: 'identity', atMs: nowMs, identity },
        { type: 'session', atMs: nowMs, state: 'ready' },
      ),
    identify: (key: string, identity: BoardIdentity): void =>
      say(key, { type: 'identity', atMs: nowMs, identity }),
    hear: (key: string, byte: number): void =>
      say(key, { type: 'rx', atMs: nowMs, bytes: Uint8Array.of(byte) }),
    lose: (key: string): void =>
      say(
        key,
        { type: 'link', atMs: nowMs, link: 'lost' },
        { type: 'sensor', event: { type: 'link', atMs: nowMs, link: 'lost' } },
        { type: 'link', atMs: nowMs, link: 'retrying', inMs: 250 },
      ),
    retry: (key: string): void => say(key, { type: 'link', atMs: nowMs, link: 'connecting' }),
    fail: (key: string): void => say(key, { type: 'link', atMs: nowMs, link: 'retrying', inMs: 250 }),
    vanish: (key: string): void => tell({ type: 'vanished', atMs: nowMs, key }),
    give: tell,
  };
}

const UP = 'up (up) identity session';

describe('the roster', () => {
  it('holds back what a port says until its board is known, then tells all of it in order', () => {
    const book = createBook();
    book.plug('/dev/ttyUSB0');
    book.hear('/dev/ttyUSB0', 1);
    expect(book.news()).toEqual([]);
    book.answer('/dev/ttyUSB0', { serialNumber: '01025' });
    expect(book.news()).toEqual([`dgt-01025: connecting rx1 ${UP}`]);
    book.hear('/dev/ttyUSB0', 2);
    expect(book.news()).toEqual(['dgt-01025: rx2']);
  });

  it('knows a board by its own number when it comes back under another name', () => {
    const book = createBook();
    book.plug('/dev/ttyUSB0');
    book.answer('/dev/ttyUSB0', { serialNumber: '01025' });
    book.lose('/dev/ttyUSB0');
    book.vanish('/dev/ttyUSB0');
    book.plug('/dev/ttyUSB1');
    book.answer('/dev/ttyUSB1', { serialNumber: '01025' });
    expect(book.news()).toEqual([`dgt-01025: connecting ${UP} lost (lost) retrying connecting ${UP}`]);
    expect(book.status().boards).toMatchObject([
      { board: 'dgt-01025', link: { path: '/dev/ttyUSB1' }, state: 'up' },
    ]);
  });

  it('tells the status again when a board says something new of itself, not when it says its number once more', () => {
    const book = createBook();
    book.plug('/dev/ttyUSB0');
    book.answer('/dev/ttyUSB0', { serialNumber: '01025' });
    const before = book.statuses();
    book.identify('/dev/ttyUSB0', { serialNumber: '01025' });
    expect(book.statuses()).toBe(before);
    book.identify('/dev/ttyUSB0', { batteryPercent: 88 });
    expect(book.statuses()).toBe(before + 1);
    expect(book.status().boards[0]!.identity).toEqual({ serialNumber: '01025', batteryPercent: 88 });
  });

  it('says that a board is lost whose port vanishes while it is still thought to be up', () => {
    const book = createBook();
    book.plug('/dev/ttyUSB0');
    book.answer('/dev/ttyUSB0', { serialNumber: '01025' });
    book.vanish('/dev/ttyUSB0');
    expect(book.news()).toEqual([`dgt-01025: connecting ${UP} lost (lost)`]);
    expect(book.status()).toMatchObject({
      boards: [{ state: 'lost', fault: { code: 'LINK_GONE' } }],
      ports: [],
    });
  });

  it('tells two boards apart that take turns at one port', () => {
    const book = createBook();
    book.plug('/dev/ttyUSB0');
    book.answer('/dev/ttyUSB0', { serialNumber: '00001' });
    book.lose('/dev/ttyUSB0');
    book.retry('/dev/ttyUSB0');
    book.hear('/dev/ttyUSB0', 7);
    book.answer('/dev/ttyUSB0', { serialNumber: '00002' });
    expect(book.news()).toEqual([
      `dgt-00001: connecting ${UP} lost (lost) retrying connecting`,
      `dgt-00002: rx7 ${UP}`,
    ]);
  });

  it('goes on telling of the attempts to reach a board at the port where it was', () => {
    const book = createBook();
    book.plug('/dev/ttyUSB0');
    book.answer('/dev/ttyUSB0', { serialNumber: '00001' });
    book.lose('/dev/ttyUSB0');
    book.retry('/dev/ttyUSB0');
    book.fail('/dev/ttyUSB0');
    book.retry('/dev/ttyUSB0');
    expect(book.news()).toEqual([
      `dgt-00001: connecting ${UP} lost (lost) retrying connecting retrying connecting`,
    ]);
  });

  it('does not tell of attempts at a port whose board is elsewhere now', () => {
    const book = createBook();
    book.plug('a');
    book.answer('a', { serialNumber: '00001' });
    book.lose('a');
    book.plug('b');
    book.answer('b', { serialNumber: '00001' });
    book.news();
    book.retry('a');
    book.fail('a');
    expect(book.news()).toEqual([]);
    expect(book.status().boards).toMatchObject([{ state: 'up', link: { path: 'b' } }]);
  });

  it('waits with a board that is still connected elsewhere, and moves it when that link is lost', () => {
    const book = createBook();
    book.plug('a');
    book.answer('a', { serialNumber: '00001' });
    book.news();
    book.at(100);
    book.plug('b');
    book.answer('b', { serialNumber: '00001' });
    book.hear('b', 9);
    expect(book.news()).toEqual([]);
    book.at(200);
    book.lose('a');
    expect(book.news()).toEqual([`dgt-00001: lost (lost) retrying connecting ${UP} rx9`]);
    expect(book.status().boards).toHaveLength(1);
  });

  it('never lets the times of a board fall when it moves', () => {
    const book = createBook();
    book.plug('a');
    book.answer('a', { serialNumber: '00001' });
    book.at(100);
    book.plug('b');
    book.answer('b', { serialNumber: '00001' });
    book.at(200);
    book.lose('a');
    const times = book.told.map(({ atMs }) => atMs);
    expect(times).toEqual([...times].sort((x, y) => x - y));
    expect(times.at(-1)).toBe(200);
  });

  it('takes two ports that are both alive for two boards, whatever number they give', () => {
    const book = createBook();
    book.plug('/dev/ttyUSB0');
    book.answer('/dev/ttyUSB0', { serialNumber: '00001' });
    book.at(100);
    book.plug('/dev/ttyUSB1');
    book.answer('/dev/ttyUSB1', { serialNumber: '00001' });
    book.news();
    book.at(2100);
    book.hear('/dev/ttyUSB0', 5);
    expect(book.news()).toEqual([`dgt-00001: rx5`, `dgt-00001@ttyUSB1: connecting ${UP}`]);
    book.hear('/dev/ttyUSB1', 6);
    book.hear('/dev/ttyUSB0', 7);
    expect(book.news()).toEqual(['dgt-00001@ttyUSB1: rx6', 'dgt-00001: rx7']);
  });

  it('tells boards apart that share the short number and not the long one', () => {
    const book = createBook();
    book.plug('a');
    book.answer('a', { serialNumber: '10001', longSerialNumber: '3250010001' });
    book.plug('b');
    book.answer('b', { serialNumber: '10001', longSerialNumber: '3000010001' });
    expect(book.status().boards.map(({ board }) => board)).toEqual(['dgt-10001', 'dgt-10001@b']);
    book.lose('a');
    book.lose('b');
    book.plug('c');
    book.answer('c', { serialNumber: '10001', longSerialNumber: '3000010001' });
    expect(book.status().boards).toMatchObject([{ state: 'retrying' }, { state: 'up', link: { path: 'c' } }]);
  });

  it('knows a board without a number by its USB device, else by its port', () => {
    const book = createBook();
    book.plug('/dev/ttyUSB0', { usbSerial: 'A50285BI' });
    book.answer('/dev/ttyUSB0');
    book.plug('net', { link: { type: 'tcp', host: '192.168.1.20', port: 4001 } });
    book.answer('net');
    expect(book.status().boards.map(({ board }) => board)).toEqual([
      'dgt-usb-A50285BI',
      'dgt-192.168.1.20-4001',
    ]);
    for (const key of ['/dev/ttyUSB0', 'net']) {
      book.lose(key);
      book.vanish(key);
    }
    book.plug('/dev/ttyUSB5', { usbSerial: 'A50285BI' });
    book.answer('/dev/ttyUSB5');
    book.plug('net', { link: { type: 'tcp', host: '192.168.1.20', port: 4001 } });
    book.answer('net');
    expect(book.status().boards.map(({ state }) => state)).toEqual(['up', 'up']);
  });

  it('knows a board without any number by its USB socket, under whatever name its port comes back', () => {
    const book = createBook();
    book.plug('/dev/hidraw0', { usbSocket: '1-1.4' });
    book.answer('/dev/hidraw0');
    book.plug('/dev/hidraw1', { usbSocket: '1-1.3' });
    book.answer('/dev/hidraw1');
    expect(book.status().boards.map(({ board }) => board)).toEqual(['dgt-usb-1-1.4', 'dgt-usb-1-1.3']);
    book.vanish('/dev/hidraw0');
    book.vanish('/dev/hidraw1');
    book.news();
    // They come back the other way round.
    book.plug('/dev/hidraw0', { usbSocket: '1-1.3' });
    book.answer('/dev/hidraw0');
    expect(book.news()).toEqual([`dgt-usb-1-1.3: connecting ${UP}`]);
    book.plug('/dev/hidraw1', { usbSocket: '1-1.4' });
    book.answer('/dev/hidraw1');
    expect(book.news()).toEqual([`dgt-usb-1-1.4: connecting ${UP}`]);
  });

  it('takes another USB device in the same socket for another board', () => {
    const book = createBook();
    book.plug('/dev/hidraw0', { usbSocket: '1-1', usbSerial: 'A' });
    book.answer('/dev/hidraw0');
    book.vanish('/dev/hidraw0');
    book.plug('/dev/hidraw0', { usbSocket: '1-1', usbSerial: 'B' });
    book.answer('/dev/hidraw0');
    expect(book.status().boards.map(({ board }) => board)).toEqual(['dgt-usb-A', 'dgt-usb-B']);
  });

  it('keeps the name of a board that gives its number only later', () => {
    const book = createBook();
    book.plug('/dev/ttyUSB0', { usbSerial: 'X1' });
    book.answer('/dev/ttyUSB0');
    book.lose('/dev/ttyUSB0');
    book.retry('/dev/ttyUSB0');
    book.answer('/dev/ttyUSB0', { serialNumber: '00007' });
    book.lose('/dev/ttyUSB0');
    book.vanish('/dev/ttyUSB0');
    book.plug('/dev/ttyUSB9');
    book.answer('/dev/ttyUSB9', { serialNumber: '00007' });
    expect(book.status().boards).toMatchObject([
      { board: 'dgt-usb-X1', state: 'up', link: { path: '/dev/ttyUSB9' } },
    ]);
  });

  it('does not take a board with a number for the one whose cable it has', () => {
    const book = createBook();
    book.plug('/dev/ttyUSB0', { usbSerial: 'X1' });
    book.answer('/dev/ttyUSB0', { serialNumber: '00001' });
    book.lose('/dev/ttyUSB0');
    book.retry('/dev/ttyUSB0');
    book.answer('/dev/ttyUSB0', { serialNumber: '00002' });
    expect(book.status().boards.map(({ board }) => board)).toEqual(['dgt-00001', 'dgt-00002']);
  });

  it('lets a stranger go at a port where only known boards are looked for, and takes a known one', () => {
    const book = createBook();
    book.plug('a');
    book.answer('a', { serialNumber: '00001' });
    book.lose('a');
    book.plug('b', { knownOnly: true });
    book.answer('b', { serialNumber: '00002' });
    book.plug('c', { knownOnly: true });
    book.answer('c', { serialNumber: '00001' });
    expect(book.closed).toEqual(['b']);
    expect(book.status()).toMatchObject({
      boards: [{ board: 'dgt-00001', state: 'up', link: { path: 'c' } }],
      ports: [{ key: 'a' }, { key: 'b', state: 'ignored' }, { key: 'c', board: 'dgt-00001' }],
    });
  });

  it('shows a port that cannot be opened, with the reason', () => {
    const book = createBook();
    book.plug('a');
    book.give({ type: 'failed', atMs: 0, key: 'a', fault: { code: 'LINK_UNSUPPORTED', message: '' } });
    expect(book.status()).toMatchObject({
      boards: [],
      ports: [{ state: 'failed', fault: { code: 'LINK_UNSUPPORTED' } }],
    });
  });

  it('names boards with letters that may stand in a file name', () => {
    const book = createBook();
    book.plug('x', { link: { type: 'tcp', host: 'fe80::1%eth0', port: 7 } });
    book.answer('x', { serialNumber: '../0 1' });
    book.plug('y', { link: { type: 'tcp', host: 'fe80::1%eth0', port: 8 } });
    book.answer('y');
    for (const { board } of book.status().boards) expect(board).toMatch(/^[A-Za-z0-9._@-]+$/);
    expect(book.status().boards).toHaveLength(2);
  });
});
