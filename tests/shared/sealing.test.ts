import { describe, expect, test } from 'vitest';
import { openSealing } from '#shared/sealing.ts';
import type { Secret, VersionedKeys } from '#shared/secrets.ts';
import { fixedSecret, newKeys } from '../support/builders/secrets.ts';

const text = '{"accessToken":"ä secret"}';
const tenant = 'app1/acme';

/** The sealed text with one bit of one of its bytes turned round. */
const withBitTurned = (sealed: string, place: number): string => {
  const [version, encoded = ''] = sealed.split('.');
  const bytes = Buffer.from(encoded, 'base64url');
  const index = place < 0 ? bytes.length + place : place;
  bytes.writeUInt8(bytes.readUInt8(index) ^ 1, index);
  return `${version}.${bytes.toString('base64url')}`;
};

describe('sealing', () => {
  const keys = newKeys('1');
  const sealing = openSealing(fixedSecret(keys));

  test('opens sealed text and reveals only the key version', async () => {
    const sealed = await sealing.seal(text, tenant);
    expect(await sealing.open(sealed, tenant)).toBe(text);
    expect(sealed).toMatch(/^1\.[\w-]+$/);
    const bytes = Buffer.from(sealed.slice(2), 'base64url');
    expect(bytes.length).toBe(12 + Buffer.byteLength(text) + 16);
    expect(bytes.includes('secret')).toBe(false);
  });

  test('never seals twice with the same nonce', async () => {
    const sealed = await Promise.all(Array.from({ length: 100 }, () => sealing.seal(text, tenant)));
    expect(new Set(sealed.map((it) => it.slice(0, 18))).size).toBe(100);
  });

  test.each([
    ['another tenant of the application', 'app1/acme_2'],
    ['the same name in another application', 'app2/acme'],
  ])('does not open for %s', async (_, other) => {
    await expect(sealing.open(await sealing.seal(text, tenant), other)).rejects.toThrow();
  });

  test.each([
    ['its nonce', 0],
    ['its text', 12],
    ['its tag', -1],
  ])('does not open if a bit of %s is flipped', async (_, place) => {
    const sealed = await sealing.seal(text, tenant);
    await expect(sealing.open(withBitTurned(sealed, place), tenant)).rejects.toThrow();
  });

  test.each([27, 15, 4, 0])('does not open when cut to %i bytes', async (length) => {
    const [version, encoded = ''] = (await sealing.seal(text, tenant)).split('.');
    const cut = Buffer.from(encoded, 'base64url').subarray(0, length).toString('base64url');
    await expect(sealing.open(`${version}.${cut}`, tenant)).rejects.toThrow();
  });

  test('does not open with another key of the same version', async () => {
    const other = openSealing(fixedSecret(newKeys('1')));
    await expect(other.open(await sealing.seal(text, tenant), tenant)).rejects.toThrow();
  });

  test('does not open without the version of its key', async () => {
    const sealed = await openSealing(fixedSecret(newKeys('0'))).seal(text, tenant);
    await expect(sealing.open(sealed, tenant)).rejects.toThrow('no key of version 0');
  });

  test('reads the secret again for an unknown version of its key', async () => {
    const both = newKeys('1', '2');
    const { '1': first = '' } = both.versions;
    const before: VersionedKeys = { current: '1', versions: { '1': first } };
    const lagging: Secret<VersionedKeys> = {
      read: async () => before,
      readAgain: async () => both,
    };
    const sealed = await openSealing(fixedSecret(both)).seal(text, tenant);
    expect(await openSealing(lagging).open(sealed, tenant)).toBe(text);
  });
});
