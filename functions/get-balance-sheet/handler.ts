// Reports a tenant's assets, liabilities and equity on a date.

import type { AmountFormat } from '#shared/money/amounts.ts';
import { dateOf } from '#shared/money/dates.ts';
import {
  type BalanceSheet,
  type BalanceSheetPart,
  balanceSheetOf,
  type DividedPart,
} from '#shared/reports/balance-sheet.ts';
import { createReportHandler, type ReportDependencies } from '#shared/reports/report.endpoint.ts';
import { booksViewOf } from '#shared/reports/report-books.service.ts';
import {
  amountsViewOf,
  columnsViewOf,
  retainedEarningsViewOf,
} from '#shared/reports/statement.view.ts';
import { readStatement } from '#shared/reports/statement-books.service.ts';
import { columnsOfDate } from '#shared/reports/statement-columns.ts';
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

const figuresViewOf = (
  { assets, liabilities, equity, totalLiabilitiesAndEquity }: BalanceSheet,
  format: AmountFormat,
) => ({
  assets: dividedViewOf(assets, format),
  liabilities: dividedViewOf(liabilities, format),
  equity: {
    ...partViewOf(equity, format),
    retained_earnings: {
      ...retainedEarningsViewOf(equity.retainedEarnings, format),
      posted: amountsViewOf(equity.retainedEarnings.posted, format),
    },
  },
  total_liabilities_and_equity: format(totalLiabilitiesAndEquity),
});

export const createHandler = ({ clock, ...dependencies }: Dependencies) =>
  createReportHandler(
    {
      request: Request,
      data: Data,
      csv,
      handle: async ({ tenant, input }) => {
        const { as_of: date = dateOf(clock()) } = input;
        const { books, views, periods } = await readStatement(dependencies.reportBooks, tenant, {
          columnsOf: (of) => columnsOfDate({ ...input, date }, of.financialYearEnd),
          statementOf: balanceSheetOf,
          viewOf: (sheet, { period: { from, to }, format }) => ({
            as_of: to,
            fiscal_year_start: from,
            ...figuresViewOf(sheet, format),
          }),
        });
        return {
          data: {
            ...booksViewOf(
              books,
              clock(),
              periods.map(({ to }) => ({ to })),
            ),
            ...columnsViewOf(views, input),
          },
        };
      },
    },
    dependencies,
  );
