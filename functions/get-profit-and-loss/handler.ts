// Reports a tenant's revenue, costs and profit in a period.

import type { AmountFormat } from '#shared/money/amounts.ts';
import { dateOf } from '#shared/money/dates.ts';
import { type ProfitAndLoss, profitAndLossOf } from '#shared/reports/profit-and-loss.ts';
import { createReportHandler, type ReportDependencies } from '#shared/reports/report.endpoint.ts';
import { booksViewOf } from '#shared/reports/report-books.service.ts';
import { amountsViewOf, columnsViewOf } from '#shared/reports/statement.view.ts';
import { readStatement } from '#shared/reports/statement-books.service.ts';
import { columnsOfPeriod } from '#shared/reports/statement-columns.ts';
import { csv, Data, Request } from './schema.ts';

export type Dependencies = ReportDependencies & { clock: () => Date };

const figuresViewOf = (statement: ProfitAndLoss, format: AmountFormat) => ({
  revenue: amountsViewOf(statement.revenue, format),
  cost_of_sales: amountsViewOf(statement.costOfSales, format),
  gross_profit: format(statement.grossProfit),
  operating_expenses: amountsViewOf(statement.operatingExpenses, format),
  other_income: amountsViewOf(statement.otherIncome, format),
  other_expenses: amountsViewOf(statement.otherExpenses, format),
  exchange_differences: amountsViewOf(statement.exchangeDifferences, format),
  disposal_results: amountsViewOf(statement.disposalResults, format),
  operating_profit: format(statement.operatingProfit),
  interest_and_dividend_income: amountsViewOf(statement.interestAndDividendIncome, format),
  finance_costs: amountsViewOf(statement.financeCosts, format),
  profit_before_tax: format(statement.profitBeforeTax),
  income_tax: amountsViewOf(statement.incomeTax, format),
  profit: format(statement.profit),
});

export const createHandler = ({ clock, ...dependencies }: Dependencies) =>
  createReportHandler(
    {
      request: Request,
      data: Data,
      csv,
      handle: async ({ tenant, input }) => {
        const { to = dateOf(clock()) } = input;
        const { books, views, periods } = await readStatement(dependencies.reportBooks, tenant, {
          columnsOf: (of) => columnsOfPeriod({ ...input, to }, of.financialYearEnd),
          statementOf: profitAndLossOf,
          viewOf: (statement, { period, format }) => ({
            ...period,
            ...figuresViewOf(statement, format),
          }),
        });
        return {
          data: {
            ...booksViewOf(books, clock(), periods),
            profit_layout: books.tenant.profitLayout ?? 'ifrs_18',
            ...columnsViewOf(views, input),
          },
        };
      },
    },
    dependencies,
  );
