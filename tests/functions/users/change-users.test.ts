// update-user and erase-user.

import { beforeEach, describe, expect, test } from 'vitest';
import { openTestLedger } from '../../support/builders/ledger.ts';
import { ada, euroEntry } from '../../support/builders/requests.ts';
import { connectionOf, newSuffix } from '../../support/builders/tenants.ts';
import { callsOf } from '../../support/harnesses/calls.ts';
import { openInstance } from '../../support/harnesses/instances.ts';
import { problemsOf, success, verdictOf } from '../../support/readers/replies.ts';

const ledger = await openTestLedger();
const { table, keys } = ledger;
const now = '2026-03-24T12:00:00.000Z';
const { call, insist, send } = callsOf(openInstance({ table, keys, clock: () => new Date(now) }));

let email: string;
let user_id: string;
beforeEach(async () => {
  email = `ada-${newSuffix()}@example.com`;
  user_id = (await call('ensureUser', { ...ada, email })).user_id;
});

const newAddress = () => `king-${newSuffix()}@example.com`;
const newTenant = () => ({
  ...{ user_id, platform: 'manual', cash_flow_method: 'direct' },
  ...{ company_name: `Company ${newSuffix()}`, currency: 'EUR' },
});
const createTenant = async () => (await call('createTenant', newTenant())).tenant_domain_url;
const viewOf = (changes: object = {}) => ({
  ...{ user_id, email, first_name: ada.first_name, last_name: ada.last_name },
  ...{ created_at: now, ...changes },
});
const tenantsOf = async (address: string) =>
  (await call('getProfile', { email: address })).tenants.map(
    (it: { tenant_domain_url: string }) => it.tenant_domain_url,
  );
const itemsWith = async (text: string) =>
  (await ledger.scan()).filter((item) => JSON.stringify(item).includes(text));

describe('a change', () => {
  test.each<[string, object]>([
    ['a given name', { first_name: 'Augusta' }],
    ['a family name', { last_name: 'King' }],
    ['both names', { first_name: 'Augusta', last_name: 'King' }],
  ])('of %s leaves the rest', async (_title, change) => {
    const reply = await send('updateUser', { user_id, email: null, ...change });
    expect(reply).toEqual(success(viewOf(change)));
    const before = await ledger.scan();
    expect(await send('updateUser', { user_id, ...change })).toEqual(reply);
    expect(await ledger.scan()).toEqual(before);
    expect(await send('getUser', { user_id })).toEqual(reply);
  });

  test('of the address takes the links and the password along', async () => {
    const tenants = [await createTenant(), await createTenant()].sort();
    const [password] = (await itemsWith(email)).filter(({ sk }) => sk === 'PASSWORD');
    const address = newAddress();
    await call('updateUser', { user_id, email: address });
    expect(await itemsWith(email)).toEqual([]);
    expect((await tenantsOf(address)).sort()).toEqual(tenants);
    expect(await itemsWith(String(password?.passwordHash))).toHaveLength(1);
    expect(verdictOf(await send('getUser', { email }))).toEqual([404, 'user_not_found']);
    const entry = { ...euroEntry(), domain_url: tenants[0], user_id };
    expect((await send('createEntry', entry)).status).toBe(200);
  });

  test('of the case of the address keeps its place', async () => {
    const [domain_url] = [await createTenant()];
    const change = { email: email.toUpperCase() };
    expect(await send('updateUser', { user_id, ...change })).toEqual(success(viewOf(change)));
    expect(await send('getUser', { email })).toEqual(success(viewOf(change)));
    expect(await tenantsOf(email)).toEqual([domain_url]);
  });

  test('frees the old address for a user without tenants', async () => {
    await createTenant();
    await call('updateUser', { user_id, email: newAddress() });
    const other = await call('ensureUser', { ...ada, email });
    expect(other).toMatchObject({ created: true });
    expect(await tenantsOf(email)).toEqual([]);
  });

  test('of the address meets new links, and none is lost', async () => {
    const address = newAddress();
    const create = async () =>
      (await insist('createTenant', newTenant())).body.data.tenant_domain_url;
    const [, ...created] = await Promise.all([
      call('updateUser', { user_id, email: address }),
      ...Array.from({ length: 4 }, create),
    ]);
    expect((await tenantsOf(address)).sort()).toEqual(created.sort());
    expect(await itemsWith(email)).toEqual([]);
  });

  test('drops a tenant that waits for confirmation', async () => {
    const owner = { applicationId: 'app1', email };
    const { openConnectionRecorder } = await import(
      '#shared/connections/pending-connections.store.ts'
    );
    const recorder = openConnectionRecorder(table, { sealing: ledger.sealing, newSuffix });
    const request = connectionOf(newSuffix());
    await recorder.record({ owner, request, code: 'code', now: new Date(now) });
    const [domain_url] = await tenantsOf(email);
    const address = newAddress();
    await call('updateUser', { user_id, email: address });
    expect(await tenantsOf(address)).toEqual([]);
    const confirmation = { domain_url, user_id, confirmation_code: 'code' };
    expect((await send('confirm', confirmation)).body.error.code).toBe('confirmation_not_found');
  });

  test.each<[string, object, string[]]>([
    ['no change', {}, ['nothing_to_change ']],
    ['a blank name', { first_name: ' ' }, ['must_not_be_blank /first_name']],
    ['a long name', { last_name: 'x'.repeat(101) }, ['too_long /last_name']],
    ['an address without a host', { email: 'ada@' }, ['email_not_valid /email']],
    ['a password', { password: 'x' }, ['unknown_field /password', 'nothing_to_change ']],
  ])('is refused for %s', async (_title, change, problems) => {
    const before = await ledger.scan();
    const reply = await send('updateUser', { user_id, ...change });
    expect([reply.status, problemsOf(reply)]).toEqual([422, problems]);
    expect(await ledger.scan()).toEqual(before);
  });

  test('is refused for the address of another user', async () => {
    const other = await ledger.newOwner(newAddress());
    const reply = await send('updateUser', { user_id, email: other.email.toUpperCase() });
    expect([reply.status, problemsOf(reply)]).toEqual([422, ['email_taken /email']]);
    const foreign = await ledger.newOwner(newAddress(), 'app2');
    expect((await send('updateUser', { user_id, email: foreign.email })).status).toBe(200);
  });
});

describe('an erasure', () => {
  test('leaves nothing but the id, and books as they were', async () => {
    const domain_url = await createTenant();
    const entry = { ...euroEntry(), domain_url, user_id, external_id: 'kept' };
    const posted = await call('createEntry', entry);
    const reply = success({ user_id, erased_at: now });
    expect(await send('eraseUser', { user_id })).toEqual(reply);
    expect(await itemsWith(email)).toEqual([]);
    const [left, ...others] = (await itemsWith(user_id)).filter(({ sk }) => sk === 'USERID');
    expect(others).toEqual([]);
    expect(Object.keys(left ?? {}).sort()).toEqual(['erasedAt', 'events', 'pk', 'sk']);
    expect(await call('getEntry', { domain_url, external_id: 'kept' })).toEqual(posted);
    const before = await ledger.scan();
    expect(await send('eraseUser', { user_id })).toEqual(reply);
    expect(await ledger.scan()).toEqual(before);
  });

  test('shows in the history of each tenant that the link ended', async () => {
    const domain_url = await createTenant();
    await call('eraseUser', { user_id });
    const [last] = (await call('listChanges', { domain_url })).changes;
    expect(last).toMatchObject({
      ...{ actor: 'api_key', actor_id: 'app1-key', at: now },
      ...{ what: 'user_unlinked', subject: user_id },
    });
  });

  test('frees the address for a user with another id and no tenants', async () => {
    await createTenant();
    await call('eraseUser', { user_id });
    const other = await call('ensureUser', { ...ada, email });
    expect(other).toMatchObject({ created: true });
    expect(other.user_id).not.toBe(user_id);
    expect(await tenantsOf(email)).toEqual([]);
  });

  test('makes every other request answer as for an unknown user', async () => {
    const domain_url = await createTenant();
    await call('eraseUser', { user_id });
    const company = { platform: 'manual', cash_flow_method: 'direct', currency: 'EUR' };
    for (const id of [user_id, '44']) {
      const replies = await Promise.all([
        send('getUser', { user_id: id }),
        send('updateUser', { user_id: id, last_name: 'King' }),
        send('link', { user_id: id, domain_url }),
        send('unlink', { user_id: id, domain_url }),
        send('createTenant', { user_id: id, company_name: 'New', ...company }),
        send('createEntry', { ...euroEntry(), domain_url, user_id: id }),
      ]);
      for (const reply of replies) expect(verdictOf(reply)).toEqual([404, 'user_not_found']);
    }
  });
});

test.each(['updateUser', 'eraseUser'] as const)('%s is refused for others', async (verb) => {
  const change = verb === 'updateUser' ? { last_name: 'King' } : {};
  const foreign = await ledger.newOwner(newAddress(), 'app2');
  const before = await ledger.scan();
  for (const id of [foreign.userId, '44']) {
    const reply = await send(verb, { user_id: id, ...change });
    expect(verdictOf(reply)).toEqual([404, 'user_not_found']);
  }
  expect(problemsOf(await send(verb, change))).toEqual(['required /user_id']);
  expect(await ledger.scan()).toEqual(before);
});

// Last, because the other tests read the whole table.
describe('a user with many tenants', () => {
  test('keeps the address, with more than 45', async () => {
    for (let count = 0; count < 46; count += 1) {
      const { prefix } = await ledger.createTenant(`Company ${newSuffix()}`);
      await call('link', { user_id, domain_url: prefix });
      if (count === 44) await call('updateUser', { user_id, email: newAddress() });
    }
    const reply = await send('updateUser', { user_id, email: newAddress() });
    expect([reply.status, problemsOf(reply)]).toEqual([422, ['too_many_links /email']]);
    expect((await send('updateUser', { user_id, last_name: 'King' })).status).toBe(200);
  });

  test('is erased, with more links than end at the same time', async () => {
    const { applicationId } = await ledger.createTenant(`Company ${newSuffix()}`);
    const pk = `APP#${applicationId}#USER#${email}`;
    const links = Array.from({ length: 25 }, (_, index) => `many_${1_000 + index}_k7m2xq`);
    await ledger.seed(...links.map((it) => ({ pk, sk: `TENANT#${it}`, schemaName: it })));
    await call('eraseUser', { user_id });
    expect(await itemsWith(email)).toEqual([]);
  });
});
