// Revaluations: a year-end worked by hand, repeats and refusals.

import { describe, expect, test } from 'vitest';
import { dates, type Lines, openExchangeBooks } from '../../support/harnesses/exchange-books.ts';
import { problemsOf } from '../../support/readers/replies.ts';

const { send, call, openBooks } = await openExchangeBooks();
const { first, last, today } = dates;

const rowTexts = (rows: Record<string, string | null>[]) =>
  rows.map((it) =>
    [
      it.account,
      it.currency,
      it.balance,
      it.book_balance,
      it.closing_balance,
      it.difference,
      it.kind,
    ].join(' '),
  );

describe('a revaluation worked by hand', () => {
  /**
   * Dollars at 1.1555: a customer owes 1,000 (865.43 EUR), of which 600 is paid (519.26). The bank
   * pays 100 for insurance of the next year (86.54), and a supplier is owed 50 (43.27). The savings
   * receive 200 (173.09) and pay them out at a rate of one's own, 0.90 (180.00).
   *
   * At 1.1596, a dollar is 0.86236633322 EUR:
   *   1010  500.00 USD  431.18 - 432.72 = -1.54     1100  400.00 USD  344.95 - 346.17 = -1.22
   *   2000  -50.00 USD  -43.12 +  43.27 =  0.15     1020    0.00 USD    0.00 +   6.91 =  6.91
   */
  const openYear = async () => {
    const books = await openBooks();
    await books.post('USD', [
      ['1100', '1000.00'],
      ['4010', '', '1000.00'],
    ]);
    await books.post('USD', [
      ['1010', '600.00'],
      ['1100', '', '600.00'],
    ]);
    await books.post('USD', [
      ['1300', '100.00'],
      ['1010', '', '100.00'],
    ]);
    await books.post('USD', [
      ['6400', '50.00'],
      ['2000', '', '50.00'],
    ]);
    await books.post('USD', [
      ['1020', '200.00'],
      ['4010', '', '200.00'],
    ]);
    const paid: Lines = [
      ['6400', '200.00'],
      ['1020', '', '200.00'],
    ];
    await books.post('USD', paid, { exchange_rate: '0.90' });
    await books.post('EUR', [
      ['1010', '77.77'],
      ['3000', '', '77.77'],
    ]);
    return books;
  };

  test('proposes the difference of each monetary account and currency', async () => {
    const { report } = await openYear();
    const { rows, totals, currency } = await report();
    expect(currency).toBe('EUR');
    expect(rowTexts(rows)).toEqual([
      '1010 USD 500.00 432.72 431.18 -1.54 unrealised',
      '1020 USD 0.00 -6.91 0.00 6.91 realised',
      '1100 USD 400.00 346.17 344.95 -1.22 unrealised',
      '2000 USD -50.00 -43.27 -43.12 0.15 unrealised',
    ]);
    expect(totals).toEqual({ gains: '7.06', losses: '2.76', difference: '4.30' });
    expect(rows[0]).toMatchObject({
      exchange_rate: '0.86236633322',
      exchange_rate_date: last,
      exchange_rate_source: 'ecb_derived',
    });
  });

  test('posts one entry, after which nothing differs', async () => {
    const { domain_url, report, revalue, balances } = await openYear();
    const dry = await revalue({ dry_run: true });
    expect([dry.journal_entry.journal_number, dry.journal_entry.book_amount]).toEqual([
      null,
      '9.82',
    ]);
    const { journal_entry, reversal, remaining_differences } = await revalue();
    const { replayed: _, ...entry } = journal_entry;
    expect([reversal, remaining_differences]).toEqual([null, 0]);
    expect(entry).toMatchObject({
      journal_number: 'RV-20260323-0001',
      entry_type: 'Revaluation',
      memo: 'Revaluation as of 2026-03-23',
      transaction_currency: 'EUR',
      book_amount: '9.82',
    });
    expect(
      entry.transactions.map((it: Record<string, string>) =>
        [it.account, it.description, it.debit, it.credit, it.revalued_currency].join('|'),
      ),
    ).toEqual([
      '1010|USD 500.00 at 0.86236633322 of 2026-03-23|0.00|1.54|USD',
      '1020|USD 0.00|6.91|0.00|USD',
      '1100|USD 400.00 at 0.86236633322 of 2026-03-23|0.00|1.22|USD',
      '2000|USD -50.00 at 0.86236633322 of 2026-03-23|0.15|0.00|USD',
      '7100|Exchange gains|0.00|7.06|',
      '7100|Exchange losses|2.76|0.00|',
    ]);
    const { rows } = await report();
    expect(rows.every((it: Record<string, string>) => it.difference === '0.00')).toBe(true);
    expect(await balances('1010', last)).toEqual(['508.95', '500.00']);
    expect(await balances('1020', last)).toEqual(['0.00', '0.00']);
    // Found like any other entry.
    const { journal_entry_id, journal_number } = entry;
    expect(await call('getEntry', { domain_url, journal_number })).toEqual(entry);
    expect(await call('getEntry', { domain_url, journal_entry_id })).toEqual(entry);
    const list = await call('listEntries', { domain_url, entry_type: 'Revaluation' });
    expect(list.journal_entries).toEqual([entry]);
    const { lines } = await call('getAccountLedger', {
      domain_url,
      account: '1100',
      from: first,
      to: last,
    });
    expect(lines.at(-1)).toMatchObject({ journal_number, credit: '1.22', balance: '344.95' });
  });

  test('is the effect of exchange rates on cash, and no other flow', async () => {
    const { domain_url, revalue } = await openYear();
    const period = { domain_url, from: first, to: last };
    const flows = async (method: string) => {
      const { operating, effect_of_exchange_rates, closing_cash } = await call('getCashFlow', {
        ...period,
        method,
      });
      return { operating: operating.total, effect_of_exchange_rates, closing_cash };
    };
    const before = await flows('direct');
    await revalue();
    // -1.54 at the bank and 6.91 in the savings. The receivable and the payable are no cash.
    const after = { ...before, effect_of_exchange_rates: '5.37', closing_cash: '508.95' };
    expect(await flows('direct')).toEqual(after);
    expect(await flows('indirect')).toEqual(after);
    const { profit } = await call('getProfitAndLoss', period);
    expect(profit).toBe('819.55');
  });

  test('can be reversed on the next day, except what is realised', async () => {
    const { domain_url, report, revalue, balances } = await openYear();
    const refused = await send('postRevaluation', {
      domain_url,
      as_of: last,
      reverse_on_next_day: true,
    });
    expect(problemsOf(refused)).toEqual(['only_unrealised_can_be_reversed /reverse_on_next_day']);
    const { journal_entry: entry, reversal } = await revalue({
      differences: 'unrealised',
      reverse_on_next_day: true,
    });
    expect([entry.journal_number, entry.reversed_by]).toEqual([
      'RV-20260323-0001',
      reversal.journal_entry_id,
    ]);
    expect(reversal).toMatchObject({
      journal_number: 'RV-20260324-0001',
      date: today,
      reverses: entry.journal_entry_id,
      book_amount: entry.book_amount,
    });
    expect(await balances('1010', last)).toEqual(['508.95', '500.00']);
    expect(await balances('1010', today)).toEqual(['510.49', '500.00']);
    expect(rowTexts((await report(today)).rows)[0]).toBe(
      '1010 USD 500.00 432.72 431.18 -1.54 unrealised',
    );
    const realised = await revalue({ differences: 'realised' });
    expect(realised.journal_entry).toMatchObject({
      journal_number: 'RV-20260323-0002',
      book_amount: '6.91',
    });
    expect(await balances('1020', today)).toEqual(['0.00', '0.00']);
    expect(
      (await call('getCashFlow', { domain_url, from: today, to: today })).effect_of_exchange_rates,
    ).toBe('1.54');
  });

  test('is of the accounts that are monetary on its date', async () => {
    const { domain_url, report } = await openYear();
    const change = { subtype: 'receivable', effective_from: last };
    await call('updateAccount', { domain_url, code: '1300', ...change });
    const accountsOn = async (date: string) =>
      (await report(date)).rows.map(({ account }: { account: string }) => account);
    expect(await accountsOn(first)).not.toContain('1300');
    expect(await accountsOn(last)).toContain('1300');
  });

  test('leaves nothing of an account that was emptied', async () => {
    const { post, revalue, balances } = await openBooks();
    await post('USD', [
      ['1020', '1000.00'],
      ['3000', '', '1000.00'],
    ]);
    await post(
      'USD',
      [
        ['1010', '1000.00'],
        ['1020', '', '1000.00'],
      ],
      { exchange_rate: '0.85102' },
    );
    expect(await balances('1020', last)).toEqual(['14.41', '0.00']);
    await revalue({ differences: 'realised' });
    expect(await balances('1020', last)).toEqual(['0.00', '0.00']);
  });
});

describe('a repeated revaluation', () => {
  const openDollars = async () => {
    const books = await openBooks();
    await books.post('USD', [
      ['1010', '1000.00'],
      ['3000', '', '1000.00'],
    ]);
    return books;
  };

  test('posts nothing more, and returns the first entry with its external_id', async () => {
    const { domain_url, revalue } = await openDollars();
    const { journal_entry } = await revalue({ external_id: 'march' });
    const repeat = { domain_url, as_of: last, external_id: 'march' };
    const { body, headers } = await send('postRevaluation', repeat);
    expect(body.data.journal_entry).toEqual({ ...journal_entry, replayed: true });
    expect(headers).toMatchObject({ 'Idempotent-Replayed': 'true' });
    expect(headers).not.toHaveProperty('Idempotency-Mismatch');
    const other = await send('postRevaluation', { ...repeat, as_of: first, memo: 'Other' });
    expect(other.headers).toMatchObject({ 'Idempotency-Mismatch': '/as_of, /memo' });
    expect(await revalue()).toMatchObject({ journal_entry: null, reversal: null });
  });

  test('posts the differences once if several arrive at the same time', async () => {
    const { domain_url, revalue, report } = await openDollars();
    const replies = await Promise.all(Array.from({ length: 4 }, () => revalue()));
    expect(replies.filter(({ journal_entry }) => journal_entry !== null)).toHaveLength(1);
    expect((await report()).totals.difference).toBe('0.00');
    const { journal_entries } = await call('listEntries', {
      domain_url,
      entry_type: 'Revaluation',
    });
    expect(journal_entries).toHaveLength(1);
  });

  test('with ids of another entry is refused', async () => {
    const { domain_url, post } = await openDollars();
    await post(
      'EUR',
      [
        ['1010', '1.00'],
        ['3000', '', '1.00'],
      ],
      { external_id: 'taken' },
    );
    const reply = await send('postRevaluation', { domain_url, as_of: last, external_id: 'taken' });
    expect(problemsOf(reply)).toEqual(['external_id_taken /external_id']);
  });
});

describe('a revaluation is refused', () => {
  test('on a date that is locked, after today or out of range', async () => {
    const { domain_url, post } = await openBooks();
    await post('USD', [
      ['1010', '1000.00'],
      ['3000', '', '1000.00'],
    ]);
    await call('updateTenant', { domain_url, lock_date: first });
    const problemsOn = async (as_of: string) =>
      problemsOf(await send('postRevaluation', { domain_url, as_of }));
    expect(await problemsOn(first)).toEqual(['period_locked /as_of']);
    expect(await problemsOn('2026-03-25')).toEqual(['as_of_after_today /as_of']);
    await call('updateTenant', { domain_url, entry_years_back: 1 });
    expect(await problemsOn('2025-03-23')).toEqual([
      'date_out_of_range /as_of',
      'period_locked /as_of',
    ]);
    expect(problemsOf(await send('getRevaluation', { domain_url, as_of: '2026-03-25' }))).toEqual([
      'as_of_after_today /as_of',
    ]);
  });

  test('if a currency has no closing rate', async () => {
    const { domain_url, post } = await openBooks();
    const lines: Lines = [
      ['1010', '1000.00'],
      ['3000', '', '1000.00'],
    ];
    await post('KES', lines, { exchange_rate: '0.0067' });
    const reply = await send('getRevaluation', { domain_url, as_of: last });
    expect(problemsOf(reply)).toEqual(['exchange_rate_unavailable /as_of']);
  });

  test('if the account of exchange differences is archived', async () => {
    const { domain_url, post } = await openBooks();
    await post('USD', [
      ['1010', '1000.00'],
      ['3000', '', '1000.00'],
    ]);
    await call('updateAccount', { domain_url, code: '7100', status: 'archived' });
    const { status, body } = await send('postRevaluation', { domain_url, as_of: last });
    expect([status, body.error.code]).toEqual([409, 'exchange_account_missing']);
  });
});
