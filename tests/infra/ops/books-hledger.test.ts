// hledger as an oracle: it reads what the product exports, adds it up by itself, and must come to
// the product's own figures, for every account and in every currency.

import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Big from 'big.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createHandler } from '#functions/get-trial-balance/handler.ts';
import { exportTenant } from '#infra/ops/commands/books.ts';
import type { Account } from '#shared/domain/accounts.ts';
import { addDays } from '#shared/domain/dates.ts';
import { openReportBooks } from '#shared/ledger/report-books.ts';
import type { TenantName } from '#shared/store/keys.ts';
import { openReportSources } from '#shared/store/report-sources.ts';
import { openBooks } from '../../support/builders/books.ts';
import { openRandom, type Random } from '../../support/builders/random.ts';
import { apiEvent, lambdaContext, readResult } from '../../support/events/lambda-events.ts';
import { useOperator } from '../../support/harnesses/operator.ts';
import { keepLog } from '../../support/recorders/log.ts';
import { keepMetrics } from '../../support/recorders/metrics.ts';

const isMissing = (() => {
  try {
    execFileSync('hledger', ['--version']);
    return false;
  } catch {
    process.stderr.write('hledger is not installed here, so that it checks no exported books\n');
    return true;
  }
})();

const operator = useOperator();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hledger-'));
});
afterAll(() => rm(folder, { recursive: true }));

const account = (
  code: string,
  name: string,
  type: Account['type'],
  cashFlow?: 'cash',
): Account => ({
  ...{ code, name, type, status: 'active' },
  ...(cashFlow && { cashFlow }),
});
/** Names and codes with all that means something in a journal of hledger. */
const chart = [
  account('1010', 'Bank', 'asset', 'cash'),
  account('10:10', 'Bank: of  two; parts', 'asset', 'cash'),
  account('A B', '(virtual) [account]', 'liability'),
  account('2000%20', '* Payables = 5 @ 3', 'liability'),
  account('ü;1', '銀行\u3000口座', 'equity'),
  account('"4000"', '', 'revenue'),
  account('ID-4f1c', 'Service Revenue', 'revenue'),
  account('6000', 'Salaries | Benefits', 'expense'),
  account('9', 'Never used', 'expense'),
];
const codes = chart.map(({ code }) => code).filter((code) => code !== '9');

const texts = [
  ...['', '  ; comment', 'date: tomorrow, [2026-02-30] date2:x', '= 5 EUR', '(code) * memo | note'],
  ...['two\nlines\tand  blanks', '-1 EUR @@ 2 USD', '2026-01-01 open', 'Ünïcode；“quotes”'],
];
const firstDate = '2026-03-01';
const today = '2026-03-23';
const days = 40;

/** Two lines or more that balance, with an account more than once now and then. */
const randomLines = (random: Random) => {
  const cents = Array.from({ length: 1 + random.below(3) }, () => 1 + random.below(99_999));
  const total = cents.reduce((sum, it) => sum + it, 0);
  const amount = (it: number): string => new Big(it).div(100).toFixed(2);
  const yen = (it: number): string => String(it);
  return (currency: string) => {
    const format = currency === 'JPY' ? yen : amount;
    return [
      ...cents.map((it) => [random.pick(codes), format(it), random.pick(texts)] as const),
      [random.pick(codes), `-${format(total)}`, random.pick(texts)] as const,
    ];
  };
};

const keepRandomBooks = async (seed: number) => {
  const random = openRandom(seed);
  const prefix = `books-${seed}`;
  const { table } = operator.database;
  const books = await openBooks({ table, issuing: operator.dependencies }, { prefix, chart });
  const anyDate = (): string => addDays(firstDate, random.below(days));
  for (let entry = 0; entry < 40; entry += 1) {
    const currency = random.pick(['EUR', 'EUR', 'USD', 'JPY']);
    await books.post({
      ...{ currency, reportingCurrency: random.pick(['EUR', 'EUR', 'USD', 'JPY']) },
      ...{ date: anyDate(), memo: random.pick(texts), lines: randomLines(random)(currency) },
      ...(random.once(3) && { accrualDate: anyDate() }),
      ...(random.once(4) && { externalId: `${random.pick(texts)}${entry}` }),
      at: `${today}T09:30:00.000Z`,
    });
    if (entry === 20) await books.archive('2000%20');
    const reference = `journal-${entry}`;
    if (random.once(4)) await books.importJournals({ reference, date: anyDate(), text: 'IJ; [1]' });
  }
  await books.flip('2026-03-28');
  return { ...books, prefix };
};

const exportJournal = async (prefix: string, range: { from?: string; to?: string } = {}) => {
  const pieces: string[] = [];
  const report = await exportTenant.run(
    { ...operator.dependencies, writeOutput: async (text) => void pieces.push(text) },
    { ...{ tenant: prefix, application: 'Bookings', format: 'hledger' }, ...range },
  );
  const file = join(folder, `${prefix}.journal`);
  await writeFile(file, pieces.join(''));
  return { file, report };
};

const hledger = async (file: string, ...words: string[]): Promise<string> =>
  (await promisify(execFile)('hledger', ['-f', file, ...words])).stdout;

/** Figures other than zero, by account and currency. */
type Figures = Record<string, string>;

const figuresOf = (figures: Iterable<readonly [string, Big]>): Figures => {
  const sums = new Map<string, Big>();
  for (const [name, amount] of figures) sums.set(name, (sums.get(name) ?? new Big(0)).plus(amount));
  const named = [...sums].filter(([, sum]) => !sum.eq(0)).sort();
  return Object.fromEntries(named.map(([name, sum]) => [name, sum.toFixed(2)]));
};

const Sides = z.object({ debit: z.string(), credit: z.string() });
const Closing = z.object({ closing: Sides });
const TrialBalance = z.object({
  rows: z.array(
    z.extend(Closing, {
      account: z.string(),
      currencies: z.array(z.extend(Closing, { currency: z.string() })),
    }),
  ),
});

/** What the trial balance says, in the books' currency and in each other one. */
const productFigures = async (name: TenantName, asOf: string): Promise<Figures> => {
  const trialBalance = createHandler({
    reportBooks: openReportBooks({
      sources: openReportSources(operator.database.table),
      baseDomain: 'ledger.example.com',
    }),
    ...{ clock: () => operator.clock.now, log: keepLog(), metrics: keepMetrics() },
  });
  const query = { domain_url: name.schemaName.replaceAll('_', '-'), as_of: asOf };
  const { applicationId } = name;
  const asked = { method: 'GET', query: { ...query, by_currency: 'true' }, applicationId } as const;
  const { body } = readResult(await trialBalance(apiEvent(asked), lambdaContext()));
  const net = ({ debit, credit }: z.output<typeof Sides>) => new Big(debit).minus(credit);
  return figuresOf(
    TrialBalance.parse(body.data).rows.flatMap(({ account: code, closing, currencies }) => [
      [`${code} book`, net(closing)] as const,
      ...currencies.map((it) => [`${code} ${it.currency}`, net(it.closing)] as const),
    ]),
  );
};

/** The code at the beginning of an account's own name. */
const codeOf = (path: string): string =>
  decodeURIComponent(/^[a-z]+:([^ ]+)/.exec(path)?.[1] ?? '').replaceAll('""', '"');

/** What hledger comes to by itself. */
const hledgerFigures = async (file: string, asOf: string): Promise<Figures> => {
  const balances = async (title: string, ...words: string[]): Promise<[string, Big][]> => {
    const end = ['--end', addDays(asOf, 1)];
    const shape = ['--flat', '--no-total', '--output-format', 'csv'];
    const lines = (await hledger(file, 'balance', ...end, ...shape, ...words)).trim().split('\n');
    return lines.slice(1).map((line) => {
      const [, path = '', amount = ''] = /^"((?:[^"]|"")+)","([^"]*)"$/.exec(line) ?? [];
      return [`${codeOf(path)} ${title}`, new Big(amount.replace(/ [A-Z]{3}$/, '') || 0)];
    });
  };
  const all = await Promise.all([
    balances('book', '--cost'),
    ...['USD', 'JPY'].map((currency) => balances(currency, `cur:${currency}`)),
  ]);
  return figuresOf(all.flat());
};

describe.skipIf(isMissing)('hledger', () => {
  test.each([1, 2, 3, 4, 5])(
    'comes to the figures of the product in random books, of seed %i',
    async (seed) => {
      const { name, prefix } = await keepRandomBooks(seed);
      const { file } = await exportJournal(prefix);
      const checks = ['ordereddates', 'uniqueleafnames'];
      expect(await hledger(file, 'check', '--strict', ...checks)).toBe('');
      for (const asOf of ['2026-03-01', '2026-03-10', '2026-03-23', '2026-03-28', '2026-12-31']) {
        const figures = await productFigures(name, asOf);
        expect(Object.keys(figures).length).toBeGreaterThan(asOf > '2026-03-05' ? 5 : 0);
        expect(await hledgerFigures(file, asOf), asOf).toEqual(figures);
      }
    },
  );
});
