// Thousands of scheduled entries as the store would have written them, put at once.

import { hashOfScheduled, hashVersion } from '#shared/entries/entry-hash.ts';
import { entryActions } from '#shared/entries/entry-items.store.ts';
import { dueDateAction, dueDatePlace } from '#shared/table/due-keys.ts';
import { dueDateKey, entryKey, type Key, type TenantName } from '#shared/table/keys.ts';
import { markerKeys } from '#shared/table/list-keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { RawItem } from '../readers/item-kinds.ts';
import { expectedEntry } from './journal-entry.ts';

/** The items of scheduled entries of a tenant, without the due date. */
export const backlogOf = (
  name: TenantName,
  { date, count, firstSequence = 1 }: { date: string; count: number; firstSequence?: number },
): { key: Key; items: RawItem[] }[] =>
  Array.from({ length: count }, (_, index) => {
    const sequence = firstSequence + index;
    const key = entryKey(name, { series: 'MJ', date: expectedEntry.date, sequence });
    const content = {
      ...expectedEntry,
      status: 'scheduled',
      accrualDate: date,
      postingDate: date,
      externalId: null,
      postedAt: null,
      postingSequence: null,
      entryId: `entry ${sequence}`,
      journalNumber: `MJ-20260320-${sequence}`,
    } as const;
    const entry = { ...content, hash: hashOfScheduled(content), hashVersion };
    const puts = entryActions(key, entry).flatMap((it) => ('put' in it ? [it.put] : []));
    return { key, items: [...puts, markerKeys(key, date).scheduled] };
  });

/** Schedules entries of a tenant for a date. */
export const seedBacklog = async (
  { table, seed }: { table: Table; seed: (...items: RawItem[]) => Promise<void> },
  name: TenantName,
  options: Parameters<typeof backlogOf>[1],
): Promise<void> => {
  await seed(...backlogOf(name, options).flatMap(({ items }) => items));
  await table.update(dueDateAction(name, options.date));
};

/** A tenant of that application whose dates are in the same shard of the due index. */
export const inShardOf = (name: TenantName, applicationId: string): TenantName => {
  const shardOf = (of: TenantName) => dueDatePlace(dueDateKey(of, '2026-03-25')).due_pk;
  for (let number = 0; ; number += 1) {
    const found = { applicationId, schemaName: `innocent_${number}` };
    if (shardOf(found) === shardOf(name)) return found;
  }
};
