// Parses the exchange rate tables of the National Bank of Poland (NBP).
//
// The bank publishes them at https://api.nbp.pl/api/exchangerates/tables/. Table A has some 30
// currencies and appears on every working day at noon. Table B has some 115 further currencies and
// appears on Wednesdays, or the working day before. `mid` is in PLN for one unit of the currency,
// also if the bank's own pages quote 100 units (https://api.nbp.pl/en.html, compared with the XML
// files of the same tables).

import Big from 'big.js';
import * as z from 'zod/mini';
import { wasEverCurrency } from '../money/amounts.ts';
import { checkDays } from './ecb-files.ts';
import type { DailyRates } from './exchange-rates.ts';

/** A reply with both tables of 93 days takes 0.3 MB. */
const maximumReplyCharacters = 4_000_000;

const Tables = z.array(
  z.object({
    table: z.enum(['A', 'B']),
    effectiveDate: z.string(),
    rates: z.array(z.object({ code: z.string(), mid: z.string() })),
  }),
);

/** Keeps the digits of numbers. */
const keepDigits = (_name: string, value: unknown, { source }: { source: string }): unknown =>
  typeof value === 'number' ? source : value;

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text, keepDigits as (name: string, value: unknown) => unknown);
  } catch {
    throw new Error('not JSON');
  }
};

/** Decimal text without an exponent: small rates have one. Returns other text unchanged. */
const decimalOf = (number: string): string =>
  /^\d+(\.\d+)?(e-?\d+)?$/i.test(number) ? new Big(number).toFixed() : number;

/**
 * The days of one or more tables, oldest first. The tables of a date become one day. Units of
 * account such as XDR are left out, and rates of zero, which the bank published in 2009.
 *
 * @throws Error with the place of the malformed part
 */
export const parseNbpTables = (text: string): DailyRates[] => {
  if (text.length > maximumReplyCharacters) {
    throw new Error(`the reply has more than ${maximumReplyCharacters} characters`);
  }
  const tables = Tables.safeParse(readJson(text));
  if (!tables.success) {
    const [issue] = tables.error.issues;
    throw new Error(`not a list of tables: ${issue?.path.join('/')} is missing or malformed`);
  }
  if (tables.data.length === 0) return [];
  const days = new Map<string, [currency: string, rate: string][]>();
  for (const { effectiveDate, rates } of tables.data) {
    const day = days.get(effectiveDate) ?? [];
    days.set(effectiveDate, day);
    for (const { code, mid } of rates) {
      const rate = decimalOf(mid);
      if (wasEverCurrency(code) && !/^0(\.0*)?$/.test(rate)) day.push([code, rate]);
    }
  }
  return checkDays(
    [...days].map(([date, rates]) => ({ place: `day ${JSON.stringify(date)}`, date, rates })),
  );
};
