// Converts scheduled entries of the stored format 3, which listed each entry in the due index.
// Since format 4, the index lists their dates.

import { DueItem, dueKeyOf, listDueItems } from '../../background/due-index.store.ts';
import { openRounds } from '../../background/fair-rounds.ts';
import { ApiError } from '../../errors.ts';
import { dueDateAction, dueTimeOf, earlierDuePartitions } from '../../table/due-keys.ts';
import { updateAction } from '../../table/field-updates.ts';
import { type TenantName, tenantNameOf } from '../../table/keys.ts';
import type { MigrationStep } from '../../table/migration-step.ts';
import type { Action, Table } from '../../table/table.ts';

/** Each entry takes one action of a transaction, and the date takes one more. */
const maximumEntries = 90;

/** Entries of one tenant and posting date in the earlier format. */
type EarlierDate = { name: TenantName; date: string; entries: DueItem[] };

const nameOf = (entry: DueItem): TenantName => {
  const name = tenantNameOf(entry);
  if (name === undefined) throw new Error('a due entry belongs to no tenant');
  return name;
};

/** The actions that replace entries in the index by their date. */
const conversionOf = ({ name, date, entries }: EarlierDate): Action[] => [
  dueDateAction(name, date),
  ...entries.map((entry) =>
    updateAction(dueKeyOf(entry), {
      set: { due_pk: undefined, due_sk: undefined },
      condition: 'attribute_exists(#due_pk)',
    }),
  ),
];

/** Groups entries by tenant and date. Each group fits into one transaction. */
const groupsOf = (entries: readonly DueItem[]): EarlierDate[] => {
  const open = new Map<string, EarlierDate>();
  const groups: EarlierDate[] = [];
  for (const entry of entries) {
    const date = dueTimeOf(entry.due_sk);
    const place = `${date}#${entry.pk}`;
    let group = open.get(place);
    if (group === undefined || group.entries.length === maximumEntries) {
      group = { name: nameOf(entry), date, entries: [] };
      open.set(place, group);
      groups.push(group);
    }
    group.entries.push(entry);
  }
  return groups;
};

/** Converts all scheduled entries of the table. */
export const convertDueEntries: MigrationStep = {
  name: 'dates in the due index, not entries',
  start: () => {
    const entries: DueItem[] = [];
    return {
      convert: (item) => {
        if (earlierDuePartitions.includes(String(item.due_pk))) entries.push(DueItem.parse(item));
        return [];
      },
      finish: () => groupsOf(entries).map(conversionOf),
    };
  },
};

export type EarlierDueEntries = ReturnType<typeof openEarlierDueEntries>;

export const openEarlierDueEntries = (table: Table) => {
  /** Converts a group, without the entries that another process has converted. */
  const convert = async (group: EarlierDate): Promise<number> => {
    let { entries } = group;
    while (entries.length > 0) {
      const outcome = await table.transact(conversionOf({ ...group, entries }));
      if (outcome.committed) return entries.length;
      entries = entries.filter((_, index) => !outcome.failed.has(index + 1));
    }
    return 0;
  };

  return {
    /**
     * Converts the entries that are due on or before a date, round-robin over applications and
     * tenants. So a new version posts entries in time, even before the table is migrated. The next
     * run converts the rest.
     */
    convertDue: async (date: string, hasTime: () => boolean): Promise<number> => {
      const entries: DueItem[] = [];
      const listed = listDueItems(table, { partitions: earlierDuePartitions, by: date });
      for await (const entry of listed) {
        if (!hasTime()) break;
        entries.push(entry);
      }
      const rounds = openRounds(groupsOf(entries), { ownerOf: ({ name }) => name });
      let converted = 0;
      for (let group = rounds.take(); group && hasTime(); group = rounds.take()) {
        try {
          converted += await convert(group);
        } catch (error) {
          // The next run tries again. One contended group must not block the others.
          if (!(error instanceof ApiError)) throw error;
        }
        rounds.giveBack(group, { isFinished: true });
      }
      return converted;
    },
  };
};
