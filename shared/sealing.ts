// Sealing of platform tokens: AES-256-GCM under a versioned key, bound to the tenant.

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { currentKey, keyOfVersion, type Secret, type VersionedKeys } from './secrets.ts';

/** AES-256-GCM with a random 96-bit nonce (NIST SP 800-38D section 8.2.2). */
const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
/** Node would accept shorter tags too, which are easier to forge. */
const lengths = { authTagLength: tagBytes };

/** The version of the key under which text was sealed. */
export const sealingVersionOf = (sealed: string): string =>
  sealed.slice(0, sealed.lastIndexOf('.'));

export type Sealing = ReturnType<typeof openSealing>;

export const openSealing = (secret: Secret<VersionedKeys>) => ({
  /** Returns `<key version>.<base64url>`, which opens only with the same `boundTo`. */
  seal: async (text: string, boundTo: string): Promise<string> => {
    const { version, key } = await currentKey(secret);
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, key, nonce, lengths).setAAD(Buffer.from(boundTo));
    const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return `${version}.${Buffer.concat(sealed).toString('base64url')}`;
  },

  /** @throws Error if the text was altered or sealed with a different `boundTo` */
  open: async (sealed: string, boundTo: string): Promise<string> => {
    const version = sealingVersionOf(sealed);
    const key = await keyOfVersion(secret, version);
    const bytes = Buffer.from(sealed.slice(version.length + 1), 'base64url');
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), lengths)
      .setAAD(Buffer.from(boundTo))
      .setAuthTag(bytes.subarray(-tagBytes));
    const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  },
});
