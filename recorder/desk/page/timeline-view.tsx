/** What the board said, event by event: the board as it was at any moment. */
import { useEffect, useState } from 'preact/hooks';
import { EMPTY, makePlacement, parsePlacement, roleOfCell, sideOfCell } from '../../../core/placement.ts';
import { makeSquare } from '../../../core/square.ts';
import type { Timeline, TimelineEvent } from '../model/desk-api.ts';
import { BoardPicture, describePlacement } from './board-picture.tsx';
import { Icon } from './icon.tsx';
import { getJson } from './server.ts';
import { phrases, say, sayClock, sayTime } from './speech.ts';

/** The placement after the first `count` events. */
export function placementAt(
  { placement, events }: Pick<Timeline, 'placement' | 'events'>,
  count: number,
): string {
  const cells = parsePlacement(placement) ?? new Uint8Array(64);
  for (const event of events.slice(0, count)) {
    if (event.type === 'square') cells[event.square] = event.cell;
    if (event.type === 'dump') cells.set(parsePlacement(event.placement) ?? cells);
  }
  return makePlacement(cells);
}

function sayEvent(event: TimelineEvent): string {
  switch (event.type) {
    case 'square': {
      const square = makeSquare(event.square);
      if (event.cell === EMPTY) return say('event-lift', { square });
      const role = roleOfCell(event.cell);
      const side = sideOfCell(event.cell);
      const piece =
        role === undefined || side === undefined
          ? '?'
          : `${phrases.value.catalogue.pieces[role].name} (${phrases.value.side(side).name})`;
      return say('event-place', { square, piece });
    }
    case 'dump':
      return say('event-dump');
    case 'lever': {
      const state = say(event.running === undefined ? 'event-stopped' : `event-${event.running}`);
      return `${say('event-lever', { state })} (${sayClock(event.leftMs)} / ${sayClock(event.rightMs)})`;
    }
    case 'link':
      return say(event.link === 'up' ? 'event-link-up' : 'event-link-lost');
    case 'discarded':
      return say('event-discarded', { count: event.count, code: event.code });
  }
}

const SHOWN = 60;

export function TimelineView({ game, isTurned }: { readonly game: number; readonly isTurned: boolean }) {
  const [timeline, setTimeline] = useState<Timeline | undefined>(undefined);
  const [at, setAt] = useState<number | undefined>(undefined);
  const [isOpen, setOpen] = useState(false);
  const load = (): void => {
    setOpen(true);
    getJson<Timeline>(`/api/games/${game}/timeline`)
      .then((read) => {
        setTimeline(read);
        setAt(read.events.length);
      })
      .catch(() => setOpen(false));
  };
  useEffect(() => {
    setTimeline(undefined);
    setOpen(false);
  }, [game]);
  if (timeline === undefined)
    return (
      <button type="button" disabled={isOpen} onClick={load}>
        {say('timeline-load')}
      </button>
    );
  const { events } = timeline;
  if (events.length === 0) return <p class="empty">{say('timeline-empty')}</p>;
  const count = Math.min(at ?? events.length, events.length);
  const placement = placementAt(timeline, count);
  const first = Math.max(0, Math.min(count - SHOWN / 2, events.length - SHOWN));
  const told =
    count === 0 ? say('first-ply') : `${sayTime(events[count - 1]!.atMs)}: ${sayEvent(events[count - 1]!)}`;
  return (
    <div class="timeline">
      <BoardPicture placement={placement} isTurned={isTurned} label={describePlacement(placement)} />
      <div class="timeline-events">
        <label>
          {say('timeline-scrub')}
          <input
            type="range"
            min={0}
            max={events.length}
            value={count}
            aria-valuetext={told}
            onInput={(event) => setAt(Number(event.currentTarget.value))}
          />
        </label>
        <p class="now" aria-live="polite">
          {told}
        </p>
        <button type="button" onClick={load}>
          <Icon name="again" /> {say('timeline-load')}
        </button>
        {timeline.isCut && <p>{say('timeline-cut')}</p>}
        <ol start={first + 1}>
          {events.slice(first, first + SHOWN).map((event, i) => (
            <li key={first + i} class={first + i + 1 === count ? 'at' : ''}>
              <button type="button" onClick={() => setAt(first + i + 1)}>
                <time>{sayTime(event.atMs)}</time> {sayEvent(event)}
              </button>
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}
