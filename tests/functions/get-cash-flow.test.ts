import { beforeAll, describe, expect, test } from 'vitest';
import { documentation } from '#functions/get-cash-flow/schema.ts';
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

describe('a statement of cash flows', () => {
  test.each(
    documentation.examples.map(({ name: title, request, data }) => [title, request, data] as const),
  )('of the company in the reference is the one that it shows: %s', async (_, request, data) => {
    const reply = await ask('cashFlow', request as Record<string, string>);
    const { digest } = reply.body.data;
    expect(reply).toEqual(reportSuccess({ ...(data as object), digest }));
    const balance = await ask('balance', { domain_url, as_of: '2026-03-31' });
    expect(digest).toBe(balance.body.data.digest);
  });

  test.each(['direct', 'indirect'])('is %s where the tenant is', async (method) => {
    const change = { expression: 'SET cashFlowMethod = :method', values: { ':method': method } };
    await ledger.table.update({ update: tenantKey(name), ...change });
    const { body } = await ask('cashFlow', { domain_url });
    expect(body.data).toMatchObject({
      ...{ from: '2026-01-01', to: today },
      operating: { method, total: '8950.00' },
    });
  });

  test('shows what cash comes to, though nothing moved', async () => {
    const quiet = { from: '2025-02-01', to: '2025-02-28' };
    const { body } = await ask('cashFlow', { domain_url, ...quiet, method: 'direct' });
    const nothing = { accounts: [], total: '0.00' };
    expect(body.data).toMatchObject({
      ...{ ...quiet, operating: { method: 'direct', ...nothing } },
      ...{ investing: nothing, financing: nothing, unclassified: nothing },
      ...{ net_change: '0.00', opening_cash: '10000.00', closing_cash: '10000.00' },
      cash_accounts: [{ account: '1010', opening: '10000.00', closing: '10000.00' }],
    });
  });

  test('is refused by a method that there is not', async () => {
    const reply = await ask('cashFlow', { domain_url, method: 'both' });
    expect([reply.status, problemsOf(reply)]).toEqual([422, ['not_an_allowed_value /method']]);
  });
});
