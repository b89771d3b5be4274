import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { startFaultyDynamoDB, throttle } from '../support/dynamodb/faulty-dynamodb.ts';
import {
  account,
  broughtAgain,
  done,
  journal,
  openTenantImports,
  type TenantImports,
} from '../support/harnesses/tenant-imports.ts';

let faulty: Awaited<ReturnType<typeof startFaultyDynamoDB>>;
let open: TenantImports;

beforeAll(async () => {
  faulty = await startFaultyDynamoDB(inject('dynamoDBEndpoint'));
  open = await openTenantImports({ endpoint: faulty.endpoint, maxAttempts: 1 });
});

afterAll(() => faulty.stop());

const broken = { status: 500, body: { __type: 'InternalServerError', message: 'broken' } };
const operations = ['GetItem', 'BatchGetItem', 'UpdateItem', 'TransactWriteItems'];

/** Lets nobody reach the table any more, or everybody again. */
const breakTable = (isBroken: boolean): void => {
  for (const operation of operations) faulty.plan(operation, isBroken ? 1000 : 0, broken);
};

beforeEach(() => breakTable(false));

const connectCompany = async () => {
  const company = open.newCompany({
    accountPages: [[account('1'), account('2')]],
    journalPages: [[journal('a')], [journal('b')]],
  });
  await company.connect();
  return company;
};

const everything = {
  tenant: ['active', null],
  import: ['complete', null],
  counts: [2, 2, 0],
  accounts: ['1', '2'],
  journals: [
    ['IJ-20260320-0001', 'a'],
    ['IJ-20260320-0002', 'b'],
  ],
};

describe('a fault of ours', () => {
  test.each([
    ['BatchGetItem', broken],
    ['BatchGetItem', throttle],
    ['TransactWriteItems', throttle],
  ])('that passes puts the import off, and the stream hears of it: %s', async (...row) => {
    const [operation, fault] = row;
    const company = await connectCompany();
    const record = await company.record();
    company.fake.plan('accountPage', () => faulty.plan(operation, 1, fault));
    expect(await company.deliver()).toEqual(broughtAgain);
    expect(await company.state()).toMatchObject({
      tenant: ['import_failed', 'internal_error'],
      import: ['waiting', 'internal_error'],
      accounts: [],
    });
    expect(await company.dueAt()).toBe(new Date(company.world.now + 60_000).toISOString());
    expect(company.log.lines).toMatchObject([['record failed', { error: expect.any(Error) }]]);
    // The stream brings what was thrown again, but the import waits.
    expect(await company.deliver({ record })).toEqual(done);
    expect((await company.state()).import).toEqual(['waiting', 'internal_error']);
    await company.runToEnd();
    expect(await company.state()).toEqual(everything);
  });

  test('that cannot be written down leaves the import to whoever finds it dead', async () => {
    const company = await connectCompany();
    company.fake.plan('journalPage', () => breakTable(true));
    expect(await company.deliver()).toEqual(broughtAgain);
    expect(await company.state()).toMatchObject({
      tenant: ['importing', undefined],
      import: ['running', null],
      counts: [2, 0, 0],
    });
    breakTable(false);
    expect(await company.deliver()).toEqual(done);
    expect((await company.state()).import).toEqual(['running', null]);
    await company.resumeWhenDue();
    await company.deliver();
    expect(await company.state()).toEqual(everything);
  });

  test('at the end leaves the import to whoever finds it dead, to be ended', async () => {
    const company = await connectCompany();
    const { finish } = open.stores.imports;
    const imports = {
      ...open.stores.imports,
      finish: (...end: Parameters<typeof finish>) => {
        breakTable(true);
        return finish(...end);
      },
    };
    expect(await company.deliver({ imports })).toEqual(broughtAgain);
    expect((await company.state()).import).toEqual(['running', null]);
    breakTable(false);
    company.fake.calls.length = 0;
    await company.runToEnd();
    expect(company.fake.calls).toEqual([]);
    expect(await company.state()).toEqual(everything);
  });

  test('before the import is taken on lets the stream bring it again', async () => {
    const company = await connectCompany();
    for (const operation of ['GetItem', 'UpdateItem']) {
      faulty.plan(operation, 1, broken);
      expect(await company.deliver()).toEqual(broughtAgain);
      expect((await company.state()).import).toEqual(['requested', null]);
    }
    expect(company.fake.calls).toEqual([]);
    await company.deliver();
    expect(await company.state()).toEqual(everything);
  });

  test('that does not pass ends the import, after five runs', async () => {
    const company = await connectCompany();
    const startedAt = company.world.now;
    const faults = Array.from({ length: 5 }, () => new Error('a fault'));
    company.fake.plan('company', ...faults);
    await company.runToEnd();
    expect(await company.state()).toMatchObject({
      tenant: ['import_failed', 'internal_error'],
      import: ['failed', 'internal_error'],
    });
    expect(company.fake.calls.filter((call) => call === 'company')).toHaveLength(5);
    expect((company.world.now - startedAt) / 60_000).toBe(1 + 5 + 15 + 60);
  });
});

describe('an import that nobody started', () => {
  test('is asked for again after ten minutes', async () => {
    const company = await connectCompany();
    const startedAt = company.world.now;
    const early = new Date(startedAt + 599_999);
    expect(await open.imports.resume(company.name, early)).toBe(false);
    await company.resumeWhenDue();
    expect(company.world.now - startedAt).toBe(600_000);
    await company.deliver();
    expect(await company.state()).toEqual(everything);
  });
});
