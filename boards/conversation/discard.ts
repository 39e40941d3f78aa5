import { type FaultCode, meaningOf } from '../../core/board-error.ts';
import type { Decoded } from '../definition.ts';

export type Discarded = Extract<Decoded, { type: 'discarded' }>;

/** Bytes that belong to no good message, with the meaning of the code and, where there is more to say, the detail. */
export function discard(bytes: readonly number[] | Uint8Array, code: FaultCode, detail?: string): Discarded {
  const message = detail === undefined ? meaningOf(code) : `${meaningOf(code)} (${detail})`;
  return { type: 'discarded', bytes: Uint8Array.from(bytes), fault: { code, message } };
}
