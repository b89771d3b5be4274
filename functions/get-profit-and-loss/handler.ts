// Reports a tenant's revenue, costs and profit in a period.

import { dateOf } from '#shared/money/dates.ts';
import { formatHundredths } from '#shared/money/hundredths.ts';
import { profitAndLossOf } from '#shared/reports/profit-and-loss.ts';
import { createReportHandler, type ReportDependencies } from '#shared/reports/report.endpoint.ts';
import { booksViewOf } from '#shared/reports/report-books.service.ts';
import { amountsViewOf } from '#shared/reports/statement.view.ts';
import { readStatementBooks } from '#shared/reports/statement-books.service.ts';
import { csv, Data, Request } from './schema.ts';

export type Dependencies = ReportDependencies & { clock: () => Date };

export const createHandler = ({ clock, ...dependencies }: Dependencies) =>
  createReportHandler(
    {
      request: Request,
      data: Data,
      csv,
      handle: async ({ tenant, input }) => {
        const period = { from: input.from, to: input.to ?? dateOf(clock()) };
        const { books, from, accounts } = await readStatementBooks(
          dependencies.reportBooks,
          tenant,
          period,
        );
        const statement = profitAndLossOf(accounts, books.tenant);
        return {
          data: {
            ...booksViewOf(books),
            from,
            to: period.to,
            profit_layout: books.tenant.profitLayout ?? 'ifrs_18',
            revenue: amountsViewOf(statement.revenue),
            cost_of_sales: amountsViewOf(statement.costOfSales),
            gross_profit: formatHundredths(statement.grossProfit),
            operating_expenses: amountsViewOf(statement.operatingExpenses),
            other_income: amountsViewOf(statement.otherIncome),
            other_expenses: amountsViewOf(statement.otherExpenses),
            exchange_differences: amountsViewOf(statement.exchangeDifferences),
            disposal_results: amountsViewOf(statement.disposalResults),
            operating_profit: formatHundredths(statement.operatingProfit),
            interest_and_dividend_income: amountsViewOf(statement.interestAndDividendIncome),
            finance_costs: amountsViewOf(statement.financeCosts),
            profit_before_tax: formatHundredths(statement.profitBeforeTax),
            income_tax: amountsViewOf(statement.incomeTax),
            profit: formatHundredths(statement.profit),
          },
        };
      },
    },
    dependencies,
  );
