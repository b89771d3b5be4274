// import-tenant-data on a test table and a platform in memory. Each test has its own company, and a
// clock that advances with each sleep.

import { randomUUID } from 'node:crypto';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { ScheduledEvent } from 'aws-lambda';
import Big from 'big.js';
import { createHandler, type Dependencies } from '#functions/import-tenant-data/handler.ts';
import { heartbeatMilliseconds } from '#functions/import-tenant-data/run-lease.ts';
import { createHandler as createResumer } from '#functions/resume-imports/handler.ts';
import { openAccounts } from '#shared/accounts/accounts.store.ts';
import type { PlatformAccount } from '#shared/accounts/accounts.ts';
import { openApplications } from '#shared/applications/applications.store.ts';
import { openDueWork } from '#shared/background/due-index.store.ts';
import { openPlatformBalances } from '#shared/balances/platform-balances.store.ts';
import { openConnections } from '#shared/connections/connections.store.ts';
import { openTenantHistory } from '#shared/history/tenant-history.store.ts';
import { openImportedJournals } from '#shared/imports/imported-journals.store.ts';
import { openImports } from '#shared/imports/imports.store.ts';
import {
  type AccountReference,
  type PlatformJournal,
  type PlatformJournalLine,
  withExpiry,
} from '#shared/platforms/platform.ts';
import { openSealing } from '#shared/sealing.ts';
import { importKey, tenantKey } from '#shared/table/keys.ts';
import { openTable } from '#shared/table/table.ts';
import { openTenants } from '#shared/tenants/tenants.store.ts';
import type { Tenant } from '#shared/tenants/tenants.ts';
import { openUsers } from '#shared/users/users.store.ts';
import { testQuotas } from '../builders/quotas.ts';
import { fixedSecret, newKeys, testAuthenticators } from '../builders/secrets.ts';
import { connectionOf, newSuffix, openTestSuffixes, testSuffix } from '../builders/tenants.ts';
import { openTestTable } from '../dynamodb/test-table.ts';
import { lambdaContext } from '../events/lambda-events.ts';
import { chartAccount } from '../readers/charts.ts';
import { keepLog } from '../recorders/log.ts';
import { keepMetrics } from '../recorders/metrics.ts';
import { acme, openFakePlatform } from '../servers/fake-platform.ts';

const startedAt = Date.parse('2026-03-23T09:30:00.000Z');

/** The time limit of a run. */
const runMilliseconds = 300_000;

/** What becomes of a request for a run: it is dealt with, or Lambda must bring it again. */
export const done = 'done';
export const broughtAgain = 'brought again';

export const account = (accountId: string, more?: Partial<PlatformAccount>) =>
  chartAccount(accountId, accountId, more);

/** A line over an account, by its id or in another way. */
export const line = (
  account: string | AccountReference,
  more: { description?: string; debit?: string; credit?: string; reportingAmount?: string },
): PlatformJournalLine => ({
  account: typeof account === 'string' && account !== 'tax' ? { id: account } : account,
  description: more.description ?? '',
  debit: new Big(more.debit ?? 0),
  credit: new Big(more.credit ?? 0),
  reportingAmount: more.reportingAmount === undefined ? null : new Big(more.reportingAmount),
});

/** A journal over 100.00 from account 1 to account 2. */
export const journal = (
  reference: string,
  more: Partial<PlatformJournal> & { accounts?: [string, string] } = {},
): PlatformJournal => {
  const { accounts: [debited, credited] = ['1', '2'], ...fields } = more;
  return {
    reference,
    date: '2026-03-20',
    memo: `Journal ${reference}`,
    currency: null,
    exchangeRate: null,
    lines: [
      line(debited, { description: 'From', debit: '100' }),
      line(credited, { description: 'To', credit: '100' }),
    ],
    ...fields,
  };
};

/** The state of a company after a complete import of journals of one day. */
export const imported = (accounts: string[], references: string[]) => ({
  tenant: ['active', null],
  import: ['complete', null],
  counts: [accounts.length, references.length, 0],
  accounts,
  journals: references.map((reference, index) => [
    `IJ-20260320-${String(index + 1).padStart(4, '0')}`,
    reference,
  ]),
});

type Changes = Partial<Dependencies> & {
  /** The time left for the run, or a function that returns it. */
  remaining?: number | (() => number);
  record?: Record<string, unknown>;
};

export type TenantImports = Awaited<ReturnType<typeof openTenantImports>>;

/**
 * Opens the table for the tests of a file.
 * @param config of the client through which runs reach the table; the tests look at it directly
 */
export const openTenantImports = async (config: DynamoDBClientConfig = {}) => {
  const database = await openTestTable();
  const { tableName, endpoint, table } = database;
  const sealing = openSealing(fixedSecret(newKeys('1')));
  const suffixes = openTestSuffixes();
  const tenants = openTenants(table, {
    sealing,
    newSuffix: suffixes.newSuffix,
    quotas: testQuotas,
  });
  const connections = openConnections(table, sealing);
  const imports = openImports(table);
  const applications = openApplications(table);

  await openUsers(table).record(
    {
      applicationId: 'app1',
      email: 'ada@example.com',
      firstName: 'Ada',
      lastName: 'Lovelace',
      createdAt: '2026-03-23T09:30:00.000Z',
    },
    { passwordHash: '', newUserId: () => '41' },
  );

  const tableOfRuns = openTable(
    tableName,
    { endpoint, ...config },
    { authenticators: testAuthenticators },
  );
  const stores = {
    applications: openApplications(tableOfRuns),
    imports: openImports(tableOfRuns),
    history: openTenantHistory(tableOfRuns),
    connections: openConnections(tableOfRuns, sealing),
    accounts: openAccounts(tableOfRuns, testQuotas),
    journals: openImportedJournals(tableOfRuns),
    balances: openPlatformBalances(tableOfRuns),
    tenants: openTenants(tableOfRuns, { sealing, newSuffix, quotas: testQuotas }),
  };

  /** A company that no other test uses, its platform, and runs of its import. */
  const newCompany = ({
    followPlatformEdits,
    ...options
  }: Parameters<typeof openFakePlatform>[0] & Pick<Tenant, 'followPlatformEdits'> = {}) => {
    const world = { now: startedAt, pauses: [] as number[] };
    const beats = new Set<() => Promise<void>>();
    const clock = () => new Date(world.now);
    const log = keepLog();
    const metrics = keepMetrics();
    suffixes.beginCompany();
    const companyName = `acme-${newSuffix()}`;
    const fake = openFakePlatform({
      company: { ...acme, companyId: randomUUID(), name: companyName },
      clock,
      ...options,
    });
    const name = {
      applicationId: 'app1',
      schemaName: `${companyName}-${testSuffix}`.replaceAll('-', '_'),
    };

    /** Connects the company, for the first time or again. */
    const connect = async ({
      tokens = fake.issueTokens(),
      importId = 'import-1',
      company = fake.company,
    } = {}): Promise<void> => {
      await tenants.connect(
        { applicationId: 'app1', email: 'ada@example.com' },
        {
          ...connectionOf(company.companyId, {
            details: {
              companyName,
              currency: company.currency,
              createdAt: clock().toISOString(),
              ...(followPlatformEdits !== undefined && { followPlatformEdits }),
            },
            company: { adapter: fake.platform.adapter, dataCenter: company.dataCenter },
            importId,
          }),
          tokens: withExpiry(tokens, clock()),
        },
      );
    };

    /** The current item of the import, which is also the request for a run. */
    const record = async () => ({ ...(await table.get(importKey(name))) });

    /** Asks the function for the import of a record; as the import stands, if no other. */
    const deliver = async ({
      remaining = runMilliseconds,
      record: given,
      ...changes
    }: Changes = {}): Promise<typeof done | typeof broughtAgain> => {
      const handler = createHandler({
        ...stores,
        platforms: fake.platforms,
        clock,
        sleep: async (milliseconds) => {
          world.pauses.push(milliseconds);
          world.now += milliseconds;
        },
        pace: { run: (_, work) => work() },
        repeat: (_, beat) => {
          beats.add(beat);
          return () => void beats.delete(beat);
        },
        newRunId: randomUUID,
        log,
        metrics,
        ...changes,
      });
      const left = typeof remaining === 'function' ? remaining : () => remaining;
      const context = { ...lambdaContext(), getRemainingTimeInMillis: left };
      return handler(given ?? (await record()), context).then(
        () => done,
        () => broughtAgain,
      );
    };

    /** Lets time pass in which runs do nothing but let their hearts beat. */
    const passTime = async (milliseconds: number): Promise<void> => {
      for (const end = world.now + milliseconds; world.now < end; ) {
        world.now += Math.min(heartbeatMilliseconds, end - world.now);
        for (const beat of beats) await beat();
      }
    };

    /** The time at which the import is due. */
    const dueAt = async (): Promise<string | undefined> =>
      (await record()).due_sk?.toString().split('#')[0];

    /** Advances the clock until the import is due, and resumes it. */
    const resumeWhenDue = async (): Promise<void> => {
      world.now = Math.max(world.now, Date.parse((await dueAt()) ?? ''));
      const resume = createResumer({
        imports: openImports(table, { clock }),
        applications,
        clock,
        dueWork: openDueWork(table),
        log: keepLog(),
        metrics: keepMetrics(),
      });
      const event = { time: clock().toISOString() } as ScheduledEvent;
      await resume(event, lambdaContext(60_000));
    };

    /** Asks for runs, and resumes what waits, until the import has ended. */
    const runToEnd = async (changes: Changes = {}): Promise<void> => {
      for (let runs = 0; runs < 100; runs += 1) {
        const { status } = await record();
        if (status === 'complete' || status === 'failed') return;
        if (status !== 'requested') await resumeWhenDue();
        await deliver(changes);
      }
      throw new Error('the import does not end');
    };

    /** How it all stands: for the tenant, for the import, and in the ledger. */
    const state = async () => {
      const tenant = await tenants.find(name);
      const { status, reason, checkpoint } = (await imports.find(name)) ?? {};
      const items = await table.query({
        KeyConditionExpression: 'pk = :partition',
        ExpressionAttributeValues: { ':partition': tenantKey(name).pk },
      });
      const entries = items.filter(({ kind }) => kind === 'entry');
      return {
        tenant: [tenant?.status, tenant?.statusReason],
        import: [status, reason],
        counts: [
          checkpoint?.accountsImported,
          checkpoint?.journalsImported,
          checkpoint?.journalsRefused,
        ],
        accounts: items.filter(({ kind }) => kind === 'account').map(({ code }) => code),
        journals: entries.map((entry) => [entry.journalNumber, entry.platformReference]),
      };
    };

    /** How each run ended, as the log tells it. */
    const outcomes = (): unknown[] =>
      (log.lines as [string, { outcome?: string }][]).flatMap(([, { outcome }]) => outcome ?? []);

    return {
      world,
      clock,
      log,
      metrics,
      outcomes,
      fake,
      name,
      connect,
      record,
      deliver,
      dueAt,
      resumeWhenDue,
      runToEnd,
      state,
      passTime,
      /** How many runs' hearts beat. */
      beating: () => beats.size,
    };
  };

  return {
    ...database,
    applications,
    tenants,
    connections,
    imports,
    stores,
    newCompany,
    /** A company that is connected, with two accounts if no others are given. */
    connectCompany: async (options: Parameters<typeof newCompany>[0] = {}) => {
      const company = newCompany({ accountPages: [[account('1'), account('2')]], ...options });
      await company.connect();
      return company;
    },
  };
};
