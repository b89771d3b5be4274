import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createHandler } from '#functions/ensure-user/handler.ts';
import { hashPassword } from '#shared/users/passwords.ts';
import { newUserId, openUsers } from '#shared/users/users.store.ts';
import { openTestTable } from '../support/dynamodb/test-table.ts';
import { apiEvent, lambdaContext, readResult } from '../support/events/lambda-events.ts';
import { problemsOf, success } from '../support/readers/replies.ts';
import { keepLog } from '../support/recorders/log.ts';
import { keepMetrics } from '../support/recorders/metrics.ts';

const ada = {
  email: 'ada@example.com',
  password: 'correct horse',
  first_name: 'Ada',
  last_name: 'Lovelace',
};

const database = await openTestTable();
const handler = createHandler({
  users: openUsers(database.table),
  clock: () => new Date('2026-03-23T09:30:00Z'),
  newUserId: () => newUserId(randomBytes),
  hashPassword: (password) => hashPassword(password, randomBytes),
  log: keepLog(),
  metrics: keepMetrics(),
});
const ensure = async (body: unknown, applicationId = 'app1') =>
  readResult(await handler(apiEvent({ body, applicationId }), lambdaContext()));

describe('ensure user', () => {
  test('creates a user once and then finds it by any form of its address', async () => {
    const first = await ensure(ada);
    const user = { user_id: expect.stringMatching(/^[1-9]\d*$/), email: ada.email, created: true };
    expect(first).toEqual(success(user));
    const again = await ensure({ ...ada, email: '  ADA@Example.com ', first_name: 'Other' });
    expect(again.body.data).toEqual({ ...first.body.data, created: false });
  });

  test('two applications can register the same address', async () => {
    const one = await ensure({ ...ada, email: 'shared@example.com' }, 'app1');
    const other = await ensure({ ...ada, email: 'shared@example.com' }, 'app2');
    expect([one.body.data.created, other.body.data.created]).toEqual([true, true]);
    expect(one.body.data.user_id).not.toBe(other.body.data.user_id);
  });

  test('16 concurrent ensures of one address make one user, created once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 16 }, () => ensure({ ...ada, email: 'crowd@example.com' })),
    );
    expect(new Set(replies.map(({ body }) => body.data.user_id)).size).toBe(1);
    expect(replies.filter(({ body }) => body.data.created)).toHaveLength(1);
  });

  test.each<[object, string[]]>([
    [
      { email: 'not-an-address', password: 'short', first_name: ' ', nickname: 'A' },
      [
        'email_not_valid /email',
        'too_short /password',
        'must_not_be_blank /first_name',
        'required /last_name',
        'unknown_field /nickname',
      ],
    ],
    [
      { ...ada, password: 'p'.repeat(129), first_name: 'x'.repeat(101) },
      ['too_long /password /first_name'],
    ],
    [{ ...ada, password: ' '.repeat(8) }, ['must_not_be_blank /password']],
    [{ ...ada, password: '\u200b\u2060\ufeff\u3164'.repeat(2) }, ['must_not_be_blank /password']],
  ])('is refused with all problems: %o', async (wrong, problems) => {
    const before = await database.scan();
    const reply = await ensure(wrong);
    expect([reply.status, problemsOf(reply)]).toEqual([422, problems]);
    expect(await database.scan()).toEqual(before);
  });

  test('stores the password only as an argon2id hash, in an item of its own', async () => {
    await ensure({ ...ada, email: 'secret@example.com', password: 'pass phrase 1' });
    const items = await database.scan();
    expect(JSON.stringify(items)).not.toContain('pass phrase 1');
    const password = items.find(
      ({ pk, sk }) => sk === 'PASSWORD' && String(pk).endsWith('secret@example.com'),
    );
    expect(password?.passwordHash).toMatch(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
    );
  });
});
