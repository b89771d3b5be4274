// Imports of a platform's data into a tenant: asked for by an item that the table's stream carries
// to the importing function, and finished together with the tenant's status.

import * as z from 'zod/mini';
import type { Account } from '../domain/accounts.ts';
import { accountKey, connectionKey, importKey, type TenantName, tenantKey } from './keys.ts';
import type { Action, Table } from './table.ts';

/** `reason` says why it failed, in a code that an operator can look up. */
export const Import = z.object({
  kind: z.literal('import'),
  importId: z.string(),
  applicationId: z.string(),
  schemaName: z.string(),
  status: z.enum(['requested', 'complete', 'failed']),
  requestedAt: z.string(),
  finishedAt: z.nullable(z.string()),
  accountsImported: z.int(),
  reason: z.nullable(z.string()),
});
export type Import = z.infer<typeof Import>;

/** What the stream's filter lets through: an import that was just asked for. */
export const requestedImportPattern = { kind: 'import', status: 'requested' } as const;

/** The action that asks for an import. It takes the place of an earlier one. */
export const importAction = (
  name: TenantName,
  { importId, requestedAt }: { importId: string; requestedAt: string },
): Action => {
  const request: Import = {
    ...requestedImportPattern,
    ...name,
    importId,
    requestedAt,
    finishedAt: null,
    accountsImported: 0,
    reason: null,
  };
  return { put: { ...importKey(name), ...request } };
};

export type Imports = ReturnType<typeof openImports>;

export const openImports = (table: Table) => ({
  find: async (name: TenantName): Promise<Import | undefined> => {
    const item = await table.get(importKey(name));
    return item && Import.parse(item);
  },

  /**
   * Asks for an import of a tenant that is connected, in the place of an earlier one, under way or
   * not. False where the tenant has no connection; then nothing is changed.
   */
  request: async (
    name: TenantName,
    asked: { importId: string; requestedAt: string },
  ): Promise<boolean> => {
    const outcome = await table.transact([
      { check: connectionKey(name), condition: 'attribute_exists(pk)' },
      {
        update: tenantKey(name),
        expression: 'SET #status = :importing',
        condition: 'attribute_exists(pk)',
        names: { '#status': 'status' },
        values: { ':importing': 'importing' },
      },
      importAction(name, asked),
    ]);
    return outcome.committed;
  },

  /**
   * Adds accounts to the tenant's chart, or brings those that are there up to date. Of two with
   * one code the last one counts.
   */
  recordAccounts: (name: TenantName, accounts: readonly Account[]): Promise<void> => {
    const byCode = new Map(accounts.map((account) => [account.code, account]));
    return table.putMany(
      [...byCode.values()].map((account) => ({
        ...accountKey(name, account.code),
        kind: 'account',
        ...account,
      })),
    );
  },

  /**
   * Ends an import and sets the tenant's status with it. False where another import has taken its
   * place or it was ended before; then nothing is changed.
   */
  finish: async (
    name: TenantName,
    end: {
      importId: string;
      finishedAt: string;
      accountsImported: number;
      reason: string | null;
      tenantStatus: 'active' | 'import_failed' | 'disconnected';
    },
  ): Promise<boolean> => {
    const outcome = await table.transact([
      {
        update: importKey(name),
        expression:
          'SET #status = :ended, finishedAt = :finishedAt, reason = :reason, ' +
          'accountsImported = :accountsImported',
        condition: 'importId = :importId AND #status = :requested',
        names: { '#status': 'status' },
        values: {
          ':ended': end.reason === null ? 'complete' : 'failed',
          ':finishedAt': end.finishedAt,
          ':reason': end.reason,
          ':accountsImported': end.accountsImported,
          ':importId': end.importId,
          ':requested': 'requested',
        },
      },
      {
        update: tenantKey(name),
        expression: 'SET #status = :tenantStatus',
        condition: 'attribute_exists(pk)',
        names: { '#status': 'status' },
        values: { ':tenantStatus': end.tenantStatus },
      },
    ]);
    return outcome.committed;
  },
});
