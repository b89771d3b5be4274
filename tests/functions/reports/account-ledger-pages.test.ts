// Pages of an account's ledger while entries are posted before, on and after the end of a page.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openCarryForward } from '#shared/sheets/carry-forward.store.ts';
import { sheetKey } from '#shared/table/keys.ts';
import { meterUsage } from '#shared/table/metering.ts';
import { importMove, type Move } from '../../support/builders/moves.ts';
import { openTenantCalls } from '../../support/harnesses/calls.ts';
import { isWhole, sliceSeed } from '../../support/slices.ts';

const { ledger, pages, post, call } = await openTenantCalls();

const dates = ['2026-02-27', '2026-03-01', '2026-03-02', '2026-03-20'];
const [period, account] = [{ from: '2026-03-01', to: '2026-03-20' }, '1010'];

type Step = Move | { reference: string; date: string; amount: string };

const date = fc.constantFrom(...dates);
const amount = fc.integer({ min: 10, max: 9_999 }).map((cents) => (cents / 100).toFixed(2));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ date, amount, lines: fc.constantFrom(1, 1, 3) }) },
  {
    weight: 1,
    arbitrary: fc.record({ date, amount, from: fc.constant('1010'), to: fc.constant('4010') }),
  },
  { weight: 2, arbitrary: fc.record({ date, amount, accrual_date: date }) },
  { weight: 1, arbitrary: fc.record({ date, amount, reference: fc.uuid() }) },
);

/** A posted line of the account. The test adds them up. */
type Known = { id: string; date: string; cents: number };

const centsOf = ({ debit, credit }: { debit: string; credit: string }): number =>
  Math.round((Number(debit) - Number(credit)) * 100);

const openBooks = async (companyName: string) => {
  const { prefix: domain_url, schemaName } = await ledger.createTenant(companyName);
  const known: Known[] = [];
  const imported: string[] = [];
  return {
    known,
    carryOut: async (asked: Step): Promise<void> => {
      if ('reference' in asked) {
        await importMove(ledger.table, { applicationId: 'app1', schemaName }, asked);
        imported.push(asked.date);
        const number = imported.filter((it) => it === asked.date).length;
        const id = `IJ-${asked.date.replaceAll('-', '')}-${String(number).padStart(4, '0')} 1`;
        known.push({ id, date: asked.date, cents: centsOf({ debit: asked.amount, credit: '0' }) });
        return;
      }
      const entry = await post({ domain_url, ...asked });
      for (const line of entry.transactions.filter((it) => it.account === account)) {
        const id = `${entry.journal_number} ${line.line_number}`;
        known.push({ id, date: entry.posting_date, cents: centsOf(line) });
      }
    },
    balanceOn: (last: string, isIncluded = true): number =>
      known
        .filter((it) => it.date < last || (isIncluded && it.date === last))
        .reduce((sum, { cents }) => sum + cents, 0),
    query: { domain_url, account, ...period },
  };
};

type Page = {
  opening_balance: string;
  closing_balance: string;
  next_cursor: string | null;
  lines: Record<
    'posting_date' | 'journal_number' | 'line_number' | 'balance' | 'debit' | 'credit',
    string
  >[];
};

const cents = (amount: string): number => Math.round(Number(amount) * 100);

/** Each balance follows from the previous one, and each date ends with the sum of its lines. */
const expectBalances = (page: Page, { balanceOn }: Awaited<ReturnType<typeof openBooks>>): void => {
  expect(cents(page.opening_balance)).toBe(balanceOn(period.from, false));
  expect(cents(page.closing_balance)).toBe(balanceOn(period.to));
  for (const [place, line] of page.lines.entries()) {
    const next = page.lines[place + 1];
    if (next) expect(cents(next.balance)).toBe(cents(line.balance) + centsOf(next));
    const isEndOfDate = next ? next.posting_date > line.posting_date : !page.next_cursor;
    if (isEndOfDate) expect(cents(line.balance)).toBe(balanceOn(line.posting_date));
  }
};

let books = 0;

/** Reads all pages, and posts between them. Returns the existing and the returned lines. */
const readPages = async (before: Step[], between: Step[][], limit: number) => {
  books += 1;
  const tenant = await openBooks(`Pages ${books}`);
  for (const asked of before) await tenant.carryOut(asked);
  const there = tenant.known.filter((it) => it.date >= period.from).map(({ id }) => id);
  const query = { ...tenant.query, limit: String(limit) };
  const found: Page[] = await pages('getAccountLedger', query, async (page: Page, index) => {
    expectBalances(page, tenant);
    for (const asked of between[index] ?? []) await tenant.carryOut(asked);
  });
  const lines = found.flatMap((page) => page.lines);
  const shown = lines.map((line) => `${line.journal_number} ${line.line_number}`);
  return { there, shown };
};

test('pages contain each existing line once, and every balance is right', async () => {
  const steps = (maxLength: number) => fc.array(step, { maxLength });
  const posts = fc.array(steps(3), { maxLength: 6 });
  const limits = fc.integer({ min: 1, max: 5 });
  await fc.assert(
    fc.asyncProperty(steps(12), posts, limits, async (before, between, limit) => {
      const { there, shown } = await readPages(before, between, limit);
      expect(shown.filter((id) => there.includes(id)).sort()).toEqual(there.sort());
      expect(new Set(shown).size).toBe(shown.length);
    }),
    isWhole ? { numRuns: 25 } : { numRuns: 5, seed: sliceSeed },
  );
}, 120_000);

/** 250 KB of rows of other accounts. */
const manyRows = Array.from({ length: 3_000 }, (_, index) =>
  [String(index).padStart(70, '0'), '', ...(index % 2 === 0 ? ['1.00'] : ['', '1.00'])].join('\t'),
).join('\n');

test('a page reads the sheets of a limited number of dates', async () => {
  const { prefix: domain_url, ...name } = await ledger.createTenant('Crowded');
  const posted = ['2024-08-02', '2025-05-19', '2026-02-02'];
  for (const date of posted) await post({ domain_url, date, amount: '5.00' });
  for (const [index, series] of (['MJ', 'IJ'] as const).entries()) {
    for (let month = 0; month < 16; month += 1) {
      const date = new Date(Date.UTC(2024, 8 + month, 3)).toISOString().slice(0, 10);
      const counts = { lastSequence: 1, revision: 1, counted: 1, head: String(index).repeat(64) };
      await ledger.seed({ ...sheetKey(name, { series, date }), ...counts, rows: manyRows });
    }
  }
  const carryForward = openCarryForward(ledger.table);
  while ((await carryForward.carryNext(name, new Date('2026-03-24'))) === 'carried');
  const query = { domain_url, account, from: '2024-08-01', to: '2026-02-28' };
  const read: { dates: string[]; units: number }[] = [];
  const digests = new Set<string>();
  let cursor: string | null = null;
  do {
    const paged: object = cursor === null ? query : { ...query, cursor };
    const { result, usage } = await meterUsage(() => call('getAccountLedger', paged));
    digests.add(result.digest);
    expect([result.opening_balance, result.closing_balance]).toEqual(['0.00', '15.00']);
    const units = usage.calls.reduce((sum, it) => sum + it.units, 0);
    read.push({ dates: (result as Page).lines.map((line) => line.posting_date), units });
    cursor = result.next_cursor;
  } while (cursor !== null);
  expect(read.flatMap(({ dates: shown }) => shown)).toEqual(posted);
  expect(read.length).toBeGreaterThan(5);
  expect(Math.max(...read.map(({ units }) => units))).toBeLessThan(500);
  expect(digests.size).toBe(1);
});
