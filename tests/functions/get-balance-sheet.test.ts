import { beforeAll, describe, expect, test } from 'vitest';
import { documentation } from '#functions/get-balance-sheet/schema.ts';
import { digestOf } from '#shared/entries/entry-hash.ts';
import { sheetKey, tenantKey } from '#shared/table/keys.ts';
import { openTestLedger } from '../support/builders/ledger.ts';
import { quarter } from '../support/builders/quarter.ts';
import { connectionOf, tenantOf } from '../support/builders/tenants.ts';
import { importJournal, openReportCalls, today } from '../support/harnesses/reports.ts';
import { problemsOf, reportSuccess } from '../support/readers/replies.ts';

const ledger = await openTestLedger();
const { ask, post, metrics } = openReportCalls(ledger);
const domain_url = 'analytical-engines-k7m2xq';
let name: { applicationId: string; schemaName: string };
beforeAll(async () => {
  name = await ledger.createTenant('Analytical Engines');
  for (const posted of quarter) await post(domain_url, posted);
});

describe('a balance sheet', () => {
  test('of the company in the reference is the one that it shows', async () => {
    const [example] = documentation.examples;
    const reply = await ask('balanceSheet', example?.request as Record<string, string>);
    const { digest } = reply.body.data;
    expect(reply).toEqual(reportSuccess({ ...(example?.data as object), digest }));
    const balance = await ask('balance', { domain_url, as_of: '2026-03-31' });
    expect(digest).toBe(balance.body.data.digest);
  });

  test('is of today where no date is named', async () => {
    const { body } = await ask('balanceSheet', { domain_url: `${domain_url}.ledger.example.com` });
    expect(body.data).toMatchObject({ as_of: today, fiscal_year_start: '2026-01-01' });
  });

  const earnings = (retained: string, current: string) => ({
    retained_earnings_computed: retained,
    current_year_earnings: current,
  });
  test.each([
    ['the last day of a year has its profit as current', '12-31', '2025-12-31', '2025-01-01'],
    ['the first day of a year has that of before as retained', '12-31', '2026-01-01', '2026-01-01'],
    ['the last day of a year that ends in February', '02-29', '2026-02-28', '2025-03-01'],
    ['the first day of such a year', '02-29', '2026-03-01', '2026-03-01'],
    ['a day of a year that ends in June', '06-30', '2026-03-31', '2025-07-01'],
  ])('as of %s', async (_title, financialYearEnd, as_of, fiscal_year_start) => {
    const expected: Record<string, object> = {
      '2025-12-31': earnings('0.00', '12000.00'),
      '2026-01-01': earnings('12000.00', '18000.00'),
      '2026-02-28': earnings('0.00', '23050.00'),
      '2026-03-01': earnings('23050.00', '0.00'),
      '2026-03-31': earnings('0.00', '21190.00'),
    };
    const change = {
      expression: 'SET financialYearEnd = :end',
      values: { ':end': financialYearEnd },
    };
    await ledger.table.update({ update: tenantKey(name), ...change });
    const { body } = await ask('balanceSheet', { domain_url, as_of });
    expect(body.data).toMatchObject({ fiscal_year_start, equity: expected[as_of] });
  });

  test('of nothing has no sections, and zeros', async () => {
    const { body } = await ask('balanceSheet', { domain_url, as_of: '2024-12-31' });
    const nothing = { sections: [], total: '0.00' };
    expect(body.data).toMatchObject({
      ...{ digest: digestOf([]), assets: nothing, liabilities: nothing, equity: nothing },
      total_liabilities_and_equity: '0.00',
    });
  });

  test('of a connected tenant says that it has journals only', async () => {
    const owner = { applicationId: 'app1', email: 'ada@example.com' };
    const tenant = tenantOf(await ledger.tenants.connect(owner, connectionOf('Elsewhere')));
    const { body } = await ask('balanceSheet', { domain_url: tenant.prefix });
    expect(body.data).toMatchObject({ coverage: 'journals_only' });
  });
});

describe('books that differ', () => {
  const date = '2026-03-02';
  test.each([
    ['one side is more than the other', 'Uneven', '1010\t\t5\t\t\n4010\t\t\t4.99\t5'],
    ['an account is none of the chart', 'Unknown', '1010\t\t5\t\t\n666\t\t\t5\t5'],
  ])('are no statement but an internal error where %s', async (_, companyName, rows) => {
    const { prefix, ...spoilt } = await ledger.createTenant(companyName);
    await importJournal(ledger, spoilt.schemaName, { date, amount: '5.00', reference: 'one' });
    const update = sheetKey(spoilt, { series: 'IJ', date });
    const change = { expression: 'SET #rows = :rows', names: { '#rows': 'rows' } };
    await ledger.table.update({ update, ...change, values: { ':rows': rows } });
    for (const report of ['balanceSheet', 'profitAndLoss', 'cashFlow'] as const) {
      metrics.events.splice(0);
      const { status, body } = await ask(report, { domain_url: prefix });
      expect([status, body.error.code]).toEqual([500, 'internal_error']);
      expect(metrics.events).toContainEqual(['booksDiffer']);
    }
  });
});

describe('a request is refused', () => {
  test.each<[string, Record<string, string>, string[]]>([
    ['without a tenant', {}, ['required /domain_url']],
    [
      'for what is no date, of a tenant that there is not',
      { domain_url: 'no-such-books', as_of: 'today' },
      ['date_not_valid /as_of', 'tenant_not_found /domain_url'],
    ],
    ['for a period', { domain_url, from: '2026-01-01' }, ['unknown_field /from']],
  ])('%s', async (_, query, problems) => {
    const reply = await ask('balanceSheet', query);
    expect([reply.status, problemsOf(reply)]).toEqual([422, problems]);
  });

  test('for what another application has exactly as for what there is not', async () => {
    for (const reply of [
      await ask('balanceSheet', { domain_url }, 'app2'),
      await ask('balanceSheet', { domain_url: 'no-such-books' }),
    ]) {
      expect([reply.status, reply.body.error.code]).toEqual([404, 'tenant_not_found']);
    }
  });
});
