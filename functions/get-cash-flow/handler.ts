// Reports a tenant's cash flows in a period, by the direct or indirect method.

import { dateOf } from '#shared/money/dates.ts';
import { type AmountFormat, amountFormatOf } from '#shared/money/thousandths.ts';
import { type CashFlow, cashFlowOf } from '#shared/reports/cash-flow.ts';
import { createReportHandler, type ReportDependencies } from '#shared/reports/report.endpoint.ts';
import { booksViewOf } from '#shared/reports/report-books.service.ts';
import { amountsViewOf } from '#shared/reports/statement.view.ts';
import { readStatementBooks } from '#shared/reports/statement-books.service.ts';
import { csv, Data, Request } from './schema.ts';

export type Dependencies = ReportDependencies & { clock: () => Date };

const operatingViewOf = (
  operating: CashFlow['operating'],
  format: AmountFormat,
): Data['operating'] => {
  if (operating.method === 'direct')
    return { method: 'direct', ...amountsViewOf(operating, format) };
  return {
    method: 'indirect',
    profit: format(operating.profit),
    items_of_other_sections: amountsViewOf(operating.itemsOfOtherSections, format),
    movements: amountsViewOf(operating.movements, format),
    non_cash_investing_and_financing: format(operating.nonCashInvestingAndFinancing),
    total: format(operating.total),
  };
};

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
        const flows = cashFlowOf(accounts, input.method ?? books.tenant.cashFlowMethod);
        const format = amountFormatOf(books.tenant.currency);
        return {
          data: {
            ...booksViewOf(books, { from, to: period.to }),
            from,
            to: period.to,
            operating: operatingViewOf(flows.operating, format),
            investing: amountsViewOf(flows.investing, format),
            financing: amountsViewOf(flows.financing, format),
            effect_of_exchange_rates: format(flows.effectOfExchangeRates),
            unclassified: amountsViewOf(flows.unclassified, format),
            net_change: format(flows.netChange),
            opening_cash: format(flows.openingCash),
            closing_cash: format(flows.closingCash),
            cash_accounts: flows.cashAccounts.map(({ account, opening, closing }) => ({
              account: account.code,
              account_name: account.name,
              opening: format(opening),
              closing: format(closing),
            })),
          },
        };
      },
    },
    dependencies,
  );
