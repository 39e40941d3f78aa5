/** What the setup page knows, looked at again every two seconds while it is open, and what it changes. */
import { signal } from '@preact/signals';
import type { ChangePreview, Setup } from '../model/setup-api.ts';
import { mayEnter, signed, toast } from './decide.ts';
import { getJson, postJson } from './server.ts';
import { say } from './speech.ts';

export const setup = signal<Setup | undefined>(undefined);
/** The round that is looked at; the one that is played when undefined. */
export const chosenRound = signal<number | undefined>(undefined);

/** Time between two looks, ms. */
const LOOK_MS = 2000;

async function look(): Promise<void> {
  const round = chosenRound.peek();
  try {
    const read = await getJson<Setup>(`/api/setup${round === undefined ? '' : `?round=${round}`}`);
    if (round === chosenRound.peek()) setup.value = read;
  } catch {
    // The bar says that there is no connection.
  }
}

/** Looks until the function that is returned is called. */
export function watchSetup(): () => void {
  void look();
  const timer = setInterval(() => void look(), LOOK_MS);
  return () => clearInterval(timer);
}

export function chooseRound(round: number): void {
  chosenRound.value = round;
  void look();
}

/** Boards, tables and outputs are an operator's. */
export const maySetUp = (): boolean => mayEnter({ type: 'hold' });

/** Asks for something to be changed, signed, and says what has come of it; `then` hears the answer. */
export function change(
  path: string,
  body: Readonly<Record<string, unknown>>,
  text: (answer: ChangePreview) => string,
  then: (answer: ChangePreview) => void = () => {},
): void {
  signed(async (by) => {
    try {
      const answer = await postJson<ChangePreview>(path, { ...body, ...(by !== undefined && { by }) });
      toast.value = { kind: 'done', text: text(answer) };
      then(answer);
    } finally {
      await look();
    }
  });
}

/** Puts an electronic board at the table of a pairing; no board takes it away. */
export function assign(pairing: number, eboard: string | undefined): void {
  const seen = setup.peek()?.tournament?.revision;
  change('/api/tournament/assign', { pairing, ...(eboard !== undefined && { eboard }), seen }, ({ lines }) =>
    lines.length === 0 ? say('nothing-new') : say('done', { what: lines.map(sayChange).join('; ') }),
  );
}

/** Withholds a board or everything from the world, or lets it go. */
export function hold(board: string | undefined, isHeld: boolean): void {
  const what = `${say(isHeld ? 'hold' : 'release')}: ${board ?? say('hold-all')}`;
  change('/api/holds', { ...(board !== undefined && { board }), isHeld }, () => say('done', { what }));
}

/** A change in words. */
export const sayChange = ({ type, about, was = '–', is = '–' }: ChangePreview['lines'][number]): string =>
  say(`change-${type}`, { about, was, is });
