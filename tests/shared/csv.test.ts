import { describe, expect, test } from 'vitest';
import { type CsvField, csvNumber, csvTable } from '#shared/csv.ts';
import { readCsv } from '../support/readers/csv.ts';

const written = (field: CsvField): string =>
  csvTable<CsvField>({ field: (it) => it, end: () => 'x' }, [field]);

describe('a field', () => {
  test.each<[string, CsvField, string]>([
    ['a text', 'Bank: Zürich; 1+1', 'Bank: Zürich; 1+1'],
    ['nothing', null, ''],
    ['an empty text', '', ''],
    ['an integer', 7, '7'],
    ['a negative amount, which stays a number', csvNumber('-12.50'), '-12.50'],
    ['a text that looks like one', '-12.50', "'-12.50"],
    ['a comma', 'a,b', '"a,b"'],
    ['quotes', 'a "b"', '"a ""b"""'],
    ['line ends within', 'a\r\nb\nc\rd', '"a\r\nb\nc\rd"'],
    ['an equals sign', '=1+1', "'=1+1"],
    ['a plus sign', '+1', "'+1"],
    ['an at sign', '@SUM(A1)', "'@SUM(A1)"],
    ['an equals sign of full width', '\uff1d1+1', "'\uff1d1+1"],
    ['a tab', '\t=1', "'\t=1"],
    ['a null character', '\0=1', "'\0=1"],
    ['a carriage return', '\r=1', '"\'\r=1"'],
    ['a line feed', '\n=1', '"\'\n=1"'],
    ['a formula with a link', '=HYPERLINK("//x","y")', '"\'=HYPERLINK(""//x"",""y"")"'],
  ])('of %s', (_, field, text) => {
    expect(written(field)).toBe(`field,end\r\n${text},x\r\n`);
    const isNumber = typeof field === 'object' && field !== null;
    const plain = isNumber ? field.number : String(field ?? '');
    const [read] = readCsv(written(field));
    expect([plain, `'${plain}`]).toContain(read?.field);
  });

  test.each(['=1', '1,5', '1e5', '+1', '', '-', '1.'])('is no number: %j', (text) => {
    expect(() => csvNumber(text)).toThrow('a number in csv must be a decimal');
  });
});

test('a table without rows has the names of its columns', () => {
  expect(csvTable<never>({ date: () => 1, amount: () => 2 }, [])).toBe('date,amount\r\n');
});
