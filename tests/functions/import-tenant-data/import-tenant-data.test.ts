import { describe, expect, test } from 'vitest';
import { PlatformFailure } from '#shared/platforms/platform.ts';
import { prefixOfSchema } from '#shared/tenants/domain-names.ts';
import { lambdaContext } from '../../support/events/lambda-events.ts';
import {
  account,
  broughtAgain,
  done,
  imported,
  journal,
  openTenantImports,
  type TenantImports,
} from '../../support/harnesses/tenant-imports.ts';
import { costFields } from '../../support/recorders/log.ts';
import { acme } from '../../support/servers/fake-platform.ts';

const open = await openTenantImports();

const accountPages = [[account('1'), account('2')], [account('3')]];
const journalPages = [[journal('a'), journal('b', { date: '2026-03-21' })], [journal('c')]];

const connectCompany = (options: Parameters<TenantImports['newCompany']>[0] = {}) =>
  open.connectCompany({ accountPages, journalPages, ...options });
type Company = Awaited<ReturnType<typeof connectCompany>>;

const everything = {
  ...imported(['1', '2', '3'], ['a', 'c']),
  counts: [3, 3, 0],
  journals: [...imported([], ['a', 'c']).journals, ['IJ-20260321-0001', 'b']],
};

describe('an import', () => {
  test('records every page, activates the tenant and logs its end', async () => {
    const company = await connectCompany();
    expect(await company.deliver()).toEqual(done);
    expect(await company.state()).toEqual(everything);
    expect(company.fake.calls).toEqual([
      ...['company', 'accountPage', 'accountPage', 'journalPage', 'readJournal', 'readJournal'],
      ...['journalPage', 'readJournal'],
    ]);
    expect(await open.imports.find(company.name)).toMatchObject({
      finishedAt: company.clock().toISOString(),
      runsWithoutProgress: 0,
    });
    expect(await company.dueAt()).toBeUndefined();
    const line = {
      request_id: lambdaContext().awsRequestId,
      application_id: company.name.applicationId,
      tenant: prefixOfSchema(company.name.schemaName),
      import_id: 'import-1',
      outcome: 'success',
      stage: 'done',
      accounts_imported: 3,
      journals_imported: 3,
      journals_revised: 0,
      journals_voided: 0,
      accounts_refused: 0,
      journals_refused: 0,
      ...costFields(32),
    };
    const noReports = ['a report cannot be used', expect.objectContaining({ date: '2026-03-23' })];
    expect(company.log.lines).toEqual([noReports, ['invocation', line]]);
    expect(company.metrics.events.slice(0, -1)).toEqual([
      ...Array(4).fill(['importPageRead']),
      ['recordsRefused', 0],
    ]);
  });

  test.each<[string, Parameters<typeof connectCompany>[0], string[], string[]]>([
    ['without records', { accountPages: [[]], journalPages: [[]] }, [], []],
    [
      'with empty pages',
      {
        accountPages: [[], [], [account('1'), account('2')]],
        journalPages: [[journal('a')], [], [], [journal('b')]],
      },
      ['1', '2'],
      ['a', 'b'],
    ],
  ])('of a company %s completes', async (_, books, accounts, references) => {
    const company = await connectCompany(books);
    await company.deliver();
    expect(await company.state()).toEqual(imported(accounts, references));
  });

  test("calls the company's data center, also to refresh tokens", async () => {
    const company = open.newCompany({
      adapter: 'zoho',
      accountPages,
      journalPages,
      company: { ...acme, companyId: '10', dataCenter: 'eu' },
    });
    await company.connect({ tokens: { ...company.fake.issueTokens(), expiresInSeconds: 0 } });
    await company.deliver();
    expect(company.fake.calls[0]).toBe('refresh');
    expect(await company.state()).toEqual(everything);
  });
});

describe('an import fails at once', () => {
  const platformError = {
    code: '6190',
    message: 'Subscription has lapsed',
    traceId: '1-5f-tid',
  };

  test.each<[reason: string, status: string, (company: Company) => unknown, string[]]>([
    [
      'company_not_found',
      'disconnected',
      ({ fake }) => fake.plan('accountPage', new PlatformFailure('company_not_found')),
      ['company', 'accountPage'],
    ],
    [
      'company_currency_changed',
      'import_failed',
      ({ fake }) => Object.assign(fake.books, { company: { ...fake.company, currency: 'USD' } }),
      ['company'],
    ],
  ])('with %s: the tenant is %s until it is connected again', async (...row) => {
    const [reason, status, spoil, calls] = row;
    const company = await connectCompany();
    spoil(company);
    expect(await company.deliver()).toEqual(done);
    expect(await company.state()).toEqual({
      tenant: [status, reason],
      import: ['failed', reason],
      counts: [0, 0, 0],
      accounts: [],
      journals: [],
    });
    expect(company.fake.calls).toEqual(calls);
    expect([company.world.pauses, await company.dueAt()]).toEqual([[], undefined]);
    expect(company.outcomes()).toEqual([reason]);
    const event = status === 'disconnected' ? 'tenantDisconnected' : 'importFailed';
    expect(company.metrics.events).toContainEqual([event]);
    company.fake.books.company = company.fake.company;
    await company.connect({ importId: 'import-2' });
    expect((await company.state()).tenant).toEqual(['importing', null]);
    await company.deliver();
    expect(await company.state()).toEqual(everything);
  });

  test("and stores and logs the platform's own error", async () => {
    const company = await connectCompany();
    const lapsed = new PlatformFailure('subscription_lapsed', { platformError });
    company.fake.plan('accountPage', lapsed);
    await company.deliver();
    const at = company.clock().toISOString();
    expect(await open.imports.find(company.name)).toMatchObject({
      lastFailure: { reason: 'subscription_lapsed', at, platformError },
    });
    const { code, message, traceId } = platformError;
    expect(company.log.lines).toContainEqual([
      'the import run failed',
      expect.objectContaining({ platform_error: { code, message, trace_id: traceId } }),
    ]);
  });

  test("without a call if the slot's adapter is not the connection's", async () => {
    const company = await connectCompany();
    const other = { ...company.fake.platform, adapter: 'quickbooks' };
    const platforms = { get: async () => other };
    expect(await company.deliver({ platforms })).toEqual(broughtAgain);
    expect((await company.state()).tenant).toEqual(['importing', 'internal_error']);
    expect(company.fake.calls).toEqual([]);
  });
});
