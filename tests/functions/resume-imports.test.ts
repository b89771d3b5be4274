import type { ScheduledEvent } from 'aws-lambda';
import { beforeEach, describe, expect, test } from 'vitest';
import { createHandler, type Dependencies } from '#functions/resume-imports/handler.ts';
import { iamActionsOf } from '#infra/local/grants.ts';
import { importKey, type TenantName } from '#shared/store/keys.ts';
import { meterUsage } from '#shared/table-metering.ts';
import { at, openImportStates } from '../support/builders/import-states.ts';
import { lambdaContext } from '../support/events/lambda-events.ts';
import { keepLog } from '../support/recorders/log.ts';
import { keepMetrics } from '../support/recorders/metrics.ts';

let states: Awaited<ReturnType<typeof openImportStates>>;
let log: ReturnType<typeof keepLog>;
let metrics: ReturnType<typeof keepMetrics>;

beforeEach(async () => {
  states = await openImportStates();
  log = keepLog();
  metrics = keepMetrics();
});

const runFor = (time: string): ScheduledEvent => ({
  version: '0',
  id: '53dc4d37-cffa-4f76-80c9-8b7d4a4d2eaa',
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account: '123456789012',
  time: at(time).toISOString(),
  region: 'eu-west-1',
  resources: ['arn:aws:events:eu-west-1:123456789012:rule/resume-imports'],
  detail: {},
});

const run = (time: string, changes: Partial<Dependencies['imports']> = {}) =>
  createHandler({ imports: { ...states.imports, ...changes }, log, metrics })(
    runFor(time),
    lambdaContext(),
  );

const statusesOf = async (names: TenantName[]) => {
  const imports = await Promise.all(names.map((name) => states.imports.find(name)));
  return imports.map((it) => it?.status);
};
const notStarted = () => metrics.events.find(([event]) => event === 'importsNotStarted');

describe('a run', () => {
  test('asks for what is due to go on, and leaves what is not', async () => {
    // At ten: long due, the lease of a dead run has ended, due at half past, ended twice.
    const names = [
      await states.create('requested'),
      await states.create('running'),
      await states.create('waiting'),
      await states.create('complete'),
      await states.create('failed'),
    ];
    expect(await run('10:00:00')).toEqual({ resumed: 2, not_due: 0, not_started: 1, failed: 0 });
    expect(await statusesOf(names)).toEqual([
      'requested',
      'requested',
      'waiting',
      'complete',
      'failed',
    ]);
    expect(await Promise.all(names.map(states.duesOf))).toEqual([
      ['2026-03-23T10:10:00.000Z'],
      ['2026-03-23T10:10:00.000Z'],
      ['2026-03-23T10:30:00.000Z'],
      [],
      [],
    ]);
    expect(notStarted()).toEqual(['importsNotStarted', 1]);
  });

  test('repeated does nothing', async () => {
    const name = await states.create('waiting');
    const first = await run('10:30:00');
    expect(first).toEqual({ resumed: 1, not_due: 0, not_started: 0, failed: 0 });
    const before = await states.look(name);
    const { result, usage } = await meterUsage(() => run('10:30:00'));
    expect(result).toEqual({ resumed: 0, not_due: 0, not_started: 0, failed: 0 });
    expect(usage.calls.map(({ operation }) => operation)).toEqual(['Query']);
    expect(await states.look(name)).toEqual(before);
  });

  test('beside another one asks for each import once', async () => {
    for (let number = 0; number < 10; number += 1) await states.create('waiting');
    const summaries = await Promise.all([run('10:30:00'), run('10:30:00'), run('10:30:00')]);
    expect(summaries.reduce((sum, { resumed }) => sum + Number(resumed), 0)).toBe(10);
  });

  test.each([
    ['before that', '09:39:59', 0],
    ['ten minutes after it was requested', '09:40:00', 1],
  ])('counts what the stream has not started, but not %s', async (_, time, count) => {
    await states.create('requested');
    expect(await run(time)).toMatchObject({ resumed: count, not_started: count });
    expect(notStarted()).toEqual(['importsNotStarted', count]);
  });

  test('counts what is not started again each ten minutes, until it is', async () => {
    const name = await states.create('requested');
    const counts = [];
    for (const time of ['09:40:00', '09:42:00', '09:49:59', '09:50:00']) {
      counts.push((await run(time)).not_started);
    }
    expect(counts).toEqual([1, 0, 0, 1]);
    const lease = { importId: 'first', until: at('09:56:00'), runsWithoutProgress: 1 };
    expect(await states.imports.acquireLease(name, lease)).toBe(true);
    expect(await run('10:00:00')).toMatchObject({ resumed: 1, not_started: 0 });
  });

  test('does nothing to an import that goes on or ends while it looks', async () => {
    const name = await states.create('requested');
    const finish = async () => {
      const end = { importId: 'first', finishedAt: at('10:00:00').toISOString(), reason: null };
      await states.imports.finish(name, { ...end, tenantStatus: 'active' });
    };
    const summary = await run('10:00:00', {
      find: async (asked) => {
        const found = await states.imports.find(asked);
        await finish();
        return found;
      },
    });
    expect(summary).toEqual({ resumed: 0, not_due: 1, not_started: 0, failed: 0 });
    expect(await statusesOf([name])).toEqual(['complete']);
  });

  test('goes on past an import that cannot be read, and fails at the end', async () => {
    const [first, broken, last] = [
      await states.create('running'),
      await states.create('running'),
      await states.create('waiting'),
    ];
    await states.table.update({
      update: importKey(broken),
      expression: 'SET checkpoint = :nothing',
      values: { ':nothing': null },
    });
    await expect(run('10:30:00')).rejects.toThrow('1 due imports were not resumed');
    expect(await statusesOf([first, last])).toEqual(['requested', 'requested']);
    expect(notStarted()).toEqual(['importsNotStarted', 0]);
    expect(log.lines).toContainEqual([
      'import not resumed',
      {
        application_id: broken.applicationId,
        schema_name: broken.schemaName,
        error: expect.any(Error),
      },
    ]);
  });

  test('costs a query, and two calls for each import that is due', async () => {
    await states.create('waiting');
    await states.create('waiting');
    const { usage } = await meterUsage(() => run('10:30:00'));
    expect(usage.calls.map(iamActionsOf)).toEqual([
      ['Query index/due'],
      ['GetItem'],
      ['UpdateItem'],
      ['GetItem'],
      ['UpdateItem'],
    ]);
  });
});
