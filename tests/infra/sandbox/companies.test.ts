import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { companiesOf } from '#infra/sandbox/companies.ts';
import type { DemoCompany } from '#infra/sandbox/demo-company.ts';
import { decimalsOf, isCurrency } from '#shared/domain/currencies.ts';
import { slotNames } from '#shared/platforms/slots.ts';

const companies = slotNames.flatMap((slot) => companiesOf[slot]);
const named = companies.map((company) => [company.id, company] as const);

/** All journals, or of very many each of the first and then one here and there. */
const journalsOf = ({ journalCount, journalAt }: DemoCompany) =>
  Array.from({ length: journalCount }, (_, index) => index)
    .filter((index) => index < 300 || index % 997 === 0)
    .map((index) => journalAt(index));

describe('the demo companies', () => {
  test('are large and small, and in several data centers', () => {
    expect(
      companies.map(({ id, currency, dataCenter, accounts, journalCount }) =>
        [id, currency, dataCenter, accounts.length, journalCount].join(' '),
      ),
    ).toEqual([
      'linden-bakery EUR us 118 260',
      'harbour-coffee GBP us 64 40',
      'prairie-tools USD us 22 3',
      'evergreen-holdings-a EUR us 10000 100000',
      'alder-software USD us 96 230',
      'sakura-printing JPY us 72 25',
      'evergreen-holdings-b USD us 10000 100000',
      'brennan-daughters EUR eu 104 45',
      'fjord-fish NOK eu 58 12',
      'jaipur-textiles INR in 30 0',
      'evergreen-holdings-c EUR us 10000 100000',
    ]);
    expect(companies.every(({ currency }) => isCurrency(currency))).toBe(true);
  });

  test.each(named)('%s has accounts archived, without a code, and with a code twice', (...row) => {
    const { accounts } = row[1];
    const codes = accounts.flatMap(({ code }) => code ?? []);
    const [twice] = codes.filter((code, index) => codes.indexOf(code) !== index);
    expect([new Set(codes).size, codes.length]).toEqual([accounts.length - 2, accounts.length - 1]);
    const archived = accounts.filter(({ status }) => status === 'archived');
    const shared = accounts.filter(({ code }) => code === twice);
    expect(archived).toHaveLength(1);
    expect(shared.map(({ status }) => status)).toEqual(['active', 'archived']);
    expect(new Set(accounts.map(({ name }) => name)).size).toBe(accounts.length);
  });
});

describe('the demo journals', () => {
  test.each(named)('of %s balance, on active accounts, in the order of their dates', (...row) => {
    const company = row[1];
    const journals = journalsOf(company);
    for (const { lines, currency, memo } of journals) {
      const sum = (side: 'debit' | 'credit') =>
        lines.reduce((total, line) => total.plus(line[side]), new Big(0)).toString();
      expect(sum('debit'), memo).toBe(sum('credit'));
      expect([2, 3, 4, 5, 6]).toContain(lines.length);
      expect(new Set(lines.map(({ account }) => account)).size).toBe(lines.length);
      const decimals = decimalsOf(currency);
      const pattern = decimals === 0 ? /^\d+$/ : new RegExp(`^\\d+\\.\\d{${decimals}}$`);
      for (const { account, debit, credit } of lines) {
        expect(company.accounts[account]?.status).toBe('active');
        expect([debit, credit].filter((amount) => new Big(amount).gt(0))).toHaveLength(1);
        for (const amount of [debit, credit]) expect(amount).toMatch(pattern);
      }
    }
    const dates = journals.map(({ date }) => date);
    expect(dates).toEqual(dates.toSorted());
    expect(dates.every((date) => date >= '2025-01-01' && date <= '2026-06-30')).toBe(true);
  });

  test('are the same each time, and none beyond the last', () => {
    for (const { journalCount, journalAt } of companies) {
      const last = journalCount - 1;
      if (last >= 0) expect(journalAt(last)).toEqual(journalAt(last));
      for (const index of [-1, 0.5, journalCount]) {
        expect(() => journalAt(index)).toThrow(RangeError);
      }
    }
  });

  test('are drafts at times, and on many accounts', () => {
    const journals = journalsOf(companiesOf.platform_a[0] as DemoCompany);
    expect(journals.filter(({ status }) => status === 'draft')).toHaveLength(26);
    const used = journals.flatMap(({ lines }) => lines.map(({ account }) => account));
    expect(new Set(used).size).toBeGreaterThan(60);
  });

  test.each([
    ['alder-software', 'EUR', 12],
    ['brennan-daughters', 'GBP', 3],
  ])('of %s are in %s at times', (id, currency, count) => {
    const company = companies.find((it) => it.id === id) as DemoCompany;
    const journals = journalsOf(company);
    const foreign = journals.filter(({ exchangeRate }) => exchangeRate !== null);
    expect(foreign).toHaveLength(count);
    for (const journal of foreign) {
      expect(journal).toMatchObject({ currency, status: 'posted' });
      expect(journal.exchangeRate).toMatch(/^1\.\d{4}$/);
    }
    const own = journals.filter(({ exchangeRate }) => exchangeRate === null);
    expect(own.every((journal) => journal.currency === company.currency)).toBe(true);
  });
});
