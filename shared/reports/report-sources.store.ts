// Reads the data of a report at the same time: the tenant, its accounts and its sheets.

import { Account } from '../accounts/accounts.ts';
import type { DatedSheetText } from '../sheets/day-sheet.ts';
import { openDaySheets } from '../sheets/day-sheets.store.ts';
import {
  accountKey,
  accountPrefix,
  importKey,
  keyText,
  type TenantName,
  tenantKey,
} from '../table/keys.ts';
import { prefixRange } from '../table/sort-ranges.ts';
import type { Item, Table } from '../table/table.ts';
import { Tenant } from '../tenants/tenants.ts';

/** Accounts by their codes. */
export type AccountsByCode = ReadonlyMap<string, Account>;

/** A tenant with accounts. `isConnected`: it has been connected to a platform, even if not now. */
export type TenantAccounts = { tenant: Tenant; isConnected: boolean; accounts: AccountsByCode };

export type ReportSource = TenantAccounts & { sheets: DatedSheetText[] };

const byCode = (items: Iterable<Item | undefined>): AccountsByCode =>
  new Map(
    [...items].flatMap((item) => {
      if (item === undefined) return [];
      const account = Account.parse(item);
      return [[account.code, account]];
    }),
  );

export type ReportSources = ReturnType<typeof openReportSources>;

export const openReportSources = (table: Table) => {
  const daySheets = openDaySheets(table);

  /** The existing accounts of these codes. */
  const findAccounts = async (
    name: TenantName,
    codes: readonly string[],
  ): Promise<AccountsByCode> =>
    byCode((await table.getMany(codes.map((code) => accountKey(name, code)))).values());

  const listAccounts = async (name: TenantName): Promise<AccountsByCode> =>
    byCode(await table.query(prefixRange(tenantKey(name).pk, accountPrefix)));

  /** A tenant with the existing accounts of these codes, in one call. */
  const findTenant = async (
    name: TenantName,
    codes: readonly string[],
  ): Promise<TenantAccounts | undefined> => {
    const accountKeys = codes.map((code) => accountKey(name, code));
    const items = await table.getMany([tenantKey(name), importKey(name), ...accountKeys]);
    const tenant = items.get(keyText(tenantKey(name)));
    return (
      tenant && {
        tenant: Tenant.parse(tenant),
        // Every tenant that was ever connected has an import.
        isConnected: items.has(keyText(importKey(name))),
        accounts: byCode(accountKeys.map((key) => items.get(keyText(key)))),
      }
    );
  };

  return {
    findAccounts,
    findTenant,

    /**
     * A tenant with its accounts and its sheets up to a date.
     * @param options.codes the codes of the accounts to read. Defaults to all.
     */
    find: async (
      name: TenantName,
      { to, codes }: { to: string; codes?: readonly string[] },
    ): Promise<ReportSource | undefined> => {
      const [source, chart, sheets] = await Promise.all([
        findTenant(name, codes ?? []),
        codes === undefined ? listAccounts(name) : undefined,
        daySheets.listTexts(name, { to }),
      ]);
      return source && { ...source, accounts: chart ?? source.accounts, sheets };
    },
  };
};
