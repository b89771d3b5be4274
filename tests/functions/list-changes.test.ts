// Listing the changes of a tenant. Its replies alone are enough to check the chain.

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { openTenantHistory } from '#shared/history/tenant-history.store.ts';
import { openTenantCalls } from '../support/harnesses/calls.ts';

const { send, call, pages, post, postDue, time, ledger, name } = await openTenantCalls();

await call('createAccount', { code: '1015', name: 'Dollars', type: 'asset' });
await call('updateAccount', { code: '1015', name: 'Dollar account' });
await call('updateTenant', { lock_date: '2026-02-28' });

type Change = { sequence: number; hash: string; [field: string]: unknown };
const list = async (query: object = {}): Promise<Change[]> =>
  (await pages('listChanges', query)).flatMap((page) => page.changes as Change[]);
const listSettings = (query: object = {}) => list({ ...query, kind: 'settings' });

/** Canonical JSON of a change, which has no numbers but integers. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, it]) => `${JSON.stringify(name)}:${canonical(it)}`).join(',')}}`;
};

test('shows who changed what, and when, the latest first', async () => {
  const [locked, renamed, created, first] = await listSettings();
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
  for (const { hash, ...content } of await listSettings({ order: 'asc', limit: '2' })) {
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

test('shows what happened to entries after the changes of settings', async () => {
  const key = { actor: 'api_key', actor_id: 'app1-key' };
  const settings = await listSettings();
  const sale = await post({ amount: '12.00', date: '2026-03-20' });
  const due = await post({ amount: '3.00', date: '2026-03-24', accrual_date: '2026-03-26' });
  const dropped = await post({ amount: '4.00', date: '2026-03-24', accrual_date: '2026-03-27' });
  time.now = '2026-03-26T12:00:00.000Z';
  const reversal = await call('reverseEntry', {
    journal_entry_id: sale.journal_entry_id,
  });
  await call('cancelEntry', { journal_entry_id: dropped.journal_entry_id });
  await postDue('2026-03-26');
  const changes = await list({ limit: '2' });
  expect(changes.slice(0, settings.length)).toEqual(settings);
  const ofEntries = changes.slice(settings.length);
  expect(ofEntries.map(({ what, subject }) => [what, subject])).toEqual([
    ['entry_reversed', reversal.journal_entry_id],
    ['entry_created', dropped.journal_entry_id],
    ['entry_created', due.journal_entry_id],
    ['entry_created', sale.journal_entry_id],
    ['entry_posted', due.journal_entry_id],
    ['entry_cancelled', dropped.journal_entry_id],
  ]);
  const [reversed, , scheduled, created, posted, cancelled] = ofEntries;
  const at = '2026-03-24T12:00:00.000Z';
  expect(created).toEqual({
    ...{ sequence: null, ...key, at, what: 'entry_created', hash: sale.hash },
    subject: sale.journal_entry_id,
    before: {},
    after: {
      ...{ journal_number: 'MJ-20260320-0001', status: 'posted' },
      ...{ date: '2026-03-20', posting_date: '2026-03-20', entry_type: 'Manual Journal' },
      memo: sale.memo,
      ...{ external_id: null, user_id: null },
      ...{ transaction_currency: 'EUR', transaction_amount: '12.00', book_amount: '12.00' },
    },
  });
  expect(scheduled).toMatchObject({ ...key, at, after: { status: 'scheduled' } });
  const later = '2026-03-26T12:00:00.000Z';
  expect(reversed).toMatchObject({ ...key, at: later, after: { reverses: sale.journal_entry_id } });
  expect(posted).toMatchObject({
    ...{ actor: 'service', actor_id: null, at: later },
    before: { status: 'scheduled' },
    after: { status: 'posted', posting_sequence: 2 },
  });
  expect(cancelled).toMatchObject({ ...key, at: later, after: { status: 'cancelled' } });

  const recorded_from = '2026-03-25T00:00:00Z';
  const since = await list({ recorded_from });
  expect(since.map(({ what }) => what)).toEqual([
    'entry_reversed',
    'entry_posted',
    'entry_cancelled',
  ]);
  expect(await list({ recorded_from, kind: 'settings', order: 'asc' })).toEqual([]);
  expect(await list({ kind: 'postings' })).toEqual([posted]);
});

test('an entry behind the cursor is in the reading that continues this one', async () => {
  const recorded_from = '2026-03-27T00:00:00Z';
  time.now = '2026-03-27T12:00:00.000Z';
  for (const day of [25, 26, 27]) await post({ amount: '1.00', date: `2026-03-${day}` });
  let late = '';
  const query = { kind: 'entries', order: 'asc', limit: '1', recorded_from };
  const reading = await pages('listChanges', query, async (_, index) => {
    if (index !== 1) return;
    const hidden = await post({ amount: '1.00', date: '2026-03-01' });
    late = hidden.journal_entry_id;
  });
  const subjectsIn = (changes: Change[]) => changes.map(({ subject }) => subject);
  expect(subjectsIn(reading.flatMap(({ changes }) => changes))).not.toContain(late);
  const until = '2026-03-27T11:45:00.000Z';
  expect(new Set(reading.map(({ recorded_until }) => recorded_until))).toEqual(new Set([until]));
  expect(subjectsIn(await list({ recorded_from: until }))).toContain(late);
});

test('a change with an earlier time than the one before it does not end the list', async () => {
  time.now = '2026-03-28T12:00:00.000Z';
  await call('updateAccount', { code: '1015', name: 'Dollars' });
  const change = { actor: 'operator', actorId: 'ada', subject: 'connections check' } as const;
  const at = '2026-03-28T11:58:00.000Z';
  await openTenantHistory(ledger.table).recordWith(name, [], {
    change: { ...change, at, what: 'operator_command', before: {}, after: {} },
  });
  const since = { recorded_from: '2026-03-28T11:59:00Z', limit: '1' };
  expect(await listSettings(since)).toMatchObject([{ what: 'account_updated' }]);
});
