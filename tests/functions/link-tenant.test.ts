// Linking users to tenants and unlinking them, at the word of the application.

import { describe, expect, test } from 'vitest';
import { createHandler as createLink } from '#functions/link-tenant/handler.ts';
import { createHandler as createUnlink } from '#functions/unlink-tenant/handler.ts';
import { openLinking } from '#shared/tenants/tenant-links.service.ts';
import { openTenantLinks } from '#shared/tenants/tenant-links.store.ts';
import { connectionOf, openTestTenants, tenantOf } from '../support/builders/tenants.ts';
import { apiEvent, lambdaContext, readResult } from '../support/events/lambda-events.ts';
import { tenantToolsOf } from '../support/harnesses/tenant-tools.ts';
import { problemsOf, success } from '../support/readers/replies.ts';

const database = await openTestTenants();
const { tenants, connections, newOwner, schemaNamesOf } = database;
const linking = openLinking(openTenantLinks(database.table));
const dependencies = { linking, ...tenantToolsOf(database.table) };
const handlers = { link: createLink(dependencies), unlink: createUnlink(dependencies) };
const verbs = ['link', 'unlink'] as const;

const send = async (verb: (typeof verbs)[number], body: unknown, applicationId = 'app1') =>
  readResult(await handlers[verb](apiEvent({ body, applicationId }), lambdaContext()));

const ada = await newOwner('ada@example.com');
const bob = await newOwner('bob@example.com');
const foreign = await newOwner('ada@example.com', 'app2');

/** A connected tenant of ada's, and the request that names it and bob. */
const connected = async (companyId: string) => {
  const tenant = tenantOf(await tenants.connect(ada, connectionOf(companyId)));
  return { tenant, asked: { user_id: Number(bob.userId), domain_url: tenant.prefix } };
};
const outcomeOf = async (owner: typeof ada, companyId: string) =>
  (await tenants.connect(owner, connectionOf(companyId, { tokens: 'new' }))).outcome;

describe('a user that is linked', () => {
  test('is shown the tenant and may connect it again, however often it is linked', async () => {
    const { tenant, asked } = await connected('linked');
    expect(await outcomeOf(bob, 'linked')).toBe('connected_by_another_user');
    const reply = success({
      user_id: bob.userId,
      tenant_domain_url: tenant.prefix,
      linked: true,
    });
    expect(await send('link', asked)).toEqual(reply);
    const inCapitals = `${tenant.prefix.toUpperCase()}.Ledger.Example.Com`;
    expect(await send('link', { user_id: bob.userId, domain_url: inCapitals })).toEqual(reply);
    expect(await schemaNamesOf(bob)).toEqual([tenant.schemaName]);
    expect(await outcomeOf(bob, 'linked')).toBe('renewed');
  });

  test('can be linked to a tenant that is disconnected, and revives it', async () => {
    const { tenant, asked } = await connected('disconnected');
    await connections.giveUp(tenant, { version: 1, reason: 'credentials_refused' });
    expect((await send('link', asked)).status).toBe(200);
    expect(await outcomeOf(bob, 'disconnected')).toBe('renewed');
  });
});

describe('a user that is unlinked', () => {
  test('loses the tenant, and the last one can be; the application can link another', async () => {
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
    expect(await connections.find(tenant)).toMatchObject({ version: 1 });
    await send('link', asked);
    expect(await outcomeOf(bob, 'unlinked')).toBe('renewed');
  });
});

describe.each(verbs)('to %s refuses', (verb) => {
  test('what another application has exactly as what does not exist', async () => {
    const { asked } = await connected(`foreign-${verb}`);
    const before = await database.scan();
    const codeOf = async (body: object, applicationId?: string) => {
      const reply = await send(verb, { ...asked, ...body }, applicationId);
      return [reply.status, reply.body.error.code, reply.body.error.details];
    };
    const noUser = [404, 'user_not_found', []];
    expect(await codeOf({ user_id: foreign.userId })).toEqual(noUser);
    expect(await codeOf({ user_id: 44 })).toEqual(noUser);
    const noTenant = [404, 'tenant_not_found', []];
    expect(await codeOf({ user_id: foreign.userId }, 'app2')).toEqual(noTenant);
    expect(await codeOf({ domain_url: 'no-such-books' })).toEqual(noTenant);
    expect(await codeOf({ domain_url: `${asked.domain_url}.other.example` })).toEqual(noTenant);
    expect(await database.scan()).toEqual(before);
  });

  test.each<[string, object, string[]]>([
    ['an empty body', {}, ['required /user_id /domain_url']],
    [
      'what does not exist beside what is wrong',
      { user_id: 44, domain_url: 'no-such-books', extra: 1 },
      ['unknown_field /extra', 'user_not_found /user_id', 'tenant_not_found /domain_url'],
    ],
    [
      'a domain that is none, and a user that does not exist',
      { user_id: 44, domain_url: 'a b' },
      ['domain_not_valid /domain_url', 'user_not_found /user_id'],
    ],
  ])('%s, by name', async (_, body, problems) => {
    const reply = await send(verb, body);
    expect([reply.status, problemsOf(reply)]).toEqual([422, problems]);
  });
});
