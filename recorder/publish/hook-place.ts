import { spawn } from 'node:child_process';
import { BoardError } from '../../core/board-error.ts';
import type { DocumentPlace } from './documents.ts';

/** Longest time a command may take, ms; and how much of what it complains is told. */
const LONGEST_MS = 60_000;
const COMPLAINT = 300;

/**
 * A command that is run with each document on its standard input; JADOUBE_DOCUMENT in its environment names it
 * (`round-1/games.pgn`). No shell is between: arguments are what they are. Fails with HOOK_FAILED for any status but 0.
 */
export function createHookPlace(command: readonly string[], env: NodeJS.ProcessEnv): DocumentPlace {
  const [program = '', ...args] = command;
  return {
    pathOf: (name) => `${program} ${name}`,
    put: (name, text) => run(program, args, text, { ...env, JADOUBE_DOCUMENT: name }),
    remove: async () => {},
  };
}

function run(program: string, args: readonly string[], text: string, env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (detail: string): void =>
      reject(new BoardError('HOOK_FAILED', { command: program, detail }));
    const child = spawn(program, args, {
      env,
      stdio: ['pipe', 'ignore', 'pipe'],
      timeout: LONGEST_MS,
      windowsHide: true,
    });
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      complaint = (complaint + chunk).slice(0, COMPLAINT);
    });
    child.on('error', (error) => refuse(error.message));
    child.on('close', (status, signal) => {
      if (status === 0) resolve();
      else refuse(`${signal ?? `status ${status}`} ${complaint.replace(/\s+/g, ' ')}`.trim());
    });
    // A command that reads nothing closes its end.
    child.stdin.on('error', () => {});
    child.stdin.end(text);
  });
}
