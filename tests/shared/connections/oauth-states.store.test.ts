import { beforeAll, describe, expect, test } from 'vitest';
import { openApplications } from '#shared/applications/applications.store.ts';
import {
  openOAuthStates,
  type PendingAuthorization,
} from '#shared/connections/oauth-states.store.ts';
import { openUsers } from '#shared/users/users.store.ts';
import { openTestStates } from '../../support/builders/secrets.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';

const now = new Date('2026-03-23T09:30:00.000Z');
const later = (milliseconds: number): Date => new Date(now.getTime() + milliseconds);

const pending: PendingAuthorization = {
  applicationId: 'app1',
  email: 'ada@example.com',
  slot: 'platform_a',
  cashFlowMethod: 'indirect',
  redirectUrl: 'https://app.example/done',
  redirectUri: 'https://callback.example/oauth/platform_a/callback',
  companyId: null,
  confirmConnection: false,
};

const expiresAt = now.getTime() / 1000 + 600;

const database = await openTestTable();
const states = openOAuthStates(database.table);
const { newState } = openTestStates();

const record = async (changes: Partial<PendingAuthorization> = {}): Promise<string> => {
  const state = await newState();
  await states.record(state, { pending: { ...pending, ...changes }, now });
  return state;
};

describe('a state', () => {
  test('is consumed once, with everything that was recorded', async () => {
    const state = await record();
    expect(await states.consume(state, later(1000))).toEqual({ ...pending, expiresAt });
    expect(await states.consume(state, later(1000))).toBeUndefined();
  });

  test.each([
    ['works until ten minutes have passed', 599_999, { ...pending, expiresAt }],
    ['expires after ten minutes, even if it is still in the table', 600_000, undefined],
  ])('%s', async (_, milliseconds, expected) => {
    expect(await states.consume(await record(), later(milliseconds))).toEqual(expected);
  });

  test('cannot be recorded over another', async () => {
    const state = await record();
    await expect(states.record(state, { pending, now })).rejects.toThrow('already exists');
  });

  test('is stored as its hash, with its expiry', async () => {
    const email = 'hashed@example.com';
    const state = await record({ email, redirectUrl: null });
    const items = await database.scan();
    expect(JSON.stringify(items)).not.toContain(state);
    expect(items.find((item) => item.email === email)).toEqual({
      pk: expect.stringMatching(/^STATE#[\w-]{43}$/),
      sk: 'STATE',
      ...pending,
      email,
      redirectUrl: null,
      expiresAt,
    });
  });
});

describe('the context of an authorization', () => {
  const registered = ['https://app.example/done'];
  const createdAt = now.toISOString();

  beforeAll(async () => {
    await openApplications(database.table).record({
      applicationId: 'app1',
      name: 'One',
      status: 'active',
      createdAt,
      redirectUrls: registered,
    });
    const { applicationId, email } = pending;
    await openUsers(database.table).record(
      { applicationId, email, firstName: 'Ada', lastName: 'Lovelace', createdAt },
      { passwordHash: 'none', newUserId: () => '7' },
    );
  });

  test.each([
    ['the user and the registered URLs', 'app1', '7', 'ada@example.com', registered],
    ['no user for an unknown id', 'app1', '8', undefined, registered],
    ['no user without an id', 'app1', undefined, undefined, registered],
    ['nothing of another application', 'app2', '7', undefined, []],
  ])('is %s', async (_, applicationId, userId, email, redirectUrls) => {
    expect(await states.prepare({ applicationId, userId })).toEqual({ email, redirectUrls });
  });
});
