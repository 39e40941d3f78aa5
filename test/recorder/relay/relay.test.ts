import fc from 'fast-check';
import { lastValueFrom, map } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { forward$ } from '../../../recorder/relay/forward.ts';
import { createMemoryWire } from '../../../recorder/relay/memory-wire.ts';
import {
  decodeRelayEntry,
  decodeRelayMessage,
  encodeRelayMessage,
} from '../../../recorder/relay/relay-message.ts';
import type { Wire, WireSession } from '../../../recorder/relay/wire.ts';
import { openEntryStore } from '../../../recorder/store/store.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openEdge, pgnOf, startForwarding, startHub, startRecorder } from './halls.ts';

const GAMES = [
  ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6', 'Bxc6', 'dxc6', 'O-O', 'f6', 'd4', 'exd4'],
  ['d4', 'd5', 'c4', 'dxc4', 'e4', 'e5', 'Nf3', 'exd4', 'Bxc4'],
];
const PLIES = GAMES.flat().length;

const pliesOf = (store: Parameters<typeof pgnOf>[0]): number =>
  store.games().reduce((sum, { record }) => sum + record.plies.length, 0);
const hasAll = (store: Parameters<typeof pgnOf>[0]): boolean => pliesOf(store) === PLIES;

describe('an edge and a hub', () => {
  it('derive the same games from the same input', async () => {
    const folder = temporaryFolder();
    const wire = createMemoryWire();
    const edge = openEdge(folder, GAMES);
    startForwarding(edge, wire);
    const hub = startHub(folder, wire);
    await hub.until(hasAll);
    expect(pgnOf(hub.store)).toEqual(pgnOf(edge));
    expect(hub.store.games().map(({ board }) => board)).toEqual(['dgt-1@hall-1', 'dgt-1@hall-1']);
  });

  it('lose and double nothing when the network fails after every few messages', async () => {
    const folder = temporaryFolder();
    const wire = createMemoryWire();
    const edge = openEdge(folder, GAMES);
    let published = 0;
    let cuts = 0;
    const failing: Wire = {
      session$: wire.session$.pipe(
        map((session) => ({
          ...session,
          publish: async (...message: Parameters<WireSession['publish']>) => {
            await session.publish(...message);
            if (++published % 2 !== 0) return;
            cuts++;
            wire.cut();
            wire.mend();
          },
        })),
      ),
    };
    startForwarding(edge, failing, { batchRows: 2 });
    const hub = startHub(folder, wire);
    await hub.until(hasAll);
    expect(cuts).toBeGreaterThan(3);
    expect(pgnOf(hub.store)).toEqual(pgnOf(edge));
  });

  it('go on where they were after a restart of the hub', async () => {
    const folder = temporaryFolder();
    const wire = createMemoryWire();
    const edge = openEdge(folder, GAMES);
    startForwarding(edge, wire, { batchRows: 2 });
    const first = startHub(folder, wire);
    await first.until((store) => pliesOf(store) > 4);
    await first.stop();
    const second = startHub(folder, wire);
    if (!hasAll(second.store)) await second.until(hasAll);
    expect(pgnOf(second.store)).toEqual(pgnOf(edge));
  });

  it('make good for a stream that was replaced by an empty one', async () => {
    const folder = temporaryFolder();
    const wire = createMemoryWire();
    const edge = openEdge(folder, GAMES);
    const forwarding = startForwarding(edge, wire);
    await forwarding.until((news) => news.type === 'relay' && news.state === 'up');
    wire.replace();
    const hub = startHub(folder, wire);
    await hub.until(hasAll);
    wire.replace();
    await forwarding.stop();
    const later = startForwarding(edge, wire);
    await later.until((news) => news.type === 'relay' && news.waiting > 0);
    expect(pgnOf(hub.store)).toEqual(pgnOf(edge));
    expect(hub.store.sittings()).toHaveLength(edge.sittings().length);
  });

  it('agree on what is entered at the hub, and on what is undone there', async () => {
    const folder = temporaryFolder();
    const wire = createMemoryWire();
    const edge = openEdge(folder, GAMES);
    const forwarding = startForwarding(edge, wire);
    const hub = startHub(folder, wire);
    await hub.until(hasAll);
    const desk = openEntryStore(hub.store.file);
    const [game] = desk.games().slice(-1);
    const signed = { game: game!.record.game, atMs: 10_000_000, wallMs: 1, by: 'Arbiter' };
    const result = { type: 'result', score: '1-0', termination: 'resignation' } as const;
    const id = desk.enter(game!.sittingId, { ...signed, what: result });
    await forwarding.until((news) => news.type === 'entered');
    const sitting = edge.sittings()[0]!.id;
    expect(edge.entered(sitting).entries).toMatchObject([{ by: 'Arbiter', what: result }]);
    desk.enter(game!.sittingId, { ...signed, undoes: id });
    await forwarding.until(
      (news) => news.type === 'entered' && edge.entered(sitting).entries[0]?.undone !== undefined,
    );
    expect(edge.entered(sitting).entries[0]).toMatchObject({ undone: { by: 'Arbiter' } });
    desk.close();
  });

  it('agree on what is entered at the edge, also on its undoing at the hub', async () => {
    const folder = temporaryFolder();
    const wire = createMemoryWire();
    const edge = openEdge(folder, GAMES);
    startRecorder(edge);
    const forwarding = startForwarding(edge, wire);
    const hub = startHub(folder, wire);
    await hub.until(hasAll);
    const [game] = edge.games().slice(-1);
    const desk = openEntryStore(edge.file);
    const signed = { game: game!.record.game, atMs: 10_000_000, wallMs: 1, by: 'Arbiter' };
    const result = { type: 'result', score: '1-0', termination: 'resignation' } as const;
    desk.enter(game!.sittingId, { ...signed, what: result });
    desk.close();
    await hub.until((store) => store.games().at(-1)?.record.result === '1-0');
    expect(pgnOf(hub.store)).toEqual(pgnOf(edge));
    const [atHub] = hub.store.games().slice(-1);
    const { entries } = hub.store.entered(atHub!.sittingId);
    expect(entries).toHaveLength(1);
    const other = openEntryStore(hub.store.file);
    other.enter(atHub!.sittingId, { ...signed, undoes: entries[0]!.id });
    other.close();
    await forwarding.until((news) => news.type === 'entered');
    await hub.until((store) => store.games().at(-1)?.record.result === '*');
    expect(edge.entered(game!.sittingId).entries[0]).toMatchObject({ undone: { by: 'Arbiter' } });
  });

  it('honour at the edge, while it records, what is decided at the hub, and the rules that are set there', async () => {
    const folder = temporaryFolder();
    const wire = createMemoryWire();
    const edge = openEdge(folder, GAMES);
    const recorder = startRecorder(edge);
    const forwarding = startForwarding(edge, wire);
    const hub = startHub(folder, wire);
    await hub.until(hasAll);
    const desk = openEntryStore(hub.store.file);
    const [game] = desk.games().slice(-1);
    const rules = { white: '5400+30', black: '5400+30', rate: 'standard' } as const;
    desk.setRules(game!.sittingId, rules, 7, 'Arbiter');
    await forwarding.until((news) => news.type === 'entered');
    const sitting = edge.sittings()[0]!.id;
    expect(edge.rules(sitting).at(-1)).toMatchObject({ rules, by: 'Arbiter', wallMs: 7 });
    const result = { type: 'result', score: '0-1', termination: 'resignation' } as const;
    const said = { game: game!.record.game, atMs: 10_000_000, wallMs: 1, by: 'Arbiter', what: result };
    desk.enter(game!.sittingId, said);
    desk.close();
    await recorder.until((update) => update.type === 'rederived' && update.game.record.result === '0-1');
    await hub.until((store) => store.games().at(-1)?.record.result === '0-1');
    expect(edge.behind()).toEqual([]);
    expect(pgnOf(hub.store)).toEqual(pgnOf(edge));
    // What has come from there does not go back there.
    expect(hub.store.rules(game!.sittingId).filter(({ by }) => by !== undefined)).toHaveLength(1);
    expect(hub.store.entered(game!.sittingId).entries).toHaveLength(1);
  });

  it('are two: the database of a hub is refused as that of an edge', async () => {
    const folder = temporaryFolder();
    const wire = createMemoryWire();
    startForwarding(openEdge(folder, GAMES), wire);
    const hub = startHub(folder, wire);
    await hub.until(hasAll);
    await expect(
      lastValueFrom(forward$({ edge: 'hall-2', store: hub.store, wire: createMemoryWire() })),
    ).rejects.toMatchObject({ code: 'RELAY_STORE' });
  });

  it('say when an edge is not heard any more', async () => {
    const folder = temporaryFolder();
    const wire = createMemoryWire();
    const edge = openEdge(folder, GAMES);
    const hub = startHub(folder, wire, 20);
    const forwarding = startForwarding(edge, wire);
    await hub.news((news) => news.type === 'edge' && news.state === 'up');
    await forwarding.stop();
    expect(await hub.news((news) => news.type === 'fault')).toMatchObject({
      fault: { code: 'RELAY_SILENT' },
    });
  });
});

describe('a message of the relay', () => {
  it('is read back as it was written', () => {
    const message = {
      edge: 'hall-1',
      origin: 'abc.1',
      board: 'dgt-1',
      kind: 'dgt',
      options: { variant: 'standard', rotated: false, rules: { white: '5400+30' } },
      startedMs: 1,
      startedWallMs: 2,
      seenToMs: 5,
    } as const;
    expect(decodeRelayMessage(encodeRelayMessage({ ...message, rows: [] }))).toEqual({
      ok: true,
      value: { ...message, rows: [] },
    });
  });

  it('of any other bytes is refused and throws nothing', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }),
          fc.json().map((text) => Buffer.from(text)),
        ),
        (bytes) => {
          expect(decodeRelayMessage(bytes)).toMatchObject({ ok: false, fault: { code: 'RELAY_MESSAGE' } });
          expect(decodeRelayEntry(bytes)).toMatchObject({ ok: false, fault: { code: 'RELAY_MESSAGE' } });
        },
      ),
    );
  });
});
