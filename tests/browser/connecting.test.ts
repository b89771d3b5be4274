// Connecting a company in a real browser, at each platform: from the application's request to an
// entry that is posted to an imported account.

import { afterAll, describe, expect, test, vi } from 'vitest';
import { companiesOf } from '#infra/sandbox/companies.ts';
import type { DemoCompany } from '#infra/sandbox/demo-company.ts';
import { type Slot, slotNames } from '#shared/platforms/slots.ts';
import { callApi } from '../support/processes/service.ts';
import { serve } from '../support/servers/serve.ts';
import { answerConsent, openWalks, type WalkUser, walk } from './support/walk.ts';

// An import reads a report for each of 25 months, at the pace of imports.
vi.setConfig({ testTimeout: 120_000 });

const companyOf: Record<Slot, string> = {
  platform_a: 'linden-bakery',
  platform_b: 'alder-software',
  platform_c: 'brennan-daughters',
};

/** Companies that only one walk connects, since it makes them fail. */
const otherCompanyOf: Record<Slot, string> = {
  platform_a: 'harbour-coffee',
  platform_b: 'sakura-printing',
  platform_c: 'fjord-fish',
};

const walks = await openWalks();
afterAll(walks.stop);
const page = await walks.newPage();

/** The users who connected a company. No other user is linked to its tenant. */
const owners = new Map<string, WalkUser>();
const ownerOf = async (company: string): Promise<WalkUser> => {
  const owner = owners.get(company) ?? (await walks.newUser());
  owners.set(company, owner);
  return owner;
};

const untilStatus = (email: string, status: string) =>
  expect
    .poll(async () => (await walks.tenantsOf(email))[0], { timeout: 60_000, interval: 200 })
    .toMatchObject({ status });

const demoOf = (slot: Slot) =>
  companiesOf[slot].find(({ id }) => id === companyOf[slot]) as DemoCompany;

/** Two accounts that can be posted to, by their codes. */
const codesOf = (slot: Slot): string[] => {
  const active = demoOf(slot).accounts.filter(({ status, code }) => status === 'active' && code);
  return active.slice(0, 2).map(({ code }) => code ?? '');
};

const post = (tenant: { tenant_domain_url: string; currency: string }, codes: string[]) =>
  callApi(walks.service.demo, 'journal_entries/create/', {
    body: {
      domain_url: tenant.tenant_domain_url,
      date: '2026-03-23',
      memo: 'First entry after the import',
      transactionCurrency: tenant.currency,
      reportingCurrency: tenant.currency,
      entries: [
        { account: codes[0], debit: '12.00' },
        { account: codes[1], credit: '12.00' },
      ],
    },
  });

const postedJournalsOf = (slot: Slot): number => {
  const { journalCount: length, journalAt } = demoOf(slot);
  const journals = Array.from({ length }, (_, index) => journalAt(index));
  return journals.filter(({ status }) => status === 'posted').length;
};

describe.each(slotNames)('at %s', (slot) => {
  test('consent leads to an imported tenant, to which entries post', async () => {
    const choice = { company: companyOf[slot] };
    const user = await ownerOf(choice.company);
    const { email, landing } = await walk(walks, { slot, page, choice, user });
    const prefix = landing.searchParams.get('domain_url') ?? '';
    expect(landing.search).toBe(`?status=success&domain_url=${prefix}`);
    await untilStatus(email, 'active');
    const [tenant] = await walks.tenantsOf(email);
    if (tenant === undefined) throw new Error('no tenant');
    expect(tenant).toMatchObject({ tenant_domain_url: prefix, status_reason: null });
    const posted = await post(tenant, codesOf(slot));
    expect([posted.status, posted.body.data.journal_number]).toEqual([200, 'MJ-20260323-0001']);
    const shown = await walks.ops(`imports show --tenant ${prefix} --application Demo`);
    expect(shown).toMatchObject({
      status: 'complete',
      journals_imported: postedJournalsOf(slot),
      journals_refused: 0,
    });
  });

  test.each([
    ['a denial', { decision: 'Deny' as const }, 'access_denied'],
    ['an expired code', { failure: 'expired_code' }, 'authorization_failed'],
    ['a platform that is down', { failure: 'platform_errors' }, 'platform_failed'],
  ])('%s redirects back with an error, and creates no tenant', async (_, chosen, error) => {
    const choice = { company: otherCompanyOf[slot], ...chosen };
    const { email, landing } = await walk(walks, { slot, page, choice });
    expect(landing.search).toBe(`?status=error&error=${error}`);
    expect(await walks.tenantsOf(email)).toEqual([]);
  });

  test('a limit in the middle of the import holds it up and loses nothing', async () => {
    const choice = { company: otherCompanyOf[slot], failure: 'journals_rate_limited_once' };
    const user = await ownerOf(choice.company);
    const { email } = await walk(walks, { slot, page, choice, user });
    await untilStatus(email, 'active');
  });

  test('access that cannot be renewed disconnects the tenant; consent revives it', async () => {
    const company = otherCompanyOf[slot];
    const user = await ownerOf(company);
    const revoked = { slot, page, user, choice: { company, failure: 'refresh_revoked' } };
    const { email, landing } = await walk(walks, revoked);
    await untilStatus(email, 'disconnected');
    expect((await walks.tenantsOf(email))[0]?.status_reason).toBe('credentials_refused');
    const again = await walk(walks, { slot, page, user, choice: { company } });
    expect(again.landing.search).toBe(landing.search);
    await untilStatus(email, 'active');
  });

  test('a state that is wrong or used leads to a plain page, and nowhere else', async () => {
    const { userId } = await ownerOf(companyOf[slot]);
    const { redirectUrl } = walks.application;
    const { body } = await walks.initiate(userId, { slot, redirectUrl });
    const callbacks: string[] = [];
    const collect = (request: { url: () => string }) => {
      if (request.url().startsWith(walks.service.demo.callback_url)) callbacks.push(request.url());
    };
    page.on('request', collect);
    await page.goto(body.data.authorization_url);
    await answerConsent(page, slot, { company: companyOf[slot] });
    await page.waitForURL(`${redirectUrl}**`);
    page.off('request', collect);
    const used = callbacks[0] ?? '';
    const wrong = new URL(used);
    wrong.searchParams.set('state', 'x'.repeat(43));
    for (const [url, status, heading] of [
      [used, 200, 'The company is already connected'],
      [wrong.href, 400, 'This link does not work any more'],
    ] as const) {
      const reply = await page.goto(url);
      expect(reply?.status()).toBe(status);
      expect(page.url()).toBe(url);
      expect(await page.getByRole('heading').textContent()).toBe(heading);
    }
  });

  test('a redirect_uri that the platform does not know is not redirected to', async () => {
    const { userId } = await walks.newUser();
    const { body } = await walks.initiate(userId, { slot });
    const url = new URL(body.data.authorization_url);
    url.searchParams.set('redirect_uri', 'https://thief.example/callback');
    const reply = await page.goto(url.href);
    expect([reply?.status(), page.url()]).toEqual([400, url.href]);
  });
});

/** Two companies of one consent. */
const severalOf = {
  platform_a: { company: 'cedar-interiors', besides: 'cedar-interiors-gulf' },
  platform_c: { company: 'olive-trading' },
} as const;
const shown = { platform_a: 'Cedar Interiors Gulf WLL', platform_c: 'Olive Trading North Ltd' };

describe.each(['platform_a', 'platform_c'] as const)('several companies at %s', (slot) => {
  const choice = severalOf[slot];
  const heading = { name: 'Which company do you want to connect?' };

  test('are offered, and the chosen one is connected', async () => {
    const callbacks: string[] = [];
    const { email, landing } = await walk(walks, {
      slot,
      page,
      choice,
      onTheWay: async () => {
        await page.getByRole('heading', heading).waitFor();
        callbacks.push(page.url());
        await page.reload();
        await page.getByRole('button', { name: 'Connect' }).click();
        expect(page.url(), 'nothing was chosen').toBe(callbacks[0]);
        await page.getByRole('radio', { name: shown[slot] }).check();
        await page.getByRole('button', { name: 'Connect' }).click();
      },
    });
    expect(landing.searchParams.get('status')).toBe('success');
    expect(await walks.tenantsOf(email)).toMatchObject([{ company_name: shown[slot] }]);
    await untilStatus(email, 'active');
    await page.goto(callbacks[0] ?? '');
    expect(await page.getByRole('heading').textContent()).toBe('The company is already connected');
  });

  test('are offered, and none is connected if the user cancels', async () => {
    const { email, landing } = await walk(walks, {
      slot,
      page,
      choice,
      onTheWay: () => page.getByRole('button', { name: 'Cancel' }).click(),
    });
    expect(landing.search).toBe('?status=error&error=access_denied');
    expect(await walks.tenantsOf(email)).toEqual([]);
  });
});

test('an application may redirect the browser to another address', async () => {
  const home = await serve((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Home</h1>');
  });
  const application = await serve((_request, response) => {
    response.writeHead(302, { Location: `${home.url}/home` }).end();
  });
  const { userId } = await walks.newUser();
  const asked = { slot: 'platform_c', redirectUrl: `${application.url}/back` } as const;
  const { body } = await walks.initiate(userId, asked);
  await page.goto(body.data.authorization_url);
  await answerConsent(page, 'platform_c', severalOf.platform_c);
  await page.getByRole('radio', { name: 'Olive Trading Ltd' }).check();
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.waitForURL(`${home.url}/home`, { timeout: 20_000 });
  await Promise.all([home.stop(), application.stop()]);
});
