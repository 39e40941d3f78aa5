/** Players of a tournament report with their rounds, and the pairings that follow from them. */
import type { PlayerFacts } from '../tournament/tournament.ts';
import { type ImportedPairing, type ImportWarning, lineWarning } from './imported.ts';
import { POINTS, type RankedPlayer, scoreOf, sortTables } from './trf-tables.ts';

/** One round of a player: whom he met, with which colour, and the code of the result. */
export interface ReportedRound {
  /** Starting rank of the opponent; undefined for none. */
  readonly opponent: number | undefined;
  readonly colour: 'w' | 'b' | undefined;
  /** Upper case; '' for none. */
  readonly result: string;
}

export interface ReportedPlayer {
  readonly number: number;
  readonly facts: PlayerFacts;
  readonly rounds: readonly ReportedRound[];
  readonly team?: number;
  readonly teamBoard?: number;
  readonly line: number;
}

interface Pair {
  readonly white: RankedPlayer & { readonly at: number };
  readonly black: RankedPlayer & { readonly at: number };
  readonly result: ImportedPairing['result'];
  readonly line: number;
}

/**
 * Pairings of all rounds from the rounds of the players. What one of two says of the other has to be said by the other too: where it is
 * not, a warning names the line. Tables are derived.
 */
export function pairReported(
  players: readonly ReportedPlayer[],
  section: string,
  warnings: ImportWarning[],
): ImportedPairing[] {
  const places = new Map(players.map((player, at) => [player.number, at]));
  const rounds = Math.max(0, ...players.map((player) => player.rounds.length));
  const points = players.map(() => 0);
  const pairings: ImportedPairing[] = [];
  for (let round = 1; round <= rounds; round++) {
    const pairs: Pair[] = [];
    const byes: ImportedPairing[] = [];
    players.forEach((player, at) => {
      const own = player.rounds[round - 1];
      if (own === undefined) return;
      if (own.opponent === undefined) {
        if (/^[FUH+1]$/.test(own.result)) byes.push({ section, round, white: at, line: player.line });
        return;
      }
      const other = places.get(own.opponent);
      const back = other === undefined ? undefined : players[other]!.rounds[round - 1];
      if (other === undefined || back?.opponent !== player.number) {
        warnings.push(
          lineWarning(
            player.line,
            `round ${round}: ${player.number} is paired with ${own.opponent}, who is not paired with ${player.number}`,
          ),
        );
        return;
      }
      if (own.colour === back.colour && own.colour !== undefined) {
        if (player.number < own.opponent)
          warnings.push(
            lineWarning(
              player.line,
              `round ${round}: both ${player.number} and ${own.opponent} have the same colour`,
            ),
          );
        return;
      }
      // A forfeit before the colours were drawn has none: the better ranked stands first.
      const isWhite =
        own.colour === 'w' ||
        (own.colour === undefined &&
          back.colour !== 'w' &&
          (back.colour === 'b' || player.number < own.opponent));
      if (!isWhite) return;
      const ranked = (place: number): Pair['white'] => {
        const { number, team, teamBoard } = players[place]!;
        return {
          at: place,
          number,
          points: points[place]!,
          ...(team !== undefined && { team }),
          ...(teamBoard !== undefined && { teamBoard }),
        };
      };
      pairs.push({
        white: ranked(at),
        black: ranked(other),
        result: scoreOf(own.result, back.result),
        line: player.line,
      });
    });
    sortTables(pairs).forEach(({ white, black, result, line }, i) => {
      pairings.push({
        section,
        round,
        board: i + 1,
        isDerived: true,
        white: white.at,
        black: black.at,
        result: result ?? { score: '*', forfeit: false },
        line,
      });
    });
    pairings.push(...byes);
    players.forEach((player, at) => {
      points[at]! += POINTS[player.rounds[round - 1]?.result ?? ''] ?? 0;
    });
  }
  return pairings;
}
