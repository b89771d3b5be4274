// What the operator's tool looks at and no function does: a connection without its tokens, and all
// connections and tenants, to which no key leads.

import * as z from 'zod/mini';
import { sealingVersionOf } from '../sealing.ts';
import {
  connectionKey,
  connectionSort,
  pendingConnectionSort,
  type TenantName,
  tenantNameOf,
  tenantSort,
} from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { TableScan } from '../table/table-scan.ts';

/** A connection whose tokens stay closed; without a sealing version they were forgotten. */
const ConnectionReport = z.pipe(
  z.object({
    adapter: z.string(),
    companyId: z.string(),
    dataCenter: z.nullable(z.string()),
    version: z.int(),
    sealedTokens: z.optional(z.string()),
  }),
  z.transform(({ sealedTokens, ...found }) => ({
    ...found,
    sealingVersion: sealedTokens === undefined ? null : sealingVersionOf(sealedTokens),
  })),
);
export type ConnectionReport = z.output<typeof ConnectionReport>;

const SealedItem = z.object({ pk: z.string(), sealedTokens: z.optional(z.string()) });

/** A tenant as an item of a scan names it. */
const TenantItem = z.object({ pk: z.string(), prefix: z.string() });

export type OperatorQueries = ReturnType<typeof openOperatorQueries>;

export const openOperatorQueries = (table: Table, scan: Pick<TableScan, 'pages'>) => {
  /** Yields the items of all tenants that have one of these sort keys. */
  async function* itemsWithSort(...sorts: string[]) {
    const pages = scan.pages({
      FilterExpression: `sk IN (${sorts.map((_, index) => `:sort${index}`).join(', ')})`,
      ExpressionAttributeValues: Object.fromEntries(
        sorts.map((sort, index) => [`:sort${index}`, sort]),
      ),
    });
    for await (const items of pages) yield* items;
  }

  return {
    /** A tenant's connection, one that was given up too. */
    connection: async (name: TenantName): Promise<ConnectionReport | undefined> => {
      const item = await table.get(connectionKey(name));
      return item && ConnectionReport.parse(item);
    },

    /**
     * Every connection that has tokens, with the version of the key that seals them, and every one
     * that waits for a confirmation. This reads every item of the table, strongly consistent, and
     * costs accordingly.
     */
    connections: async (): Promise<{ name: TenantName; sealingVersion: string }[]> => {
      const found = [];
      for await (const item of itemsWithSort(connectionSort, pendingConnectionSort)) {
        const { pk, sealedTokens } = SealedItem.parse(item);
        if (sealedTokens === undefined) continue;
        found.push({ name: nameIn(pk), sealingVersion: sealingVersionOf(sealedTokens) });
      }
      return found;
    },

    /** Every tenant in the order of prefixes, which no two have in common. It costs as much. */
    tenants: async (): Promise<{ name: TenantName; prefix: string }[]> => {
      const found = [];
      for await (const item of itemsWithSort(tenantSort)) {
        const { pk, prefix } = TenantItem.parse(item);
        found.push({ name: nameIn(pk), prefix });
      }
      return found.sort((one, other) => (one.prefix < other.prefix ? -1 : 1));
    },
  };
};

const nameIn = (pk: string): TenantName => {
  const name = tenantNameOf({ pk });
  if (name === undefined) throw new Error('an item of a tenant belongs to none');
  return name;
};
