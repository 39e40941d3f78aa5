/** Cuts bytes into parts of at most `most`, in order; one empty part for none. */
export function splitWrite(bytes: Uint8Array, most: number): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += most) parts.push(bytes.subarray(at, at + most));
  return parts.length === 0 ? [bytes] : parts;
}
