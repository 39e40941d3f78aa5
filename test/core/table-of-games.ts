/**
 * Tables of situations at a board in the notation of traces: what came in, and the game and flags it must give. Each
 * row is tried as written, with the colours exchanged, on a board turned by 180 degrees, with every change of a
 * square reported twice, and with a picture of the board after each.
 */
import { describe, expect, it } from 'vitest';
import type { Severity } from '../../core/flag.ts';
import type { GameEvent, PlyState } from '../../core/game-event.ts';
import { type GameRecord, makeRecords } from '../../core/game-record.ts';
import { createLaws } from '../../core/laws/laws.ts';
import { withLaws } from '../../core/laws/with-laws.ts';
import { runThrough } from '../../core/machine.ts';
import { EMPTY, makePlacement, parseCell, parsePlacement } from '../../core/placement.ts';
import { START_FEN } from '../../core/position.ts';
import { createReconstructor, type ReconstructorOptions } from '../../core/reconstructor.ts';
import type { SensorEvent } from '../../core/sensor-event.ts';
import { makeSquare, parseSquare, turnSquare } from '../../core/square.ts';
import { parseTraceEvents } from '../../recorder/replay/trace.ts';
import { beliefFaults, formFaults } from './event-contract.ts';

export interface RowOptions {
  readonly occupancy?: boolean;
  readonly chess960?: boolean;
  /** The board is known to be turned; events are in its own numbering. */
  readonly rotated?: boolean;
  /** The board is meant to differ from the record at the end. */
  readonly differs?: boolean;
  /** State of the last ply of the longest game. */
  readonly lastState?: PlyState;
  readonly games?: number;
  /** Only as written: the row is about one colour or one orientation. */
  readonly asWritten?: boolean;
}

/**
 * Moves: SAN, " | " between lists of which any is right, " / " between games (then every game counts, else the
 * longest). Wanted flags: a code, `CODE:severity` when the severity matters, `!CODE` for one that may not be raised.
 * Allowed flags: warnings and alarms that need not be raised.
 */
export type Row = readonly [
  title: string,
  fen: string,
  events: string,
  moves: string,
  wanted?: string,
  allowed?: string,
  options?: RowOptions,
];

interface Play {
  readonly fen: string;
  readonly events: string;
  readonly moves: string;
  readonly wanted: string;
  readonly allowed: string;
  readonly options: RowOptions;
}

export interface Derived {
  readonly games: readonly GameRecord[];
  readonly outputs: readonly GameEvent[];
}

/** Reads the events of a row; a row that cannot be read is a mistake of ours. */
export function readEvents(text: string, occupancy = false): SensorEvent[] {
  const events = parseTraceEvents(text, occupancy);
  if (!events.ok) throw new Error(events.fault.message);
  return events.value;
}

export const optionsOf = (fen: string, options: RowOptions = {}): ReconstructorOptions => ({
  profile: { sensing: options.occupancy === true ? 'occupancy' : 'identity', scanMs: 0 },
  start: fen === 'start' ? START_FEN : fen,
  variant: options.chess960 === true ? 'chess960' : 'standard',
  rotated: options.rotated === true,
});

/** Everything a fresh reconstructor says to these events, the long quiet at the end included. */
export const outputsOf = (events: readonly SensorEvent[], options: ReconstructorOptions): GameEvent[] => [
  ...runThrough(createReconstructor(options), events, Number.POSITIVE_INFINITY),
];

/** A reconstructor with the Laws. Who can still mate is not the matter here: bare positions make the rows short. */
const judged = (options: ReconstructorOptions) =>
  withLaws(
    createReconstructor(options),
    createLaws({ rotated: options.rotated === true, canMate: () => 'winnable' }),
  );

/** Derives the games of a text of events. */
export function derive(fen: string, text: string, options: RowOptions = {}): Derived {
  const machine = judged(optionsOf(fen, options));
  const events = readEvents(text, options.occupancy);
  const outputs = [...runThrough(machine, events, Number.POSITIVE_INFINITY)];
  return { games: makeRecords(outputs), outputs };
}

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '' && word !== '-');
const bare = (moves: string): string => words(moves.replace(/[+#]/g, '')).join(' ');
export const wordOf = (code: string): string => code.replace(/\(.*$/, '');

export const sansOf = (game: GameRecord): string => bare(game.plies.map((ply) => ply.san).join(' '));

const isLoud = (severity: Severity): boolean => severity === 'warning' || severity === 'alarm';

/** What is wrong with the games derived from a row, in words; empty when it comes out as its text says. */
export function faultsOf(play: Play): string {
  const { games, outputs } = derive(play.fen, play.events, play.options);
  const faults = [...formFaults(outputs), ...beliefFaults(outputs)];
  const longest = [...games].sort((a, b) => b.plies.length - a.plies.length)[0];
  if (longest === undefined) return 'no game';
  const all = play.moves.includes('/') ? games.map(sansOf).join(' / ') : sansOf(longest);
  const expected = play.moves.split('|').map((list) => list.split('/').map(bare).join(' / '));
  if (!expected.includes(all)) faults.push(`moves "${all}" instead of "${expected.join('" or "')}"`);

  const flags = games.flatMap((game) => game.flags);
  const wanted = words(play.wanted);
  for (const word of wanted) {
    const [code = '', severity] = word.split(':');
    const found = flags.filter((flag) => flag.code === code || wordOf(flag.code) === code);
    if (code.startsWith('!')) {
      if (flags.some((flag) => wordOf(flag.code) === code.slice(1)))
        faults.push(`${code.slice(1)} was raised`);
    } else if (found.length === 0) faults.push(`no ${code}`);
    else if (severity !== undefined && !found.some((flag) => flag.severity === severity))
      faults.push(`${code} is ${found[0]!.severity}`);
  }
  const permitted = [...wanted, ...words(play.allowed)].map((word) => wordOf(word.split(':')[0]!));
  // The Laws say once more what the reconstructor has ended the game with.
  if (games.some(({ reason }) => reason === 'dead-position')) permitted.push('DEAD_POSITION');
  for (const flag of flags) {
    if (isLoud(flag.severity) && !permitted.includes(wordOf(flag.code)))
      faults.push(`${flag.code} (${flag.severity}) at ${flag.atMs} ${flag.detail ?? ''}`);
  }
  const last = games[games.length - 1]!;
  const { differs, lastState, games: count } = play.options;
  if (differs !== true && !last.inSync) faults.push('board and record differ at the end');
  if (lastState !== undefined && longest.plies.at(-1)?.state !== lastState)
    faults.push(`the last ply is ${longest.plies.at(-1)?.state}`);
  if (count !== undefined && games.length !== count) faults.push(`${games.length} games`);
  return faults.join('; ');
}

// ---------------------------------------------------------------- the same situation, seen otherwise

const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
const flipRank = (name: string): string => `${name[0]}${9 - Number(name[1])}`;
const flipPlacement = (placement: string): string => swapCase(placement.split('/').reverse().join('/'));
const turnPlacement = (placement: string): string =>
  placement
    .split('/')
    .reverse()
    .map((row) => [...row].reverse().join(''))
    .join('/');

/** Tokens with every square, placement and piece put through a change. */
const mapEvents = (
  text: string,
  square: (name: string) => string,
  placement: (text: string) => string,
  piece: (letter: string) => string,
  press: (token: string) => string,
): string =>
  words(text)
    .map((token) => {
      if (token.startsWith('D=')) return `D=${placement(token.slice(2))}`;
      if (token === 'CW' || token === 'CB') return press(token);
      const match = /^([-+])([a-h][1-8])(?:=(.))?$/.exec(token);
      if (match === null) return token;
      const tail = match[3] === undefined ? '' : `=${piece(match[3])}`;
      return `${match[1]}${square(match[2]!)}${tail}`;
    })
    .join(' ');

function flipFen(fen: string): string {
  const [placement, turn, castling, enPassant, ...rest] = (fen === 'start' ? START_FEN : fen).split(' ');
  const fields = [
    flipPlacement(placement!),
    turn === 'w' ? 'b' : 'w',
    castling === '-' ? '-' : swapCase(castling!),
    enPassant === '-' ? '-' : flipRank(enPassant!),
    ...rest,
  ];
  return fields.join(' ');
}

const flipCodes = (text: string): string =>
  text.replace(/1-0|0-1/g, (result) => (result === '1-0' ? '0-1' : '1-0'));

/** The row with White and Black exchanged: ranks upside down, letters in the other case. */
export const exchangeColours = (play: Play): Play => ({
  fen: flipFen(play.fen),
  events: mapEvents(play.events, flipRank, flipPlacement, swapCase, (token) =>
    token === 'CW' ? 'CB' : 'CW',
  ),
  moves: play.moves.replace(/[1-8]/g, (rank) => `${9 - Number(rank)}`),
  wanted: flipCodes(play.wanted),
  allowed: play.allowed,
  options: play.options,
});

/** The row as a board that is known to be turned would send it. */
export const turnBoard = (play: Play): Play => ({
  ...play,
  events: mapEvents(
    play.events,
    (name) => makeSquare(turnSquare(parseSquare(name)!)),
    turnPlacement,
    (letter) => letter,
    (token) => token,
  ),
  options: { ...play.options, rotated: play.options.rotated !== true },
});

/** The row as a board sends it that reports every change twice. */
export const repeatChanges = (play: Play): Play => ({
  ...play,
  events: words(play.events)
    .map((token) => (/^[-+]/.test(token) ? `${token} ~0 ${token}` : token))
    .join(' '),
});

/** The row as a board sends it that is asked for the whole picture after every change. */
export function addPictures(play: Play): Play {
  const start = (play.fen === 'start' ? START_FEN : play.fen).split(' ')[0]!;
  const board = parsePlacement(play.options.rotated === true ? turnPlacement(start) : start)!;
  const tokens: string[] = [];
  for (const token of words(play.events)) {
    tokens.push(token);
    const match = /^[-+]([a-h][1-8])(?:=(.))?$/.exec(token);
    if (match !== null) {
      board[parseSquare(match[1]!)!] = match[2] === undefined ? EMPTY : parseCell(match[2])!;
      tokens.push('~0', `D=${makePlacement(board)}`);
    }
  }
  return { ...play, events: tokens.join(' ') };
}

const playOf = ([, fen, events, moves, wanted = '', allowed = '', options = {}]: Row): Play => ({
  fen,
  events,
  moves,
  wanted,
  allowed,
  options,
});

/** Declares the tests of a table. */
export function testGames(title: string, rows: readonly Row[]): void {
  describe(title, () => {
    for (const row of rows) {
      const play = playOf(row);
      it(row[0], () => {
        expect(faultsOf(play)).toBe('');
        if (play.options.asWritten === true) return;
        expect(faultsOf(exchangeColours(play)), 'with the colours exchanged').toBe('');
        expect(faultsOf(turnBoard(play)), 'on a turned board').toBe('');
        expect(faultsOf(repeatChanges(play)), 'with every change reported twice').toBe('');
        // Where pictures tell something of their own, one more would be another history.
        if (!/LINK|D=/.test(play.events)) {
          expect(faultsOf(addPictures(play)), 'with a picture after every change').toBe('');
        }
      });
    }
  });
}
