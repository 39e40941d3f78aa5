/** The parts that the boards of an event are divided into, so that several workers can derive their games. */

/** How many there are: the most workers that one event can have. A constant of the protocol: edges and workers must agree. */
export const PARTITIONS = 16;

/** Name of a board at the hub: two halls may each have a board that is known by its port only. */
export const nameAtHub = (board: string, edge: string): string => `${board}@${edge}`;

/** The partition of a board by its name at the hub, as a part of a subject: FNV-1a over its UTF-16 units. */
export function partitionOf(board: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < board.length; i++) hash = Math.imul(hash ^ board.charCodeAt(i), 0x01000193) >>> 0;
  return String(hash % PARTITIONS);
}
