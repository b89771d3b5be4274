// Page sizes, and platforms that ask for a pause before a call.

import { describe, expect, test } from 'vitest';
import { PlatformFailure, type PlatformFailureReason } from '#shared/platforms/platform.ts';
import {
  account,
  imported,
  journal,
  openTenantImports,
} from '../../support/harnesses/tenant-imports.ts';

const open = await openTenantImports();

const failures = (reason: PlatformFailureReason, times = 1) =>
  Array.from({ length: times }, () => new PlatformFailure(reason));

const connectCompany = async () => {
  const company = await open.connectCompany({
    journalPages: [[journal('a'), journal('b')], [journal('c')]],
    pageSizes: { accounts: [1000, 100], journals: [1000, 100, 10] },
  });
  /** The number of rows in each request that the platform answered. */
  const requestedRows = () => company.fake.pageRequests.map(({ rows }) => rows);
  return { ...company, requestedRows };
};
const everything = imported(['1', '2'], ['a', 'b', 'c']);

describe('a page', () => {
  test.each(['platform_timed_out', 'reply_too_large'] as const)(
    'that fails with %s is requested again at once with fewer rows, as are later pages',
    async (reason) => {
      const { fake, ...company } = await connectCompany();
      fake.plan('accountPage', ...failures(reason));
      fake.plan('journalPage', () => {}, ...failures(reason, 2));
      await company.deliver();
      expect(await company.state()).toEqual(everything);
      expect(company.requestedRows()).toEqual([100, 1000, 10]);
      expect(company.world.pauses).toEqual([]);
    },
  );

  test('of the smallest size that times out is retried, later in another run', async () => {
    const { fake, ...company } = await connectCompany();
    fake.plan('journalPage', ...failures('platform_timed_out', 6));
    await company.deliver();
    expect(await company.state()).toMatchObject({
      tenant: ['importing', 'platform_timed_out'],
      import: ['waiting', 'platform_timed_out'],
    });
    expect(company.world.pauses).toEqual([1000, 2000, 4000]);
    expect((await company.record()).runsWithoutProgress).toBe(0);
    await company.runToEnd();
    expect(await company.state()).toEqual(everything);
    expect(company.requestedRows()).toEqual([1000, 10, 10]);
  });

  test('of the smallest size that is too large ends the import', async () => {
    const { fake, ...company } = await connectCompany();
    fake.plan('journalPage', ...failures('reply_too_large', 3));
    await company.deliver();
    expect((await company.state()).tenant).toEqual(['import_failed', 'reply_too_large']);
  });

  test('keeps its size for the next run if only this run was short of time', async () => {
    const { fake, ...company } = await connectCompany();
    fake.plan('journalPage', ...failures('platform_timed_out'));
    await company.deliver({ remaining: 144_999 });
    expect((await company.state()).import).toEqual(['requested', null]);
    expect(await open.imports.find(company.name)).toMatchObject({ lastFailure: null });
    await company.deliver();
    expect(await company.state()).toEqual(everything);
    expect(company.requestedRows()).toEqual([1000, 1000, 1000]);
  });
});

describe('a platform that asks for a pause before each call', () => {
  const slow = ({ fake }: Pick<Awaited<ReturnType<typeof connectCompany>>, 'fake'>) => ({
    withPauses: (...milliseconds: number[]) => {
      const platform = { ...fake.platform, waitMilliseconds: () => milliseconds.shift() ?? 0 };
      return { platforms: { get: async () => platform } };
    },
  });

  test('gets it', async () => {
    const company = await connectCompany();
    await company.deliver(slow(company).withPauses(100, 0, 60_000));
    expect(company.world.pauses).toEqual([100, 60_000]);
    expect(await company.state()).toEqual(everything);
  });

  test('gets it between two runs if it is too long for one', async () => {
    const company = await connectCompany();
    await company.deliver(slow(company).withPauses(0, 600_500));
    expect(company.fake.calls).toEqual(['company']);
    expect((await company.state()).tenant).toEqual(['importing', 'rate_limited']);
    expect(Date.parse((await company.dueAt()) ?? '') - company.world.now).toBe(601_000);
  });
});

test.each([
  ['a run without time for calls', 25_000, 0],
  ['a platform that asks for a pause', 300_000, 600_000],
])('whole journals of a page need no further call: %s', async (_, remaining, pause) => {
  const { fake, ...company } = await open.connectCompany({
    journalPages: [[journal('a')]],
    isWhole: true,
  });
  const isListed = () => fake.calls.includes('journalPage');
  const platform = { ...fake.platform, waitMilliseconds: () => (isListed() ? pause : 0) };
  await company.deliver({
    remaining: () => (isListed() ? remaining : 300_000),
    platforms: { get: async () => platform },
  });
  const { journals } = await company.state();
  expect(journals).toEqual(imported(['1', '2'], ['a']).journals);
});

describe('a page that takes longer to record than a run', () => {
  const chart = Array.from({ length: 70 }, (_, place) => account(String(place + 1)));
  const references = Array.from({ length: 120 }, (_, place) => `j${place}`);

  /** Each run has time for two more transactions, because recorded accounts take none. */
  const runToEnd = async (company: Awaited<ReturnType<typeof open.connectCompany>>) => {
    let remaining = 300_000;
    const { accounts, journals } = open.stores;
    const slow = <Store extends typeof accounts | typeof journals>(store: Store) => ({
      ...store,
      record: (name: never, records: never, options: { beforeWrite?: () => Promise<void> } = {}) =>
        store.record(name, records, {
          beforeWrite: async () => {
            await options.beforeWrite?.();
            remaining -= 140_000;
          },
        }),
    });
    for (let runs = 0; runs < 10; runs += 1) {
      remaining = 300_000 + runs * 280_000;
      const changes = { accounts: slow(accounts), journals: slow(journals) };
      await company.deliver({ ...changes, remaining: () => remaining } as never);
      if ((await company.record()).status !== 'requested') return;
      expect((await company.record()).runsWithoutProgress).toBe(0);
    }
  };

  test('is continued by the next run, with the same size', async () => {
    const company = await open.connectCompany({
      accountPages: [chart],
      journalPages: [references.map((reference) => journal(reference))],
      pageSizes: { accounts: [1000], journals: [1000, 10] },
    });
    await runToEnd(company);
    const { journals, ...found } = await company.state();
    expect(found).toMatchObject({
      import: ['complete', null],
      counts: [chart.length, references.length, 0],
    });
    expect(new Set(journals.map(([, reference]) => reference))).toEqual(new Set(references));
    expect(company.outcomes().length).toBeGreaterThan(2);
    expect(company.outcomes().slice(0, -1)).toEqual(
      company
        .outcomes()
        .slice(0, -1)
        .map(() => 'continues'),
    );
    expect(new Set(company.fake.pageRequests.map(({ rows }) => rows))).toEqual(new Set([1000]));
  });
});
