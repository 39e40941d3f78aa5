/** Games pushed to the rounds of a lichess broadcast (broadcast-pgn-trf 1.2): the whole round each time. */
import {
  concatMap,
  defer,
  EMPTY,
  from,
  groupBy,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  ReplaySubject,
  tap,
  throttleTime,
} from 'rxjs';
import { z } from 'zod';
import { BoardError, type FaultCode } from '../../core/board-error.ts';
import { attempt, type FailedAttempt, failedAttempt, tellLost } from '../attempt.ts';
import { hideSecrets } from '../config/secret.ts';
import { isLoopback } from '../http/serve-app.ts';
import { parsePgn } from '../pgn/reader.ts';
import { joinPgn } from '../pgn/writer.ts';
import { readVersion } from '../version.ts';
import type { DocumentChange } from './documents.ts';
import type { Publication } from './publication.ts';

/** A round was pushed and taken. */
export interface RoundPushed {
  readonly type: 'pushed';
  readonly round: string;
  readonly games: number;
}

export interface LichessPushOptions {
  readonly publication: Pick<Publication, 'text' | 'names'>;
  /** Ids of broadcast rounds by our number of the round; with a section before it where there are several: `a/1`. */
  readonly rounds: Readonly<Record<string, string>>;
  /** Asked for at each push, never kept or told. */
  readonly token: () => string;
  readonly url: string;
  /** Shortest time between two pushes of a round, ms. */
  readonly everyMs?: number;
  /** Waits after failures, ms: the first, and the longest. */
  readonly retryMs?: number;
  readonly longestRetryMs?: number;
}

/** So many games of a round are shown there. */
const MOST_GAMES = 100;
const EVERY_MS = 2000;
const RETRY_MS = 2000;
const LONGEST_RETRY_MS = 60_000;
/** After these only somebody's hand helps, or a minute's rest. */
const SLOW: readonly FaultCode[] = ['LICHESS_TOKEN', 'LICHESS_ROUND', 'LICHESS_REFUSED', 'LICHESS_BUSY'];
const TIMEOUT_MS = 30_000;

const ANSWER = z.object({
  games: z.array(
    z.object({
      tags: z.record(z.string(), z.unknown()).default({}),
      moves: z.number().optional(),
      error: z.string().optional(),
    }),
  ),
});

/** What a refusal says, short and printable; never what we have sent. */
const detailOf = (text: string): string => {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    if (typeof error === 'string') return error.replace(/\s+/g, ' ').slice(0, 300);
  } catch {
    // No JSON: a proxy or a page of an error.
  }
  return text
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 120);
};

const CODES: Readonly<Record<number, FaultCode>> = {
  401: 'LICHESS_TOKEN',
  403: 'LICHESS_TOKEN',
  404: 'LICHESS_ROUND',
  429: 'LICHESS_BUSY',
};

/**
 * Pushes the text of a round; what became of each game. Rejects with LICHESS_TOKEN, LICHESS_ROUND, LICHESS_REFUSED, LICHESS_BUSY
 * or LICHESS_UNREACHABLE, which never hold the token.
 */
export async function pushRound(
  url: string,
  round: string,
  token: string,
  pgn: string,
): Promise<z.output<typeof ANSWER>['games']> {
  const target = new URL(`/api/broadcast/round/${encodeURIComponent(round)}/push`, url);
  const context = { round, url: target.origin };
  // A token that travels in the clear belongs to whoever listens.
  if (target.protocol !== 'https:' && !isLoopback(target.hostname))
    throw new BoardError('LICHESS_TOKEN', { ...context, detail: 'it is sent to https only' });
  let status: number;
  let text: string;
  try {
    const reply = await fetch(target, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'text/plain; charset=utf-8',
        'User-Agent': `Jadoube/${readVersion()}`,
      },
      body: pgn,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    status = reply.status;
    text = await reply.text();
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const detail = hideSecrets(cause instanceof Error ? cause.message : String(cause), [token]);
    throw new BoardError('LICHESS_UNREACHABLE', { ...context, detail });
  }
  if (status === 200) {
    try {
      return ANSWER.parse(JSON.parse(text)).games;
    } catch {
      throw new BoardError('LICHESS_UNREACHABLE', { ...context, detail: 'the answer cannot be read' });
    }
  }
  const code = CODES[status] ?? (status >= 500 ? 'LICHESS_UNREACHABLE' : 'LICHESS_REFUSED');
  // Whoever answers may repeat what it was asked with.
  throw new BoardError(code, {
    ...context,
    detail: hideSecrets(`${status} ${detailOf(text)}`.trim(), [token]),
  });
}

/** The round a document belongs to, as the settings name it, and the number of its board. */
function placeOf(name: string): { round: string; board: number } | undefined {
  const match = /^(?:(.+)\/)?round-(\d+)\/game-(\d+)\.pgn$/.exec(name);
  if (match === null) return undefined;
  const [, section, round, board] = match;
  return { round: section === undefined ? round! : `${section}/${round}`, board: Number(board) };
}

/** Games of a round in the order of their boards. */
const textsOf = (publication: LichessPushOptions['publication'], round: string): string[] =>
  publication
    .names()
    .flatMap((name) => {
      const place = placeOf(name);
      return place?.round === round ? [{ name, board: place.board }] : [];
    })
    .sort((a, b) => a.board - b.board)
    .flatMap(({ name }) => publication.text(name) ?? []);

const nameOf = (tags: Readonly<Record<string, unknown>>): string =>
  `${String(tags.White ?? '?')} - ${String(tags.Black ?? '?')}`;

/**
 * Pushes rounds whose games change: at once, then at most every other second, always with the newest text, one push of a
 * round at a time. What fails is tried again, ever more slowly; a game that is refused is told once, and once more when it is
 * taken. When the source completes what is due is pushed once more.
 */
export function pushToLichess(
  options: LichessPushOptions,
): OperatorFunction<DocumentChange, RoundPushed | FailedAttempt> {
  const { publication, rounds, url } = options;
  const { everyMs = EVERY_MS, retryMs = RETRY_MS, longestRetryMs = LONGEST_RETRY_MS } = options;
  return (source) =>
    defer(() => {
      let ending = false;
      const end$ = new ReplaySubject<void>(1);
      const pushed = new Map<string, string>();
      const refused = new Map<string, string>();

      const push = (round: string): Observable<RoundPushed | FailedAttempt> => {
        let failures = 0;
        const action = async (): Promise<readonly (RoundPushed | FailedAttempt)[]> => {
          const all = textsOf(publication, round);
          const pgn = joinPgn(all.slice(0, MOST_GAMES));
          if (all.length === 0 || pushed.get(round) === pgn) return [];
          const games = await pushRound(url, rounds[round]!, options.token(), pgn);
          pushed.set(round, pgn);
          failures = 0;
          const news: (RoundPushed | FailedAttempt)[] = [{ type: 'pushed', round, games: games.length }];
          if (all.length > MOST_GAMES) news.push(...once(`${round} size`, tooMany(round, all.length)));
          for (const [i, { tags, error, moves }] of games.entries()) {
            const game = nameOf(tags);
            const key = `${round} ${String(tags.GameId ?? game)}`;
            if (error !== undefined) {
              news.push(...once(key, refusedGame(game, error)));
              continue;
            }
            // A shorter line takes no moves away there (1.5). While a game goes on, its next move does.
            const ours = moves === undefined ? undefined : overAfter(all[i]);
            if (ours !== undefined && moves! > ours) news.push(...once(key, aheadOf(game, moves!, ours)));
            else refused.delete(key);
          }
          return news;
        };
        const once = (key: string, error: BoardError): FailedAttempt[] => {
          if (refused.get(key) === error.message) return [];
          refused.set(key, error.message);
          return [failedAttempt(error, false)];
        };
        const goesOn = (error: BoardError): boolean => {
          failures = SLOW.includes(error.code) ? 16 : failures + 1;
          return !ending;
        };
        const waitMs = (): number => Math.min(longestRetryMs, retryMs * 2 ** Math.min(failures - 1, 16));
        return attempt(() => from(action()).pipe(mergeMap((news) => news)), waitMs, goesOn, end$).pipe(
          tellLost,
        );
      };

      return source.pipe(
        tap({
          complete: () => {
            ending = true;
            end$.next();
          },
        }),
        mergeMap(({ name }) => {
          const round = placeOf(name)?.round;
          return round === undefined || rounds[round] === undefined ? EMPTY : of(round);
        }),
        groupBy((round) => round),
        mergeMap((changes$) =>
          changes$.pipe(throttleTime(everyMs, undefined, { leading: true, trailing: true }), concatMap(push)),
        ),
      );
    });
}

/** How many plies a game has that is over; undefined while it goes on. */
function overAfter(pgn: string | undefined): number | undefined {
  const game = pgn === undefined ? undefined : parsePgn(pgn)[0];
  return game === undefined || (game.tags.get('Result') ?? '*') === '*' ? undefined : game.plies.length;
}

const refusedGame = (game: string, error: string): BoardError =>
  new BoardError('LICHESS_GAME_REFUSED', { game, detail: error.slice(0, 300) });
const aheadOf = (game: string, shown: number, plies: number): BoardError =>
  new BoardError('LICHESS_AHEAD', { game, shown, plies });
const tooMany = (round: string, games: number): BoardError =>
  new BoardError('LICHESS_TOO_MANY', { round, games });
