// The table units that an application can use in a minute: the charges for its requests, and the
// refusals beyond its budget.

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type FunctionName, functions } from '#infra/manifest/manifest.ts';
import { openBudgetUse, openChargedTable } from '#shared/applications/charged-table.store.ts';
import {
  type AddUnits,
  type CostBudget,
  chargeMilliseconds,
  guardClient,
  openCostGuard,
} from '#shared/table/cost-budget.ts';
import { tenantKey } from '#shared/table/keys.ts';
import { meterUsage } from '#shared/table/metering.ts';
import { openTable, type Table } from '#shared/table/table.ts';
import { openTestTable } from './support/dynamodb/test-table.ts';
import { apiEvent } from './support/events/lambda-events.ts';
import { type EchoEndpoint, failure, openEcho } from './support/harnesses/echo-endpoint.ts';
import { importsOf, readSourceFiles } from './support/readers/source-files.ts';

const wide: CostBudget = { readUnits: 1_000_000, writeUnits: 1_000_000 };
const narrow: CostBudget = { readUnits: 30, writeUnits: 30 };

let database: Awaited<ReturnType<typeof openTestTable>>;

const { pk } = tenantKey({ applicationId: 'app1', schemaName: 'costly' });
/** An item of this size in kilobytes, including its key. */
const itemOf = (units: number, kilobytes: number) => ({
  pk,
  sk: String(units),
  text: 'x'.repeat(kilobytes * 1024 - 100),
});

beforeAll(async () => {
  database = await openTestTable();
  const sizes = [1, 5, 20, 21].map((units) => itemOf(units, units * 4));
  await database.seed(...sizes, { pk, sk: 'counter' });
});

/** A step of a request: reads an item of these units, or writes. `vain` is a refused write. */
const take = async (table: Table, step: string): Promise<void> => {
  if (step === 'write' || step === 'vain') {
    const condition = step === 'vain' ? 'attribute_exists(nothing)' : 'attribute_exists(pk)';
    const update = { pk, sk: 'counter' };
    await table.update({ update, expression: 'ADD written :one', condition, values: one });
  } else {
    await Promise.all(step.split('+').map((units) => table.get({ pk, sk: units })));
  }
};
const one = { ':one': 1 };

/** A process that serves requests, which are lists of steps, of an application of its own. */
const openProcess = ({
  budget = wide,
  applicationId = randomUUID(),
  // All of the minute's budget is available.
  clock = () => new Date('2026-03-24T12:00:57.400Z'),
  add,
}: {
  budget?: CostBudget;
  applicationId?: string;
  clock?: () => Date;
  add?: AddUnits;
} = {}) => {
  const { tableName, endpoint } = database;
  const table = add
    ? openTable(
        tableName,
        { endpoint },
        { install: (client) => guardClient(client, openCostGuard(budget, { clock, add })) },
      )
    : // A busy machine may take long for a charge, which is then not refused but put off.
      openChargedTable(tableName, budget, { endpoint, clock, waitMilliseconds: 20_000 });
  const handle: EchoEndpoint['handle'] = async ({ input }) => {
    for (const step of input.note.split(' ')) await take(table, step);
    return { data: input };
  };
  const echo = openEcho({ handle });
  const send = async (steps: string, sender = applicationId) => {
    const event = apiEvent({ body: { note: steps }, applicationId: sender });
    const { result, usage } = await meterUsage(() => echo.send(event));
    const operations = usage.calls.map(({ operation }) => operation.replace('Item', ''));
    return { ...result, operations: operations.join(' ') };
  };
  return {
    applicationId,
    send,
    log: echo.log,
    metrics: echo.metrics,
    /** The charges for its requests in a minute. */
    used: async (minute = '2026-03-24T12:00') => {
      const within = { from: minute, to: minute };
      const [used] = await openBudgetUse(database.table).list(applicationId, within);
      return { read: used?.read ?? 0, write: used?.write ?? 0 };
    },
  };
};

const refusal = (budget: string, size: number, used: number) => {
  const details = [
    {
      code: 'budget_used_up',
      pointer: '',
      message: 'The application has used its available units.',
      params: { budget, size, used, allowed: size },
    },
  ];
  return failure('cost_budget_exhausted', 429, { details, headers: { 'Retry-After': '3' } });
};

describe('a request is charged', () => {
  test.each([
    ['nothing for 20 units or fewer', '20', 'Get', { read: 0, write: 0 }],
    ['at its end, to the unit', '20 5', 'Get Get Update', { read: 25, write: 1 }],
    ['before its next call', '21 1', 'Get Update Get Update', { read: 22, write: 2 }],
    [
      'only at its end, after a write',
      'write 21 1',
      'Update Get Get Update',
      { read: 22, write: 2 },
    ],
    [
      'before its next call, if its write was refused',
      'vain 21 1',
      'Update Get Update Get Update',
      { read: 22, write: 2 },
    ],
    ['for parallel reads', '20+20+5 1', 'Get Get Get Update Get Update', { read: 46, write: 2 }],
    [
      'once for calls that start in parallel',
      '21 1+1+1',
      'Get Update Get Get Get Update',
      { read: 24, write: 2 },
    ],
  ])('%s: %s', async (_title, steps, operations, used) => {
    const process = openProcess();
    expect(await process.send(steps)).toMatchObject({ status: 200, operations });
    expect(await process.used()).toEqual(used);
    const [[, line] = []] = process.log;
    const isCharged = used.write > 0;
    expect(line).toMatchObject({ table_calls: operations.split(' ').length });
    expect([line?.charged_read_units, line?.charged_write_units]).toEqual(
      isCharged ? [used.read, used.write] : [undefined, undefined],
    );
    if (isCharged) expect(line?.capacity_units).toBe(used.read + used.write);
  });

  test('exactly its units, also by several concurrent processes', async () => {
    const step = fc.constantFrom('1', '5', '20', '21', '5+5', '20+1', 'write', 'vain');
    const request = fc.array(step, { minLength: 1, maxLength: 4 }).map((it) => it.join(' '));
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 8 }), async (requests) => {
        const first = openProcess();
        const processes = [first, openProcess({ applicationId: first.applicationId })];
        await Promise.all(requests.map((it, index) => processes[index % 2]?.send(it)));
        const lines = processes.flatMap(({ log }) => log.map(([, line]) => line));
        const units = lines.map((line) => Number(line.capacity_units)).filter((it) => it > 20);
        const { read, write } = await first.used();
        expect(read + write).toBe(units.reduce((sum, it) => sum + it, 0));
      }),
      { numRuns: 8 },
    );
  });
});

describe('beyond the budget', () => {
  test.each([
    ['a read', '21 21 5', 'Get Update Get Update'],
    ['a write', '21 21 write', 'Get Update Get Update'],
    ['a read after a refused write', 'vain 21 21 5', 'Update Get Update Get Update'],
  ])('%s is refused and does not reach the table', async (_title, steps, operations) => {
    const process = openProcess({ budget: narrow });
    const written = await database.table.get({ pk, sk: 'counter' });
    expect(await process.send(steps)).toEqual({ ...refusal('read_units', 30, 42), operations });
    expect(await database.table.get({ pk, sk: 'counter' })).toEqual(written);
    expect(process.log).toMatchObject([['request', { outcome: 'cost_budget_exhausted' }]]);
  });

  test('write units have a separate budget', async () => {
    const process = openProcess({ budget: { readUnits: 1_000, writeUnits: 1 } });
    const steps = '21 21 5';
    expect(await process.send(steps)).toMatchObject(refusal('write_units', 1, 2));
  });

  test('a request is not refused after a write, but the next request is', async () => {
    const process = openProcess({ budget: narrow });
    expect(await process.send('write 21 21 5')).toMatchObject({ status: 200 });
    expect(await process.send('1')).toEqual({
      ...refusal('read_units', 30, 47),
      operations: '',
    });
  });

  test('other applications are served', async () => {
    const process = openProcess({ budget: narrow });
    await process.send('21 21 5');
    expect(await process.send('1')).toMatchObject({ status: 429 });
    expect(await process.send('21 1', 'somebody-else')).toMatchObject({ status: 200 });
  });

  test('another process serves free requests until a charge shows the excess', async () => {
    const { applicationId, send } = openProcess({ budget: narrow });
    await send('21 21 5');
    const other = openProcess({ budget: narrow, applicationId });
    expect(await other.send('20')).toMatchObject({ status: 200, operations: 'Get' });
    expect(await other.send('21 1')).toMatchObject({ status: 429, operations: 'Get Update' });
    expect(await other.send('1')).toMatchObject({ status: 429, operations: '' });
  });

  test.each([
    ['in the next minute', '2026-03-24T12:01:00.000Z'],
    ['after the clock jumped back by an hour', '2026-03-24T11:00:30.000Z'],
    ['after the clock jumped ahead by a year', '2027-03-24T12:00:30.000Z'],
  ])('the application is served again %s', async (_title, later) => {
    let now = '2026-03-24T12:00:59.999Z';
    const budget = { readUnits: 264, writeUnits: 264 };
    const process = openProcess({ budget, clock: () => new Date(now) });
    await process.send(Array(13).fill('21').join(' '));
    expect(await process.send('1')).toMatchObject({
      status: 429,
      headers: { 'Retry-After': '1' },
    });
    now = later;
    expect(await process.send('21 1')).toMatchObject({ status: 200 });
    expect(await process.used(later.slice(0, 16))).toEqual({ read: 22, write: 2 });
  });

  test.each([
    { at: '00.000', used: 50, allowed: 50, refused: false },
    { at: '00.000', used: 51, allowed: 50, refused: true, retryAfter: 1 },
    { at: '00.000', used: 173, allowed: 50, refused: true, retryAfter: 13 },
    { at: '10.500', used: 155, allowed: 155, refused: false },
    { at: '10.500', used: 300, allowed: 155, refused: true, retryAfter: 15 },
    { at: '54.999', used: 5_000, allowed: 599, refused: true, retryAfter: 6 },
    { at: '55.000', used: 600, allowed: 600, refused: false },
    { at: '59.999', used: 601, allowed: 600, refused: true, retryAfter: 1 },
  ])('a minute passes: at second $at $used units of 600, allowed $allowed', async (row) => {
    const clock = () => new Date(`2026-03-24T12:00:${row.at}Z`);
    const add: AddUnits = async () => ({ read: row.used, write: 0 });
    const { send } = openProcess({ budget: { readUnits: 600, writeUnits: 600 }, clock, add });
    const reply = await send('21 1');
    if (row.refused) {
      const params = { budget: 'read_units', size: 600, used: row.used, allowed: row.allowed };
      expect(reply).toMatchObject({
        status: 429,
        headers: { 'Retry-After': String(row.retryAfter) },
        body: { error: { details: [{ code: 'budget_used_up', params }] } },
      });
    } else {
      expect(reply).toMatchObject({ status: 200 });
    }
  });

  test('a refused application is served again as soon as Retry-After says', async () => {
    let now = '2026-03-24T12:00:00.000';
    const clock = () => new Date(`${now}Z`);
    const { send } = openProcess({ budget: { readUnits: 300, writeUnits: 300 }, clock });
    await send('21 21');
    expect(await send('1')).toMatchObject({ status: 429, headers: { 'Retry-After': '4' } });
    now = '2026-03-24T12:00:03.000';
    expect(await send('1')).toMatchObject({ status: 429, headers: { 'Retry-After': '1' } });
    now = '2026-03-24T12:00:04.000';
    expect(await send('1')).toMatchObject({ status: 200 });
  });

  test('concurrent requests exceed it at most by their calls in progress', async () => {
    const process = openProcess({ budget: narrow });
    const replies = await Promise.all(Array.from({ length: 8 }, () => process.send('21 21 21 21')));
    expect(replies.filter(({ status }) => status === 200)).toEqual([]);
    const { read } = await process.used();
    expect(read).toBeGreaterThan(30);
    expect(read).toBeLessThanOrEqual(8 * 2 * 21);
  });
});

describe('a charge that cannot be recorded', () => {
  const failing = () => {
    const added: unknown[] = [];
    let isDown = true;
    const add: AddUnits = async (_place, units) => {
      if (isDown) throw new Error('the table is away');
      added.push(units);
      return units;
    };
    return { added, add, repair: () => (isDown = false) };
  };

  test('refuses no request, is logged and counted, and is added to the next charge', async () => {
    const { added, add, repair } = failing();
    const process = openProcess({ add });
    expect(await process.send('21')).toMatchObject({ status: 200, operations: 'Get' });
    expect(process.log.map(([message]) => message)).toEqual(['charge not recorded', 'request']);
    expect(process.metrics).toMatchObject([['ended', { failedCharges: 1 }]]);
    repair();
    await process.send('20 5');
    expect(added).toEqual([{ read: 46, write: 2 }]);
  });

  test('delays its request for at most a quarter of a second', async () => {
    const process = openProcess({ add: () => new Promise(() => {}) });
    const startedAt = performance.now();
    expect(await process.send('write 21')).toMatchObject({ status: 200 });
    const waited = performance.now() - startedAt;
    expect(waited).toBeGreaterThanOrEqual(chargeMilliseconds - 1);
    expect(waited).toBeLessThan(chargeMilliseconds * 4);
  });
});

test('exactly the endpoints open the table that charges', () => {
  const files = new Map(readSourceFiles().map((file) => [file.path, file]));
  const reachedFrom = (path: string, reached = new Set<string>()): Set<string> => {
    const file = files.get(path);
    if (file === undefined || reached.has(path)) return reached;
    reached.add(path);
    for (const { target } of importsOf(file)) if (target) reachedFrom(target, reached);
    return reached;
  };
  const rows = Object.entries(functions) as [FunctionName, { trigger: { kind: string } }][];
  const charging = rows.filter(([name]) =>
    reachedFrom(`functions/${name}/index.ts`).has('shared/applications/charged-table.store.ts'),
  );
  const endpoints = rows.filter(([, { trigger }]) => trigger.kind === 'api');
  expect(charging.map(([name]) => name)).toEqual(endpoints.map(([name]) => name));
  for (const [name] of endpoints) {
    const openers = [...reachedFrom(`functions/${name}/index.ts`)].filter((path) =>
      /(\/index|\.container)\.ts$/.test(path),
    );
    expect(openers.filter((path) => files.get(path)?.text.includes('openTable('))).toEqual([]);
  }
});
