// The books that imports have recorded, in the form of the platform's trial balance.

import type { Difference } from '#shared/balances/platform-balance.ts';
import { amountsOfRows, type PlatformBalances } from '#shared/balances/platform-balances.store.ts';
import { isImported, openPlatformBooks } from '#shared/balances/platform-books.ts';
import { platformChartOf } from '#shared/balances/platform-chart.ts';
import type { TrialBalance } from '#shared/balances/trial-balance.ts';
import type { TenantName } from '#shared/table/keys.ts';

/** The imported journals and platform balances up to a date, and the chart. */
export const openImportedBooks = async (
  { today, yearEnd }: { today: string; yearEnd: string },
  { name, balances }: { name: TenantName; balances: PlatformBalances },
) => {
  const [chart, sheets] = await Promise.all([
    balances.readChart(name),
    balances.listSheets(name, today),
  ]);
  const accounts = platformChartOf(chart);
  const books = openPlatformBooks({ yearEnd, ...accounts });
  // Entries that the application has posted stay on top of the platform's.
  const imported = sheets.filter(({ series }) => isImported(series));
  const revisions = new Map(
    imported.flatMap((it) => (it.series === 'PB' ? [[it.date, it.revision] as const] : [])),
  );
  let next = 0;
  return {
    accounts,
    revisionAt: (date: string): number => revisions.get(date) ?? 0,
    balancesAt: (date: string, options: Pick<TrialBalance, 'profitSince'>) => {
      for (let sheet = imported[next]; sheet && sheet.date <= date; sheet = imported[next]) {
        next += 1;
        for (const [row, amount] of amountsOfRows(sheet.rows)) {
          books.add({ date: sheet.date, accountId: accounts.idOfRow(row), amount });
        }
      }
      return books.balancesAt(date, options);
    },
    addPosted: (date: string, differences: readonly Difference[]): void => {
      revisions.set(date, (revisions.get(date) ?? 0) + 1);
      for (const { accountId, amount } of differences) books.add({ date, accountId, amount });
    },
  };
};
export type ImportedBooks = Awaited<ReturnType<typeof openImportedBooks>>;
