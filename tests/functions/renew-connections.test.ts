import type { ScheduledEvent } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { createHandler } from '#functions/renew-connections/handler.ts';
import { openDueWork } from '#shared/background/due-index.store.ts';
import { openTenantHistory } from '#shared/history/tenant-history.store.ts';
import { PlatformFailure, type PlatformTokens } from '#shared/platforms/platform.ts';
import { connectionKey, tenantKey } from '#shared/table/keys.ts';
import { openApplication } from '../support/builders/applications.ts';
import { nothingDue } from '../support/builders/run-summaries.ts';
import { lambdaContext } from '../support/events/lambda-events.ts';
import { openTenantImports } from '../support/harnesses/tenant-imports.ts';
import { changeActors } from '../support/readers/change-actors.ts';
import { keepLog } from '../support/recorders/log.ts';
import { keepMetrics } from '../support/recorders/metrics.ts';
import type { Step } from '../support/servers/fake-platform.ts';

const open = await openTenantImports();

const day = 24 * 60 * 60_000;
const nothing = {
  renewed: 0,
  disconnected: 0,
  not_renewed: 0,
  not_due: 0,
  ...nothingDue,
};
const done = { ...nothing, due: 1, done: 1 };
const deferred = { ...nothing, due: 1, deferred: 1 };

/** A connected company, and scheduled runs that see only its connection. */
const connectCompany = async () => {
  const company = open.newCompany();
  const tokens: PlatformTokens = company.fake.issueTokens();
  await company.connect({ tokens });
  const metrics = keepMetrics();
  const dueWork = openDueWork(open.table);
  const { pk } = tenantKey(company.name);
  const ownWork = {
    ...dueWork,
    async *list(partition: string, now: Date) {
      for await (const page of dueWork.list(partition, now)) {
        yield page.filter((item) => item.pk === pk);
      }
    },
  };
  /** Excludes the connections of other tests too. Their clocks are ahead. */
  async function* listAhead(now: Date) {
    for await (const item of open.connections.listAhead(now)) if (item.pk === pk) yield item;
  }
  const run = (afterDays: number, { remaining = 300_000, find = open.connections.find } = {}) => {
    company.world.now += afterDays * day;
    const handler = createHandler({
      applications: open.applications,
      connections: { ...open.connections, find, listAhead },
      dueWork: ownWork,
      tenants: open.tenants,
      history: openTenantHistory(open.table),
      platforms: company.fake.platforms,
      clock: company.clock,
      sleep: async () => {},
      log: keepLog(),
      metrics,
    });
    const event = { time: company.clock().toISOString() } as ScheduledEvent;
    return handler(event, lambdaContext(remaining));
  };
  const connection = () => open.connections.find(company.name);
  return { ...company, tokens, metrics, run, connection };
};

describe('unused tokens', () => {
  test('are renewed every month', async () => {
    const { fake, tokens, run, connection } = await connectCompany();
    expect(await run(29)).toEqual(nothing);
    expect(fake.calls).toEqual([]);
    for (const version of [2, 3, 4]) {
      expect(await run(31)).toEqual({ ...done, renewed: 1 });
      expect(await run(1)).toEqual(nothing);
      const current = await connection();
      expect(current?.version).toBe(version);
      expect(current?.tokens.refreshToken).not.toBe(tokens.refreshToken);
      expect(fake.isRefreshable(current?.tokens.refreshToken ?? '')).toBe(true);
    }
  });

  test('that are refused disconnect the tenant until the next consent', async () => {
    const company = await connectCompany();
    const { name, fake, tokens, run, connection, state, connect, metrics } = company;
    fake.revokeGrant(tokens.refreshToken);
    expect(await run(31)).toEqual({ ...done, disconnected: 1 });
    expect((await state()).tenant).toEqual(['disconnected', 'credentials_refused']);
    expect(await connection()).toBeUndefined();
    expect(metrics.events).toContainEqual(['tenantDisconnected']);
    const end = ['company_disconnected', 'service', null, null];
    expect((await changeActors(open.table, name)).at(-1)).toEqual(end);
    expect(await run(31)).toEqual(nothing);
    await connect({ importId: 'import-2' });
    expect((await state()).tenant).toEqual(['importing', null]);
    expect((await connection())?.version).toBe(3);
  });

  test.each<[string, Step]>([
    ['the platform fails', new PlatformFailure('platform_unavailable')],
    [
      'its reply is lost',
      () => {
        throw new PlatformFailure('platform_timed_out');
      },
    ],
  ])('are renewed by the next run if %s', async (_, step) => {
    const { fake, run, state, connection } = await connectCompany();
    fake.plan('refresh', step);
    expect(await run(31)).toEqual({ ...deferred, not_renewed: 1 });
    expect((await state()).tenant[0]).toBe('importing');
    const tenMinutes = 10 / (24 * 60);
    expect(await run(tenMinutes)).toEqual({ ...done, renewed: 1 });
    expect(fake.isRefreshable((await connection())?.tokens.refreshToken ?? '')).toBe(true);
  });

  test('that were replaced by a new consent are kept', async () => {
    const { fake, tokens, run, connect, connection } = await connectCompany();
    fake.revokeGrant(tokens.refreshToken);
    const replacement = fake.issueTokens();
    let reads = 0;
    const find: typeof open.connections.find = async (name) => {
      const found = await open.connections.find(name);
      reads += 1;
      if (reads === 1) await connect({ tokens: replacement, importId: 'import-2' });
      return found;
    };
    expect(await run(31, { find })).toEqual({ ...done, renewed: 1 });
    expect((await connection())?.tokens.refreshToken).toBe(replacement.refreshToken);
  });

  test('are not renewed while their application is suspended', async () => {
    const { fake, run } = await connectCompany();
    const application = openApplication(open.table);
    await application.suspend();
    expect(await run(31)).toEqual({ ...nothing, suspended: 1 });
    expect(fake.calls).toEqual([]);
    await application.resume();
    expect(await run(0)).toEqual({ ...done, renewed: 1 });
  });

  test('wait for the next run if this run has no time', async () => {
    const { fake, run } = await connectCompany();
    expect(await run(31, { remaining: 59_000 })).toMatchObject({
      renewed: 0,
      not_tried: 1,
      stopped_early: 'yes',
    });
    expect(fake.calls).toEqual([]);
    expect(await run(0)).toEqual({ ...done, renewed: 1 });
  });
});

test('a connection is stuck while its slot has another adapter', async () => {
  const { name, fake, metrics, run } = await connectCompany();
  const { adapter } = fake.platform;
  fake.platform.adapter = 'zoho';
  expect(await run(31)).toEqual({ ...nothing, due: 1, stuck: 1 });
  expect(metrics.events).toContainEqual(['workStuck']);
  expect(await open.table.get(connectionKey(name))).toMatchObject({
    stuck: { reason: 'internal_error', attempts: 1 },
  });
  fake.platform.adapter = adapter;
  expect(await run(1)).toEqual({ ...done, renewed: 1 });
  expect(await open.table.get(connectionKey(name))).not.toHaveProperty('stuck');
});
