import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { BoardError } from '../../core/board-error.ts';
import { hashPassword } from '../desk/passwords.ts';
import type { Io } from './io.ts';

/** Reads a password from standard input and prints its hash, which may stand in a file of the settings. */
export async function runPassword(io: Pick<Io, 'out'>, input: Readable = process.stdin): Promise<number> {
  const password = (await text(input)).replace(/\r?\n$/, '');
  if (password === '')
    throw new BoardError('ARGUMENT_INVALID', { detail: 'no password came on standard input' });
  io.out.write(`${await hashPassword(password)}\n`);
  return 0;
}
