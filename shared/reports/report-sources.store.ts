// Reads the data of a report: the tenant and its accounts, then the rows of the period.

import { type AccountsByCode, byCode, openChartReader } from '../accounts/chart-reader.store.ts';
import { type ChartState, chartStateOf } from '../applications/quota-counts.store.ts';
import { type Comparison, comparisonOf } from '../balances/coverage.ts';
import { type CarriedState, carriedStateOf } from '../sheets/carried-totals.store.ts';
import { type Carried, openPeriodRows } from '../sheets/period-rows.store.ts';
import { carriedKey } from '../table/carried-keys.ts';
import {
  accountCountKey,
  accountKey,
  comparisonKey,
  importKey,
  keyText,
  type TenantName,
  tenantKey,
} from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { Tenant } from '../tenants/tenants.ts';

/**
 * A tenant with accounts. `comparison` is the last comparison with its platform. It is undefined if
 * the tenant was never connected to one.
 */
export type TenantAccounts = {
  tenant: Tenant;
  comparison: Comparison | undefined;
  accounts: AccountsByCode;
};

/** `chart` is the state of the whole chart; `undefined` if only some accounts are read. */
export type ReportSource = TenantAccounts & { carried: Carried; chart: ChartState | undefined };

export type ReportSources = ReturnType<typeof openReportSources>;

export const openReportSources = (table: Table) => {
  const { listLate, read, readDays } = openPeriodRows(table);
  const chartReader = openChartReader(table);

  /** The existing accounts of these codes. */
  const findAccounts = async (
    name: TenantName,
    codes: readonly string[],
  ): Promise<AccountsByCode> =>
    byCode((await table.getMany(codes.map((code) => accountKey(name, code)))).values());

  /** A tenant with the existing accounts of these codes, in one call. */
  const findTenant = async (
    name: TenantName,
    codes: readonly string[],
  ): Promise<(Omit<ReportSource, 'carried'> & { carried: CarriedState }) | undefined> => {
    const accountKeys = codes.map((code) => accountKey(name, code));
    const ofTenant = [tenantKey(name), importKey(name), carriedKey(name)];
    const ofChart = codes.length === 0 ? [accountCountKey(name)] : accountKeys;
    const items = await table.getMany([...ofTenant, ...ofChart]);
    const tenant = items.get(keyText(tenantKey(name)));
    // Every tenant that was ever connected has an import. Others do without this read. It is a
    // batch, because the functions with reports may not get single items.
    const key = comparisonKey(name);
    const comparison = items.has(keyText(importKey(name)))
      ? comparisonOf((await table.getMany([key])).get(keyText(key)))
      : undefined;
    return (
      tenant && {
        tenant: Tenant.parse(tenant),
        comparison,
        carried: carriedStateOf(items.get(keyText(carriedKey(name)))),
        accounts: byCode(accountKeys.map((key) => items.get(keyText(key)))),
        chart:
          codes.length === 0 ? chartStateOf(items.get(keyText(accountCountKey(name)))) : undefined,
      }
    );
  };

  return {
    findAccounts,
    findTenant,

    /**
     * A tenant with what of its books is carried forward, and the accounts of these codes. Without
     * codes, it comes with the state of its chart.
     */
    find: async (name: TenantName, codes: readonly string[]): Promise<ReportSource | undefined> => {
      const [source, late] = await Promise.all([findTenant(name, codes), listLate(name)]);
      return source && { ...source, carried: { ...source.carried, late } };
    },

    readChart: chartReader.read,
    readPeriods: read,
    readDays,
  };
};
