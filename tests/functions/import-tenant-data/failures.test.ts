import { describe, expect, test } from 'vitest';
import { decideOnFailure, ImportFailure } from '#functions/import-tenant-data/failure-policy.ts';
import {
  type CallLimits,
  DeadlineNear,
  withRetry,
} from '#functions/import-tenant-data/platform-retry.ts';
import { PlatformFailure, type PlatformFailureReason } from '#shared/platforms/platform.ts';
import { openApplication } from '../../support/builders/applications.ts';
import {
  broughtAgain,
  done,
  imported,
  journal,
  openTenantImports,
} from '../../support/harnesses/tenant-imports.ts';

const open = await openTenantImports();

const minute = 60_000;
const hour = 60 * minute;
const failure = (reason: PlatformFailureReason, retryAfterSeconds?: number) =>
  new PlatformFailure(reason, { retryAfterSeconds });

describe('a call of the platform', () => {
  const usual: CallLimits = {
    timeoutMilliseconds: 120_000,
    waitMilliseconds: () => 0,
    repeatsTimeouts: true,
  };
  /** The backoffs before the outcome of a call that meets these failures first. */
  const callWith = async (
    failures: Error[],
    remaining = 300_000,
    limits: Partial<CallLimits> = {},
  ) => {
    const backoffs: number[] = [];
    const sleep = async (milliseconds: number) => void backoffs.push(milliseconds);
    const work = async (timeLimit: () => number) => {
      timeLimit();
      const next = failures.shift();
      if (next) throw next;
      return 'done';
    };
    const left = { sleep, remainingMilliseconds: () => remaining };
    const called = withRetry(work, { ...usual, ...limits, ...left });
    return [await called.catch((error: Error) => error.message || error), ...backoffs];
  };
  const down = () => failure('platform_unavailable');
  const limited = (seconds?: number) => failure('rate_limited', seconds);
  const unclear = failure('reply_not_understood');

  test.each<[string, Error[], number, unknown[]]>([
    ['waits longer each time', [down(), down(), down()], 300_000, ['done', 1000, 2000, 4000]],
    ['waits after a time-out', [failure('platform_timed_out')], 300_000, ['done', 1000]],
    ['waits as it is told', [limited(65), limited(0)], 300_000, ['done', 65_000, 0]],
    ['is tried four times', Array(4).fill(limited(0)), 300_000, ['rate_limited', 0, 0, 0]],
    ['does not wait in place for longer', [limited(66)], 300_000, ['rate_limited']],
    ['waits while there is time', [limited(40)], 70_000, ['done', 40_000]],
    ['does not wait without time', [limited(40)], 69_999, ['rate_limited']],
    ['is made where there is time for it', [], 30_000, ['done']],
    ['is not tried again for what stays', [unclear], 300_000, [unclear.message]],
    ['is not tried again for a fault of ours', [new Error('a fault')], 300_000, ['a fault']],
  ])('%s', async (_, failures, remaining, outcome) => {
    expect(await callWith([...failures], remaining)).toEqual(outcome);
  });

  const late = () => failure('platform_timed_out');
  const runEnds = new DeadlineNear();

  test.each<[string, Error[], number, Partial<CallLimits>, unknown[]]>([
    ['waits for its turn', [], 300_000, { waitMilliseconds: () => 65_000 }, ['done', 65_000]],
    [
      'does not wait in place for more',
      [],
      300_000,
      { waitMilliseconds: () => 65_001 },
      ['rate_limited'],
    ],
    [
      'waits for its turn while there is time',
      [],
      35_000,
      { waitMilliseconds: () => 5_000 },
      ['done', 5_000],
    ],
    ['does not wait without time', [], 34_999, { waitMilliseconds: () => 5_000 }, ['rate_limited']],
    ['that is late has all its time again', [late()], 146_000, {}, ['done', 1000]],
    ['that is late is not made again without', [late()], 145_999, {}, ['platform_timed_out']],
    ['that we cut short is no failure', [late()], 144_999, {}, [runEnds]],
    [
      'of which there are smaller ones is not repeated',
      [late()],
      300_000,
      { repeatsTimeouts: false },
      ['platform_timed_out'],
    ],
    ['is not made where there is no time for it', [late()], 29_999, {}, [runEnds]],
  ])('%s', async (_, failures, remaining, limits, outcome) => {
    expect(await callWith(failures, remaining, limits)).toEqual(outcome);
  });

  test.each([
    [300_000, 120_000],
    [145_000, 120_000],
    [144_999, 119_999],
    [30_000, 5_000],
  ])('with %i ms left may take %i ms', async (remaining, milliseconds) => {
    const budget = { sleep: async () => {}, remainingMilliseconds: () => remaining };
    const limit = await withRetry(async (timeLimit) => timeLimit(), { ...usual, ...budget });
    expect(limit).toBe(milliseconds);
  });
});

describe('what becomes of an import', () => {
  const now = new Date('2026-03-23T09:30:00.000Z');
  const days = 24 * 60;
  const limit = (seconds?: number) => failure('rate_limited', seconds);
  const timeout = failure('platform_timed_out');
  const fault = new Error('a fault');

  /**
   * The failure, the run without progress that met it and for how many minutes there was none; then
   * the minutes until it goes on, or the status that it has ended with.
   */
  test.each<[string, Error, [run: number, minutes: number], number | string]>([
    ['a limit, if nothing is said', limit(), [1, 0], 1],
    ['a limit as the platform says', limit(66), [1, 0], 1.1],
    ['a limit that is over', limit(0), [1, 0], 0],
    ['a limit of a month', limit(30 * 24 * 3600), [1, 0], days],
    ['a limit for nearly three days', limit(), [9, 3 * days - 0.01], 1],
    ['a limit for three days', limit(), [1, 3 * days], 'import_failed'],
    ['an outage', failure('platform_unavailable'), [1, 0], 1],
    ['an outage amid progress', timeout, [0, 0], 1],
    ['an outage in the second run', timeout, [2, 0], 5],
    ['an outage in the fifth run', timeout, [5, 0], 'import_failed'],
    ['a fault of ours', fault, [3, 0], 15],
    ['a fault of ours in the fifth run', fault, [5, 0], 'import_failed'],
    ['tokens that are refused', failure('credentials_refused'), [1, 0], 'disconnected'],
    ['what stays', failure('reply_not_understood'), [1, 0], 'import_failed'],
    ['another company', failure('company_not_found'), [1, 0], 'disconnected'],
    ['a lapsed subscription', failure('subscription_lapsed'), [1, 0], 'import_failed'],
    ['too large a reply', failure('reply_too_large'), [1, 0], 'import_failed'],
    ['the same page', failure('page_did_not_advance'), [1, 0], 'import_failed'],
    ['currency', new ImportFailure('company_currency_changed'), [1, 0], 'import_failed'],
  ])('after %s', (_, error, [runsWithoutProgress, stopped], outcome) => {
    const progressedAt = new Date(now.getTime() - stopped * minute).toISOString();
    expect(decideOnFailure(error, { runsWithoutProgress, progressedAt }, now)).toEqual({
      reason: error === fault ? 'internal_error' : error.message,
      ...(typeof outcome === 'number'
        ? { goesOnAt: new Date(now.getTime() + outcome * minute) }
        : { tenantStatus: outcome }),
    });
  });
});

const connectCompany = async () => {
  const company = await open.connectCompany({
    journalPages: [[journal('a'), journal('b'), journal('c')], [journal('d')]],
  });
  const minutesUntilDue = async () =>
    (Date.parse((await company.dueAt()) ?? '') - company.world.now) / minute;
  /** A platform that is down. */
  const down = (reason: PlatformFailureReason, retryAfterSeconds?: number) => {
    const fail = () => Promise.reject(failure(reason, retryAfterSeconds));
    const broken = { ...company.fake.platform, company: fail, journalPage: fail };
    return { platforms: { get: async () => broken } };
  };
  return { ...company, minutesUntilDue, down };
};
const everything = imported(['1', '2'], ['a', 'b', 'c', 'd']);

describe('a run whose time is up', () => {
  test('after each two calls leaves the rest to the next, which goes on there', async () => {
    const { fake, ...company } = await connectCompany();
    while ((await company.state()).import[0] === 'requested') {
      const before = fake.calls.length;
      const remaining = () => (fake.calls.length - before < 2 ? 30_000 : 29_999);
      expect(await company.deliver({ remaining })).toEqual(done);
    }
    expect(await company.state()).toEqual(everything);
    expect(company.outcomes()).toEqual([...Array(4).fill('continues'), 'success']);
    // Only the page under way is asked for again.
    expect(fake.calls).toEqual([
      ...['company', 'accountPage', 'journalPage', 'readJournal', 'journalPage', 'readJournal'],
      ...['journalPage', 'readJournal', 'journalPage', 'readJournal'],
    ]);
  });

  test('amid a long page counts as one that did something, as often as it takes', async () => {
    const { fake, ...company } = await connectCompany();
    const references = [...'abcdefgh'];
    fake.books.journalPages = [references.map((reference) => journal(reference))];
    for (let runs = 0; runs <= 8; runs += 1) {
      const before = fake.calls.length;
      const remaining = () => (fake.calls.length - before < 2 ? 30_000 : 29_999);
      await company.deliver({ remaining });
      expect((await company.state()).journals).toHaveLength(runs);
    }
    expect(await company.state()).toEqual(imported(['1', '2'], references));
  });

  test('before it did anything is one of five at most', async () => {
    const company = await connectCompany();
    for (let runs = 1; runs <= 5; runs += 1) {
      await company.deliver({ remaining: 29_999 });
      expect((await company.state()).import).toEqual(['requested', null]);
    }
    await company.deliver();
    expect(await company.state()).toMatchObject({
      tenant: ['import_failed', 'gave_up'],
      import: ['failed', 'gave_up'],
    });
    expect([company.fake.calls, company.metrics.events.at(-2)]).toEqual([[], ['importFailed']]);
  });
});

test('every call of a platform is tried again', async () => {
  const company = await connectCompany();
  for (const operation of ['company', 'accountPage', 'journalPage', 'readJournal'] as const) {
    company.fake.plan(operation, failure('rate_limited', 7));
  }
  await company.deliver();
  expect(company.world.pauses).toEqual(Array(4).fill(7_000));
  expect(await company.state()).toEqual(everything);
});

describe('a limit', () => {
  const limited = ['importing', 'rate_limited'];

  test('of an hour puts the import off so long, and it goes on from there', async () => {
    const { fake, minutesUntilDue, ...company } = await connectCompany();
    fake.plan('journalPage', () => {}, failure('rate_limited', 3600));
    const early = await company.record();
    expect(await company.deliver()).toEqual(done);
    expect(await company.state()).toMatchObject({
      tenant: limited,
      import: ['waiting', 'rate_limited'],
      counts: [2, 3, 0],
    });
    expect([company.world.pauses, await minutesUntilDue()]).toEqual([[], 60]);
    expect(company.log.lines.at(-1)).toMatchObject([
      'invocation',
      { outcome: 'deferred_rate_limited', stage: 'journals', journals_imported: 3 },
    ]);
    const waiting = await company.record();
    await company.deliver({ record: early });
    await company.deliver({ record: waiting });
    expect(await company.record()).toEqual(waiting);
    await company.resumeWhenDue();
    expect((await company.state()).tenant).toEqual(limited);
    await company.deliver();
    expect(await company.state()).toEqual(everything);
    expect(fake.calls.filter((call) => call === 'journalPage')).toHaveLength(3);
  });

  test('is put up with for three days without progress, however many runs meet it', async () => {
    const { down, ...company } = await connectCompany();
    const startedAt = company.world.now;
    await company.runToEnd(down('rate_limited', 5 * 3600));
    expect(await company.state()).toMatchObject({
      tenant: ['import_failed', 'rate_limited'],
      import: ['failed', 'rate_limited'],
    });
    expect((company.world.now - startedAt) / hour).toBe(75);
  });
});

test('an application that is suspended has its import wait, and nothing counts', async () => {
  const { fake, down, ...company } = await connectCompany();
  const application = openApplication(open.table);
  await company.deliver({ remaining: () => (fake.calls.length < 4 ? 30_000 : 29_999) });
  const standing = await company.state();
  expect(standing.import).toEqual(['requested', null]);
  fake.calls.length = 0;
  await application.suspend(company.clock());
  const { runsWithoutProgress } = await company.record();
  for (let days = 1; days <= 7; days += 1) {
    expect(await company.deliver()).toEqual(done);
    expect(await company.state()).toEqual({
      ...standing,
      import: ['waiting', 'application_suspended'],
    });
    company.world.now += 24 * hour;
    await company.resumeWhenDue();
  }
  expect([fake.calls, (await company.record()).runsWithoutProgress]).toEqual([
    [],
    runsWithoutProgress,
  ]);
  expect(company.outcomes().slice(1, 3)).toEqual([
    'deferred_application_suspended',
    'nothing_to_do',
  ]);
  await application.resume(company.clock());
  await company.resumeWhenDue();
  // The week of the suspension is none of the three days for which a limit is put up with.
  await company.deliver(down('rate_limited', 3600));
  expect((await company.state()).import).toEqual(['waiting', 'rate_limited']);
  await company.runToEnd();
  expect(await company.state()).toEqual(everything);
});

describe('an outage', () => {
  test('after which something was imported starts to count anew', async () => {
    const { fake, minutesUntilDue, down, ...company } = await connectCompany();
    const minutes: number[] = [];
    const runAndResume = async (changes?: ReturnType<typeof down>) => {
      await company.deliver(changes);
      minutes.push(await minutesUntilDue());
      await company.resumeWhenDue();
    };
    for (let runs = 1; runs <= 4; runs += 1) await runAndResume(down('platform_unavailable'));
    expect((await company.state()).tenant).toEqual(['importing', 'platform_unavailable']);
    fake.plan('journalPage', ...Array.from({ length: 4 }, () => failure('platform_unavailable')));
    await runAndResume();
    await runAndResume(down('platform_unavailable'));
    expect(minutes).toEqual([1, 5, 15, 60, 1, 1]);
    expect((await company.state()).counts).toEqual([2, 0, 0]);
    await company.runToEnd();
    expect(await company.state()).toEqual(everything);
  });

  test('amid the journals of a page keeps those that were read before it', async () => {
    const { fake, ...company } = await connectCompany();
    const well = () => {};
    const outage = Array.from({ length: 4 }, () => failure('platform_unavailable'));
    fake.plan('readJournal', well, well, ...outage);
    await company.deliver();
    expect(await company.state()).toMatchObject({
      tenant: ['importing', 'platform_unavailable'],
      counts: [2, 0, 0],
      journals: everything.journals.slice(0, 2),
    });
    fake.calls.length = 0;
    await company.runToEnd();
    expect(await company.state()).toEqual(everything);
    expect(fake.calls).toEqual(['journalPage', 'readJournal', 'journalPage', 'readJournal']);
  });
});

describe('a fault of ours', () => {
  const fail = () => Promise.reject(new Error('a fault'));

  test.each(['find', 'acquireLease'])('before it begins is the stream’s: %s', async (call) => {
    const company = await connectCompany();
    const imports = { ...open.stores.imports, [call]: fail };
    expect(await company.deliver({ imports })).toEqual(broughtAgain);
    expect((await company.state()).import).toEqual(['requested', null]);
    expect(company.fake.calls).toEqual([]);
  });

  test('at the end asks the platform for nothing again', async () => {
    const company = await connectCompany();
    const imports = { ...open.stores.imports, finish: fail, defer: fail };
    expect(await company.deliver({ imports })).toEqual(broughtAgain);
    expect((await company.state()).import).toEqual(['running', null]);
    company.fake.calls.length = 0;
    await company.runToEnd();
    expect(company.fake.calls).toEqual([]);
    expect(await company.state()).toEqual(everything);
  });

  test('that passes puts the import off, and Lambda hears of it', async () => {
    const { minutesUntilDue, ...company } = await connectCompany();
    const record = await company.record();
    const accounts = { ...open.stores.accounts, record: fail };
    expect(await company.deliver({ accounts })).toEqual(broughtAgain);
    const waiting = {
      tenant: ['importing', 'internal_error'],
      import: ['waiting', 'internal_error'],
    };
    expect(await company.state()).toMatchObject(waiting);
    expect(await minutesUntilDue()).toBe(1);
    expect(company.log.lines).toMatchObject([['invocation failed', { error: expect.any(Error) }]]);
    // Lambda brings what was thrown again, but the import waits.
    expect(await company.deliver({ record })).toEqual(done);
    expect(await company.state()).toMatchObject(waiting);
    await company.runToEnd();
    expect(await company.state()).toEqual(everything);
  });

  test('that cannot be written down leaves the import running until it is due', async () => {
    const company = await connectCompany();
    const imports = { ...open.stores.imports, saveCheckpoint: fail, defer: fail, finish: fail };
    for (let runs = 1; runs <= 5; runs += 1) {
      expect(await company.deliver({ imports })).toEqual(broughtAgain);
      expect(await company.deliver()).toEqual(done);
      expect(await company.state()).toMatchObject({
        tenant: ['importing', undefined],
        import: ['running', null],
      });
      await company.resumeWhenDue();
    }
    // Five runs that died have recorded nothing: there is no sixth.
    expect(await company.deliver()).toEqual(done);
    expect((await company.state()).tenant).toEqual(['import_failed', 'gave_up']);
    expect(company.fake.calls).toEqual(Array(5).fill('company'));
  });
});
