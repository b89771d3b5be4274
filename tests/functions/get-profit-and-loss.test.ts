import { beforeAll, describe, expect, test } from 'vitest';
import { documentation } from '#functions/get-profit-and-loss/schema.ts';
import { tenantKey } from '#shared/table/keys.ts';
import { openTestLedger } from '../support/builders/ledger.ts';
import { quarter } from '../support/builders/quarter.ts';
import { openReportCalls, today } from '../support/harnesses/reports.ts';
import { problemsOf, reportSuccess } from '../support/readers/replies.ts';

const ledger = await openTestLedger();
const { ask, post } = openReportCalls(ledger);
const domain_url = 'analytical-engines-k7m2xq';
let name: { applicationId: string; schemaName: string };
beforeAll(async () => {
  name = await ledger.createTenant('Analytical Engines');
  for (const posted of quarter) await post(domain_url, posted);
});

describe('a statement of profit and loss', () => {
  test('of the company in the reference is the one that it shows', async () => {
    const [example] = documentation.examples;
    const reply = await ask('profitAndLoss', example?.request as Record<string, string>);
    const { digest } = reply.body.data;
    expect(reply).toEqual(reportSuccess({ ...(example?.data as object), digest }));
    const balance = await ask('balance', { domain_url, as_of: '2026-03-31' });
    expect(digest).toBe(balance.body.data.digest);
  });

  test.each([
    ['the fiscal year to date, where no dates are named', {}, '2026-01-01', today, '9190.00'],
    ['the fiscal year of its end', { to: '2025-12-31' }, '2025-01-01', '2025-12-31', '12000.00'],
    ['what is after a date', { from: '2026-03-01' }, '2026-03-01', today, '-1860.00'],
    [
      'several fiscal years',
      { from: '2025-01-01', to: '2026-03-31' },
      ...(['2025-01-01', '2026-03-31', '21190.00'] as const),
    ],
    [
      'dates on which nothing is posted',
      { from: '2024-03-01', to: '2024-03-31' },
      ...(['2024-03-01', '2024-03-31', '0.00'] as const),
    ],
  ])('is of %s', async (_title, given, from, to, profit) => {
    const { body } = await ask('profitAndLoss', { domain_url, ...given });
    expect(body.data).toMatchObject({ from, to, profit });
  });

  test('begins with a fiscal year that is none of the calendar', async () => {
    const change = { expression: 'SET financialYearEnd = :end', values: { ':end': '01-31' } };
    await ledger.table.update({ update: tenantKey(name), ...change });
    const { body } = await ask('profitAndLoss', { domain_url, to: '2026-02-28' });
    expect(body.data).toMatchObject({ from: '2026-02-01', profit: '-50.00' });
  });
});

describe('a request is refused', () => {
  test.each<[string, Record<string, string>, string[]]>([
    ['without a tenant', {}, ['required /domain_url']],
    [
      'for a period that ends before it begins',
      { domain_url, from: '2026-03-02', to: '2026-03-01' },
      ['from_after_to /from'],
    ],
    [
      'for a period that begins after today, without an end',
      { domain_url, from: '2026-03-25' },
      ['from_after_to /from'],
    ],
    [
      'for what are no dates, of a tenant that there is not',
      { domain_url: 'no-such-books', from: 'then', to: 'now' },
      ['date_not_valid /from /to', 'tenant_not_found /domain_url'],
    ],
  ])('%s', async (_, query, problems) => {
    for (const report of ['profitAndLoss', 'cashFlow'] as const) {
      const reply = await ask(report, query);
      expect([reply.status, problemsOf(reply)]).toEqual([422, problems]);
    }
  });

  test('for what another application has exactly as for what there is not', async () => {
    for (const report of ['profitAndLoss', 'cashFlow'] as const) {
      for (const reply of [
        await ask(report, { domain_url }, 'app2'),
        await ask(report, { domain_url: 'no-such-books' }),
      ]) {
        expect([reply.status, reply.body.error.code]).toEqual([404, 'tenant_not_found']);
      }
    }
  });
});
