import { describe, expect, test } from 'vitest';
import { ada } from '../../support/builders/requests.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';
import { callsOf } from '../../support/harnesses/calls.ts';
import { openInstance } from '../../support/harnesses/instances.ts';
import { problemsOf, success } from '../../support/readers/replies.ts';

const database = await openTestTable();
const { send } = callsOf(openInstance({ table: database.table, clock: () => new Date() }));
const ensure = (body: object, applicationId = 'app1') =>
  send('ensureUser', body, { applicationId });

describe('ensure user', () => {
  test('creates a user once and then finds it by any form of its address', async () => {
    const first = await ensure(ada);
    const user = { user_id: expect.stringMatching(/^[1-9]\d*$/), email: ada.email, created: true };
    expect(first).toEqual(success(user));
    const again = await ensure({ ...ada, email: '  ADA@Example.com ', first_name: 'Other' });
    expect(again.body.data).toEqual({ ...first.body.data, created: false });
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
