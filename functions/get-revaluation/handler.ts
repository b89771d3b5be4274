// Reports a tenant's balances in other currencies, and their differences to the closing rates.

import { amountFormatOf } from '#shared/money/amounts.ts';
import { dateOf } from '#shared/money/dates.ts';
import { createReportHandler, type ReportDependencies } from '#shared/reports/report.endpoint.ts';
import { booksViewOf } from '#shared/reports/report-books.service.ts';
import { differencesOf, type RevaluedPosition } from '#shared/revaluations/revaluation.ts';
import type { Revaluations } from '#shared/revaluations/revaluations.service.ts';
import { csv, Data, Request } from './schema.ts';

export type Dependencies = ReportDependencies & {
  revaluations: Pick<Revaluations, 'propose'>;
  clock: () => Date;
};

const rowViewOf = (
  { account, currency, rate, ...position }: RevaluedPosition,
  bookCurrency: string,
): Data['rows'][number] => {
  const format = amountFormatOf(bookCurrency);
  return {
    account: account.code,
    account_name: account.name,
    account_type: account.type,
    currency,
    balance: amountFormatOf(currency)(position.balance),
    book_balance: format(position.book),
    exchange_rate: rate?.rate ?? null,
    exchange_rate_date: rate?.date ?? null,
    exchange_rate_source: rate?.source ?? null,
    closing_balance: format(position.closing),
    difference: format(position.difference),
    kind: position.isRealised ? 'realised' : 'unrealised',
  };
};

export const createHandler = ({ revaluations, clock, ...dependencies }: Dependencies) =>
  createReportHandler(
    {
      request: Request,
      data: Data,
      csv,
      handle: async ({ tenant, input }) => {
        const { as_of = dateOf(clock()) } = input;
        const { books, positions } = await revaluations.propose(tenant, as_of);
        const { currency } = books.tenant;
        const format = amountFormatOf(currency);
        const { gains, losses } = differencesOf(positions);
        return {
          data: {
            ...booksViewOf(books, clock(), [{ to: as_of }]),
            as_of,
            rows: positions.map((position) => rowViewOf(position, currency)),
            totals: {
              gains: format(gains),
              losses: format(losses),
              difference: format(gains - losses),
            },
          },
        };
      },
    },
    dependencies,
  );
