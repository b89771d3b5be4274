import { afterAll, describe, expect, test } from 'vitest';
import { companiesOf } from '#infra/sandbox/companies.ts';
import type { DemoAccount, DemoCompany, DemoJournal } from '#infra/sandbox/demo-company.ts';
import { localDialects } from '#infra/sandbox/dialects.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import { sandboxClients, startSandboxPlatform } from '../../support/servers/sandbox.ts';

const sandbox = await startSandboxPlatform({ clients: sandboxClients });
afterAll(sandbox.stop);

/** What the platform answers to a call of its API, by a token for its first company. */
const ask = async (slot: Slot, path: (companyId: string) => string, company?: string) => {
  const body = JSON.stringify({ company_id: company });
  const granted = await fetch(`${sandbox.baseUrl(slot)}/test-grants`, { method: 'POST', body });
  const grant = (await granted.json()) as Record<string, string>;
  const { access_token, platform_company_id: companyId = '' } = grant;
  const headers = {
    Authorization: `${localDialects[slot].tokenScheme} ${access_token}`,
    'xero-tenant-id': companyId,
  };
  const reply = await fetch(`${sandbox.baseUrl(slot)}/${path(companyId)}`, { headers });
  return { status: reply.status, body: (await reply.json()) as Record<string, object[]> };
};

describe('a query that the platform does not know', () => {
  test.each([
    'ManualJournals?page=0',
    'ManualJournals?page=1&pageSize=1001',
    'ManualJournals?page=1&order=JournalLines',
    'ManualJournals?page=1&where=Status=="POSTED" OR Status=="DRAFT"',
    'Accounts?where=Type=BANK',
  ])('is refused by Xero: %s', async (path) => {
    const { status, body } = await ask('platform_a', () => `api.xero.com/api.xro/2.0/${path}`);
    expect([status, body]).toMatchObject([400, { ErrorNumber: 16, Type: 'QueryParseException' }]);
  });

  test.each([
    '',
    'select * from Unicorn',
    'select * from Account maxresults 1001',
    "select * from Account where Colour = 'red'",
  ])('is refused by QuickBooks: "%s"', async (query) => {
    const { status, body } = await ask(
      'platform_b',
      (id) => `quickbooks.api.intuit.com/v3/company/${id}/query?${new URLSearchParams({ query })}`,
    );
    expect([status, body]).toMatchObject([400, { Fault: { type: 'ValidationFault' } }]);
  });

  test.each([
    ['journals?page=0', 'page'],
    ['journals?per_page=201', 'page'],
    ['journals?filter_by=JournalDate.Today', 'filter_by'],
    ['journals?last_modified_time=lately', 'last_modified_time'],
    ['journals?sort_column=colour', 'sort_column'],
    ['journals?sort_order=X', 'sort_order'],
    ['chartofaccounts?filter_by=AccountType.Bank', 'filter_by'],
  ])('is refused by Zoho: %s', async (path, parameter) => {
    const { status, body } = await ask(
      'platform_c',
      (id) => `www.zohoapis.eu/books/v3/${path}&organization_id=${id}`,
    );
    const message = `Invalid value passed for ${parameter}`;
    expect([status, body]).toEqual([400, { code: 2, message }]);
  });
});

/** How much of the books of Olive Trading, or of one that its user has, Zoho lists. */
const olive = companiesOf.platform_c.find(({ id }) => id === 'olive-trading') as DemoCompany;
const countIn = (company: DemoCompany, holds: (journal: DemoJournal) => boolean) =>
  Array.from({ length: company.journalCount }, (_, index) => company.journalAt(index)).filter(
    (journal) => journal.status !== 'deleted' && holds(journal),
  ).length;
const accountsIn = (holds: (account: DemoAccount) => boolean) =>
  olive.accounts.filter(holds).length;

test.each<[string, string, number]>([
  ['journals?per_page=200', 'journals', countIn(olive, () => true)],
  [
    'journals?date_start=2026-03-01&date_end=2026-03-31',
    'journals',
    countIn(olive, ({ date }) => date.startsWith('2026-03')),
  ],
  [
    'journals?last_modified_time=2026-07-01T00:00:00%2B0000',
    'journals',
    countIn(olive, ({ modifiedAt }) => modifiedAt >= '2026-07'),
  ],
  [
    'chartofaccounts?filter_by=AccountType.Inactive',
    'chartofaccounts',
    accountsIn(({ status }) => status === 'archived'),
  ],
  [
    'chartofaccounts?filter_by=AccountType.Equity',
    'chartofaccounts',
    accountsIn(({ type }) => type === 'equity'),
  ],
  [
    'chartofaccounts?last_modified_time=2026-07-01T00:00:00%2B0000',
    'chartofaccounts',
    accountsIn(({ modifiedAt = '' }) => modifiedAt >= '2026-07'),
  ],
  ['settings/taxes?', 'taxes', olive.taxRates.length],
])('Zoho lists by %s', async (path, node, count) => {
  const { status, body } = await ask(
    'platform_c',
    (id) => `www.zohoapis.eu/books/v3/${path}&organization_id=${id}`,
    olive.id,
  );
  expect([status, body[node]?.length]).toEqual([200, count]);
  expect(count).toBeGreaterThan(0);
});

test('Zoho lists journals by their latest changes, and says so', async () => {
  const order = { sort_column: 'last_modified_time', sort_order: 'D' };
  const { body } = await ask(
    'platform_c',
    (id) => `www.zohoapis.eu/books/v3/journals?${new URLSearchParams(order)}&organization_id=${id}`,
    olive.id,
  );
  const moments = (body.journals as { last_modified_time: string }[]).map(
    ({ last_modified_time }) => last_modified_time,
  );
  expect(moments).toEqual(moments.toSorted().toReversed());
  expect(body.page_context).toMatchObject({ report_name: 'Manual Journals', ...order });
});
