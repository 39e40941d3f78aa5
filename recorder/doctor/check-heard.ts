import { existsSync } from 'node:fs';
import { findBoard } from '../../boards/registry.ts';
import { openStoreReader, type StoredSitting, type StoreReader } from '../store/store.ts';
import { type Finding, note } from './finding.ts';

/** So much of what is not understood is shown, bytes. */
const SHOWN = 16;

/** What a board has said that its kind does not say as far as we know. */
interface NotUnderstood {
  /** The name of the message, or the code of the fault. */
  readonly name: string;
  count: number;
  /** The first of them. */
  readonly bytes: Uint8Array;
}

/**
 * What each board has said, the last time it was recorded, that is not understood: messages its firmware knows and we do not, and
 * bytes that make no message. A board works with it; it is stored, and told here so that somebody can look.
 */
export async function checkHeard(file: string): Promise<readonly Finding[]> {
  if (!existsSync(file)) return [];
  const reader = openStoreReader(file);
  try {
    const last = new Map(reader.sittings().map((sitting) => [sitting.board, sitting]));
    return [...last.values()].flatMap((sitting) => {
      const found = readNotUnderstood(reader, sitting);
      return found.length === 0 ? [] : [findingOf(sitting, found)];
    });
  } finally {
    reader.close();
  }
}

function readNotUnderstood(reader: StoreReader, sitting: StoredSitting): NotUnderstood[] {
  const definition = findBoard(sitting.kind);
  if (!definition.ok) return [];
  const found = new Map<string, NotUnderstood>();
  const count = (name: string, bytes: Uint8Array): void => {
    const before = found.get(name);
    if (before === undefined) found.set(name, { name, count: 1, bytes: bytes.slice(0, SHOWN) });
    else before.count++;
  };
  let decoder = definition.value.createDecoder();
  for (const input of reader.inputs(sitting.id)) {
    if (input.type === 'link') decoder = decoder.reopen?.() ?? definition.value.createDecoder();
    if (input.type !== 'rx') continue;
    for (const decoded of decoder.decode(input.bytes, input.atMs)) {
      if (decoded.type === 'discarded') count(decoded.fault.code, decoded.bytes);
      // So they are called by every kind of board (boards/definition.ts).
      if (decoded.type === 'message' && decoded.name.startsWith('UNKNOWN'))
        count(decoded.name, decoded.payload);
    }
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
}

function findingOf({ board, kind }: StoredSitting, found: readonly NotUnderstood[]): Finding {
  const said = found.map(
    ({ name, count, bytes }) =>
      `${count} × ${name} (first: ${Buffer.from(bytes).toString('hex') || 'empty'})`,
  );
  return note(
    'not understood',
    `${board} (${kind}): ${said.join(', ')}`,
    'Nothing is lost and the board goes on. `record --capture DIR` keeps everything in a file: with it, and the firmware of the board, these messages can be learnt.',
  );
}
