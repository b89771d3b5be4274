import { describe, expect, test } from 'vitest';
import {
  type ApiKey,
  type Application,
  openApplications,
} from '#shared/applications/applications.store.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';

const database = await openTestTable();
const applications = openApplications(database.table);
const now = new Date('2026-03-24T09:30:00.000Z');

const application = (applicationId: string, changes: Partial<Application> = {}): Application => ({
  applicationId,
  name: `Application ${applicationId}`,
  status: 'active',
  redirectUrls: [],
  createdAt: '2026-03-23T09:30:00.000Z',
  ...changes,
});

const apiKey = (applicationId: string, changes: Partial<ApiKey> = {}): ApiKey => ({
  keyId: `${applicationId}-key`,
  applicationId,
  access: 'full',
  hash: 'aGFzaA==',
  pepperVersion: '1',
  createdAt: '2026-03-23T09:30:00.000Z',
  expiresAt: null,
  revokedAt: null,
  ...changes,
});

describe('applications', () => {
  test('are found by id and by name in any case', async () => {
    const bookings = application('a1', { name: 'Bookings Été' });
    expect(await applications.record(bookings)).toBe(true);
    expect(await applications.find('a1')).toEqual(bookings);
    expect(await applications.findByName('BOOKINGS ÉTÉ')).toEqual(bookings);
    expect(await applications.findByName('Bookings')).toBeUndefined();
    expect(await applications.find('a2')).toBeUndefined();
  });

  test('with a name in use, ignoring case, are refused', async () => {
    await applications.record(application('b1', { name: 'Billing' }));
    const before = await database.scan();
    expect(await applications.record(application('b2', { name: 'BILLING' }))).toBe(false);
    expect(await database.scan()).toEqual(before);
  });

  test('with one name are recorded once in a race', async () => {
    const crowd = Array.from({ length: 8 }, (_, n) => application(`c${n}`, { name: 'Crowd' }));
    const recorded = await Promise.all(crowd.map(applications.record));
    expect(recorded.filter(Boolean)).toHaveLength(1);
  });

  test('are listed by name', async () => {
    await applications.record(application('l2', { name: 'list z' }));
    await applications.record(application('l1', { name: 'List a' }));
    const names = (await applications.list()).map(({ name }) => name);
    expect(names.filter((name) => /^list/i.test(name))).toEqual(['List a', 'list z']);
    expect(names).toEqual(
      names.toSorted((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1)),
    );
  });

  test('are suspended and resumed', async () => {
    await applications.record(application('s1'));
    expect(await applications.setStatus('s1', { status: 'suspended', now })).toBe(true);
    const suspended = { status: 'suspended', statusChangedAt: now.toISOString() } as const;
    expect(await applications.find('s1')).toEqual(application('s1', suspended));
    expect(await applications.setStatus('s1', { status: 'active', now })).toBe(true);
    const resumed = { ...suspended, status: 'active' } as const;
    expect(await applications.find('s1')).toEqual(application('s1', resumed));
  });

  test('that do not exist cannot be suspended', async () => {
    expect(await applications.setStatus('none', { status: 'suspended', now })).toBe(false);
    expect(await applications.find('none')).toBeUndefined();
  });

  test('replace redirect URLs unless they have changed', async () => {
    await applications.record(application('r1'));
    const replace = (expected: string[], replacement: string[]) =>
      applications.replaceRedirectUrls('r1', { expected, replacement });
    expect(await replace([], ['https://one.example'])).toBe(true);
    expect(await replace([], ['https://other.example'])).toBe(false);
    expect(await replace(['https://one.example'], [])).toBe(true);
    expect(await applications.find('r1')).toEqual(application('r1'));
    const nothing = { expected: [], replacement: [] };
    expect(await applications.replaceRedirectUrls('none', nothing)).toBe(false);
  });
});

describe('API keys', () => {
  test('are found with their application', async () => {
    await applications.record(application('k1'));
    expect(await applications.recordKey(apiKey('k1'))).toBe(true);
    expect(await applications.findWithKey({ applicationId: 'k1', keyId: 'k1-key' })).toEqual({
      application: application('k1'),
      apiKey: apiKey('k1'),
    });
  });

  test('are found only with their id and application', async () => {
    await applications.record(application('k2'));
    await applications.record(application('k3'));
    await applications.recordKey(apiKey('k3'));
    const find = (applicationId: string, keyId: string) =>
      applications.findWithKey({ applicationId, keyId });
    expect(await find('k2', 'k3-key')).toEqual({ application: application('k2') });
    expect(await find('none', 'none')).toEqual({});
  });

  test('without an application or with an id in use are refused', async () => {
    await applications.record(application('k4'));
    await applications.recordKey(apiKey('k4'));
    const before = await database.scan();
    expect(await applications.recordKey(apiKey('none'))).toBe(false);
    expect(await applications.recordKey(apiKey('k4', { hash: 'b3RoZXI=' }))).toBe(false);
    expect(await database.scan()).toEqual(before);
  });

  test('are listed for their application only', async () => {
    await applications.record(application('k5'));
    await applications.record(application('k55'));
    const keys = [apiKey('k5', { keyId: 'one' }), apiKey('k5', { keyId: 'two' })];
    for (const key of [...keys, apiKey('k55')]) await applications.recordKey(key);
    expect(await applications.listKeys('k5')).toEqual(keys);
    expect(await applications.listKeys('none')).toEqual([]);
  });

  test('expire and are revoked', async () => {
    await applications.record(application('k6'));
    await applications.recordKey(apiKey('k6'));
    const owner = { applicationId: 'k6', keyId: 'k6-key' };
    expect(await applications.expireKey(owner, '2026-12-31T00:00:00.000Z')).toBe(true);
    expect(await applications.revokeKey(owner, '2026-06-30T00:00:00.000Z')).toBe(true);
    const ends = { expiresAt: '2026-12-31T00:00:00.000Z', revokedAt: '2026-06-30T00:00:00.000Z' };
    expect((await applications.findWithKey(owner)).apiKey).toEqual(apiKey('k6', ends));
  });

  test('that do not exist cannot be revoked', async () => {
    const owner = { applicationId: 'k6', keyId: 'none' };
    expect(await applications.expireKey(owner, '2026-12-31T00:00:00.000Z')).toBe(false);
    expect(await applications.revokeKey(owner, '2026-12-31T00:00:00.000Z')).toBe(false);
    expect((await applications.findWithKey(owner)).apiKey).toBeUndefined();
  });

  test('with an unreadable expiry cause an error', async () => {
    await applications.record(application('k7'));
    await applications.recordKey(apiKey('k7', { expiresAt: 'some day' }));
    const found = applications.findWithKey({ applicationId: 'k7', keyId: 'k7-key' });
    await expect(found).rejects.toThrow();
  });
});
