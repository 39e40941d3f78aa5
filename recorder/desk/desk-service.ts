/** The desk as a service of `serve`: at the address of the settings, with the passwords of the settings. */
import { dirname, join } from 'node:path';
import {
  combineLatest,
  defer,
  EMPTY,
  endWith,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  share,
  switchMap,
  takeUntil,
  tap,
} from 'rxjs';
import type { Config } from '../config/config.ts';
import { readSecret } from '../config/secret.ts';
import type { Environment } from '../language/language.ts';
import { OutputStates } from '../publish/outputs.ts';
import { nameOfOutput, PUBLISH } from '../publish/publish-service.ts';
import { type Notice, type Service, section$ } from '../serve/service.ts';
import { desk$ } from './desk.ts';
import { ROLES } from './model/desk-api.ts';
import { findPage } from './page-files.ts';
import { hashPassword, isPasswordHash } from './passwords.ts';
import type { DeskAccount } from './sessions.ts';

/** File beside the database that tells who did what at the desk. */
export const AUDIT_FILE = 'desk-audit.ndjson';

/**
 * The accounts of the settings: one password a role, and everybody signs in under a name of their own. What the settings point to is
 * a hash (`jadoube password` makes it), or the password itself, which is hashed here. Throws SECRET_UNREADABLE.
 */
export async function readAccounts(desk: Config['desk'], env: Environment): Promise<DeskAccount[]> {
  const accounts: DeskAccount[] = [];
  for (const role of ROLES) {
    const reference = desk[role];
    if (reference === undefined) continue;
    const secret = readSecret(reference, env);
    accounts.push({ role, password: isPasswordHash(secret) ? secret : await hashPassword(secret) });
  }
  return accounts;
}

/** Names of the addresses under which the desk is reached besides its own. */
const hostsOf = ({ origins }: Config['http']): string[] =>
  origins.map((origin) => origin.replace(/^[a-z]+:\/\//, '').replace(/[:/].*$/, ''));

export const deskService: Service = ({ store, updates$, notices$, config$, tournament, clock, env }) => {
  const states = new OutputStates(nameOfOutput, (name) => `${PUBLISH} ${name}`);
  const heeded$ = merge(
    section$(config$, 'outputs').pipe(tap((outputs) => states.setUp(outputs))),
    notices$.pipe(tap((notice) => states.take(notice, clock.wallMs()))),
  ).pipe(ignoreElements());
  // Whoever begins to serve anew after a change of the settings hears the same recorder.
  const shared$ = updates$.pipe(share());
  const ended$ = shared$.pipe(ignoreElements(), endWith(0));
  const served$ = combineLatest([section$(config$, 'http'), section$(config$, 'desk')]).pipe(
    switchMap(([http, desk]): Observable<Notice> => {
      if (!http.enabled || !desk.enabled) return EMPTY;
      return defer(async () => ({ accounts: await readAccounts(desk, env), pageDir: await findPage() })).pipe(
        mergeMap(({ accounts, pageDir }) =>
          desk$({
            updates$: shared$,
            file: store.file,
            clock,
            host: http.host,
            port: http.port,
            accounts,
            hosts: hostsOf(http),
            pageDir,
            tournament,
            outputs: () => states.states(),
            auditFile: join(dirname(store.file), AUDIT_FILE),
          }),
        ),
        map((told): Notice => {
          if (told.type === 'listening')
            return { type: 'notice', service: 'desk', text: `listens at ${told.url}` };
          const { error } = told;
          const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
          return { type: 'notice', service: 'desk', text };
        }),
      );
    }),
    takeUntil(ended$),
  );
  return merge(served$, heeded$.pipe(takeUntil(ended$)));
};
