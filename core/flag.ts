export const SEVERITIES = ['info', 'notice', 'warning', 'alarm'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Every flag word with its usual severity, the article it touches and what it tells. A value belongs to the code: `MISSED_PLIES(2)`. */
export const FLAG_WORDS = {
  TOUCH: ['info', '4.2', 'a piece was lifted and put back on its square'],
  OUT_OF_TURN: ['warning', '7.5', 'the side not to move has moved a piece'],
  TOUCH_MOVE: ['warning', '4.3', 'the move made does not honour the first touch'],
  ROOK_TOUCHED_FIRST: ['warning', '4.4.2', 'castling with the rook moved before the king'],
  TAKEBACK: ['info', '', 'completed moves were taken back on the board'],
  MOVED_BEFORE_PRESS: ['info', '6.2.2', 'the reply came before the press'],
  CLOCK_NOT_PRESSED: ['notice', '6.2.1', 'the opponent has moved again and no press was seen between'],
  PRESSED_WITHOUT_MOVE: ['alarm', '7.5.3', 'the clock was pressed without a move'],
  ILLEGAL: ['alarm', '7.5.1', 'the move on the board is illegal'],
  ILLEGAL_STANDS: ['notice', 'A.5.1', 'the illegal move was answered and stands'],
  IRREGULAR_SINCE: ['warning', '7.6', 'an irregularity was recognised only later'],
  CASTLING_INCOMPLETE: ['warning', '4.7.2', 'the king has castled, the rook is still at home'],
  EP_VICTIM_LEFT: ['warning', '3.7.3.1', 'en passant was played, the captured pawn still stands'],
  PROMO_PENDING: ['info', '4.7.3', 'a pawn stands on the last rank'],
  PROMO_INCOMPLETE: ['alarm', '7.5.2', 'the clock was pressed with a pawn on the last rank'],
  PROMO_ASSUMED: ['notice', '3.7.3', 'the board cannot tell the promoted piece; a queen is assumed'],
  UNDERPROMO_NOTICE: ['notice', '3.7.3', 'a rook, bishop or knight was promoted'],
  WRONG_COLOUR: ['warning', '7.4', 'a piece of the right kind but the wrong colour was put down'],
  PIECE_MISSING: ['warning', '7.4', 'a piece that belongs to the move is on no square'],
  EXTRA_PIECE: ['warning', '7.4', 'a captured piece stands on the board'],
  DISPLACED: ['warning', '7.4', 'several squares differ from the agreed position'],
  SENSOR_MISSING: ['warning', '', 'a piece vanished without being played'],
  SENSOR_FLICKER: ['notice', '', 'a square goes off and on by itself'],
  WRONG_START: ['warning', '7.2.1', 'the initial position is not the one of the event'],
  ROTATED_180: ['notice', '7.2.2', 'the board is turned; squares are mapped'],
  NEW_GAME: ['notice', '', 'a game begins'],
  RESULT: ['notice', '', 'a result was signalled or reached'],
  RESULT_CHANGED: ['warning', '', 'a result was replaced by another'],
  RESULT_HINT: ['notice', '', 'one king alone rests on a centre square'],
  RESULT_UNKNOWN: ['warning', '', 'a game was closed without a result'],
  POSTGAME: ['notice', '', 'pieces were moved after the end of the game'],
  MISSED_PLIES: ['notice', '', 'plies were inferred because no events arrived for them'],
  RECALLED: ['notice', '', 'plies were not heard when they were made: the board told them from its memory'],
  AMBIGUOUS: ['warning', '', 'several legal explanations fit; one is stored'],
  CORRECTION_REFUSED: ['warning', '', 'a correction of the record cannot be played'],
  LINK_LOST: ['warning', '', 'the connection to the board is gone'],
  RESYNC: ['notice', '', 'board and record agree again'],
  FLAG_FALL: ['alarm', '6.8', 'a clock reached zero'],
  CLOCK_LOST: ['warning', '', 'the clock no longer reports'],
  TIME_ADDED: ['notice', '7.5.5', 'a reading rose by more than the increment'],
  CLOCK_JUMP: ['notice', '6.10', 'a reading fell faster than time goes'],
  PERIOD_CHANGE: ['notice', '6.4', 'the clock has gone to the next period'],
  PERIOD_EARLY: ['warning', '6.4', "a period's time came before the recorded moves reach the control"],
  DOUBLE_PRESS: ['info', '6.2', 'the clock was pressed, pressed back and pressed again with no move between'],
  COLOURS_REVERSED: ['warning', '7.3', 'the colours differ from the pairing'],
  THREEFOLD_CLAIMABLE: ['notice', '9.2', 'the player to move could claim a draw by repetition'],
  FIFTY_CLAIMABLE: ['notice', '9.3', 'the player to move could claim a draw by fifty moves'],
  FIVEFOLD: ['alarm', '9.6.1', 'the position has occurred for the fifth time: the game is drawn'],
  SEVENTY_FIVE: ['alarm', '9.6.2', '75 moves by each without pawn move or capture: the game is drawn'],
  DEAD_POSITION: ['alarm', '5.2.2', 'neither side can mate: the game is drawn'],
  DRAW_A54: ['alarm', 'A.5.4', 'an illegal position is still there after the next move: a draw is proposed'],
  RESULT_CONFLICT: ['warning', '8.7', 'board, desk and last position do not agree on the result'],
  RESULT_PROPOSED: ['warning', '', 'by the Laws the game has this result; the arbiter decides'],
  CLAIM_OVER: ['info', '4.8', 'the opponent has touched a piece: the right to claim has ended'],
  OFFER_LAPSED: ['info', '9.1.2', 'the opponent has touched a piece: the draw offer has lapsed'],
  DRAW_TOO_EARLY: ['warning', '9.1.1', 'a draw was agreed or offered before the rules allow it'],
  DEFAULT_TIME: ['notice', '6.7', 'the default time has passed without a move'],
  WRITING_OVER: ['info', '8.4', 'the player need not write the moves any more in this period'],
} as const satisfies Record<string, readonly [Severity, string, string]>;

export type FlagWord = keyof typeof FLAG_WORDS;

/** A flag's word without its value: `AMBIGUOUS` of `AMBIGUOUS(4)`. */
export const wordOf = (code: string): FlagWord => code.replace(/\(.*$/s, '') as FlagWord;

/** What was seen, when, and which article it touches. A flag once raised stays in the list. */
export interface Flag {
  /** Word, with its value in brackets when it has one: `AMBIGUOUS(4)`. */
  readonly code: string;
  readonly severity: Severity;
  /** Number of the ply it belongs to, 1-based; 0 before the first. */
  readonly ply: number;
  readonly atMs: number;
  /** Plain words for the desk: squares, pieces, candidates. */
  readonly detail?: string;
}
