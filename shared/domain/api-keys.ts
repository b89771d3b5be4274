// API keys: `lk_<key id>_<secret><checksum>`, of which only a keyed hash is ever stored.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** 16 hex digits of the application, 8 of its own: the id alone says where the key is kept. */
const keyIdPattern = /^([0-9a-f]{16})[0-9a-f]{8}$/;
const apiKeyPattern = /^(lk_([0-9a-f]{24})_[0-9a-f]{64})([0-9a-f]{8})$/;

const checksumOf = (text: string): string => crc32(text).toString(16).padStart(8, '0');

export const newApplicationId = (random: (bytes: number) => Buffer): string =>
  random(8).toString('hex');

/**
 * What the gateway counts an application's requests under, in its usage plan. It opens nothing: the
 * gateway takes it from the authorizer only, never from a request.
 */
export const usageKeyOf = (applicationId: string): string => `application-${applicationId}`;

/**
 * The text of a key. The CRC-32 of all before it stands last, so that a key that was mistyped or
 * cut off, and whatever else is no key, is refused before the table or the pepper is read. It
 * proves nothing: anybody can compute it, and the hash decides.
 */
export const apiKeyText = ({ keyId, secret }: { keyId: string; secret: string }): string => {
  const text = `lk_${keyId}_${secret}`;
  return `${text}${checksumOf(text)}`;
};

/** Makes a key. Show it once and store its hash only. */
export const newApiKey = (
  applicationId: string,
  random: (bytes: number) => Buffer,
): { keyId: string; apiKey: string } => {
  const keyId = `${applicationId}${random(4).toString('hex')}`;
  return { keyId, apiKey: apiKeyText({ keyId, secret: random(32).toString('hex') }) };
};

type KeyOwner = { keyId: string; applicationId: string };

/** A key id with the application that it names, or `undefined` where the text is no key id. */
export const readKeyId = (keyId: string): KeyOwner | undefined => {
  const [, applicationId] = keyIdPattern.exec(keyId) ?? [];
  return applicationId === undefined ? undefined : { keyId, applicationId };
};

/** The ids that a key's text carries, or `undefined` where it is no key or has a typing error. */
export const readApiKey = (apiKey: string): KeyOwner | undefined => {
  const [, text = '', keyId = '', checksum] = apiKeyPattern.exec(apiKey) ?? [];
  return checksum === checksumOf(text) ? readKeyId(keyId) : undefined;
};

/** A text with nothing but the ids of the API keys that it holds. */
export const withoutApiKeys = (text: string): string =>
  text.replace(/(lk_[0-9a-f]{24}_)[0-9a-f]{64}/g, '$1…');

/** What a key lets its holder do: everything, or look only. It never changes. */
export const keyAccesses = ['full', 'read_only'] as const;
export type KeyAccess = (typeof keyAccesses)[number];

export type KeyStatus = 'live' | 'expired' | 'revoked';

/** Whether a key may be used. A revoked key stays so, whatever the clock of its revoker said. */
export const keyStatus = (
  { expiresAt, revokedAt }: { expiresAt: string | null; revokedAt: string | null },
  now: Date,
): KeyStatus => {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now.getTime() ? 'expired' : 'live';
};

/** HMAC-SHA-256 under a pepper, so that a leaked table cannot be tested against guesses. */
export const hashApiKey = (apiKey: string, pepper: Buffer): string =>
  createHmac('sha256', pepper).update(apiKey).digest('base64');

/** Compares in constant time. */
export const hashMatches = (...hashes: [string, string]): boolean => {
  const [one, other] = hashes.map((hash) => Buffer.from(hash, 'base64'));
  return one !== undefined && other?.length === one.length && timingSafeEqual(one, other);
};
