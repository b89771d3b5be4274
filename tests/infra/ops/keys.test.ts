import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { stages } from '#infra/manifest/stages.ts';
import type { Report } from '#infra/ops/command.ts';
import { createKey, expireKey, listKeys, revokeKey } from '#infra/ops/commands/keys.ts';
import { hashApiKey, readApiKey } from '#shared/applications/api-keys.ts';
import { findOrCreateApplication } from '#shared/applications/issue-api-key.service.ts';
import { refusalOf, useOperator } from '../../support/harnesses/operator.ts';

const morning = '2026-03-23T09:30:00.000Z';
const nextDay = '2026-03-24T09:30:00.000Z';
const dayAfter = '2026-03-25T09:30:00.000Z';

const pepper = randomBytes(32);
const operator = useOperator({ pepper });
beforeEach(() => {
  operator.clock.now = new Date(morning);
});

const issue = async (options: Parameters<typeof createKey.run>[1]) =>
  (await createKey.run(operator.dependencies, options)) as Report &
    Record<'key_id' | 'api_key', string>;
/** Issues a key to an application, which is created if necessary. */
const create = async (options: Parameters<typeof createKey.run>[1]) => {
  await findOrCreateApplication(operator.dependencies, options.application);
  return issue(options);
};
const list = (application: string) => listKeys.run(operator.dependencies, { application });
const expire = (key: string, at: string) => expireKey.run(operator.dependencies, { key, at });
const revoke = (key: string) => revokeKey.run(operator.dependencies, { key });

/** A listed key. */
const shown = (key_id: string, more: object = {}) => ({
  key_id,
  access: 'full',
  status: 'live',
  created_at: morning,
  expires_at: null,
  last_used_on: null,
  revoked_at: null,
  pepper_version: '1',
  ...more,
});

describe('a new key', () => {
  test('is shown once, with its application', async () => {
    const issued = await create({ application: 'Bookings' });
    const ids = readApiKey(issued.api_key);
    expect(issued).toEqual({
      application: 'Bookings',
      application_id: ids?.applicationId,
      key_id: ids?.keyId,
      api_key: expect.stringMatching(/^lk_[0-9a-f]{24}_[0-9a-f]{72}$/),
      access: 'full',
      expires_at: null,
    });
  });

  test('can be read-only, which the list shows', async () => {
    const issued = await create({ application: 'Looking', readOnly: true });
    expect(issued.access).toBe('read_only');
    const [key] = (await list('Looking')).keys as object[];
    expect(key).toEqual(shown(issued.key_id, { access: 'read_only' }));
  });

  test('belongs to the application with that name, ignoring case', async () => {
    const { application } = await findOrCreateApplication(operator.dependencies, 'Billing');
    expect((await list('Billing')).keys).toEqual([]);
    expect(await issue({ application: 'BILLING' })).toMatchObject({
      application: 'Billing',
      application_id: application.applicationId,
    });
  });

  test('is stored only as a hash with the current pepper', async () => {
    const { api_key: apiKey } = await create({ application: 'Hashed' });
    const ids = readApiKey(apiKey) ?? { applicationId: '', keyId: '' };
    expect((await operator.dependencies.applications.findWithKey(ids)).apiKey).toEqual({
      ...ids,
      access: 'full',
      hash: hashApiKey(apiKey, pepper),
      pepperVersion: '1',
      createdAt: morning,
      expiresAt: null,
      revokedAt: null,
    });
    const [, , secret = ''] = apiKey.split('_');
    expect(JSON.stringify(await operator.database.scan())).not.toContain(secret);
  });

  test.each([
    ['after a number of days', { expiresInDays: 90 }, '2026-06-21T09:30:00.000Z'],
    ['at a time', { expiresAt: '2027-01-31T18:00:00.000Z' }, '2027-01-31T18:00:00.000Z'],
  ])('can expire %s', async (_title, options, expires_at) => {
    const issued = await create({ application: 'Ending', ...options });
    expect(issued.expires_at).toBe(expires_at);
    expect((await list('Ending')).keys).toContainEqual(shown(issued.key_id, { expires_at }));
  });

  test.each([
    ['after a year by default', {}, '2027-03-23T09:30:00.000Z'],
    ['sooner with an option', { expiresInDays: 1 }, nextDay],
    ['later with an option', { expiresInDays: 730 }, '2028-03-22T09:30:00.000Z'],
    ['never with an option', { neverExpires: true as const }, null],
  ])('expires on production %s', async (_title, options, expires_at) => {
    const dependencies = { ...operator.dependencies, rules: stages.production };
    await findOrCreateApplication(dependencies, 'Yearly');
    const issued = await createKey.run(dependencies, { application: 'Yearly', ...options });
    expect(issued.expires_at).toBe(expires_at);
  });

  test('is refused if it would already have expired', async () => {
    expect(await refusalOf(create({ application: 'Late', expiresAt: morning }))).toBe(
      'the key would already have expired',
    );
    expect((await list('Late')).keys).toEqual([]);
  });
});

describe('a key', () => {
  test('is listed with its status, newest first, without its text', async () => {
    const first = await create({ application: 'Listed' });
    operator.clock.now = new Date(nextDay);
    const second = await create({ application: 'Listed', expiresInDays: 1 });
    operator.clock.now = new Date(dayAfter);
    const third = await create({ application: 'Listed' });
    await revoke(first.key_id);
    expect(await list('listed')).toEqual({
      application: 'Listed',
      application_id: first.application_id,
      keys: [
        shown(third.key_id, { created_at: dayAfter }),
        shown(second.key_id, { status: 'expired', created_at: nextDay, expires_at: dayAfter }),
        shown(first.key_id, { status: 'revoked', revoked_at: dayAfter }),
      ],
    });
  });

  test('is listed with the day of its last use', async () => {
    const { key_id, api_key } = await create({ application: 'Used' });
    await create({ application: 'Used' });
    const owner = readApiKey(api_key) ?? { applicationId: '', keyId: '' };
    await operator.dependencies.applications.recordUse(owner, '2026-03-22');
    const used = shown(key_id, { last_used_on: '2026-03-22' });
    expect((await list('Used')).keys).toContainEqual(used);
    expect(await revoke(key_id)).toEqual({ ...used, status: 'revoked', revoked_at: morning });
  });

  test('can be set to expire later or sooner', async () => {
    const { key_id } = await create({ application: 'Moved', expiresInDays: 1 });
    const later = shown(key_id, { expires_at: '2027-01-01T00:00:00.000Z' });
    expect(await expire(key_id, '2027-01-01T00:00:00.000Z')).toEqual(later);
    const ended = shown(key_id, { status: 'expired', expires_at: morning });
    expect(await expire(key_id, morning)).toEqual(ended);
    expect((await list('Moved')).keys).toEqual([ended]);
  });

  test('stays revoked, with the time of the first revocation', async () => {
    const { key_id } = await create({ application: 'Revoked' });
    const revoked = shown(key_id, { status: 'revoked', revoked_at: morning });
    expect(await revoke(key_id)).toEqual(revoked);
    operator.clock.now = new Date(nextDay);
    expect(await revoke(key_id)).toEqual(revoked);
    expect(await refusalOf(expire(key_id, '2027-01-01T00:00:00.000Z'))).toBe(
      `${key_id} is revoked permanently`,
    );
    expect((await list('Revoked')).keys).toEqual([revoked]);
  });

  test('cannot be expired or revoked if it does not exist', async () => {
    const before = await operator.database.scan();
    const keyId = '0123456789abcdef00c0ffee';
    for (const act of [() => expire(keyId, morning), () => revoke(keyId)]) {
      expect(await refusalOf(act())).toBe(`there is no key ${keyId}`);
    }
    expect(await operator.database.scan()).toEqual(before);
  });
});
