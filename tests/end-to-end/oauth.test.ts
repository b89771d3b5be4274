// The authorization flow over HTTP: initiate, consent, callback, import, and all that can go wrong.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { companiesOf } from '#infra/sandbox/companies.ts';
import {
  callApi,
  makeDataFolder,
  type RunningService,
  startService,
} from '../support/processes/service.ts';
import { type ConsentChoice, giveConsent } from '../support/servers/sandbox.ts';

let service: RunningService;
let folder: Awaited<ReturnType<typeof makeDataFolder>>;

const redirectUrl = 'https://app.example.com/connected?from=ledger';

const ensureUser = async (email: string): Promise<string> => {
  const { body } = await callApi(service.demo, 'users/ensure/', {
    body: { email, password: 'correct horse', first_name: 'Ada', last_name: 'Lovelace' },
  });
  return body.data.user_id;
};

const initiate = async (userId: string, platform = 'platform_a', redirect = redirectUrl) => {
  const query = new URLSearchParams({
    user_id: userId,
    cash_flow_method: 'indirect',
    redirect_url: redirect,
  });
  return callApi(service.demo, `oauth/${platform}/initiate/?${query}`);
};

/** Walks from initiate through consent to the callback, and says where the browser ends up. */
const walk = async (email: string, choice: ConsentChoice = {}, platform = 'platform_a') => {
  const { body } = await initiate(await ensureUser(email), platform);
  const back = await giveConsent(body.data.authorization_url, choice);
  const reply = await fetch(back, { redirect: 'manual' });
  return { back, status: reply.status, location: reply.headers.get('Location') };
};

const tenantsOf = async (email: string) => {
  const { body } = await callApi(service.demo, 'users/profile/', { body: { email } });
  return body.data.tenants as { tenant_domain_url: string; status: string; currency: string }[];
};

beforeAll(async () => {
  folder = await makeDataFolder();
  service = await startService({ dataFolder: folder.path });
});

afterAll(async () => {
  await service.stop();
  await folder.remove();
});

describe('the authorization flow', () => {
  test('ends with a tenant whose chart of accounts arrives, to which entries post', async () => {
    const { status, location } = await walk('ada@example.com');
    expect(status).toBe(303);
    const landing = new URL(location ?? '');
    const prefix = landing.searchParams.get('domain_url');
    expect(landing.href).toBe(`${redirectUrl}&status=success&domain_url=${prefix}`);
    await expect
      .poll(async () => (await tenantsOf('ada@example.com'))[0], { timeout: 10_000 })
      .toMatchObject({ tenant_domain_url: prefix, status: 'active' });
    const [tenant] = await tenantsOf('ada@example.com');
    const [debit, credit] = companiesOf.platform_a[0]?.accounts ?? [];
    const posted = await callApi(service.demo, 'journal_entries/create/', {
      body: {
        domain_url: prefix,
        date: '2026-03-23',
        memo: 'First',
        transactionCurrency: tenant?.currency,
        reportingCurrency: tenant?.currency,
        entries: [
          { account: debit?.code, debit: '1.00' },
          { account: credit?.code, credit: '1.00' },
        ],
      },
    });
    expect(posted.status).toBe(200);
    expect(
      posted.body.data.transactions.map((line: { account_name: string }) => line.account_name),
    ).toEqual([debit?.name, credit?.name]);
  });

  test('a company that is connected again keeps its tenant', async () => {
    const first = await walk('grace@example.com', {}, 'platform_b');
    const second = await walk('grace@example.com', {}, 'platform_b');
    expect(second.location).toBe(first.location);
    expect(await tenantsOf('grace@example.com')).toHaveLength(1);
  });

  test.each<[ConsentChoice, string]>([
    [{ decision: 'deny' }, 'access_denied'],
    [{ failure: 'bad_code' }, 'authorization_failed'],
    [{ failure: 'expired_code' }, 'authorization_failed'],
    [{ failure: 'platform_errors' }, 'platform_failed'],
    [{ failure: 'rate_limited' }, 'platform_failed'],
    [{ failure: 'revoked' }, 'authorization_failed'],
    [{ failure: 'slow' }, 'platform_timed_out'],
  ])('%o sends the browser back with %s and leaves no tenant', async (choice, error) => {
    const email = `${error}-${choice.failure ?? 'none'}@example.com`;
    const { status, location } = await walk(email, choice);
    expect([status, location]).toEqual([303, `${redirectUrl}&status=error&error=${error}`]);
    expect(await tenantsOf(email)).toEqual([]);
  });

  test('a state works once, and never redirects when it does not', async () => {
    const { back } = await walk('once@example.com', {}, 'platform_c');
    for (const url of [back, new URL('?code=x&state=unknown', back), new URL('?code=x', back)]) {
      const reply = await fetch(url, { redirect: 'manual' });
      expect([reply.status, reply.headers.get('Location')]).toEqual([400, null]);
      expect(await reply.text()).toContain('This link does not work any more');
    }
  });

  test('an import that keeps failing says so in the profile', async () => {
    await walk('unlucky@example.com', { failure: 'accounts_error' }, 'platform_c');
    await expect
      .poll(async () => (await tenantsOf('unlucky@example.com'))[0]?.status, { timeout: 25_000 })
      .toBe('import_failed');
  });

  test.each([
    ['http://app.example.com/', 'redirect_url_not_valid'],
    ['https://user@app.example.com/', 'redirect_url_not_valid'],
    ['https://app.example.com/#part', 'redirect_url_not_valid'],
    ['https://app.example.com/?state=1', 'redirect_url_not_valid'],
    ['javascript:alert(1)', 'redirect_url_not_valid'],
  ])('refuses %s as a redirect_url', async (url, code) => {
    const reply = await initiate(await ensureUser('ada@example.com'), 'platform_a', url);
    expect(reply.status).toBe(422);
    expect(reply.body.error.details).toMatchObject([{ code, pointer: '/redirect_url' }]);
  });

  test('another application’s user cannot be connected', async () => {
    const reply = await initiate('12345');
    expect([reply.status, reply.body.error.code]).toEqual([404, 'user_not_found']);
  });
});
