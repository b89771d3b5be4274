// The lease of a run: how long it lasts, what renews it, and what a run does that has lost it.

import { describe, expect, test } from 'vitest';
import type { PlatformAccount } from '#shared/accounts/accounts.ts';
import { accountKey } from '#shared/table/keys.ts';
import { openGate } from '../../support/harnesses/gate.ts';
import {
  account,
  done,
  imported,
  journal,
  openTenantImports,
} from '../../support/harnesses/tenant-imports.ts';
import type { Operation } from '../../support/servers/fake-platform.ts';

const open = await openTenantImports();

const minute = 60_000;
const everything = imported(['1', '2'], ['a', 'b']);

const connectCompany = async (accounts: PlatformAccount[] = [account('1'), account('2')]) => {
  const accountPages = [accounts];
  const journalPages = [[journal('a')], [journal('b')]];
  const company = await open.connectCompany({ accountPages, journalPages });
  const { imports } = open.stores;
  /** When the lease was renewed by itself, in seconds since the start. */
  const renewals: number[] = [];
  const startedAt = company.world.now;
  const renewLease: typeof imports.renewLease = async (...asked) => {
    const isRenewed = await imports.renewLease(...asked);
    if (isRenewed) renewals.push((company.world.now - startedAt) / 1000);
    return isRenewed;
  };
  const leftMilliseconds = async () =>
    Date.parse((await company.dueAt()) ?? '') - company.world.now;
  return { ...company, leftMilliseconds, renewals, watched: { ...imports, renewLease } };
};

/** A run that has come to a call of the platform, which answers when the gate is opened. */
const runTo = async (
  operation: Operation,
  changes: { accounts?: PlatformAccount[]; remaining?: () => number } = {},
) => {
  const { accounts, remaining = () => 300_000 } = changes;
  const company = await connectCompany(accounts);
  const gate = openGate();
  company.fake.plan(operation, gate.pass);
  const run = company.deliver({ imports: company.watched, remaining });
  await gate.reached;
  return { ...company, gate, run };
};

describe('a run', () => {
  test('keeps its import while a page takes long, at an update each 20 seconds', async () => {
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

  test('renews its lease with a checkpoint that is saved in time', async () => {
    const { gate, run, ...company } = await runTo('accountPage');
    const last = openGate();
    company.fake.plan('journalPage', () => {}, last.pass);
    company.world.now += 19_999;
    await company.passTime(0);
    company.world.now += 1;
    const before = await company.leftMilliseconds();
    gate.open();
    await last.reached;
    // The first write after twenty seconds renews it: here, what makes sure of it before accounts.
    expect([before, await company.leftMilliseconds()]).toEqual([40_000, minute]);
    await company.passTime(10_000);
    expect(company.renewals).toEqual([20]);
    last.open();
    expect(await run).toBe(done);
  });

  test('goes on if the table fails once, and renews its lease the next time', async () => {
    const { imports } = open.stores;
    const company = await connectCompany();
    const gate = openGate();
    company.fake.plan('journalPage', gate.pass);
    let failures = 1;
    const renewLease: typeof imports.renewLease = async (...asked) => {
      failures -= 1;
      if (failures >= 0) throw new Error('the table is away');
      return company.watched.renewLease(...asked);
    };
    const run = company.deliver({ imports: { ...imports, renewLease } });
    await gate.reached;
    await company.passTime(30_000);
    expect(company.renewals).toEqual([30]);
    expect(company.log.lines).toMatchObject([['the lease was not renewed', {}]]);
    gate.open();
    expect(await run).toBe(done);
    expect(await company.state()).toEqual(everything);
  });

  test('whose time is over keeps its import no longer', async () => {
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

describe('an import whose run is killed', () => {
  test.each<Operation>(['company', 'accountPage', 'journalPage', 'readJournal'])(
    'goes on within two minutes: at %s',
    async (operation) => {
      const { run: _, ...company } = await runTo(operation);
      const killedAt = company.world.now;
      await company.resumeWhenDue();
      // resume-imports looks once a minute.
      expect(company.world.now - killedAt).toBeLessThanOrEqual(minute);
      await company.runToEnd();
      expect(await company.state()).toEqual(everything);
    },
  );
});

describe('a run that comes back after another one took its import', () => {
  const old = [account('1', { name: 'Old name' }), account('2')];

  test.each<[string, number]>([
    ['since its process was paused', 0],
    ['and has noticed it by its heartbeat', 20_000],
  ])('records nothing of what it read, %s', async (_, passed) => {
    const { gate, run, ...company } = await runTo('accountPage', { accounts: old });
    await company.resumeWhenDue();
    company.fake.books.accountPages = [[account('1', { name: 'New name' }), account('2')]];
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
    expect(await company.state()).toEqual(everything);
    expect(await open.table.get(accountKey(company.name, '1'))).toMatchObject({ name: 'New name' });
  });

  test('neither puts it off nor ends it, whatever the platform has said meanwhile', async () => {
    const { gate, run, ...company } = await runTo('company');
    await company.resumeWhenDue();
    const second = openGate();
    company.fake.plan('journalPage', second.pass);
    const other = company.deliver();
    await second.reached;
    const before = await company.record();
    company.fake.revokeAccess('secret-access-1');
    company.fake.revokeGrant('secret-refresh-1');
    gate.open();
    expect(await run).toBe(done);
    expect(await company.record()).toEqual(before);
    expect((await company.state()).tenant).toEqual(['importing', undefined]);
    second.open();
    await other;
  });
});
