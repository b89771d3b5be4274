// The sandbox's demo companies, imported through the adapters: their books equal the platform's.

import { randomUUID } from 'node:crypto';
import Big from 'big.js';
import { afterAll, expect, test, vi } from 'vitest';
import { balancesAt, fiscalYearStartOf } from '#infra/sandbox/balances.ts';
import { companiesOf } from '#infra/sandbox/companies.ts';
import type { DemoCompany } from '#infra/sandbox/demo-company.ts';
import { localDialects } from '#infra/sandbox/dialects.ts';
import { openBalanceChecks } from '#shared/balances/balance-check.service.ts';
import { openPlatformBalances } from '#shared/balances/platform-balances.store.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import type { TenantName } from '#shared/table/keys.ts';
import { lockPeriod } from '../../support/builders/period-locks.ts';
import { addCents, type Cents } from '../../support/builders/platforms/whole-books.ts';
import { callsOf } from '../../support/harnesses/calls.ts';
import { openInstance } from '../../support/harnesses/instances.ts';
import { openTenantImports } from '../../support/harnesses/tenant-imports.ts';
import { readEntries } from '../../support/readers/tenant-entries.ts';
import { startTestSandbox } from '../../support/servers/sandbox.ts';

vi.setConfig({ testTimeout: 120_000 });

const env = await openTenantImports();
const balances = openPlatformBalances(env.table);
/** The paths of the calls to platforms. */
const called: string[] = [];
const takeCalls = () => {
  const taken = called.splice(0);
  const reports = taken.filter((path) => /trialbalance/i.test(path)).length;
  return { reports, others: taken.length - reports };
};
const sandbox = await startTestSandbox({
  clock: () => new Date('2026-03-23T09:30:00.000Z'),
  fetch: (url, init) => {
    called.push(new URL(String(url)).pathname);
    return fetch(url, init);
  },
});
afterAll(sandbox.stop);

const issueTokens = async (slot: Slot, company_id: string, failure = 'none') => {
  const body = JSON.stringify({ company_id, failure });
  const reply = await fetch(`${sandbox.baseUrl(slot)}/test-tokens`, { method: 'POST', body });
  const { access_token, refresh_token, platform_company_id } = (await reply.json()) as Record<
    string,
    string
  >;
  const tokens = {
    accessToken: access_token ?? '',
    refreshToken: refresh_token ?? '',
    expiresInSeconds: 1_800,
    reconnectInSeconds: null,
  };
  return { tokens, companyId: platform_company_id ?? '' };
};

const connect = async (slot: Slot, demo: DemoCompany, failure?: string) => {
  const platform = await sandbox.platforms.get(slot);
  const { tokens, companyId } = await issueTokens(slot, demo.id, failure);
  const details = {
    companyId,
    name: demo.name,
    currency: demo.currency,
    dataCenter: slot === 'platform_c' ? demo.dataCenter : null,
    financialYearEnd: '12-31',
  };
  const company = env.newCompany({ company: details, adapter: platform.adapter });
  const platforms = { get: async () => platform };
  await company.connect({ tokens });
  takeCalls();
  await company.runToEnd({ platforms });
  return { ...company, platforms, calls: takeCalls() };
};

/** Companies that several tests read. */
const connected = new Map<string, ReturnType<typeof connect>>();
const connectOnce = (slot: Slot, id: string): ReturnType<typeof connect> => {
  const company = connected.get(id) ?? connect(slot, demoOf(slot, id));
  connected.set(id, company);
  return company;
};

const change = (slot: Slot, body: object) =>
  fetch(`${sandbox.baseUrl(slot)}/changes`, { method: 'POST', body: JSON.stringify(body) });

type Company = Awaited<ReturnType<typeof connect>>;

const zero = new Big(0);

/** The accounts whose balances differ at a date, in thousandths of the currency. */
const differencesAt = async (
  { name }: Company,
  demo: DemoCompany,
  { slot, date }: { slot: Slot; date: string },
) => {
  const chart = await balances.readChart(name);
  const profitFrom = slot === 'platform_c' ? '' : fiscalYearStartOf(demo, date);
  const sum: Cents = new Map();
  const thousandths = (text: string) => Math.round(Number(text) * 1_000);
  const retained = demo.accounts.findIndex(({ kind }) => kind === 'retained_earnings');
  const idOf = (index: number) => localDialects[slot].accountIdOf(demo, index);
  for (const { postingDate, lines } of await readEntries(env.table, name)) {
    if (postingDate > date) continue;
    for (const { account: code, bookDebit, bookCredit } of lines) {
      const account = chart.get(code);
      const isProfit = ['revenue', 'expense'].includes(account?.type ?? '');
      const into =
        isProfit && postingDate < profitFrom ? idOf(retained) : account?.platformAccountId;
      const amount = thousandths(bookDebit) - thousandths(bookCredit);
      addCents(sum, new Map([[into ?? code, amount]]));
    }
  }
  for (const [index, amount] of balancesAt(demo, { to: date, profitFrom })) {
    addCents(sum, new Map([[idOf(index), -Number(amount.times(1_000))]]));
  }
  return [...sum].filter(([, amount]) => amount !== 0);
};

/** The totals of the platform's statements, from its whole books and the types of our accounts. */
const statementsThere = async (
  { name }: Company,
  demo: DemoCompany,
  { slot, date }: { slot: Slot; date: string },
) => {
  const chart = [...(await balances.readChart(name)).values()];
  const totals = { asset: zero, liability: zero, equity: zero, revenue: zero, expense: zero };
  const profitFrom = fiscalYearStartOf(demo, date);
  for (const [index, amount] of balancesAt(demo, { to: date, profitFrom })) {
    const accountId = localDialects[slot].accountIdOf(demo, index);
    const account = chart.find(({ platformAccountId }) => platformAccountId === accountId);
    if (account) totals[account.type] = totals[account.type].plus(amount);
  }
  const profit = totals.revenue.plus(totals.expense).times(-1);
  return {
    coverage: 'platform_balances',
    assets: totals.asset.toFixed(3),
    liabilities: totals.liability.times(-1).toFixed(3),
    equity: profit.minus(totals.equity).toFixed(3),
    profit: profit.toFixed(3),
  };
};

/** The same totals in the replies of our endpoints. */
const statementsHere = async ({ name, clock }: Company, demo: DemoCompany, date: string) => {
  const domain_url = name.schemaName.replaceAll('_', '-');
  const { call } = callsOf(openInstance({ table: env.table, clock }), { domain_url });
  const sheet = await call('getBalanceSheet', { as_of: date });
  const period = { from: fiscalYearStartOf(demo, date), to: date };
  const { profit } = await call('getProfitAndLoss', period);
  const shown = (text: string) => new Big(text).toFixed(3);
  return {
    coverage: sheet.coverage,
    assets: shown(sheet.assets.total),
    liabilities: shown(sheet.liabilities.total),
    equity: shown(sheet.equity.total),
    profit: shown(profit),
  };
};

const demoOf = (slot: Slot, id: string): DemoCompany => {
  const demo = companiesOf[slot].find((it) => it.id === id);
  if (demo === undefined) throw new Error(`there is no company ${id}`);
  return demo;
};

const sixDates = [
  ...['2024-02-29', '2024-12-31', '2025-03-31', '2025-12-31', '2026-01-31', '2026-03-23'],
] as const;

test.each<[Slot, string]>([
  ['platform_a', 'cedar-interiors'],
  ['platform_a', 'harbour-coffee'],
  ['platform_b', 'sakura-printing'],
  ['platform_b', 'tilleul-librairie'],
  ['platform_c', 'fjord-fish'],
])('at %s, the books and statements of %s equal the platform at six dates', async (slot, id) => {
  const demo = demoOf(slot, id);
  const company = await connectOnce(slot, id);
  for (const date of sixDates) {
    expect(await differencesAt(company, demo, { slot, date }), date).toEqual([]);
    const there = await statementsThere(company, demo, { slot, date });
    expect(await statementsHere(company, demo, date), date).toEqual(there);
  }
  const { days } = await balances.findComparison(company.name);
  expect(days.map(({ reason }) => reason)).toEqual(Array(26).fill(null));
  // All 26 days, and the last one before the others, too.
  expect(company.calls.reports).toBe(27);
});

test('an invoice that moves at the platform moves here with the next import', async () => {
  const [slot, demo] = ['platform_a', demoOf('platform_a', 'prairie-tools')] as const;
  const company = await connect(slot, demo);
  const before = await readEntries(env.table, company.name);
  const index = demo.transactions.findIndex(({ date }) => date > '2025-06-01');
  await change(slot, {
    company_id: demo.id,
    change: 'move_transaction',
    index,
    date: '2025-09-15',
  });
  company.world.now += 8 * 24 * 60 * 60_000;
  const requestedAt = company.clock().toISOString();
  await env.imports.request(company.name, { importId: 'import-2', requestedAt });
  await company.runToEnd({ platforms: company.platforms });
  for (const date of sixDates) {
    expect(await differencesAt(company, demo, { slot, date }), date).toEqual([]);
  }
  const numbers = (await readEntries(env.table, company.name))
    .map(({ journalNumber }) => journalNumber)
    .filter((number) => !before.some((entry) => entry.journalNumber === number));
  // The last one has what the platform has since the first import.
  expect(numbers).toEqual(['PB-20250630-0002', 'PB-20250930-0002', 'PB-20260331-0001']);
});

test('one list shows what was imported, what was adjusted and why', async () => {
  const company = await connectOnce('platform_a', 'harbour-coffee');
  const domain_url = company.name.schemaName.replaceAll('_', '-');
  const instance = openInstance({ table: env.table, clock: company.clock });
  const { pages } = callsOf(instance, { domain_url });
  const changes = (await pages('listChanges', {})).flatMap((page) => page.changes);
  const of = (kind: string) => changes.filter(({ what }) => what === kind);
  const imported = of('entry_imported');
  expect(imported.length).toBeGreaterThan(20);
  for (const { actor, after } of imported) {
    expect([actor, after.memo]).toEqual(['import', expect.stringMatching(/\w/)]);
  }
  expect(of('import_ended')).toMatchObject([
    { actor: 'import', after: { journals_imported: imported.length } },
  ]);
  const adjusted = of('platform_balance_created');
  expect(adjusted[0]).toMatchObject({
    actor: 'import',
    after: {
      journal_number: 'PB-20260323-0001',
      memo: "Difference to the platform's trial balance at 2026-03-23",
      metadata: {
        platform_report_fetched_at: expect.any(String),
        platform_report_total: expect.any(String),
      },
    },
  });
  expect(adjusted.at(-1)?.after.memo).toBe('Opening balances of the platform at 2024-02-29');
});

const importAgain = async (
  { name, world, clock, platforms, runToEnd }: Awaited<ReturnType<typeof connect>>,
  { days = 1, isComplete = false } = {},
): Promise<void> => {
  world.now += days * 24 * 60 * 60_000;
  const request = { importId: randomUUID(), requestedAt: clock().toISOString() };
  const { lockDate } = (await env.tenants.find(name)) ?? {};
  if (isComplete) await env.imports.request(name, request);
  else await env.imports.requestChanges(name, { ...request, lockDate });
  await runToEnd({ platforms });
};

test.each([
  ['platform_a', 'harbour-coffee'],
  ['platform_c', 'fjord-fish'],
] as const)('%s: an import a day after the first reads 5 reports', async (slot, id) => {
  const company = await connectOnce(slot, id);
  takeCalls();
  await importAgain(company);
  const { reports, others } = takeCalls();
  expect(reports).toBe(5);
  // The tokens, the company and a page of each list; Zoho's page has more calls.
  expect(others).toBe(slot === 'platform_a' ? 4 : 6);
});

/** The last day of the month of a date. */
const monthEndOf = (date: string): string => {
  const [year = 0, month = 0] = date.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
};

/** The entries that imports have recorded after these. */
const newEntries = async (name: TenantName, before: readonly { entryId: string }[]) => {
  const ids = new Set(before.map(({ entryId }) => entryId));
  return (await readEntries(env.table, name)).filter(({ entryId }) => !ids.has(entryId));
};

/** The positions of the posted journals of a company in a month. */
const postedIn = (demo: DemoCompany, month: string): number[] =>
  [...Array(demo.journalCount).keys()].filter((index) => {
    const { status, date, hole } = demo.journalAt(index);
    return status === 'posted' && date.startsWith(month) && hole === undefined;
  });

test.each<[Slot, string]>([
  ['platform_a', 'harbour-coffee'],
  ['platform_b', 'tilleul-librairie'],
  ['platform_c', 'olive-trading-north'],
])('at %s, edited and deleted journals of %s are followed', async (slot, id) => {
  const demo = demoOf(slot, id);
  const company = await connectOnce(slot, id);
  const before = await readEntries(env.table, company.name);
  const [edited = 0, deleted = 0] = [...postedIn(demo, '2025'), ...postedIn(demo, '2026')];
  const [day, otherDay] = [demo.journalAt(edited).date, demo.journalAt(deleted).date];
  const edit = { change: 'edit_journal', index: edited, date: '2025-10-02', factor: 3 };
  await change(slot, { company_id: demo.id, ...edit });
  await change(slot, { company_id: demo.id, change: 'delete_journal', index: deleted });
  await importAgain(company);
  await importAgain(company, { isComplete: true });
  for (const date of sixDates) {
    expect(await differencesAt(company, demo, { slot, date }), date).toEqual([]);
  }
  const found = (await newEntries(company.name, before)).filter(
    ({ entryType }) => entryType === 'Imported Journal',
  );
  expect(found.map(({ date, memo, reverses }) => [date, reverses !== null, memo])).toEqual(
    [
      [day, true, expect.stringMatching(/^Reversal of IJ-\d{8}-\d{4}, edited at the platform$/)],
      [otherDay, true, expect.stringMatching(/^Reversal of .*, voided at the platform$/)],
      ['2025-10-02', false, demo.journalAt(edited).memo],
    ].toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
  );
  const { checkpoint } = (await env.imports.find(company.name)) ?? {};
  expect([checkpoint?.journalsRevised, checkpoint?.journalsVoided]).toEqual([1, 1]);
});

test('the check names the accounts of a journal that no list of changes has', async () => {
  const [slot, demo] = ['platform_c', demoOf('platform_c', 'brennan-daughters')] as const;
  const company = await connect(slot, demo);
  const [deleted = 0] = postedIn(demo, '2025-11');
  const { date, lines } = demo.journalAt(deleted);
  const asOf = monthEndOf(date);
  const { accountIdOf } = localDialects[slot];
  const accounts = new Set(lines.map(({ account }) => accountIdOf(demo, account)));
  await lockPeriod(env.table, company.name, asOf);
  await change(slot, { company_id: demo.id, change: 'delete_journal', index: deleted });
  await importAgain(company, { days: 8 });
  const { check } = openBalanceChecks(balances);
  const named = await check(company.name, asOf);
  const differing = named.accounts.filter(({ difference }) => !difference.eq(0));
  expect(named.reason).toBe('period_locked');
  expect(new Set(differing.map(({ accountId }) => accountId))).toEqual(accounts);
  // Once the lock has moved back, a complete import finds it, and the differences are gone.
  await lockPeriod(env.table, company.name, '2024-01-01');
  await importAgain(company, { isComplete: true });
  expect(await differencesAt(company, demo, { slot, date: asOf })).toEqual([]);
  const numbers = (await readEntries(env.table, company.name)).filter(
    ({ date: of, entryType }) => of === asOf && entryType === 'Platform Balance',
  );
  expect(numbers).toHaveLength(1);
  expect((await check(company.name, asOf)).reason).toBeNull();
});

test('without the right to read reports, a company only has its journals', async () => {
  const company = await connect(
    'platform_c',
    demoOf('platform_c', 'dune-logistics'),
    'reports_not_consented',
  );
  const reason = 'reports_not_permitted';
  expect(await balances.findComparison(company.name)).toMatchObject({ reason, days: [] });
  const { tenant, journals } = await company.state();
  expect(tenant).toEqual(['active', reason]);
  expect(journals.filter(([number]) => String(number).startsWith('PB'))).toEqual([]);
});

test('books that move while they are read are read three times and then named', async () => {
  const demo = demoOf('platform_a', 'cedar-interiors-gulf');
  const company = await connect('platform_a', demo, 'reports_move');
  const { days } = await balances.findComparison(company.name);
  expect(days.at(-1)).toEqual({ date: '2026-03-23', reason: 'books_moved' });
  expect(company.world.pauses).toEqual([30_000, 30_000]);
});
