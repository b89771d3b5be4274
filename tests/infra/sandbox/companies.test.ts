import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { companiesOf } from '#infra/sandbox/companies.ts';
import type { DemoCompany } from '#infra/sandbox/demo-company.ts';
import { slotNames } from '#shared/platforms/slots.ts';

const companies = slotNames.flatMap((slot) => companiesOf[slot]);
const named = companies.map((company) => [company.id, company] as const);

/** All journals, or a sample of very many. */
const journalsOf = ({ journalCount, journalAt }: DemoCompany) =>
  Array.from({ length: journalCount }, (_, index) => index)
    .filter((index) => index < 300 || index % 997 === 0)
    .map((index) => journalAt(index));

describe('the demo companies', () => {
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
});
