// Reports the balances of a tenant's accounts before and after a period, and their movements.

import type { Account } from '#shared/accounts/accounts.ts';
import { BooksDiffer } from '#shared/entries/entry-checks.ts';
import { type AmountFormat, amountFormatOf } from '#shared/money/amounts.ts';
import { dateOf } from '#shared/money/dates.ts';
import { createReportHandler, type ReportDependencies } from '#shared/reports/report.endpoint.ts';
import { figuresViewOf } from '#shared/reports/report.view.ts';
import { booksViewOf } from '#shared/reports/report-books.service.ts';
import { type TrialBalanceRow, trialBalanceOf } from '#shared/reports/trial-balance.ts';
import { csv, Data, Request } from './schema.ts';

export type Dependencies = ReportDependencies & { clock: () => Date };

const rowViewOf = (
  { account, currencies, ...figures }: TrialBalanceRow,
  {
    accounts,
    byCurrency,
    format,
  }: { accounts: ReadonlyMap<string, Account>; byCurrency: boolean; format: AmountFormat },
) => {
  const chartAccount = accounts.get(account);
  if (chartAccount === undefined) throw new BooksDiffer(`the chart has no account ${account}`);
  return {
    account,
    account_name: chartAccount.name,
    account_type: chartAccount.type,
    ...figuresViewOf(figures, format),
    ...(byCurrency && {
      currencies: currencies.map(({ currency, ...amounts }) => ({
        currency,
        ...figuresViewOf(amounts, amountFormatOf(currency)),
      })),
    }),
  };
};

export const createHandler = ({ clock, ...dependencies }: Dependencies) =>
  createReportHandler(
    {
      request: Request,
      data: Data,
      csv,
      handle: async ({ tenant, input }) => {
        const { account, by_currency: byCurrency, from } = input;
        const to = input.to ?? input.as_of ?? dateOf(clock());
        const books =
          account === undefined
            ? await dependencies.reportBooks.readPeriods(tenant, () => [{ from, to }])
            : await dependencies.reportBooks.readAccount(tenant, { from, to, account });
        const { rows, totals } = trialBalanceOf(books.sums.flat(), { account });
        const codes = rows.map((row) => row.account);
        const accounts = await dependencies.reportBooks.accountsOf(books, codes);
        const format = amountFormatOf(books.tenant.currency);
        return {
          data: {
            ...booksViewOf(books, clock(), [{ from, to }]),
            from: from ?? null,
            to: input.to ?? null,
            as_of: input.to === undefined ? to : null,
            rows: rows.map((row) => rowViewOf(row, { accounts, byCurrency, format })),
            totals: figuresViewOf(totals, format),
          },
        };
      },
    },
    dependencies,
  );
