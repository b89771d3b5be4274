// Until format 3 of the table, every scheduled entry stood in the due index by itself. Now its date
// does. This brings entries of the earlier form into the present one.

import { DueItem, dueKeyOf, listDueItems } from '../../background/due-index.store.ts';
import { openRounds } from '../../background/fair-rounds.ts';
import { ApiError } from '../../errors.ts';
import { dueTimeOf, earlierDuePartitions } from '../../table/due-keys.ts';
import { type TenantName, tenantNameOf } from '../../table/keys.ts';
import type { MigrationStep } from '../../table/migration-step.ts';
import type { Action, Table } from '../../table/table.ts';
import { dueDateAction } from './due-dates.store.ts';

/** Each entry takes an action of a transaction's hundred, and their date one. */
const maximumEntries = 90;

/** Entries of one tenant and posting date that have the earlier form. */
type EarlierDate = { name: TenantName; date: string; entries: DueItem[] };

const nameOf = (entry: DueItem): TenantName => {
  const name = tenantNameOf(entry);
  if (name === undefined) throw new Error('a due entry belongs to no tenant');
  return name;
};

/** The actions that take entries out of the index and put their date there. */
const conversionOf = ({ name, date, entries }: EarlierDate): Action[] => [
  dueDateAction(name, date),
  ...entries.map((entry) => ({
    update: dueKeyOf(entry),
    expression: 'REMOVE due_pk, due_sk',
    condition: 'attribute_exists(due_pk)',
  })),
];

/** Entries in groups of one tenant and date, each of which takes one transaction. */
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

/**
 * Converts every scheduled entry of a table. A date on which nothing is scheduled any more is
 * removed by the run that finds nothing there.
 */
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
  /** Converts a group; entries that somebody else has converted meanwhile are left out. */
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
     * Converts what is due on or before a date, round-robin over applications and their tenants, so
     * that a deployment posts it in time even if nobody has migrated its table. What is left over
     * is converted in the next run.
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
          // Contention is met by the next run; it must not keep others from being converted.
          if (!(error instanceof ApiError)) throw error;
        }
        rounds.giveBack(group, { isFinished: true });
      }
      return converted;
    },
  };
};
