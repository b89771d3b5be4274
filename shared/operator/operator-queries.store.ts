// Queries of the operator's tool: a connection without its tokens, and a scan for all connections.

import * as z from 'zod/mini';
import { type Comparison, comparisonOf } from '../balances/coverage.ts';
import { sealingVersionOf } from '../sealing.ts';
import {
  comparisonKey,
  connectionKey,
  connectionSort,
  pendingConnectionSort,
  type TenantName,
  tenantNameOf,
} from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { TableScan } from '../table/table-scan.ts';

/** A connection without its tokens. The sealing version is null after a disconnection. */
const ConnectionReport = z.pipe(
  z.object({
    adapter: z.string(),
    companyId: z.string(),
    dataCenter: z.nullable(z.string()),
    version: z.int(),
    sealedTokens: z.optional(z.string()),
  }),
  z.transform(({ sealedTokens, ...connection }) => ({
    ...connection,
    sealingVersion: sealedTokens === undefined ? null : sealingVersionOf(sealedTokens),
  })),
);
export type ConnectionReport = z.output<typeof ConnectionReport>;

const SealedItem = z.object({ pk: z.string(), sealedTokens: z.optional(z.string()) });

export type OperatorQueries = ReturnType<typeof openOperatorQueries>;

export const openOperatorQueries = (table: Table, scan: Pick<TableScan, 'itemsWithSort'>) => {
  return {
    /** A tenant's connection, also after a disconnection. */
    connection: async (name: TenantName): Promise<ConnectionReport | undefined> => {
      const item = await table.get(connectionKey(name));
      return item && ConnectionReport.parse(item);
    },

    /** The last comparison of a tenant's books with the trial balances of its platform. */
    comparison: async (name: TenantName): Promise<Comparison> =>
      comparisonOf(await table.get(comparisonKey(name))),

    /**
     * All connections with tokens, also unconfirmed ones, with the version of their sealing key.
     * This scans the whole table.
     */
    connections: async (): Promise<{ name: TenantName; sealingVersion: string }[]> => {
      const connections = [];
      for await (const item of scan.itemsWithSort(connectionSort, pendingConnectionSort)) {
        const { pk, sealedTokens } = SealedItem.parse(item);
        if (sealedTokens === undefined) continue;
        connections.push({ name: nameIn(pk), sealingVersion: sealingVersionOf(sealedTokens) });
      }
      return connections;
    },
  };
};

const nameIn = (pk: string): TenantName => {
  const name = tenantNameOf({ pk });
  if (name === undefined) throw new Error('an item of a tenant belongs to none');
  return name;
};
