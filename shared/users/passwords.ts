// Password hashing in the PHC string format, with the parameters of the OWASP Password Storage
// Cheat Sheet: argon2id, or scrypt if this Node has no argon2.

import * as crypto from 'node:crypto';
import { promisify } from 'node:util';

type Random = (bytes: number) => Buffer;
type Argon2 = typeof crypto.argon2;

const argon2Parameters = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };

/** N = 2^17, r = 8, p = 1. Hashing takes 128 MiB of the function's 1,024 MB. */
const scryptParameters = { logCost: 17, blockSize: 8, parallelization: 1, tagLength: 32 };

const deriveByScrypt = promisify<
  crypto.BinaryLike,
  crypto.BinaryLike,
  number,
  crypto.ScryptOptions,
  Buffer
>(crypto.scrypt);

const unpadded = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('base64').replace(/=+$/, '');

type Derivation = { message: string; nonce: Buffer };

const hashByArgon2 = async (argon2: Argon2, { message, nonce }: Derivation): Promise<string> => {
  const hash = await promisify(argon2)('argon2id', { ...argon2Parameters, message, nonce });
  const { memory, passes, parallelism } = argon2Parameters;
  const settings = `v=19$m=${memory},t=${passes},p=${parallelism}`;
  return `$argon2id$${settings}$${unpadded(nonce)}$${unpadded(hash)}`;
};

const hashByScrypt = async ({ message, nonce }: Derivation): Promise<string> => {
  const { logCost, blockSize, parallelization, tagLength } = scryptParameters;
  const cost = 2 ** logCost;
  const hash = await deriveByScrypt(message, nonce, tagLength, {
    cost,
    blockSize,
    parallelization,
    // scrypt needs about 128 * N * r bytes, and Node's default maximum is 32 MiB.
    maxmem: 2 * 128 * cost * blockSize,
  });
  const settings = `ln=${logCost},r=${blockSize},p=${parallelization}`;
  return `$scrypt$${settings}$${unpadded(nonce)}$${unpadded(hash)}`;
};

/**
 * Whether this Node cannot compute argon2. The function exists but throws if Node is linked to
 * OpenSSL before 3.2 (Node.js documentation, "ERR_CRYPTO_ARGON2_NOT_SUPPORTED"). Lambda links Node
 * to its own OpenSSL (github.com/aws/aws-lambda-base-images, issue 482: 3.3.5 for Node 22). Not
 * verified: the version for Node 24, and whether all regions have it.
 */
const isNotSupported = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_CRYPTO_ARGON2_NOT_SUPPORTED';

/**
 * Hashes a password with a salt from `random`. The result names its algorithm, so both can coexist:
 * `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>` or `$scrypt$ln=17,r=8,p=1$<salt>$<hash>`. Nothing
 * verifies passwords yet; a future check must accept both.
 *
 * @param argon2 Node's own function; Node before 24.7 does not have it
 */
export const hashPassword = async (
  password: string,
  random: Random,
  argon2: Argon2 | undefined = crypto.argon2,
): Promise<string> => {
  const derivation = { message: password.normalize('NFC'), nonce: random(16) };
  if (argon2 === undefined) return hashByScrypt(derivation);
  try {
    return await hashByArgon2(argon2, derivation);
  } catch (error) {
    if (!isNotSupported(error)) throw error;
    return hashByScrypt(derivation);
  }
};
