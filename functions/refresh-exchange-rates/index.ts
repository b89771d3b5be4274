// Entry point of refresh-exchange-rates.

import * as z from 'zod/mini';
import { readEnvironment } from '#shared/environment.ts';
import { openExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import { openTable } from '#shared/table/table.ts';
import { openTelemetry } from '#shared/telemetry.container.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({
  TABLE_NAME: z.string(),
  EXCHANGE_RATES_URL: z.url(),
  NBP_RATES_URL: z.url(),
});

export const handler = createHandler({
  exchangeRates: openExchangeRates(openTable(environment.TABLE_NAME), {
    maximumAgeDays: undefined,
  }),
  sourceUrl: environment.EXCHANGE_RATES_URL,
  nbpUrl: environment.NBP_RATES_URL,
  // A run downloads tables three times in sequence, unless the rates of months are missing.
  timeoutSeconds: { recentDays: 10, allDays: 30, tables: 10 },
  ...openTelemetry('refresh-exchange-rates'),
});
