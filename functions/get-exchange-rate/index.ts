// Entry point of get-exchange-rate.

import { openApi } from '#shared/endpoint/api.container.ts';
import { openRatesOf, rateSettings } from '#shared/rates/exchange-rates.container.ts';
import { createHandler } from './handler.ts';

const api = openApi('get-exchange-rate', rateSettings);

export const handler = createHandler({
  ...api,
  exchangeRates: openRatesOf(api.table, api.environment),
});
