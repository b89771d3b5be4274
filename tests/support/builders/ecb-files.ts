// Real days of the shipped rates, read without the parser that is tested, and files made of them.

import { readFileSync } from 'node:fs';
import type { DailyRates } from '#shared/rates/exchange-rates.ts';

export const shippedRatesPath = 'infra/local/seed/eurofxref-hist-since-2024.csv';

const [heading = [], ...rows] = readFileSync(shippedRatesPath, 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(','));

/** The days from 2024-01-02 to 2026-04-13, oldest first. */
export const realDays: DailyRates[] = rows
  .map(([date = '', ...rates]) => ({
    date,
    rates: Object.fromEntries(
      rates.flatMap((rate, column) =>
        rate === '' || rate === 'N/A' ? [] : [[heading[column + 1] ?? '', rate]],
      ),
    ),
  }))
  .reverse();

/** The real days of a range, both ends included. */
export const realDaysBetween = (from: string, to: string): DailyRates[] =>
  realDays.filter(({ date }) => date >= from && date <= to);

/** A real day. */
export const realDay = (date: string): DailyRates => {
  const [day] = realDaysBetween(date, date);
  if (day === undefined) throw new Error(`there are no rates of ${date}`);
  return day;
};

/** Days as the bank's history files have them: newest first, a line each, double quotes. */
export const historyXml = (days: readonly DailyRates[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01"',
    ' xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">',
    '<gesmes:subject>Reference rates</gesmes:subject>',
    '<gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender><Cube>\n',
    days.toReversed().map(dayXml).join('\n'),
    '</Cube></gesmes:Envelope>',
  ].join('');

const dayXml = ({ date, rates }: DailyRates): string =>
  `<Cube time="${date}">${Object.entries(rates)
    .map(([currency, rate]) => `<Cube currency="${currency}" rate="${rate}"/>`)
    .join('')}</Cube>`;
