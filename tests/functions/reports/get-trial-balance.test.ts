// statements.test.ts shows the alarm for books that differ.

import { beforeAll, describe, expect, test } from 'vitest';
import { digestOf } from '#shared/entries/entry-hash.ts';
import { connectionOf } from '../../support/builders/tenants.ts';
import { openTenantCalls } from '../../support/harnesses/calls.ts';
import { problemsOf, reportSuccess } from '../../support/readers/replies.ts';

const { ledger, domain_url, send, post } = await openTenantCalls();
const today = '2026-03-24';
const bank = { account: '1010', account_name: 'Bank Current Account', account_type: 'asset' };
const revenue = { account: '4010', account_name: 'Service Revenue', account_type: 'revenue' };

const sides = (debit: string, credit: string) => ({ debit, credit });
const none = sides('0.00', '0.00');
const same = (amount: string) => sides(amount, amount);

let digests: Record<'march' | 'later', string>;
beforeAll(async () => {
  const posted = [
    await post({ date: '2025-12-30', amount: '250.00' }),
    await post({ date: '2026-03-20', amount: '0.10', from: '1010', to: '4010' }),
    await post({ date: '2026-03-23', amount: '1159.60', currency: 'USD' }),
    await post({ date: '2026-04-01', accrual_date: '2026-03-23', amount: '5.00' }),
    await post({ date: '2026-04-02', amount: '7.00' }),
  ];
  await post({ date: '2026-03-20', accrual_date: '2026-03-25', amount: '9.00' });
  const [before, small, , accrued, last] = posted.map((entry) => entry.hash ?? '');
  const sheet = (date: string, counted: number, head = '') => ({
    date,
    series: 'MJ',
    counted,
    head,
  });
  const march = [
    sheet('2025-12-30', 1, before),
    sheet('2026-03-20', 1, small),
    sheet('2026-03-23', 2, accrued),
  ];
  digests = { march: digestOf(march), later: digestOf([...march, sheet('2026-04-02', 1, last)]) };
});

const books = (entries_digest: string) => ({
  tenant_domain_url: domain_url,
  currency: 'EUR',
  company_name: 'Acme',
  made_at: '2026-03-24T12:00:00.000Z',
  coverage: 'all_entries',
  covered_from: null,
  covered_to: null,
  checked_at: null,
  digest: expect.stringMatching(/^[0-9a-f]{64}$/),
  entries_digest,
});

describe('a trial balance', () => {
  test('of a period has the opening, the movement on both sides and the closing', async () => {
    const period = { from: '2026-03-01', to: '2026-03-31' };
    const figures = {
      opening: sides('250.00', '0.00'),
      movement: sides('1005.00', '0.10'),
      closing: sides('1254.90', '0.00'),
    };
    const mirrored = {
      opening: sides('0.00', '250.00'),
      movement: sides('0.10', '1005.00'),
      closing: sides('0.00', '1254.90'),
    };
    const totals = {
      opening: same('250.00'),
      movement: same('1005.10'),
      closing: same('1254.90'),
    };
    const data = { ...books(digests.march), ...period, as_of: null, totals };
    const rows = [
      { ...bank, ...figures },
      { ...revenue, ...mirrored },
    ];
    const query = period;
    expect(await send('getTrialBalance', query)).toEqual(reportSuccess({ ...data, rows }));
    const dollars = [sides('1159.60', '0.00'), sides('0.00', '1159.60')].map((movement) => [
      { currency: 'USD', opening: none, movement, closing: movement },
    ]);
    const inDollars = rows.map((row, index) => ({ ...row, currencies: dollars[index] }));
    expect(await send('getTrialBalance', { ...query, by_currency: 'true' })).toEqual(
      reportSuccess({ ...data, rows: inDollars }),
    );
    expect(await send('getTrialBalance', { ...query, account: '1010' })).toEqual(
      reportSuccess({ ...data, rows: rows.slice(0, 1), totals: figures }),
    );
  });

  test.each([
    ['a date', { as_of: '2026-04-02' }, '2026-04-02', '1262.00', 'later'],
    ['today by default', {}, today, '1255.00', 'march'],
  ] as const)('as of %s has everything as movement', async (_, query, as_of, debit, digest) => {
    const { body } = await send('getTrialBalance', { account: '1010', ...query });
    expect(body.data).toMatchObject({
      ...books(digests[digest]),
      from: null,
      to: null,
      as_of,
      totals: { opening: none, movement: sides(debit, '0.10') },
    });
  });

  test('without entries is empty, but has a row for the requested account', async () => {
    const query = { as_of: '2025-12-29' };
    const nothing = { opening: none, movement: none, closing: none };
    const empty = { ...books(digestOf([])), rows: [], totals: nothing };
    expect((await send('getTrialBalance', query)).body.data).toMatchObject(empty);
    const one = await send('getTrialBalance', { ...query, account: '4010' });
    expect(one.body.data.rows).toEqual([{ ...revenue, ...nothing }]);
  });

  test('of a connected tenant covers journals only', async () => {
    const owner = await ledger.newOwner('ada@example.com');
    const { domain_url } = await ledger.connectTenant(owner, connectionOf('Elsewhere'));
    const { data } = (await send('getTrialBalance', { domain_url })).body;
    expect(data).toMatchObject({ coverage: 'journals_only', rows: [] });
  });
});

test.each<[string, Record<string, string>, string[]]>([
  [
    'a date and a period',
    { as_of: today, from: today, to: today },
    ['as_of_excludes_period /as_of'],
  ],
  ['a start without an end', { from: today }, ['required /to']],
  ['an end without a start', { to: today }, ['required /from']],
  ['an end before the start', { from: '2026-03-02', to: '2026-03-01' }, ['from_after_to /from']],
  [
    'all problems at once',
    { as_of: 'today', by_currency: 'yes', account: '9999' },
    ['date_not_valid /as_of', 'wrong_type /by_currency', 'account_not_found /account'],
  ],
  ['an unknown account', { account: '9999' }, ['account_not_found /account']],
])('refused: %s', async (_, query, problems) => {
  const reply = await send('getTrialBalance', query);
  expect([reply.status, problemsOf(reply)]).toEqual([422, problems]);
});
