// Reports a tenant's revenue, costs and profit in a period.

import { amountFormatOf } from '#shared/money/amounts.ts';
import { dateOf } from '#shared/money/dates.ts';
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
        const format = amountFormatOf(books.tenant.currency);
        return {
          data: {
            ...booksViewOf(books, clock()),
            from,
            to: period.to,
            profit_layout: books.tenant.profitLayout ?? 'ifrs_18',
            revenue: amountsViewOf(statement.revenue, format),
            cost_of_sales: amountsViewOf(statement.costOfSales, format),
            gross_profit: format(statement.grossProfit),
            operating_expenses: amountsViewOf(statement.operatingExpenses, format),
            other_income: amountsViewOf(statement.otherIncome, format),
            other_expenses: amountsViewOf(statement.otherExpenses, format),
            exchange_differences: amountsViewOf(statement.exchangeDifferences, format),
            disposal_results: amountsViewOf(statement.disposalResults, format),
            operating_profit: format(statement.operatingProfit),
            interest_and_dividend_income: amountsViewOf(
              statement.interestAndDividendIncome,
              format,
            ),
            finance_costs: amountsViewOf(statement.financeCosts, format),
            profit_before_tax: format(statement.profitBeforeTax),
            income_tax: amountsViewOf(statement.incomeTax, format),
            profit: format(statement.profit),
          },
        };
      },
    },
    dependencies,
  );
