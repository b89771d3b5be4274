import type Big from 'big.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { companiesOf } from '#infra/sandbox/companies.ts';
import type { DemoCompany } from '#infra/sandbox/demo-company.ts';
import { localDialects } from '#infra/sandbox/dialects.ts';
import type {
  CompanyAccess,
  Platform,
  PlatformFailure,
  PlatformJournal,
} from '#shared/platforms/platform.ts';
import { type Slot, slotNames } from '#shared/platforms/slots.ts';
import { readPosted } from '../../support/readers/posted-journals.ts';
import {
  type ConsentChoice,
  giveConsent,
  startTestSandbox,
} from '../../support/servers/sandbox.ts';

const redirectUri = 'http://localhost:3001/callback';

let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
beforeAll(async () => {
  sandbox = await startTestSandbox({ redirectUris: (slot) => [`${redirectUri}/${slot}`] });
});
afterAll(() => sandbox.stop());

const connect = async (slot: Slot, choice: ConsentChoice, at = sandbox) => {
  const platform = await at.platforms.get(slot);
  const request = { redirectUri: `${redirectUri}/${slot}`, state: 'the state' };
  const { searchParams } = await giveConsent(platform.authorizationUrl(request), choice);
  expect(searchParams.get('state')).toBe('the state');
  const code = searchParams.get('code') ?? '';
  const made = await platform.connect({
    code,
    redirectUri: request.redirectUri,
    callback: searchParams,
  });
  const access: CompanyAccess = { ...made.company, accessToken: made.tokens.accessToken };
  return { platform, access, ...made };
};

/** Everything that the pages have, one after the other. */
const readAll = async <Page extends { next: string | null }, Item>(
  read: (from: string | null) => Promise<Page>,
  itemsOf: (page: Page) => Item[],
): Promise<Item[]> => {
  const items: Item[] = [];
  let from: string | null = null;
  do {
    const page: Page = await read(from);
    items.push(...itemsOf(page));
    from = page.next;
  } while (from !== null);
  return items;
};

const readJournals = async (platform: Platform, access: CompanyAccess) => {
  const listed = await readAll(
    (from) => platform.journalPage(access, from),
    (page) => page.journals,
  );
  return readPosted(listed, access);
};

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => 'none',
    ({ reason, retryAfterSeconds }: PlatformFailure) =>
      retryAfterSeconds === undefined ? reason : `${reason} ${retryAfterSeconds}`,
  );

/** A journal without what each platform has in its own way. */
const plainOf = ({ date, memo, lines }: PlatformJournal, accountAt: (id: string) => number) => ({
  date,
  memo,
  lines: lines.map(({ accountId, debit, credit }) => ({
    account: accountAt(accountId),
    debit: debit.toFixed(2),
    credit: credit.toFixed(2),
  })),
});

const postedOf = ({ journalCount, journalAt }: DemoCompany, fixed: (text: string) => string) =>
  Array.from({ length: journalCount }, (_, index) => journalAt(index))
    .filter(({ status }) => status === 'posted')
    .map(({ date, memo, lines }) => ({
      date,
      memo,
      lines: lines.map(({ account, debit, credit }) => ({
        account,
        debit: fixed(debit),
        credit: fixed(credit),
      })),
    }));

const smallCompanies = slotNames.flatMap((slot) =>
  companiesOf[slot]
    .filter(({ journalCount }) => journalCount < 1_000)
    .map((company) => [company.id, slot, company] as const),
);

describe('the adapter of each platform, at the sandbox', () => {
  test.each(smallCompanies)('connects, reads and leaves %s', async (_id, slot, demo) => {
    const { platform, access, company, tokens } = await connect(slot, { company: demo.id });
    const { companyIdOf, accountIdOf } = localDialects[slot];
    expect(company).toEqual({
      companyId: companyIdOf(demo),
      dataCenter: slot === 'platform_c' ? demo.dataCenter : null,
      name: demo.name,
      currency: demo.currency,
    });
    expect(await platform.company(access)).toEqual(company);

    const accounts = await readAll(
      (from) => platform.accountPage(access, from),
      (page) => page.accounts,
    );
    const expected = demo.accounts.map((account, index) => ({
      accountId: accountIdOf(demo, index),
      ...account,
    }));
    expect(new Map(accounts.map((it) => [it.accountId, it]))).toEqual(
      new Map(expected.map((it) => [it.accountId, it])),
    );

    const indexes = new Map(expected.map(({ accountId }, index) => [accountId, index]));
    const journals = await readJournals(platform, access);
    expect(new Set(journals.map(({ reference }) => reference)).size).toBe(journals.length);
    const read = journals.map((journal) => plainOf(journal, (id) => indexes.get(id) ?? -1));
    const key = (journal: object) => JSON.stringify(journal);
    const made = postedOf(demo, (text) => (text.includes('.') ? text : `${text}.00`));
    expect(read.map(key).toSorted()).toEqual(made.map(key).toSorted());

    const { dataCenter } = company;
    const fresh = await platform.refresh({ refreshToken: tokens.refreshToken, dataCenter });
    expect(fresh.accessToken).not.toBe(access.accessToken);
    const renewed = { ...access, ...fresh };
    await platform.disconnect(renewed);
    expect(await failureOf(platform.company(renewed))).toBe('credentials_refused');
    expect(await failureOf(platform.refresh({ ...fresh, dataCenter }))).toBe('credentials_refused');
  });

  test.each(slotNames)('%s reads journals in another currency as such', async (slot) => {
    const { platform, access, company } = await connect(slot, {});
    const journals = await readJournals(platform, access);
    const foreign = journals.filter(
      ({ currency }) => currency !== null && currency !== company.currency,
    );
    const rates = (made: (string | Big | null)[]) => made.map(String).toSorted();
    const [demo] = companiesOf[slot];
    const expected = Array.from({ length: demo?.journalCount ?? 0 }, (_, index) =>
      demo?.journalAt(index),
    ).flatMap((journal) => (journal?.status === 'posted' ? (journal.exchangeRate ?? []) : []));
    expect(rates(foreign.map(({ exchangeRate }) => exchangeRate))).toEqual(
      rates(expected.map((rate) => String(Number(rate)))),
    );
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
    expect(await failureOf(connect(slot, { failure }))).toBe(reason);
  });

  test('slow ends connecting with platform_timed_out', async () => {
    const impatient = await startTestSandbox({
      slowMilliseconds: 10_000,
      timeoutMilliseconds: 100,
    });
    const connected = connect(slot, { failure: 'slow' }, impatient);
    expect(await failureOf(connected)).toBe('platform_timed_out');
    await impatient.stop();
  });

  test('refresh_revoked lets the company be read and refuses to renew', async () => {
    const { platform, access, tokens } = await connect(slot, { failure: 'refresh_revoked' });
    expect(tokens.expiresInSeconds).toBe(30);
    expect(await failureOf(platform.company(access))).toBe('none');
    const renewed = platform.refresh({ ...tokens, dataCenter: access.dataCenter });
    expect(await failureOf(renewed)).toBe('credentials_refused');
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
    const readOf = () =>
      failure.startsWith('accounts')
        ? readAll(
            (from) => platform.accountPage(access, from),
            () => [],
          )
        : readAll(
            (from) => platform.journalPage(access, from),
            () => [],
          );
    expect([await failureOf(readOf()), await failureOf(readOf())]).toEqual([first, second]);
  });

  test('pages_repeat brings the same journals again', async () => {
    const { platform, access } = await connect(slot, { failure: 'pages_repeat' });
    const first = await platform.journalPage(access, null);
    const second = await platform.journalPage(access, first.next);
    const referencesOf = ({ journals }: typeof first) => journals.map((it) => it.reference);
    expect(first.next).not.toBeNull();
    expect(referencesOf(second)).toEqual(referencesOf(first));
    expect(referencesOf(first).length).toBeGreaterThan(10);
  });
});
