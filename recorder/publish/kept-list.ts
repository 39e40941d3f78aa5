/**
 * The list of what was put in a place, kept in the place itself: after a restart it tells files of pairings that are not there any more from
 * what somebody else has put beside ours. Only what stands in it is ever taken away.
 */
import { from, lastValueFrom, type ObservableInput } from 'rxjs';
import { z } from 'zod';
import type { DocumentPlace } from './documents.ts';

/** No reader of games looks at a name with a dot before it. */
export const LIST_FILE = '.jadoube.json';

const LIST = z.object({ event: z.string(), files: z.array(z.string().max(500)).max(100_000) });

export interface KeptListOptions {
  /** Whose files these are: another event leaves them alone. */
  readonly event: string;
  /** What belongs to the event now. */
  readonly names: () => readonly string[];
  /** Whether what is not among `names` was taken out of the event; without a tournament it is only long over. */
  readonly isComplete: () => boolean;
  /** Told in words what was found of another event and stays. */
  readonly tell: (text: string) => void;
}

const done = (action: ObservableInput<unknown>): Promise<unknown> =>
  lastValueFrom(from(action), { defaultValue: undefined });

/** Names that lead nowhere but below the place. */
const isInside = (name: string): boolean =>
  /^[^/\\\0]+(\/[^/\\\0]+)*$/.test(name) && !name.split('/').includes('..');

/** A place that takes away what was put there by an earlier run and is no part of the event any more. */
export function keepList(
  place: DocumentPlace & Required<Pick<DocumentPlace, 'read'>>,
  { event, names, isComplete, tell }: KeptListOptions,
): DocumentPlace {
  let files: Set<string> | undefined;
  let turn: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    const text = JSON.stringify({ event, files: [...files!].sort() });
    await done(place.put(LIST_FILE, `${text}\n`));
  };

  const begin = async (): Promise<Set<string>> => {
    const text = await place.read(LIST_FILE);
    let listed: z.output<typeof LIST> | undefined;
    try {
      listed = LIST.parse(JSON.parse(text ?? ''));
    } catch {
      // None yet, or none of ours: nothing is known of what lies there.
    }
    const own = new Set(names());
    const others = (listed?.files ?? []).filter((name) => isInside(name) && !own.has(name));
    if (listed !== undefined && listed.event !== event) {
      const games = others.filter((name) => name.endsWith('.pgn'));
      if (games.length > 0)
        tell(
          `${games.length} files of another event stay at ${place.pathOf(games[0]!)}: readers take them for games of this one; remove them, or name another folder`,
        );
      return own;
    }
    const kept = new Set([...own, ...others]);
    if (!isComplete()) return kept;
    for (const name of others) {
      await done(place.remove(name));
      kept.delete(name);
    }
    return kept;
  };

  /** Everything is in the list before it is in the place: what a crash leaves behind is known. */
  const list = (name: string): Promise<void> => {
    turn = turn
      .catch(() => {})
      .then(async () => {
        const isNew = files === undefined;
        files ??= await begin();
        if (!isNew && files.has(name)) return;
        files = new Set([...files, ...names(), name]);
        try {
          await write();
        } catch (error) {
          // Not listed: it is tried again with the next file.
          files = undefined;
          throw error;
        }
      });
    return turn;
  };

  return {
    ...place,
    put: async (name, text) => {
      await list(name);
      await done(place.put(name, text));
    },
  };
}
