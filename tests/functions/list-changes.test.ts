// Listing the changes of a tenant. Its replies alone are enough to check the chain.

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { openTenantCalls } from '../support/harnesses/calls.ts';

const { send, call, pages } = await openTenantCalls();

await call('createAccount', { code: '1015', name: 'Dollars', type: 'asset' });
await call('updateAccount', { code: '1015', name: 'Dollar account' });
await call('updateTenant', { lock_date: '2026-02-28' });

type Change = { sequence: number; hash: string; [field: string]: unknown };
const list = async (query: object = {}): Promise<Change[]> =>
  (await pages('listChanges', query)).flatMap((page) => page.changes as Change[]);

/** Canonical JSON of a change, which has no numbers but integers. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, it]) => `${JSON.stringify(name)}:${canonical(it)}`).join(',')}}`;
};

test('shows who changed what, and when, the latest first', async () => {
  const [locked, renamed, created, first] = await list();
  const byKey = { actor: 'api_key', actor_id: 'app1-key', at: '2026-03-24T12:00:00.000Z' };
  expect(locked).toMatchObject({
    ...byKey,
    what: 'settings_updated',
    subject: null,
    before: { lock_date: null, locked_from: null },
    after: { lock_date: '2026-02-28', locked_from: '2026-03-24T12:00:40.000Z' },
  });
  expect(renamed).toMatchObject({
    ...byKey,
    what: 'account_updated',
    subject: '1015',
    before: { name: 'Dollars' },
    after: { name: 'Dollar account' },
  });
  expect(created).toMatchObject({ ...byKey, what: 'account_created', subject: '1015' });
  expect(first).toMatchObject({ what: 'tenant_created', sequence: 1, actor: 'service' });
});

test('has hashes that follow from the replies', async () => {
  let previous = '0'.repeat(64);
  for (const { hash, ...content } of await list({ order: 'asc', limit: '2' })) {
    const text = ['h1', previous, canonical(content)].join('\n');
    expect(createHash('sha256').update(text).digest('hex')).toBe(hash);
    previous = hash;
  }
});

test('is refused for an unknown tenant, and with a cursor of another order', async () => {
  const { body } = await send('listChanges', { domain_url: 'nobody-aaaaaa' });
  expect(body.error.code).toBe('tenant_not_found');
  const { next_cursor: cursor } = await call('listChanges', { limit: '1' });
  expect((await send('listChanges', { order: 'asc', limit: '1', cursor })).status).toBe(422);
});
