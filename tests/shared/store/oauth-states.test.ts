import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { isState, newState } from '#shared/domain/authorization-states.ts';
import { openApplications } from '#shared/store/applications.ts';
import {
  type OAuthStates,
  openOAuthStates,
  type PendingAuthorization,
} from '#shared/store/oauth-states.ts';
import { openUsers } from '#shared/store/users.ts';
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
};

let database: Awaited<ReturnType<typeof openTestTable>>;
let states: OAuthStates;

beforeAll(async () => {
  database = await openTestTable();
  states = openOAuthStates(database.table);
});

describe('a state', () => {
  test('is 256 random bits, and nothing else has its form', () => {
    const state = newState(randomBytes);
    expect(Buffer.from(state, 'base64url')).toHaveLength(32);
    expect(newState(randomBytes)).not.toBe(state);
    expect(isState(state)).toBe(true);
    for (const other of ['', state.slice(1), `${state}A`, `${state}\n`, `${state.slice(1)}+`]) {
      expect(isState(other)).toBe(false);
    }
  });

  test('is taken with all that was recorded, once', async () => {
    const state = newState(randomBytes);
    await states.record(state, { pending, now });
    expect(await states.consume(state, later(1000))).toEqual(pending);
    expect(await states.consume(state, later(1000))).toBeUndefined();
  });

  test('is taken by one of 16 that try at once', async () => {
    const state = newState(randomBytes);
    await states.record(state, { pending, now });
    const taken = await Promise.all(Array.from({ length: 16 }, () => states.consume(state, now)));
    expect(taken.filter((it) => it !== undefined)).toEqual([pending]);
  });

  test('may lack a redirect URL', async () => {
    const state = newState(randomBytes);
    await states.record(state, { pending: { ...pending, redirectUrl: null }, now });
    expect(await states.consume(state, now)).toEqual({ ...pending, redirectUrl: null });
  });

  test.each([
    ['still works just before ten minutes are over', 599_999, pending],
    ['is over after ten minutes, though it is still in the table', 600_000, undefined],
  ])('%s', async (_, milliseconds, expected) => {
    const state = newState(randomBytes);
    await states.record(state, { pending, now });
    expect(await states.consume(state, later(milliseconds))).toEqual(expected);
  });

  test('that nobody recorded is not found', async () => {
    expect(await states.consume(newState(randomBytes), now)).toBeUndefined();
  });

  test('cannot be recorded over another', async () => {
    const state = newState(randomBytes);
    await states.record(state, { pending, now });
    await expect(states.record(state, { pending, now })).rejects.toThrow('drawn twice');
  });

  test('is nowhere in the table: only its hash is, with the time of its end', async () => {
    const state = newState(randomBytes);
    await states.record(state, { pending: { ...pending, email: 'hashed@example.com' }, now });
    const items = await database.scan();
    expect(JSON.stringify(items)).not.toContain(state);
    expect(items.find(({ email }) => email === 'hashed@example.com')).toEqual({
      pk: expect.stringMatching(/^STATE#[\w-]{43}$/),
      sk: 'STATE',
      ...pending,
      email: 'hashed@example.com',
      expiresAt: now.getTime() / 1000 + 600,
    });
  });
});

describe('what an authorization must know', () => {
  beforeAll(async () => {
    await openApplications(database.table).record({
      applicationId: 'app1',
      name: 'One',
      status: 'active',
      redirectUrls: ['https://app.example/done'],
      createdAt: now.toISOString(),
    });
    await openUsers(database.table).record(
      {
        applicationId: 'app1',
        email: 'ada@example.com',
        firstName: 'Ada',
        lastName: 'Lovelace',
        createdAt: now.toISOString(),
      },
      { passwordHash: 'none', newUserId: () => '7' },
    );
  });
  const registered = ['https://app.example/done'];

  test.each([
    ['the user and the registered URLs', 'app1', '7', 'ada@example.com', registered],
    ['no user where there is none of this id', 'app1', '8', undefined, registered],
    ['no user where none is asked for', 'app1', undefined, undefined, registered],
    ['nothing of another application', 'app2', '7', undefined, []],
  ])('is %s', async (_, applicationId, userId, email, redirectUrls) => {
    expect(await states.prepare({ applicationId, userId })).toEqual({ email, redirectUrls });
  });
});
