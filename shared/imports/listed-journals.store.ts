// The journals that a complete import has listed, page by page. An imported journal that no page
// lists may have been deleted at the platform.

import * as z from 'zod/mini';
import { journalReferenceKey, listedJournalsKey, type TenantName } from '../table/keys.ts';
import { prefixRange } from '../table/sort-ranges.ts';
import type { Table } from '../table/table.ts';
import { JournalGuard } from './journal-guards.ts';

/** No import takes this long. */
const retentionSeconds = 30 * 24 * 60 * 60;

const ListedPage = z.object({ importId: z.string(), references: z.array(z.string()) });

export const openListedJournals = (table: Pick<Table, 'put' | 'query' | 'queryPages'>) => ({
  /** Stores the references of a page. A page that is read again replaces it. */
  saveListed: async (
    name: TenantName,
    {
      page,
      importId,
      references,
      now,
    }: { page: string; importId: string; references: readonly string[]; now: Date },
  ): Promise<void> => {
    const expiresAt = Math.floor(now.getTime() / 1000) + retentionSeconds;
    await table.put({ put: { ...listedJournalsKey(name, page), importId, references, expiresAt } });
  },

  /** The imported journals in force that no page of the import lists. */
  findUnlisted: async (name: TenantName, importId: string): Promise<Map<string, JournalGuard>> => {
    const { pk, sk } = listedJournalsKey(name, '');
    const pages = (await table.query(prefixRange(pk, sk))).map((item) => ListedPage.parse(item));
    const listed = new Set(
      pages.flatMap((page) => (page.importId === importId ? page.references : [])),
    );
    const unlisted = new Map<string, JournalGuard>();
    const guards = journalReferenceKey(name, '');
    for await (const items of table.queryPages(prefixRange(pk, guards.sk))) {
      for (const item of items) {
        const reference = String(item.sk).slice(guards.sk.length);
        const guard = JournalGuard.parse(item);
        const isInForce = guard.revisionOf === undefined && guard.inForce !== null;
        if (isInForce && !listed.has(reference)) unlisted.set(reference, guard);
      }
    }
    return unlisted;
  },
});
