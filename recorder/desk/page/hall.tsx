/** All boards at a glance, and what needs attention beside them. */
import { useComputed } from '@preact/signals';
import { memo } from 'preact/compat';
import { makeSquares } from '../../../core/placement.ts';
import type { Side } from '../../../core/square.ts';
import { boardsToShow, clockNow, nameOf, ORDERS } from '../model/desk-state.ts';
import type { HallRow } from '../model/hall-row.ts';
import { AttentionList } from './attention-list.tsx';
import { SEVERITY_SIGNS, StateBadge, shownState } from './board-name.tsx';
import { BoardPicture } from './board-picture.tsx';
import { desk, now } from './live.ts';
import { linkTo } from './route.ts';
import { searchText } from './search.ts';
import { choose, order } from './settings.ts';
import { phrases, say, sayClock, sayMove } from './speech.ts';

/** A player's clock; only this text is drawn again while it runs. */
function Clock({ row, side }: { readonly row: HallRow; readonly side: Side }) {
  const text = useComputed(() => sayClock(clockNow(row, side, now.value)));
  if ((side === 'white' ? row.whiteMs : row.blackMs) === undefined) return undefined;
  const runs = row.running === side && row.link === 'up';
  return (
    <span class={`clock${runs ? ' runs' : ''}`} title={runs ? say('clock-runs') : undefined}>
      {runs ? '▸' : ''}
      <StaticClock row={row} side={side} runs={runs} text={text} />
    </span>
  );
}

function StaticClock({
  row,
  side,
  runs,
  text,
}: {
  readonly row: HallRow;
  readonly side: Side;
  readonly runs: boolean;
  readonly text: { readonly value: string };
}) {
  return <>{runs ? text : sayClock(side === 'white' ? row.whiteMs : row.blackMs)}</>;
}

function Player({ row, side }: { readonly row: HallRow; readonly side: Side }) {
  const name = side === 'white' ? row.white : row.black;
  return (
    <span class="player">
      <span class={`disc ${side}`} aria-hidden="true" />
      <span class="visually-hidden">{phrases.value.side(side).title}: </span>
      <span class="who" title={name}>
        {name ?? say('no-player')}
      </span>
      <Clock row={row} side={side} />
    </span>
  );
}

/** One board; drawn again when its row is another one. */
export const BoardCard = memo(function BoardCard({
  row,
  lang,
}: {
  readonly row: HallRow;
  readonly lang: string;
}) {
  const worst = row.attention[0];
  const name = nameOf(row);
  const last = row.lastSan === undefined ? say('no-moves') : `${row.lastNumber ?? ''}${sayMove(row.lastSan)}`;
  return (
    <li
      class={`card is-${shownState(row)}${worst === undefined ? '' : ` needs ${worst.severity}`}`}
      lang={lang}
    >
      <a
        class="card-link"
        href={row.game === undefined ? linkTo({ page: 'setup' }) : linkTo({ page: 'game', game: row.game })}
        data-board={row.board}
      >
        <span class="card-head">
          <strong>{name}</strong>
          {worst !== undefined && (
            <span class={`severity ${worst.severity}`}>
              <span aria-hidden="true">{SEVERITY_SIGNS[worst.severity]}</span>
              <span class="visually-hidden">{say('attention-title')}: </span>
              {row.attention.length > 1 && ` ${row.attention.length}`}
            </span>
          )}
          <StateBadge row={row} />
        </span>
        <Player row={row} side="black" />
        <BoardPicture
          placement={row.recorded ?? '8/8/8/8/8/8/8/8'}
          lastUci={row.lastUci}
          differing={row.differing}
          label={
            row.differing !== undefined && row.differing.length > 0
              ? `${say('board-n', { name })}, ${last}, ${say('differs-on', { squares: makeSquares(row.differing) })}`
              : `${say('board-n', { name })}, ${last}`
          }
        />
        <Player row={row} side="white" />
        <span class="last">{last}</span>
      </a>
    </li>
  );
});

/** How large boards are drawn, by how many there are. */
const densityOf = (boards: number): string =>
  boards <= 2 ? 'one' : boards <= 8 ? 'few' : boards <= 30 ? 'some' : 'many';

export function Hall() {
  const rows = boardsToShow(desk.value, searchText.value, order.value);
  const lang = phrases.value.language;
  return (
    <div class="hall">
      <AttentionList />
      <section class="boards" id="boards" aria-label={say('hall')} tabIndex={-1}>
        <div class="tools">
          <label>
            <span class="visually-hidden">{say('search')}</span>
            <input
              id="search"
              type="search"
              placeholder={say('search')}
              value={searchText.value}
              onInput={(event) => {
                searchText.value = event.currentTarget.value;
              }}
            />
          </label>
          <label>
            {say('order')}{' '}
            <select
              value={order.value}
              onChange={(event) => choose('order', event.currentTarget.value as (typeof ORDERS)[number])}
            >
              {ORDERS.map((name) => (
                <option key={name} value={name}>
                  {say(`order-${name}`)}
                </option>
              ))}
            </select>
          </label>
        </div>
        {rows.length === 0 ? (
          <p class="empty">{desk.value.rows.size === 0 ? say('no-boards') : say('no-match')}</p>
        ) : (
          <ul class={`grid ${densityOf(rows.length)}`}>
            {rows.map((row) => (
              <BoardCard key={row.board} row={row} lang={lang} />
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}
