import { describe, expect, test } from 'vitest';
import {
  type ApiKey,
  type Application,
  openApplications,
} from '#shared/applications/applications.store.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';

const database = await openTestTable();
const applications = openApplications(database.table);

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

  test('and keys that do not exist are not made by a change', async () => {
    const before = await database.scan();
    const [owner, at] = [{ applicationId: 'none', keyId: 'none' }, '2026-03-24T09:30:00.000Z'];
    const status = { status: 'suspended', now: new Date(at) } as const;
    expect(await applications.setStatus('none', status)).toBe(false);
    expect(await applications.setPlan('none', 'small')).toBe(false);
    expect(await applications.expireKey(owner, at)).toBe(false);
    expect(await applications.revokeKey(owner, at)).toBe(false);
    expect(await database.scan()).toEqual(before);
  });
});

describe('API keys', () => {
  test('without an application or with an id in use are refused', async () => {
    await applications.record(application('k4'));
    await applications.recordKey(apiKey('k4'));
    const before = await database.scan();
    expect(await applications.recordKey(apiKey('none'))).toBe(false);
    expect(await applications.recordKey(apiKey('k4', { hash: 'b3RoZXI=' }))).toBe(false);
    expect(await database.scan()).toEqual(before);
  });

  test('with an unreadable expiry cause an error', async () => {
    await applications.record(application('k7'));
    await applications.recordKey(apiKey('k7', { expiresAt: 'some day' }));
    const found = applications.findWithKey({ applicationId: 'k7', keyId: 'k7-key' });
    await expect(found).rejects.toThrow();
  });
});
