import { describe, expect, test } from 'vitest';
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

const operations: Operation[] = ['company', 'accountPage', 'journalPage', 'readJournal'];

const references = Array.from({ length: 60 }, (_, number) => `j${number}`);
const journals = references.map((reference) => journal(reference));
const journalPages = [journals.slice(0, 30), journals.slice(30)];

/** A company with two pages of accounts and sixty journals of one date. */
const connectCompany = async () => {
  const accountPages = [[account('1')], [account('2')]];
  const company = await open.connectCompany({ accountPages, journalPages });
  const restart = async (): Promise<void> => {
    const requestedAt = company.clock().toISOString();
    await open.imports.request(company.name, { importId: 'import-2', requestedAt });
  };
  return { ...company, restart };
};

type Company = Awaited<ReturnType<typeof connectCompany>>;

/** Every journal is there once, under numbers without gaps, whoever came first. */
const expectLedgerWhole = async (company: Company): Promise<void> => {
  const whole = imported(['1', '2'], references);
  const { tenant, accounts, ...found } = await company.state();
  expect({ tenant, accounts }).toEqual({ tenant: whole.tenant, accounts: whole.accounts });
  const numbers = found.journals.map(([number]) => number);
  expect(numbers).toEqual(whole.journals.map(([number]) => number));
  const recorded = found.journals.map(([, reference]) => reference);
  expect(recorded.sort()).toEqual(references.toSorted());
};

const expectEverythingOnce = async (company: Company): Promise<void> => {
  await expectLedgerWhole(company);
  const { import: status, counts } = await company.state();
  expect({ status, counts }).toEqual({ status: ['complete', null], counts: [2, 60, 0] });
};

describe('a record of the stream', () => {
  test('that comes again does nothing', async () => {
    const company = await connectCompany();
    const record = await company.record();
    await company.deliver({ record });
    const [calls, before] = [company.fake.calls.length, await company.record()];
    expect(await company.deliver({ record })).toEqual(done);
    expect(company.fake.calls).toHaveLength(calls);
    expect(await company.record()).toEqual(before);
    expect(company.outcomes()).toEqual(['success', 'nothing_to_do']);
    await expectEverythingOnce(company);
  });

  test('that comes eight times at once is taken on once', async () => {
    const company = await connectCompany();
    const record = await company.record();
    const { imports } = open.stores;
    const gate = openGate();
    let looked = 0;
    const find: typeof imports.find = async (name) => {
      const found = await imports.find(name);
      looked += 1;
      if (looked === 8) gate.open();
      await gate.pass();
      return found;
    };
    const deliveries = Array.from({ length: 8 }, () =>
      company.deliver({ record, imports: { ...imports, find } }),
    );
    expect(await Promise.all(deliveries)).toEqual(deliveries.map(() => done));
    expect(company.fake.calls.filter((call) => call !== 'readJournal')).toEqual([
      ...['company', 'accountPage', 'accountPage', 'journalPage', 'journalPage'],
    ]);
    expect(company.outcomes().sort()).toEqual([...Array(7).fill('nothing_to_do'), 'success']);
    await expectEverythingOnce(company);
  });

  test('of an import that was asked for again since does nothing', async () => {
    const company = await connectCompany();
    const record = await company.record();
    await company.restart();
    const before = await company.record();
    expect(await company.deliver({ record })).toEqual(done);
    expect(company.fake.calls).toEqual([]);
    expect(await company.record()).toEqual(before);
    await company.deliver();
    await expectEverythingOnce(company);
  });
});

describe('an import that is asked for again while it runs', () => {
  test.each(operations)('leaves everything to the later one: at %s', async (operation) => {
    const company = await connectCompany();
    company.fake.plan(operation, company.restart);
    expect(await company.deliver()).toEqual(done);
    expect(company.outcomes()).toEqual(['superseded']);
    const later = company.fake.calls.slice(company.fake.calls.indexOf(operation) + 1);
    expect(later.filter((call) => call !== 'readJournal')).toEqual([]);
    expect(await company.state()).toMatchObject({
      tenant: ['importing', null],
      import: ['requested', null],
      counts: [0, 0, 0],
    });
    expect((await company.record()).importId).toBe('import-2');
    await company.deliver();
    await expectEverythingOnce(company);
  });

  test('leaves everything to the later one at its very end, too', async () => {
    const company = await connectCompany();
    const { imports } = open.stores;
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

  test('does not put the later one off, nor end it, when it meets a failure', async () => {
    const company = await connectCompany();
    const fail = async (): Promise<never> => {
      await company.restart();
      throw new Error('a fault of ours');
    };
    company.fake.plan('accountPage', fail);
    await company.deliver();
    expect((await company.state()).import).toEqual(['requested', null]);
    expect((await company.state()).tenant).toEqual(['importing', null]);
  });
});

describe('two importers at once', () => {
  test.each(operations)(
    'of which one was taken for dead record everything once: at %s',
    async (operation) => {
      const company = await connectCompany();
      const gate = openGate();
      company.fake.plan(operation, gate.pass);
      const slow = company.deliver();
      await gate.reached;
      await company.resumeWhenDue();
      const quick = company.deliver();
      gate.open();
      expect(await Promise.all([slow, quick])).toEqual([done, done]);
      await company.runToEnd();
      await expectLedgerWhole(company);
    },
  );

  test.each(operations)(
    'of which one comes back when the other is done leave that as it is: at %s',
    async (operation) => {
      const company = await connectCompany();
      const gate = openGate();
      company.fake.plan(operation, gate.pass);
      const slow = company.deliver({ remaining: 300_000 });
      await gate.reached;
      const leasedUntil = new Date(company.world.now + 60_000).toISOString();
      expect(await company.dueAt()).toBe(leasedUntil);
      await company.resumeWhenDue();
      await company.deliver();
      const before = await company.record();
      gate.open();
      expect(await slow).toEqual(done);
      expect(company.outcomes()).toEqual(['success', 'superseded']);
      expect(await company.record()).toEqual(before);
      await expectEverythingOnce(company);
    },
  );
});
