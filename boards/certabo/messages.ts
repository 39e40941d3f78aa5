/** The protocol as data (PROTOCOL.md, sections 2 and 4): a board says the same line again and again. */

/** Numbers in a line of a board that reads the tags of its pieces, five a square. */
export const TAG_NUMBERS = 320;
/** Numbers in a line of a board that knows occupancy: one byte a rank. */
export const RANK_NUMBERS = 8;

export const NUMBERS_A_TAG = 5;
/** Greatest number of a line. */
export const GREATEST = 255;

/** Letters of the line with which a board acknowledges lights: plain, and coloured. */
export const LIGHTS_ACKS = ['L', 'D'] as const;
