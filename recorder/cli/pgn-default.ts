/** The PGN folder of `record` when nobody names one: in the folder in which the program is started. */
export const DEFAULT_PGN = 'games';
