// Reports a tenant's cash flows in a period, by the direct or indirect method.

import { dateOf } from '#shared/money/dates.ts';
import { formatHundredths } from '#shared/money/hundredths.ts';
import { type CashFlow, cashFlowOf } from '#shared/reports/cash-flow.ts';
import { createReportHandler, type ReportDependencies } from '#shared/reports/report.endpoint.ts';
import { booksViewOf } from '#shared/reports/report-books.service.ts';
import {
  amountsViewOf,
  flowSectionViewOf,
  separateItemsOf,
} from '#shared/reports/statement.view.ts';
import { readStatementBooks } from '#shared/reports/statement-books.service.ts';
import { csv, Data, Request } from './schema.ts';

export type Dependencies = ReportDependencies & { clock: () => Date };

const operatingViewOf = (operating: CashFlow['operating']): Data['operating'] => {
  if (operating.method === 'direct') return { method: 'direct', ...flowSectionViewOf(operating) };
  return {
    method: 'indirect',
    profit: formatHundredths(operating.profit),
    items_of_other_sections: amountsViewOf(operating.itemsOfOtherSections),
    movements: amountsViewOf(operating.movements),
    without_cash: formatHundredths(operating.withoutCash),
    separate_items: separateItemsOf(operating.separate),
    total: formatHundredths(operating.total),
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
        return {
          data: {
            ...booksViewOf(books),
            from,
            to: period.to,
            operating: operatingViewOf(flows.operating),
            investing: flowSectionViewOf(flows.investing),
            financing: flowSectionViewOf(flows.financing),
            transfers: amountsViewOf(flows.transfers),
            effect_of_exchange_rates: formatHundredths(flows.effectOfExchangeRates),
            unclassified: amountsViewOf(flows.unclassified),
            net_change: formatHundredths(flows.netChange),
            opening_cash: formatHundredths(flows.openingCash),
            closing_cash: formatHundredths(flows.closingCash),
            cash_accounts: flows.cashAccounts.map(({ account, opening, closing }) => ({
              account: account.code,
              account_name: account.name,
              opening: formatHundredths(opening),
              closing: formatHundredths(closing),
            })),
            non_cash_transactions: amountsViewOf(flows.nonCash),
          },
        };
      },
    },
    dependencies,
  );
