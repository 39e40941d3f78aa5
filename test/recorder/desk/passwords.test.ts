import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { runPassword } from '../../../recorder/cli/password.ts';
import { hashPassword, isPassword, isPasswordHash } from '../../../recorder/desk/passwords.ts';
import { createSessions } from '../../../recorder/desk/sessions.ts';

describe('a password', () => {
  it('is known by its hash, which is another one each time', async () => {
    const [a, b] = [await hashPassword('Ход конём'), await hashPassword('Ход конём')];
    expect(a).not.toBe(b);
    expect(a).not.toContain('Ход');
    expect(await isPassword('Ход конём', a)).toBe(true);
    expect(await isPassword('Ход конём'.normalize('NFD'), a)).toBe(true);
    expect(await isPassword('ход конём', a)).toBe(false);
  });

  it('is hashed by the command line, without the end of its line', async () => {
    const lines: string[] = [];
    const out = { write: (text: string) => lines.push(text) };
    expect(await runPassword({ out }, Readable.from([Buffer.from('geheim\n')]))).toBe(0);
    expect(await isPassword('geheim', lines.join('').trim())).toBe(true);
    await expect(runPassword({ out }, Readable.from([]))).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' });
  });

  it.each([
    '',
    'scrypt:1:1:1:aaaaaaaaaaaaaaaaaaaaaa:aaaa',
    'scrypt:9999999:99:99:aaaaaaaaaaaaaaaaaaaaaa:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    'plain',
  ])('is none of %j', async (hash) => {
    expect(isPasswordHash(hash)).toBe(false);
    expect(await isPassword('', hash)).toBe(false);
  });
});

describe('a session', () => {
  it('ends when it was not used for long, and in the end whatever happens', async () => {
    let nowMs = 0;
    const sessions = createSessions([{ role: 'viewer', password: await hashPassword('x') }], () => nowMs);
    const secret = await sessions.signIn('Vera', 'x');
    expect(sessions.userOf(secret)).toEqual({ name: 'Vera', role: 'viewer' });
    for (let hours = 10; hours <= 30; hours += 10) {
      nowMs = hours * 3_600_000;
      expect(sessions.userOf(secret)?.name).toBe('Vera');
    }
    nowMs = 37 * 3_600_000;
    expect(sessions.userOf(secret)).toBeUndefined();
    const idle = await sessions.signIn('Vera', 'x');
    nowMs += 13 * 3_600_000;
    expect(sessions.userOf(idle)).toBeUndefined();
  });
});
