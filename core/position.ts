/**
 * The only door to the rules library: legal positions, moves, SAN and FEN.
 *
 * A `Position` is immutable. It may have been reached through an illegal move (an illegal move that stands is a node
 * like any other): then legality simply goes on from what stands, kings in check or missing included.
 */
import { attacks } from 'chessops/attacks';
import { Chess } from 'chessops/chess';
import { makeFen, parseFen } from 'chessops/fen';
import { parseSan } from 'chessops/san';
import { SquareSet } from 'chessops/squareSet';
import type { NormalMove, Role as OpsRole, Piece } from 'chessops/types';
import { kingCastlesTo, rookCastlesTo } from 'chessops/util';
import type { Variant } from './game-event.ts';
import {
  type Cell,
  cellOf,
  EMPTY,
  type Placement,
  parsePlacement,
  ROLES,
  type Role,
  roleOfCell,
  sideOfCell,
} from './placement.ts';
import { fail, ok, type Result } from './result.ts';
import { makeSquare, opponent, type Side, type Square } from './square.ts';

/** One square of a move and what stands there afterwards. */
export interface Change {
  readonly square: Square;
  readonly before: Cell;
  readonly after: Cell;
}

/** A move that is legal in the position that made it. */
export interface Move {
  readonly from: Square;
  /** Where the moved piece (castling: the king) stands afterwards. */
  readonly to: Square;
  readonly promotion?: Role;
  /** Castling: where the rook comes from and goes to. */
  readonly castling?: { readonly rookFrom: Square; readonly rookTo: Square };
  /** Square and cell of the captured piece, the pawn of an en passant capture included. */
  readonly captured?: { readonly square: Square; readonly cell: Cell };
  /** Every square whose content differs afterwards, arrival of the moved piece first. */
  readonly changes: readonly Change[];
}

/** The squares on which something stands, a1 to h4 (`lo`) and a5 to h8 (`hi`), bit by bit. */
export interface Occupied {
  readonly lo: number;
  readonly hi: number;
}

/** Ways in which a game ends by itself on the board. */
export type Ending = 'checkmate' | 'stalemate' | 'dead-position';

export const START_FEN = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

const PROMOTIONS: readonly OpsRole[] = ['queen', 'knight', 'rook', 'bishop'];
const PIECES: readonly Piece[] = (['white', 'black'] as const).flatMap((color) =>
  ROLES.map((role) => ({ role, color })),
);

const ROLE_LETTERS: Readonly<Record<Role, string>> = {
  pawn: 'P',
  knight: 'N',
  bishop: 'B',
  rook: 'R',
  queen: 'Q',
  king: 'K',
};

const toCell = (piece: Piece): Cell => cellOf(piece.color, piece.role);

/** What the rules library's words for a bad position mean. */
const REASONS: Readonly<Record<string, string>> = {
  ERR_FEN: 'a field is missing or too many',
  ERR_BOARD: 'the placement is malformed',
  ERR_POCKETS: 'the placement is malformed',
  ERR_TURN: 'the side to move is neither w nor b',
  ERR_CASTLING: 'the castling rights are malformed',
  ERR_EP_SQUARE: 'the en passant square is malformed',
  ERR_HALFMOVES: 'the half-move clock is no number',
  ERR_FULLMOVES: 'the move number is no number',
  ERR_EMPTY: 'there are no pieces',
  ERR_OPPOSITE_CHECK: 'the side that has just moved stands in check',
  ERR_PAWNS_ON_BACKRANK: 'a pawn stands on the first or last rank',
  ERR_KINGS: 'there is not one king a side',
};
const reasonOf = (code: string): string => REASONS[code] ?? code;

/** Chess rules over one position; see the head of this file. */
export class Position {
  readonly variant: Variant;
  /** The 64 cells of this position; not to be written to. */
  readonly cells: Placement;
  readonly turn: Side;
  readonly #chess: Chess;
  #ctx: ReturnType<Chess['ctx']> | undefined;
  #movesFrom: (readonly Move[] | undefined)[] = [];
  #moves: readonly Move[] | undefined;
  #key: string | undefined;
  #hasMoves: boolean | undefined;
  #kings: Readonly<Record<Side, Square | undefined>> | undefined;
  #ending: Ending | 'none' | undefined;

  private constructor(chess: Chess, variant: Variant, cells: Placement) {
    this.#chess = chess;
    this.variant = variant;
    this.cells = cells;
    this.turn = chess.turn;
  }

  static #fromChess(chess: Chess, variant: Variant): Position {
    const cells = new Uint8Array(64);
    for (const [square, piece] of chess.board) cells[square] = toCell(piece);
    return new Position(chess, variant, cells);
  }

  /**
   * Reads a FEN. Fails with `FEN_SYNTAX` when it cannot be read and `FEN_ILLEGAL` when no game can begin from it.
   * Castling rights without king and rook at home are dropped (in standard chess; Chess960 takes X-FEN and Shredder).
   */
  static fromFen(fen: string, variant: Variant = 'standard'): Result<Position> {
    const setup = parseFen(fen);
    if (setup.isErr) return fail('FEN_SYNTAX', `"${fen}" is no FEN: ${reasonOf(setup.error.message)}`);
    const value = setup.value;
    if (variant === 'standard') {
      let rights = value.castlingRights;
      for (const square of rights) {
        const side: Side = square < 8 ? 'white' : 'black';
        const king = value.board.kingOf(side);
        const home = king !== undefined && (king & 7) === 4 && ((square & 7) === 0 || (square & 7) === 7);
        if (!home) rights = rights.without(square);
      }
      value.castlingRights = rights;
    }
    const chess = Chess.fromSetup(value);
    if (chess.isErr)
      return fail('FEN_ILLEGAL', `"${fen}" is no position to play from: ${reasonOf(chess.error.message)}`);
    return ok(Position.#fromChess(chess.value, variant));
  }

  /** The initial position of standard chess. */
  static initial(): Position {
    return Position.#fromChess(Chess.default(), 'standard');
  }

  /** Number of plies since the last capture or pawn move. */
  get halfmoves(): number {
    return this.#chess.halfmoves;
  }

  get fullmoves(): number {
    return this.#chess.fullmoves;
  }

  get occupied(): Occupied {
    return this.#chess.board.occupied;
  }

  /** The square of a side's king; undefined when it has none. */
  kingOf(side: Side): Square | undefined {
    if (this.#kings === undefined) {
      const { board } = this.#chess;
      this.#kings = { white: board.kingOf('white'), black: board.kingOf('black') };
    }
    return this.#kings[side];
  }

  #context(): ReturnType<Chess['ctx']> {
    this.#ctx ??= this.#chess.ctx();
    return this.#ctx;
  }

  /** Forgets the moves found so far: a position that is only history should be small. They are found again on demand. */
  forget(): void {
    this.#movesFrom = [];
    this.#moves = undefined;
    this.#ctx = undefined;
  }

  /** Legal moves of the piece on a square, by the side to move; empty when there is none. */
  movesFrom(from: Square): readonly Move[] {
    const known = this.#movesFrom[from];
    if (known !== undefined) return known;
    const cell = this.cells[from]!;
    const moves: Move[] = [];
    if (cell !== EMPTY && sideOfCell(cell) === this.turn) {
      const role = roleOfCell(cell)!;
      for (const to of this.#chess.dests(from, this.#context())) {
        if (role === 'pawn' && (to < 8 || to >= 56)) {
          for (const promotion of PROMOTIONS) moves.push(this.#makeMove(from, to, cell, promotion));
        } else moves.push(this.#makeMove(from, to, cell, undefined));
      }
    }
    this.#movesFrom[from] = moves;
    return moves;
  }

  /** All legal moves, promotions one by one. */
  moves(): readonly Move[] {
    if (this.#moves === undefined) {
      const moves: Move[] = [];
      for (const from of this.#chess.board[this.turn]) moves.push(...this.movesFrom(from));
      this.#moves = moves;
    }
    return this.#moves;
  }

  #makeMove(from: Square, to: Square, cell: Cell, promotion: Role | undefined): Move {
    const role = roleOfCell(cell)!;
    const target = this.cells[to]!;
    if (role === 'king' && target !== EMPTY && sideOfCell(target) === this.turn) {
      const side = to > from ? 'h' : 'a';
      const kingTo = kingCastlesTo(this.turn, side);
      const rookTo = rookCastlesTo(this.turn, side);
      return {
        from,
        to: kingTo,
        castling: { rookFrom: to, rookTo },
        changes: this.#castlingChanges(from, kingTo, to, rookTo),
      };
    }
    const changes: Change[] = [
      { square: to, before: target, after: promotion === undefined ? cell : cellOf(this.turn, promotion) },
      { square: from, before: cell, after: EMPTY },
    ];
    if (target !== EMPTY) {
      return this.#withPromotion({ from, to, captured: { square: to, cell: target }, changes }, promotion);
    }
    if (role === 'pawn' && (from & 7) !== (to & 7)) {
      const square = (from & 56) | (to & 7);
      const victim = this.cells[square]!;
      changes.push({ square, before: victim, after: EMPTY });
      return { from, to, captured: { square, cell: victim }, changes };
    }
    return this.#withPromotion({ from, to, changes }, promotion);
  }

  #withPromotion(move: Move, promotion: Role | undefined): Move {
    return promotion === undefined ? move : { ...move, promotion };
  }

  /** Changes of king and rook going to their castling squares, legal or not; only squares that really differ. */
  #castlingChanges(kingFrom: Square, kingTo: Square, rookFrom: Square, rookTo: Square): Change[] {
    const king = this.cells[kingFrom]!;
    const rook = this.cells[rookFrom]!;
    const after = new Map<Square, Cell>([
      [kingFrom, EMPTY],
      [rookFrom, EMPTY],
    ]);
    after.set(kingTo, king);
    after.set(rookTo, rook);
    const changes: Change[] = [];
    for (const square of [kingTo, rookTo, kingFrom, rookFrom]) {
      const cell = after.get(square)!;
      if (cell !== this.cells[square]! && !changes.some((c) => c.square === square)) {
        changes.push({ square, before: this.cells[square]!, after: cell });
      }
    }
    return changes;
  }

  #toOps(move: Move): NormalMove {
    const to = move.castling === undefined ? move.to : move.castling.rookFrom;
    return move.promotion === undefined
      ? { from: move.from, to }
      : { from: move.from, to, promotion: move.promotion };
  }

  /** The position after a move that is legal here. */
  play(move: Move): Position {
    const chess = this.#chess.clone();
    chess.play(this.#toOps(move));
    const cells = this.cells.slice();
    for (const change of move.changes) cells[change.square] = change.after;
    return new Position(chess, this.variant, cells);
  }

  /**
   * The position after squares were changed as by a move that is *not* legal: the other side has the move, rights of
   * pieces that left their squares are gone, no en passant.
   */
  playIllegal(changes: readonly Change[]): Position {
    const chess = this.#chess.clone();
    for (const { square, after } of changes) {
      if (after === EMPTY) chess.board.take(square);
      else chess.board.set(square, { ...PIECES[after - 1]! });
    }
    const cells = this.cells.slice();
    for (const { square, after } of changes) cells[square] = after;
    for (const { square, before } of changes) {
      const side = sideOfCell(before);
      if (roleOfCell(before) === 'rook') chess.castles.discardRook(square);
      if (roleOfCell(before) === 'king' && side !== undefined) chess.castles.discardColor(side);
    }
    chess.epSquare = undefined;
    chess.halfmoves = changes.some((c) => roleOfCell(c.before) === 'pawn') ? 0 : chess.halfmoves + 1;
    chess.turn = opponent(this.turn);
    if (this.turn === 'black') chess.fullmoves += 1;
    return new Position(chess, this.variant, cells);
  }

  /** The same position with the other side to move and no en passant; for reading who must have moved. */
  passTurn(): Position {
    const chess = this.#chess.clone();
    chess.turn = opponent(this.turn);
    chess.epSquare = undefined;
    return new Position(chess, this.variant, this.cells);
  }

  /** SAN of a move that is legal here, with + or #; costs little where the position `after` it is at hand. */
  san(move: Move, after = this.play(move)): string {
    const suffix = !after.isCheck() ? '' : after.isCheckmate() ? '#' : '+';
    return this.#sanWithoutSuffix(move) + suffix;
  }

  #sanWithoutSuffix({ from, to, castling, captured, promotion }: Move): string {
    if (castling !== undefined) return castling.rookFrom > from ? 'O-O' : 'O-O-O';
    const cell = this.cells[from]!;
    const role = roleOfCell(cell)!;
    const target = (captured === undefined ? '' : 'x') + makeSquare(to);
    if (role !== 'pawn') return ROLE_LETTERS[role] + this.#disambiguation(from, to, cell) + target;
    const file = captured === undefined ? '' : makeSquare(from)[0]!;
    return file + target + (promotion === undefined ? '' : `=${ROLE_LETTERS[promotion]}`);
  }

  /** File, rank or both where another piece of the kind may go to the same square: the file where that is enough. */
  #disambiguation(from: Square, to: Square, cell: Cell): string {
    const { role, color } = PIECES[cell - 1]!;
    const { board } = this.#chess;
    const others = attacks({ role, color }, to, board.occupied)
      .intersect(board.pieces(color, role))
      .without(from);
    if (others.isEmpty()) return '';
    let [isAlone, isFileShared, isRankShared] = [true, false, false];
    for (const other of others) {
      if (!this.#chess.dests(other, this.#context()).has(to)) continue;
      isAlone = false;
      isFileShared ||= (other & 7) === (from & 7);
      isRankShared ||= other >> 3 === from >> 3;
    }
    if (isAlone) return '';
    const [file, rank] = makeSquare(from);
    return (isRankShared || !isFileShared ? file! : '') + (isFileShared ? rank! : '');
  }

  /** Reads SAN (or tolerant spellings of it); undefined unless exactly one legal move is meant. */
  parseSan(san: string): Move | undefined {
    const move = parseSan(this.#chess, san);
    if (move === undefined || !('from' in move)) return undefined;
    return this.#find(move.from, move.to, move.promotion);
  }

  /** Reads UCI, castling as king's step or as king takes rook; undefined when it is not legal here. */
  parseUci(uci: string): Move | undefined {
    const match = /^([a-h][1-8])([a-h][1-8])([nbrq])?$/.exec(uci);
    if (match === null) return undefined;
    const square = (name: string): Square => name.charCodeAt(0) - 97 + (name.charCodeAt(1) - 49) * 8;
    const promotion =
      match[3] === undefined
        ? undefined
        : ({ n: 'knight', b: 'bishop', r: 'rook', q: 'queen' } as const)[match[3] as 'n'];
    return this.#find(square(match[1]!), square(match[2]!), promotion);
  }

  #find(from: Square, to: Square, promotion: Role | undefined): Move | undefined {
    const moves = this.movesFrom(from);
    return (
      moves.find((m) => m.castling !== undefined && m.castling.rookFrom === to) ??
      moves.find(
        (m) =>
          m.to === to && m.promotion === promotion && (m.castling === undefined || Math.abs(to - from) === 2),
      )
    );
  }

  /** UCI of a move: castling as the king's step in standard chess, as king takes rook in Chess960. */
  uci(move: Move): string {
    const to = this.variant === 'chess960' && move.castling !== undefined ? move.castling.rookFrom : move.to;
    const letter =
      move.promotion === undefined
        ? ''
        : ({ knight: 'n', bishop: 'b', rook: 'r', queen: 'q', pawn: '', king: '' } as const)[move.promotion];
    return makeSquare(move.from) + makeSquare(to) + letter;
  }

  /** FEN; in Chess960 with Shredder castling letters where X-FEN would be ambiguous. */
  fen(): string {
    return makeFen(this.#chess.toSetup());
  }

  /** Whether the side to move is in check. */
  isCheck(): boolean {
    return this.#context().checkers.nonEmpty();
  }

  /** Whether the side that has just moved stands in check: then the position was reached illegally. */
  isOpponentInCheck(): boolean {
    const king = this.#chess.board.kingOf(opponent(this.turn));
    if (king === undefined) return true;
    return this.#chess.kingAttackers(king, this.turn, this.#chess.board.occupied).nonEmpty();
  }

  /** Whether the side to move has a legal move. */
  hasMoves(): boolean {
    this.#hasMoves ??=
      this.#moves !== undefined ? this.#moves.length > 0 : this.#chess.hasDests(this.#context());
    return this.#hasMoves;
  }

  /**
   * How the game has ended by itself here: checkmate (5.1.1), stalemate (5.2.1), or a dead position (5.2.2) as far as
   * material alone proves it; undefined while it goes on, and where a king is missing.
   */
  ending(): Ending | undefined {
    if (this.#ending === undefined) {
      const kings = this.kingOf('white') !== undefined && this.kingOf('black') !== undefined;
      if (!kings) this.#ending = 'none';
      else if (!this.hasMoves()) this.#ending = this.isCheck() ? 'checkmate' : 'stalemate';
      else this.#ending = this.isInsufficientMaterial() ? 'dead-position' : 'none';
    }
    return this.#ending === 'none' ? undefined : this.#ending;
  }

  isCheckmate(): boolean {
    return this.kingOf(this.turn) !== undefined && this.isCheck() && !this.hasMoves();
  }

  isStalemate(): boolean {
    return this.kingOf(this.turn) !== undefined && !this.isCheck() && !this.hasMoves();
  }

  /** Whether neither side has the material to mate whatever happens (a quick sufficient test for a dead position). */
  isInsufficientMaterial(): boolean {
    return this.#chess.isInsufficientMaterial();
  }

  /**
   * Identity of the position for repetition (9.2.3): placement, side to move, castling rights, and an en passant
   * right only where a capture is really legal.
   */
  key(): string {
    this.#key ??= this.fen().split(' ').slice(0, 4).join(' ');
    return this.#key;
  }

  /** Squares from which castling of the side to move is still a right (rook squares), prevented for now or not. */
  castlingRooks(side: Side): readonly Square[] {
    return [...this.#chess.castles.castlingRights.intersect(SquareSet.backrank(side))];
  }

  /** Changes of the king's and that rook's way to their castling squares, whether castling is legal now or not. */
  castlingChanges(
    side: Side,
    rookFrom: Square,
  ): { kingTo: Square; rookTo: Square; changes: readonly Change[] } | undefined {
    const king = this.kingOf(side);
    if (king === undefined) return undefined;
    const wing = rookFrom > king ? 'h' : 'a';
    const kingTo = kingCastlesTo(side, wing);
    const rookTo = rookCastlesTo(side, wing);
    return { kingTo, rookTo, changes: this.#castlingChanges(king, kingTo, rookFrom, rookTo) };
  }
}

/** Reads the placement a FEN describes; undefined when it is malformed. */
export const placementOfFen = (fen: string): Placement | undefined => parsePlacement(fen);
