import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  hashApiKey,
  hashMatches,
  keyStatus,
  newApiKey,
  newApplicationId,
  readApiKey,
  readKeyId,
  usageKeyOf,
} from '#shared/domain/api-keys.ts';

const applicationId = '0123456789abcdef';
const keyId = `${applicationId}00c0ffee`;
const secret = '5'.repeat(64);

describe('an API key', () => {
  test('carries its own id and that of its application', () => {
    const application = newApplicationId(randomBytes);
    const { keyId, apiKey } = newApiKey(application, randomBytes);
    expect(apiKey).toMatch(/^lk_[0-9a-f]{24}_[0-9a-f]{64}$/);
    expect(readApiKey(apiKey)).toEqual({ keyId, applicationId: application });
    expect(readKeyId(keyId)).toEqual({ keyId, applicationId: application });
  });

  test('takes 256 bits of randomness for its secret', () => {
    const asked: number[] = [];
    const { apiKey } = newApiKey(applicationId, (bytes) => {
      asked.push(bytes);
      return Buffer.alloc(bytes, 0x55);
    });
    expect(asked).toEqual([4, 32]);
    expect(apiKey).toBe(`lk_${applicationId}55555555_${secret}`);
  });

  test.each([
    ['empty text', ''],
    ['a key id alone', keyId],
    ['a key without its secret', `lk_${keyId}_`],
    ['a secret that is cut off', `lk_${keyId}_${secret.slice(1)}`],
    ['a secret that is too long', `lk_${keyId}_${secret}5`],
    ['capital letters', `LK_${keyId}_${secret}`.toUpperCase()],
    ['a blank before it', ` lk_${keyId}_${secret}`],
    ['a line end after it', `lk_${keyId}_${secret}\n`],
    ['another prefix', `sk_${keyId}_${secret}`],
    ['no prefix', `${keyId}_${secret}`],
    ['letters that are not hexadecimal', `lk_${keyId}_${'g'.repeat(64)}`],
    ['a very long text', 'lk_'.repeat(3_000)],
    ['a separator of the table in the id', `lk_${applicationId}#KEY#000_${secret}`],
  ])('is not read from %s', (_title, text) => {
    expect(readApiKey(text)).toBeUndefined();
  });

  test.each([
    ['empty text', ''],
    ['a whole key', `lk_${keyId}_${secret}`],
    ['an application id', applicationId],
    ['a line end after it', `${keyId}\n`],
  ])('a key id is not read from %s', (_title, text) => {
    expect(readKeyId(text)).toBeUndefined();
  });
});

describe('the hash of a key', () => {
  const apiKey = `lk_${keyId}_${secret}`;
  const pepper = Buffer.alloc(32, 1);

  test('is the HMAC-SHA-256 under the pepper, in base64', () => {
    // printf of the key | openssl dgst -sha256 -mac HMAC -macopt hexkey:0101…01 -binary | base64
    expect(hashApiKey(apiKey, pepper)).toBe('7Kr2p2HvCxWatIvjSgYYqgsqsEhguH3WRboWeLz9o4A=');
  });

  test.each([
    ['the same key', hashApiKey(apiKey, pepper), true],
    ['another key', hashApiKey(`${apiKey.slice(0, -1)}6`, pepper), false],
    ['the same key under another pepper', hashApiKey(apiKey, Buffer.alloc(32, 2)), false],
    ['a hash that is cut off', hashApiKey(apiKey, pepper).slice(0, 20), false],
    ['nothing', '', false],
  ])('compared with that of %s', (_title, other, matches) => {
    expect(hashMatches(hashApiKey(apiKey, pepper), other)).toBe(matches);
  });
});

describe('the status of a key', () => {
  const now = new Date('2026-03-23T09:30:00.000Z');
  test.each([
    ['without an end', null, null, 'live'],
    ['that expires a millisecond from now', '2026-03-23T09:30:00.001Z', null, 'live'],
    ['that expires now', '2026-03-23T09:30:00.000Z', null, 'expired'],
    ['that expired', '2025-01-01T00:00:00.000Z', null, 'expired'],
    ['that was revoked', null, '2026-03-23T09:29:59.000Z', 'revoked'],
    ['that was revoked by a clock ahead of ours', null, '2026-03-23T09:35:00.000Z', 'revoked'],
    ['that expired and was revoked', '2025-01-01T00:00:00.000Z', now.toISOString(), 'revoked'],
  ])('%s', (_title, expiresAt, revokedAt, status) => {
    expect(keyStatus({ expiresAt, revokedAt }, now)).toBe(status);
  });
});

describe("the gateway's usage key of an application", () => {
  test('follows from its id, and is as long as the gateway demands', () => {
    const usageKey = usageKeyOf(newApplicationId(randomBytes));
    // "20 to 128 characters" (Amazon API Gateway Developer Guide, "API keys").
    expect(usageKey).toMatch(/^[a-z0-9-]{20,128}$/);
    expect(usageKeyOf(applicationId)).toBe('application-0123456789abcdef');
  });
});
