/** The moves of a game with their states and times; what else fits stands beside a doubt. */
import { useEffect, useRef } from 'preact/hooks';
import type { GameLine } from '../../../core/laws/game-line.ts';
import type { DeskPly, GameDetails } from '../model/desk-api.ts';
import { say, sayClock, sayDuration, sayMove, sayTime } from './speech.ts';

const STATE_SIGNS = { provisional: '…', ambiguous: '?', confirmed: '', settled: '' } as const;

/** Time from the ply before; undefined where it is not known. */
export function usedMs(plies: readonly DeskPly[], index: number, startedAtMs: number): number | undefined {
  const ply = plies[index];
  if (ply === undefined) return undefined;
  const [own, before] = [ply.clockMs, plies[index - 2]?.clockMs];
  const ended = ply.completedAtMs ?? ply.madeAtMs;
  const began = index === 0 ? startedAtMs : (plies[index - 1]!.completedAtMs ?? plies[index - 1]!.madeAtMs);
  const lasted = Math.max(0, ended - began);
  // What two clocks say is nearer to the truth than when a hand was seen, unless time was added.
  return own !== undefined && before !== undefined && before >= own ? before - own : lasted;
}

export interface MovesTableProps {
  readonly game: GameDetails;
  readonly line: GameLine;
  /** Ply that is looked at; 0 before the first. */
  readonly at: number;
  readonly onSelect: (ply: number) => void;
}

export function MovesTable({ game, line, at, onSelect }: MovesTableProps) {
  const current = useRef<HTMLLIElement>(null);
  const { plies } = game;
  const offset = (line.start.fullmoves - 1) * 2 + (line.start.turn === 'black' ? 1 : 0);
  useEffect(() => {
    current.current?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  if (plies.length === 0) return <p class="empty">{say('no-moves')}</p>;
  return (
    <ol class="moves" aria-label={say('moves')}>
      {plies.map((ply, i) => {
        const half = offset + i;
        const number = `${Math.floor(half / 2) + 1}${half % 2 === 0 ? '.' : '…'}`;
        const used = usedMs(plies, i, game.startedAtMs);
        const state = say(ply.inferred === true ? 'ply-inferred' : `ply-${ply.state}`);
        return (
          <li
            key={i}
            ref={i + 1 === at ? current : null}
            class={`ply ${ply.state}${ply.inferred === true ? ' inferred' : ''}`}
          >
            <button
              type="button"
              aria-current={i + 1 === at ? 'true' : undefined}
              onClick={() => onSelect(i + 1)}
              title={`${state}, ${sayTime(ply.completedAtMs ?? ply.madeAtMs)}`}
            >
              <span class="number">{number}</span>
              <span class="san">
                {sayMove(ply.san)}
                {STATE_SIGNS[ply.state]}
              </span>
              <span class="visually-hidden">, {state}</span>
              <span class="used">{used === undefined ? '' : sayDuration(used)}</span>
              <span class="clock">{ply.clockMs === undefined ? '' : sayClock(ply.clockMs)}</span>
            </button>
            {ply.candidates !== undefined && ply.state === 'ambiguous' && (
              <span class="candidates">
                {say('candidates')}: {ply.candidates.map(sayMove).join(', ')}
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}
