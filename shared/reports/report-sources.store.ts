// Reads the data of a report: the tenant and its accounts, then the rows of the period.

import { Account } from '../accounts/accounts.ts';
import { type CarriedState, carriedStateOf } from '../sheets/carried-totals.store.ts';
import { type Carried, openPeriodRows } from '../sheets/period-rows.store.ts';
import { carriedKey } from '../table/carried-keys.ts';
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

export type ReportSource = TenantAccounts & { carried: Carried };

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
  const { listLate, read, readDays } = openPeriodRows(table);

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
  ): Promise<(TenantAccounts & { carried: CarriedState }) | undefined> => {
    const accountKeys = codes.map((code) => accountKey(name, code));
    const ofTenant = [tenantKey(name), importKey(name), carriedKey(name)];
    const items = await table.getMany([...ofTenant, ...accountKeys]);
    const tenant = items.get(keyText(tenantKey(name)));
    return (
      tenant && {
        tenant: Tenant.parse(tenant),
        // Every tenant that was ever connected has an import.
        isConnected: items.has(keyText(importKey(name))),
        carried: carriedStateOf(items.get(keyText(carriedKey(name)))),
        accounts: byCode(accountKeys.map((key) => items.get(keyText(key)))),
      }
    );
  };

  return {
    findAccounts,
    findTenant,

    /**
     * A tenant with its accounts and what of its books is carried forward.
     * @param options.codes the codes of the accounts to read. Defaults to all.
     */
    find: async (
      name: TenantName,
      { codes }: { codes?: readonly string[] | undefined },
    ): Promise<ReportSource | undefined> => {
      const [source, chart, late] = await Promise.all([
        findTenant(name, codes ?? []),
        codes === undefined ? listAccounts(name) : undefined,
        listLate(name),
      ]);
      if (source === undefined) return undefined;
      const carried = { ...source.carried, late };
      return { ...source, accounts: chart ?? source.accounts, carried };
    },

    readPeriod: read,
    readDays,
  };
};
