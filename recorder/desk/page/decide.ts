/** Stores what somebody decides, says what came of it, and takes it back. */
import { computed, signal } from '@preact/signals';
import { lineOf } from '../../../core/laws/game-line.ts';
import type { EntryContent } from '../../entry.ts';
import { makeEntryText, makePenaltyText } from '../../view/decision-text.ts';
import { type CatchUps, type Consequences, type GameDetails, hasRights, roleFor } from '../model/desk-api.ts';
import type { Attention, Resolution } from '../model/hall-row.ts';
import { desk, session } from './live.ts';
import { go } from './route.ts';
import { enter, getJson, ServerFault, undo } from './server.ts';
import { choose, signature } from './settings.ts';
import { phrases, say } from './speech.ts';

/** Something that is said at the foot of the page until it is closed or replaced. */
export interface Toast {
  readonly kind: 'done' | 'failed';
  readonly text: string;
  readonly undo?: () => void;
}

export const toast = signal<Toast | undefined>(undefined);
/** Asks for a name before something is stored; what is to be done then. */
export const signing = signal<{ readonly goOn: () => void } | undefined>(undefined);
/** Lines among which somebody has to choose. */
export const choosing = signal<
  | { readonly game: number; readonly lines: readonly (readonly string[])[]; readonly isCut: boolean }
  | undefined
>(undefined);
/** Games are looked at again when this has changed. */
export const decisions = signal(0);
/** What is under way: buttons wait. */
export const isBusy = signal(false);

export const role = computed(() => session.value?.role ?? 'viewer');

/** Whether whoever is signed in may enter something. */
export const mayEnter = (what: Pick<EntryContent, 'type'>): boolean => hasRights(role.value, roleFor(what));

const fail = (error: unknown): void => {
  const isFault = error instanceof ServerFault;
  const why = !isFault
    ? String(error)
    : error.code === 'REQUEST_STALE'
      ? say('stale')
      : error.code === 'OFFLINE'
        ? say('live-no')
        : `${error.message} ${error.cure}`;
  toast.value = {
    kind: 'failed',
    text: isFault && error.code === 'REQUEST_STALE' ? why : say('failed', { why }),
  };
  decisions.value++;
};

/** Runs something once a name is known to sign with; what fails is said. */
export function signed(action: (by: string | undefined) => Promise<void>): void {
  const { isOpen } = session.value ?? { isOpen: true };
  if (isOpen && signature.value === '') {
    signing.value = { goOn: () => signed(action) };
    return;
  }
  if (isBusy.value) return;
  isBusy.value = true;
  action(isOpen ? signature.value : undefined)
    .catch(fail)
    .finally(() => {
      isBusy.value = false;
    });
}

export function signAs(name: string): void {
  const goOn = signing.value?.goOn;
  choose('signature', name.trim());
  signing.value = undefined;
  goOn?.();
}

const lookAt = (game: number): Promise<GameDetails> => getJson<GameDetails>(`/api/games/${game}`);

/** What somebody had seen of a game, as far as it bears on an entry. */
const seenFor = ({ lastEntry, plies }: Pick<GameDetails, 'lastEntry' | 'plies'>, what: EntryContent) => {
  if (what.type !== 'correction') return { lastEntry };
  const upTo = what.replaces === undefined ? plies.length : what.from - 1 + what.replaces;
  return { lastEntry, plies: plies.slice(0, upTo).map(({ san }) => san) };
};

/** What an entry says, in words. */
export const sayEntry = (
  what: EntryContent,
  { start, variant, plies }: Pick<GameDetails, 'start' | 'variant' | 'plies'>,
): string => makeEntryText(what, lineOf(start, variant, plies), phrases.value);

/** What the Laws provide after an entry, in words. */
export const sayConsequences = ({ irregularities, proposals, falls }: Consequences): string[] => [
  ...irregularities.flatMap(({ penalty, state }) =>
    penalty === undefined || state === 'dismissed' ? [] : [makePenaltyText(penalty, phrases.value)],
  ),
  ...proposals.map(({ score, termination }) =>
    phrases.value.text('desk-proposed', {
      score,
      ending: phrases.value.catalogue.terminations[termination as 'unknown']?.name ?? termination,
    }),
  ),
  ...(falls === undefined ? [] : [say('falls-why', { why: falls })]),
];

/**
 * Stores an entry. `seen`: the game as it was when somebody decided; looked up now when absent, for what is decided by a look
 * at the hall alone.
 */
export function store(game: number, what: EntryContent, seen?: GameDetails, lastEntry?: number): void {
  signed(async (by) => {
    const details = seen ?? (await lookAt(game));
    const asSeen = seenFor(lastEntry === undefined ? details : { ...details, lastEntry }, what);
    const answer = await enter(game, { what, seen: asSeen, ...(by !== undefined && { by }) });
    const text = say('done', { what: [sayEntry(what, details), ...sayConsequences(answer)].join('; ') });
    const { id } = answer;
    toast.value =
      id === undefined ? { kind: 'done', text } : { kind: 'done', text, undo: () => takeBack(game, id) };
    decisions.value++;
  });
}

/** Takes an entry back. */
export function takeBack(game: number, id: number): void {
  signed(async (by) => {
    const details = await lookAt(game);
    const entry = details.entries.find((known) => known.id === id);
    const answer = await undo(game, {
      undoes: id,
      seen: { lastEntry: details.lastEntry },
      ...(by !== undefined && { by }),
    });
    const what = entry === undefined ? String(id) : sayEntry(entry.what, details);
    toast.value = {
      kind: 'done',
      text: say('undone', { what: [what, ...sayConsequences(answer)].join('; ') }),
    };
    decisions.value++;
  });
}

/** The last entry about a game as this page shows it; undefined where its board shows another game. */
const lastEntrySeen = (game: number): number | undefined =>
  [...desk.peek().rows.values()].find((row) => row.game === game)?.lastEntry;

/** Does what a button beside something that needs attention says. `lastEntry`: of the game as it was seen. */
export function resolve(
  { game }: Pick<Attention, 'game'>,
  { name, what }: Resolution,
  lastEntry?: number,
): void {
  if (game === undefined) return;
  if (what !== undefined) {
    store(game, what, undefined, lastEntry ?? lastEntrySeen(game));
    return;
  }
  if (name === 'resynchronise') resynchronise(game);
  else go({ page: name === 'claim' ? 'claim' : 'game', game });
}

/** Looks for what leads from the record to what stands on the board; a single line is stored, of several one is chosen. */
export function resynchronise(game: number): void {
  signed(async () => {
    const { lines, isCut } = await getJson<CatchUps>(`/api/games/${game}/catch-ups`);
    choosing.value = { game, lines, isCut };
  });
}

/** Stores a line behind the last ply of a game. */
export function append(game: number, moves: readonly string[]): void {
  signed(async (by) => {
    const details = await lookAt(game);
    const { start, variant, plies } = details;
    let { position } = lineOf(start, variant, plies);
    const ucis: string[] = [];
    for (const san of moves) {
      const move = position.parseSan(san);
      if (move === undefined) throw new ServerFault('REQUEST_STALE', '', '');
      ucis.push(position.uci(move));
      position = position.play(move);
    }
    const what: EntryContent = { type: 'correction', from: plies.length + 1, plies: ucis, replaces: 0 };
    const answer = await enter(game, { what, seen: seenFor(details, what), ...(by !== undefined && { by }) });
    const { id } = answer;
    const text = say('done', { what: sayEntry(what, details) });
    toast.value =
      id === undefined ? { kind: 'done', text } : { kind: 'done', text, undo: () => takeBack(game, id) };
    decisions.value++;
  });
}
