// Reads a file of exchange rates of any publisher.

import { parseRatesCsv, parseRatesFile } from './ecb-files.ts';
import type { DailyRates, Publisher } from './exchange-rates.ts';
import { parseNbpTables } from './nbp-tables.ts';

/** The first word of a CSV file with rates of the National Bank of Poland. */
const nbpHeading = 'NBP';

/**
 * The days of a file, oldest first: the XML or CSV of the European Central Bank, the JSON of the
 * National Bank of Poland, or its rates as CSV.
 *
 * @throws Error with the place of the malformed part
 */
export const readRatesFile = (text: string): { publisher: Publisher; days: DailyRates[] } => {
  const trimmed = text.trimStart();
  if (trimmed.startsWith('[')) return { publisher: 'nbp', days: parseNbpTables(trimmed) };
  return trimmed.startsWith(`${nbpHeading},`)
    ? { publisher: 'nbp', days: parseRatesCsv(text, nbpHeading) }
    : { publisher: 'ecb', days: parseRatesFile(text) };
};
