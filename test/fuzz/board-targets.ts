/** Every kind of board that is registered: its decoder, its session, and what is derived of what it says. */
import assert from 'node:assert/strict';
import type { BoardDefinition, Decoded, SessionOutput } from '../../boards/definition.ts';
import { BOARDS } from '../../boards/registry.ts';
import { MachineDriver } from '../../core/machine.ts';
import { EMPTY, emptyPlacement, makePlacement, type Placement } from '../../core/placement.ts';
import type { SensorEvent } from '../../core/sensor-event.ts';
import { createDerivation } from '../../recorder/derive.ts';
import { Loop } from '../boards/loop.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import type { Chance } from './mutate.ts';

const joined = (chunks: readonly Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(chunks));

/** What a board of a kind sends while two moves are made and its clock runs, chunk by chunk. */
function conversationOf(definition: BoardDefinition): Uint8Array[] {
  const loop = new Loop(definition.createSession(), definition.createSimulator({ serialNumber: '04711' }))
    .open()
    .wait(20_000);
  loop.clock(300_000, 300_000, 'white');
  for (const [square, cell] of [
    [12, EMPTY],
    [28, 1],
    [52, EMPTY],
    [36, 7],
  ] as const)
    loop.square(square, cell).wait(700);
  loop.clock(299_000, 300_000, 'black').wait(10_000);
  return loop.traffic.filter(({ direction }) => direction === 'rx').map(({ bytes }) => bytes);
}

/** The board as the last of what was said shows it. */
function placementOf(decoded: readonly Decoded[]): Placement {
  let placement = emptyPlacement();
  for (const item of decoded) {
    if (item.type !== 'sensor') continue;
    if (item.event.type === 'dump') placement = item.event.placement.slice();
    if (item.event.type === 'square') placement[item.event.square] = item.event.cell;
  }
  return placement;
}

function cut(input: Uint8Array, chance: Chance): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < input.length; ) {
    const length = 1 + chance.below(chance.one([1, 8, 64, 1024]));
    chunks.push(input.subarray(at, at + length));
    at += length;
  }
  return chunks;
}

/** What was said without its times, neighbouring discarded bytes as one. */
const wordsOf = (decoded: readonly (Decoded | SessionOutput)[]): string[] =>
  decoded.flatMap((item) => {
    if (item.type === 'sensor') {
      const { atMs: _, ...said } = item.event as SensorEvent & { atMs: number };
      return [
        JSON.stringify(said, (_key, value) => (value instanceof Uint8Array ? [...value].join() : value)),
      ];
    }
    return item.type === 'identity' ? [JSON.stringify(item.identity)] : [];
  });

function checkDecoded(decoded: readonly Decoded[], input: Uint8Array): void {
  const discarded = decoded.reduce(
    (sum, item) => sum + (item.type === 'discarded' ? item.bytes.length : 0),
    0,
  );
  assert.ok(discarded <= input.length, `${discarded} bytes are discarded of ${input.length}`);
  for (const item of decoded) {
    if (item.type === 'discarded') assert.match(item.fault.code, /^FRAME_/);
    if (item.type !== 'sensor') continue;
    const { event } = item;
    if (event.type === 'square')
      assert.ok(event.square >= 0 && event.square < 64 && event.cell >= 0 && event.cell <= 14);
    if (event.type === 'dump') assert.equal(event.placement.length, 64);
    if (event.type === 'clock')
      for (const face of [event.reading.left, event.reading.right])
        if (face !== undefined)
          assert.ok(Number.isFinite(face.timeMs) && face.timeMs >= 0, `a clock shows ${face.timeMs}`);
  }
}

function decoderTarget(definition: BoardDefinition, conversation: readonly Uint8Array[]): FuzzTarget {
  const whole = joined(conversation);
  const first = definition.createDecoder();
  const shown = placementOf([...conversation, ...conversation].flatMap((chunk) => first.decode(chunk, 0)));
  return {
    name: `${definition.id} decoder`,
    seeds: [whole, ...conversation],
    feed(input, chance) {
      const decoder = definition.createDecoder();
      const chunks = definition.packets === true ? [input] : cut(input, chance);
      let atMs = 0;
      const decoded = chunks.flatMap((chunk) => decoder.decode(chunk, ++atMs));
      if (definition.packets !== true) {
        const again = definition.createDecoder();
        assert.deepEqual(
          wordsOf(decoded),
          wordsOf(again.decode(input, 0)),
          'other chunks say something else',
        );
      }
      // What stands behind is read, as a board would repeat it: the board is seen as it is.
      const after: Decoded[] = [];
      for (const chunk of [...conversation, ...conversation]) {
        atMs += 500;
        after.push(...decoder.decode(chunk, atMs));
      }
      checkDecoded([...decoded, ...after], joined([input, whole, whole]));
      const seen = placementOf([...decoded, ...after]);
      if (definition.profile.sensing !== 'moves')
        assert.equal(makePlacement(seen), makePlacement(shown), 'what stands behind is not read');
    },
  };
}

function sessionTarget(definition: BoardDefinition, conversation: readonly Uint8Array[]): FuzzTarget {
  return {
    name: `${definition.id} session`,
    seeds: [joined(conversation), ...conversation],
    feed(input, chance) {
      const session = new MachineDriver(definition.createSession());
      let atMs = 1000;
      // Each board of a line has a time of its own; what one is asked for now and then is told as of between two answers.
      const toldOf = new Map<string, number>();
      const heed = (outputs: readonly SessionOutput[]): void => {
        for (const output of outputs) {
          const of = `${output.station} ${output.type === 'sensor'}`;
          const told = toldOf.get(of) ?? 0;
          const time = output.type === 'sensor' ? output.event.atMs : 'atMs' in output ? output.atMs : told;
          assert.ok(time >= told && time <= atMs, `something is told of ${time} at ${atMs}, after ${told}`);
          toldOf.set(of, time);
        }
      };
      heed(session.feed({ type: 'opened', atMs }));
      const chunks =
        definition.packets === true ? [input, ...conversation] : [...cut(input, chance), ...conversation];
      for (const bytes of chunks) {
        atMs += chance.below(chance.one([2, 400, 4000]));
        heed(session.advance(atMs));
        heed(session.feed({ type: 'bytes', atMs, bytes }));
      }
      for (let wakes = 0; wakes < 200 && session.wakeAtMs !== undefined; wakes++) {
        atMs = Math.max(atMs, session.wakeAtMs);
        heed(session.advance(atMs));
      }
    },
  };
}

function derivationTarget(definition: BoardDefinition, conversation: readonly Uint8Array[]): FuzzTarget {
  return {
    name: `${definition.id} derivation`,
    seeds: [joined(conversation)],
    feed(input, chance) {
      const derivation = new MachineDriver(
        createDerivation({ definition, variant: 'standard', rotated: false }),
      );
      let atMs = 0;
      derivation.feed({ type: 'link', atMs, link: 'up' });
      for (const bytes of [...conversation, ...cut(input.subarray(0, 4096), chance)]) {
        atMs += chance.below(chance.one([2, 400, 20_000]));
        derivation.feed({ type: 'rx', atMs, bytes });
      }
      derivation.feed({ type: 'link', atMs, link: 'lost' });
      derivation.advance(atMs + 60_000);
    },
  };
}

function storedGamesTarget(definition: BoardDefinition, conversation: readonly Uint8Array[]): FuzzTarget[] {
  const { createStoredGames } = definition;
  if (createStoredGames === undefined) return [];
  return [
    {
      name: `${definition.id} stored games`,
      seeds: [joined(conversation), ...conversation],
      feed(input, chance) {
        const fetching = new MachineDriver(createStoredGames());
        let atMs = 0;
        fetching.feed({ type: 'opened', atMs });
        for (const bytes of cut(input, chance)) {
          atMs += chance.below(3000);
          fetching.advance(atMs);
          const outputs = fetching.feed({ type: 'bytes', atMs, bytes });
          if (outputs.some(({ type }) => type === 'game')) fetching.feed({ type: 'kept', atMs });
        }
        fetching.advance(atMs + 600_000);
      },
    },
  ];
}

/** A new kind of board is fuzzed by being registered. */
export const boardTargets = (): FuzzTarget[] =>
  BOARDS.flatMap((definition) => {
    const conversation = conversationOf(definition);
    return [
      decoderTarget(definition, conversation),
      sessionTarget(definition, conversation),
      derivationTarget(definition, conversation),
      ...storedGamesTarget(definition, conversation),
    ];
  });
