import { describe, expect, test } from 'vitest';
import { companiesOf } from '#infra/sandbox/companies.ts';
import type { DemoCompany } from '#infra/sandbox/demo-company.ts';
import type { ApiCall } from '#infra/sandbox/dialects/dialect.ts';
import { localDialects } from '#infra/sandbox/dialects.ts';
import { Refusal } from '#infra/sandbox/http-messages.ts';
import { type Slot, slotNames } from '#shared/platforms/slots.ts';

/** A company with real books on each platform. */
const companyIds = ['cedar-interiors', 'cypress-clinics', 'olive-trading'];
const realCompanies = Object.fromEntries(
  slotNames.map((slot) => [
    slot,
    companiesOf[slot].find(({ id }) => companyIds.includes(id)) as DemoCompany,
  ]),
) as Record<Slot, DemoCompany>;

const apiOf: Record<Slot, (realmId: string) => { host: string; root: string }> = {
  platform_a: () => ({ host: 'api.xero.com', root: '/api.xro/2.0/' }),
  platform_b: (realmId) => ({
    host: 'quickbooks.api.intuit.com',
    root: `/v3/company/${realmId}/`,
  }),
  platform_c: () => ({ host: 'www.zohoapis.eu', root: '/books/v3/' }),
};

const call = (slot: Slot, resource: string) => {
  const company = realCompanies[slot];
  const { host, root } = apiOf[slot](localDialects[slot].companyIdOf(company));
  const { pathname, searchParams } = new URL(`http://${host}${root}${resource}`);
  const request: ApiCall = {
    method: 'GET',
    host,
    path: pathname,
    query: searchParams,
    headers: {},
    body: '',
    consentId: 'consent',
    user: 'user',
    companies: [company],
    company,
    failPage: () => undefined,
    disconnect: () => undefined,
  };
  try {
    return localDialects[slot].api(request);
  } catch (error) {
    if (error instanceof Refusal) return error.reply;
    throw error;
  }
};

const bodyOf = (slot: Slot, resource: string) => {
  const reply = call(slot, resource);
  if (reply === undefined || !('json' in reply)) throw new Error('no JSON');
  // biome-ignore lint/suspicious/noExplicitAny: replies differ by platform.
  return reply.json as Record<string, any>;
};

describe('a query of QuickBooks', () => {
  test.each([
    ['select * from Account maxresults 1000', 999, '1'],
    ['SELECT * FROM account WHERE Active IN (true,false) maxresults 1000', 1_000, '1'],
    ["select * from Account where Active = 'FALSE'", 1, '10'],
    ["select * from Account where Name like 'Shop 1 %' ORDERBY Name DESC", 12, '27'],
    ["select * from Account where FullyQualifiedName like '%:%:Shop 1 gifts'", 1, '37'],
    ["select * from Account where Id in ('3', 2) order by Id desc", 2, '3'],
    ['select * from Account where Id >= 998 and Id < 1000', 2, '998'],
    ["select * from Account where Name = 'O\\'Brien'", 0, undefined],
    ["select * from JournalEntry where TxnDate <= '2025-01-05' orderby TxnDate", 1, '20001'],
    ['select * from Account startposition 8 maxresults 7', 7, '8'],
  ])('%s', (query, count, firstId) => {
    const { QueryResponse } = bodyOf('platform_b', `query?${new URLSearchParams({ query })}`);
    const rows = QueryResponse.Account ?? QueryResponse.JournalEntry ?? [];
    expect([rows.length, rows[0]?.Id]).toEqual([count, firstId]);
  });

  test.each([
    ['', '4000'],
    ['select * from Account where', '4000'],
    ["select * from Account where Name = 'a' or Name = 'b'", '4000'],
    ['select * from Ledger', '4001'],
    ['select * from Account where Colour = 1', '4001'],
    ['select * from Account orderby Colour', '4001'],
    ['select * from Account maxresults 1001', '4001'],
  ])('is refused: "%s"', (query, code) => {
    const { Fault } = bodyOf('platform_b', `query?${new URLSearchParams({ query })}`);
    expect(Fault.Error[0].code).toBe(code);
  });
});

test.each([
  'ManualJournals?page=0',
  'ManualJournals?page=1&pageSize=1001',
  'ManualJournals?page=1&order=JournalLines',
  'ManualJournals?page=1&where=Status=="POSTED" OR Status=="DRAFT"',
  'Accounts?where=Type=BANK',
])('Xero refuses %s', (resource) => {
  expect(bodyOf('platform_a', resource)).toMatchObject({ Type: 'QueryParseException' });
});

test.each([
  ['journals?page=0', 'page'],
  ['journals?per_page=201', 'page'],
  ['journals?sort_column=colour', 'sort_column'],
  ['journals?sort_order=X', 'sort_order'],
  ['chartofaccounts?filter_by=AccountType.Bank', 'filter_by'],
])('Zoho refuses %s', (resource, parameter) => {
  const message = `Invalid value passed for ${parameter}`;
  expect(bodyOf('platform_c', resource)).toEqual({ code: 2, message });
});

test('Zoho lists no inactive accounts and no deleted journals', () => {
  const { accounts, journalCount, journalAt } = realCompanies.platform_c;
  const active = accounts.filter(({ status }) => status === 'active').length;
  const last = bodyOf('platform_c', `chartofaccounts?page=${Math.ceil(active / 200)}`);
  expect(last.chartofaccounts).toHaveLength(active % 200);
  const journals = Array.from({ length: journalCount }, (_, index) => journalAt(index));
  const listed = journals.filter(({ status }) => status !== 'deleted').length;
  expect(bodyOf('platform_c', 'journals').journals).toHaveLength(listed);
});
