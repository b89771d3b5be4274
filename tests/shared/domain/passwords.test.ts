import { argon2Sync, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hashPassword } from '#shared/domain/passwords.ts';

/** The parts of a PHC string, and the hash that its settings and salt give for a password. */
const read = (phc: string) => {
  const pattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;
  const [, memory, passes, parallelism, salt = '', hash = ''] = pattern.exec(phc) ?? [];
  const settings = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: 32,
  };
  const nonce = Buffer.from(salt, 'base64');
  const hashOf = (message: string): string =>
    argon2Sync('argon2id', { ...settings, message, nonce })
      .toString('base64')
      .replace(/=+$/, '');
  return { settings, saltBytes: nonce.length, hash, hashOf };
};

describe('hashing a password', () => {
  test('states the OWASP parameters, a salt of 16 bytes and a hash of 32', async () => {
    const { settings, saltBytes, hash } = read(await hashPassword('correct horse', randomBytes));
    expect({ settings, saltBytes, hashBytes: Buffer.from(hash, 'base64').length }).toEqual({
      settings: { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 },
      saltBytes: 16,
      hashBytes: 32,
    });
  });

  test('gives what the stated parameters and salt give, for this password only', async () => {
    const { hash, hashOf } = read(await hashPassword('correct horse', randomBytes));
    expect(hashOf('correct horse')).toBe(hash);
    expect(hashOf('Correct horse')).not.toBe(hash);
    expect(read(await hashPassword('correct horse', randomBytes)).hash).not.toBe(hash);
  });

  test('takes a letter with its accent, however the keyboard wrote it', async () => {
    const { hash, hashOf } = read(await hashPassword('cafe\u0301 au lait', randomBytes));
    expect(hashOf('café au lait')).toBe(hash);
  });
});
