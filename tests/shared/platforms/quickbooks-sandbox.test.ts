import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { companiesOf } from '#infra/sandbox/companies.ts';
import type { DemoCompany } from '#infra/sandbox/demo-company.ts';
import type { PlatformAccount } from '#shared/domain/accounts.ts';
import {
  type Platform,
  PlatformFailure,
  type PlatformJournal,
} from '#shared/platforms/platform.ts';
import { readPosted } from '../../support/readers/posted-journals.ts';
import { giveConsent, startTestSandbox } from '../../support/servers/sandbox.ts';

const redirectUri = 'http://localhost:3001/oauth/platform_b/callback';
const state = 'Secret-State';
const alder = companiesOf.platform_b.find(({ id }) => id === 'alder-software') as DemoCompany;

let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
let platform: Platform;
let now = new Date('2026-04-01T10:00:00Z');

beforeAll(async () => {
  sandbox = await startTestSandbox({
    timeoutMilliseconds: 800,
    slowMilliseconds: 1_500,
    clock: () => now,
  });
  platform = await sandbox.platforms.get('platform_b');
});
afterAll(() => sandbox.stop());

const consentWith = (choice: { company?: string; failure?: string }) =>
  giveConsent(platform.authorizationUrl({ redirectUri, state }), choice);

const connectWith = async (choice: { company?: string; failure?: string }) => {
  const callback = (await consentWith(choice)).searchParams;
  const code = callback.get('code') ?? '';
  return { code, callback, connecting: platform.connect({ code, redirectUri, callback }) };
};

/** Tokens that no browser was needed for. */
const grantDirectly = async (choice: { company_id?: string; failure?: string } = {}) => {
  const url = `${sandbox.baseUrl('platform_b')}/test-grants`;
  const reply = await fetch(url, { method: 'POST', body: JSON.stringify(choice) });
  const grant = (await reply.json()) as Record<string, string>;
  return {
    companyId: grant.platform_company_id ?? '',
    dataCenter: null,
    accessToken: grant.access_token ?? '',
    refreshToken: grant.refresh_token ?? '',
  };
};
type Grant = Awaited<ReturnType<typeof grantDirectly>>;

/** Every page of a collection, from the first on. */
const pagesOf = async <Page extends { next: string | null }>(
  read: (from: string | null) => Promise<Page>,
): Promise<Page[]> => {
  const pages: Page[] = [];
  let from: string | null = null;
  do {
    const page: Page = await read(from);
    pages.push(page);
    from = page.next;
  } while (from !== null);
  return pages;
};

const accountsOf = async (grant: Grant): Promise<PlatformAccount[][]> => {
  const pages = await pagesOf((from) => platform.accountPage(grant, from));
  return pages.map(({ accounts }) => accounts);
};

const journalsOf = async (grant: Grant): Promise<PlatformJournal[][]> => {
  const pages = await pagesOf((from) => platform.journalPage(grant, from));
  return Promise.all(pages.map(({ journals }) => readPosted(journals, grant)));
};

/** Fails the test where the call does not fail, or where the failure holds one of the secrets. */
const failureOf = async (failing: Promise<unknown>, secrets: string[]) => {
  const error = await failing.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof PlatformFailure)) throw new Error(`no PlatformFailure: ${inspect(error)}`);
  const everything = inspect(error, { depth: null, showHidden: true }) + JSON.stringify(error);
  for (const secret of [...secrets, state]) expect(everything).not.toContain(secret);
  const { reason, retryAfterSeconds } = error;
  return retryAfterSeconds === undefined ? { reason } : { reason, retryAfterSeconds };
};

const secretsOf = ({ accessToken, refreshToken }: Grant) => [accessToken, refreshToken];

describe('a connection that works', () => {
  test('goes from consent to tokens, company and refreshed tokens', async () => {
    const { connecting } = await connectWith({ company: 'sakura-printing' });
    const { tokens, company } = await connecting;
    expect(tokens).toEqual({
      accessToken: expect.stringMatching(/^[\w-]{43}$/),
      refreshToken: expect.stringMatching(/^[\w-]{43}$/),
      expiresInSeconds: 3600,
    });
    expect(company).toEqual({
      companyId: expect.stringMatching(/^9341\d{12}$/),
      dataCenter: null,
      name: 'Sakura Printing KK',
      currency: 'JPY',
    });
    const { accessToken, refreshToken } = await platform.refresh({ ...tokens, dataCenter: null });
    expect(refreshToken).not.toBe(tokens.refreshToken);
    expect(await platform.company({ ...company, accessToken })).toEqual(company);
  });

  test('collects every account, with codes where there are some', async () => {
    const grant = await grantDirectly({ company_id: alder.id });
    const pages = await accountsOf(grant);
    expect(pages).toEqual([
      alder.accounts.map((account, index) => ({ accountId: String(index + 1), ...account })),
    ]);
    expect(pages.flat().filter(({ status }) => status === 'archived')).toHaveLength(1);
    expect(pages.flat().filter(({ code }) => code === null)).toHaveLength(1);
  });

  test('collects a long chart page by page', async () => {
    const grant = await grantDirectly({ company_id: 'evergreen-holdings-b' });
    const pages = await accountsOf(grant);
    expect(pages.map((accounts) => accounts.length)).toEqual([...Array(10).fill(1000), 0]);
    expect(new Set(pages.flat().map(({ accountId }) => accountId)).size).toBe(10_000);
  });

  test('collects every journal that is posted, as it was made', async () => {
    const pages = await journalsOf(await grantDirectly({ company_id: alder.id }));
    const posted = Array.from({ length: alder.journalCount }, (_, index) => index)
      .map((index) => ({ reference: String(20_001 + index), ...alder.journalAt(index) }))
      .filter(({ status }) => status === 'posted');
    expect(pages.map((journals) => journals.length)).toEqual([100, 100, posted.length - 200]);
    const asNumbers = (text: string) => Number(text);
    expect(
      pages.flat().map(({ exchangeRate, lines, ...journal }) => ({
        ...journal,
        exchangeRate: exchangeRate?.toNumber() ?? null,
        lines: lines.map(({ debit, credit, ...line }) => ({
          ...line,
          debit: debit.toNumber(),
          credit: credit.toNumber(),
        })),
      })),
    ).toEqual(
      posted.map(({ reference, date, memo, currency, exchangeRate, lines }) => ({
        reference,
        date,
        memo,
        currency,
        exchangeRate: exchangeRate === null ? null : asNumbers(exchangeRate),
        lines: lines.map(({ account, description, debit, credit }) => ({
          accountId: String(account + 1),
          description,
          debit: asNumbers(debit),
          credit: asNumbers(credit),
        })),
      })),
    );
    const foreign = pages.flat().filter(({ currency }) => currency === 'EUR');
    expect(foreign.length).toBeGreaterThan(0);
    expect(foreign.every(({ exchangeRate }) => exchangeRate !== null)).toBe(true);
  });
});

describe('tokens', () => {
  test('are refreshed with the one before for a day, and not for longer', async () => {
    const grant = await grantDirectly();
    const next = await platform.refresh(grant);
    const start = now;
    now = new Date(start.getTime() + 24 * 60 * 60 * 1000 - 1);
    const late = await platform.refresh(grant);
    now = new Date(start.getTime() + 24 * 60 * 60 * 1000);
    const failing = platform.refresh(grant);
    expect(await failureOf(failing, secretsOf(grant))).toEqual({ reason: 'credentials_refused' });
    expect(await platform.refresh({ ...next, dataCenter: null })).toMatchObject({
      expiresInSeconds: 3600,
    });
    expect(await platform.company({ ...grant, ...late })).toMatchObject({ name: alder.name });
  });

  test('are given back for good, and once more without complaint', async () => {
    const grant = await grantDirectly();
    await platform.disconnect(grant);
    await platform.disconnect(grant);
    for (const failing of [platform.company(grant), platform.refresh(grant)]) {
      expect(await failureOf(failing, secretsOf(grant))).toEqual({ reason: 'credentials_refused' });
    }
  });

  test('are given back for one company only', async () => {
    const [grant, other] = [await grantDirectly(), await grantDirectly()];
    await platform.disconnect(grant);
    expect(await platform.company(other)).toMatchObject({ name: alder.name });
  });
});

describe('a code that is refused', () => {
  test.each<[string, string, object]>([
    ['is bad', 'bad_code', { reason: 'code_refused' }],
    ['has expired', 'expired_code', { reason: 'code_refused' }],
    ['meets an error', 'platform_errors', { reason: 'platform_unavailable' }],
    ['meets a slow platform', 'slow', { reason: 'platform_timed_out' }],
    ['meets a limit', 'rate_limited', { reason: 'rate_limited', retryAfterSeconds: 3 }],
  ])('%s', async (_title, failure, expected) => {
    const { code, connecting } = await connectWith({ failure });
    expect(await failureOf(connecting, [code])).toEqual(expected);
  });

  test('comes with another redirect URI, or is made up', async () => {
    const callback = (await consentWith({})).searchParams;
    const code = callback.get('code') ?? '';
    for (const grant of [
      { code, redirectUri: `${redirectUri}/other` },
      { code: 'Made-Up', redirectUri },
    ]) {
      const failing = platform.connect({ ...grant, callback });
      expect(await failureOf(failing, [grant.code])).toEqual({ reason: 'code_refused' });
    }
  });

  test('is good for no other company that its callback names', async () => {
    const callback = (await consentWith({})).searchParams;
    const code = callback.get('code') ?? '';
    callback.set('realmId', '9341000000000000');
    const failing = platform.connect({ code, redirectUri, callback });
    expect(await failureOf(failing, [code])).toEqual({ reason: 'company_not_found' });
  });
});

type Use = (grant: Grant) => Promise<unknown>;

const company: Use = (grant) => platform.company(grant);
const refresh: Use = (grant) => platform.refresh(grant);
const disconnect: Use = (grant) => platform.disconnect(grant);
const wait = { reason: 'rate_limited', retryAfterSeconds: 3 };

describe('a call that fails', () => {
  test.each<[string, Use, string, object]>([
    ['company, revoked', company, 'revoked', { reason: 'credentials_refused' }],
    ['accounts, revoked', accountsOf, 'revoked', { reason: 'credentials_refused' }],
    ['journals, revoked', journalsOf, 'revoked', { reason: 'credentials_refused' }],
    ['refresh, revoked', refresh, 'revoked', { reason: 'credentials_refused' }],
    ['company, 500', company, 'platform_errors', { reason: 'platform_unavailable' }],
    ['accounts, 500', accountsOf, 'platform_errors', { reason: 'platform_unavailable' }],
    ['journals, 500', journalsOf, 'platform_errors', { reason: 'platform_unavailable' }],
    ['refresh, 500', refresh, 'platform_errors', { reason: 'platform_unavailable' }],
    ['disconnect, 500', disconnect, 'platform_errors', { reason: 'platform_unavailable' }],
    ['company, 429', company, 'rate_limited', wait],
    ['refresh, 429', refresh, 'rate_limited', wait],
    ['disconnect, 429', disconnect, 'rate_limited', wait],
    ['company, slow', company, 'slow', { reason: 'platform_timed_out' }],
    ['refresh, slow', refresh, 'slow', { reason: 'platform_timed_out' }],
    ['accounts, 429', accountsOf, 'accounts_rate_limited', wait],
    ['accounts, half-way', accountsOf, 'accounts_error', { reason: 'platform_unavailable' }],
  ])('%s', async (_title, use, failure, expected) => {
    const grant = await grantDirectly({ failure });
    expect(await failureOf(use(grant), secretsOf(grant))).toEqual(expected);
  });

  test.each<[string, object]>([
    ['journals_error_once', { reason: 'platform_unavailable' }],
    ['journals_rate_limited_once', wait],
    ['journals_day_limit', { reason: 'rate_limited', retryAfterSeconds: 3600 }],
  ])('journals on page 2 the first time only: %s', async (failure, expected) => {
    const grant = await grantDirectly({ failure });
    const { next } = await platform.journalPage(grant, null);
    expect(next).toBe('101');
    const failing = platform.journalPage(grant, next);
    expect(await failureOf(failing, secretsOf(grant))).toEqual(expected);
    expect(await platform.journalPage(grant, next)).toMatchObject({ next: '201' });
  });

  test('journals whose first page comes again and again', async () => {
    const grant = await grantDirectly({ failure: 'pages_repeat' });
    const first = await platform.journalPage(grant, null);
    const second = await platform.journalPage(grant, first.next);
    const references = first.journals.map(({ reference }) => reference);
    expect(second.journals.map(({ reference }) => reference)).toEqual(references);
    expect([first.next, second.next]).toEqual(['101', '201']);
  });

  test('a company that was not consented to', async () => {
    const grant = await grantDirectly({ company_id: 'alder-software' });
    const { companyId } = await grantDirectly({ company_id: 'sakura-printing' });
    for (const failing of [
      platform.company({ ...grant, companyId }),
      platform.accountPage({ ...grant, companyId }, null),
      platform.journalPage({ ...grant, companyId }, null),
    ]) {
      expect(await failureOf(failing, secretsOf(grant))).toEqual({ reason: 'company_not_found' });
    }
  });
});

describe('the language of queries', () => {
  const ask = async (query: string) => {
    const { companyId, accessToken } = await grantDirectly({ company_id: alder.id });
    const base = `${sandbox.baseUrl('platform_b')}/quickbooks.api.intuit.com/v3/company`;
    const url = `${base}/${companyId}/query?${new URLSearchParams({ query })}`;
    const reply = await fetch(url, { headers: { Authorization: `Bearer ${accessToken}` } });
    const text = await reply.text();
    return { status: reply.status, tid: reply.headers.get('intuit_tid'), body: JSON.parse(text) };
  };

  test('leaves out accounts that are not active unless it is asked for them', async () => {
    const { body } = await ask('SELECT * FROM Account MAXRESULTS 1000');
    expect(body.QueryResponse).toMatchObject({ startPosition: 1, maxResults: 95 });
    const [first] = body.QueryResponse.Account;
    expect(first).toMatchObject({ Id: '1', FullyQualifiedName: 'Petty cash', AcctNum: '1000' });
  });

  test('has a page of nothing behind the last', async () => {
    const { status, tid, body } = await ask('select * from JournalEntry startposition 1001');
    expect({ status, QueryResponse: body.QueryResponse }).toEqual({
      status: 200,
      QueryResponse: {},
    });
    expect(tid).toMatch(/^[0-9a-f-]{36}$/);
  });

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
  ])('does not know "%s"', async (query) => {
    const { status, body } = await ask(query);
    expect(status).toBe(400);
    expect(body.Fault).toMatchObject({
      Error: [{ Message: 'Error parsing query', code: '4000' }],
      type: 'ValidationFault',
    });
  });
});
