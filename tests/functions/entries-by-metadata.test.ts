// Entries are listed by a metadata key that the tenant indexes, and the list never lacks one.

import { describe, expect, test } from 'vitest';
import type { JournalEntryView } from '#shared/entries/journal-entry.view.ts';
import { ada, euroEntry } from '../support/builders/requests.ts';
import { callsOf, openTenantCalls } from '../support/harnesses/calls.ts';
import { openInstance } from '../support/harnesses/instances.ts';
import { verdictOf } from '../support/readers/replies.ts';

const registered = '2026-03-24T12:00:00.000Z';
const indexedFrom = '2026-03-24T12:00:40.000Z';
const { call, send, pages, time, ledger } = await openTenantCalls({ now: registered });

const entryWith = (metadata: object, changes: object = {}) => euroEntry({ metadata, ...changes });
const post = async (metadata: object, changes?: object): Promise<string> =>
  (await call('createEntry', entryWith(metadata, changes))).journal_number;

const early = await post({ order: '4711' });
const indexed_metadata = ['order', 'branch'];
await call('updateTenant', { indexed_metadata });
time.now = indexedFrom;
const single = await post({ order: '4711', branch: 'Berlin' }, { external_id: 'invoice-1' });
const accrual_date = '2026-06-30';
const scheduled = await post({ order: '4711' }, { date: '2026-03-21', accrual_date });
await post({ order: '4712', note: '4711' });
const together = await Promise.all(
  Array.from({ length: 8 }, () => post({ order: '4711' }, { date: '2026-03-22' })),
);
const batch = await call('createEntries', {
  journal_entries: [entryWith({ order: '4711' }, { date: '2026-03-20' }), euroEntry()],
});
const batched = batch.journal_entries[0].journal_number;
const reversal = await call('reverseEntry', {
  original_external_id: 'invoice-1',
  date: '2026-03-24',
  metadata: { order: '4711' },
});

const query = { metadata_key: 'order', metadata_value: '4711', recorded_from: indexedFrom };
const listed = async (changes: object = {}): Promise<string[]> =>
  (await pages('listEntries', { ...query, ...changes })).flatMap((page) =>
    page.journal_entries.map((entry: JournalEntryView) => entry.journal_number),
  );
const inOrder = [batched, scheduled, ...together.toSorted(), single, reversal.journal_number];

describe('a list by metadata', () => {
  test('has every entry since the index began, in order, and no other', async () => {
    expect(await listed()).toEqual(inOrder.toReversed());
    expect(await listed({ order: 'asc', limit: '3' })).toEqual(inOrder);
    expect(await listed({ metadata_value: '47' })).toEqual([]);
    expect(await listed({ recorded_from: '2026-03-24T12:00:40.001Z' })).toEqual([]);
  });

  test('can have other filters', async () => {
    expect(await listed({ status: 'scheduled' })).toEqual([scheduled]);
    expect(await listed({ from: '2026-03-21', to: '2026-03-21' })).toEqual([scheduled]);
    expect(await listed({ account: '1010', to: '2026-03-20' })).toEqual([batched]);
    expect(await listed({ metadata_key: 'branch', metadata_value: 'Berlin' })).toEqual([single]);
  });

  test('has all entries of a tenant that was created with the key', async () => {
    const application = callsOf(
      openInstance({ table: ledger.table, clock: () => new Date(registered) }),
    );
    const { user_id } = await application.call('ensureUser', ada);
    const company = { user_id, platform: 'manual', cash_flow_method: 'direct' };
    const { tenant_domain_url: domain_url } = await application.call('createTenant', {
      ...company,
      ...{ company_name: 'Indexed', currency: 'EUR', indexed_metadata },
    });
    await post({ order: '4711' }, { domain_url });
    expect(await listed({ domain_url, recorded_from: undefined })).toHaveLength(1);
  });

  test('refuses what the index does not have', async () => {
    const refusal = async (changes: object) =>
      verdictOf(await send('listEntries', { ...query, ...changes })).slice(2);
    const then = ['metadata_not_indexed_then /recorded_from'];
    expect(await refusal({ recorded_from: undefined })).toEqual(then);
    expect(await refusal({ recorded_from: '2026-03-24T12:00:39.999Z' })).toEqual(then);
    const unknown = ['metadata_key_not_indexed /metadata_key'];
    expect(await refusal({ metadata_key: 'note' })).toEqual(unknown);
    expect(await refusal({ metadata_value: undefined })).toEqual(['required /metadata_value']);
    expect(await refusal({ metadata_key: undefined })).toEqual(['required /metadata_key']);
    expect(await listed({ metadata_value: '4711' })).not.toContain(early);
  });
});

describe('the indexed keys of a tenant', () => {
  const update = async (keys: unknown) =>
    (await call('updateTenant', { indexed_metadata: keys })).indexed_metadata;

  test('begin when they are set, and begin again after they were removed', async () => {
    const [order, branch] = indexed_metadata.map((key) => ({ key, from: indexedFrom }));
    expect(await update(['branch', 'order'])).toEqual([branch, order]);
    expect(await update(['order'])).toEqual([order]);
    time.now = '2026-03-25T12:00:00.000Z';
    const again = { key: 'branch', from: '2026-03-25T12:00:40.000Z' };
    expect(await update(['order', 'branch'])).toEqual([order, again]);
  });

  test.each<[string, unknown, string[]]>([
    ['four', ['a', 'b', 'c', 'd'], ['too_many_items /indexed_metadata']],
    ['the same key twice', ['a', 'a'], ['duplicate_name /indexed_metadata']],
    ['a blank key', [' '], ['must_not_be_blank /indexed_metadata/0']],
    ['a text', 'order', ['wrong_type /indexed_metadata']],
  ])('cannot be %s', async (_, keys, problems) => {
    const reply = await send('updateTenant', { indexed_metadata: keys });
    expect(verdictOf(reply)).toEqual([422, 'validation_failed', ...problems]);
  });

  test('take writes of a batch', async () => {
    const all = (count: number) => ({
      journal_entries: Array.from({ length: count }, (_, index) =>
        entryWith({ order: `${index}`, branch: 'Rome' }, { external_id: `${count}-${index}` }),
      ),
    });
    const reply = await send('createEntries', all(25));
    expect(verdictOf(reply)).toEqual([
      422,
      'validation_failed',
      'batch_too_large /journal_entries',
    ]);
    expect((await send('createEntries', all(24))).status).toBe(200);
    const items = await ledger.scan();
    expect(items.filter(({ sk }) => String(sk).startsWith('META-')).length).toBeGreaterThan(48);
  });
});
