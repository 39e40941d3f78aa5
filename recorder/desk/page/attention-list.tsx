/** What needs attention, the gravest first, each with what can be done about it. */
import { signal, useComputed } from '@preact/signals';
import { memo } from 'preact/compat';
import { useEffect, useRef } from 'preact/hooks';
import { type AttentionItem, nameOf } from '../model/desk-state.ts';
import type { Resolution } from '../model/hall-row.ts';
import type { DeskKey } from '../words/english.ts';
import { SEVERITY_SIGNS } from './board-name.tsx';
import { isBusy, mayEnter, resolve } from './decide.ts';
import { Icon } from './icon.tsx';
import { attention, now } from './live.ts';
import { phrases, say, sayDuration, sayMoves } from './speech.ts';

/** Which of the list is meant by keys. */
export const focusedKey = signal<string | undefined>(undefined);

/** What can be done about something by whoever is signed in. */
export const offered = ({ resolutions }: Pick<AttentionItem, 'resolutions'>): Resolution[] =>
  resolutions.filter(({ what }) => what === undefined || mayEnter(what)).slice(0, 9);

export const labelOf = ({ name, moves = [] }: Resolution): string =>
  say(`do-${name}`, { moves: sayMoves(moves) });

const TIPS: Partial<Record<Resolution['name'], DeskKey>> = {
  accept: 'tip-accept',
  replace: 'tip-replace',
  cut: 'tip-cut',
  resynchronise: 'tip-resynchronise',
  confirm: 'tip-confirm',
  dismiss: 'tip-dismiss',
  acknowledge: 'tip-acknowledge',
};

function Since({ ms }: { readonly ms: number }) {
  const text = useComputed(() => say('attention-since', { time: sayDuration(now.value - ms) }));
  return <span class="since">{text}</span>;
}

const Entry = memo(function Entry(props: { readonly item: AttentionItem; readonly isFocused: boolean }) {
  const { item, isFocused } = props;
  const ref = useRef<HTMLLIElement>(null);
  const told = phrases.value.flag(item);
  const players = [item.white, item.black].filter((name) => name !== undefined).join(' – ');
  useEffect(() => {
    // By now another entry may be meant: to take the focus back from it would make the two of them take turns for ever.
    const isMeant = isFocused && focusedKey.peek() === item.key;
    if (isMeant && ref.current !== null && !ref.current.contains(document.activeElement)) ref.current.focus();
  }, [isFocused, item.key]);
  return (
    <li
      ref={ref}
      class={`attention ${item.severity}${isFocused ? ' focused' : ''}`}
      tabIndex={isFocused ? 0 : -1}
      data-key={item.key}
      data-code={item.code}
      data-board={item.board}
      aria-current={isFocused ? 'true' : undefined}
      onFocusCapture={() => {
        focusedKey.value = item.key;
      }}
    >
      <p class="what">
        <Since ms={item.sinceMs} />
        <span class={`severity ${item.severity}`}>
          <Icon name={SEVERITY_SIGNS[item.severity]} />
          <span class="visually-hidden">{phrases.value.catalogue.severities[item.severity]}: </span>
        </span>{' '}
        <strong>{say('board-n', { name: nameOf(item) })}</strong> · {told.name}
        {told.article !== '' && <span class="article"> · {told.article}</span>}
      </p>
      <p class="why">
        {told.tells}
        {told.detail !== '' && <> ({told.detail})</>}
        {item.ply > 0 && <>, {say('ply-n', { ply: item.ply })}</>}
        {players !== '' && <span class="players"> {players}</span>}
      </p>
      <p class="actions">
        {offered(item).map((resolution, i) => (
          <button
            key={`${resolution.name} ${resolution.moves?.join(' ') ?? ''}`}
            type="button"
            class={i === 0 ? 'first' : ''}
            title={TIPS[resolution.name] === undefined ? undefined : say(TIPS[resolution.name]!)}
            disabled={isBusy.value}
            data-do={resolution.name}
            onClick={() => resolve(item, resolution)}
          >
            <span class="key" aria-hidden="true">
              {i + 1}
            </span>{' '}
            {labelOf(resolution)}
          </button>
        ))}
      </p>
    </li>
  );
});

export function AttentionList() {
  const items = attention.value;
  const focused = items.find(({ key }) => key === focusedKey.value) ?? undefined;
  return (
    <section class="attention-list" aria-labelledby="attention-title" id="attention" tabIndex={-1}>
      <h2 id="attention-title">
        {say('attention-title')} <span class="count">{items.length}</span>
      </h2>
      {items.length === 0 ? (
        <p class="empty">{say('attention-none')}</p>
      ) : (
        <ul>
          {items.map((item) => (
            <Entry
              key={item.key}
              item={item}
              isFocused={focused === undefined ? false : focused.key === item.key}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Goes through the list; from nowhere to the first. */
export function moveFocus(step: 1 | -1): void {
  const items = attention.value;
  if (items.length === 0) return;
  const index = items.findIndex(({ key }) => key === focusedKey.value);
  const next = index < 0 ? 0 : Math.min(items.length - 1, Math.max(0, index + step));
  focusedKey.value = items[next]!.key;
}

/** Does what the button of a number of the focused entry does; of the first one when none is. */
export function press(number: number): void {
  const item = attention.value.find(({ key }) => key === focusedKey.value);
  const resolution = item === undefined ? undefined : offered(item)[number - 1];
  if (item !== undefined && resolution !== undefined) resolve(item, resolution);
}
