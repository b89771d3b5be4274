// Parses the European Central Bank's files of euro reference rates.
// The bank publishes them at https://www.ecb.europa.eu/stats/eurofxref/: the last day, the last 90
// days and all days since 1999 as XML; the last day and all days as CSV.

import { XMLParser } from 'fast-xml-parser';
import * as z from 'zod/mini';
import { isCalendarDate, monthNamed } from '../money/dates.ts';
import type { DailyRates } from './exchange-rates.ts';

/** All days as XML took 8 MB in 2026; each year adds 0.3 MB. */
const maximumFileCharacters = 16_000_000;

/** A day of a file. `place` identifies it in error messages. */
type UncheckedDay = { place: string; date: string; rates: [currency: string, rate: string][] };

/**
 * The days of an XML or CSV file, oldest first. Rates keep their text.
 *
 * @throws Error with the place of the malformed part
 */
export const parseRatesFile = (text: string): DailyRates[] =>
  text.trimStart().startsWith('<') ? parseRatesXml(text) : parseRatesCsv(text);

/** The days of an XML file, oldest first. @throws as parseRatesFile does */
export const parseRatesXml = (text: string): DailyRates[] => checkDays(daysOfXml(trimmed(text)));

/**
 * The days of a CSV file, oldest first.
 * @param heading the heading of the dates
 * @throws as parseRatesFile does
 */
export const parseRatesCsv = (text: string, heading = 'Date'): DailyRates[] =>
  checkDays(daysOfCsv(trimmed(text), heading));

/**
 * Refuses days, oldest first, if the newest is after `latest`.
 * @throws Error with the newest date
 */
export const refuseFutureDays = (days: readonly DailyRates[], latest: string): void => {
  const newest = days.at(-1)?.date ?? latest;
  if (newest > latest) throw new Error(`the newest day is in the future: ${newest}`);
};

/** Also removes the byte order mark, which JavaScript counts as white space. */
const trimmed = (text: string): string => {
  if (text.length > maximumFileCharacters) {
    throw new Error(`the file has more than ${maximumFileCharacters} characters`);
  }
  return text.trim();
};

const xmlParser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  isArray: (name) => name === 'Cube',
});

/** The envelope contains days, and days contain rates. The bank calls every level a Cube. */
const Rate = z.object({ currency: z.string(), rate: z.string() });
const Day = z.object({ time: z.string(), Cube: z._default(z.array(Rate), []) });
const EcbXml = z.object({
  Envelope: z.object({ Cube: z.tuple([z.object({ Cube: z.array(Day) })]) }),
});

const daysOfXml = (text: string): UncheckedDay[] => {
  const file = EcbXml.safeParse(readXml(text));
  if (!file.success) {
    const paths = file.error.issues.map(({ path }) => path.join('/'));
    throw new Error(`not a file of reference rates: ${paths[0]} is missing or malformed`);
  }
  return file.data.Envelope.Cube[0].Cube.map(({ time, Cube }) => ({
    place: `day ${quote(time)}`,
    date: time,
    rates: Cube.map(({ currency, rate }) => [currency, rate]),
  }));
};

/** Validates the XML, because the parser alone would accept a truncated file. */
const readXml = (text: string): unknown => {
  try {
    return xmlParser.parse(text, true);
  } catch (error) {
    throw new Error(`not well-formed XML: ${(error as Error).message}`);
  }
};

const daysOfCsv = (text: string, expected: string): UncheckedDay[] => {
  const [[heading, ...currencies] = [], ...rows] = text.split(/\r?\n/).map(fieldsOf);
  if (heading !== expected) {
    throw new Error(
      `line 1: a file of reference rates starts with "${expected}", not ${quote(heading)}`,
    );
  }
  return rows.map(([date = '', ...rates], index) => {
    const place = `line ${index + 2}`;
    if (rates.length !== currencies.length) {
      throw new Error(`${place}: ${rates.length} rates under ${currencies.length} currencies`);
    }
    return {
      place,
      date: isoDateOf(date),
      rates: currencies
        .map((currency, column): [string, string] => [currency, rates[column] ?? ''])
        .filter(([, rate]) => rate !== 'N/A'),
    };
  });
};

/** Drops the empty last field: the bank ends its lines with a comma. */
const fieldsOf = (line: string): string[] => {
  const fields = line.split(',').map((field) => field.trim());
  return fields.at(-1) === '' ? fields.slice(0, -1) : fields;
};

/** Converts the dates of the one-day CSV, as in 13 April 2026. Returns other text unchanged. */
const isoDateOf = (text: string): string => {
  const [, day = '', monthName = '', year] = /^(\d{1,2}) (\w+) (\d{4})$/.exec(text) ?? [];
  const month = monthNamed(monthName);
  if (month === undefined) return text;
  return `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
};

/** Checks the parts of each day. Returns the days oldest first. @throws Error with the place */
export const checkDays = (unchecked: readonly UncheckedDay[]): DailyRates[] => {
  if (unchecked.length === 0) throw new Error('the file has no days');
  const days = unchecked.map(checkDay).sort((one, other) => (one.date < other.date ? -1 : 1));
  const repeated = days.find(({ date }, index) => date === days[index + 1]?.date);
  if (repeated) throw new Error(`day ${repeated.date} appears twice`);
  return days;
};

const checkDay = ({ place, date, rates }: UncheckedDay): DailyRates => {
  if (!isCalendarDate(date)) throw new Error(`${place}: ${quote(date)} is not a date`);
  if (rates.length === 0) throw new Error(`${place}: there are no rates`);
  for (const [currency, rate] of rates) {
    if (!/^[A-Z]{3}$/.test(currency)) {
      throw new Error(`${place}: ${quote(currency)} is not a currency code`);
    }
    if (!isRate(rate)) {
      throw new Error(`${place}: the ${currency} rate ${quote(rate)} is not a positive decimal`);
    }
  }
  const byCurrency = Object.fromEntries(rates);
  if (Object.keys(byCurrency).length < rates.length) {
    throw new Error(`${place}: a currency appears twice`);
  }
  return { date, rates: byCurrency };
};

/** Whether the text is a positive decimal. */
export const isRate = (text: string): boolean =>
  /^\d{1,12}(?:\.\d{1,12})?$/.test(text) && /[1-9]/.test(text);

/** Quotes and shortens text of the file for an error message. */
const quote = (text: string | undefined): string => JSON.stringify((text ?? '').slice(0, 40));
