import { describe, expect, test } from 'vitest';
import {
  type CallLimits,
  DeadlineNear,
  withRetry,
} from '#functions/import-tenant-data/platform-retry.ts';
import { decideOnFailure, ImportFailure } from '#functions/import-tenant-data/run-outcome.ts';
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

describe('a call to the platform', () => {
  const down = failure('platform_unavailable');
  const late = failure('platform_timed_out');
  const unclear = failure('reply_not_understood');
  const limited = (seconds?: number) => failure('rate_limited', seconds);
  const runEnds = new DeadlineNear();
  const pause = (milliseconds: number) => ({ waitMilliseconds: () => milliseconds });

  /** The failures, the run's remaining time, and the outcome with the pauses before it. */
  test.each<[string, Error[], remaining: number, unknown[], limits?: Partial<CallLimits>]>([
    ['waits longer after each failure', [down, down, down], 300_000, ['done', 1000, 2000, 4000]],
    ['waits after a timeout', [late], 300_000, ['done', 1000]],
    ['waits as Retry-After says', [limited(65), limited(0)], 300_000, ['done', 65_000, 0]],
    ['is tried four times', Array(4).fill(limited(0)), 300_000, ['rate_limited', 0, 0, 0]],
    ['does not wait for more than 65 seconds', [limited(66)], 300_000, ['rate_limited']],
    ['waits if there is time', [limited(40)], 70_000, ['done', 40_000]],
    ['does not wait without time', [limited(40)], 69_999, ['rate_limited']],
    ['is made if 30 seconds are left', [], 30_000, ['done']],
    ['is not made if less is left', [late], 29_999, [runEnds]],
    ['is not repeated after a lasting failure', [unclear], 300_000, [unclear.message]],
    ['is not repeated after our own error', [new Error('a bug')], 300_000, ['a bug']],
    ['pauses if the platform asks for it', [], 300_000, ['done', 65_000], pause(65_000)],
    ['does not pause for more', [], 300_000, ['rate_limited'], pause(65_001)],
    ['pauses if there is time', [], 35_000, ['done', 5_000], pause(5_000)],
    ['does not pause without time', [], 34_999, ['rate_limited'], pause(5_000)],
    ['that timed out gets its whole time again', [late], 146_000, ['done', 1000]],
    ['that timed out is not repeated with less', [late], 145_999, ['platform_timed_out']],
    ['that we cut short has not failed', [late], 144_999, [runEnds]],
    [
      'that a smaller page can replace is not repeated',
      [late],
      300_000,
      ['platform_timed_out'],
      { repeatsTimeouts: false },
    ],
  ])('%s', async (_, failures, remaining, outcome, limits = {}) => {
    const left = [...failures];
    const pauses: number[] = [];
    const work = async (timeLimit: () => number) => {
      timeLimit();
      const next = left.shift();
      if (next) throw next;
      return 'done';
    };
    const called = withRetry(work, {
      timeoutMilliseconds: 120_000,
      waitMilliseconds: () => 0,
      repeatsTimeouts: true,
      remainingMilliseconds: () => remaining,
      sleep: async (milliseconds) => void pauses.push(milliseconds),
      ...limits,
    });
    const result = await called.catch((error: Error) => error.message || error);
    expect([result, ...pauses]).toEqual(outcome);
  });

  test.each([
    [300_000, 120_000],
    [145_000, 120_000],
    [144_999, 119_999],
    [30_000, 5_000],
  ])('with %i ms left can take %i ms', async (remaining, milliseconds) => {
    const limit = await withRetry(async (timeLimit) => timeLimit(), {
      timeoutMilliseconds: 120_000,
      waitMilliseconds: () => 0,
      repeatsTimeouts: true,
      sleep: async () => {},
      remainingMilliseconds: () => remaining,
    });
    expect(limit).toBe(milliseconds);
  });
});

describe('after a failed run, an import continues or ends', () => {
  const now = new Date('2026-03-23T09:30:00.000Z');
  const days = 24 * 60;
  const limit = (seconds?: number) => failure('rate_limited', seconds);
  const timeout = failure('platform_timed_out');
  const fault = new Error('a bug');

  /**
   * The failure, the number of runs without progress, the minutes without progress, and the minutes
   * until the next run or the tenant's status.
   */
  test.each<[string, Error, [run: number, minutes: number], number | string]>([
    ['a limit without Retry-After', limit(), [1, 0], 1],
    ['a limit with Retry-After', limit(66), [1, 0], 1.1],
    ['a limit that has passed', limit(0), [1, 0], 0],
    ['a limit of a month', limit(30 * 24 * 3600), [1, 0], days],
    ['a limit for nearly three days', limit(), [9, 3 * days - 0.01], 1],
    ['a limit for three days', limit(), [1, 3 * days], 'import_failed'],
    ['an outage', failure('platform_unavailable'), [1, 0], 1],
    ['an outage after progress', timeout, [0, 0], 1],
    ['an outage in the second run', timeout, [2, 0], 5],
    ['an outage in the fifth run', timeout, [5, 0], 'import_failed'],
    ['our own error', fault, [3, 0], 15],
    ['our own error in the fifth run', fault, [5, 0], 'import_failed'],
    ['refused tokens', failure('credentials_refused'), [1, 0], 'disconnected'],
    ['an unreadable reply', failure('reply_not_understood'), [1, 0], 'import_failed'],
    ['another company', failure('company_not_found'), [1, 0], 'disconnected'],
    ['a lapsed subscription', failure('subscription_lapsed'), [1, 0], 'import_failed'],
    ['too large a reply', failure('reply_too_large'), [1, 0], 'import_failed'],
    ['a repeated page', failure('page_did_not_advance'), [1, 0], 'import_failed'],
    ['another currency', new ImportFailure('company_currency_changed'), [1, 0], 'import_failed'],
  ])('%s', (_, error, [runsWithoutProgress, stopped], outcome) => {
    const progressedAt = new Date(now.getTime() - stopped * minute).toISOString();
    expect(decideOnFailure(error, { runsWithoutProgress, progressedAt }, now)).toEqual({
      reason: error === fault ? 'internal_error' : error.message,
      ...(typeof outcome === 'number'
        ? { continuesAt: new Date(now.getTime() + outcome * minute) }
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
  /** A platform where every page fails. */
  const broken = (reason: PlatformFailureReason, retryAfterSeconds?: number) => {
    const fail = () => Promise.reject(failure(reason, retryAfterSeconds));
    const platform = { ...company.fake.platform, company: fail, journalPage: fail };
    return { platforms: { get: async () => platform } };
  };
  /** A run that has time for this many calls. */
  const deliverCalls = (count: number) => {
    const before = company.fake.calls.length;
    const hasTime = () => company.fake.calls.length - before < count;
    return company.deliver({ remaining: () => (hasTime() ? 30_000 : 29_999) });
  };
  return { ...company, minutesUntilDue, broken, deliverCalls };
};
const everything = imported(['1', '2'], ['a', 'b', 'c', 'd']);

describe('a run without time', () => {
  test('leaves the rest to the next run, which repeats only the current page', async () => {
    const { fake, ...company } = await connectCompany();
    while ((await company.state()).import[0] === 'requested') {
      expect(await company.deliverCalls(2)).toEqual(done);
    }
    expect(await company.state()).toEqual(everything);
    expect(company.outcomes()).toEqual([...Array(5).fill('continues'), 'success']);
    expect(fake.calls).toEqual([
      ...['company', 'accountPage', 'journalPage', 'readJournal', 'journalPage', 'readJournal'],
      ...['journalPage', 'readJournal', 'journalPage', 'readJournal'],
    ]);
  });

  test('has made progress if it recorded part of a page', async () => {
    const company = await connectCompany();
    const references = [...'abcdefgh'];
    company.fake.books.journalPages = [references.map((reference) => journal(reference))];
    for (let runs = 0; runs <= 8; runs += 1) {
      await company.deliverCalls(2);
      expect((await company.state()).journals).toHaveLength(runs);
    }
    await company.runToEnd();
    expect(await company.state()).toEqual(imported(['1', '2'], references));
  });

  test('before its first call counts: the sixth gives up', async () => {
    const company = await connectCompany();
    for (let runs = 1; runs <= 5; runs += 1) {
      await company.deliverCalls(0);
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

test('every kind of call is retried', async () => {
  const company = await connectCompany();
  for (const operation of ['company', 'accountPage', 'journalPage', 'readJournal'] as const) {
    company.fake.plan(operation, failure('rate_limited', 7));
  }
  await company.deliver();
  expect(company.world.pauses).toEqual(Array(4).fill(7_000));
  expect(await company.state()).toEqual(everything);
});

test('a limit of an hour defers the import until then', async () => {
  const { fake, minutesUntilDue, ...company } = await connectCompany();
  fake.plan('journalPage', () => {}, failure('rate_limited', 3600));
  const early = await company.record();
  expect(await company.deliver()).toEqual(done);
  expect(await company.state()).toMatchObject({
    tenant: ['importing', 'rate_limited'],
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
  expect((await company.state()).tenant).toEqual(['importing', 'rate_limited']);
  await company.deliver();
  expect(await company.state()).toEqual(everything);
  expect(fake.calls.filter((call) => call === 'journalPage')).toHaveLength(3);
  expect(await open.imports.find(company.name)).toMatchObject({
    lastFailure: { reason: 'rate_limited', platformError: null },
  });
});

test('the import of a suspended application waits, and the time does not count', async () => {
  const { fake, broken, ...company } = await connectCompany();
  const application = openApplication(open.table);
  await company.deliverCalls(4);
  const paused = await company.state();
  expect(paused.import).toEqual(['requested', null]);
  fake.calls.length = 0;
  await application.suspend(company.clock());
  const { runsWithoutProgress } = await company.record();
  for (let days = 1; days <= 7; days += 1) {
    expect(await company.deliver()).toEqual(done);
    const reason = 'application_suspended';
    expect(await company.state()).toEqual({ ...paused, import: ['waiting', reason] });
    company.world.now += 24 * hour;
    await company.resumeWhenDue();
  }
  expect(fake.calls).toEqual([]);
  expect((await company.record()).runsWithoutProgress).toBe(runsWithoutProgress);
  expect(company.outcomes().slice(1, 3)).toEqual([
    'deferred_application_suspended',
    'nothing_to_do',
  ]);
  await application.resume(company.clock());
  await company.resumeWhenDue();
  await company.deliver(broken('rate_limited', 3600));
  expect((await company.state()).import).toEqual(['waiting', 'rate_limited']);
  await company.runToEnd();
  expect(await company.state()).toEqual(everything);
});

test('progress resets the backoff, and an outage keeps the journals that were read', async () => {
  const { fake, minutesUntilDue, broken, ...company } = await connectCompany();
  const outage = Array.from({ length: 4 }, () => failure('platform_unavailable'));
  const minutes: number[] = [];
  const runAndResume = async (changes?: ReturnType<typeof broken>) => {
    await company.deliver(changes);
    minutes.push(await minutesUntilDue());
    await company.resumeWhenDue();
  };
  for (let runs = 1; runs <= 4; runs += 1) await runAndResume(broken('platform_unavailable'));
  expect((await company.state()).tenant).toEqual(['importing', 'platform_unavailable']);
  fake.plan('journalPage', ...outage);
  await runAndResume();
  await runAndResume(broken('platform_unavailable'));
  fake.plan(
    'readJournal',
    () => {},
    () => {},
    ...outage,
  );
  await runAndResume();
  expect(minutes).toEqual([1, 5, 15, 60, 1, 1, 1]);
  expect(await company.state()).toMatchObject({
    counts: [2, 0, 0],
    journals: everything.journals.slice(0, 2),
  });
  fake.calls.length = 0;
  await company.runToEnd();
  expect(await company.state()).toEqual(everything);
  expect(fake.calls).toEqual(['journalPage', 'readJournal', 'journalPage', 'readJournal']);
});

describe('an error of ours', () => {
  const fail = () => Promise.reject(new Error('a bug'));

  test.each(['find', 'acquireLease'])(
    'before the run starts: Lambda retries (%s)',
    async (call) => {
      const company = await connectCompany();
      const imports = { ...open.stores.imports, [call]: fail };
      expect(await company.deliver({ imports })).toEqual(broughtAgain);
      expect((await company.state()).import).toEqual(['requested', null]);
      expect(company.fake.calls).toEqual([]);
    },
  );

  test('at the end of a run: the next run calls nothing', async () => {
    const company = await connectCompany();
    const imports = { ...open.stores.imports, finish: fail, defer: fail };
    expect(await company.deliver({ imports })).toEqual(broughtAgain);
    expect((await company.state()).import).toEqual(['running', null]);
    company.fake.calls.length = 0;
    await company.runToEnd();
    expect(company.fake.calls).toEqual([]);
    expect(await company.state()).toEqual(everything);
  });

  test('during a run: the import is deferred and Lambda counts an error', async () => {
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
    // Lambda retries the event, but the import waits.
    expect(await company.deliver({ record })).toEqual(done);
    expect(await company.state()).toMatchObject(waiting);
    await company.runToEnd();
    expect(await company.state()).toEqual(everything);
  });

  test('that cannot be recorded: the import is resumed five times, then gives up', async () => {
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
    expect(await company.deliver()).toEqual(done);
    expect((await company.state()).tenant).toEqual(['import_failed', 'gave_up']);
    expect(company.fake.calls).toEqual(Array(5).fill('company'));
  });
});
