// What nobody calls by HTTP: the schedules, and the stream's way to the failure queue.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { functionsOfKind } from '#infra/manifest.ts';
import { functionNameOf, tableNameOf } from '#infra/names.ts';
import { addDays, dateOf } from '#shared/domain/dates.ts';
import { dollarEntry } from '../../support/builders/requests.ts';
import type { Emulator } from '../emulator.ts';
import type { Report } from '../report.ts';
import { call, dataOf, until } from './calls.ts';
import { profileOf } from './connections.ts';
import type { Deployed } from './deployment.ts';

const schedules = functionsOfKind('schedule');

/** The event of a rule, for a moment of one's choosing (EventBridge User Guide). */
const eventAt = (time: string) => ({
  version: '0',
  id: randomUUID(),
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account: '000000000000',
  time,
  region: 'us-east-1',
  resources: ['arn:aws:events:us-east-1:000000000000:rule/walk'],
  detail: {},
});

const runAt = async ({ aws, stage }: Emulator, name: string, time: string): Promise<unknown> => {
  const { failed, payload } = await aws.invoke(functionNameOf(stage, name), eventAt(time));
  assert.equal(failed, false, `${name}: ${JSON.stringify(payload)}`);
  return payload;
};

/** An entry for tomorrow is scheduled; the run for tomorrow posts it. */
const checkDueEntry = async (emulator: Emulator, deployed: Deployed): Promise<void> => {
  const { tenants } = await profileOf(deployed);
  const tomorrow = addDays(dateOf(new Date()), 1);
  const domain_url = tenants.find(({ status }) => status === 'active')?.tenant_domain_url;
  const body = { ...dollarEntry, domain_url, external_id: randomUUID(), accrual_date: tomorrow };
  const scheduled = await call(deployed, 'journal_entries/create/', { body });
  assert.equal(dataOf(scheduled).status, 'scheduled');
  const run = await runAt(emulator, 'post-scheduled-entries', `${tomorrow}T00:15:00Z`);
  assert.deepEqual(run, { ...(run as object), posted: 1, failed: 0 });
};

/** The function with the shortest schedule, which EventBridge itself comes to run. */
const checkRule = async ({ lambdaHost, stage }: Emulator, report: Report): Promise<void> => {
  const [soonest] = schedules.toSorted((a, b) => a.trigger.everyMinutes - b.trigger.everyMinutes);
  assert.ok(soonest);
  const functionName = functionNameOf(stage, soonest.name);
  const seconds = soonest.trigger.everyMinutes * 60 + 30;
  const count = async () => lambdaHost.invocations.get(functionName) ?? 0;
  await until(`a run of ${functionName}`, count, { will: (runs) => runs > 0, seconds });
  report.note(`${soonest.name} was run by its rule`);
};

/** A record that no function can read is tried as often as the mapping says, and then kept. */
const checkFailureQueue = async ({ aws, stage, commands }: Emulator): Promise<void> => {
  const [stream] = functionsOfKind('stream');
  assert.ok(stream);
  const TableName = tableNameOf(stage);
  const Key = { pk: { S: 'WALK' }, sk: { S: 'not an import' } };
  const image = Object.entries(stream.trigger.newImage).map(([name, S]) => [name, { S }]);
  const Item = { ...Key, ...Object.fromEntries(image) };
  await aws.call('dynamodb', 'DynamoDB_20120810.PutItem', { TableName, Item });
  const { failures } = await until(
    'a message in the failure queue',
    () => commands.ops('failures list'),
    { will: (listed) => listed.failures.length > 0, seconds: 180 },
  );
  assert.equal(failures[0].function, functionNameOf(stage, stream.name));
  await aws.call('dynamodb', 'DynamoDB_20120810.DeleteItem', { TableName, Key });
  const redriven = await commands.ops('failures redrive');
  assert.deepEqual([redriven.removed_failures, redriven.left_failures], [1, 0]);
};

export const walkBackground = async (
  emulator: Emulator,
  { deployed, report }: { deployed: Deployed; report: Report },
): Promise<void> => {
  report.heading('Schedules and the stream');
  await report.check('an entry that is due is posted', () => checkDueEntry(emulator, deployed));
  for (const { name } of schedules) {
    await report.check(`${name} runs`, async () => {
      report.note(JSON.stringify(await runAt(emulator, name, new Date().toISOString())));
    });
  }
  await report.check('a record that cannot be read ends in the failure queue', () =>
    checkFailureQueue(emulator),
  );
};

/** Apart from the rest, since it waits for a rule while other things are done. */
export const awaitSchedule = (emulator: Emulator, report: Report): Promise<void> =>
  report.check('a rule of EventBridge runs its function', () => checkRule(emulator, report));
