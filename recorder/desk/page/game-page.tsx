/** One game: the board as recorded beside the board as sensed, everything that is known of it, and how to put it right. */
import { useEffect, useState } from 'preact/hooks';
import { lineOf } from '../../../core/laws/game-line.ts';
import { makePlacement, makeSquares } from '../../../core/placement.ts';
import type { GameDetails } from '../model/desk-api.ts';
import { clockNow, nameOf } from '../model/desk-state.ts';
import { labelOf, offered } from './attention-list.tsx';
import { SEVERITY_SIGNS, StateBadge, sayResult } from './board-name.tsx';
import { BoardPicture, describePlacement, differencesOf } from './board-picture.tsx';
import { CorrectForm } from './correct-form.tsx';
import { isBusy, mayEnter, resolve, sayEntry, takeBack } from './decide.ts';
import { DecideForm } from './decide-form.tsx';
import { details, detailsFault, rowOfGame } from './game-data.ts';
import { Icon } from './icon.tsx';
import { gameKeys } from './keys.ts';
import { now } from './live.ts';
import { MovesTable } from './moves-table.tsx';
import { linkTo } from './route.ts';
import { language } from './settings.ts';
import { phrases, say, sayClock, sayMove, sayTime } from './speech.ts';
import { SwapForm } from './swap-form.tsx';
import { TimeChart } from './time-chart.tsx';
import { TimelineView } from './timeline-view.tsx';

export function GamePage() {
  const game = details.value;
  if (game === undefined)
    return (
      <p class="empty" aria-live="polite">
        {detailsFault.value === undefined ? `${say('checking')} …` : detailsFault.value.message}{' '}
        <a href={linkTo({ page: 'hall' })}>{say('back')}</a>
      </p>
    );
  return <Game key={game.game} game={game} />;
}

function Game({ game }: { readonly game: GameDetails }) {
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  const [isTurned, setTurned] = useState(false);
  const row = rowOfGame.value;
  const last = game.plies.length;
  const at = Math.min(chosen ?? last, last);
  const line = lineOf(game.start, game.variant, game.plies);
  const position = line.positionBefore(at + 1);
  const recorded = makePlacement(position.cells);
  const { sensed } = game;
  // Sensors say what stands there now: only the end of the record can be compared with it.
  const differing = at === last && !game.inSync ? differencesOf(sensed, recorded) : [];
  const ply = line.plies[at - 1];
  const name =
    ply === undefined
      ? say('first-ply')
      : `${ply.before.fullmoves}${ply.mover === 'white' ? '.' : '…'}${sayMove(ply.record.san)}`;
  const select = (number: number): void => setChosen(number >= last ? undefined : Math.max(0, number));
  useEffect(() => {
    gameKeys.value = {
      back: () => select(at - 1),
      forward: () => select(at + 1),
      turn: () => setTurned(!isTurned),
      correct: () => document.getElementById('correct-moves')?.focus(),
    };
    return () => {
      gameKeys.value = undefined;
    };
  }, [at, last, isTurned]);

  const boardName = nameOf(row ?? { board: game.board });
  const clock = (side: 'white' | 'black') => {
    const ms =
      row === undefined ? (side === 'white' ? game.whiteMs : game.blackMs) : clockNow(row, side, now.value);
    return ms === undefined ? '' : sayClock(ms);
  };
  return (
    <div class="game">
      <header class="game-head">
        <h1>
          {say('board-n', { name: boardName })}: {game.tags.White ?? say('no-player')} –{' '}
          {game.tags.Black ?? say('no-player')}
        </h1>
        <p>
          {say('game-n', { game: game.game })} · {sayTime(game.startedAtMs)}
          {game.tags.Event !== undefined && ` · ${game.tags.Event}`}
          {game.tags.Round !== undefined && ` · ${game.tags.Round}`} · {game.ended ? sayResult(game) : ''}{' '}
          {row !== undefined && <StateBadge row={row} />}
        </p>
        <nav class="links">
          <a href={linkTo({ page: 'claim', game: game.game })}>{say('claim')}</a>
          <a href={`/papers/scoresheet/${game.game}?lang=${language.value}`} target="_blank" rel="noreferrer">
            {say('scoresheet')}
          </a>
        </nav>
      </header>

      <AttentionOfGame game={game} />

      <section class="pictures" aria-label={say('agree-yes')}>
        <figure>
          <figcaption>
            {say('recorded')}, {say('at-ply', { ply: name })}
          </figcaption>
          <p class="side">
            <span>{game.tags[isTurned ? 'White' : 'Black'] ?? ''}</span>
            <span class="clock">{clock(isTurned ? 'white' : 'black')}</span>
          </p>
          <BoardPicture
            placement={recorded}
            lastUci={ply?.record.uci}
            differing={differing}
            isTurned={isTurned}
            label={`${say('recorded')}. ${describePlacement(recorded)}`}
          />
          <p class="side">
            <span>{game.tags[isTurned ? 'Black' : 'White'] ?? ''}</span>
            <span class="clock">{clock(isTurned ? 'black' : 'white')}</span>
          </p>
        </figure>
        <figure>
          <figcaption>
            {say('sensed')}, {say('now-there')}
          </figcaption>
          <p class="side" />
          <BoardPicture
            placement={sensed}
            differing={differing}
            isTurned={isTurned}
            label={`${say('sensed')}. ${describePlacement(sensed)}`}
          />
        </figure>
        <p class={game.inSync ? 'agrees' : 'differs'} aria-live="polite">
          <Icon name={game.inSync ? 'check' : 'cross'} />{' '}
          {game.inSync ? say('agree-yes') : say('agree-no', { squares: makeSquares(differing) })}
        </p>
        <p class="steps">
          <button type="button" onClick={() => select(0)} disabled={at === 0} aria-label={say('first-ply')}>
            <Icon name="first" />
          </button>
          <button
            type="button"
            onClick={() => select(at - 1)}
            disabled={at === 0}
            aria-label={say('previous-ply')}
          >
            <Icon name="previous" />
          </button>
          <button
            type="button"
            onClick={() => select(at + 1)}
            disabled={at === last}
            aria-label={say('next-ply')}
          >
            <Icon name="next" />
          </button>
          <button
            type="button"
            onClick={() => select(last)}
            disabled={at === last}
            aria-label={say('last-ply')}
          >
            <Icon name="last" />
          </button>
          <button type="button" onClick={() => setTurned(!isTurned)}>
            <Icon name="turn" /> {say('flip')}
          </button>
        </p>
      </section>

      <section class="moves-section" aria-labelledby="moves-title">
        <h2 id="moves-title">{say('moves')}</h2>
        <MovesTable game={game} line={line} at={at} onSelect={select} />
        <h2>{say('chart-title')}</h2>
        <TimeChart game={game} at={at} />
      </section>

      {mayEnter({ type: 'correction' }) && (
        <section aria-labelledby="correct-title">
          <h2 id="correct-title">{say('correct')}</h2>
          <CorrectForm
            game={game}
            from={Math.max(1, chosen === undefined ? last + 1 : at)}
            onFrom={(from) => setChosen(from > last ? undefined : from)}
            isTurned={isTurned}
          />
        </section>
      )}
      {mayEnter({ type: 'draw-offer' }) && (
        <section aria-labelledby="decide-title">
          <h2 id="decide-title">{say('decide')}</h2>
          <DecideForm game={game} ply={at} />
          <SwapForm game={game} />
        </section>
      )}
      <Log game={game} />
      <section aria-labelledby="timeline-title">
        <h2 id="timeline-title">{say('timeline')}</h2>
        <TimelineView game={game.game} isTurned={isTurned} />
      </section>
    </div>
  );
}

function AttentionOfGame({ game }: { readonly game: GameDetails }) {
  if (game.attention.length === 0) return undefined;
  return (
    <section class="attention-list of-game" aria-label={say('attention-title')}>
      <ul>
        {game.attention.map((item) => {
          const told = phrases.value.flag(item);
          return (
            <li key={item.key} class={`attention ${item.severity}`} data-code={item.code}>
              <p class="what">
                <span class={`severity ${item.severity}`} aria-hidden="true">
                  <Icon name={SEVERITY_SIGNS[item.severity]} />
                </span>{' '}
                <strong>{told.name}</strong> {told.article} · {told.tells}
                {told.detail !== '' && ` (${told.detail})`}
              </p>
              <p class="actions">
                {offered(item)
                  .filter(({ name }) => name !== 'open' && name !== 'decide-result')
                  .map((resolution) => (
                    <button
                      key={`${resolution.name} ${resolution.moves?.join(' ') ?? ''}`}
                      type="button"
                      disabled={isBusy.value}
                      data-do={resolution.name}
                      onClick={() => resolve(item, resolution, game.lastEntry)}
                    >
                      {labelOf(resolution)}
                    </button>
                  ))}
              </p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** What was seen and what was decided. */
function Log({ game }: { readonly game: GameDetails }) {
  return (
    <>
      <section aria-labelledby="flags-title">
        <h2 id="flags-title">{say('flags')}</h2>
        {game.flags.length === 0 ? (
          <p class="empty">{say('flags-none')}</p>
        ) : (
          <ul class="log">
            {game.flags.map((flag, i) => {
              const told = phrases.value.flag(flag);
              return (
                <li key={i} class={flag.severity}>
                  <time>{sayTime(flag.atMs)}</time> <Icon name={SEVERITY_SIGNS[flag.severity]} />{' '}
                  {flag.ply > 0 && say('ply-n', { ply: flag.ply })} <strong>{told.name}</strong>{' '}
                  {told.article} {told.tells}
                  {told.detail !== '' && ` (${told.detail})`}
                </li>
              );
            })}
          </ul>
        )}
      </section>
      <section aria-labelledby="decisions-title">
        <h2 id="decisions-title">{say('decisions')}</h2>
        {game.entries.length === 0 ? (
          <p class="empty">{say('decisions-none')}</p>
        ) : (
          <ul class="log decisions">
            {game.entries.map((entry) => (
              <li key={entry.id} class={entry.undone === undefined ? '' : 'undone'}>
                <time>{sayTime(entry.atMs)}</time> <strong>{entry.by}</strong>: {sayEntry(entry.what, game)}{' '}
                {entry.undone !== undefined
                  ? `(${say('undone-by', { by: entry.undone.by })})`
                  : mayEnter(entry.what) && (
                      <button
                        type="button"
                        disabled={isBusy.value}
                        onClick={() => takeBack(game.game, entry.id)}
                      >
                        {say('undo')}
                      </button>
                    )}
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}
