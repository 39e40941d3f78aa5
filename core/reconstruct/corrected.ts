/** The line of a game as the operator says that it was played. */
import type { Correction } from '../correction.ts';
import type { PlyRecord } from '../game-event.ts';
import { playRecorded } from '../recorded-ply.ts';
import { fail, ok, type Result } from '../result.ts';
import { createIllegalPly, createPly, type Node, nodeAt } from './node.ts';

/**
 * Plays a game once more from its start with a correction in it. `record` is what was told of its plies, `head` the last of
 * them. Fails with `CORRECTION_PLY` when a ply of the correction cannot be played, naming it, and with
 * `CORRECTION_FROM` when it begins where the record does not reach.
 */
export function playCorrected(
  root: Node,
  record: readonly PlyRecord[],
  head: Node,
  { from, plies, replaces, atMs }: Correction,
): Result<Node> {
  if (!Number.isInteger(from) || from < 1 || from > record.length + 1)
    return fail('CORRECTION_FROM', `ply ${from} does not follow a record of ${record.length} plies`);
  let node = root;
  for (const ply of record.slice(0, from - 1)) {
    const next = recordedPly(node, ply, head);
    if (next === undefined)
      return fail('CORRECTION_FROM', `${ply.san} before ply ${from} cannot be played again`);
    node = next;
  }
  const madeAtMs = Math.min(atMs, record[from - 1]?.madeAtMs ?? atMs);
  for (const uci of plies) {
    const next = plyOf(node, uci, uci, Math.max(madeAtMs, node.madeAtMs));
    if (next === undefined)
      return fail('CORRECTION_PLY', `${uci} cannot be played as ply ${node.number + 1}`);
    // Where it is what the record has, what was seen of it is true as well.
    const seen = record[node.number];
    if (seen !== undefined && isSaid(seen, uci)) Object.assign(next, timesOf(seen));
    next.completedAtMs ??= next.madeAtMs;
    next.confirmed = true;
    next.agreedAtMs = atMs;
    node = next;
  }
  const after = replaces === undefined ? record.length : from - 1 + Math.max(0, replaces);
  for (const ply of record.slice(after)) {
    const next = recordedPly(node, ply, head);
    if (next === undefined) break;
    node = next;
  }
  return ok(node);
}

const isSaid = ({ san, uci }: PlyRecord, word: string): boolean => (san.startsWith('!') ? san : uci) === word;

const timesOf = ({ completedAtMs, clockMs }: PlyRecord): Pick<Node, 'completedAtMs' | 'clockMs'> => ({
  completedAtMs,
  clockMs,
});

function plyOf(parent: Node, san: string, uci: string, madeAtMs: number, inferred = false): Node | undefined {
  const played = playRecorded(parent.position, san, uci);
  if (played === undefined) return undefined;
  const { move, from, to, changes } = played;
  return move === undefined
    ? createIllegalPly(parent, from, to, changes, madeAtMs)
    : createPly(parent, move, madeAtMs, inferred);
}

/** A ply of the record, with all that is known of it. */
function recordedPly(parent: Node, ply: PlyRecord, head: Node): Node | undefined {
  const node = plyOf(parent, ply.san, ply.uci, ply.madeAtMs, ply.inferred === true);
  if (node === undefined) return undefined;
  node.confirmed = ply.state !== 'provisional';
  Object.assign(node, timesOf(ply));
  node.orders = ply.state === 'ambiguous' ? ply.candidates : undefined;
  const seen = nodeAt(head, node.number);
  if (seen?.from === node.from && seen.to === node.to) node.pressedAtMs = seen.pressedAtMs;
  return node;
}
