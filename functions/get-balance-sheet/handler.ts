// Reports a tenant's assets, liabilities and equity on a date.

import { type AmountFormat, amountFormatOf } from '#shared/money/amounts.ts';
import { dateOf } from '#shared/money/dates.ts';
import {
  type BalanceSheetPart,
  balanceSheetOf,
  type DividedPart,
} from '#shared/reports/balance-sheet.ts';
import { createReportHandler, type ReportDependencies } from '#shared/reports/report.endpoint.ts';
import { booksViewOf } from '#shared/reports/report-books.service.ts';
import { amountsViewOf } from '#shared/reports/statement.view.ts';
import { readStatementBooks } from '#shared/reports/statement-books.service.ts';
import { csv, Data, Request } from './schema.ts';

export type Dependencies = ReportDependencies & { clock: () => Date };

const partViewOf = ({ sections, total }: BalanceSheetPart, format: AmountFormat) => ({
  sections: sections.map(({ subtype, ...amounts }) => ({
    subtype,
    ...amountsViewOf(amounts, format),
  })),
  total: format(total),
});

const dividedViewOf = (part: DividedPart, format: AmountFormat) => ({
  current: partViewOf(part.current, format),
  non_current: partViewOf(part.nonCurrent, format),
  without_subtype: amountsViewOf(part.withoutSubtype, format),
  total: format(part.total),
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
        const { retainedEarnings: retained } = equity;
        const format = amountFormatOf(books.tenant.currency);
        return {
          data: {
            ...booksViewOf(books, clock()),
            as_of,
            fiscal_year_start: from,
            assets: dividedViewOf(assets, format),
            liabilities: dividedViewOf(liabilities, format),
            equity: {
              ...partViewOf(equity, format),
              retained_earnings: {
                opening: format(retained.opening),
                profit: format(retained.profit),
                distributions: format(retained.distributions),
                other_movements: format(retained.otherMovements),
                closing: format(retained.closing),
                posted: amountsViewOf(retained.posted, format),
              },
            },
            total_liabilities_and_equity: format(sheet.totalLiabilitiesAndEquity),
          },
        };
      },
    },
    dependencies,
  );
