import { describe, expect, test } from 'vitest';
import { PlatformFailure } from '#shared/platforms/platform.ts';
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

const everything = {
  ...imported(['1', '2', '3'], ['a', 'c']),
  counts: [3, 3, 0],
  journals: [...imported([], ['a', 'c']).journals, ['IJ-20260321-0001', 'b']],
};

describe('an import', () => {
  test('records every page, makes the tenant active, and says so in one line', async () => {
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
    const delivery = { request_id: lambdaContext().awsRequestId };
    const { applicationId: application_id, schemaName: schema_name } = company.name;
    const counts = {
      ...{ accounts_imported: 3, journals_imported: 3 },
      ...{ accounts_refused: 0, journals_refused: 0 },
    };
    const line = {
      ...{ ...delivery, application_id, schema_name, import_id: 'import-1' },
      ...{ outcome: 'success', stage: 'done', ...counts, ...costFields(26) },
    };
    expect(company.log.lines).toEqual([['invocation', line]]);
    expect(company.metrics.events.slice(0, -1)).toEqual([
      ...Array(4).fill(['importPageRead']),
      ['recordsRefused', 0],
    ]);
  });

  test.each<[string, Parameters<typeof connectCompany>[0], string[], string[]]>([
    ['without accounts and journals', { accountPages: [[]], journalPages: [[]] }, [], []],
    [
      'with pages on which there is nothing for us',
      {
        accountPages: [[], [], [account('1'), account('2')]],
        journalPages: [[journal('a')], [], [], [journal('b')]],
      },
      ['1', '2'],
      ['a', 'b'],
    ],
  ])('of a company %s is complete too', async (_, books, accounts, references) => {
    const company = await connectCompany(books);
    await company.deliver();
    expect(await company.state()).toEqual(imported(accounts, references));
  });

  test('asks for the company, the pages and the tokens at its data center', async () => {
    const company = open.newCompany({
      ...{ adapter: 'zoho', accountPages, journalPages },
      company: { ...acme, companyId: '10', dataCenter: 'eu' },
    });
    await company.connect({ tokens: { ...company.fake.issueTokens(), expiresInSeconds: 0 } });
    await company.deliver();
    expect(company.fake.calls[0]).toBe('refresh');
    expect(await company.state()).toEqual(everything);
  });
});

describe('a second import', () => {
  const again = async (company: Awaited<ReturnType<typeof connectCompany>>) => {
    const requestedAt = company.clock().toISOString();
    const asked = { importId: 'import-2', requestedAt };
    expect(await open.imports.request(company.name, asked)).toBe(true);
    expect((await company.state()).tenant).toEqual(['importing', null]);
    company.fake.calls.length = 0;
    expect(await company.deliver()).toEqual(done);
  };

  test('of what has not changed leaves the ledger as it is, and reads no journal', async () => {
    const company = await connectCompany();
    await company.deliver();
    const ledger = async () =>
      (await open.scan()).filter(({ pk, sk }) => {
        return String(pk).endsWith(`#${company.name.schemaName}`) && sk !== 'IMPORT';
      });
    const before = await ledger();
    await again(company);
    expect(await ledger()).toEqual(before);
    expect(await company.state()).toEqual(everything);
    expect(company.fake.calls).not.toContain('readJournal');
  });

  test('adds only what is new, and brings accounts up to date', async () => {
    const company = await connectCompany();
    await company.deliver();
    company.fake.books.accountPages = [
      [account('1', { name: 'Renamed' }), account('2', { status: 'archived' })],
      [account('3'), account('4')],
    ];
    company.fake.books.journalPages = [
      [journal('d'), ...(journalPages[0] ?? [])],
      [journal('c'), journal('e', { accounts: ['4', '1'], date: '2026-03-21' })],
    ];
    await again(company);
    const { journals: earlier, ...rest } = imported(['1', '2', '3', '4'], ['a', 'c', 'd']);
    const later = [
      ['IJ-20260321-0001', 'b'],
      ['IJ-20260321-0002', 'e'],
    ];
    const journals = [...earlier, ...later];
    expect(await company.state()).toEqual({ ...rest, counts: [4, 5, 0], journals });
    expect(company.fake.calls.filter((call) => call === 'readJournal')).toHaveLength(2);
    const accounts = (await open.scan()).filter(({ pk, kind }) => {
      return String(pk).endsWith(`#${company.name.schemaName}`) && kind === 'account';
    });
    expect(accounts.map(({ code, name, status }) => [code, name, status])).toEqual([
      ['1', 'Renamed', 'active'],
      ['2', 'Account 2', 'archived'],
      ['3', 'Account 3', 'active'],
      ['4', 'Account 4', 'active'],
    ]);
  });
});

describe('an import ends at once', () => {
  const failed = (reason: string) => ({
    tenant: ['import_failed', reason],
    import: ['failed', reason],
    counts: [0, 0, 0],
    accounts: [],
    journals: [],
  });

  test('at a failure that will not pass, and is mended when it is connected again', async () => {
    const company = await connectCompany();
    const reason = 'reply_not_understood';
    company.fake.plan('accountPage', new PlatformFailure(reason));
    expect(await company.deliver()).toEqual(done);
    expect(await company.state()).toEqual(failed(reason));
    expect([company.world.pauses, await company.dueAt()]).toEqual([[], undefined]);
    expect(company.log.lines.at(-1)).toMatchObject([
      'invocation',
      { outcome: reason, stage: 'accounts' },
    ]);
    expect(company.metrics.events).toContainEqual(['importFailed']);
    await company.connect({ importId: 'import-2' });
    expect((await company.state()).tenant).toEqual(['importing', null]);
    await company.deliver();
    expect(await company.state()).toEqual(everything);
  });

  test('where the company keeps its books in another currency now', async () => {
    const company = await connectCompany();
    company.fake.books.company = { ...company.fake.company, currency: 'USD' };
    expect(await company.deliver()).toEqual(done);
    expect(await company.state()).toEqual(failed('company_currency_changed'));
    expect(company.fake.calls).toEqual(['company']);
  });

  test('without a call where the slot has another adapter than the connection', async () => {
    const company = await connectCompany();
    const other = { ...company.fake.platform, adapter: 'quickbooks' };
    const platforms = { get: async () => other };
    expect(await company.deliver({ platforms })).toEqual(broughtAgain);
    expect((await company.state()).tenant).toEqual(['importing', 'internal_error']);
    expect(company.fake.calls).toEqual([]);
  });
});
