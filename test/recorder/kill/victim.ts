/**
 * A recorder that is going to be killed. It plays on a DGT board as fast as the disk takes it, commits, and only then
 * says what it has committed: a line of JSON a commit.
 */
import { writeSync } from 'node:fs';
import { dgt } from '../../../boards/dgt/definition.ts';
import { MachineDriver } from '../../../core/machine.ts';
import { type Move, Position } from '../../../core/position.ts';
import type { RawInput } from '../../../recorder/raw-input.ts';
import { beginSitting } from '../../../recorder/sitting.ts';
import { openStore, type StoreWrite } from '../../../recorder/store/store.ts';
import { dumpBytes, moveBytes } from '../dgt-bytes.ts';

const WALL = Date.UTC(2031, 0, 1);
const [file = '', seed = '1'] = process.argv.slice(2);

let random = Number(seed);
const below = (limit: number): number => {
  random = (random * 48_271) % 0x7fffffff;
  return random % limit;
};

const store = openStore(file, { wallMs: () => WALL });
let nowMs = store.originMs(WALL) + 1000;
const { sitting, machine, records, wasUp } = beginSitting(store, {
  board: 'dgt-1',
  definition: dgt,
  sitting: { variant: 'standard', rotated: false },
  nowMs,
  wallMs: WALL,
});
const driver = new MachineDriver(machine);

function take(input: RawInput): void {
  const writes: StoreWrite[] = [];
  for (const output of driver.feed(input)) {
    if (output.type === 'input') writes.push({ type: 'input', sitting, input: output.input, wallMs: WALL });
    if (output.type === 'event') writes.push({ type: 'event', sitting, event: output.event, wallMs: WALL });
  }
  store.enqueue(...writes);
}

/** Commits what waits and says so: as many inputs, and these plies. */
function commitAndTell(): void {
  const writes = store.commit();
  const plies = writes.flatMap((write) => {
    if (write.type !== 'event' || write.event.type !== 'ply') return [];
    const { number, ply } = write.event;
    return [`${number} ${ply.san} ${ply.state}`];
  });
  const inputs = writes.filter((write) => write.type === 'input').length;
  writeSync(1, `${JSON.stringify({ inputs, plies })}\n`);
}

const rx = (bytes: Uint8Array): void => take({ type: 'rx', atMs: nowMs, bytes });

/** Where the board stands: what the record says, as if the hand had waited for it. */
function positionOfRecord(): Position {
  let position = Position.initial();
  for (const ply of records.at(-1)?.plies ?? []) {
    const move = position.parseUci(ply.uci);
    if (move === undefined) return position;
    position = position.play(move);
  }
  return position;
}

let position = positionOfRecord();
let plies = records.at(-1)?.plies.length ?? 0;
if (wasUp) take({ type: 'link', atMs: nowMs, link: 'lost' });
take({ type: 'link', atMs: nowMs, link: 'up' });
rx(dumpBytes(position.cells));
commitAndTell();

for (;;) {
  const moves: readonly Move[] = position.moves();
  if (moves.length === 0 || plies >= 40) {
    nowMs += 600_000;
    position = Position.initial();
    plies = 0;
    rx(dumpBytes(position.cells));
  } else {
    const move = moves[below(moves.length)]!;
    for (const bytes of moveBytes(position, move)) {
      nowMs += 400;
      rx(bytes);
      if (below(3) === 0) commitAndTell();
    }
    nowMs += 5000;
    position = position.play(move);
    plies++;
  }
  commitAndTell();
}
