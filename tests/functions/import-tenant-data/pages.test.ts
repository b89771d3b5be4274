import { describe, expect, test } from 'vitest';
import { rowsPerPage, withLargerPages } from '#functions/import-tenant-data/page-sizes.ts';
import { type ImportCheckpoint, startOfImport } from '#shared/imports/import-checkpoint.store.ts';
import { PlatformFailure, type PlatformFailureReason } from '#shared/platforms/platform.ts';
import { imported, journal, openTenantImports } from '../../support/harnesses/tenant-imports.ts';

const open = await openTenantImports();

const pageSizes = { accounts: [1000, 100], journals: [1000, 100, 10] };
const failure = (reason: PlatformFailureReason) => new PlatformFailure(reason);

describe('pages that got smaller', () => {
  const at = (cursor: string | null, step: number, stage: ImportCheckpoint['stage']) => ({
    ...startOfImport,
    ...{ stage, cursor, pageSizeSteps: { accounts: 0, journals: step } },
  });

  test.each<[string, Parameters<typeof at>, number]>([
    ['stay so for a while', ['19900', 2, 'journals'], 10],
    ['grow after twenty of the larger size', ['22000', 2, 'journals'], 100],
    ['grow step by step', ['40000', 2, 'journals'], 100],
    ['grow to the largest', ['40000', 1, 'journals'], 1000],
    ['grow no more', ['40000', 0, 'journals'], 1000],
    ['stay so where the larger one could not begin', ['22000', 1, 'journals'], 100],
    ['stay so where the cursor is no number of rows', ['abc', 1, 'journals'], 100],
    ['grow for another pass', [null, 2, 'journals'], 100],
    ['stay so at the end', [null, 2, 'done'], 10],
  ])('%s', (_, checkpoint, rows) => {
    const after = withLargerPages(at(...checkpoint), { pageSizes });
    expect(rowsPerPage(after, { list: 'journals', platform: { pageSizes } })).toBe(rows);
  });
});

const connectCompany = async () => {
  const company = await open.connectCompany({
    journalPages: [[journal('a'), journal('b')], [journal('c')]],
    pageSizes,
  });
  const rowsAsked = () => company.fake.pageRequests.map(({ rows }) => rows);
  return { ...company, rowsAsked };
};
const everything = imported(['1', '2'], ['a', 'b', 'c']);

describe('a page', () => {
  test.each(['platform_timed_out', 'reply_too_large'] as const)(
    'that fails (%s) is asked for with fewer rows, at once and from then on',
    async (reason) => {
      const { fake, ...company } = await connectCompany();
      fake.plan('accountPage', failure(reason));
      fake.plan('journalPage', () => {}, failure(reason), failure(reason));
      await company.deliver();
      expect(await company.state()).toEqual(everything);
      expect(company.rowsAsked()).toEqual([100, 1000, 10]);
      expect(company.world.pauses).toEqual([]);
    },
  );

  test('of the smallest size that comes too late is waited for, and no progress', async () => {
    const { fake, ...company } = await connectCompany();
    fake.plan('journalPage', ...Array.from({ length: 6 }, () => failure('platform_timed_out')));
    await company.deliver();
    expect(await company.state()).toMatchObject({
      tenant: ['importing', 'platform_timed_out'],
      import: ['waiting', 'platform_timed_out'],
    });
    expect(company.world.pauses).toEqual([1000, 2000, 4000]);
    expect((await company.record()).runsWithoutProgress).toBe(0);
    await company.runToEnd();
    expect(await company.state()).toEqual(everything);
    expect(company.rowsAsked()).toEqual([1000, 10, 10]);
  });

  test('of the smallest size that is too large ends the import', async () => {
    const { fake, ...company } = await connectCompany();
    fake.plan('journalPage', ...Array.from({ length: 3 }, () => failure('reply_too_large')));
    await company.deliver();
    expect((await company.state()).tenant).toEqual(['import_failed', 'reply_too_large']);
  });

  test('that came at the end of a run is recorded, where it has its journals whole', async () => {
    const company = await open.connectCompany({ journalPages: [[journal('a')]], isWhole: true });
    let left = 300_000;
    company.fake.plan('journalPage', () => {
      left = 25_000;
    });
    await company.deliver({ remaining: () => left });
    expect(await company.state()).toEqual(imported(['1', '2'], ['a']));
  });

  test('that only we had no time for is left to the next run, in its size', async () => {
    const { fake, ...company } = await connectCompany();
    fake.plan('journalPage', failure('platform_timed_out'));
    await company.deliver({ remaining: 144_999 });
    expect((await company.state()).import).toEqual(['requested', null]);
    expect(await open.imports.find(company.name)).toMatchObject({ lastFailure: null });
    await company.deliver();
    expect(await company.state()).toEqual(everything);
    expect(company.rowsAsked()).toEqual([1000, 1000, 1000]);
  });
});

describe('a platform that asks to wait before each call', () => {
  const slow = (fake: Awaited<ReturnType<typeof connectCompany>>['fake'], waits: number[]) => {
    const platform = { ...fake.platform, waitMilliseconds: () => waits.shift() ?? 0 };
    return { platforms: { get: async () => platform } };
  };

  test('is waited for', async () => {
    const { fake, ...company } = await connectCompany();
    await company.deliver(slow(fake, [100, 0, 60_000]));
    expect(company.world.pauses).toEqual([100, 60_000]);
    expect(await company.state()).toEqual(everything);
  });

  test('is left alone for so long where that is too long for a run', async () => {
    const { fake, ...company } = await connectCompany();
    await company.deliver(slow(fake, [0, 600_500]));
    expect(fake.calls).toEqual(['company']);
    expect((await company.state()).tenant).toEqual(['importing', 'rate_limited']);
    expect(Date.parse((await company.dueAt()) ?? '') - company.world.now).toBe(601_000);
  });

  test('has journals recorded that it listed whole, for which nothing is called', async () => {
    const company = await open.connectCompany({ journalPages: [[journal('a')]], isWhole: true });
    await company.deliver(slow(company.fake, [0, 0, 0, 600_000]));
    expect(await company.state()).toEqual(imported(['1', '2'], ['a']));
  });
});

describe('what a platform says of a failure', () => {
  const said = { code: '6190', message: 'Subscription has lapsed', traceId: '1-5f-tid' };

  test('is kept with the import, and in the log', async () => {
    const { fake, ...company } = await connectCompany();
    const lapsed = new PlatformFailure('subscription_lapsed', { platformError: said });
    fake.plan('journalPage', lapsed);
    await company.deliver();
    expect((await company.state()).tenant).toEqual(['import_failed', 'subscription_lapsed']);
    const at = company.clock().toISOString();
    expect(await open.imports.find(company.name)).toMatchObject({
      lastFailure: { reason: 'subscription_lapsed', at, platformError: said },
    });
    expect(company.log.lines).toContainEqual([
      'the import met a failure',
      expect.objectContaining({
        platform_error: { code: '6190', message: said.message, trace_id: said.traceId },
      }),
    ]);
  });

  test('is kept though the import has come to its end since', async () => {
    const { fake, ...company } = await connectCompany();
    fake.plan('company', new PlatformFailure('rate_limited', { retryAfterSeconds: 600 }));
    await company.runToEnd();
    expect(await company.state()).toEqual(everything);
    expect(await open.imports.find(company.name)).toMatchObject({
      lastFailure: { reason: 'rate_limited', platformError: null },
    });
  });

  test('is that the company is not ours any more, which disconnects it', async () => {
    const { fake, ...company } = await connectCompany();
    fake.plan('accountPage', failure('company_not_found'));
    await company.deliver();
    expect((await company.state()).tenant).toEqual(['disconnected', 'company_not_found']);
    expect(company.metrics.events).toContainEqual(['tenantDisconnected']);
  });
});
