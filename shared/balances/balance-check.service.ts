// Compares a tenant's books with the trial balance that its platform reported for a day.

import Big from 'big.js';
import type { Account } from '../accounts/accounts.ts';
import type { JournalSeries } from '../entries/journal-entry.ts';
import { ApiError, problem } from '../errors.ts';
import type { TenantName } from '../table/keys.ts';
import type { Tenant } from '../tenants/tenants.ts';
import type { Comparison } from './coverage.ts';
import {
  amountsOfRows,
  type PlatformBalances,
  type StoredReport,
} from './platform-balances.store.ts';
import { differencesBetween, isImported, openPlatformBooks } from './platform-books.ts';
import { platformChartOf } from './platform-chart.ts';

/** An account on the day. Amounts are positive for a debit; `ours` includes `postedHere`. */
type CheckedAccount = {
  account: Account | undefined;
  accountId: string;
  platform: Big;
  ours: Big;
  postedHere: Big;
  difference: Big;
};

type BalanceCheck = {
  tenant: Tenant;
  comparison: Comparison;
  /** Undefined if the day has no report. */
  report: StoredReport | undefined;
  asOf: string | null;
  accounts: CheckedAccount[];
  reason: string | null;
};

export type BalanceChecks = ReturnType<typeof openBalanceChecks>;

export const openBalanceChecks = (balances: PlatformBalances) => {
  const accountsOf = async (
    name: TenantName,
    report: StoredReport,
    { yearEnd }: Comparison,
  ): Promise<CheckedAccount[]> => {
    const [chart, sheets] = await Promise.all([
      balances.readChart(name),
      balances.listSheets(name, report.date),
    ]);
    const byPlatform = platformChartOf(chart);
    const balancesIn = (isOf: (series: JournalSeries) => boolean) => {
      const books = openPlatformBooks({ yearEnd, ...byPlatform });
      for (const { date, series, rows } of sheets) {
        if (!isOf(series)) continue;
        for (const [row, amount] of amountsOfRows(rows)) {
          books.add({ date, accountId: byPlatform.idOfRow(row), amount });
        }
      }
      return books.balancesAt(report.date, report);
    };
    const imported = balancesIn(isImported);
    const postedHere = balancesIn((series) => !isImported(series));
    const differences = differencesBetween(report.balances, imported);
    const ids = new Set([...report.balances.keys(), ...imported.keys(), ...postedHere.keys()]);
    const amountIn = (amounts: ReadonlyMap<string, Big>, id: string): Big =>
      amounts.get(id) ?? new Big(0);
    return [...ids]
      .map((accountId) => ({
        account: byPlatform.find(accountId),
        accountId,
        platform: amountIn(report.balances, accountId),
        ours: amountIn(imported, accountId).plus(amountIn(postedHere, accountId)),
        postedHere: amountIn(postedHere, accountId),
        difference: amountIn(differences, accountId),
      }))
      .filter(
        ({ platform, ours, postedHere: here }) => ![platform, ours, here].every((it) => it.eq(0)),
      )
      .toSorted((one, other) => (codeOf(one) < codeOf(other) ? -1 : 1));
  };

  return {
    /**
     * The check of a day that was compared; by default, the last one.
     * @throws ApiError `tenant_not_found`, `tenant_not_connected`, or `validation_failed` if the
     *   day was not compared
     */
    check: async (name: TenantName, requested: string | undefined): Promise<BalanceCheck> => {
      const { tenant, comparison } = await balances.findTenant(name);
      const asOf = requested ?? comparison.lastDay;
      const day = comparison.days.find(({ date }) => date === asOf);
      if (requested !== undefined && day === undefined) {
        const params = { as_of: requested, last: comparison.lastDay ?? '' };
        const details = [problem('balances_not_read', '/as_of', params)];
        throw new ApiError('validation_failed', { details });
      }
      const report = day && (await balances.findReport(name, day.date));
      const accounts = report ? await accountsOf(name, report, comparison) : [];
      const differs = accounts.some(({ difference }) => !difference.eq(0));
      const unexplained = differs ? 'import_under_way' : null;
      const reason = comparison.reason ?? (day ? (day.reason ?? unexplained) : 'not_checked');
      return { tenant, comparison, report, asOf, accounts, reason };
    },
  };
};

const codeOf = ({ account, accountId }: CheckedAccount): string => account?.code ?? accountId;
