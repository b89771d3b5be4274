// Reads the pages on which years of books are worked by hand: their tables, and their T-accounts.

import { readFileSync } from 'node:fs';

/** The page that /docs/worked-year shows. */
const firstYear = 'worked-books.md';

/** The text below a heading, up to the next heading. */
const below = (heading: string, file: string): string => {
  const page = readFileSync(new URL(`../../data/${file}`, import.meta.url), 'utf8');
  const [, text = ''] = page.split(new RegExp(`^#+ ${heading}\n`, 'm'));
  const [section = ''] = text.split(/^#+ /m);
  if (section === '') throw new Error(`${file} has no heading ${heading}`);
  return section;
};

/** An amount in the form of a reply. Other cells are unchanged. */
const plain = (cell: string): string =>
  /^-?[\d,]+\.\d\d$/.test(cell) ? cell.replaceAll(',', '') : cell;

/** The rows of the tables below a heading, without their headers; of each, the cells. */
export const tablesBelow = (heading: string, file = firstYear): string[][][] =>
  [...below(heading, file).matchAll(/(?:^\|.*\n)+/gm)].map(([table]) =>
    table
      .trimEnd()
      .split('\n')
      .slice(2)
      .map((row) =>
        row
          .slice(1, -1)
          .split('|')
          .map((cell) => plain(cell.trim())),
      ),
  );

/** The rows of the only table below a heading. */
export const tableBelow = (heading: string, file = firstYear): string[][] => {
  const [table, ...others] = tablesBelow(heading, file);
  if (table === undefined || others.length > 0) throw new Error(`not one table: ${heading}`);
  return table;
};

export type TAccount = {
  name: string;
  /** Number of the entry and amount, on either side. */
  debits: string[][];
  credits: string[][];
  totals: string[];
  /** Positive for a debit. */
  balance: string;
};

const wordsOf = (text: string | undefined): string[] =>
  (text ?? '').split(/\s+/).filter(Boolean).map(plain);

/** The T-accounts below a heading: postings on both sides of a bar, totals below a line. */
export const tAccountsBelow = (heading: string): TAccount[] => {
  const [, text = ''] = /^```text\n(.+?)^```/ms.exec(below(heading, firstYear)) ?? [];
  return text
    .trimEnd()
    .split('\n\n')
    .map((account) => {
      const [name = '', ...rows] = account.split('\n');
      const line = rows.findIndex((row) => row.startsWith('---'));
      const halves = (row = ''): string[][] => row.split('|').map(wordsOf);
      const side = (place: number): string[][] =>
        rows
          .slice(0, line)
          .flatMap((row) => [halves(row)[place] ?? []].filter(({ length }) => length));
      const [debit = [], credit = []] = halves(rows[line + 2]);
      return {
        name,
        debits: side(0),
        credits: side(1),
        totals: halves(rows[line + 1]).flat(),
        balance: debit[1] ?? `-${credit[1]}`,
      };
    });
};
