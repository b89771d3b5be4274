// hledger, which sums exported books independently, and the figures of its reports.

import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import Big from 'big.js';
import * as z from 'zod/mini';

export const isHledgerMissing = (() => {
  try {
    execFileSync('hledger', ['--version']);
    return false;
  } catch {
    process.stderr.write('hledger is not installed here, so that it checks no exported books\n');
    return true;
  }
})();

/** What hledger writes about a journal. */
export const hledger = async (file: string, ...words: string[]): Promise<string> =>
  (await promisify(execFile)('hledger', ['-f', file, ...words])).stdout;

/** Figures other than zero, mostly by account. */
export type Figures = Record<string, string>;

/** Sums the figures by name. */
export const figuresOf = (figures: Iterable<readonly [string, Big.BigSource]>): Figures => {
  const sums = new Map<string, Big>();
  for (const [name, amount] of figures) sums.set(name, (sums.get(name) ?? new Big(0)).plus(amount));
  const named = [...sums].filter(([, sum]) => !sum.eq(0)).sort();
  return Object.fromEntries(named.map(([name, sum]) => [name, sum.toFixed(2)]));
};

/** The code at the beginning of an account's own name. */
const codeOf = (path: string): string =>
  decodeURIComponent(/^[a-z]+:([^ ]+)/.exec(path)?.[1] ?? '');

/** The two cells of a line. The second can be absent. */
const cellsOf = (line: string): [string, string] => {
  const [, name, amount = ''] = /^"((?:[^"]|"")*)"(?:,"([^"]*)")?$/.exec(line) ?? [];
  if (name === undefined) throw new Error(`no line of hledger: ${line}`);
  return [name.replaceAll('""', '"'), amount];
};

const amountOf = (text: string): Big => new Big(text.replace(/ [A-Z]{3}$/, '') || 0);

const linesOf = async (file: string, ...words: string[]): Promise<[string, string][]> => {
  const text = await hledger(file, ...words, '--flat', '--output-format', 'csv');
  return text.trim().split('\n').map(cellsOf);
};

/** The balances of accounts, each with its code. */
export const hledgerBalances = async (
  file: string,
  ...words: string[]
): Promise<[code: string, balance: Big][]> => {
  const [, ...lines] = await linesOf(file, 'balance', '--no-total', ...words);
  return lines.map(([path, amount]) => [codeOf(path), amountOf(amount)]);
};

const Transactions = z.array(
  z.object({
    tpostings: z.array(
      z.object({
        paccount: z.string(),
        pamount: z.array(
          z.object({ aquantity: z.object({ decimalMantissa: z.int(), decimalPlaces: z.int() }) }),
        ),
      }),
    ),
  }),
);

/** The postings of each transaction, in the book currency: accounts' codes and amounts. */
export const hledgerTransactions = async (
  file: string,
  ...words: string[]
): Promise<[code: string, amount: Big][][]> => {
  const text = await hledger(file, 'print', '--cost', ...words, '--output-format', 'json');
  return Transactions.parse(JSON.parse(text)).map(({ tpostings }) =>
    tpostings.map(({ paccount, pamount: [amount] }) => {
      const { decimalMantissa = 0, decimalPlaces = 0 } = amount?.aquantity ?? {};
      return [codeOf(paccount), new Big(decimalMantissa).div(new Big(10).pow(decimalPlaces))];
    }),
  );
};

/** A statement of hledger: sections by name, and the net amount. */
export type HledgerStatement = {
  sections: Record<string, { accounts: Figures; total: string }>;
  net: string;
};

/** @param words the name of a statement, for example `bse`, and options */
export const hledgerStatement = async (
  file: string,
  ...words: string[]
): Promise<HledgerStatement> => {
  const [, , ...lines] = await linesOf(file, ...words);
  const sections: HledgerStatement['sections'] = {};
  let [accounts, net]: [[string, Big][], string] = [[], ''];
  let section = '';
  for (const [name, amount] of lines) {
    if (name.includes(':') && name !== 'Net:') accounts.push([codeOf(name), amountOf(amount)]);
    else if (name === 'Net:') net = amountOf(amount).toFixed(2);
    else if (name === 'total') {
      sections[section] = { accounts: figuresOf(accounts), total: amountOf(amount).toFixed(2) };
      accounts = [];
    } else section = name;
  }
  return { sections, net };
};
