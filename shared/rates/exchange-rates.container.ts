// The exchange rates as the functions of the API read them.

import * as z from 'zod/mini';
import type { Table } from '../table/table.ts';
import { openExchangeRates } from './exchange-rates.store.ts';

/** The environment variables of functions that read rates. */
export const rateSettings = {
  /** A number of days, or `any`. */
  RATE_MAXIMUM_AGE_DAYS: z.union([z.literal('any'), z.string().check(z.regex(/^\d+$/))]),
};

export const openRatesOf = (
  table: Table,
  { RATE_MAXIMUM_AGE_DAYS: age }: { RATE_MAXIMUM_AGE_DAYS: string },
) => openExchangeRates(table, { maximumAgeDays: age === 'any' ? undefined : Number(age) });
