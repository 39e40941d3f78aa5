/** Time used per move: White's upwards, Black's downwards. */
import type { GameDetails } from '../model/desk-api.ts';
import { usedMs } from './moves-table.tsx';
import { phrases, say, sayDuration, sayMove } from './speech.ts';

const HEIGHT = 120;
const BAR = 8;

export function TimeChart({ game, at }: { readonly game: GameDetails; readonly at: number }) {
  const { plies } = game;
  const times = plies.map((_, i) => usedMs(plies, i, game.startedAtMs) ?? 0);
  const most = Math.max(1000, ...times);
  if (plies.length === 0) return <p class="empty">{say('chart-none')}</p>;
  const columns = Math.ceil(plies.length / 2);
  const width = Math.max(200, columns * BAR);
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={say('chart-title')}
        preserveAspectRatio="none"
      >
        <line class="axis" x1="0" x2={width} y1={HEIGHT / 2} y2={HEIGHT / 2} />
        {times.map((ms, i) => {
          const height = (ms / most) * (HEIGHT / 2 - 4);
          const isWhite = i % 2 === 0;
          return (
            <rect
              key={i}
              class={`${isWhite ? 'white' : 'black'}${i + 1 === at ? ' at' : ''}`}
              x={Math.floor(i / 2) * BAR + 1}
              width={BAR - 2}
              y={isWhite ? HEIGHT / 2 - height : HEIGHT / 2}
              height={Math.max(1, height)}
            >
              <title>{say('chart-bar', { move: sayMove(plies[i]!.san), time: sayDuration(ms) })}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption>
        {phrases.value.side('white').title} ↑ {phrases.value.side('black').title} ↓ · {sayDuration(most)}
      </figcaption>
    </figure>
  );
}
