import { argon2Sync, randomBytes, scryptSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hashPassword } from '#shared/users/passwords.ts';

const tagLength = 32;
const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

/** The parts of a PHC string, and a password's hash with its settings and salt. */
const read = (phc: string) => {
  const pattern = /^\$(argon2id\$v=19|scrypt)\$(.+)\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;
  const [, algorithm, settings = '', salt = '', hash = ''] = pattern.exec(phc) ?? [];
  const [first = 0, second = 0, third = 0] = settings.match(/\d+/g)?.map(Number) ?? [];
  const nonce = Buffer.from(salt, 'base64');
  const hashOf = (message: string): string =>
    algorithm === 'scrypt'
      ? unpadded(
          scryptSync(message, nonce, tagLength, {
            N: 2 ** first,
            r: second,
            p: third,
            maxmem: 2 ** 28,
          }),
        )
      : unpadded(
          argon2Sync('argon2id', {
            memory: first,
            passes: second,
            parallelism: third,
            tagLength,
            message,
            nonce,
          }),
        );
  return { how: `${algorithm}$${settings}`, hash, hashOf };
};

const ofNode = (password: string) => hashPassword(password, randomBytes);
const without = (argon2: unknown) => (password: string) =>
  hashPassword(password, randomBytes, argon2 as never);
const throwing = (code: string) => () => {
  throw Object.assign(new Error('failed'), { code });
};
/** Node's argon2 if its OpenSSL has none. */
const unsupported = throwing('ERR_CRYPTO_ARGON2_NOT_SUPPORTED');

describe.each([
  ['argon2id', ofNode, 'argon2id$v=19$m=19456,t=2,p=1'],
  ['scrypt if OpenSSL has no argon2', without(unsupported), 'scrypt$ln=17,r=8,p=1'],
])('hashing a password by %s', (_title, hashOne, how) => {
  test('states the OWASP parameters and derives the hash from them and the salt', async () => {
    const first = read(await hashOne('correct horse'));
    expect(first.how).toBe(how);
    expect(first.hashOf('correct horse')).toBe(first.hash);
    expect(first.hashOf('Correct horse')).not.toBe(first.hash);
    expect(read(await hashOne('correct horse')).hash).not.toBe(first.hash);
  });

  test('treats composed and combining accents as the same letter', async () => {
    const { hash, hashOf } = read(await hashOne('cafe\u0301 au lait'));
    expect(hashOf('café au lait')).toBe(hash);
  });
});

test('another failure of argon2 does not fall back to scrypt', async () => {
  const hashing = without(throwing('ERR_OUT_OF_RANGE'))('correct horse');
  await expect(hashing).rejects.toThrow('failed');
});
