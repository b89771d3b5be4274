import type { ScheduledEvent } from 'aws-lambda';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  createHandler,
  type Dependencies,
  resumedPerApplication,
} from '#functions/resume-imports/handler.ts';
import { openApplications } from '#shared/applications/applications.store.ts';
import { openDueWork } from '#shared/background/due-index.store.ts';
import { openImports } from '#shared/imports/imports.store.ts';
import { importKey, type TenantName } from '#shared/table/keys.ts';
import { meterUsage } from '#shared/table/metering.ts';
import { openApplication } from '../support/builders/applications.ts';
import {
  at,
  everyStatus,
  lease,
  openImportStates,
} from '../support/builders/platforms/import-states.ts';
import { nothingDue } from '../support/builders/run-summaries.ts';
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

const run = (
  time: string,
  changes: Partial<Dependencies['imports']> = {},
  { now = time }: { now?: string } = {},
) => {
  const handler = createHandler({
    applications: openApplications(states.table),
    imports: { ...states.imports, ...changes },
    dueWork: openDueWork(states.table),
    clock: () => at(now),
    log,
    metrics,
  });
  return handler({ time: at(time).toISOString() } as ScheduledEvent, lambdaContext(60_000));
};

const nothing = {
  resumed: 0,
  not_due: 0,
  not_started: 0,
  waiting: 0,
  ...nothingDue,
};
/** The summary after this number of due imports. */
const done = (count: number) => ({ ...nothing, due: count, done: count });

const statusesOf = async (names: TenantName[]) => {
  const imports = await Promise.all(names.map((name) => states.imports.find(name)));
  return imports.map((it) => it?.status);
};
const notStarted = () => metrics.events.find(([event]) => event === 'importsNotStarted');

describe('a run', () => {
  test('for a past moment resumes imports that are due now', async () => {
    const name = await states.create('running');
    const imports = openImports(states.table, { clock: () => at('10:00:00') });
    const summary = await run('01:00:00', imports, { now: '10:00:00' });
    expect(summary).toEqual({ ...done(1), resumed: 1 });
    expect(await statusesOf([name])).toEqual(['requested']);
  });

  test('requests due imports again, and leaves the others', async () => {
    const names = await Promise.all(everyStatus.map(states.create));
    expect(await run('10:00:00')).toEqual({ ...done(2), resumed: 2, not_started: 1 });
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
    expect(first.result).toEqual({ ...done(2), resumed: 2 });
    expect(first.usage.calls.map(({ operation }) => operation).sort()).toEqual([
      ...['GetItem', 'GetItem', 'GetItem', 'Query', 'Query', 'UpdateItem', 'UpdateItem'],
    ]);
    const before = await Promise.all(names.map(states.look));
    const { result, usage } = await meterUsage(() => run('10:30:00'));
    expect(result).toEqual(nothing);
    expect(usage.calls.map(({ operation }) => operation)).toEqual(['Query', 'Query']);
    expect(await Promise.all(names.map(states.look))).toEqual(before);
  });

  test('reports an import that does not start every ten minutes', async () => {
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

  test('skips a suspended application until it is resumed', async () => {
    const names = [await states.create('running'), await states.create('waiting')];
    const application = openApplication(states.table);
    await application.suspend();
    const before = await Promise.all(names.map(states.look));
    const { result, usage } = await meterUsage(() => run('10:30:00'));
    expect(result).toEqual({ ...nothing, suspended: 2 });
    expect(usage.calls.map(({ operation }) => operation)).toEqual(['Query', 'GetItem', 'Query']);
    expect(await Promise.all(names.map(states.look))).toEqual(before);
    await application.resume();
    expect(await run('10:32:00')).toEqual({ ...done(2), resumed: 2 });
  });

  test('continues sixteen imports that gave way, and all others', async () => {
    const gaveWay: TenantName[] = [];
    for (let place = 0; place < 19; place += 1) {
      const name = await states.create('requested');
      const now = at(`09:50:${10 + place}`);
      await states.imports.acquireLease(name, { ...lease, now, runsWithoutProgress: 1 });
      expect(await states.imports.giveWay(name, { ...lease, now })).toBe(true);
      gaveWay.push(name);
    }
    const limited = await states.create('waiting');
    expect(await run('10:30:00')).toEqual({ ...done(20), resumed: 17, waiting: 3 });
    // Four turns run at the same time.
    const firsts = await statusesOf([...gaveWay.slice(0, 12), limited]);
    expect(new Set(firsts)).toEqual(new Set(['requested']));
    const turnWaits = () => metrics.events.filter(([event]) => event === 'importTurnWait');
    // The first gave way at 09:50:10.
    expect(turnWaits()).toEqual([['importTurnWait', 39]]);
    expect(await run('10:31:00')).toEqual({ ...done(3), resumed: 3 });
    expect(turnWaits().at(-1)).toEqual(['importTurnWait', 40]);
    await run('10:32:00');
    expect(turnWaits().at(-1)).toEqual(['importTurnWait', 0]);
  });

  test('continues fewer while others have not started, but at least four', async () => {
    const now = at('10:29:00');
    for (let place = 0; place < 6; place += 1) {
      const name = await states.create('requested');
      await states.imports.acquireLease(name, { ...lease, now, runsWithoutProgress: 1 });
      await states.imports.giveWay(name, { ...lease, now });
    }
    for (let place = 0; place < 13; place += 1) {
      await states.imports.resumeAtOnce(await states.create('requested'), now);
    }
    expect(await run('10:30:00')).toEqual({ ...done(6), resumed: 4, waiting: 2 });
  });

  test('does nothing to an import that ends at the same time', async () => {
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
    expect(summary).toEqual({ ...done(1), not_due: 1 });
    expect(await statusesOf([name])).toEqual(['complete']);
  });

  test('skips an unreadable import, which is stuck until it is readable', async () => {
    const first = await states.create('running');
    const broken = await states.create('running');
    const last = await states.create('waiting');
    const setCheckpoint = (value: unknown) =>
      states.table.update({
        update: importKey(broken),
        expression: 'SET checkpoint = :checkpoint',
        values: { ':checkpoint': value },
      });
    const checkpoint = (await states.table.get(importKey(broken)))?.checkpoint;
    await setCheckpoint(null);
    const summary = await run('10:30:00');
    expect(summary).toEqual({ ...nothing, due: 3, done: 2, stuck: 1, resumed: 2 });
    expect(await statusesOf([first, last])).toEqual(['requested', 'requested']);
    const { pk, sk } = importKey(broken);
    expect(log.lines).toContainEqual([
      'background work is stuck',
      { key: { pk, sk }, reason: 'internal_error', error: expect.any(Error) },
    ]);
    expect(metrics.events[0]).toEqual(['workStuck']);
    const stuck = { reason: 'internal_error', since: at('10:30:00').toISOString(), attempts: 1 };
    expect(await states.table.get(importKey(broken))).toMatchObject({ stuck });
    expect(await run('10:34:59')).toEqual(nothing);
    await setCheckpoint(checkpoint);
    expect(await run('10:35:00')).toEqual({ ...done(1), resumed: 1 });
    expect(await states.table.get(importKey(broken))).not.toHaveProperty('stuck');
  });

  test('resumes a limited number per application', async () => {
    const count = resumedPerApplication + 3;
    for (let company = 0; company < count; company += 1) await states.create('waiting');
    const first = await run('10:30:00');
    expect(first).toMatchObject({ resumed: resumedPerApplication, not_tried: 3 });
    expect(first).toMatchObject({ stopped_early: 'yes', continues_with: expect.any(String) });
    expect(await run('10:32:00')).toEqual({ ...done(3), resumed: 3 });
  });
});
