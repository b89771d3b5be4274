// Reports what a tenant's company owns and owes on a date, and what is left for its owners.

import { createApiHandler } from '#shared/endpoint/api.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { dateOf } from '#shared/money/dates.ts';
import { formatHundredths } from '#shared/money/hundredths.ts';
import { type BalanceSheetPart, balanceSheetOf } from '#shared/reports/balance-sheet.ts';
import { booksViewOf, type ReportBooks } from '#shared/reports/report-books.service.ts';
import { amountsViewOf } from '#shared/reports/statement.view.ts';
import { readStatementBooks } from '#shared/reports/statement-books.service.ts';
import { csv, Data, Request } from './schema.ts';

export type Dependencies = {
  reportBooks: ReportBooks;
  clock: () => Date;
  log: Log;
  metrics: Metrics;
};

const partViewOf = ({ sections, total }: BalanceSheetPart) => ({
  sections: sections.map(({ subtype, ...amounts }) => ({ subtype, ...amountsViewOf(amounts) })),
  total: formatHundredths(total),
});

export const createHandler = ({ reportBooks, clock, log, metrics }: Dependencies) =>
  createApiHandler(
    {
      from: 'query',
      isReadOnly: true,
      request: Request,
      data: Data,
      csv,
      handle: async ({ caller: { applicationId }, input }) => {
        const { domain_url: domain, as_of = dateOf(clock()) } = input;
        const target = { applicationId, domain };
        const { books, from, accounts } = await readStatementBooks(reportBooks, target, {
          to: as_of,
        });
        const { assets, liabilities, equity, ...sheet } = balanceSheetOf(accounts);
        return {
          data: {
            ...booksViewOf(books),
            ...{ as_of, fiscal_year_start: from },
            assets: partViewOf(assets),
            liabilities: partViewOf(liabilities),
            equity: {
              ...partViewOf(equity),
              retained_earnings_computed: formatHundredths(equity.retainedEarningsComputed),
              current_year_earnings: formatHundredths(equity.currentYearEarnings),
            },
            total_liabilities_and_equity: formatHundredths(sheet.totalLiabilitiesAndEquity),
          },
        };
      },
      storeProblems: ({ caller: { applicationId }, input }) =>
        reportBooks.problemsOf(applicationId, input),
    },
    { log, metrics },
  );
