// API keys: `lk_<key id>_<secret>`, of which only a keyed hash is ever stored.

import { createHmac, timingSafeEqual } from 'node:crypto';

/** 16 hex digits of the application, 8 of its own: the id alone says where the key is kept. */
const pattern = /^lk_(([0-9a-f]{16})[0-9a-f]{8})_[0-9a-f]{64}$/;

export const newApplicationId = (random: (bytes: number) => Buffer): string =>
  random(8).toString('hex');

/** Makes a key. Show it once and store its hash only. */
export const newApiKey = (
  applicationId: string,
  random: (bytes: number) => Buffer,
): { keyId: string; apiKey: string } => {
  const keyId = `${applicationId}${random(4).toString('hex')}`;
  return { keyId, apiKey: `lk_${keyId}_${random(32).toString('hex')}` };
};

/** The ids that a key's text carries, or `undefined` where the text is no key. */
export const readApiKey = (
  apiKey: string,
): { keyId: string; applicationId: string } | undefined => {
  const [, keyId, applicationId] = pattern.exec(apiKey) ?? [];
  return keyId && applicationId ? { keyId, applicationId } : undefined;
};

/** HMAC-SHA-256 under a pepper, so that a leaked table cannot be tested against guesses. */
export const hashApiKey = (apiKey: string, pepper: Buffer): string =>
  createHmac('sha256', pepper).update(apiKey).digest('base64');

/** Compares in constant time. */
export const hashMatches = (...hashes: [string, string]): boolean => {
  const [one, other] = hashes.map((hash) => Buffer.from(hash, 'base64'));
  return one !== undefined && other?.length === one.length && timingSafeEqual(one, other);
};
