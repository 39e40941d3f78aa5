import { createHash, randomBytes } from 'node:crypto';
import type { DeskRole } from './model/desk-api.ts';
import { hashPassword, isPassword } from './passwords.ts';

/** Somebody who may sign in. */
export interface DeskAccount {
  /** Absent where everybody who knows the password may, under a name of their own. */
  readonly name?: string;
  readonly role: DeskRole;
  /** As `hashPassword` writes it. */
  readonly password: string;
}

/** Somebody who is signed in. */
export interface DeskUser {
  readonly name: string;
  readonly role: DeskRole;
}

/** A session ends this long after it was used last, and this long after it began whatever happens, ms. */
const IDLE_MS = 12 * 3_600_000;
const LONGEST_MS = 36 * 3_600_000;
/** Sessions that are kept; the one unused longest goes first. */
const MOST_SESSIONS = 1000;

interface Session {
  readonly user: DeskUser;
  readonly beganMs: number;
  usedMs: number;
}

export interface Sessions {
  /** The secret of a new session; undefined when name and password do not belong together. */
  signIn(name: string, password: string): Promise<string | undefined>;
  /** Who a secret belongs to; undefined when it is no session's. */
  userOf(secret: string | undefined): DeskUser | undefined;
  signOut(secret: string | undefined): void;
}

/** Keeps who is signed in, in memory: a restart of the recorder signs everybody out. */
export function createSessions(accounts: readonly DeskAccount[], nowMs: () => number): Sessions {
  const sessions = new Map<string, Session>();
  // Somebody unknown is refused after as much work as somebody known.
  const nobody = hashPassword(randomBytes(16).toString('hex'));
  // Only a digest is kept: what is read out of memory opens nothing.
  const keyOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');
  return {
    async signIn(name, password) {
      const known = accounts.filter((account) => account.name === undefined || account.name === name);
      let account: DeskAccount | undefined;
      for (const one of known) if (await isPassword(password, one.password)) account ??= one;
      if (known.length === 0) await isPassword(password, await nobody);
      if (account === undefined) return undefined;
      const secret = randomBytes(32).toString('base64url');
      const now = nowMs();
      sessions.set(keyOf(secret), { user: { name, role: account.role }, beganMs: now, usedMs: now });
      if (sessions.size > MOST_SESSIONS) {
        const [oldest] = [...sessions].sort(([, a], [, b]) => a.usedMs - b.usedMs);
        sessions.delete(oldest![0]);
      }
      return secret;
    },
    userOf(secret) {
      if (secret === undefined || secret.length > 100) return undefined;
      const key = keyOf(secret);
      const session = sessions.get(key);
      if (session === undefined) return undefined;
      const now = nowMs();
      if (now - session.usedMs > IDLE_MS || now - session.beganMs > LONGEST_MS) {
        sessions.delete(key);
        return undefined;
      }
      session.usedMs = now;
      return session.user;
    },
    signOut(secret) {
      if (secret !== undefined) sessions.delete(keyOf(secret));
    },
  };
}
