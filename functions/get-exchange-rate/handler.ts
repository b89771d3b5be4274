// Shows the exchange rate that an entry of a date would get.

import { createApiHandler } from '#shared/endpoint/api.ts';
import { throwIfProblems } from '#shared/errors.ts';
import { dateOf } from '#shared/money/dates.ts';
import type { ExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import {
  missingRateProblems,
  problemsAfterToday,
  withdrawnProblems,
} from '#shared/rates/rate-problems.ts';
import type { Telemetry } from '#shared/telemetry.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = Telemetry & {
  exchangeRates: Pick<ExchangeRates, 'find' | 'explainMissing'>;
  clock: () => Date;
};

const pointers = { transaction: '/from', reporting: '/to', date: '/date' };

export const createHandler = ({ exchangeRates, clock, ...telemetry }: Dependencies) =>
  createApiHandler(
    {
      from: 'query',
      isReadOnly: true,
      request: Request,
      data: Data,
      handle: async ({ input: { from, to, date } }) => {
        const pair = { transaction: from, reporting: to };
        const today = dateOf(clock());
        throwIfProblems(
          withdrawnProblems(date, [
            { pointer: pointers.transaction, currency: from },
            { pointer: pointers.reporting, currency: to },
          ]),
        );
        throwIfProblems(problemsAfterToday([{ ...pair, date }], { today, pointers }));
        const rate = await exchangeRates.find(pair, { date, today });
        if (rate === undefined) {
          const missing = await exchangeRates.explainMissing(pair, { date, today });
          throwIfProblems(missingRateProblems({ ...pair, date }, missing, { pointers }));
          throw new Error('a pair without a rate has no problem');
        }
        return {
          data: {
            from,
            to,
            date,
            exchange_rate: rate.rate,
            exchange_rate_date: rate.date,
            exchange_rate_source: rate.source,
          },
        };
      },
    },
    telemetry,
  );
