import { userInfo } from 'node:os';
import { fromEvent, merge, type Observable, share } from 'rxjs';
import type { Environment } from '../language/language.ts';
import type { Terminal } from '../view/screen.ts';

/** What a command has to do with the world: given in, so that commands run in tests as they do in a terminal. */
export interface Io {
  readonly out: Terminal & { readonly isTTY?: boolean | undefined };
  readonly err: { write(text: string): unknown };
  /** Variables of the environment: the language of messages. */
  readonly env: Environment;
  /** Ctrl-C, or the system asks the program to end. Listening takes over: nothing ends by itself any more. */
  readonly interrupt$: Observable<unknown>;
  /** The same without SIGHUP, for who takes that for `reload$`. */
  readonly end$?: Observable<unknown>;
  /** The system asks that settings be read again (SIGHUP). Listening takes over: the signal ends nothing then. */
  readonly reload$?: Observable<unknown>;
  /** Who sits at this terminal, as the system knows them. */
  readonly user?: string | undefined;
  /** Ends at once, whatever is under way. */
  exit(status: number): void;
}

/** The account as the system has it, where no variable names it (services, containers). */
function accountName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

/** The world of a real process. */
export const createIo = (process: NodeJS.Process): Io => ({
  out: process.stdout,
  err: process.stderr,
  env: process.env,
  interrupt$: merge(
    fromEvent(process, 'SIGINT'),
    fromEvent(process, 'SIGTERM'),
    fromEvent(process, 'SIGHUP'),
  ).pipe(share()),
  end$: merge(fromEvent(process, 'SIGINT'), fromEvent(process, 'SIGTERM')).pipe(share()),
  reload$: fromEvent(process, 'SIGHUP').pipe(share()),
  user: process.env.USER ?? process.env.USERNAME ?? process.env.LOGNAME ?? accountName(),
  exit: (status) => process.exit(status),
});
