/** States and severities: each with a shape as well as a colour, so that neither alone says it. */
import type { Severity } from '../../../core/flag.ts';
import { terminationOf } from '../../../core/laws/endings.ts';
import type { HallRow } from '../model/hall-row.ts';
import type { DeskKey } from '../words/english.ts';
import { Icon, type IconName } from './icon.tsx';
import { phrases, say } from './speech.ts';

export const SEVERITY_SIGNS: Readonly<Record<Severity, IconName>> = {
  alarm: 'triangle',
  warning: 'diamond',
  notice: 'disc',
  info: 'ring',
};

const STATE_SIGNS = {
  waiting: 'ring',
  ready: 'ring',
  playing: 'disc',
  moving: 'half',
  doubt: 'diamond',
  ended: 'square',
  lost: 'cross',
} as const satisfies Readonly<Record<string, IconName>>;

type ShownState = keyof typeof STATE_SIGNS;

/** How a board stands: a lost link hides what was known of a game that is not over. */
export const shownState = ({ state, link }: HallRow): ShownState =>
  state !== 'ended' && link !== 'up' ? 'lost' : state;

/** A result with what brought it about. */
export function sayResult({ result, score, reason }: Pick<HallRow, 'result' | 'score' | 'reason'>): string {
  const points = score ?? (result === undefined || result === '*' ? phrases.value.text('no-result') : result);
  const why = reason === undefined ? '' : phrases.value.catalogue.terminations[terminationOf(reason)].short;
  return why === '' ? points : `${points} ${why}`;
}

/** Why nothing of a game goes out, in words; undefined when it does. */
export const sayHeld = ({ isHeld, heldWith }: Pick<HallRow, 'isHeld' | 'heldWith'>): string | undefined =>
  heldWith === 'all'
    ? say('held-all')
    : heldWith === 'board'
      ? say('held-board')
      : isHeld === true
        ? say('state-held')
        : undefined;

const Extra = ({ icon, text }: { readonly icon: IconName; readonly text: string }) => (
  <span class="extra" title={text}>
    {' '}
    <Icon name={icon} /> <span class="extra-text">{text}</span>
  </span>
);

export function StateBadge({ row }: { readonly row: HallRow }) {
  const held = sayHeld(row);
  const state = shownState(row);
  const text = state === 'ended' ? sayResult(row) : say(`state-${state}` satisfies DeskKey);
  return (
    <span class={`badge state-${state}`}>
      <Icon name={STATE_SIGNS[state]} /> {text}
      {row.areClocksStopped === true && <Extra icon="stopwatch" text={say('state-stopped')} />}
      {held !== undefined && <Extra icon="pause" text={held} />}
    </span>
  );
}
