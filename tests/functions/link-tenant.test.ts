// link-tenant and unlink-tenant. tests/security shows how unknown tenants and users are refused.

import { describe, expect, test } from 'vitest';
import { connectionOf, openTestTenants } from '../support/builders/tenants.ts';
import { callsOf } from '../support/harnesses/calls.ts';
import { openInstance } from '../support/harnesses/instances.ts';
import { problemsOf, success } from '../support/readers/replies.ts';

const database = await openTestTenants();
const { tenants, connections, newOwner, schemaNamesOf } = database;
const { send } = callsOf(openInstance({ table: database.table, clock: () => new Date() }));

const ada = await newOwner('ada@example.com');
const bob = await newOwner('bob@example.com');
const foreign = await newOwner('ada@example.com', 'app2');

/** A connected tenant of ada's, and the request that names it and bob. */
const connected = async (companyId: string) => {
  const tenant = await database.connectTenant(ada, connectionOf(companyId));
  return { tenant, asked: { user_id: Number(bob.userId), domain_url: tenant.prefix } };
};
const outcomeOf = async (owner: typeof ada, companyId: string) =>
  (await tenants.connect(owner, connectionOf(companyId, { tokens: 'new' }))).outcome;

describe('a linked user', () => {
  test('has the tenant in the profile and can connect it again', async () => {
    const { tenant, asked } = await connected('linked');
    expect(await outcomeOf(bob, 'linked')).toBe('connected_by_another_user');
    const reply = success({
      user_id: bob.userId,
      tenant_domain_url: tenant.prefix,
      linked: true,
    });
    expect(await send('link', asked)).toEqual(reply);
    expect(await send('link', { ...asked, user_id: bob.userId })).toEqual(reply);
    expect(await schemaNamesOf(bob)).toEqual([tenant.schemaName]);
    expect(await outcomeOf(bob, 'linked')).toBe('renewed');
  });

  test('can connect a disconnected tenant again', async () => {
    const { tenant, asked } = await connected('disconnected');
    await connections.giveUp(tenant.name, { version: 1, reason: 'credentials_refused' });
    expect((await send('link', asked)).status).toBe(200);
    expect(await outcomeOf(bob, 'disconnected')).toBe('renewed');
  });
});

describe('an unlinked user', () => {
  test('loses the tenant, even as its last user; another user can be linked', async () => {
    const { tenant, asked } = await connected('unlinked');
    const ofAda = { ...asked, user_id: ada.userId };
    const reply = success({
      user_id: ada.userId,
      tenant_domain_url: tenant.prefix,
      linked: false,
    });
    expect(await send('unlink', ofAda)).toEqual(reply);
    expect(await send('unlink', ofAda)).toEqual(reply);
    expect(await schemaNamesOf(ada)).not.toContain(tenant.schemaName);
    expect(await outcomeOf(ada, 'unlinked')).toBe('connected_by_another_user');
    expect(await connections.find(tenant.name)).toMatchObject({ version: 1 });
    await send('link', asked);
    expect(await outcomeOf(bob, 'unlinked')).toBe('renewed');
  });
});

test.each(['link', 'unlink'] as const)('%s is refused with all problems', async (verb) => {
  const { asked } = await connected(`refused-${verb}`);
  const before = await database.scan();
  for (const user_id of [foreign.userId, 44]) {
    const reply = await send(verb, { ...asked, user_id });
    expect([reply.status, reply.body.error.code]).toEqual([404, 'user_not_found']);
    const wrong = { user_id, domain_url: 'no-such-books', extra: 1 };
    expect(problemsOf(await send(verb, wrong))).toEqual([
      'unknown_field /extra',
      'user_not_found /user_id',
      'tenant_not_found /domain_url',
    ]);
  }
  expect(problemsOf(await send(verb, {}))).toEqual(['required /user_id /domain_url']);
  expect(await database.scan()).toEqual(before);
});
