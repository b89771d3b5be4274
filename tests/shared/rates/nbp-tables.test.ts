import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseNbpTables } from '#shared/rates/nbp-tables.ts';
import { readRatesFile } from '#shared/rates/rate-files.ts';
import {
  nbpReply,
  realNbpDay,
  realNbpDays,
  shippedNbpPath,
} from '../../support/builders/nbp-tables.ts';

const day = realNbpDay('2026-03-18');
const rate = (code: string, mid: string) => `{"currency":"x","code":"${code}","mid":${mid}}`;
const table = (rates: string, { name = 'B', date = '2026-03-18' } = {}) =>
  `{"table":"${name}","no":"1/B/NBP/2026","effectiveDate":"${date}","rates":[${rates}]}`;

test('both tables of a date are one day, without units of account', () => {
  const [a, b] = [nbpReply('A', [day]), nbpReply('B', [day])];
  expect(Object.keys(parseNbpTables(a)[0]?.rates ?? {})).toHaveLength(31);
  const both = `[${a.slice(1, -1)},${b.slice(1, -1)}]`;
  expect(parseNbpTables(both)).toEqual([day]);
});

test('rates become plain decimals, also those with an exponent', () => {
  const rates = [rate('IRR', '3.46E-06'), rate('VND', '0.00014309'), rate('KWD', '12.70210')];
  expect(parseNbpTables(`[${table(rates.join())}]`)[0]?.rates).toEqual({
    IRR: '0.00000346',
    VND: '0.00014309',
    KWD: '12.7021',
  });
});

test('a rate of zero is left out, and a reply without tables has no days', () => {
  expect(parseNbpTables(`[${table([rate('AED', '1.0'), rate('AFN', '0.0000')].join())}]`)).toEqual([
    { date: '2026-03-18', rates: { AED: '1' } },
  ]);
  expect(parseNbpTables('[]')).toEqual([]);
});

test.each<[string, string, string]>([
  ['a page', '<html>', 'not JSON'],
  ['a truncated reply', nbpReply('A', [day]).slice(0, -40), 'not JSON'],
  ['another object', '{"table":"A"}', 'not a list of tables'],
  ['table C, which has other rates', `[${table(rate('AED', '1'), { name: 'C' })}]`, '0/table'],
  [
    'a rate as text',
    `[${table(rate('AED', '"a"'))}]`,
    'the AED rate "a" is not a positive decimal',
  ],
  ['a negative rate', `[${table(rate('AED', '-1'))}]`, 'is not a positive decimal'],
  ['no rates', `[${table('')}]`, 'there are no rates'],
  [
    'a date that does not exist',
    `[${table(rate('AED', '1'), { date: '2026-02-30' })}]`,
    'not a date',
  ],
  ['a currency twice', `[${table([rate('AED', '1'), rate('AED', '2')].join())}]`, 'appears twice'],
  ['a reply that is too long', `[${' '.repeat(4_000_000)}]`, 'more than 4000000 characters'],
])('%s is refused', (_, text, message) => {
  expect(() => parseNbpTables(text)).toThrow(message);
});

test('a file is read as its publisher writes it', () => {
  const shipped = readRatesFile(readFileSync(shippedNbpPath, 'utf8'));
  expect(shipped).toEqual({ publisher: 'nbp', days: realNbpDays });
  expect(readRatesFile(nbpReply('B', [day])).publisher).toBe('nbp');
  expect(readRatesFile('Date,USD\n2026-03-23,1.1596').publisher).toBe('ecb');
});
