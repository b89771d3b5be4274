// get-user: a user by its id or its address.

import { expect, test } from 'vitest';
import { openTestTenants } from '../../support/builders/tenants.ts';
import { callsOf } from '../../support/harnesses/calls.ts';
import { openInstance } from '../../support/harnesses/instances.ts';
import { problemsOf, success, verdictOf } from '../../support/readers/replies.ts';

const database = await openTestTenants();
const { send } = callsOf(openInstance({ table: database.table, clock: () => new Date() }));

const ada = await database.newOwner('Ada@example.com');
const foreign = await database.newOwner('bob@example.com', 'app2');

test.each<[string, object]>([
  ['id', { user_id: ada.userId }],
  ['address', { email: 'Ada@example.com' }],
  ['address in another case, with blanks', { email: ' aDA@EXAMPLE.com ' }],
])('a user is found by its %s', async (_title, query) => {
  expect(await send('getUser', query)).toEqual(
    success({
      user_id: ada.userId,
      email: 'Ada@example.com',
      first_name: 'Ada',
      last_name: 'Lovelace',
      created_at: '2026-03-23T09:30:00.000Z',
    }),
  );
});

test.each<[string, object]>([
  ['an unknown id', { user_id: '44' }],
  ['an unknown address', { email: 'nobody@example.com' }],
  ["another application's id", { user_id: foreign.userId }],
  ["another application's address", { email: foreign.email }],
])('%s is not found', async (_title, query) => {
  expect(verdictOf(await send('getUser', query))).toEqual([404, 'user_not_found']);
});

test.each<[string, object, string[]]>([
  ['neither', {}, ['exactly_one_of ']],
  ['both', { user_id: ada.userId, email: ada.email }, ['exactly_one_of ']],
  ['an id that is no number', { user_id: 'seven' }, ['user_id_not_valid /user_id']],
  ['an address without a host', { email: 'ada@' }, ['email_not_valid /email']],
])('a request with %s is refused', async (_title, query, problems) => {
  const reply = await send('getUser', query);
  expect([reply.status, problemsOf(reply)]).toEqual([422, problems]);
});
