import { appendFile } from 'node:fs/promises';

/** Who did what at the desk, or tried to. Decisions themselves are in the database with who and when. */
export interface AuditEvent {
  readonly type: 'sign-in' | 'sign-in-refused' | 'sign-out' | 'enter' | 'undo' | 'refused';
  readonly atMs: number;
  /** Address of whoever asked. */
  readonly from: string;
  readonly by?: string;
  readonly game?: number;
  readonly entry?: number;
  /** What was asked for, or the code of the refusal. */
  readonly what?: string;
}

export type Audit = (event: AuditEvent) => void;

/** Writes the audit to a file, one JSON object a line, in order; `failed` hears when the disk refuses. */
export function createAuditFile(path: string, failed: (error: unknown) => void): Audit {
  let last: Promise<void> = Promise.resolve();
  return ({ atMs, ...event }) => {
    const line = `${JSON.stringify({ at: new Date(atMs).toISOString(), ...event })}\n`;
    last = last.then(() => appendFile(path, line, { mode: 0o600 })).catch(failed);
  };
}
