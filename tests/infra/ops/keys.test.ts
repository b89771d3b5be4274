import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApplication } from '#infra/ops/commands/applications.ts';
import { createKey, expireKey, listKeys, revokeKey } from '#infra/ops/commands/keys.ts';
import { CommandFailure } from '#infra/ops/errors.ts';
import { hashApiKey, readApiKey } from '#shared/domain/api-keys.ts';
import { openOperator } from '../../support/harnesses/operator.ts';

const morning = '2026-03-23T09:30:00.000Z';

const pepper = randomBytes(32);
let operator: Awaited<ReturnType<typeof openOperator>>;
beforeAll(async () => {
  operator = await openOperator({ pepper });
});
afterAll(() => operator.stop());
beforeEach(() => {
  operator.clock.now = new Date(morning);
});

const create = (options: { application: string; expiresInDays?: number; expiresAt?: string }) =>
  createKey.run(operator.dependencies, options);
const list = (application: string) => listKeys.run(operator.dependencies, { application });
const expire = (key: string, at: string) => expireKey.run(operator.dependencies, { key, at });
const revoke = (key: string) => revokeKey.run(operator.dependencies, { key });

const keyIdOf = ({ key_id }: Awaited<ReturnType<typeof create>>): string => String(key_id);

describe('a new key', () => {
  test('goes to a new application where there is none of its name', async () => {
    const issued = await create({ application: 'Bookings' });
    const ids = readApiKey(String(issued.api_key));
    expect(issued).toEqual({
      application: 'Bookings',
      application_id: ids?.applicationId,
      application_created: true,
      key_id: ids?.keyId,
      api_key: expect.stringMatching(/^lk_[0-9a-f]{24}_[0-9a-f]{64}$/),
      expires_at: null,
    });
  });

  test('goes to the application of its name in any case', async () => {
    const { application_id } = await createApplication.run(operator.dependencies, {
      name: 'Billing',
    });
    expect(await create({ application: 'BILLING' })).toMatchObject({
      application: 'Billing',
      application_id,
      application_created: false,
    });
  });

  test('is kept as a hash under the current pepper, and nowhere else', async () => {
    const issued = await create({ application: 'Hashed' });
    const apiKey = String(issued.api_key);
    const ids = readApiKey(apiKey) ?? { applicationId: '', keyId: '' };
    expect((await operator.dependencies.applications.findWithKey(ids)).apiKey).toEqual({
      ...ids,
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
    ['a number of days from now', { expiresInDays: 90 }, '2026-06-21T09:30:00.000Z'],
    ['at a time', { expiresAt: '2027-01-31T18:00:00.000Z' }, '2027-01-31T18:00:00.000Z'],
  ])('may end %s', async (_title, options, expires_at) => {
    const issued = await create({ application: 'Ending', ...options });
    expect(issued.expires_at).toBe(expires_at);
    const { keys } = await list('Ending');
    expect(keys).toContainEqual({
      key_id: issued.key_id,
      status: 'live',
      created_at: morning,
      expires_at,
      revoked_at: null,
      pepper_version: '1',
    });
  });

  test('that would be over already is refused, and no application is made for it', async () => {
    await expect(create({ application: 'Late', expiresAt: morning })).rejects.toEqual(
      new CommandFailure('the key would have expired already'),
    );
    await expect(list('Late')).rejects.toEqual(
      new CommandFailure('there is no application "Late"'),
    );
  });
});

describe('the keys of an application', () => {
  test('are listed with their status, the newest first, and without their text', async () => {
    const first = await create({ application: 'Listed' });
    operator.clock.now = new Date('2026-03-24T09:30:00.000Z');
    const second = await create({ application: 'Listed', expiresInDays: 1 });
    operator.clock.now = new Date('2026-03-25T09:30:00.000Z');
    const third = await create({ application: 'Listed' });
    await revoke(keyIdOf(first));
    const listed = await list('listed');
    expect(listed).toEqual({
      application: 'Listed',
      application_id: first.application_id,
      keys: [
        {
          key_id: third.key_id,
          status: 'live',
          created_at: '2026-03-25T09:30:00.000Z',
          expires_at: null,
          revoked_at: null,
          pepper_version: '1',
        },
        {
          key_id: second.key_id,
          status: 'expired',
          created_at: '2026-03-24T09:30:00.000Z',
          expires_at: '2026-03-25T09:30:00.000Z',
          revoked_at: null,
          pepper_version: '1',
        },
        {
          key_id: first.key_id,
          status: 'revoked',
          created_at: morning,
          expires_at: null,
          revoked_at: '2026-03-25T09:30:00.000Z',
          pepper_version: '1',
        },
      ],
    });
  });

  test('are none at first', async () => {
    await createApplication.run(operator.dependencies, { name: 'Keyless' });
    expect((await list('Keyless')).keys).toEqual([]);
  });
});

describe('a key', () => {
  test('is given an end, later or sooner than it had', async () => {
    const issued = await create({ application: 'Moved', expiresInDays: 1 });
    const later = '2027-01-01T00:00:00.000Z';
    expect(await expire(keyIdOf(issued), later)).toEqual({
      key_id: issued.key_id,
      status: 'live',
      created_at: morning,
      expires_at: later,
      revoked_at: null,
      pepper_version: '1',
    });
    expect(await expire(keyIdOf(issued), morning)).toMatchObject({ status: 'expired' });
    expect((await list('Moved')).keys).toMatchObject([{ status: 'expired', expires_at: morning }]);
  });

  test('once revoked stays so, with the time of the first revocation', async () => {
    const issued = await create({ application: 'Revoked' });
    const revoked = {
      key_id: issued.key_id,
      status: 'revoked',
      created_at: morning,
      expires_at: null,
      revoked_at: morning,
      pepper_version: '1',
    };
    expect(await revoke(keyIdOf(issued))).toEqual(revoked);
    operator.clock.now = new Date('2026-03-24T09:30:00.000Z');
    expect(await revoke(keyIdOf(issued))).toEqual(revoked);
    await expect(expire(keyIdOf(issued), '2027-01-01T00:00:00.000Z')).rejects.toEqual(
      new CommandFailure(`${issued.key_id} is revoked for ever`),
    );
    expect((await list('Revoked')).keys).toEqual([revoked]);
  });

  test.each([
    ['expired', (key: string) => expire(key, morning)],
    ['revoked', revoke],
  ])('that is not there cannot be %s', async (_title, act) => {
    const before = await operator.database.scan();
    const keyId = '0123456789abcdef00c0ffee';
    await expect(act(keyId)).rejects.toEqual(new CommandFailure(`there is no key ${keyId}`));
    expect(await operator.database.scan()).toEqual(before);
  });
});
