// Reports a tenant's assets, liabilities and equity on a date.

import { dateOf } from '#shared/money/dates.ts';
import { formatHundredths } from '#shared/money/hundredths.ts';
import { type BalanceSheetPart, balanceSheetOf } from '#shared/reports/balance-sheet.ts';
import { createReportHandler, type ReportDependencies } from '#shared/reports/report.endpoint.ts';
import { booksViewOf } from '#shared/reports/report-books.service.ts';
import { amountsViewOf } from '#shared/reports/statement.view.ts';
import { readStatementBooks } from '#shared/reports/statement-books.service.ts';
import { csv, Data, Request } from './schema.ts';

export type Dependencies = ReportDependencies & { clock: () => Date };

const partViewOf = ({ sections, total }: BalanceSheetPart) => ({
  sections: sections.map(({ subtype, ...amounts }) => ({ subtype, ...amountsViewOf(amounts) })),
  total: formatHundredths(total),
});

export const createHandler = ({ clock, ...dependencies }: Dependencies) =>
  createReportHandler(
    {
      request: Request,
      data: Data,
      csv,
      handle: async ({ tenant, input }) => {
        const { as_of = dateOf(clock()) } = input;
        const { books, from, accounts } = await readStatementBooks(
          dependencies.reportBooks,
          tenant,
          {
            to: as_of,
          },
        );
        const { assets, liabilities, equity, ...sheet } = balanceSheetOf(accounts);
        return {
          data: {
            ...booksViewOf(books),
            as_of,
            fiscal_year_start: from,
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
    },
    dependencies,
  );
