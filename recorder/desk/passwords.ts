import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** Cost of one guess: about 32 MB and some tens of milliseconds. */
const COST = { N: 2 ** 15, r: 8, p: 1 } as const;
const KEY_BYTES = 32;
const SALT_BYTES = 16;

const derive = (password: string, salt: Buffer, N: number, r: number, p: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // The same letters typed on another system are the same password.
    scrypt(password.normalize('NFC'), salt, KEY_BYTES, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });

/** Hashes a password as it is kept in a configuration: `scrypt:N:r:p:salt:key`, the last two in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const { N, r, p } = COST;
  const key = await derive(password, salt, N, r, p);
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join(':');
}

const HASH = /^scrypt:(\d{1,7}):(\d{1,2}):(\d{1,2}):([\w-]{16,64}):([\w-]{43})$/;

/** Whether a text is a hash that `hashPassword` wrote, of a cost that this machine can bear. */
export function isPasswordHash(text: string): boolean {
  const match = HASH.exec(text);
  if (match === null) return false;
  const [N, r, p] = match.slice(1, 4).map(Number) as [number, number, number];
  return N >= 2 ** 14 && N <= 2 ** 18 && (N & (N - 1)) === 0 && r >= 8 && r <= 16 && p >= 1 && p <= 4;
}

/** Whether a password is the one of a hash; false for a hash that is none. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  if (!isPasswordHash(hash)) return false;
  const [, N, r, p, salt, key] = HASH.exec(hash)!;
  const derived = await derive(password, Buffer.from(salt!, 'base64url'), Number(N), Number(r), Number(p));
  return timingSafeEqual(derived, Buffer.from(key!, 'base64url'));
}
