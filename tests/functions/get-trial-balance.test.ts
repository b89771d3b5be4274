import { beforeAll, describe, expect, test } from 'vitest';
import { digestOf } from '#shared/entries/entry-hash.ts';
import { sheetKey } from '#shared/table/keys.ts';
import { openTestLedger } from '../support/builders/ledger.ts';
import { connectionOf, tenantOf } from '../support/builders/tenants.ts';
import { importJournal, openReportCalls, today } from '../support/harnesses/reports.ts';
import { problemsOf, reportSuccess } from '../support/readers/replies.ts';

const ledger = await openTestLedger();
const { ask, post, metrics } = openReportCalls(ledger);
const domain_url = 'acme-k7m2xq';
const bank = { account: '1010', account_name: 'Bank Current Account', account_type: 'asset' };
const revenue = { account: '4010', account_name: 'Service Revenue', account_type: 'revenue' };

const sides = (debit: string, credit: string) => ({ debit, credit });
const none = sides('0.00', '0.00');
const same = (amount: string) => sides(amount, amount);

/** A year before, a day in the period, one of dollars, an accrual, one of tomorrow, one waiting. */
let digests: Record<'march' | 'later', string>;
beforeAll(async () => {
  await ledger.createTenant('Acme');
  const posted = [
    await post(domain_url, { date: '2025-12-30', amount: '250.00' }),
    await post(domain_url, { date: '2026-03-20', amount: '0.10', from: '1010', to: '4010' }),
    await post(domain_url, { date: '2026-03-23', amount: '1159.60', currency: 'USD' }),
    await post(domain_url, { date: '2026-04-01', accrual_date: '2026-03-23', amount: '5.00' }),
    await post(domain_url, { date: '2026-04-02', amount: '7.00' }),
  ];
  await post(domain_url, { date: '2026-03-20', accrual_date: '2026-03-25', amount: '9.00' });
  const [before, small, , accrued, last] = posted.map((entry) => entry.hash ?? '');
  const head = (date: string, counted: number, hash = '') => ({
    ...{ date, series: 'MJ', counted, head: hash },
  });
  const march = [
    head('2025-12-30', 1, before),
    head('2026-03-20', 1, small),
    head('2026-03-23', 2, accrued),
  ];
  digests = { march: digestOf(march), later: digestOf([...march, head('2026-04-02', 1, last)]) };
});

const books = (digest: string) => ({
  ...{ tenant_domain_url: domain_url, currency: 'EUR', coverage: 'all_entries', digest },
});

describe('a trial balance', () => {
  test('of a period has what was before it, net, and both sides of what moved', async () => {
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
      ...{ opening: same('250.00'), movement: same('1005.10'), closing: same('1254.90') },
    };
    const data = { ...books(digests.march), ...period, as_of: null, totals };
    expect(await ask('balance', { domain_url, ...period })).toEqual(
      reportSuccess({
        ...data,
        rows: [
          { ...bank, ...figures },
          { ...revenue, ...mirrored },
        ],
      }),
    );
    const dollars = (movement: object, closing: object) => [
      { currency: 'USD', opening: none, movement, closing },
    ];
    const debit = sides('1159.60', '0.00');
    const credit = sides('0.00', '1159.60');
    expect(await ask('balance', { domain_url, ...period, by_currency: 'true' })).toEqual(
      reportSuccess({
        ...data,
        rows: [
          { ...bank, ...figures, currencies: dollars(debit, debit) },
          { ...revenue, ...mirrored, currencies: dollars(credit, credit) },
        ],
      }),
    );
    expect(await ask('balance', { domain_url, ...period, account: '1010' })).toEqual(
      reportSuccess({ ...data, rows: [{ ...bank, ...figures }], totals: figures }),
    );
  });

  test.each([
    ['a date', { as_of: '2026-04-02' }, '2026-04-02', '1262.00', 'later'],
    ['today, where no other date is named', {}, today, '1255.00', 'march'],
  ] as const)('as of %s has all of it as movement', async (_, given, as_of, debit, digest) => {
    const query = { domain_url: `${domain_url}.Ledger.Example.com`, account: '1010', ...given };
    const { body } = await ask('balance', query);
    expect(body.data).toMatchObject({
      ...{ ...books(digests[digest]), from: null, to: null, as_of },
      totals: { opening: none, movement: sides(debit, '0.10') },
    });
  });

  test('of nothing is empty; an account that is asked for has a row of zeros', async () => {
    const query = { domain_url, as_of: '2025-12-29' };
    const nothing = { opening: none, movement: none, closing: none };
    const empty = { ...books(digestOf([])), rows: [], totals: nothing };
    expect((await ask('balance', query)).body.data).toMatchObject(empty);
    const one = await ask('balance', { ...query, account: '4010' });
    expect(one.body.data.rows).toEqual([{ ...revenue, ...nothing }]);
  });

  test('of a connected tenant says that it has journals only', async () => {
    const owner = { applicationId: 'app1', email: 'ada@example.com' };
    const tenant = tenantOf(await ledger.tenants.connect(owner, connectionOf('Elsewhere')));
    const connected = { domain_url: tenant.prefix };
    expect((await ask('balance', connected)).body.data).toMatchObject({
      ...{ coverage: 'journals_only', rows: [] },
    });
  });
});

describe('books that differ', () => {
  const date = '2026-03-02';
  const spoil = async (companyName: string, rows: string) => {
    const { prefix, ...name } = await ledger.createTenant(companyName);
    await importJournal(ledger, name.schemaName, { date, amount: '5.00', reference: 'one' });
    const update = sheetKey(name, { series: 'IJ', date });
    const change = { expression: 'SET #rows = :rows', names: { '#rows': 'rows' } };
    await ledger.table.update({ update, ...change, values: { ':rows': rows } });
    return prefix;
  };

  test.each([
    ['one side is more than the other', 'Uneven', '1010\t\t5\t\t\n4010\t\t\t4.99\t'],
    ['an account is none of the chart', 'Unknown', '1010\t\t5\t\t\n666\t\t\t5\t'],
  ])('are no report but an internal error where %s', async (_, companyName, rows) => {
    const prefix = await spoil(companyName, rows);
    metrics.events.splice(0);
    const { status, body } = await ask('balance', { domain_url: prefix });
    expect([status, body.error.code]).toEqual([500, 'internal_error']);
    expect(metrics.events).toContainEqual(['booksDiffer']);
  });
});

describe('a request is refused', () => {
  test.each<[string, Record<string, string>, string[]]>([
    ['without a tenant', {}, ['required /domain_url']],
    [
      'for a date and a period',
      { domain_url, as_of: today, from: today, to: today },
      ['as_of_excludes_period /as_of'],
    ],
    ['for a period without an end', { domain_url, from: today }, ['required /to']],
    ['for a period without a beginning', { domain_url, to: today }, ['required /from']],
    [
      'for a period that ends before it begins',
      { domain_url, from: '2026-03-02', to: '2026-03-01' },
      ['from_after_to /from'],
    ],
    [
      'for what is none, beside an account that there is not',
      { domain_url, as_of: 'today', by_currency: 'yes', account: '9999' },
      ['date_not_valid /as_of', 'wrong_type /by_currency', 'account_not_found /account'],
    ],
    [
      'for an account that there is not',
      { domain_url, account: '9999' },
      ['account_not_found /account'],
    ],
    [
      'for a tenant that there is not, beside what is wrong',
      { domain_url: 'no-such-books', as_of: 'today' },
      ['date_not_valid /as_of', 'tenant_not_found /domain_url'],
    ],
  ])('%s', async (_, query, problems) => {
    const reply = await ask('balance', query);
    expect([reply.status, problemsOf(reply)]).toEqual([422, problems]);
  });

  test('for what another application has exactly as for what there is not', async () => {
    for (const reply of [
      await ask('balance', { domain_url, account: '9999' }, 'app2'),
      await ask('balance', { domain_url: 'no-such-books' }),
    ]) {
      expect([reply.status, reply.body.error.code]).toEqual([404, 'tenant_not_found']);
    }
  });
});
