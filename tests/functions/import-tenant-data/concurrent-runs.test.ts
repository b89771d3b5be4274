// Runs of an import that overlap or are replaced, and the lease that lets only one of them write.

import { describe, expect, test } from 'vitest';
import { importsInTurn } from '#shared/imports/import-timing.ts';
import { requestImportAction } from '#shared/imports/imports.store.ts';
import { PlatformFailure } from '#shared/platforms/platform.ts';
import { accountKey, importKey } from '#shared/table/keys.ts';
import { openGate } from '../../support/harnesses/gate.ts';
import {
  account,
  broughtAgain,
  done,
  imported,
  journal,
  openTenantImports,
} from '../../support/harnesses/tenant-imports.ts';
import type { Operation } from '../../support/servers/fake-platform.ts';

const open = await openTenantImports();
const { imports } = open.stores;

const minute = 60_000;
const operations: Operation[] = ['company', 'accountPage', 'journalPage', 'readJournal'];
const references = Array.from({ length: 60 }, (_, number) => `j${number}`);
const journals = references.map((reference) => journal(reference));
const everything = imported(['1', '2'], references);

/** A company with two pages of accounts and sixty journals of one date. */
const connectCompany = async () => {
  const company = await open.connectCompany({
    accountPages: [[account('1')], [account('2')]],
    journalPages: [journals.slice(0, 30), journals.slice(30)],
  });
  const restart = async (): Promise<void> => {
    const requestedAt = company.clock().toISOString();
    await open.imports.request(company.name, { importId: 'import-2', requestedAt });
  };
  const disconnect = async (): Promise<void> => {
    const finishedAt = company.clock().toISOString();
    const reason = 'disconnected_by_operator';
    const end = { importId: 'import-1', finishedAt, reason, tenantStatus: 'disconnected' } as const;
    expect(await open.imports.finish(company.name, end)).toBe(true);
    expect(await open.connections.giveUp(company.name, { version: 1, reason })).toBe(true);
  };
  const pageCalls = () => company.fake.calls.filter((call) => call !== 'readJournal');
  return { ...company, restart, disconnect, pageCalls };
};
type Company = Awaited<ReturnType<typeof connectCompany>>;

/** Each journal is recorded once, in any order, and the numbers have no gaps. */
const expectEverythingOnce = async (company: Pick<Company, 'state'>): Promise<void> => {
  const { journals: recorded, ...found } = await company.state();
  const { journals: expected, ...rest } = everything;
  expect(found).toMatchObject(rest);
  expect(recorded.map(([number]) => number)).toEqual(expected.map(([number]) => number));
  expect(recorded.map(([, reference]) => reference).sort()).toEqual(references.toSorted());
};

describe('an event of the stream', () => {
  test.each<[string, (company: Company) => Promise<unknown>]>([
    ['after its import completed', (company) => company.deliver()],
    ['after another import was requested', (company) => company.restart()],
  ])('is ignored %s', async (_, step) => {
    const company = await connectCompany();
    const record = await company.record();
    await step(company);
    const [calls, before] = [company.fake.calls.length, await company.record()];
    expect(await company.deliver({ record })).toEqual(done);
    expect(company.fake.calls).toHaveLength(calls);
    expect(await company.record()).toEqual(before);
    expect(company.outcomes().at(-1)).toBe('nothing_to_do');
    await company.runToEnd();
    await expectEverythingOnce(company);
  });

  test('that is delivered eight times at once is handled once', async () => {
    const company = await connectCompany();
    const record = await company.record();
    const gate = openGate();
    let reads = 0;
    const find: typeof imports.find = async (name) => {
      const found = await imports.find(name);
      reads += 1;
      if (reads === 8) gate.open();
      await gate.pass();
      return found;
    };
    const deliveries = Array.from({ length: 8 }, () =>
      company.deliver({ record, imports: { ...imports, find } }),
    );
    expect(await Promise.all(deliveries)).toEqual(deliveries.map(() => done));
    expect(company.pageCalls()).toEqual([
      ...['company', 'accountPage', 'accountPage', 'journalPage', 'journalPage'],
    ]);
    expect(company.outcomes().sort()).toEqual([...Array(7).fill('nothing_to_do'), 'success']);
    await expectEverythingOnce(company);
  });
});

describe('an import that is replaced or ended while it runs', () => {
  const refused = () => Promise.reject(new PlatformFailure('credentials_refused'));
  const fault = () => Promise.reject(new Error('a bug'));
  const events: [string, (company: Company) => Promise<void>, failure?: () => Promise<never>][] = [
    ['another import is requested', ({ restart }) => restart()],
    ['another import is requested and our code fails', ({ restart }) => restart(), fault],
    ['the operator disconnects', ({ disconnect }) => disconnect()],
    ['the operator disconnects and the tokens end', ({ disconnect }) => disconnect(), refused],
  ];

  test.each(operations.flatMap((at) => events.map(([title, ...event]) => ({ title, at, event }))))(
    'changes nothing any more: $title, at $at',
    async ({ at, event: [happen, failure] }) => {
      const company = await connectCompany();
      let after: Awaited<ReturnType<Company['record']>> | undefined;
      company.fake.plan(at, async () => {
        await happen(company);
        after = await company.record();
        if (failure === refused) company.fake.revokeGrant('secret-refresh-1');
        await failure?.();
      });
      expect(await company.deliver()).toEqual(failure === fault ? broughtAgain : done);
      if (failure !== fault) expect(company.outcomes()).toEqual(['superseded']);
      expect(await company.record()).toEqual(after);
      const page = ['company', 'accountPage', 'journalPage', 'journalPage'];
      expect(company.pageCalls().at(-1)).toBe(page[operations.indexOf(at)]);
      expect(company.pageCalls().length).toBeLessThanOrEqual(4);
      if (after?.importId !== 'import-2') return;
      expect((await company.state()).tenant).toEqual(['importing', null]);
      await company.deliver();
      await expectEverythingOnce(company);
    },
  );

  test('changes nothing any more even if it has imported everything', async () => {
    const company = await connectCompany();
    const finish: typeof imports.finish = async (...end) => {
      await company.restart();
      return imports.finish(...end);
    };
    await company.deliver({ imports: { ...imports, finish } });
    expect(company.outcomes()).toEqual(['superseded']);
    expect((await company.state()).tenant).toEqual(['importing', null]);
    await company.deliver();
    await expectEverythingOnce(company);
  });
});

/** A run that waits in a call to the platform until the gate opens. */
const runTo = async (
  operation: Operation,
  { failure, ...changes }: Parameters<Company['deliver']>[0] & { failure?: Error | undefined } = {},
) => {
  const company = await connectCompany();
  const gate = openGate();
  company.fake.plan(operation, async () => {
    await gate.pass();
    if (failure) throw failure;
  });
  const renewals: number[] = [];
  const startedAt = company.world.now;
  const renewLease: typeof imports.renewLease = async (...parameters) => {
    const isRenewed = await (changes.imports ?? imports).renewLease(...parameters);
    if (isRenewed) renewals.push((company.world.now - startedAt) / 1000);
    return isRenewed;
  };
  const run = company.deliver({
    remaining: 300_000,
    ...changes,
    imports: { ...imports, renewLease },
  });
  await gate.reached;
  const leftMilliseconds = async () =>
    Date.parse((await company.dueAt()) ?? '') - company.world.now;
  /** `renewals`: when the lease was renewed without a checkpoint, in seconds since the start. */
  return { ...company, gate, run, renewals, leftMilliseconds };
};

describe('two runs at once', () => {
  test.each(operations)('record everything once: at %s', async (operation) => {
    const { gate, run, ...company } = await runTo(operation);
    await company.resumeWhenDue();
    const quick = company.deliver();
    gate.open();
    expect(await Promise.all([run, quick])).toEqual([done, done]);
    await company.runToEnd();
    const { journals: recorded } = await company.state();
    expect(recorded.map(([, reference]) => reference).sort()).toEqual(references.toSorted());
    expect(recorded.map(([number]) => number)).toEqual(everything.journals.map(([it]) => it));
  });

  test.each(operations)('do not change a completed import: at %s', async (operation) => {
    const { gate, run, ...company } = await runTo(operation);
    await company.resumeWhenDue();
    await company.deliver();
    const before = await company.record();
    gate.open();
    expect(await run).toEqual(done);
    expect(company.outcomes()).toEqual(['success', 'superseded']);
    expect(await company.record()).toEqual(before);
    await expectEverythingOnce(company);
  });

  test.each<[string, passed: number, failure?: PlatformFailure]>([
    ['its process was paused', 0],
    ['its heartbeat noticed', 20_000],
    ['the platform fails for it', 0, new PlatformFailure('reply_not_understood')],
  ])('do not overwrite each other: the older one has lost its lease, %s', async (...row) => {
    const [, passed, failure] = row;
    const { gate, run, ...company } = await runTo('accountPage', { failure });
    const { books } = company.fake;
    await company.resumeWhenDue();
    books.accountPages = [[account('1', { name: 'New name' }), account('2')]];
    const second = openGate();
    company.fake.plan('journalPage', second.pass);
    const other = company.deliver();
    await second.reached;
    const before = await company.record();
    await company.passTime(passed);
    const calls = company.fake.calls.length;
    gate.open();
    expect(await run).toBe(done);
    expect(company.outcomes()).toEqual(['superseded']);
    expect(company.fake.calls.slice(calls)).toEqual([]);
    const { due_sk: _due, ...after } = await company.record();
    expect(before).toMatchObject(after);
    second.open();
    expect(await other).toBe(done);
    await expectEverythingOnce(company);
    expect(await open.table.get(accountKey(company.name, '1'))).toMatchObject({ name: 'New name' });
  });
});

describe('the lease of a run', () => {
  test('lasts a minute, and a heartbeat renews it every 20 seconds', async () => {
    const { gate, run, ...company } = await runTo('journalPage');
    expect(await company.leftMilliseconds()).toBe(minute);
    for (let passed = 0; passed < 4; passed += 1) {
      await company.passTime(30_000);
      expect(await company.leftMilliseconds()).toBeGreaterThanOrEqual(40_000);
    }
    expect(company.renewals).toEqual([20, 40, 60, 80, 100, 120]);
    gate.open();
    expect(await run).toBe(done);
    expect(await company.state()).toEqual(everything);
    expect(company.beating()).toBe(0);
  });

  test('is renewed by the first write after 20 seconds', async () => {
    const { gate, run, ...company } = await runTo('accountPage');
    const last = openGate();
    company.fake.plan('journalPage', last.pass);
    company.world.now += 19_999;
    await company.passTime(0);
    company.world.now += 1;
    const before = await company.leftMilliseconds();
    gate.open();
    await last.reached;
    expect([before, await company.leftMilliseconds()]).toEqual([40_000, minute]);
    await company.passTime(10_000);
    expect(company.renewals).toEqual([20]);
    last.open();
    expect(await run).toBe(done);
  });

  test('is renewed at the next heartbeat if the table failed once', async () => {
    let failures = 1;
    const renewLease: typeof imports.renewLease = async (...parameters) => {
      failures -= 1;
      if (failures >= 0) throw new Error('the table does not answer');
      return imports.renewLease(...parameters);
    };
    const { gate, run, ...company } = await runTo('journalPage', {
      imports: { ...imports, renewLease },
    });
    await company.passTime(30_000);
    expect(company.renewals).toEqual([30]);
    expect(company.log.lines).toMatchObject([['the lease was not renewed', {}]]);
    gate.open();
    expect(await run).toBe(done);
    expect(await company.state()).toEqual(everything);
  });

  test('is not renewed after the end of the run’s time', async () => {
    const left = { milliseconds: 300_000 };
    const { gate, run, ...company } = await runTo('journalPage', {
      remaining: () => left.milliseconds,
    });
    left.milliseconds = 0;
    await company.passTime(2 * minute);
    expect([company.renewals, await company.leftMilliseconds()]).toEqual([[], -minute]);
    gate.open();
    await run;
  });
});

describe('a run beside many imports', async () => {
  // The other tests of this file leave unfinished imports in their table.
  const own = await openTenantImports();

  /** Other imports that want to run, and a company whose pages take twenty seconds each. */
  const connectSlowCompany = async (others: number) => {
    const pages = Array.from({ length: 5 }, (_, page) => journals.slice(page * 12, page * 12 + 12));
    const company = await own.connectCompany({ journalPages: pages });
    const now = company.clock();
    const names = Array.from({ length: others }, (_, place) => ({
      ...company.name,
      schemaName: `${company.name.schemaName}_${place}`,
    }));
    for (const name of names) {
      const request = { importId: 'other', requestedAt: now.toISOString() };
      await own.table.transact([requestImportAction(name, request)]);
    }
    const slow = () => {
      company.world.now += 20_000;
    };
    company.fake.plan('journalPage', ...Array.from({ length: 20 }, () => slow));
    const endOthers = async (): Promise<void> => {
      for (const name of names) {
        await own.table.transact([{ delete: importKey(name) }]);
      }
    };
    return { ...company, endOthers };
  };

  test('gives way after its turn, and continues when it is due', async () => {
    const company = await connectSlowCompany(importsInTurn);
    await company.deliver();
    expect(company.outcomes()).toEqual(['gave_way']);
    expect(await company.state()).toMatchObject({
      tenant: ['importing', undefined],
      import: ['waiting', 'other_imports'],
      counts: [2, 36, 0],
    });
    expect(await company.record()).toMatchObject({ runsWithoutProgress: 0 });
    await company.runToEnd();
    expect(company.outcomes()).toEqual(['gave_way', 'success']);
    await expectEverythingOnce(company);
    await company.endOthers();
  });

  test('keeps its turn if all imports can run at the same time', async () => {
    const company = await connectSlowCompany(importsInTurn - 1);
    await company.runToEnd();
    expect(company.outcomes()).toEqual(['success']);
    await expectEverythingOnce(company);
    await company.endOthers();
  });
});
