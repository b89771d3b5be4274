import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CsvField, csvNumber, csvTable } from '#shared/reports/csv.ts';
import { readCsv, withoutMarks } from '../../support/readers/csv.ts';

const written = (field: CsvField): string =>
  csvTable<CsvField>({ field: (it) => it, end: () => 'x' }, [field]);

describe('a field', () => {
  test.each<[string, CsvField, string]>([
    ['a text', 'Bank: Zürich; 1+1', '"Bank: Zürich; 1+1"'],
    ['nothing', null, ''],
    ['an empty text', '', '""'],
    ['a negative amount', csvNumber('-12.50'), '-12.50'],
    ['a text like a negative amount', '-12.50', `"'-12.50"`],
    ['quotes', 'a "b"', '"a ""b"""'],
    ['line ends', 'a\r\nb\n\nc\rd\r\n', '"a\r\nb\n\nc\rd\r\n"'],
    ['a formula after two line ends', 'a\n\n=1', `"a\n'\n'=1"`],
    ['a tab at the start', '\ta', `"'\ta"`],
    ['an equals sign', '=1+1', `"'=1+1"`],
    ['an at sign', '@SUM(A1)', `"'@SUM(A1)"`],
    ['a full-width equals sign', '\uff1d1+1', `"'\uff1d1+1"`],
    ['a tab', '\t=1', `"'\t'=1"`],
    ['a null character', '\0=1', `"'\0=1"`],
    ['a formula with a link', '=HYPERLINK("//x","y")', `"'=HYPERLINK(""//x"",""y"")"`],
    ['a formula after a semicolon', 'a;=HYPERLINK(A1)', `"a;'=HYPERLINK(A1)"`],
    ['a formula after a semicolon and a quote', 'a;"=1"', `"a;'""=1"""`],
    ['a formula after a comma and a space', 'a, =1', `"a,' =1"`],
    ['formulas after a tab, a pipe and a line end', 'a\t=1|@b\n-c', `"a\t'=1|'@b\n'-c"`],
    ['the escape character', "'=1", `"''=1"`],
  ])('of %s', (_, field, text) => {
    expect(written(field)).toBe(`"field","end"\r\n${text},"x"\r\n`);
    const isNumber = typeof field === 'object' && field !== null;
    const plain = isNumber ? field.number : String(field ?? '');
    const [read] = readCsv(written(field));
    expect(isNumber ? read?.field : withoutMarks(read?.field ?? '')).toBe(plain);
  });

  test('of any text is reversible', () => {
    const piece = fc.constantFrom(...' "\'=+-@,;|\t\n\r\0ab\uff1d');
    const texts = fc.string({ unit: piece, maxLength: 12 });
    fc.assert(
      fc.property(texts, (text) => {
        const [read] = readCsv(written(text));
        expect(withoutMarks(read?.field ?? '')).toBe(text);
      }),
    );
  });

  test.each(['=1', '1,5', '1e5', '+1', '', '-', '1.'])('is not a number: %j', (text) => {
    expect(() => csvNumber(text)).toThrow('a number in csv must be a decimal');
  });
});

test('a table without rows has the names of its columns', () => {
  expect(csvTable<never>({ date: () => 1, amount: () => 2 }, [])).toBe('"date","amount"\r\n');
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

/** Reads a table from standard input with each separator that a spreadsheet may use. */
const script = `
import csv, io, json, sys
text = sys.stdin.buffer.read().decode('utf8')
rows = lambda separator: list(csv.reader(io.StringIO(text, newline=''), delimiter=separator))
print(json.dumps({separator: rows(separator) for separator in ',;\\t|'}))
`;

/** An independent reader. Without python3 the test is skipped. */
test.skipIf(!hasPython)("Python's reader finds no formula in a cell, with any separator", () => {
  const texts = [
    ...['=1', 'a;=1', 'a;"=1"', 'a\t=1', 'a|=1', 'a\n=1', 'a\r=1', 'a,=1', 'a; =1', ';;=1', "'=1"],
    ...['"=1', '";=1', '";"=1";"', 'a";=1', '\n";=1', ';\t|=1', '+1;-1;@1', '\uff1d1;\uff0b1'],
  ];
  const columns = {
    date: () => '2026-03-23',
    memo: (it: string) => it,
    amount: () => csvNumber('-1.50'),
  };
  const input = csvTable<string>(columns, texts);
  const { stdout, stderr } = spawnSync('python3', ['-c', script], { input, encoding: 'utf8' });
  expect(stderr).toBe('');
  const read: Record<string, string[][]> = JSON.parse(stdout);
  const isFormula = (cell: string) => /^[ "]*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(cell);
  const formulas = Object.values(read).flat(2).filter(isFormula);
  expect(formulas.filter((cell) => cell !== '-1.50')).toEqual([]);
  expect(read[',']?.map(([, memo = '']) => withoutMarks(memo))).toEqual(['memo', ...texts]);
});
