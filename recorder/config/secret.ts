import { readFileSync } from 'node:fs';
import { BoardError } from '../../core/board-error.ts';
import type { Environment } from '../language/language.ts';

/**
 * Reads what a reference stands for: `env:NAME` or `file:PATH`, without white space around it. Throws SECRET_UNREADABLE, which
 * names the reference and never what it holds.
 */
export function readSecret(reference: string, env: Environment): string {
  const [, kind, name = ''] = /^(file|env):(.*)$/s.exec(reference) ?? [];
  let value: string | undefined;
  let detail = kind === undefined ? 'it is neither file:PATH nor env:NAME' : 'it is not set or empty';
  if (kind === 'env') value = env[name];
  if (kind === 'file') {
    try {
      value = readFileSync(name, 'utf8');
    } catch (cause) {
      detail = (cause as NodeJS.ErrnoException).code ?? 'it cannot be read';
    }
  }
  const secret = value?.trim() ?? '';
  // What is no reference may be the secret itself: it is not repeated.
  if (secret === '')
    throw new BoardError('SECRET_UNREADABLE', { reference: kind === undefined ? '?' : reference, detail });
  return secret;
}

/** A text of somebody else without secrets that it repeats. Shorter ones than four characters would hide words. */
export const hideSecrets = (text: string, secrets: readonly (string | undefined)[]): string =>
  secrets.reduce<string>(
    (hidden, secret) =>
      secret === undefined || secret.length < 4 ? hidden : hidden.replaceAll(secret, '***'),
    text,
  );
