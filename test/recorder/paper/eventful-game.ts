import type { Flag } from '../../../core/flag.ts';
import { FLAG_WORDS, type FlagWord } from '../../../core/flag.ts';
import type { GameRecord } from '../../../core/game-record.ts';
import type { Decision, Ruling } from '../../../core/laws/decision.ts';
import type { PaperGame } from '../../../recorder/paper/paper-game.ts';
import { playedGame } from '../pgn/played-game.ts';

export const WALL_MS = new Date(2026, 0, 2, 15, 0, 0).getTime();

export const paperGame = (record: GameRecord, tags: Record<string, string> = {}): PaperGame => ({
  id: 7,
  board: 'dgt-1',
  startedWallMs: WALL_MS,
  record,
  tags,
  wallMsOf: (atMs) => WALL_MS + atMs,
});

/** A flag as it is raised. */
export const flag = (code: string, ply: number, atMs: number, detail?: string): Flag => ({
  code,
  severity: FLAG_WORDS[code.replace(/\(.*/, '') as FlagWord][0],
  ply,
  atMs,
  ...(detail !== undefined && { detail }),
});

export const decision = (atMs: number, ruling: Ruling): Decision => ({
  type: 'decision',
  atMs,
  by: 'A. Arbiter',
  ruling,
});

/** A standard game in which much happens: an illegal move that stands, doubts, time added, time trouble, an offer. */
export function eventfulGame(): PaperGame {
  const record = playedGame(['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6', 'Bxc6', 'dxc6', 'O-O', '!d8d3'], {
    states: [
      'settled',
      'settled',
      'ambiguous',
      'settled',
      'settled',
      'settled',
      'settled',
      'settled',
      'settled',
      'provisional',
    ],
    clocks: [5_400_000, 5_395_000, 320_000, 5_300_000, 298_000, 5_200_000, 200_000, 5_100_000, 190_000],
  });
  record.plies[2] = { ...record.plies[2]!, candidates: ['Nf3', 'Nh3'] };
  record.plies[5] = { ...record.plies[5]!, inferred: true };
  record.flags.push(
    flag('AMBIGUOUS(2)', 3, 2500, 'Nf3; Nh3'),
    flag('TOUCH', 4, 3000, 'b8'),
    flag('MISSED_PLIES(1)', 6, 5600),
    flag('PRESSED_WITHOUT_MOVE', 9, 7700),
    flag('TIME_ADDED(black,120)', 8, 7800, 'black 120 s'),
    flag('ILLEGAL', 10, 9400, 'd8d3'),
    flag('RESULT_CONFLICT', 10, 9500, 'board 1-0, desk 0-1'),
  );
  record.result = '1-0';
  record.reason = 'kings';
  record.ended = true;
  return paperGame(record, {
    Event: 'Open <"A">',
    Round: '3',
    White: 'Anna & Co',
    Black: 'Ben \x1b[31m',
    WhiteElo: '2100',
    TimeControl: '40/5400:1800',
  });
}
