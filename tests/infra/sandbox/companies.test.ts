import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { companiesOf, companiesOfOwner } from '#infra/sandbox/companies.ts';
import type { DemoCompany } from '#infra/sandbox/demo-company.ts';
import { platformDecimalsOf } from '#infra/sandbox/journals.ts';
import { isCurrency } from '#shared/money/currencies.ts';
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
      'cedar-interiors GBP us 1000 140',
      'cedar-interiors-gulf KWD us 40 20',
      'evergreen-holdings-a EUR us 10000 100000',
      'alder-software USD us 96 230',
      'sakura-printing JPY us 72 25',
      'cypress-clinics CAD us 1000 140',
      'evergreen-holdings-b USD us 10000 100000',
      'brennan-daughters EUR eu 104 45',
      'fjord-fish NOK eu 58 12',
      'jaipur-textiles INR in 30 0',
      'olive-trading-former EUR eu 22 5',
      'olive-trading EUR eu 1000 140',
      'olive-trading-north GBP eu 30 8',
      'dune-logistics AED ae 30 8',
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

/** How many of a company's records have what real books have. */
const odditiesOf = (company: DemoCompany) => {
  const { accounts } = company;
  const journals = journalsOf(company);
  const lines = journals.flatMap((journal) => journal.lines);
  const three = journals.filter(({ currency }) => platformDecimalsOf(currency) === 3);
  const depthOf = (index: number): number => {
    const { parent } = accounts[index] ?? {};
    return parent === undefined ? 0 : 1 + depthOf(parent);
  };
  return {
    depths: new Set(accounts.map((_, index) => depthOf(index))).size,
    holes: [...accounts, ...journals, ...lines].flatMap(({ hole }) => hole ?? []).toSorted(),
    changedAccounts: accounts.filter(({ modifiedAt }) => modifiedAt !== undefined).length,
    changed: journals.filter(({ modifiedAt }) => modifiedAt.endsWith('T09:30:00.000Z')).length,
    deleted: journals.filter(({ status }) => status === 'deleted').length,
    taxed: journals.filter((journal) => journal.lines.some(({ tax }) => tax)).length,
    inThreeDecimals: three.length,
  };
};

describe('real books', () => {
  test.each([
    ['cedar-interiors', 0, 31],
    ['cypress-clinics', 9, 35],
    ['olive-trading', 9, 34],
  ])('of %s have what tidy ones have not', (id, inThreeDecimals, taxed) => {
    expect(odditiesOf(companies.find((it) => it.id === id) as DemoCompany)).toEqual({
      depths: 3,
      holes: [...Array(4).fill('account'), ...Array(4).fill('date'), 'name', 'type'],
      changedAccounts: 1,
      changed: 12,
      deleted: 7,
      taxed,
      inThreeDecimals,
    });
  });

  test('belong with others to one user, who may have closed one', () => {
    const [cedar] = companiesOf.platform_a.filter(({ id }) => id === 'cedar-interiors-gulf');
    const idsOf = (companies: readonly DemoCompany[]) => companies.map(({ id }) => id);
    expect(idsOf(companiesOfOwner('platform_a', cedar as DemoCompany))).toEqual([
      'cedar-interiors',
      'cedar-interiors-gulf',
    ]);
    expect(idsOf(companies.filter(({ isActive }) => !isActive))).toEqual(['olive-trading-former']);
  });
});

describe('the demo journals', () => {
  test.each(named)('of %s balance, on active accounts, in the order of their dates', (...row) => {
    const company = row[1];
    const journals = journalsOf(company);
    for (const { lines, currency, memo } of journals) {
      const sum = (side: 'debit' | 'credit') =>
        lines
          .reduce((total, line) => {
            const tax = new Big(line[side]).gt(0) ? (line.tax?.amount ?? 0) : 0;
            return total.plus(line[side]).plus(tax);
          }, new Big(0))
          .toString();
      expect(sum('debit'), memo).toBe(sum('credit'));
      expect([2, 3, 4, 5, 6]).toContain(lines.length);
      expect(new Set(lines.map(({ account }) => account)).size).toBe(lines.length);
      const decimals = platformDecimalsOf(currency);
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
