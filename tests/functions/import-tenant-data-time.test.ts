import { beforeAll, describe, expect, test } from 'vitest';
import { PlatformFailure, type PlatformFailureReason } from '#shared/platforms/platform.ts';
import {
  account,
  done,
  journal,
  openTenantImports,
  type TenantImports,
} from '../support/harnesses/tenant-imports.ts';

let open: TenantImports;

beforeAll(async () => {
  open = await openTenantImports();
});

const minute = 60_000;
const hour = 60 * minute;

const connectCompany = async () => {
  const company = open.newCompany({
    accountPages: [[account('1')], [account('2')]],
    journalPages: [[journal('a'), journal('b'), journal('c')], [journal('d')]],
  });
  await company.connect();
  const failure = (reason: PlatformFailureReason, retryAfterSeconds?: number) =>
    new PlatformFailure(reason, { retryAfterSeconds });
  const minutesUntilDue = async () =>
    (Date.parse((await company.dueAt()) ?? '') - company.world.now) / minute;
  /** Makes every call fail, or lets all be well again. */
  const breakDown = (broken: PlatformFailure | undefined) => {
    const { platform } = company.fake;
    const fail = () => Promise.reject(broken);
    const down = { ...platform, company: fail, accountPage: fail, journalPage: fail };
    return { platforms: { get: async () => (broken ? down : platform) } };
  };
  return { ...company, failure, minutesUntilDue, breakDown };
};

const everything = {
  tenant: ['active', null],
  import: ['complete', null],
  counts: [2, 4, 0],
  accounts: ['1', '2'],
  journals: [
    ['IJ-20260320-0001', 'a'],
    ['IJ-20260320-0002', 'b'],
    ['IJ-20260320-0003', 'c'],
    ['IJ-20260320-0004', 'd'],
  ],
};

describe('a run whose time is up', () => {
  test.each([
    [2, 6],
    [3, 4],
    [5, 2],
  ])('after %d calls leaves the rest to the next, which goes on there: %d runs', async (...row) => {
    const [callsPerRun, runs] = row;
    const { fake, ...company } = await connectCompany();
    let delivered = 0;
    for (; (await company.state()).import[0] === 'requested'; delivered += 1) {
      const before = fake.calls.length;
      const remaining = () => (fake.calls.length - before < callsPerRun ? 30_000 : 29_999);
      expect(await company.deliver({ remaining })).toEqual(done);
    }
    expect(await company.state()).toEqual(everything);
    expect(delivered).toBe(runs);
    const outcomes = company.log.lines.map((line) => (line as [string, { outcome: string }])[1]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([
      ...Array.from({ length: runs - 1 }, () => 'continues'),
      'success',
    ]);
    // Only the page under way is asked for again.
    const counts = Object.groupBy(fake.calls, (call) => call);
    expect(
      [counts.company, counts.accountPage, counts.readJournal].map((it) => it?.length),
    ).toEqual([1, 2, 4]);
    expect(counts.journalPage?.length).toBeLessThan(2 + runs);
  });

  test('amid a long page counts as one that did something, as often as it takes', async () => {
    const { fake, ...company } = await connectCompany();
    fake.books.journalPages = [Array.from({ length: 8 }, (_, number) => journal(`j${number}`))];
    await company.deliver({ remaining: () => (fake.calls.length < 3 ? 30_000 : 29_999) });
    for (let runs = 1; runs <= 8; runs += 1) {
      expect((await company.state()).journals).toHaveLength(runs - 1);
      const before = fake.calls.length;
      const remaining = () => (fake.calls.length - before < 2 ? 30_000 : 29_999);
      await company.deliver({ remaining });
    }
    expect(await company.state()).toMatchObject({ import: ['complete', null], counts: [2, 8, 0] });
  });

  test('before it did anything is one of five at most', async () => {
    const company = await connectCompany();
    for (let runs = 1; runs <= 5; runs += 1) {
      await company.deliver({ remaining: 29_999 });
      expect((await company.state()).import).toEqual(['requested', null]);
    }
    await company.deliver();
    expect((await company.state()).tenant).toEqual(['import_failed', 'gave_up']);
    expect(company.fake.calls).toEqual([]);
  });
});

describe('a failure that passes soon', () => {
  test.each<PlatformFailureReason>(['rate_limited', 'platform_unavailable', 'platform_timed_out'])(
    'is waited for, at growing distances: %s',
    async (reason) => {
      const { fake, failure, ...company } = await connectCompany();
      fake.plan('accountPage', failure(reason), failure(reason), failure(reason));
      await company.deliver();
      expect(company.world.pauses).toEqual([1000, 2000, 4000]);
      expect(await company.state()).toEqual(everything);
    },
  );

  test.each(['company', 'accountPage', 'journalPage', 'readJournal'] as const)(
    'is waited for as long as the platform says: of %s',
    async (operation) => {
      const { fake, failure, ...company } = await connectCompany();
      fake.plan(operation, failure('rate_limited', 65), failure('rate_limited', 0));
      await company.deliver();
      expect(company.world.pauses).toEqual([65_000, 0]);
      expect(await company.state()).toEqual(everything);
    },
  );
});

describe('a limit', () => {
  const limited = ['importing', 'rate_limited'];

  test('of an hour puts the import off so long, and it goes on from there', async () => {
    const { fake, failure, minutesUntilDue, ...company } = await connectCompany();
    fake.plan('accountPage', () => {}, failure('rate_limited', 3600));
    const early = await company.record();
    expect(await company.deliver()).toEqual(done);
    expect(company.world.pauses).toEqual([]);
    expect(await company.state()).toMatchObject({
      tenant: limited,
      import: ['waiting', 'rate_limited'],
      counts: [1, 0, 0],
    });
    expect(await minutesUntilDue()).toBe(60);
    expect(company.log.lines.at(-1)).toMatchObject([
      'record',
      { outcome: 'deferred_rate_limited', stage: 'accounts', accounts_imported: 1 },
    ]);
    const waiting = await company.record();
    await company.deliver({ record: early });
    await company.deliver({ record: waiting });
    expect(await company.record()).toEqual(waiting);
    await company.resumeWhenDue();
    expect((await company.state()).tenant).toEqual(limited);
    await company.deliver();
    expect(await company.state()).toEqual(everything);
    expect(fake.calls.filter((call) => call === 'accountPage')).toHaveLength(3);
  });

  test('goes unnoticed by whoever resumes what is due until its time is up', async () => {
    const { fake, failure, ...company } = await connectCompany();
    fake.plan('company', failure('rate_limited', 3600));
    await company.deliver();
    const before = new Date(company.world.now + hour - 1);
    expect(await open.imports.resume(company.name, before)).toBe(false);
    expect((await company.state()).import).toEqual(['waiting', 'rate_limited']);
  });

  test.each([
    ['a minute, after four tries, where the platform does not say', [undefined, 4], 1],
    ['66 seconds, which is too long to wait in place', [66, 1], 1.1],
    ['at once, after four tries, where the platform says zero', [0, 4], 0],
    ['a day, where the platform says a month', [30 * 24 * 3600, 1], 24 * 60],
  ] as const)('puts the import off for %s', async (_, [seconds, times], minutes) => {
    const { fake, failure, minutesUntilDue, ...company } = await connectCompany();
    fake.plan('company', ...Array.from({ length: times }, () => failure('rate_limited', seconds)));
    await company.deliver();
    expect(await minutesUntilDue()).toBe(minutes);
    await company.runToEnd();
    expect(await company.state()).toEqual(everything);
  });

  test('that the run has no time to wait for puts the import off too', async () => {
    const { fake, failure, minutesUntilDue, ...company } = await connectCompany();
    fake.plan('company', failure('rate_limited', 40));
    await company.deliver({ remaining: 69_999 });
    expect(company.world.pauses).toEqual([]);
    expect(await minutesUntilDue()).toBeCloseTo(40 / 60);
  });

  test('is put up with for three days without progress, however many runs meet it', async () => {
    const { failure, breakDown, ...company } = await connectCompany();
    const startedAt = company.world.now;
    const limits = breakDown(failure('rate_limited', 5 * 3600));
    await company.deliver(limits);
    for (let runs = 1; (await company.state()).import[0] === 'waiting'; runs += 1) {
      expect(await company.state()).toMatchObject({ tenant: limited, counts: [0, 0, 0] });
      await company.resumeWhenDue();
      await company.deliver(limits);
      expect(company.world.now).toBe(startedAt + runs * 5 * hour);
    }
    expect(await company.state()).toMatchObject({
      tenant: ['import_failed', 'rate_limited'],
      import: ['failed', 'rate_limited'],
    });
    expect((company.world.now - startedAt) / hour).toBe(75);
  });

  test('that passes after two days and many runs is forgotten', async () => {
    const { failure, breakDown, ...company } = await connectCompany();
    await company.deliver(breakDown(failure('rate_limited', 5 * 3600)));
    for (let runs = 1; runs < 10; runs += 1) {
      await company.resumeWhenDue();
      await company.deliver(breakDown(failure('rate_limited', 5 * 3600)));
    }
    await company.runToEnd();
    expect(await company.state()).toEqual(everything);
  });
});

describe('an outage', () => {
  test.each<PlatformFailureReason>(['platform_unavailable', 'platform_timed_out'])(
    'has the import tried again in 1, 5, 15 and 60 minutes, and then ends it: %s',
    async (reason) => {
      const { failure, minutesUntilDue, breakDown, ...company } = await connectCompany();
      const down = breakDown(failure(reason));
      const minutes = [];
      expect(await company.deliver(down)).toEqual(done);
      while ((await company.state()).import[0] === 'waiting') {
        expect((await company.state()).tenant).toEqual(['import_failed', reason]);
        minutes.push(await minutesUntilDue());
        await company.resumeWhenDue();
        await company.deliver(down);
      }
      expect(minutes).toEqual([1, 5, 15, 60]);
      expect(await company.state()).toMatchObject({
        tenant: ['import_failed', reason],
        import: ['failed', reason],
      });
      expect(company.metrics.events.filter(([name]) => name === 'importFailed')).toHaveLength(1);
      expect(await company.dueAt()).toBeUndefined();
    },
  );

  test('that passes leaves nothing behind', async () => {
    const { failure, breakDown, ...company } = await connectCompany();
    const down = breakDown(failure('platform_unavailable'));
    for (let runs = 1; runs <= 4; runs += 1) {
      await company.deliver(down);
      await company.resumeWhenDue();
    }
    await company.deliver();
    expect(await company.state()).toEqual(everything);
  });

  test('after which something was imported starts to count anew', async () => {
    const { fake, failure, minutesUntilDue, breakDown, ...company } = await connectCompany();
    const down = failure('platform_unavailable');
    const minutes = [];
    for (let runs = 1; runs <= 4; runs += 1) {
      await company.deliver(breakDown(down));
      minutes.push(await minutesUntilDue());
      await company.resumeWhenDue();
    }
    fake.plan('journalPage', down, down, down, down);
    await company.deliver();
    minutes.push(await minutesUntilDue());
    await company.resumeWhenDue();
    await company.deliver(breakDown(down));
    minutes.push(await minutesUntilDue());
    expect(minutes).toEqual([1, 5, 15, 60, 1, 1]);
    expect((await company.state()).counts).toEqual([2, 0, 0]);
    await company.runToEnd();
    expect(await company.state()).toEqual(everything);
  });

  test('amid the journals of a page keeps those that were read before it', async () => {
    const { fake, failure, ...company } = await connectCompany();
    const down = failure('platform_unavailable');
    fake.plan(
      'readJournal',
      () => {},
      () => {},
      down,
      down,
      down,
      down,
    );
    await company.deliver();
    expect(await company.state()).toMatchObject({
      tenant: ['import_failed', 'platform_unavailable'],
      counts: [2, 0, 0],
      journals: everything.journals.slice(0, 2),
    });
    fake.calls.length = 0;
    await company.runToEnd();
    expect(await company.state()).toEqual(everything);
    expect(fake.calls).toEqual(['journalPage', 'readJournal', 'journalPage', 'readJournal']);
  });
});
