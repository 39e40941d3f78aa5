/** The game that is looked at, asked for again whenever the hall says that it has changed. */
import { computed, effect, signal } from '@preact/signals';
import type { GameDetails } from '../model/desk-api.ts';
import { decisions } from './decide.ts';
import { desk } from './live.ts';
import { route } from './route.ts';
import { getJson, ServerFault } from './server.ts';

export const details = signal<GameDetails | undefined>(undefined);
export const detailsFault = signal<ServerFault | undefined>(undefined);

const gameNumber = computed(() => ('game' in route.value ? route.value.game : undefined));
/** What changes with everything that is recorded or decided of the game. */
const version = computed(() => {
  const game = gameNumber.value;
  const row = [...desk.value.rows.values()].find((known) => known.game === game);
  return `${game} ${row?.revision} ${row?.lastEntry} ${decisions.value}`;
});

/** The row of the game's board; undefined when another game is played there. */
export const rowOfGame = computed(() =>
  [...desk.value.rows.values()].find((row) => row.game !== undefined && row.game === gameNumber.value),
);

let isAsking = false;
let isToAskAgain = false;

async function ask(): Promise<void> {
  if (isAsking) {
    isToAskAgain = true;
    return;
  }
  const game = gameNumber.peek();
  if (game === undefined) return;
  isAsking = true;
  try {
    const answer = await getJson<GameDetails>(`/api/games/${game}`);
    if (gameNumber.peek() === answer.game) {
      details.value = answer;
      detailsFault.value = undefined;
    }
  } catch (error) {
    if (error instanceof ServerFault) detailsFault.value = error;
  } finally {
    isAsking = false;
    if (isToAskAgain) {
      isToAskAgain = false;
      void ask();
    }
  }
}

effect(() => {
  void version.value;
  if (gameNumber.value !== details.peek()?.game) details.value = undefined;
  void ask();
});
