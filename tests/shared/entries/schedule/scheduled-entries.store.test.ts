import { describe, expect, test } from 'vitest';
import {
  type DueEntry,
  maximumDueEntries,
  openScheduledEntries,
} from '#shared/entries/schedule/scheduled-entries.store.ts';
import { sheetKey, type TenantName, tenantKey } from '#shared/table/keys.ts';
import { markerPrefixes } from '#shared/table/list-keys.ts';
import { expectedEntry } from '../../../support/builders/journal-entry.ts';
import { openTestLedger } from '../../../support/builders/ledger.ts';
import {
  recordEntry,
  type UnnumberedApiEntry,
} from '../../../support/builders/recorded-entries.ts';
import { dueEntriesOf } from '../../../support/readers/due-entries.ts';
import { sheetViolationsIn } from '../../../support/readers/sheet-invariants.ts';
import { readEntries } from '../../../support/readers/tenant-entries.ts';

const ledger = await openTestLedger();
const { table, journalEntries, scheduledEntries } = ledger;
const [day, postedAt] = ['2026-03-25', '2026-03-25T00:05:00.000Z'];

let tenants = 0;
const newTenant = (): TenantName => {
  tenants += 1;
  return { applicationId: 'app1', schemaName: `due_${tenants}` };
};

const record = (name: TenantName, changes: Partial<UnnumberedApiEntry>) =>
  recordEntry(journalEntries, name, { ...expectedEntry, externalId: null, ...changes });
const scheduled = { status: 'scheduled', postedAt: null, accrualDate: day } as const;
const schedule = (name: TenantName, changes: Partial<UnnumberedApiEntry> = {}) =>
  record(name, { ...scheduled, postingDate: day, ...changes });

const posted = (count: number) => ({ posted: count, unreadable: 0, altered: 0 });

const dueOf = async ({ schemaName }: TenantName): Promise<DueEntry[]> => {
  const entries: DueEntry[] = [];
  for await (const entry of dueEntriesOf(table, day)) {
    if (entry.pk.endsWith(`#${schemaName}`)) entries.push(entry);
  }
  return entries;
};

/** The keys of the items that name a tenant's entries by their posting dates. */
const placesOf = async ({ schemaName }: TenantName): Promise<string[]> =>
  (await ledger.scan())
    .filter(({ pk }) => String(pk).endsWith(`#${schemaName}`))
    .map(({ sk }) => String(sk))
    .filter((sk) => sk.startsWith(markerPrefixes.posted) || sk.startsWith(markerPrefixes.scheduled))
    .sort();

const expectWhole = async (name: TenantName): Promise<void> => {
  const items = (await ledger.scan()).filter(({ pk }) => pk === tenantKey(name).pk);
  expect(sheetViolationsIn(items)).toEqual([]);
};

test('an entry with an accrual date is named by it, as scheduled and then as posted', async () => {
  const name = newTenant();
  await schedule(name);
  await record(name, { accrualDate: '2026-03-20' });
  await record(name, {});
  expect(await placesOf(name)).toEqual([
    'ACCRUAL#2026-03-20#ENTRY#2026-03-20#MJ#000000002',
    'SCHEDULED#2026-03-25#ENTRY#2026-03-20#MJ#000000001',
  ]);
  expect(await scheduledEntries.post(await dueOf(name), postedAt)).toEqual(posted(1));
  expect(await placesOf(name)).toEqual([
    'ACCRUAL#2026-03-20#ENTRY#2026-03-20#MJ#000000002',
    'ACCRUAL#2026-03-25#ENTRY#2026-03-20#MJ#000000001',
  ]);
  const sheetOf = (date: string) => table.get(sheetKey(name, { series: 'MJ', date }));
  expect(await sheetOf('2026-03-20')).toMatchObject({ lastSequence: 3, counted: 2 });
  expect(await sheetOf(day)).toMatchObject({ lastSequence: 0, counted: 1 });
});

describe('due entries', () => {
  test('count in order, after the entries that already count on the date', async () => {
    const name = newTenant();
    for (const date of ['2026-03-21', '2026-03-20', '2026-03-21']) await schedule(name, { date });
    await record(name, { date: day, postingDate: day });
    expect(await scheduledEntries.post(await dueOf(name), postedAt)).toEqual(posted(3));
    const entries = await readEntries(table, name);
    expect(entries.map((it) => [it.journalNumber, it.postingSequence, it.postedAt])).toEqual([
      ['MJ-20260320-0001', 2, postedAt],
      ['MJ-20260321-0001', 3, postedAt],
      ['MJ-20260321-0002', 4, postedAt],
      ['MJ-20260325-0001', 1, expectedEntry.postedAt],
    ]);
    await expectWhole(name);
  });

  test('are each posted once if another run has posted some of them', async () => {
    const name = newTenant();
    for (let entry = 0; entry < 4; entry += 1) await schedule(name);
    const due = await dueOf(name);
    let isFirst = true;
    const overtaken = openScheduledEntries({
      ...table,
      tryTransact: async (transaction) => {
        if (isFirst) await scheduledEntries.post(due.slice(1, 3), postedAt);
        isFirst = false;
        return table.tryTransact(transaction);
      },
    });
    expect(await overtaken.post(due, postedAt)).toEqual(posted(2));
    expect(await overtaken.post(due, postedAt)).toEqual(posted(0));
    await expectWhole(name);
  });

  test('count for this run if its commit is reported as contention', async () => {
    const name = newTenant();
    await schedule(name);
    let isFirst = true;
    const misreported = openScheduledEntries({
      ...table,
      tryTransact: async (transaction) => {
        const outcome = await table.tryTransact(transaction);
        const reported = isFirst ? undefined : outcome;
        isFirst = false;
        return reported;
      },
    });
    expect(await misreported.post(await dueOf(name), postedAt)).toEqual(posted(1));
    await expectWhole(name);
  });

  test('fit into one transaction, with a hundred lines of the longest texts', async () => {
    const name = newTenant();
    const description = '🧾'.repeat(255);
    const [first] = expectedEntry.lines;
    const lines = Array.from({ length: 100 }, (_, index) => ({
      ...first,
      description,
      lineNumber: index + 1,
    })) as UnnumberedApiEntry['lines'];
    for (let entry = 0; entry < maximumDueEntries; entry += 1) await schedule(name, { lines });
    const result = await scheduledEntries.post(await dueOf(name), postedAt);
    expect(result).toEqual(posted(maximumDueEntries));
    await expectWhole(name);
  });
});
