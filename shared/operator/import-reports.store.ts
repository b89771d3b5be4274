// The state of imports, for the operator's tool.

import { dueKeyOf, listDueItems } from '../background/due-index.store.ts';
import { ImportReport } from '../imports/import-record.store.ts';
import { dueImportPartition } from '../table/due-keys.ts';
import { importKey, type Key, type TenantName } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

export type UnfinishedImport = ImportReport & { nextAttemptAt: string };

export const openImportReports = (table: Table) => ({
  find: async (name: TenantName): Promise<ImportReport | undefined> => {
    const item = await table.get(importKey(name));
    return item && ImportReport.parse(item);
  },

  /** The unfinished imports, by their next attempt. */
  listUnfinished: async (): Promise<UnfinishedImport[]> => {
    const keys: Key[] = [];
    for await (const item of listDueItems(table, { partitions: [dueImportPartition] })) {
      keys.push(dueKeyOf(item));
    }
    const items = await table.getMany(keys);
    return [...items.values()]
      .map((item) => ImportReport.parse(item))
      .flatMap(({ nextAttemptAt, ...report }) =>
        nextAttemptAt === null ? [] : [{ ...report, nextAttemptAt }],
      )
      .sort((one, other) => (one.nextAttemptAt < other.nextAttemptAt ? -1 : 1));
  },
});
