import Big from 'big.js';
import { afterAll, describe, expect, test } from 'vitest';
import { companiesOf } from '#infra/sandbox/companies.ts';
import type { DemoCompany, DemoLine } from '#infra/sandbox/demo-company.ts';
import { codeOf } from '#infra/sandbox/dialects/xero-books.ts';
import { localDialects } from '#infra/sandbox/dialects.ts';
import { codeChallengeOf } from '#shared/connections/authorization-states.ts';
import type {
  CompanyAccess,
  CompanyChoice,
  PageRequest,
  Platform,
} from '#shared/platforms/platform.ts';
import { type Slot, slotNames } from '#shared/platforms/slots.ts';
import { pageOf, readListed, reasonOf } from '../../support/harnesses/adapters.ts';
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
  const { tokens, choices } = await platform.connect({
    ...{ redirectUri: request.redirectUri, code, codeVerifier },
    callback: searchParams,
  });
  const chosen = choices[0] as CompanyChoice;
  return { platform, tokens, choices, access: { ...chosen, ...tokens } };
};

/** The pages of a list, one after the other, each as large as the platform makes them. */
const readPages = async <Page extends { next: string | null }>(
  read: (page: PageRequest) => Promise<Page>,
  request: Partial<PageRequest>,
): Promise<Page[]> => {
  const pages: Page[] = [];
  let cursor: string | null = null;
  do {
    const page: Page = await read(pageOf({ ...request, cursor }));
    pages.push(page);
    cursor = page.next;
  } while (cursor !== null);
  return pages;
};

const accountPages = (platform: Platform, access: CompanyAccess, request = {}) =>
  readPages((page) => platform.accountPage(access, page), {
    rows: platform.pageSizes.accounts[0] as number,
    ...request,
  });
const journalPages = (platform: Platform, access: CompanyAccess, request = {}) =>
  readPages((page) => platform.journalPage(access, page), {
    rows: platform.pageSizes.journals[0] as number,
    ...request,
  });

const readAccounts = async (platform: Platform, access: CompanyAccess) =>
  (await accountPages(platform, access)).flatMap(({ accounts }) => accounts);

/** Every journal with what it turns out to be. */
const readJournals = async (platform: Platform, access: CompanyAccess, request = {}) => {
  const pages = await journalPages(platform, access, request);
  const listed = pages.flatMap(({ journals }) => journals);
  return Promise.all(listed.map((journal) => readListed(journal, access)));
};
const readPosted = async (platform: Platform, access: CompanyAccess) =>
  (await readJournals(platform, access)).flatMap((read) =>
    read.state === 'posted' ? read.journal : [],
  );

const outcomeOf = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'none',
    () => reasonOf(call),
  );

const sumBig = (amounts: readonly string[]): string =>
  amounts.reduce((sum, amount) => sum.plus(amount), new Big(0)).toFixed();

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
    const { platform, access, tokens } = await connect(slot, { company: demo.id });
    const company = await platform.company(access);
    const { companyIdOf, accountIdOf } = localDialects[slot];
    expect(tokens.expiresInSeconds).toBe(lifetimes[slot]);
    expect(company).toEqual({
      companyId: companyIdOf(demo),
      dataCenter: slot === 'platform_c' ? demo.dataCenter : null,
      name: demo.name,
      currency: demo.currency,
      financialYearEnd: demo.fiscalYearStart === 4 ? '03-31' : '12-31',
    });
    const accounts = await readAccounts(platform, access);
    const expected = demo.accounts.map((account, index) => ({
      accountId: accountIdOf(demo, index),
      code: slot === 'platform_a' ? codeOf(account) : account.code,
      ...{ name: account.name, type: account.type, status: account.status },
    }));
    // How the statements show an account follows from the platform's own types.
    const plain = accounts.map(({ subtype: _subtype, cashFlow: _cashFlow, ...it }) => it);
    expect(new Map(plain.map((it) => [it.accountId, it]))).toEqual(
      new Map(expected.map((it) => [it.accountId, it])),
    );

    const indexes = new Map(expected.map(({ accountId }, index) => [accountId, index]));
    const journals = await readPosted(platform, access);
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
    ['platform_a', 'cedar-interiors'],
    ['platform_b', 'cypress-clinics'],
    ['platform_c', 'olive-trading'],
  ] as const)('%s reads the taxed and odd books of %s', async (slot, id) => {
    const demo = companiesOf[slot].find((company) => company.id === id) as DemoCompany;
    const { platform, access } = await connect(slot, { company: id });
    const pages = await accountPages(platform, access);
    const counts = pages.map(({ accounts, refused }) => accounts.length + refused.length);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(demo.accounts.length);
    expect(pages.flatMap(({ refused }) => refused)).not.toHaveLength(0);

    const reads = await readJournals(platform, access);
    const posted = reads.flatMap((read) => (read.state === 'posted' ? read.journal : []));
    for (const { lines, memo } of posted) {
      const sumOf = (place: number) => sumBig(lines.map((line) => line[place] ?? '0'));
      expect(sumOf(2), memo).toBe(sumOf(3));
    }
    // Xero names an account by its code as well as by its id.
    const isReadable = ({ account, hole }: DemoLine) =>
      hole !== 'account' || (slot === 'platform_a' && demo.accounts[account]?.code !== null);
    const made = postedOf(demo);
    const readable = made.filter(({ hole, lines }) => hole !== 'date' && lines.every(isReadable));
    expect(
      posted
        .map(({ memo, lines }) => [memo, sumBig(lines.map(([, , debit = '0']) => debit))].join())
        .toSorted(),
    ).toEqual(
      readable
        .map(({ memo, lines }) => {
          const debits = lines.filter(({ debit }) => Number(debit) > 0);
          const amounts = debits.flatMap(({ debit, tax }) => [debit, tax?.amount ?? '0']);
          return [memo, sumBig(amounts)].join();
        })
        .toSorted(),
    );
    const refused = reads.filter(({ state }) => state === 'refused');
    expect(refused).toHaveLength(made.length - readable.length);
  });

  test.each<[string, Slot, ConsentChoice, string[]]>([
    [
      'several companies of one consent',
      'platform_a',
      { companies: ['cedar-interiors', 'cedar-interiors-gulf'] },
      ['cedar-interiors', 'cedar-interiors-gulf'],
    ],
    [
      'those of a user that are active',
      'platform_c',
      { company: 'olive-trading' },
      ['olive-trading', 'olive-trading-north'],
    ],
    ['one in the UAE', 'platform_c', { company: 'dune-logistics' }, ['dune-logistics']],
  ])('finds %s at %s', async (_title, slot, choice, ids) => {
    const { platform, choices, access } = await connect(slot, choice);
    const { companyIdOf } = localDialects[slot];
    const demos = companiesOf[slot].filter(({ id }) => ids.includes(id));
    expect(new Set(choices.map(({ companyId }) => companyId))).toEqual(
      new Set(demos.map(companyIdOf)),
    );
    for (const { companyId, dataCenter } of choices) {
      const { accessToken } = access;
      const { currency } = await platform.company({ companyId, dataCenter, accessToken });
      expect(currency).toBe(demos.find((demo) => companyIdOf(demo) === companyId)?.currency);
    }
  });

  test('platform_a lists the journals that have changed since', async () => {
    const demo = companiesOf.platform_a.find(({ id }) => id === 'cedar-interiors') as DemoCompany;
    const { platform, access } = await connect('platform_a', { company: demo.id });
    const modifiedSince = new Date('2026-07-01T00:00:00Z');
    const changed = await readJournals(platform, access, { modifiedSince });
    const made = Array.from({ length: demo.journalCount }, (_, index) => demo.journalAt(index));
    expect(changed).toHaveLength(made.filter((it) => it.modifiedAt >= '2026-07').length);
    expect(changed).not.toHaveLength(0);
  });

  test.each([
    ['platform_a', 'evergreen-holdings-a', [10_000]],
    ['platform_b', 'evergreen-holdings-b', [...Array(10).fill(1_000), 0]],
    ['platform_c', 'evergreen-holdings-c', Array(50).fill(200)],
  ] as const)('%s gives the long chart of %s in its pages', async (slot, company, lengths) => {
    const { platform, access } = await connect(slot, { company });
    const pages = (await accountPages(platform, access)).map(({ accounts }) => accounts);
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

  test('platform_c opens no books of an organization that is not active', async () => {
    const [former, olive] = companiesOf.platform_c.filter(({ owner }) => owner === 'olive');
    const { platform, access } = await connect('platform_c', { company: olive?.id ?? '' });
    const companyId = localDialects.platform_c.companyIdOf(former as DemoCompany);
    const read = platform.accountPage({ ...access, companyId }, pageOf({ rows: 200 }));
    expect(await outcomeOf(read)).toBe('subscription_lapsed');
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
      expect(await outcomeOf(read(elsewhere, pageOf()))).toBe('credentials_refused');
    }
    expect(await outcomeOf(platform.refresh(elsewhere))).toBe('credentials_refused');
    expect(await outcomeOf(platform.refresh(access))).toBe('none');
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
    const connected = connect(slot, { failure });
    const read = connected.then(({ platform, access }) => platform.company(access));
    expect(await outcomeOf(read)).toBe(reason);
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
    const { platform, access } = await connect(slot, { failure });
    const [struck, spared] = failure.startsWith('accounts')
      ? [accountPages, journalPages]
      : [journalPages, accountPages];
    expect(await outcomeOf(spared(platform, access))).toBe('none');
    expect(await outcomeOf(struck(platform, access))).toBe(first);
    expect(await outcomeOf(struck(platform, access))).toBe(second);
  });

  test('large_pages_slow ends a large page with platform_timed_out, no small one', async () => {
    const { platform, access } = await connect(slot, { failure: 'large_pages_slow' });
    const { journals: sizes } = platform.pageSizes;
    const outcomeWith = (rows: number | undefined) =>
      outcomeOf(
        platform.journalPage(access, pageOf({ rows: rows ?? 0, timeoutMilliseconds: 500 })),
      );
    expect(await outcomeWith(sizes[0])).toBe('platform_timed_out');
    expect(await outcomeWith(sizes.at(-1))).toBe('none');
  });

  test('pages_repeat brings the same journals again', async () => {
    const { platform, access } = await connect(slot, { failure: 'pages_repeat' });
    const rows = platform.pageSizes.journals.at(-1) as number;
    const first = await platform.journalPage(access, pageOf({ rows }));
    const second = await platform.journalPage(access, pageOf({ rows, cursor: first.next }));
    const referencesOf = ({ journals }: typeof first) => journals.map((it) => it.reference);
    expect(first.next).not.toBeNull();
    expect(second.next).not.toBe(first.next);
    expect(referencesOf(second)).toEqual(referencesOf(first));
    expect(referencesOf(first).length).toBeGreaterThan(10);
  });
});

test('order_ignores_pages has Xero list all journals on each page; none is missed', async () => {
  const failure = 'order_ignores_pages';
  const { platform, access } = await connect('platform_a', { failure });
  const [linden] = companiesOf.platform_a as [DemoCompany];
  const posted = await readPosted(platform, access);
  const references = new Set(posted.map(({ reference }) => reference));
  expect(references.size).toBe(postedOf(linden).length);
});
