/** What passed over the link of one board, as it is stored and as games are derived from it; times are whole monotonic ms. */
export type RawInput =
  /** Bytes from the board, in the chunk in which they arrived. */
  | { readonly type: 'rx'; readonly atMs: number; readonly bytes: Uint8Array }
  /** Bytes to the board. */
  | { readonly type: 'tx'; readonly atMs: number; readonly bytes: Uint8Array }
  /** `up` stands before the first bytes of a connection, `lost` at its end. */
  | { readonly type: 'link'; readonly atMs: number; readonly link: 'up' | 'lost' };
