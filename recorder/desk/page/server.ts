/** Asks the desk's server; a failure is a code with its meaning and cure. */

import type { EntryContent } from '../../entry.ts';
import type { Consequences, EnterRequest, SessionInfo, UndoRequest } from '../model/desk-api.ts';

export class ServerFault extends Error {
  readonly code: string;
  readonly cure: string;

  constructor(code: string, message: string, cure: string) {
    super(message);
    this.code = code;
    this.cure = cure;
  }
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      credentials: 'same-origin',
      ...(body !== undefined && {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
  } catch {
    throw new ServerFault('OFFLINE', '', '');
  }
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer as T;
  const { error } = (answer ?? {}) as { error?: { code: string; message: string; cure: string } };
  throw new ServerFault(error?.code ?? `HTTP_${response.status}`, error?.message ?? '', error?.cure ?? '');
}

export const getJson = <T>(path: string): Promise<T> => ask<T>('GET', path);
export const postJson = <T>(path: string, body: unknown): Promise<T> => ask<T>('POST', path, body);
export const signIn = (name: string, password: string): Promise<SessionInfo> =>
  ask('POST', '/api/session', { name, password });
export const signOut = (): Promise<SessionInfo> => ask('DELETE', '/api/session');
export const foresee = (game: number, what: EntryContent): Promise<Consequences> =>
  ask('POST', `/api/games/${game}/foresee`, { what });
export const enter = (game: number, request: EnterRequest): Promise<Consequences> =>
  ask('POST', `/api/games/${game}/entries`, request);
export const undo = (game: number, request: UndoRequest): Promise<Consequences> =>
  ask('POST', `/api/games/${game}/undo`, request);
