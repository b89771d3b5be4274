import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { companiesOf } from '#infra/sandbox/companies.ts';
import type { DemoCompany } from '#infra/sandbox/demo-company.ts';
import { platformDecimalsOf } from '#infra/sandbox/journals.ts';
import { slotNames } from '#shared/platforms/slots.ts';

const companies = slotNames.flatMap((slot) => companiesOf[slot]);
const named = companies.map((company) => [company.id, company] as const);

/** All journals, or a sample of very many. */
const journalsOf = ({ journalCount, journalAt }: DemoCompany) =>
  Array.from({ length: journalCount }, (_, index) => index)
    .filter((index) => index < 300 || index % 997 === 0)
    .map((index) => journalAt(index));

describe('the demo companies', () => {
  test.each(named)('%s has an archived account, one without code, and a shared code', (...row) => {
    const { accounts } = row[1];
    const codes = accounts.flatMap(({ code }) => code ?? []);
    const [shared] = codes.filter((code, index) => codes.indexOf(code) !== index);
    expect([new Set(codes).size, codes.length]).toEqual([accounts.length - 2, accounts.length - 1]);
    expect(accounts.filter(({ status }) => status === 'archived')).toHaveLength(1);
    const statuses = accounts.filter(({ code }) => code === shared).map(({ status }) => status);
    expect(statuses).toEqual(['active', 'archived']);
    expect(new Set(accounts.map(({ name }) => name)).size).toBe(accounts.length);
  });

  test.each([
    ['cedar-interiors', 0],
    ['cypress-clinics', 9],
    ['olive-trading', 9],
  ])('%s has the oddities of real books', (id, inThreeDecimals) => {
    const company = companies.find((it) => it.id === id) as DemoCompany;
    const { accounts } = company;
    const journals = journalsOf(company);
    const lines = journals.flatMap((journal) => journal.lines);
    const holes = [...accounts, ...journals, ...lines].flatMap(({ hole }) => hole ?? []);
    expect({
      holes: holes.toSorted(),
      changedAccounts: accounts.filter(({ modifiedAt }) => modifiedAt !== undefined).length,
      changed: journals.filter(({ modifiedAt }) => modifiedAt.endsWith('T09:30:00.000Z')).length,
      deleted: journals.filter(({ status }) => status === 'deleted').length,
      hasTaxes: lines.some(({ tax }) => tax),
      hasGrandchildren: accounts.some(({ parent = 0 }) => accounts[parent]?.parent !== undefined),
      inThreeDecimals: journals.filter(({ currency }) => platformDecimalsOf(currency) === 3).length,
    }).toEqual({
      holes: [...Array(4).fill('account'), ...Array(4).fill('date'), 'name', 'type'],
      changedAccounts: 1,
      changed: 12,
      deleted: 7,
      hasTaxes: true,
      hasGrandchildren: true,
      inThreeDecimals,
    });
  });

  test.each(named)('%s has balanced journals on active accounts, in date order', (...row) => {
    const company = row[1];
    const journals = journalsOf(company);
    for (const { lines, memo } of journals) {
      const sum = (side: 'debit' | 'credit') =>
        lines
          .reduce((total, line) => {
            const tax = new Big(line[side]).gt(0) ? (line.tax?.amount ?? 0) : 0;
            return total.plus(line[side]).plus(tax);
          }, new Big(0))
          .toString();
      expect(sum('debit'), memo).toBe(sum('credit'));
      for (const { account, debit, credit } of lines) {
        expect(company.accounts[account]?.status).toBe('active');
        expect([debit, credit].filter((amount) => new Big(amount).gt(0))).toHaveLength(1);
      }
    }
    const dates = journals.map(({ date }) => date);
    expect(dates).toEqual(dates.toSorted());
  });

  test.each([
    ['alder-software', 'EUR', 15],
    ['brennan-daughters', 'GBP', 3],
  ])('%s has journals in %s', (id, currency, count) => {
    const journals = journalsOf(companies.find((it) => it.id === id) as DemoCompany);
    const foreign = journals.filter(({ exchangeRate }) => exchangeRate !== null);
    expect(foreign).toHaveLength(count);
    expect(new Set(foreign.map((journal) => journal.currency))).toEqual(new Set([currency]));
  });
});
