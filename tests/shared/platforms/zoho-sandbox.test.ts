import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { companiesOf } from '#infra/sandbox/companies.ts';
import type { DemoCompany } from '#infra/sandbox/demo-company.ts';
import { zoho } from '#infra/sandbox/dialects/zoho.ts';
import type { PlatformAccount } from '#shared/domain/accounts.ts';
import {
  type CompanyAccess,
  type Platform,
  PlatformFailure,
  type PlatformJournal,
} from '#shared/platforms/platform.ts';
import { createZoho } from '#shared/platforms/zoho.ts';
import { giveConsent, sandboxClients, startTestSandbox } from '../../support/servers/sandbox.ts';

const redirectUri = 'http://localhost:3001/oauth/platform_c/callback';
const state = 'Secret-State';

let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
let platform: Platform;

beforeAll(async () => {
  sandbox = await startTestSandbox({ timeoutMilliseconds: 5_000, slowMilliseconds: 1_000 });
  platform = await sandbox.platforms.get('platform_c');
});
afterAll(() => sandbox.stop());

const demoCompany = (id: string): DemoCompany => {
  const found = companiesOf.platform_c.find((company) => company.id === id);
  if (found === undefined) throw new Error(`there is no demo company ${id}`);
  return found;
};

/** Another adapter for the same sandbox. */
const openAdapter = (options: { clientSecret?: string; timeoutMilliseconds?: number }): Platform =>
  createZoho({
    clientId: sandboxClients.platform_c.client_id,
    clientSecret: sandboxClients.platform_c.client_secret,
    baseUrlOverride: sandbox.baseUrl('platform_c'),
    ...options,
  });

const consentWith = async (choice: { company?: string; failure?: string }) => {
  const { searchParams: callback } = await giveConsent(
    platform.authorizationUrl({ redirectUri, state }),
    choice,
  );
  return { code: callback.get('code') ?? '', callback };
};

/** Tokens that no browser was needed for, and that are known before the test can see them leak. */
const grantDirectly = async (choice: { company_id?: string; failure?: string } = {}) => {
  const url = `${sandbox.baseUrl('platform_c')}/test-grants`;
  const reply = await fetch(url, { method: 'POST', body: JSON.stringify(choice) });
  const grant = (await reply.json()) as { access_token: string; refresh_token: string };
  const company = demoCompany(choice.company_id ?? 'brennan-daughters');
  return {
    accessToken: grant.access_token,
    refreshToken: grant.refresh_token,
    companyId: zoho.companyIdOf(company),
    dataCenter: company.dataCenter,
  };
};
type Grant = Awaited<ReturnType<typeof grantDirectly>>;

const everyAccount = async (access: CompanyAccess): Promise<PlatformAccount[]> => {
  const accounts: PlatformAccount[] = [];
  let from: string | null = null;
  do {
    const page = await platform.accountPage(access, from);
    accounts.push(...page.accounts);
    from = page.next;
  } while (from !== null);
  return accounts;
};

const everyJournal = async (access: CompanyAccess): Promise<PlatformJournal[]> => {
  const journals: PlatformJournal[] = [];
  let from: string | null = null;
  do {
    const page = await platform.journalPage(access, from);
    for (const { read } of page.journals) {
      const journal = await read(access);
      if (journal !== null) journals.push(journal);
    }
    from = page.next;
  } while (from !== null);
  return journals;
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

describe('a connection that works', () => {
  test.each(['brennan-daughters', 'jaipur-textiles'])(
    'goes from consent to tokens, company and refreshed tokens: %s',
    async (id) => {
      const { name, currency, dataCenter, ...demo } = demoCompany(id);
      const consent = await consentWith({ company: id });
      const { tokens, company } = await platform.connect({ ...consent, redirectUri });
      expect(tokens).toEqual({
        accessToken: expect.stringMatching(/^[\w-]{43}$/),
        refreshToken: expect.stringMatching(/^[\w-]{43}$/),
        expiresInSeconds: 3600,
      });
      const companyId = zoho.companyIdOf({ name, currency, dataCenter, ...demo });
      expect(company).toEqual({ companyId, dataCenter, name, currency });
      const { refreshToken } = tokens;
      const refreshed = await platform.refresh({ refreshToken, dataCenter });
      expect(refreshed).toEqual({
        accessToken: expect.stringMatching(/^[\w-]{43}$/),
        refreshToken,
        expiresInSeconds: 3600,
      });
      expect(refreshed.accessToken).not.toBe(tokens.accessToken);
      const access = { companyId, dataCenter, accessToken: refreshed.accessToken };
      expect(await platform.company(access)).toEqual(company);
    },
  );

  test('collects every account, with those that are not active', async () => {
    const access = await grantDirectly();
    const company = demoCompany('brennan-daughters');
    const accounts = await everyAccount(access);
    expect(accounts).toEqual(
      company.accounts.map((account, index) => ({
        accountId: zoho.accountIdOf(company, index),
        ...account,
      })),
    );
    expect(accounts.filter(({ status }) => status === 'archived')).toHaveLength(1);
  });

  test('goes over pages where there are more than 200 accounts', async () => {
    const access = await grantDirectly({ company_id: 'evergreen-holdings-c' });
    const accounts = await everyAccount(access);
    expect(new Set(accounts.map(({ accountId }) => accountId)).size).toBe(10_000);
  });

  test('collects every journal that is posted, in whatever currency', async () => {
    const access = await grantDirectly();
    const company = demoCompany('brennan-daughters');
    const journals = (await everyJournal(access)).map(({ exchangeRate, lines, ...journal }) => ({
      ...journal,
      exchangeRate: exchangeRate?.toFixed(4),
      lines: lines.map(({ debit, credit, ...line }) => ({
        ...line,
        debit: debit.toFixed(2),
        credit: credit.toFixed(2),
      })),
    }));
    const posted = Array.from({ length: company.journalCount }, (_, index) =>
      company.journalAt(index),
    ).filter(({ status }) => status === 'posted');
    expect(journals).toEqual(
      posted.map(({ status: _, exchangeRate, lines, ...journal }) => ({
        reference: expect.stringMatching(/^\d{19}$/),
        ...journal,
        exchangeRate: exchangeRate ?? '1.0000',
        lines: lines.map(({ account, ...line }) => ({
          accountId: zoho.accountIdOf(company, account),
          ...line,
        })),
      })),
    );
    expect(new Set(journals.map(({ reference }) => reference)).size).toBe(journals.length);
    expect(new Set(journals.map(({ currency }) => currency))).toEqual(new Set(['EUR', 'GBP']));
  });

  test('ends when the access is given back, which may be done twice', async () => {
    const grant = await grantDirectly();
    await platform.disconnect(grant);
    await platform.disconnect(grant);
    const refused = { reason: 'credentials_refused' };
    const { accessToken, refreshToken } = grant;
    expect(await failureOf(platform.company(grant), [accessToken])).toEqual(refused);
    expect(await failureOf(platform.refresh(grant), [refreshToken])).toEqual(refused);
  });
});

describe('a code that is refused', () => {
  test('comes with status 200 and in words that only Zoho has', async () => {
    const { client_id, client_secret } = sandboxClients.platform_c;
    const form = { grant_type: 'authorization_code', code: 'Made-Up', redirect_uri: redirectUri };
    const reply = await fetch(`${sandbox.baseUrl('platform_c')}/accounts.zoho.eu/oauth/v2/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...form, client_id, client_secret }),
    });
    expect([reply.status, await reply.json()]).toEqual([200, { error: 'invalid_code' }]);
  });

  test.each<[string, object, object]>([
    ['because the platform says it is bad', { failure: 'bad_code' }, { reason: 'code_refused' }],
    ['because it has expired', { failure: 'expired_code' }, { reason: 'code_refused' }],
    [
      'because of an error of the platform',
      { failure: 'platform_errors' },
      { reason: 'platform_unavailable' },
    ],
    [
      'because of a rate limit, with the time to wait',
      { failure: 'rate_limited' },
      { reason: 'rate_limited', retryAfterSeconds: 3 },
    ],
  ])('%s', async (_title, choice, expected) => {
    const consent = await consentWith(choice);
    const failing = platform.connect({ ...consent, redirectUri });
    expect(await failureOf(failing, [consent.code])).toEqual(expected);
  });

  test('because it comes with another redirect URI, or is made up', async () => {
    const consent = await consentWith({});
    for (const grant of [
      { ...consent, redirectUri: `${redirectUri}/other` },
      { ...consent, code: 'Made-Up', redirectUri },
    ]) {
      const expected = { reason: 'code_refused' };
      expect(await failureOf(platform.connect(grant), [grant.code])).toEqual(expected);
    }
  });
});

const company = (grant: Grant) => platform.company(grant);
const accounts = (grant: Grant) => everyAccount(grant);
const journals = (grant: Grant) => everyJournal(grant);
const refresh = (grant: Grant) => platform.refresh(grant);

describe('a call that fails', () => {
  test.each<[string, (grant: Grant) => Promise<unknown>, string, object]>([
    ['company, revoked', company, 'revoked', { reason: 'credentials_refused' }],
    ['accounts, revoked', accounts, 'revoked', { reason: 'credentials_refused' }],
    ['journals, revoked', journals, 'revoked', { reason: 'credentials_refused' }],
    ['refresh, revoked', refresh, 'revoked', { reason: 'credentials_refused' }],
    ['refresh, cannot be renewed', refresh, 'refresh_revoked', { reason: 'credentials_refused' }],
    ['company, 500', company, 'platform_errors', { reason: 'platform_unavailable' }],
    ['refresh, 500', refresh, 'platform_errors', { reason: 'platform_unavailable' }],
    ['company, 429', company, 'rate_limited', { reason: 'rate_limited', retryAfterSeconds: 3 }],
    ['refresh, 429', refresh, 'rate_limited', { reason: 'rate_limited', retryAfterSeconds: 3 }],
    ['accounts, 500', accounts, 'accounts_error', { reason: 'platform_unavailable' }],
    [
      'accounts, 429',
      accounts,
      'accounts_rate_limited',
      { reason: 'rate_limited', retryAfterSeconds: 3 },
    ],
    [
      'journals, the limit of a day',
      journals,
      'journals_day_limit',
      { reason: 'rate_limited', retryAfterSeconds: 3600 },
    ],
  ])('%s', async (_title, use, failure, expected) => {
    const grant = await grantDirectly({ failure });
    const { accessToken, refreshToken } = grant;
    expect(await failureOf(use(grant), [accessToken, refreshToken])).toEqual(expected);
  });

  test('journals that fail once can be had the second time', async () => {
    const grant = await grantDirectly({ failure: 'journals_error_once' });
    expect(await failureOf(journals(grant), [])).toEqual({ reason: 'platform_unavailable' });
    expect(await journals(grant)).not.toEqual([]);
  });

  test('pages that repeat are given as they come, for whoever compares them', async () => {
    const grant = await grantDirectly({ failure: 'pages_repeat' });
    const first = await platform.accountPage(grant, null);
    const second = await platform.accountPage(grant, first.next);
    expect(second).toEqual({ ...first, next: '3' });
  });

  test('a company that was not consented to', async () => {
    const grant = await grantDirectly({ company_id: 'brennan-daughters' });
    const wrong = { ...grant, companyId: zoho.companyIdOf(demoCompany('fjord-fish')) };
    const expected = { reason: 'company_not_found' };
    for (const use of [company, accounts, journals]) {
      expect(await failureOf(use(wrong), [grant.accessToken])).toEqual(expected);
    }
  });

  test('a company at another data center, which does not know the token', async () => {
    const grant = await grantDirectly({ company_id: 'brennan-daughters' });
    const wrong = { ...grant, dataCenter: 'in' };
    const expected = { reason: 'credentials_refused' };
    for (const use of [company, accounts, journals]) {
      expect(await failureOf(use(wrong), [grant.accessToken])).toEqual(expected);
    }
  });

  test('a reply that comes later than the adapter waits', async () => {
    const impatient = openAdapter({ timeoutMilliseconds: 200 });
    const grant = await grantDirectly({ failure: 'slow' });
    const consent = await consentWith({ failure: 'slow' });
    const expected = { reason: 'platform_timed_out' };
    for (const use of [
      () => impatient.company(grant),
      () => impatient.refresh(grant),
      () => impatient.connect({ ...consent, redirectUri }),
    ]) {
      expect(await failureOf(use(), [grant.accessToken, grant.refreshToken])).toEqual(expected);
    }
  });

  test('client credentials that are wrong do not count against the tenant', async () => {
    const grant = await grantDirectly();
    const wrong = openAdapter({ clientSecret: 'Wrong' });
    expect(await failureOf(wrong.refresh(grant), [grant.refreshToken, 'Wrong'])).toEqual({
      reason: 'platform_unavailable',
    });
  });
});
