// Password hashing: argon2id with the OWASP Password Storage Cheat Sheet's parameters, in PHC form.

import { argon2 } from 'node:crypto';
import { promisify } from 'node:util';

const parameters = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const derive = promisify(argon2);

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

/**
 * Hashes a password with a salt drawn from `random`:
 * `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`.
 */
export const hashPassword = async (
  password: string,
  random: (bytes: number) => Buffer,
): Promise<string> => {
  const nonce = random(16);
  const message = password.normalize('NFC');
  const hash = await derive('argon2id', { ...parameters, message, nonce });
  const { memory, passes, parallelism } = parameters;
  const settings = `v=19$m=${memory},t=${passes},p=${parallelism}`;
  return `$argon2id$${settings}$${unpadded(nonce)}$${unpadded(Buffer.from(hash))}`;
};
