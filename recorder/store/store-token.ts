import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';

/** Gives a new database its token: random, it makes the ids of its games unique in the world. */
export function keepToken(db: Database): void {
  const token = randomUUID().replaceAll('-', '').slice(0, 8);
  db.prepare('INSERT OR IGNORE INTO store (id, token) VALUES (1, ?)').run(token);
}
