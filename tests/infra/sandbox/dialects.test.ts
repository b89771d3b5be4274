import { afterAll, describe, expect, test } from 'vitest';
import { companiesOf } from '#infra/sandbox/companies.ts';
import type { DemoCompany } from '#infra/sandbox/demo-company.ts';
import { localDialects } from '#infra/sandbox/dialects.ts';
import { codeChallengeOf } from '#shared/domain/authorization-states.ts';
import type { CompanyAccess, Platform } from '#shared/platforms/platform.ts';
import { type Slot, slotNames } from '#shared/platforms/slots.ts';
import { readJournal, reasonOf } from '../../support/harnesses/adapters.ts';
import {
  type ConsentChoice,
  giveConsent,
  sandboxClients,
  startTestSandbox,
} from '../../support/servers/sandbox.ts';

const redirectUri = 'http://localhost:3001/callback';
let now = Date.parse('2026-03-23T09:30:00.000Z');
const sandbox = await startTestSandbox({
  redirectUris: (slot) => [`${redirectUri}/${slot}`],
  clock: () => new Date(now),
});
const impatient = await startTestSandbox({ slowMilliseconds: 10_000, timeoutMilliseconds: 100 });
afterAll(() => Promise.all([sandbox.stop(), impatient.stop()]));

const connect = async (slot: Slot, choice: ConsentChoice = {}, { platforms } = sandbox) => {
  const platform = await platforms.get(slot);
  const codeVerifier = `${slot} verifier`;
  const codeChallenge = codeChallengeOf(codeVerifier);
  const request = { redirectUri: `${redirectUri}/${slot}`, state: 'the state', codeChallenge };
  const { searchParams } = await giveConsent(platform.authorizationUrl(request), choice);
  expect(searchParams.get('state')).toBe('the state');
  const code = searchParams.get('code') ?? '';
  const made = await platform.connect({
    ...{ redirectUri: request.redirectUri, code, codeVerifier },
    callback: searchParams,
  });
  return { platform, ...made, access: { ...made.company, ...made.tokens } };
};

/** The items of each page, one page after the other. */
const readPages = async <Page extends { next: string | null }, Item>(
  read: (from: string | null) => Promise<Page>,
  itemsOf: (page: Page) => Item[],
): Promise<Item[][]> => {
  const pages: Item[][] = [];
  let from: string | null = null;
  do {
    const page: Page = await read(from);
    pages.push(itemsOf(page));
    from = page.next;
  } while (from !== null);
  return pages;
};

const accountPages = (platform: Platform, access: CompanyAccess) =>
  readPages(
    (from) => platform.accountPage(access, from),
    ({ accounts }) => accounts,
  );
const readJournals = async (platform: Platform, access: CompanyAccess) => {
  const pages = await readPages(
    (from) => platform.journalPage(access, from),
    ({ journals }) => journals,
  );
  const read = await Promise.all(pages.flat().map((listed) => readJournal(listed, access)));
  return read.flatMap((journal) => journal ?? []);
};

const outcomeOf = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'none',
    () => reasonOf(call),
  );

const postedOf = ({ journalCount, journalAt }: DemoCompany) =>
  Array.from({ length: journalCount }, (_, index) => journalAt(index)).filter(
    ({ status }) => status === 'posted',
  );

const smallCompanies = slotNames.flatMap((slot) =>
  companiesOf[slot]
    // Those with taxes and other things of real books are not read as they are made.
    .filter(({ journalCount, taxRates }) => journalCount < 1_000 && taxRates.length === 0)
    .filter(({ id, owner }) => id === owner)
    .map((company) => [company.id, slot, company] as const),
);

const lifetimes: Record<Slot, number> = { platform_a: 1800, platform_b: 3600, platform_c: 3600 };

describe('the adapter of each platform, at the sandbox', () => {
  test.each(smallCompanies)('connects, reads and leaves %s', async (_id, slot, demo) => {
    const { platform, access, company, tokens } = await connect(slot, { company: demo.id });
    const { companyIdOf, accountIdOf } = localDialects[slot];
    expect(tokens.expiresInSeconds).toBe(lifetimes[slot]);
    expect(company).toEqual({
      companyId: companyIdOf(demo),
      dataCenter: slot === 'platform_c' ? demo.dataCenter : null,
      name: demo.name,
      currency: demo.currency,
    });
    expect(await platform.company(access)).toEqual(company);

    const accounts = (await accountPages(platform, access)).flat();
    const expected = demo.accounts.map(({ code, name, type, status }, index) => ({
      accountId: accountIdOf(demo, index),
      ...{ code, name, type, status },
    }));
    expect(new Map(accounts.map((it) => [it.accountId, it]))).toEqual(
      new Map(expected.map((it) => [it.accountId, it])),
    );

    const indexes = new Map(expected.map(({ accountId }, index) => [accountId, index]));
    const journals = await readJournals(platform, access);
    const references = journals.map(({ reference }) => reference);
    expect(new Set(references).size).toBe(journals.length);
    if (slot === 'platform_a') expect(references).toEqual(references.toSorted());
    // A line that Xero shows as the tax of another one has that one's words.
    const wordsOf = (text: string) => (slot === 'platform_a' ? '' : text);
    const read = journals.map(({ date, memo, currency, exchangeRate, lines }) => {
      const isForeign = currency !== null && currency !== demo.currency;
      const plain = lines.map(([id = '', text = '', debit, credit]) =>
        [indexes.get(id), wordsOf(text), debit, credit].join(),
      );
      return [date, memo, ...(isForeign ? [currency, exchangeRate] : []), ...plain].join('\n');
    });
    const made = postedOf(demo).map(({ date, memo, currency, exchangeRate, lines }) => {
      const plain = lines.map(({ account, description, debit, credit }) =>
        [account, wordsOf(description), Number(debit), Number(credit)].join(),
      );
      const foreign = exchangeRate === null ? [] : [currency, Number(exchangeRate)];
      return [date, memo, ...foreign, ...plain].join('\n');
    });
    expect(read.toSorted()).toEqual(made.toSorted());

    const { dataCenter } = company;
    const other = await connect(slot, { company: demo.id });
    const fresh = await platform.refresh({ refreshToken: tokens.refreshToken, dataCenter });
    expect(fresh.accessToken).not.toBe(access.accessToken);
    expect(fresh.refreshToken === tokens.refreshToken).toBe(slot === 'platform_c');
    const renewed = { ...access, ...fresh };
    await platform.disconnect(renewed);
    expect(await outcomeOf(platform.company(renewed))).toBe('credentials_refused');
    expect(await outcomeOf(platform.refresh({ ...fresh, dataCenter }))).toBe('credentials_refused');
    expect(await other.platform.company(other.access)).toEqual(company);
  });

  test.each([
    ['platform_a', 'evergreen-holdings-a', [10_000]],
    ['platform_b', 'evergreen-holdings-b', [...Array(10).fill(1_000), 0]],
    ['platform_c', 'evergreen-holdings-c', Array(50).fill(200)],
  ] as const)('%s gives the long chart of %s in its pages', async (slot, company, lengths) => {
    const { platform, access } = await connect(slot, { company });
    const pages = await accountPages(platform, access);
    expect(pages.map(({ length }) => length)).toEqual(lengths);
    expect(new Set(pages.flat().map(({ accountId }) => accountId)).size).toBe(10_000);
  });

  test.each(slotNames)('%s finds no company but the one that was consented to', async (slot) => {
    const { platform, access } = await connect(slot);
    const companyId = localDialects[slot].companyIdOf(companiesOf[slot][1] as DemoCompany);
    const other = { ...access, companyId };
    expect(await outcomeOf(platform.company(other))).toBe('company_not_found');
    // Where another platform's company would be given back, this one's stays.
    if (slot === 'platform_a') await platform.disconnect(other);
    expect(await outcomeOf(platform.company(access))).toBe('none');
  });

  test.each([
    ['platform_a', 1_800, 'credentials_refused'],
    ['platform_b', 86_400, 'credentials_refused'],
    ['platform_c', 1e9, 'none'],
  ] as const)('%s renews by the token before, and after %i seconds: %s', async (...row) => {
    const [slot, seconds, outcome] = row;
    const { platform, access } = await connect(slot);
    await platform.refresh(access);
    now += seconds * 1_000 - 1;
    expect(await outcomeOf(platform.refresh(access))).toBe('none');
    now += 1;
    expect(await outcomeOf(platform.refresh(access))).toBe(outcome);
  });

  test('platform_c refuses a code with status 200', async () => {
    const form = { grant_type: 'authorization_code', code: 'x', redirect_uri: redirectUri };
    const body = new URLSearchParams({ ...form, ...sandboxClients.platform_c });
    const url = `${sandbox.baseUrl('platform_c')}/accounts.zoho.eu/oauth/v2/token`;
    const reply = await fetch(url, { method: 'POST', body });
    expect([reply.status, await reply.json()]).toEqual([200, { error: 'invalid_code' }]);
  });

  test('platform_c knows a token at one data center only', async () => {
    const { platform, access } = await connect('platform_c', { company: 'brennan-daughters' });
    const elsewhere = { ...access, dataCenter: 'in' };
    for (const read of [platform.company, platform.accountPage, platform.journalPage]) {
      expect(await outcomeOf(read(elsewhere, null))).toBe('credentials_refused');
    }
  });
});

describe.each(slotNames)('what goes wrong at %s', (slot) => {
  test.each([
    ['bad_code', 'code_refused'],
    ['expired_code', 'code_refused'],
    ['platform_errors', 'platform_unavailable'],
    ['rate_limited', 'rate_limited 3'],
    ['revoked', 'credentials_refused'],
  ])('%s ends connecting with %s', async (failure, reason) => {
    expect(await outcomeOf(connect(slot, { failure }))).toBe(reason);
  });

  test('slow ends connecting with platform_timed_out', async () => {
    const connected = connect(slot, { failure: 'slow' }, impatient);
    expect(await outcomeOf(connected)).toBe('platform_timed_out');
  });

  test('refresh_revoked lets the company be read and refuses to renew', async () => {
    const { platform, access, tokens } = await connect(slot, { failure: 'refresh_revoked' });
    expect(tokens.expiresInSeconds).toBe(30);
    expect(await outcomeOf(platform.company(access))).toBe('none');
    expect(await outcomeOf(platform.refresh(access))).toBe('credentials_refused');
  });

  test.each([
    ['accounts_error', 'platform_unavailable', 'platform_unavailable'],
    ['accounts_rate_limited', 'rate_limited 3', 'rate_limited 3'],
    ['accounts_error_once', 'platform_unavailable', 'none'],
    ['journals_error_once', 'platform_unavailable', 'none'],
    ['journals_rate_limited_once', 'rate_limited 3', 'none'],
    ['journals_day_limit', 'rate_limited 3600', 'none'],
  ])('%s ends reading with %s, and then with %s', async (failure, first, second) => {
    const company = companiesOf[slot].at(-1)?.id ?? '';
    const { platform, access } = await connect(slot, { failure, company });
    const { next } = await platform.journalPage(access, null);
    const secondPage = () => platform.journalPage(access, next);
    const [struck, spared] = failure.startsWith('accounts')
      ? [accountPages, secondPage]
      : [secondPage, accountPages];
    expect(await outcomeOf(spared(platform, access))).toBe('none');
    expect(await outcomeOf(struck(platform, access))).toBe(first);
    expect(await outcomeOf(struck(platform, access))).toBe(second);
  });

  test('pages_repeat brings the same journals again', async () => {
    const { platform, access } = await connect(slot, { failure: 'pages_repeat' });
    const first = await platform.journalPage(access, null);
    const second = await platform.journalPage(access, first.next);
    const referencesOf = ({ journals }: typeof first) => journals.map((it) => it.reference);
    expect(first.next).not.toBeNull();
    expect(second.next).not.toBe(first.next);
    expect(referencesOf(second)).toEqual(referencesOf(first));
    expect(referencesOf(first).length).toBeGreaterThan(10);
  });
});

describe('a query that the platform does not know', () => {
  const ask = async (slot: Slot, path: (companyId: string) => string) => {
    const { access } = await connect(slot);
    const { companyId, accessToken } = access;
    const headers = { Authorization: `Bearer ${accessToken}`, 'xero-tenant-id': companyId };
    const reply = await fetch(`${sandbox.baseUrl(slot)}/${path(companyId)}`, { headers });
    return { status: reply.status, body: (await reply.json()) as object };
  };

  test.each([
    'ManualJournals',
    'ManualJournals?page=0',
    'ManualJournals?page=1&pageSize=1001',
    'ManualJournals?page=1&order=UpdatedDateUTC',
    'ManualJournals?page=1&where=Status=="POSTED"',
    'Accounts?where=Type=="BANK"',
  ])('is refused by Xero: %s', async (path) => {
    const { status, body } = await ask('platform_a', () => `api.xero.com/api.xro/2.0/${path}`);
    expect([status, body]).toMatchObject([400, { ErrorNumber: 16, Type: 'QueryParseException' }]);
  });

  const askQuickBooks = (query: string) =>
    ask(
      'platform_b',
      (id) => `quickbooks.api.intuit.com/v3/company/${id}/query?${new URLSearchParams({ query })}`,
    );

  test.each([
    '',
    'select * from account',
    'select * from Customer',
    'select Id from Account',
    'select * from Account startposition 0',
    'select * from Account maxresults 1001',
    'select * from Account where Active = true',
    'select * from JournalEntry where Active in (true,false)',
    'select * from JournalEntry maxresults 10 startposition 1',
  ])('is refused by QuickBooks: "%s"', async (query) => {
    const { status, body } = await askQuickBooks(query);
    const errors = [{ Message: 'Error parsing query', code: '4000' }];
    expect([status, body]).toMatchObject([
      400,
      { Fault: { Error: errors, type: 'ValidationFault' } },
    ]);
  });

  test.each([
    ['without accounts that are not active, unasked', 'Account MAXRESULTS 1000', 95],
    ['with nothing behind the last', 'JournalEntry startposition 1001', 0],
  ])('is told from one that QuickBooks answers %s', async (_title, rest, count) => {
    const { status, body } = await askQuickBooks(`select * from ${rest}`);
    const { QueryResponse } = body as { QueryResponse: { Account?: object[] } };
    const { Account = [], ...about } = QueryResponse;
    expect([status, Account.length]).toEqual([200, count]);
    expect(about).toEqual(count > 0 ? { startPosition: 1, maxResults: count } : {});
  });
});
