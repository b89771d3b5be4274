import type { ScheduledEvent } from 'aws-lambda';
import { beforeEach, describe, expect, test } from 'vitest';
import { createHandler, type Dependencies } from '#functions/resume-imports/handler.ts';
import { openApplications } from '#shared/store/applications.ts';
import { importKey, type TenantName } from '#shared/store/keys.ts';
import { meterUsage } from '#shared/table-metering.ts';
import { openApplication } from '../support/builders/applications.ts';
import { at, everyStatus, lease, openImportStates } from '../support/builders/import-states.ts';
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

const run = (time: string, changes: Partial<Dependencies['imports']> = {}) => {
  const handler = createHandler({
    applications: openApplications(states.table),
    imports: { ...states.imports, ...changes },
    ...{ log, metrics },
  });
  return handler({ time: at(time).toISOString() } as ScheduledEvent, lambdaContext());
};

const nothing = { resumed: 0, not_due: 0, not_started: 0, suspended: 0, failed: 0 };

const statusesOf = async (names: TenantName[]) => {
  const imports = await Promise.all(names.map((name) => states.imports.find(name)));
  return imports.map((it) => it?.status);
};
const notStarted = () => metrics.events.find(([event]) => event === 'importsNotStarted');

describe('a run', () => {
  test('asks for what is due to go on, and leaves what is not', async () => {
    // At ten: long due, the lease of a dead run has ended, due at half past, ended twice.
    const names = await Promise.all(everyStatus.map(states.create));
    expect(await run('10:00:00')).toEqual({ ...nothing, resumed: 2, not_started: 1 });
    expect(await statusesOf(names)).toEqual(
      everyStatus.map((status) => (status === 'running' ? 'requested' : status)),
    );
    const dues = (await Promise.all(names.map(states.duesOf))).map(([due]) => due?.slice(11, 19));
    expect(dues).toEqual(['10:10:00', '10:10:00', '10:30:00', undefined, undefined]);
    expect(notStarted()).toEqual(['importsNotStarted', 1]);
  });

  test('costs two queries, a read of the application and two calls an import', async () => {
    const names = [await states.create('waiting'), await states.create('waiting')];
    const first = await meterUsage(() => run('10:30:00'));
    expect(first.result).toEqual({ ...nothing, resumed: 2 });
    expect(first.usage.calls.map(({ operation }) => operation)).toEqual([
      ...['Query', 'GetItem'],
      ...['GetItem', 'UpdateItem', 'GetItem', 'UpdateItem'],
      'Query',
    ]);
    const before = await Promise.all(names.map(states.look));
    const { result, usage } = await meterUsage(() => run('10:30:00'));
    expect(result).toEqual(nothing);
    expect(usage.calls.map(({ operation }) => operation)).toEqual(['Query', 'Query']);
    expect(await Promise.all(names.map(states.look))).toEqual(before);
  });

  test('counts what is not started again each ten minutes, until it is', async () => {
    const name = await states.create('requested');
    const counts = [];
    for (const time of ['09:39:59', '09:40:00', '09:42:00', '09:49:59', '09:50:00']) {
      metrics.events.length = 0;
      counts.push([(await run(time)).not_started, notStarted()?.[1]]);
    }
    expect(counts).toEqual([0, 1, 0, 0, 1].map((count) => [count, count]));
    const asked = { ...lease, now: at('09:56:00'), runsWithoutProgress: 1 };
    expect(await states.imports.acquireLease(name, asked)).toBe(true);
    expect(await run('10:00:00')).toMatchObject({ resumed: 1, not_started: 0 });
  });

  test('leaves those of a suspended application alone until it is resumed', async () => {
    const names = [await states.create('running'), await states.create('waiting')];
    const application = openApplication(states.table);
    await application.suspend();
    const before = await Promise.all(names.map(states.look));
    const { result, usage } = await meterUsage(() => run('10:30:00'));
    expect(result).toEqual({ ...nothing, suspended: 2 });
    expect(usage.calls.map(({ operation }) => operation)).toEqual(['Query', 'GetItem', 'Query']);
    expect(await Promise.all(names.map(states.look))).toEqual(before);
    await application.resume();
    expect(await run('10:32:00')).toEqual({ ...nothing, resumed: 2 });
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
    expect(summary).toEqual({ ...nothing, not_due: 1 });
    expect(await statusesOf([name])).toEqual(['complete']);
  });

  test('goes on past an import that cannot be read, and fails at the end', async () => {
    const first = await states.create('running');
    const broken = await states.create('running');
    const last = await states.create('waiting');
    await states.table.update({
      update: importKey(broken),
      expression: 'SET checkpoint = :nothing',
      values: { ':nothing': null },
    });
    await expect(run('10:30:00')).rejects.toThrow('1 due imports were not resumed');
    expect(await statusesOf([first, last])).toEqual(['requested', 'requested']);
    expect(notStarted()).toEqual(['importsNotStarted', 0]);
    const { applicationId: application_id, schemaName: schema_name } = broken;
    expect(log.lines).toContainEqual([
      'import not resumed',
      { application_id, schema_name, error: expect.any(Error) },
    ]);
  });
});
