import type { PgnHeaders } from '../pgn/writer.ts';
import type { EventFacts, Pairing, Player } from './tournament.ts';

/** Tags of PGN that a pairing gives its game, `GameId` included. What is not known is left out. */
export function makeGameTags(
  event: EventFacts,
  pairing: Pick<Pairing, 'token' | 'section' | 'round' | 'board' | 'white' | 'black'>,
  date?: string,
): PgnHeaders {
  const { white, black, round, board, section, token } = pairing;
  return {
    ...some('Event', event.name),
    ...some('Site', event.site),
    ...some('Date', date),
    // Round and table in one is what readers of broadcasts expect (broadcast-pgn-trf 3.3).
    Round: board === undefined ? String(round) : `${round}.${board}`,
    ...some('Board', board),
    ...some('Section', section === '' ? undefined : section),
    ...some('EventDate', event.startDate),
    ...some('TimeControl', event.timeControl),
    ...playerTags('White', white),
    ...playerTags('Black', black),
    GameId: token,
  };
}

const some = (name: string, value: string | number | undefined): PgnHeaders =>
  value === undefined || value === ''
    ? {}
    : { [name]: name.endsWith('Date') ? String(value).replaceAll('-', '.') : String(value) };

const playerTags = (side: 'White' | 'Black', player: Player | undefined): PgnHeaders =>
  player === undefined
    ? {}
    : {
        [side]: player.name,
        ...some(`${side}Title`, player.title),
        ...some(`${side}Elo`, player.rating),
        ...some(`${side}FideId`, player.fideId),
        ...some(`${side}Team`, player.team),
      };
