// Properties of revaluations, held to sums of the entries in a reply.

import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import type { JournalEntryView } from '#shared/entries/journal-entry.view.ts';
import { openRandom } from '../../support/builders/random.ts';
import { dates, openExchangeBooks } from '../../support/harnesses/exchange-books.ts';
import { findViolations } from '../../support/readers/invariants.ts';

const { ledger, call, openBooks } = await openExchangeBooks();
const { first, last } = dates;

describe('after a revaluation of random books', () => {
  /** The rates of 2026-03-23, in units of the currency for one euro. */
  const rates: Record<string, string> = { USD: '1.1596', GBP: '0.86420', JPY: '183.86' };
  const chart = ['1000', '1010', '1020', '1100', '1300', '1800', '2000', '2500', '3000', '4010'];
  const monetary = new Set(['1000', '1010', '1020', '1100', '1800', '2000', '2500']);

  type Total = { balance: Big; book: Big };
  /** The balances and book amounts of all entries, by account and currency. */
  const totalsOf = (entries: JournalEntryView[]): Map<string, Total> => {
    const totals = new Map<string, Total>();
    for (const { transaction_currency, transactions } of entries) {
      for (const line of transactions) {
        const currency = line.revalued_currency ?? transaction_currency;
        const name = `${line.account} ${currency}`;
        const { balance, book } = totals.get(name) ?? { balance: new Big(0), book: new Big(0) };
        const moved = line.revalued_currency ? 0 : new Big(line.debit).minus(line.credit);
        const booked = book.plus(line.book_debit).minus(line.book_credit);
        totals.set(name, { balance: balance.plus(moved), book: booked });
      }
    }
    return totals;
  };

  test.each([1, 2, 3, 4, 5, 6])(
    'each book amount is the balance at the rate, seed %i',
    async (seed) => {
      const random = openRandom(seed);
      const { domain_url, post, revalue, report } = await openBooks();
      const anyPost = async (date: string) => {
        const currency = random.pick(['USD', 'USD', 'GBP', 'JPY', 'EUR']);
        const amount = String(1 + random.below(100_000));
        const [debit, credit] = [random.pick(chart), random.pick(chart)];
        const own = currency !== 'EUR' && random.once(2);
        const known = 1 / Number(rates[currency] ?? 1);
        const rate = (known * (0.8 + random.below(400) / 1_000)).toFixed(11);
        await post(
          currency,
          [
            [debit, amount],
            [credit, '', amount],
          ],
          {
            date,
            ...(own && { exchange_rate: rate }),
          },
        );
      };
      const checkAll = async () => {
        const { journal_entries } = await call('listEntries', {
          domain_url,
          limit: '200',
          to: last,
        });
        for (const [name, { balance, book }] of totalsOf(journal_entries)) {
          const [account = '', currency = ''] = name.split(' ');
          const rate = rates[currency];
          if (rate === undefined || !monetary.has(account)) continue;
          // A euro is so many units, to eleven decimals of the opposite rate.
          const closing = balance.times(new Big(1).div(rate).toFixed(11)).toFixed(2);
          expect(`${name} ${book.toFixed(2)}`).toBe(
            `${name} ${closing === '-0.00' ? '0.00' : closing}`,
          );
        }
      };
      for (let round = 0; round < 2; round += 1) {
        for (let entry = 0; entry < 12; entry += 1) await anyPost(random.pick([first, last]));
        const { totals } = await report();
        await revalue(round === 0 ? {} : { external_id: 'second' });
        await checkAll();
        const { difference } = (await report()).totals;
        expect(difference).toBe('0.00');
        const figures = { domain_url, from: first, to: last };
        const [direct, indirect] = await Promise.all(
          ['direct', 'indirect'].map((method) => call('getCashFlow', { ...figures, method })),
        );
        expect(direct.operating.total).toBe(indirect.operating.total);
        expect(totals.difference).toMatch(/^-?\d+\.\d\d$/);
      }
    },
  );

  test('the table keeps its invariants', async () => {
    expect(await findViolations(await ledger.scan())).toEqual([]);
  });
});
