// The dates that entries can have, and entries that are dated after today.

import { describe, expect, test } from 'vitest';
import { testQuotas } from '../../support/builders/quotas.ts';
import { dollarEntry, euroEntry } from '../../support/builders/requests.ts';
import { openTenantCalls } from '../../support/harnesses/calls.ts';
import { problemsOf, replayOf } from '../../support/readers/replies.ts';

// Today is 2026-03-24.
const quotas = { ...testQuotas, entryYearsBack: 10, entryYearsAhead: 1 };
const { ledger, send, call } = await openTenantCalls({ quotas });

const create = (fields: object) => send('createEntry', euroEntry(fields));

describe('the range of entry dates', () => {
  const newTenant = async (companyName: string, range: object = {}) => {
    const { prefix: domain_url } = await ledger.createTenant(companyName);
    if (Object.keys(range).length > 0) await call('updateTenant', { domain_url, ...range });
    return domain_url;
  };

  test.each<[string, object, string, string]>([
    ['by default ten years back and one ahead', {}, '2016-03-24', '2027-03-24'],
    [
      'as the tenant sets it',
      { entry_years_back: 50, entry_years_ahead: 5 },
      '1976-03-24',
      '2031-03-24',
    ],
    ['up to today', { entry_years_back: 1, entry_years_ahead: 0 }, '2025-03-24', '2026-03-24'],
  ])('is %s', async (title, range, first, last) => {
    const domain_url = await newTenant(title, range);
    for (const date of [first, last]) expect((await create({ domain_url, date })).status).toBe(200);
    const early = await create({ domain_url, date: addDay(first, -1) });
    const late = await create({ domain_url, date: addDay(last, 1) });
    expect([early, late].map((it) => problemsOf(it))).toEqual(
      Array(2).fill(['date_out_of_range /date']),
    );
    expect(early.body.error.details[0].params).toMatchObject({ earliest: first });
    expect(late.body.error.details[0].params).toMatchObject({ latest: last });
  });

  test('can be set when the tenant is created, and is part of its idempotency', async () => {
    const { user_id } = await call('ensureUser', {
      domain_url: undefined,
      email: 'ranges@example.com',
      password: 'correct horse',
      first_name: 'Ada',
      last_name: 'Lovelace',
    });
    const creation = (entry_years_back: number | undefined) =>
      send(
        'createTenant',
        {
          domain_url: undefined,
          user_id,
          platform: 'manual',
          cash_flow_method: 'direct',
          company_name: 'Ranges',
          currency: 'EUR',
          ...(entry_years_back && { entry_years_back }),
          entry_years_ahead: 2,
        },
        { headers: { 'Idempotency-Key': 'ranges' } },
      );
    const first = await creation(20);
    expect(await creation(20)).toEqual(replayOf(first));
    for (const other of [21, undefined]) {
      expect((await creation(other)).body.error.code).toBe('idempotency_key_reused');
    }
    const { tenants } = await call('getProfile', {
      domain_url: undefined,
      email: 'ranges@example.com',
    });
    expect(tenants).toMatchObject([{ entry_years_back: 20, entry_years_ahead: 2 }]);
  });

  test.each<[object, string]>([
    [{ entry_years_back: 51 }, '/entry_years_back'],
    [{ entry_years_back: 0 }, '/entry_years_back'],
    [{ entry_years_ahead: 6 }, '/entry_years_ahead'],
    [{ entry_years_ahead: -1 }, '/entry_years_ahead'],
  ])('cannot be %s', async (change, pointer) => {
    expect(problemsOf(await send('updateTenant', change))).toEqual([`out_of_range ${pointer}`]);
  });

  test('holds for reversals too, except for the date of the original', async () => {
    const domain_url = await newTenant('Reversals', { entry_years_ahead: 5 });
    const named = async (date: string) => {
      const entry = await call('createEntry', euroEntry({ domain_url, date }));
      return { domain_url, journal_entry_id: entry.journal_entry_id };
    };
    const [late, usual] = [await named('2030-01-01'), await named('2026-03-24')];
    await call('updateTenant', { domain_url, entry_years_ahead: 1 });
    for (const fields of [{ date: '2027-03-25' }, { accrual_date: '2027-03-25' }]) {
      expect(problemsOf(await send('reverseEntry', { ...usual, ...fields }))).toEqual([
        `date_out_of_range /${Object.keys(fields)}`,
      ]);
    }
    expect((await call('reverseEntry', { ...usual, date: '2027-03-24' })).date).toBe('2027-03-24');
    expect((await call('reverseEntry', late)).date).toBe('2030-01-01');
  });
});

const addDay = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);

describe('an entry in a foreign currency that is dated after today', () => {
  const later = { ...dollarEntry, date: '2026-03-25' };
  const refused = { code: 'no_rate_after_today', pointer: '/date' };
  const params = { date: '2026-03-25', today: '2026-03-24' };

  test.each<[string, object]>([
    ['is refused', later],
    ['is refused if only its books need a rate', { ...later, reportingCurrency: 'USD' }],
    [
      'is refused if only its report needs a rate',
      { ...later, transactionCurrency: 'EUR', reportingCurrency: 'USD' },
    ],
    ['is refused if its accrual date is today', { ...later, accrual_date: '2026-03-24' }],
  ])('%s', async (_, body) => {
    const reply = await send('createEntry', body);
    expect(reply.status).toBe(422);
    expect(reply.body.error.details).toMatchObject([{ ...refused, params }]);
  });

  test('is refused in a list, and beside its other problems', async () => {
    const journal_entries = [dollarEntry, { ...later, memo: ' ' }];
    expect(problemsOf(await send('createEntries', { journal_entries }))).toEqual([
      'memo_must_not_be_blank /journal_entries/1/memo',
      'no_rate_after_today /journal_entries/1/date',
    ]);
  });

  test('is scheduled with a later accrual date, at the last known rate', async () => {
    const scheduled = await call('createEntry', { ...later, accrual_date: '2026-03-25' });
    expect(scheduled).toMatchObject({ status: 'scheduled', exchange_rate_date: '2026-03-23' });
  });

  test('has no rate to show either', async () => {
    const query = { domain_url: undefined, date: '2026-03-25', from: 'USD', to: 'EUR' };
    const { body } = await send('getRate', query);
    expect(body.error.details).toMatchObject([{ ...refused, params }]);
    expect((await send('getRate', { ...query, to: 'USD' })).status).toBe(200);
  });
});

describe('a reversal without a date', () => {
  test.each<[string, object, string]>([
    ['has today', { date: '2026-03-01' }, '2026-03-24'],
    ["has the original's date if that is after today", { date: '2026-04-02' }, '2026-04-02'],
    [
      'has the date of an original that counted earlier',
      { date: '2026-04-02', accrual_date: '2026-03-20' },
      '2026-04-02',
    ],
  ])('%s', async (_, fields, date) => {
    const { journal_entry_id } = await call('createEntry', euroEntry(fields));
    const dry = await call('reverseEntry', { journal_entry_id, dry_run: true });
    const reversal = await call('reverseEntry', { journal_entry_id });
    expect([dry.date, reversal.date, reversal.posting_date]).toEqual([date, date, date]);
    const again = await send('reverseEntry', { journal_entry_id });
    expect(again.headers).toMatchObject({ 'Idempotent-Replayed': 'true' });
    expect(again.headers).not.toHaveProperty('Idempotency-Mismatch');
    const other = await send('reverseEntry', { journal_entry_id, date: '2026-05-01' });
    expect(other.headers).toMatchObject({ 'Idempotency-Mismatch': '/date' });
  });

  test('posts on its accrual date', async () => {
    const { journal_entry_id } = await call('createEntry', euroEntry());
    const accrual_date = '2026-04-01';
    expect(await call('reverseEntry', { journal_entry_id, accrual_date })).toMatchObject({
      date: '2026-03-24',
      status: 'scheduled',
    });
  });
});
