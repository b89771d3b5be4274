// API keys: `lk_<key id>_<secret><checksum>`. Only a keyed hash is ever stored.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** 16 hex digits of the application id and 8 of the key, so the id gives the key's partition. */
const keyIdPattern = /^([0-9a-f]{16})[0-9a-f]{8}$/;
const apiKeyPattern = /^(lk_([0-9a-f]{24})_[0-9a-f]{64})([0-9a-f]{8})$/;

const checksumOf = (text: string): string => crc32(text).toString(16).padStart(8, '0');

export const newApplicationId = (random: (bytes: number) => Buffer): string =>
  random(8).toString('hex');

/**
 * The key under which the gateway's usage plan counts an application's requests. It is no secret:
 * the gateway takes it only from the authorizer, never from a request.
 */
export const usageKeyOf = (applicationId: string): string => `application-${applicationId}`;

/** How much an application may send. The gateway has a usage plan for each. */
export const plans = ['small', 'medium', 'large'] as const;
export type Plan = (typeof plans)[number];

/** The plan of an application that has not changed it is `large`. */
export const planOf = ({ plan = 'large' }: { plan?: Plan | undefined }): Plan => plan;

/**
 * Formats a key. It ends with a CRC-32 of the rest, so that mistyped or truncated keys are refused
 * before the table or the pepper is read. The checksum proves nothing, since anyone can compute it;
 * only the hash authenticates.
 */
export const apiKeyText = ({ keyId, secret }: { keyId: string; secret: string }): string => {
  const text = `lk_${keyId}_${secret}`;
  return `${text}${checksumOf(text)}`;
};

/** Creates a key. Show it once and store only its hash. */
export const newApiKey = (
  applicationId: string,
  random: (bytes: number) => Buffer,
): { keyId: string; apiKey: string } => {
  const keyId = `${applicationId}${random(4).toString('hex')}`;
  return { keyId, apiKey: apiKeyText({ keyId, secret: random(32).toString('hex') }) };
};

/** A key and its application. */
export type KeyOwner = { keyId: string; applicationId: string };

/** The key id and its application, or `undefined` if the text is not a key id. */
export const readKeyId = (keyId: string): KeyOwner | undefined => {
  const [, applicationId] = keyIdPattern.exec(keyId) ?? [];
  return applicationId === undefined ? undefined : { keyId, applicationId };
};

/** The ids in a key, or `undefined` if the text is not a key or is mistyped. */
export const readApiKey = (apiKey: string): KeyOwner | undefined => {
  const [, text = '', keyId = '', checksum] = apiKeyPattern.exec(apiKey) ?? [];
  return checksum === checksumOf(text) ? readKeyId(keyId) : undefined;
};

/** Replaces the secrets of all API keys in a text. The key ids stay. */
export const withoutApiKeys = (text: string): string =>
  text.replace(/(lk_[0-9a-f]{24}_)[0-9a-f]{64}/g, '$1…');

type KeyStatus = 'live' | 'expired' | 'revoked';

/** A revoked key stays revoked, even if `revokedAt` is in the future because of a wrong clock. */
export const keyStatus = (
  { expiresAt, revokedAt }: { expiresAt: string | null; revokedAt: string | null },
  now: Date,
): KeyStatus => {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now.getTime() ? 'expired' : 'live';
};

/** HMAC-SHA-256 with a pepper, so that guesses cannot be tested against a leaked table. */
export const hashApiKey = (apiKey: string, pepper: Buffer): string =>
  createHmac('sha256', pepper).update(apiKey).digest('base64');

/** Compares in constant time. */
export const hashMatches = (...hashes: [string, string]): boolean => {
  const [one, other] = hashes.map((hash) => Buffer.from(hash, 'base64'));
  return one !== undefined && other?.length === one.length && timingSafeEqual(one, other);
};
