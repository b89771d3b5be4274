import Big from 'big.js';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { balancesAt } from '#infra/sandbox/balances.ts';
import { companiesOf } from '#infra/sandbox/companies.ts';
import type { DemoCompany, DemoLine } from '#infra/sandbox/demo-company.ts';
import { codeOf } from '#infra/sandbox/dialects/xero-books.ts';
import { localDialects } from '#infra/sandbox/dialects.ts';
import { codeChallengeOf } from '#shared/connections/authorization-states.ts';
import { makeImportedJournal } from '#shared/imports/imported-journals.ts';
import { maximumTimeouts } from '#shared/platforms/circuit-breaker.ts';
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
  startTestSandbox,
} from '../../support/servers/sandbox.ts';

const redirectUri = 'http://localhost:3001/callback';
let now = Date.parse('2026-03-23T09:30:00.000Z');
const sandbox = await startTestSandbox({ clock: () => new Date(now) });
const impatient = await startTestSandbox({ slowMilliseconds: 10_000, timeoutMilliseconds: 100 });
afterAll(() => Promise.all([sandbox.stop(), impatient.stop()]));

const connect = async (slot: Slot, choice: ConsentChoice = {}, { platforms } = sandbox) => {
  const platform = await platforms.get(slot);
  const codeVerifier = `${slot} verifier`;
  const codeChallenge = codeChallengeOf(codeVerifier);
  const url = platform.authorizationUrl({ redirectUri, state: 'the state', codeChallenge });
  const { searchParams: callback } = await giveConsent(url, choice);
  const code = callback.get('code') ?? '';
  const { tokens, choices } = await platform.connect({ redirectUri, code, codeVerifier, callback });
  return { platform, tokens, choices, access: { ...(choices[0] as CompanyChoice), ...tokens } };
};

const readPages = async <Page extends { next: string | null }>(
  read: (page: PageRequest) => Promise<Page>,
  request: Partial<PageRequest>,
): Promise<Page[]> => {
  const pages: Page[] = [];
  let cursor: string | null = null;
  do {
    const page: Page = await read(pageOf({ timeoutMilliseconds: 10_000, ...request, cursor }));
    pages.push(page);
    cursor = page.next;
  } while (cursor !== null);
  return pages;
};

const accountPages = (platform: Platform, access: CompanyAccess) =>
  readPages((page) => platform.accountPage(access, page), {
    rows: platform.pageSizes.accounts[0] as number,
  });
const journalPages = (platform: Platform, access: CompanyAccess, request = {}) =>
  readPages((page) => platform.journalPage(access, page), {
    rows: platform.pageSizes.journals[0] as number,
    ...request,
  });

const readJournals = async (platform: Platform, access: CompanyAccess, request = {}) => {
  const pages = await journalPages(platform, access, request);
  const reads = [];
  for (const journal of pages.flatMap(({ journals }) => journals)) {
    reads.push(await readListed(journal, access));
  }
  return reads;
};

const outcomeOf = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'none',
    () => reasonOf(call),
  );

const reportAt = (date: string, fiscalYearStart: string) => ({
  date,
  fiscalYearStart,
  timeoutMilliseconds: 10_000,
});

const sumBig = (amounts: readonly string[]): string =>
  amounts.reduce((sum, amount) => sum.plus(amount), new Big(0)).toFixed();

const journalsOf = ({ journalCount, journalAt }: DemoCompany) =>
  Array.from({ length: journalCount }, (_, index) => journalAt(index));

const demoOf = (slot: Slot, id: string) =>
  companiesOf[slot].find((company) => company.id === id) as DemoCompany;

/** A line of an adapter's journal, to import. */
const lineOf = ([code = '', description = '', debit = '0', credit = '0']: string[]) => ({
  account: { code, name: code, lineClass: 'operating' as const },
  description,
  debit: new Big(debit),
  credit: new Big(credit),
  reportingAmount: null,
});

const lifetimes: Record<Slot, number> = { platform_a: 1800, platform_b: 3600, platform_c: 3600 };

describe('the adapter of each platform, at the sandbox', () => {
  test.each([
    ['platform_a', 'harbour-coffee'],
    ['platform_b', 'sakura-printing'],
    ['platform_c', 'brennan-daughters'],
  ] as const)('connects, reads and disconnects at %s: %s', async (slot, id) => {
    const demo = demoOf(slot, id);
    const { platform, access, tokens } = await connect(slot, { company: id });
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
    const accounts = (await accountPages(platform, access)).flatMap((page) => page.accounts);
    const expected = demo.accounts.map((account, index) => ({
      accountId: accountIdOf(demo, index),
      code: slot === 'platform_a' ? codeOf(account) : account.code,
      name: account.name,
      type: account.type,
      status: account.status,
    }));
    const listed = accounts.map(({ subtype: _subtype, cashFlow: _cashFlow, ...it }) => it);
    const byId = (one: { accountId: string }, other: { accountId: string }) =>
      one.accountId.localeCompare(other.accountId);
    expect(listed.toSorted(byId)).toEqual(expected.toSorted(byId));

    const indexes = new Map(expected.map(({ accountId }, index) => [accountId, index]));
    const reads = await readJournals(platform, access);
    const read = reads.flatMap((it) => {
      if (it.state !== 'posted') return [];
      const lines = it.journal.lines.map(([account = '', , debit, credit]) =>
        [indexes.get(account), debit, credit].join(),
      );
      return [it.journal.date, it.journal.memo, ...lines].join('\n');
    });
    const posted = journalsOf(demo).filter(({ status }) => status === 'posted');
    const made = posted.map(({ date, memo, lines }) => {
      const texts = lines.map((it) => [it.account, Number(it.debit), Number(it.credit)].join());
      return [date, memo, ...texts].join('\n');
    });
    expect(read.toSorted()).toEqual(made.toSorted());

    const { dataCenter } = company;
    const other = await connect(slot, { company: id });
    const renewed = await platform.refresh({ refreshToken: tokens.refreshToken, dataCenter });
    expect(renewed.accessToken).not.toBe(access.accessToken);
    expect(renewed.refreshToken === tokens.refreshToken).toBe(slot === 'platform_c');
    const renewedAccess = { ...access, ...renewed };
    await platform.disconnect(renewedAccess);
    expect(await outcomeOf(platform.company(renewedAccess))).toBe('credentials_refused');
    expect(await outcomeOf(platform.refresh({ ...renewed, dataCenter }))).toBe(
      'credentials_refused',
    );
    expect(await other.platform.company(other.access)).toEqual(company);
  });

  test.each([
    ['platform_a', 'cedar-interiors'],
    ['platform_b', 'cypress-clinics'],
    ['platform_c', 'olive-trading'],
  ] as const)('%s reads the taxes and incomplete records of %s', async (slot, id) => {
    const demo = demoOf(slot, id);
    const { platform, access } = await connect(slot, { company: id });
    const pages = await accountPages(platform, access);
    const refusedAccounts = pages.flatMap(({ refused }) => refused).length;
    const accounts = pages.flatMap((page) => page.accounts).length;
    expect(accounts + refusedAccounts).toBe(demo.accounts.length);
    expect(refusedAccounts).toBeGreaterThan(0);

    const reads = await readJournals(platform, access);
    const posted = reads.flatMap((read) => (read.state === 'posted' ? read.journal : []));
    const debitsOf = (lines: string[][]) => sumBig(lines.map(([, , debit = '0']) => debit));
    for (const { lines, memo } of posted) {
      expect(sumBig(lines.map(([, , , credit = '0']) => credit)), memo).toBe(debitsOf(lines));
    }
    // Xero names an account by its code and its id.
    const isReadable = ({ account, hole }: DemoLine) =>
      hole !== 'account' || (slot === 'platform_a' && demo.accounts[account]?.code !== null);
    const made = journalsOf(demo).filter(({ status }) => status === 'posted');
    const readable = made.filter(({ hole, lines }) => hole !== 'date' && lines.every(isReadable));
    const expected = readable.map(({ memo, lines }) => {
      const debits = lines.filter(({ debit }) => Number(debit) > 0);
      const amounts = debits.flatMap(({ debit, tax }) => [debit, tax?.amount ?? '0']);
      return [memo, sumBig(amounts)].join();
    });
    const read = posted.map(({ memo, lines }) => [memo, debitsOf(lines)].join());
    expect(read.toSorted()).toEqual(expected.toSorted());
    const refused = reads.filter(({ state }) => state === 'refused');
    expect(refused).toHaveLength(made.length - readable.length);
  });

  test.each([
    ['platform_a', 'cedar-interiors-gulf', '2025-01-01'],
    ['platform_b', 'sakura-printing', '2024-04-01'],
    ['platform_b', 'tilleul-librairie', '2025-01-01'],
    ['platform_c', 'olive-trading', ''],
  ] as const)('%s reads the trial balance of %s', async (slot, id, profitFrom) => {
    const demo = demoOf(slot, id);
    const { platform, access } = await connect(slot, { company: id });
    const date = profitFrom === '2025-01-01' ? '2025-12-31' : '2025-02-28';
    const { rows } = await platform.trialBalance(access, reportAt(date, profitFrom));
    const balances = rows.map(({ accountId, balance }) => `${accountId} ${balance.toFixed()}`);
    const expected = [...balancesAt(demo, { to: date, profitFrom })]
      .filter(([, balance]) => !balance.eq(0))
      .map(([index, balance]) => {
        return `${localDialects[slot].accountIdOf(demo, index)} ${balance.toFixed()}`;
      });
    expect(balances.toSorted()).toEqual(expected.toSorted());
    expect(rows.length).toBeGreaterThan(5);
  });

  test.each([
    ['platform_a', 'reports_unbalanced', 'report_refused'],
    ['platform_b', 'reports_unbalanced', 'report_refused'],
    ['platform_c', 'reports_unbalanced', 'report_refused'],
    ['platform_a', 'reports_unknown_row', 'report_refused'],
    ['platform_b', 'reports_unknown_row', 'report_refused'],
    ['platform_c', 'reports_unknown_row', 'report_refused'],
    ['platform_a', 'reports_not_consented', 'reports_not_permitted'],
    // Zoho's code for it is that of an invalid token.
    ['platform_c', 'reports_not_consented', 'credentials_refused'],
  ] as const)('%s with the switch %s: %s', async (slot, failure, reason) => {
    const { platform, access } = await connect(slot, { failure });
    const report = platform.trialBalance(access, reportAt('2026-02-28', '2026-01-01'));
    expect(await outcomeOf(report)).toBe(reason);
    await platform.company(access);
  });

  test('every posted journal in dinars becomes an entry', async () => {
    const demo = demoOf('platform_a', 'cedar-interiors-gulf');
    const { platform, access } = await connect('platform_a', { company: demo.id });
    const reads = await readJournals(platform, access);
    const results = reads.flatMap((it) =>
      it.state === 'posted'
        ? makeImportedJournal(
            {
              ...it.journal,
              exchangeRate: null,
              currency: 'KWD',
              lines: it.journal.lines.map(lineOf),
            },
            { tenantCurrency: demo.currency, createdAt: '2026-03-23T09:30:00.000Z' },
          )
        : [],
    );
    const entries = results.flatMap((it) => ('entry' in it ? it.entry : []));
    expect(results).toHaveLength(18);
    expect(entries).toHaveLength(18);
    expect(entries.every(({ bookAmount }) => /\.\d{3}$/.test(bookAmount))).toBe(true);
  });

  test.each<[Slot, ConsentChoice, string[]]>([
    [
      'platform_a',
      { companies: ['cedar-interiors', 'cedar-interiors-gulf'] },
      ['cedar-interiors', 'cedar-interiors-gulf'],
    ],
    ['platform_c', { company: 'olive-trading' }, ['olive-trading', 'olive-trading-north']],
    ['platform_c', { company: 'dune-logistics' }, ['dune-logistics']],
  ])('%s offers the active companies of a consent: %j', async (slot, choice, ids) => {
    const { choices } = await connect(slot, choice);
    const expected = ids.map((id) => localDialects[slot].companyIdOf(demoOf(slot, id)));
    expect(choices.map(({ companyId }) => companyId).toSorted()).toEqual(expected.toSorted());
  });

  test.each([
    ['platform_a', 'cedar-interiors'],
    ['platform_b', 'cypress-clinics'],
    ['platform_c', 'olive-trading'],
  ] as const)('%s lists the recent changes of %s', async (slot, company) => {
    const { platform, access } = await connect(slot, { company });
    const modifiedSince = new Date(Date.now() - 25 * 24 * 60 * 60 * 1000);
    const changed = await readJournals(platform, access, { modifiedSince });
    // Zoho does not report deletions.
    const expected = journalsOf(demoOf(slot, company)).filter(
      ({ modifiedAt, status }) =>
        Date.parse(modifiedAt) > modifiedSince.getTime() &&
        (slot === 'platform_c'
          ? status !== 'deleted'
          : slot === 'platform_a' || status !== 'draft'),
    );
    expect(changed).toHaveLength(expected.length);
    expect(changed).not.toHaveLength(0);
  });

  test.each(slotNames)('%s finds only the company of the consent', async (slot) => {
    const { platform, access } = await connect(slot);
    const companyId = localDialects[slot].companyIdOf(companiesOf[slot][1] as DemoCompany);
    const other = { ...access, companyId };
    expect(await outcomeOf(platform.company(other))).toBe('company_not_found');
    expect(await outcomeOf(platform.company(access))).toBe('none');
  });

  test('platform_c refuses the books of an inactive organization', async () => {
    const { platform, access } = await connect('platform_c', { company: 'olive-trading' });
    const companyId = localDialects.platform_c.companyIdOf(
      demoOf('platform_c', 'olive-trading-former'),
    );
    const read = platform.accountPage({ ...access, companyId }, pageOf({ rows: 200 }));
    expect(await outcomeOf(read)).toBe('subscription_lapsed');
  });

  test('platform_c accepts a token in one data center only', async () => {
    const { platform, access } = await connect('platform_c', { company: 'brennan-daughters' });
    const elsewhere = { ...access, dataCenter: 'in' };
    for (const read of [platform.company, platform.accountPage, platform.journalPage]) {
      expect(await outcomeOf(read(elsewhere, pageOf()))).toBe('credentials_refused');
    }
    expect(await outcomeOf(platform.refresh(elsewhere))).toBe('credentials_refused');
    expect(await outcomeOf(platform.refresh(access))).toBe('none');
  });
});

describe.each(slotNames)('a failure at %s', (slot) => {
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

  test('three timeouts end the calls of the process to it for 30 seconds', async () => {
    let calls = 0;
    const hanging = await startTestSandbox({
      fetch: (url, init) => {
        if (!String(url).includes(`/${slot}/`)) return fetch(url, init);
        calls += 1;
        return Promise.reject(new DOMException('it hangs', 'TimeoutError'));
      },
    });
    onTestFinished(hanging.stop);
    for (let call = 1; call <= maximumTimeouts; call += 1) {
      expect(await outcomeOf(connect(slot, {}, hanging))).toBe('platform_timed_out');
    }
    expect(await outcomeOf(connect(slot, {}, hanging))).toBe('platform_timed_out 30');
    expect(calls).toBe(maximumTimeouts);
    const others = slotNames.filter((it) => it !== slot);
    for (const other of others) expect(await outcomeOf(connect(other, {}, hanging))).toBe('none');
  });

  test('refresh_revoked permits reading for 30 seconds', async () => {
    const { platform, access, tokens } = await connect(slot, { failure: 'refresh_revoked' });
    expect(tokens.expiresInSeconds).toBe(30);
    expect(await outcomeOf(platform.company(access))).toBe('none');
    expect(await outcomeOf(platform.refresh(access))).toBe('credentials_refused');
    now += 30_000;
    expect(await outcomeOf(platform.company(access))).toBe('credentials_refused');
  });

  test.each([
    ['accounts_error_once', 'platform_unavailable'],
    ['journals_error_once', 'platform_unavailable'],
    ['journals_rate_limited_once', 'rate_limited 3'],
    ['journals_day_limit', 'rate_limited 3600'],
  ])('%s ends reading once, with %s', async (failure, reason) => {
    const { platform, access } = await connect(slot, { failure });
    const isOfAccounts = failure.startsWith('accounts');
    const [failing, other] = isOfAccounts
      ? [accountPages, journalPages]
      : [journalPages, accountPages];
    expect(await outcomeOf(other(platform, access))).toBe('none');
    expect(await outcomeOf(failing(platform, access))).toBe(reason);
    expect(await outcomeOf(failing(platform, access))).toBe('none');
  });
});
