import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  apiKeyText,
  hashApiKey,
  hashMatches,
  keyStatus,
  newApiKey,
  newApplicationId,
  readApiKey,
  readKeyId,
  usageKeyOf,
} from '#shared/applications/api-keys.ts';

const applicationId = '0123456789abcdef';
const keyId = `${applicationId}00c0ffee`;
const secret = '5'.repeat(64);
const whole = apiKeyText({ keyId, secret });

describe('an API key', () => {
  test('contains its own id and the id of its application', () => {
    const application = newApplicationId(randomBytes);
    const { keyId, apiKey } = newApiKey(application, randomBytes);
    expect(apiKey).toMatch(/^lk_[0-9a-f]{24}_[0-9a-f]{72}$/);
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
    // python3 -c "import zlib; print(hex(zlib.crc32(b'lk_…')))"
    expect(apiKey).toBe(`lk_${applicationId}55555555_${secret}1d7b320e`);
  });

  test.each([
    ['empty text', ''],
    ['a key id alone', keyId],
    ['a key without its secret', `lk_${keyId}_`],
    ['a key without its checksum', `lk_${keyId}_${secret}`],
    ['a secret that is cut off', apiKeyText({ keyId, secret: secret.slice(1) })],
    ['a secret that is too long', apiKeyText({ keyId, secret: `${secret}5` })],
    ['another digit in its application', whole.replace('lk_0', 'lk_1')],
    ['another digit in its secret', whole.replace('_5', '_6')],
    ['two digits exchanged', whole.replace('0123', '0132')],
    ['another digit in its checksum', whole.replace(/.$/, (it) => (it === '0' ? '1' : '0'))],
    ['capital letters', whole.toUpperCase()],
    ['a blank before it', ` ${whole}`],
    ['a line end after it', `${whole}\n`],
    ['another prefix', whole.replace('lk_', 'sk_')],
    ['no prefix', whole.slice(3)],
    ['letters that are not hexadecimal', apiKeyText({ keyId, secret: 'g'.repeat(64) })],
    ['a very long text', 'lk_'.repeat(3_000)],
    [
      'a separator of the table in the id',
      apiKeyText({ keyId: `${applicationId}#KEY#000`, secret }),
    ],
  ])('is not read from %s', (_title, text) => {
    expect(readApiKey(text)).toBeUndefined();
  });

  test.each([
    ['empty text', ''],
    ['a whole key', whole],
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
  ])('compared with the hash of %s', (_title, other, matches) => {
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
  test('contains its id and has the length that the gateway requires', () => {
    const usageKey = usageKeyOf(newApplicationId(randomBytes));
    // "20 to 128 characters" (Amazon API Gateway Developer Guide, "API keys").
    expect(usageKey).toMatch(/^[a-z0-9-]{20,128}$/);
    expect(usageKeyOf(applicationId)).toBe('application-0123456789abcdef');
  });
});
