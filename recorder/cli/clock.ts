import {
  defer,
  filter,
  ignoreElements,
  lastValueFrom,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  take,
  tap,
} from 'rxjs';
import type { BoardCommand } from '../../boards/definition.ts';
import { BOARDS } from '../../boards/registry.ts';
import { BoardError, type FaultCode } from '../../core/board-error.ts';
import type { Fault } from '../../core/result.ts';
import { makeLinkAddress, parseBoardAddress } from '../../driver/address.ts';
import { createSystemClock } from '../../driver/clock.ts';
import { createFleet } from '../../driver/fleet.ts';
import type { BoardId, FleetStatus } from '../../driver/roster.ts';
import { readBoardSettings } from '../board-settings.ts';
import { plainText } from '../view/display-text.ts';
import { makeFaultText } from '../view/fault-text.ts';
import { CLOCK, parseBoardOption, parseOptions } from './arguments.ts';
import type { Io } from './io.ts';
import { ArgumentError } from './print-fault.ts';

/** Longest wait for the board, ms: its own greeting takes a few seconds, an unanswered question a few more. */
const WAIT_MS = 20_000;

/** Failures that no waiting heals. */
const HOPELESS: readonly (FaultCode | undefined)[] = [
  'LINK_BUSY',
  'LINK_PERMISSION',
  'LINK_UNSUPPORTED',
  'LINK_FOREIGN',
  'LINK_SHARED',
];

/** What is asked for, and what is said when it was done. */
interface Wish {
  readonly command: BoardCommand;
  readonly done: string;
}

/**
 * Tells the clock of one board what an operator asks for, over a link of its own: a board at which a recorder runs is held by it
 * (LINK_BUSY). Status 1 with the code when the clock has not obeyed.
 */
export async function runClock(
  place: string,
  what: string,
  words: readonly string[],
  options: unknown,
  io: Io,
): Promise<number> {
  const { command, done } = readWish(place, what, words, parseOptions(CLOCK, options));
  const named = parseBoardAddress(place).ok ? parseBoardOption(place) : undefined;
  if (named === undefined && !/^[a-z][a-z0-9-]*$/i.test(place))
    throw new BoardError('LINK_ADDRESS', { address: place });
  const clock = createSystemClock();
  const fleet = createFleet({
    // A board that is named by its number is looked for where one with a clock may be.
    definitions: named === undefined ? BOARDS.filter(({ capabilities }) => capabilities.clock) : BOARDS,
    clock,
    settings: readBoardSettings(BOARDS, io.env),
    ...(named === undefined ? { search: 'all' } : { named: [named], search: 'none' }),
  });
  const isWanted = (board: BoardId): boolean => named !== undefined || board === place;
  let latest: FleetStatus = { boards: [], ports: [] };
  let version: string | undefined;

  const look = ({ boards, ports }: FleetStatus): BoardId | Fault | undefined => {
    const up = boards.find(({ board, state }) => state === 'up' && isWanted(board));
    if (up !== undefined) return up.board;
    return named && ports.find(({ fault }) => HOPELESS.includes(fault?.code as FaultCode | undefined))?.fault;
  };
  const giveUp = (): Fault =>
    latest.ports.find(({ fault }) => fault !== undefined)?.fault ??
    new BoardError('COMMAND_AWAY', {
      board: named === undefined ? place : makeLinkAddress(named.link),
    }).toFault();
  const found$ = merge(
    fleet.status$.pipe(
      tap((status) => {
        latest = status;
      }),
      map(look),
      filter((found) => found !== undefined),
    ),
    clock.timer$(WAIT_MS).pipe(map(giveUp)),
  ).pipe(take(1));
  // Keeps the ports open until the answer is there.
  const watched$ = fleet.updates$.pipe(
    tap(({ board, update }) => {
      if (isWanted(board) && update.type === 'identity') version = update.identity.clock ?? version;
    }),
    ignoreElements(),
  );
  const answer$ = defer(() => found$).pipe(
    mergeMap(
      (found): Observable<Fault | undefined> =>
        typeof found === 'string' ? fleet.command$(found, command) : of(found),
    ),
  );
  const fault = await lastValueFrom(merge(watched$, answer$).pipe(take(1)));
  if (fault !== undefined) {
    io.err.write(makeFaultText(fault));
    return 1;
  }
  io.out.write(
    `${plainText(command.type === 'clockVersion' ? (version ?? 'a clock of no known version') : done)}\n`,
  );
  return 0;
}

/** Reads what is asked for; throws an `ArgumentError`. */
function readWish(
  place: string,
  what: string,
  words: readonly string[],
  { run, beep }: { readonly run?: 'left' | 'right' | undefined; readonly beep: boolean },
): Wish {
  if (run !== undefined && what !== 'set')
    throw new ArgumentError(`--run goes with "set", not with "${what}"`);
  if (beep && what !== 'show') throw new ArgumentError(`--beep goes with "show", not with "${what}"`);
  const expect = (least: number, most: number, form: string): void => {
    if (words.length < least || words.length > most) throw new ArgumentError(`expected clock BOARD ${form}`);
  };
  switch (what) {
    case 'version':
      expect(0, 0, 'version');
      return { command: { type: 'clockVersion' }, done: '' };
    case 'clear':
      expect(0, 0, 'clear');
      return { command: { type: 'clockText', text: '' }, done: 'the clock shows its times' };
    case 'show': {
      expect(1, 20, 'show TEXT');
      const text = words.join(' ');
      if (text === '') throw new ArgumentError('the text is empty; "clear" shows the times again');
      return {
        command: { type: 'clockText', text, beep },
        done: `the clock shows "${text}"; \`jadoube clock ${place} clear\` shows its times again`,
      };
    }
    case 'set': {
      expect(1, 2, 'set H:MM:SS [H:MM:SS] [--run left|right]');
      const [left, right = left] = words as [string, string?];
      const leftMs = parseTime(left);
      const rightMs = parseTime(right!);
      return {
        command: { type: 'clockSet', leftMs, rightMs, running: run },
        done: `the clock is set: left ${left}, right ${right}, ${run === undefined ? 'standing' : `${run} runs`}`,
      };
    }
    default:
      throw new ArgumentError(`"${what}" is nothing to tell a clock: version, show, clear or set`);
  }
}

/** Hours, minutes and seconds, all of them: "1:30" would be two things. */
function parseTime(text: string): number {
  const match = /^(\d):([0-5]\d):([0-5]\d)$/.exec(text);
  if (match === null) throw new ArgumentError(`"${text}" is no time such as 1:30:00 or 0:05:00`);
  const [hours, minutes, seconds] = match.slice(1).map(Number) as [number, number, number];
  return ((hours * 60 + minutes) * 60 + seconds) * 1000;
}
