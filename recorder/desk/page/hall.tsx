/** All boards at a glance, and what needs attention beside them. */
import { type Signal, useComputed } from '@preact/signals';
import { memo } from 'preact/compat';
import { makeSquares } from '../../../core/placement.ts';
import type { Side } from '../../../core/square.ts';
import { clockNow, nameOf, ORDERS } from '../model/desk-state.ts';
import type { HallRow } from '../model/hall-row.ts';
import { AttentionList } from './attention-list.tsx';
import { SEVERITY_SIGNS, StateBadge, shownState } from './board-name.tsx';
import { HallPicture, useWidthOfPictures } from './hall-picture.tsx';
import { Icon } from './icon.tsx';
import { boardCount, fineNow, now, rowOf, shownBoards } from './live.ts';
import { linkTo } from './route.ts';
import { searchText } from './search.ts';
import { choose, order } from './settings.ts';
import { phrases, say, sayClock, sayMove } from './speech.ts';

/** Below this a clock shows tenths, ms. */
const TENTHS_MS = 20_000;

/** A player's clock: only its text is drawn again while it runs. */
function Clock({ row, side }: { readonly row: Signal<HallRow>; readonly side: Side }) {
  const text = useComputed(() => {
    const ms = clockNow(row.value, side, now.value);
    const isFine = ms !== undefined && ms < TENTHS_MS + 1000 && row.value.running === side;
    return sayClock(isFine ? clockNow(row.value, side, fineNow.value) : ms);
  });
  const runs = row.value.running === side && row.value.link === 'up';
  return (
    <span class={`clock${runs ? ' runs' : ''}`} title={runs ? say('clock-runs') : undefined}>
      {runs && <Icon name="runs" />}
      {text}
    </span>
  );
}

function Player({ row, side }: { readonly row: Signal<HallRow>; readonly side: Side }) {
  const { white, black, whiteMs, blackMs } = row.value;
  const name = side === 'white' ? white : black;
  return (
    <span class="player">
      <span class={`disc ${side}`} aria-hidden="true" />
      <span class="visually-hidden">{phrases.value.side(side).title}: </span>
      <span class="who" title={name}>
        {name ?? say('no-player')}
      </span>
      {(side === 'white' ? whiteMs : blackMs) !== undefined && <Clock row={row} side={side} />}
    </span>
  );
}

/** One board; drawn again when its row is another one. */
const BoardCard = memo(function BoardCard(props: { readonly board: string; readonly lang: string }) {
  const { board, lang } = props;
  const signalled = rowOf(board);
  const row = signalled.value;
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
              <Icon name={SEVERITY_SIGNS[worst.severity]} />
              <span class="visually-hidden">{say('attention-title')}: </span>
              {row.attention.length > 1 && ` ${row.attention.length}`}
            </span>
          )}
          <StateBadge row={row} />
        </span>
        <Player row={signalled} side="black" />
        <HallPicture
          placement={row.recorded ?? '8/8/8/8/8/8/8/8'}
          lastUci={row.lastUci}
          differing={row.differing}
          label={
            row.differing !== undefined && row.differing.length > 0
              ? `${say('board-n', { name })}, ${last}, ${say('differs-on', { squares: makeSquares(row.differing) })}`
              : `${say('board-n', { name })}, ${last}`
          }
        />
        <Player row={signalled} side="white" />
        <span class="last">{last}</span>
      </a>
    </li>
  );
});

/** How large boards are drawn, by how many there are. */
const densityOf = (boards: number): string =>
  boards <= 2 ? 'one' : boards <= 8 ? 'few' : boards <= 30 ? 'some' : 'many';

export function Hall() {
  const boards = shownBoards.value;
  const lang = phrases.value.language;
  useWidthOfPictures(boards[0]);
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
        {boards.length === 0 ? (
          <p class="empty">{boardCount.value === 0 ? say('no-boards') : say('no-match')}</p>
        ) : (
          <ul class={`grid ${densityOf(boards.length)}`}>
            {boards.map((board) => (
              <BoardCard key={board} board={board} lang={lang} />
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}
