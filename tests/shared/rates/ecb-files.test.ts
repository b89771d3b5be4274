import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseRatesCsv, parseRatesFile, parseRatesXml } from '#shared/rates/ecb-files.ts';
import { historyXml, realDays, shippedRatesPath } from '../../support/builders/ecb-files.ts';

const dailyXml = readFileSync('tests/data/eurofxref-daily-2026-03-23.xml', 'utf8');
const newestDailyXml = readFileSync('tests/data/eurofxref-daily-2026-07-06.xml', 'utf8');
const historyCsv = readFileSync(shippedRatesPath, 'utf8');
const dailyCsv =
  'Date, USD, JPY, CZK, GBP, HUF, \n13 April 2026, 1.1684, 186.75, 24.378, 0.87058, 366.90, \n';

describe('the files of the European Central Bank', () => {
  test('the one-day XML file gives its rates unchanged', () => {
    const [day, ...others] = parseRatesXml(dailyXml);
    expect(others).toEqual([]);
    expect(day?.date).toBe('2026-03-23');
    expect(day?.rates).toMatchObject({ USD: '1.1596', JPY: '183.86', GBP: '0.86420' });
    expect(Object.keys(day?.rates ?? {})).toHaveLength(29);
    expect(parseRatesXml(newestDailyXml)[0]).toMatchObject({
      date: '2026-07-06',
      rates: { USD: '1.1415', HUF: '353.50' },
    });
  });

  test('the CSV history gives every day, oldest first, without missing rates', () => {
    const days = parseRatesCsv(historyCsv);
    expect(days).toHaveLength(581);
    expect(days).toEqual(realDays);
    expect([days[0]?.date, days.at(-1)?.date]).toEqual(['2024-01-02', '2026-04-13']);
    const march23 = days.find(({ date }) => date === '2026-03-23');
    expect(march23?.rates).toMatchObject({ USD: '1.1596', JPY: '183.86', GBP: '0.8642' });
    expect(march23?.rates).not.toHaveProperty('BGN');
  });

  test('the one-day CSV file has blanks after its commas and the month in words', () => {
    expect(parseRatesCsv(dailyCsv)).toEqual([
      {
        date: '2026-04-13',
        rates: { USD: '1.1684', JPY: '186.75', CZK: '24.378', GBP: '0.87058', HUF: '366.90' },
      },
    ]);
  });

  test.each([
    ['the XML of a day', dailyXml],
    ['the history as XML', historyXml(realDays.slice(0, 3))],
    ['the history as CSV', historyCsv],
    ['the CSV of a day', dailyCsv],
  ])('%s is recognized by its content, with or without a byte order mark and CRLF', (_, text) => {
    const expected = text.includes('<') ? parseRatesXml(text) : parseRatesCsv(text);
    expect(parseRatesFile(text)).toEqual(expected);
    expect(parseRatesFile(`\uFEFF${text.replaceAll('\n', '\r\n')}`)).toEqual(expected);
  });
});

describe('a CSV file is refused if', () => {
  const notStarted = 'line 1: a file of reference rates starts with "Date", not';

  // ` | ` separates lines.
  test.each([
    ['it is empty', '', `${notStarted} ""`],
    ['it is something else', 'Service unavailable', `${notStarted} "Service unavailable"`],
    ['it has no days', 'Date,USD,', 'the file has no days'],
    ['a day has no rates', 'Date,USD, | 2026-04-13,N/A,', 'line 2: there are no rates'],
    [
      'a row is cut off',
      'Date,USD,JPY, | 2026-04-13,1.1,186, | 2026-04-10,1.1',
      'line 3: 1 rates under 2 currencies',
    ],
    [
      'there is an empty line between the days',
      'Date,USD, | 2026-04-13,1.1, |  | 2026-04-10,1.1,',
      'line 3: 0 rates under 1 currencies',
    ],
    ['a date does not exist', 'Date,USD, | 2026-02-29,1.1,', 'line 2: "2026-02-29" is not a date'],
    [
      'a month does not exist',
      'Date, USD, | 13 Abril 2026, 1.1, ',
      '"13 Abril 2026" is not a date',
    ],
    [
      'a day appears twice',
      'Date,USD, | 2026-04-13,1.1, | 2026-04-10,1.2, | 2026-04-13,1.1,',
      'day 2026-04-13 appears twice',
    ],
    [
      'a currency appears twice',
      'Date,USD,USD, | 2026-04-13,1.1,1.2,',
      'line 2: a currency appears twice',
    ],
    [
      'a currency code is malformed',
      'Date,Yen, | 2026-04-13,186,',
      'line 2: "Yen" is not a currency code',
    ],
  ])('%s', (_, csv, message) => {
    const lines = csv.replaceAll(' | ', '\n');
    expect(() => parseRatesFile(lines)).toThrow(new RegExp(`${message}$`));
  });

  test.each([
    ...['', '0', '0.000', '-1.1', '+1.1', '1 1', '1e3', 'NaN', 'Infinity', '.5', '1.', '0x1', '１'],
  ])('a rate is "%s"', (rate) => {
    expect(() => parseRatesFile(`Date,USD,JPY,\n2026-04-13,${rate},186,`)).toThrow(
      new Error(`line 2: the USD rate "${rate}" is not a positive decimal`),
    );
  });

  test('it is too large, without being parsed', () => {
    const csv = `Date,USD,\n2026-04-13,1.1,${'\n'.repeat(16_000_000)}`;
    expect(() => parseRatesFile(csv)).toThrow('the file has more than 16000000 characters');
  });
});

describe('an XML file is refused', () => {
  const envelope = (inside: string) =>
    `<gesmes:Envelope xmlns:gesmes="g">${inside}</gesmes:Envelope>`;
  const day = (inside: string, time = '2026-04-13') => `<Cube time='${time}'>${inside}</Cube>`;
  const file = (...days: string[]) => envelope(`<Cube>${days.join('')}</Cube>`);
  const rateOf = (currency: string, rate: string) =>
    `<Cube currency='${currency}' rate='${rate}'/>`;
  const dollar = rateOf('USD', '1.1684');

  test('but not in the format of the bank', () => {
    expect(parseRatesXml(file(day(dollar)))).toEqual([
      { date: '2026-04-13', rates: { USD: '1.1684' } },
    ]);
  });

  const firstRate = 'Envelope/Cube/0/Cube/0/Cube/0';
  test.each([
    ['when it is an HTML page', '<html><body>Sorry</body></html>', 'Envelope'],
    ['when the envelope is empty', envelope(''), 'Envelope'],
    ['when it has no days', file(), 'Envelope/Cube/0'],
    ['when it has two lists of days', envelope('<Cube/><Cube/>'), 'Envelope/Cube'],
    ['when a day has no date', file('<Cube></Cube>'), 'Envelope/Cube/0/Cube/0'],
    ['when a rate has no currency', file(day("<Cube rate='1.1'/>")), `${firstRate}/currency`],
    ['when a currency has no rate', file(day("<Cube currency='USD'/>")), `${firstRate}/rate`],
  ])('%s', (_, xml, path) => {
    expect(() => parseRatesXml(xml)).toThrow(
      new Error(`not a file of reference rates: ${path} is missing or malformed`),
    );
  });

  const ofDay = 'day "2026-04-13":';
  const entity = '<!DOCTYPE x [<!ENTITY rate "1.1">]>';
  test.each([
    ['when it is not well formed', '<p>one<br>two</p>', 'not well-formed XML: '],
    ['when it is truncated', dailyXml.slice(0, -30), 'not well-formed XML: '],
    ['when a day has no rates', file(day('')), `${ofDay} there are no rates`],
    [
      'when a currency code is malformed',
      file(day(rateOf('usd', '1'))),
      `${ofDay} "usd" is not a currency code`,
    ],
    ['when a rate is marked as missing', file(day(rateOf('USD', 'N/A'))), 'the USD rate "N/A" is'],
    [
      'when a rate is an entity',
      entity + file(day(rateOf('USD', '&rate;'))),
      'the USD rate "&rate;" is',
    ],
    [
      'when a rate is a character reference',
      file(day(rateOf('USD', '&#49;'))),
      'the USD rate "&#49;" is',
    ],
  ])('%s', (_, xml, message) => {
    expect(() => parseRatesXml(xml)).toThrow(message);
  });
});
