/**
 * Raw input as one blob: what came in between two commits of one board. Each entry is two variable-length numbers (time
 * since the entry before; length and kind) and its bytes: four bytes more than what passed over the wire.
 */
import type { RawInput } from '../raw-input.ts';

const RX = 0;
const TX = 1;
const LINK_UP = 2;
const LINK_LOST = 3;

function pushNumber(out: number[], value: number): void {
  let rest = value;
  while (rest > 0x7f) {
    out.push((rest % 128) | 0x80);
    rest = Math.floor(rest / 128);
  }
  out.push(rest);
}

/** Packs inputs whose times are whole ms, not below `baseMs` and do not fall. */
export function encodeInputs(inputs: readonly RawInput[], baseMs: number): Uint8Array {
  const out: number[] = [];
  let beforeMs = baseMs;
  for (const input of inputs) {
    pushNumber(out, input.atMs - beforeMs);
    beforeMs = input.atMs;
    if (input.type === 'link') {
      pushNumber(out, input.link === 'up' ? LINK_UP : LINK_LOST);
      continue;
    }
    pushNumber(out, input.bytes.length * 4 + (input.type === 'rx' ? RX : TX));
    for (const byte of input.bytes) out.push(byte);
  }
  return Uint8Array.from(out);
}

/** Unpacks a blob; undefined when it is not one that `encodeInputs` has made. */
export function decodeInputs(blob: Uint8Array, baseMs: number): RawInput[] | undefined {
  const inputs: RawInput[] = [];
  let at = 0;
  let atMs = baseMs;
  const number = (): number | undefined => {
    let value = 0;
    for (let scale = 1; at < blob.length && scale < 2 ** 50; scale *= 128) {
      const byte = blob[at++]!;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    return undefined;
  };
  while (at < blob.length) {
    const deltaMs = number();
    const head = number();
    if (deltaMs === undefined || head === undefined) return undefined;
    atMs += deltaMs;
    const kind = head % 4;
    const length = Math.floor(head / 4);
    if (kind === LINK_UP || kind === LINK_LOST) {
      if (length !== 0) return undefined;
      inputs.push({ type: 'link', atMs, link: kind === LINK_UP ? 'up' : 'lost' });
      continue;
    }
    if (at + length > blob.length) return undefined;
    inputs.push({
      type: kind === RX ? 'rx' : 'tx',
      atMs,
      // Copied: a Buffer's own slice would share the page of the database.
      bytes: new Uint8Array(blob.subarray(at, at + length)),
    });
    at += length;
  }
  return inputs;
}
