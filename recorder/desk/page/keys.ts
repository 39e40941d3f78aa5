/** Keys that work anywhere on the page but in a field. */
import { signal } from '@preact/signals';
import { focusedKey, moveFocus, press } from './attention-list.tsx';
import { choosing, signing, toast } from './decide.ts';
import { attention } from './live.ts';
import { go, route } from './route.ts';

/** What the keys of a game do while one is looked at. */
export const gameKeys = signal<
  | {
      readonly back: () => void;
      readonly forward: () => void;
      readonly turn: () => void;
      readonly correct: () => void;
    }
  | undefined
>(undefined);
export const isHelpOpen = signal(false);

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([type=range]):not([type=checkbox]), select, textarea') !== null;

/** Takes a key; true when it was one of ours. */
function take(key: string): boolean {
  const game = gameKeys.value;
  const isHall = route.value.page === 'hall';
  if (key === 'Escape') {
    if (isHelpOpen.value || choosing.value !== undefined || signing.value !== undefined) {
      isHelpOpen.value = false;
      choosing.value = undefined;
      signing.value = undefined;
    } else if (!isHall) go({ page: 'hall' });
    else return false;
    return true;
  }
  if (choosing.value !== undefined || signing.value !== undefined) return false;
  if (key === '?') isHelpOpen.value = !isHelpOpen.value;
  else if (key === 'h') go({ page: 'hall' });
  else if (key === 's') go({ page: 'setup' });
  else if (key === 'u' && toast.value?.undo !== undefined) toast.value.undo();
  else if (key === '/' && isHall) document.getElementById('search')?.focus();
  else if (game !== undefined && key === 'ArrowLeft') game.back();
  else if (game !== undefined && key === 'ArrowRight') game.forward();
  else if (game !== undefined && key === 'f') game.turn();
  else if (game !== undefined && key === 'e') game.correct();
  else if (isHall && (key === 'j' || key === 'ArrowDown')) moveFocus(1);
  else if (isHall && (key === 'k' || key === 'ArrowUp')) moveFocus(-1);
  else if (isHall && /^[1-9]$/.test(key)) press(Number(key));
  else if (isHall && key === 'Enter' && document.activeElement?.matches('li.attention') === true) {
    const item = attention.value.find((known) => known.key === focusedKey.value);
    if (item?.game !== undefined) go({ page: 'game', game: item.game });
  } else return false;
  return true;
}

export function listenForKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (isField(event.target)) {
      if (event.key === 'Escape') (event.target as HTMLElement).blur();
      return;
    }
    // The arrows of a slider and of the wheel of moves are their own.
    if (event.target instanceof HTMLInputElement && event.key.startsWith('Arrow')) return;
    if (take(event.key)) event.preventDefault();
  });
}
