// Events that cannot be recorded: no other application waits for them, the operator sees them, and
// they are recorded when that is possible again.

import { expect, test } from 'vitest';
import { listBackground } from '#infra/ops/commands/background.ts';
import { openDueWork } from '#shared/background/due-index.store.ts';
import { feedHoldKey, feedPageKey, webhooksKey } from '#shared/table/event-keys.ts';
import { tenantKey } from '#shared/table/keys.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';
import { lambdaContext } from '../../support/events/lambda-events.ts';
import { changeEvent } from '../../support/events/stream-events.ts';
import { callsOf } from '../../support/harnesses/calls.ts';
import { openInstance } from '../../support/harnesses/instances.ts';
import { keepMetrics } from '../../support/recorders/metrics.ts';

const database = await openTestTable();
const { table } = database;
const metrics = keepMetrics();
const time = { now: Date.parse('2026-03-24T12:00:00.000Z') };
const clock = () => new Date(time.now);
const instance = openInstance({ table, clock, metrics });

let applications = 0;
const newApplication = () => {
  applications += 1;
  return String(applications).padStart(16, 'h');
};

const accountOf = (applicationId: string, code: string | undefined) => ({
  pk: tenantKey({ applicationId, schemaName: 'acme' }).pk,
  sk: `ACCOUNT#${code}`,
  kind: 'account',
  ...(code !== undefined && { code }),
  events: 'account.created',
});

let changes = 0;
/** The stream's event of changed items. */
const changed = (...items: Record<string, unknown>[]) => {
  const event = changeEvent(items.map((item) => ({ item })));
  for (const { dynamodb } of event.Records) {
    changes += 1;
    if (dynamodb) dynamodb.SequenceNumber = String(changes);
  }
  return event;
};

const deliver = async (event: ReturnType<typeof changed>): Promise<void> =>
  expect(await instance.recordEvents(event, lambdaContext())).toEqual({ batchItemFailures: [] });

const resume = async (): Promise<void> => {
  await instance.resumeDeliveries({ time: clock().toISOString() }, lambdaContext(60_000));
};

const alarms = () => metrics.events.filter(([name]) => name === 'eventsNotRecorded').length;

/** The account codes of the events of an application, in the order of its feed. */
const codesOf = async (applicationId: string): Promise<string[]> =>
  (await callsOf(instance, { applicationId }).call('listEvents', {})).events.map(
    ({ data }: { data: { code: string } }) => data.code,
  );

const listStuck = async () =>
  (await listBackground.run({ dueWork: openDueWork(table), clock }, {})).stuck;

test('a feed that cannot be written is held, and its events follow in their order', async () => {
  const [broken, other] = [newApplication(), newApplication()];
  await deliver(changed(accountOf(broken, '1')));
  const page = (await table.get(feedPageKey(broken, 1))) ?? expect.fail();
  await database.tamper({ ...page, first: 'damaged' });
  const before = alarms();
  const batches = ['2', '3'].map((it) => changed(accountOf(broken, it), accountOf(other, it)));
  for (const batch of batches) await deliver(batch);
  expect(await codesOf(other)).toEqual(['2', '3']);
  expect(alarms()).toBe(before + 2);
  await resume();
  expect(await listStuck()).toEqual([
    {
      work: 'events',
      application_id: broken,
      schema_name: null,
      date: null,
      reason: 'internal_error',
      since: '2026-03-24T12:00:00.000Z',
      attempts: 1,
      next_attempt_at: '2026-03-24T12:05:00.000Z',
    },
  ]);
  await database.tamper(page);
  // Later changes wait behind the held ones.
  await deliver(changed(accountOf(broken, '4')));
  expect(await codesOf(broken)).toEqual(['1']);
  time.now += 5 * 60_000;
  await resume();
  for (const batch of batches) await deliver(batch);
  await deliver(changed(accountOf(broken, '5')));
  expect(await codesOf(broken)).toEqual(['1', '2', '3', '4', '5']);
  expect(await table.get(feedHoldKey(broken))).toBeUndefined();
  expect(await listStuck()).toEqual([]);
});

test('an unreadable change waits alone, and is recorded once it can be read', async () => {
  const applicationId = newApplication();
  const event = changed(accountOf(applicationId, undefined), accountOf(applicationId, 'next'));
  const before = alarms();
  await deliver(event);
  expect(await codesOf(applicationId)).toEqual(['next']);
  expect(alarms()).toBe(before + 1);
  expect(await listStuck()).toMatchObject([{ work: 'events', application_id: applicationId }]);
  const readable = async () => {
    const kept = (await database.scan()).find(({ sk }) => String(sk).startsWith('UNREADABLE#'));
    await database.tamper({
      ...kept,
      change: { ...(kept?.change as object), item: accountOf(applicationId, 'late') },
    });
    time.now += 5 * 60_000;
    await resume();
  };
  await readable();
  expect(await codesOf(applicationId)).toEqual(['next', 'late']);
  // The stream delivers the batch again.
  await deliver(event);
  await readable();
  expect(await codesOf(applicationId)).toEqual(['next', 'late']);
  expect(await listStuck()).toEqual([]);
});

test('a kept change has no address of a user, who may be erased while it waits', async () => {
  const user = { pk: `APP#${newApplication()}#USERID#7`, sk: 'USERID', email: 'ada@example.com' };
  await deliver(changed({ ...user, events: 'user.renamed' }));
  const items = JSON.stringify(await database.scan());
  expect(items).toContain('USERID#7');
  expect(items).not.toContain('ada@example.com');
});

test('webhooks that cannot be read do not block the recording', async () => {
  const applicationId = newApplication();
  await database.tamper({ ...webhooksKey(applicationId), version: 'damaged' });
  await deliver(changed(accountOf(applicationId, '1')));
  expect(await codesOf(applicationId)).toEqual(['1']);
});
