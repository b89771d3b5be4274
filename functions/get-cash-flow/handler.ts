// Reports what moved the cash of a tenant's company in a period, by either method.

import { createApiHandler } from '#shared/endpoint/api.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { dateOf } from '#shared/money/dates.ts';
import { formatHundredths } from '#shared/money/hundredths.ts';
import { type CashFlow, cashFlowOf } from '#shared/reports/cash-flow.ts';
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

const operatingViewOf = (operating: CashFlow['operating']): Data['operating'] => {
  if (operating.method === 'direct') return { method: 'direct', ...amountsViewOf(operating) };
  return {
    method: 'indirect',
    profit: formatHundredths(operating.profit),
    items_of_other_sections: amountsViewOf(operating.itemsOfOtherSections),
    movements: amountsViewOf(operating.movements),
    non_cash_investing_and_financing: formatHundredths(operating.nonCashInvestingAndFinancing),
    total: formatHundredths(operating.total),
  };
};

export const createHandler = ({ reportBooks, clock, log, metrics }: Dependencies) =>
  createApiHandler(
    {
      from: 'query',
      isReadOnly: true,
      request: Request,
      data: Data,
      csv,
      handle: async ({ caller: { applicationId }, input }) => {
        const { domain_url: domain, from: asked, to = dateOf(clock()) } = input;
        const target = { applicationId, domain };
        const period = { from: asked, to };
        const { books, from, accounts } = await readStatementBooks(reportBooks, target, period);
        const flows = cashFlowOf(accounts, input.method ?? books.tenant.cashFlowMethod);
        return {
          data: {
            ...booksViewOf(books),
            ...{ from, to },
            operating: operatingViewOf(flows.operating),
            investing: amountsViewOf(flows.investing),
            financing: amountsViewOf(flows.financing),
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
          },
        };
      },
      storeProblems: ({ caller: { applicationId }, input }) =>
        reportBooks.problemsOf(applicationId, input),
    },
    { log, metrics },
  );
