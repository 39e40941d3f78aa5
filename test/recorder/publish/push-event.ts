import { MachineDriver } from '../../../core/machine.ts';
import { parsePgn } from '../../../recorder/pgn/reader.ts';
import { joinPgn } from '../../../recorder/pgn/writer.ts';
import type { DocumentChange } from '../../../recorder/publish/documents.ts';
import { pushRound } from '../../../recorder/publish/lichess-push.ts';
import { makeLichessTags } from '../../../recorder/publish/lichess-tags.ts';
import type { PublicGame } from '../../../recorder/publish/public-event.ts';
import { createPublication, gameFile, type PublicationEvent } from '../../../recorder/publish/publication.ts';
import type { BroadcastRound } from './broadcast-stand-in.ts';
import { eventOf, pairing } from './public-games.ts';
import { simulateRound } from './simulated-event.ts';

/** What is wrong with a round that was pushed while it was played, in words; empty when nothing is. */
export interface PushedRound {
  readonly faults: readonly string[];
  readonly pushes: number;
  readonly withdrawn: number;
  readonly amended: number;
  readonly illegal: number;
  readonly kings: number;
}

/** Plays a round and pushes it after every `every` changes; names are corrected and boards reordered on the way. */
export async function pushSimulatedRound(
  round: number,
  boards: number,
  every: number,
  url: string,
  token: string,
  broadcast: BroadcastRound,
): Promise<PushedRound> {
  const { states, ...counts } = simulateRound(round, boards);
  const publication = createPublication({ documents: ['pgn'], dialect: makeLichessTags });
  const driver = new MachineDriver<PublicationEvent, DocumentChange>(publication);
  const games = Array.from({ length: boards }, (_, i): PublicGame => pairing(round, i + 1));
  const tell = (atMs: number): void => {
    driver.feed({ type: 'event', atMs, event: eventOf(games, { rounds: round }) });
  };
  const push = () => {
    const texts = games
      .map(({ board }) => board)
      .sort((a, b) => a - b)
      .flatMap((board) => publication.text(gameFile(round, board, 'pgn')) ?? []);
    return pushRound(url, `round${round}`.padEnd(8, 'x'), token, joinPgn(texts));
  };
  tell(0);
  const faults: string[] = [];
  const check = async (): Promise<void> => {
    for (const { tags, error } of await push())
      if (error !== undefined) faults.push(`${tags.GameId}: ${error}`);
    if (broadcast.chapters.length !== boards) faults.push(`${broadcast.chapters.length} chapters`);
  };
  await check();
  for (const [i, { atMs, recorded }] of states.entries()) {
    driver.feed({ type: 'recorded', atMs, recorded });
    if (i === Math.floor(states.length / 3)) {
      // A name is spelt right at last, and two tables have been entered the wrong way round.
      games[0] = { ...games[0]!, tags: { ...games[0]!.tags, White: 'Correct, Name' } };
      const [a, b] = [games[1]!, games[2]!];
      games[1] = { ...a, board: b.board };
      games[2] = { ...b, board: a.board };
      tell(atMs);
    }
    if (i % every === 0) await check();
  }
  await check();
  // What stands there is what our own reader reads in what we have published.
  for (const { token: id, board } of games) {
    const ours = parsePgn(publication.text(gameFile(round, board, 'pgn'))!)[0]!;
    const theirs = broadcast.chapters.filter(({ tags }) => tags.get('GameId') === id);
    if (theirs.length !== 1) faults.push(`${id}: ${theirs.length} chapters`);
    // A line that was shortened last stays longer there: that is said of games that are over, and where it stands is right.
    if (theirs[0]?.live !== ours.plies.length) faults.push(`${id}: stands after ${theirs[0]?.live} moves`);
    if (!ours.plies.every(({ san }, i) => san === theirs[0]?.moves[i])) faults.push(`${id}: other moves`);
    if (theirs[0]?.tags.get('Result') !== ours.tags.get('Result')) faults.push(`${id}: another result`);
  }
  return { ...counts, faults, pushes: broadcast.pushes };
}
