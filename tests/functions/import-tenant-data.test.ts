import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createHandler, type Dependencies } from '#functions/import-tenant-data/handler.ts';
import { suffixFrom } from '#shared/domain/domain-names.ts';
import {
  PlatformFailure,
  type PlatformFailureReason,
  type PlatformTokens,
} from '#shared/platforms/platform.ts';
import { type Connections, datedTokens, openConnections } from '#shared/store/connections.ts';
import { type Imports, openImports } from '#shared/store/imports.ts';
import type { TenantName } from '#shared/store/keys.ts';
import { openSealing } from '#shared/store/sealing.ts';
import { openTenants, type Tenants } from '#shared/store/tenants.ts';
import { account } from '../support/accounts.ts';
import { openTestTable } from '../support/database.ts';
import { lambdaContext } from '../support/events.ts';
import { acme, openFakePlatform } from '../support/fake-platform.ts';
import { costFields, keepLog } from '../support/log.ts';
import { keepMetrics } from '../support/metrics.ts';
import { fixedSecret, newKeys } from '../support/secrets.ts';
import { streamEvent } from '../support/stream-events.ts';

const now = new Date('2026-03-23T09:30:00.000Z');
const enoughMilliseconds = 300_000;
const done = { batchItemFailures: [] };

const pages = [[account('1000'), account('1001')], [account('2000')], [account('3000')]];

let database: Awaited<ReturnType<typeof openTestTable>>;
let tenants: Tenants;
let connections: Connections;
let imports: Imports;
let log: ReturnType<typeof keepLog>;
let metrics: ReturnType<typeof keepMetrics>;
let fake: ReturnType<typeof openFakePlatform>;
let pauses: number[];
let companyId: string;

beforeAll(async () => {
  database = await openTestTable();
  const sealing = openSealing(fixedSecret(newKeys('1')));
  tenants = openTenants(database.table, { sealing, newSuffix: () => suffixFrom(randomBytes(6)) });
  connections = openConnections(database.table, sealing);
  imports = openImports(database.table);
});

beforeEach(() => {
  log = keepLog();
  metrics = keepMetrics();
  fake = openFakePlatform({ pages });
  pauses = [];
  companyId = randomUUID();
});

/** Connects the company, for the first time or again. */
const connect = async (tokens: PlatformTokens, importId = 'import-1'): Promise<TenantName> => {
  const creation = await tenants.connect(
    { applicationId: 'app1', email: 'ada@example.com' },
    {
      details: {
        platform: 'platform_a',
        companyName: acme.name,
        currency: acme.currency,
        cashFlowMethod: 'direct',
        createdAt: now.toISOString(),
      },
      company: { adapter: 'sandbox', companyId },
      tokens: datedTokens(tokens, now),
      importId,
      repeatable: undefined,
    },
  );
  if (creation.outcome === 'repeated') throw new Error('nothing was to be repeated');
  return { applicationId: 'app1', schemaName: creation.tenant.schemaName };
};

/** A handler, and the delivery of the record that the table holds now. */
const prepare = async (
  name: TenantName,
  {
    remaining = enoughMilliseconds,
    ...changes
  }: { remaining?: number } & Partial<Dependencies> = {},
) => {
  const handler = createHandler({
    imports,
    connections,
    tenants,
    platforms: fake.platforms,
    clock: () => now,
    sleep: async (milliseconds) => void pauses.push(milliseconds),
    log,
    metrics,
    ...changes,
  });
  const record = { ...(await imports.find(name)), pk: 'not used', sk: 'not used' };
  return () => handler(streamEvent(record), lambdaContext(remaining));
};

const run = async (name: TenantName, options: Parameters<typeof prepare>[1] = {}) =>
  (await prepare(name, options))();

/** How it all ended: for the tenant, for the import, and for the chart of accounts. */
const stateOf = async (name: TenantName) => {
  const { status, accountsImported, reason } = (await imports.find(name)) ?? {};
  const items = await database.scan();
  return {
    tenant: (await tenants.find(name))?.status,
    import: [status, accountsImported, reason],
    codes: items
      .filter(({ pk, kind }) => String(pk).endsWith(`#${name.schemaName}`) && kind === 'account')
      .map(({ code }) => code)
      .sort(),
  };
};

const allImported = {
  tenant: 'active',
  import: ['complete', 4, null],
  codes: ['1000', '1001', '2000', '3000'],
};
const failedWith = (reason: PlatformFailureReason, tenant = 'import_failed') => ({
  tenant,
  import: ['failed', 0, reason],
  codes: [],
});

describe('an import', () => {
  test('records every page of accounts and makes the tenant active', async () => {
    const name = await connect(fake.issueTokens());
    expect(await run(name)).toEqual(done);
    expect(await stateOf(name)).toEqual(allImported);
    expect((await imports.find(name))?.finishedAt).toBe(now.toISOString());
    expect(fake.calls).toEqual(['accountPage', 'accountPage', 'accountPage']);
    const delivery = { request_id: lambdaContext().awsRequestId, sequence_number: '1' };
    const about = { application_id: 'app1', schema_name: name.schemaName, import_id: 'import-1' };
    const ending = { accounts_imported: 4, outcome: 'success', ...costFields(7) };
    expect(log.lines).toEqual([['record', { ...delivery, ...about, ...ending }]]);
    expect(metrics.events.slice(0, -1)).toEqual(fake.calls.map(() => ['importPageRead']));
  });

  test('counts an account once that two pages have', async () => {
    fake = openFakePlatform({ pages: [[account('1')], [account('1', 'Renamed'), account('2')]] });
    const name = await connect(fake.issueTokens());
    await run(name);
    expect(await stateOf(name)).toEqual({
      tenant: 'active',
      import: ['complete', 2, null],
      codes: ['1', '2'],
    });
  });

  test('of a company without accounts is complete too', async () => {
    fake = openFakePlatform({ pages: [[]] });
    const name = await connect(fake.issueTokens());
    await run(name);
    expect(await stateOf(name)).toEqual({
      tenant: 'active',
      import: ['complete', 0, null],
      codes: [],
    });
  });

  test('that is delivered again does nothing', async () => {
    const name = await connect(fake.issueTokens());
    const deliver = await prepare(name);
    await deliver();
    const [calls, before] = [fake.calls.length, await database.scan()];
    expect(await deliver()).toEqual(done);
    expect(fake.calls).toHaveLength(calls);
    expect(await database.scan()).toEqual(before);
  });

  test('whose place a later one has taken does nothing', async () => {
    const deliver = await prepare(await connect(fake.issueTokens()));
    const name = await connect(fake.issueTokens(), 'import-2');
    const before = await database.scan();
    expect(await deliver()).toEqual(done);
    expect(fake.calls).toEqual([]);
    expect(await database.scan()).toEqual(before);
    expect((await imports.find(name))?.importId).toBe('import-2');
  });

  test('whose place a later one takes while it runs leaves the end to that one', async () => {
    const name = await connect(fake.issueTokens());
    const { platform } = fake;
    const meanwhile = {
      ...platform,
      accountPage: async (...request: Parameters<typeof platform.accountPage>) => {
        if (fake.calls.length === 0) await connect(fake.issueTokens(), 'import-2');
        return platform.accountPage(...request);
      },
    };
    expect(await run(name, { platforms: { get: async () => meanwhile } })).toEqual(done);
    expect(await imports.find(name)).toMatchObject({ importId: 'import-2', status: 'requested' });
    expect((await tenants.find(name))?.status).toBe('importing');
    await run(name);
    expect(await stateOf(name)).toEqual(allImported);
  });

  test('that meets a fault of ours is left for the stream to deliver again', async () => {
    const name = await connect(fake.issueTokens());
    const before = await database.scan();
    fake.failNext('accountPage', new Error('a fault'));
    expect(await run(name)).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
    expect(await database.scan()).toEqual(before);
    expect(await run(name)).toEqual(done);
    expect(await stateOf(name)).toEqual(allImported);
  });

  test('shows no tokens to another adapter than the one that they are for', async () => {
    const name = await connect(fake.issueTokens());
    const other = { ...fake.platform, adapter: 'another' };
    const platforms = { get: async () => other };
    expect((await run(name, { platforms })).batchItemFailures).toHaveLength(1);
    expect(fake.calls).toEqual([]);
  });
});

describe('an access token', () => {
  test.each([
    ['ends in 61 seconds is used', 61, ['accountPage', 'accountPage', 'accountPage'], 1],
    [
      'ends in 60 seconds is refreshed first',
      60,
      ['refresh', 'accountPage', 'accountPage', 'accountPage'],
      2,
    ],
    [
      'has ended is refreshed first',
      -5,
      ['refresh', 'accountPage', 'accountPage', 'accountPage'],
      2,
    ],
  ])('that %s', async (_, expiresInSeconds, calls, version) => {
    const name = await connect({ ...fake.issueTokens(), expiresInSeconds });
    await run(name);
    expect(fake.calls).toEqual(calls);
    expect(await stateOf(name)).toEqual(allImported);
    const connection = await connections.find(name);
    expect(connection?.version).toBe(version);
    expect(await fake.platform.refresh(connection?.tokens.refreshToken ?? '')).toBeDefined();
  });

  test('that is refused is refreshed once, and the import goes on', async () => {
    const tokens = fake.issueTokens();
    const name = await connect(tokens);
    fake.revokeAccess(tokens.accessToken);
    await run(name);
    expect(fake.calls).toEqual([
      'accountPage',
      'refresh',
      'accountPage',
      'accountPage',
      'accountPage',
    ]);
    expect(await stateOf(name)).toEqual(allImported);
  });

  test('that cannot be refreshed leaves the tenant disconnected', async () => {
    const tokens = fake.issueTokens();
    const name = await connect(tokens);
    fake.revokeAccess(tokens.accessToken);
    fake.revokeRefresh(tokens.refreshToken);
    expect(await run(name)).toEqual(done);
    expect(await stateOf(name)).toEqual(failedWith('credentials_refused', 'disconnected'));
    expect(JSON.stringify([log.lines, await database.scan()])).not.toContain('secret-');
  });

  test('that is refused when it is new leaves the tenant disconnected too', async () => {
    const refused = () => new PlatformFailure('credentials_refused');
    const name = await connect(fake.issueTokens());
    fake.failNext('accountPage', refused(), refused());
    await run(name);
    expect(fake.calls).toEqual(['accountPage', 'refresh', 'accountPage']);
    expect(await stateOf(name)).toEqual(failedWith('credentials_refused', 'disconnected'));
  });

  test('is not lost when two imports refresh it at once', async () => {
    const name = await connect({ ...fake.issueTokens(), expiresInSeconds: 0 });
    const sleep = () => pause(500);
    const deliver = await prepare(name, { sleep });
    expect(await Promise.all([deliver(), deliver()])).toEqual([done, done]);
    expect(await stateOf(name)).toEqual(allImported);
    const connection = await connections.find(name);
    expect(connection?.version).toBe(2);
    expect(await fake.platform.refresh(connection?.tokens.refreshToken ?? '')).toBeDefined();
  });

  test('of a connection that was renewed during the refresh takes its place', async () => {
    const name = await connect({ ...fake.issueTokens(), expiresInSeconds: 0 });
    const renewed = fake.issueTokens();
    const meanwhile = {
      ...fake.platform,
      refresh: async (refreshToken: string) => {
        const tokens = await fake.platform.refresh(refreshToken);
        await connect(renewed, 'import-1');
        return tokens;
      },
    };
    await run(name, { platforms: { get: async () => meanwhile } });
    expect(await stateOf(name)).toEqual(allImported);
    expect((await connections.find(name))?.tokens).toEqual(datedTokens(renewed, now));
  });
});

describe("a platform's failure", () => {
  const failure = (reason: PlatformFailureReason, retryAfterSeconds?: number) =>
    new PlatformFailure(reason, { retryAfterSeconds });

  test.each<PlatformFailureReason>(['rate_limited', 'platform_unavailable', 'platform_timed_out'])(
    'that passes is waited for: %s',
    async (reason) => {
      const name = await connect(fake.issueTokens());
      fake.failNext('accountPage', failure(reason), failure(reason), failure(reason));
      await run(name);
      expect(pauses).toEqual([1000, 2000, 4000]);
      expect(await stateOf(name)).toEqual(allImported);
    },
  );

  test('is waited for as long as the platform says', async () => {
    const name = await connect(fake.issueTokens());
    fake.failNext('accountPage', failure('rate_limited', 7), failure('rate_limited', 0));
    await run(name);
    expect(pauses).toEqual([7000, 0]);
    expect(await stateOf(name)).toEqual(allImported);
  });

  test('of a refresh is waited for too', async () => {
    const name = await connect({ ...fake.issueTokens(), expiresInSeconds: 0 });
    fake.failNext('refresh', failure('platform_unavailable'));
    await run(name);
    expect(pauses).toEqual([1000]);
    expect(await stateOf(name)).toEqual(allImported);
  });

  test('ends the import after four tries of a page, and keeps the pages before', async () => {
    const name = await connect(fake.issueTokens());
    let page = 0;
    const broken = {
      ...fake.platform,
      accountPage: async (...request: Parameters<typeof fake.platform.accountPage>) => {
        page += 1;
        if (page > 1) throw failure('platform_unavailable');
        return fake.platform.accountPage(...request);
      },
    };
    expect(await run(name, { platforms: { get: async () => broken } })).toEqual(done);
    expect(page).toBe(5);
    expect(pauses).toEqual([1000, 2000, 4000]);
    expect(await stateOf(name)).toEqual({
      tenant: 'import_failed',
      import: ['failed', 2, 'platform_unavailable'],
      codes: ['1000', '1001'],
    });
  });

  test.each<PlatformFailureReason>(['company_not_found', 'reply_not_understood'])(
    'that will not pass ends it at once: %s',
    async (reason) => {
      const name = await connect(fake.issueTokens());
      fake.failNext('accountPage', failure(reason));
      expect(await run(name)).toEqual(done);
      expect(pauses).toEqual([]);
      expect(await stateOf(name)).toEqual(failedWith(reason));
      expect(log.lines.at(-1)).toEqual(['record', expect.objectContaining({ outcome: reason })]);
      expect(metrics.events[0]).toEqual(['importFailed']);
    },
  );

  test.each([
    ['to wait for it', 'rate_limited', enoughMilliseconds, 271],
    ['to try at all', 'platform_timed_out', 29_000, 1],
  ] as const)('ends it where there is no time %s', async (_, reason, remaining, wait) => {
    const name = await connect(fake.issueTokens());
    fake.failNext('accountPage', failure('rate_limited', wait));
    expect(await run(name, { remaining })).toEqual(done);
    expect(pauses).toEqual([]);
    expect(await stateOf(name)).toEqual(failedWith(reason));
  });

  test('is mended when the company is connected again', async () => {
    const name = await connect(fake.issueTokens());
    fake.failNext('accountPage', failure('company_not_found'));
    await run(name);
    await connect(fake.issueTokens(), 'import-2');
    await run(name);
    expect(await stateOf(name)).toEqual(allImported);
  });
});
