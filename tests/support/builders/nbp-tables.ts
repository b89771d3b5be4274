// Real rates of the National Bank of Poland, read without the parser that is tested, and replies of
// its API made of them.

import { readFileSync } from 'node:fs';
import type { DailyRates } from '#shared/rates/exchange-rates.ts';

export const shippedNbpPath = 'infra/local/seed/nbp-tables-since-2024.csv';

const [[, ...codes] = [], ...rows] = readFileSync(shippedNbpPath, 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(','));

/** The days with table B from 2024-01-03 to 2026-10-21, oldest first, with both tables. */
export const realNbpDays: DailyRates[] = rows
  .map(([date = '', ...rates]) => ({
    date,
    rates: Object.fromEntries(
      codes.flatMap((code, column) => {
        const rate = rates[column] ?? 'N/A';
        return rate === 'N/A' ? [] : [[code, rate]];
      }),
    ),
  }))
  .reverse();

/** A real day. */
export const realNbpDay = (date: string): DailyRates => {
  const day = realNbpDays.find((it) => it.date === date);
  if (day === undefined) throw new Error(`there are no rates of ${date}`);
  return day;
};

/** The currencies of table A since 2022. */
const tableA = new Set(
  (
    'THB USD AUD HKD CAD NZD SGD EUR HUF CHF GBP UAH JPY CZK DKK ISK NOK SEK RON BGN TRY ILS CLP ' +
    'PHP MXN ZAR BRL MYR IDR INR KRW CNY'
  ).split(' '),
);

/** The API's reply for one table of some days: numbers as its server writes them. */
export const nbpReply = (table: 'A' | 'B', days: readonly DailyRates[]): string => {
  const tables = days.map(({ date, rates }, index) => {
    const ofTable = Object.entries(rates).filter(([code]) => tableA.has(code) === (table === 'A'));
    const shown = [...ofTable, ...(table === 'A' ? [['XDR', '5.1']] : [])].map(
      ([code = '', mid = '']) => `{"currency":"waluta ${code}","code":"${code}","mid":${mid}}`,
    );
    const no = `${String(index + 1).padStart(3, '0')}/${table}/NBP/${date.slice(0, 4)}`;
    return `{"table":"${table}","no":"${no}","effectiveDate":"${date}","rates":[${shown}]}`;
  });
  return `[${tables.join(',')}]`;
};
