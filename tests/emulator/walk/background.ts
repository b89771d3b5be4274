// The functions without HTTP calls: the schedules, and failed stream records in their queue.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type FunctionName, functions, functionsOfKind } from '#infra/manifest/manifest.ts';
import { functionNameOf, tableNameOf } from '#infra/manifest/names.ts';
import { addDays, dateOf } from '#shared/money/dates.ts';
import { tenantNameFrom } from '#shared/tenants/domain-names.ts';
import { isVerificationDay } from '#shared/verification/verification-days.ts';
import { dollarEntry, manualTenant } from '../../support/builders/requests.ts';
import type { Emulator } from '../emulator.ts';
import type { Report } from '../report.ts';
import { call, dataOf, ruleOfWalk, runSchedule, until } from './calls.ts';
import { profileOf } from './connections.ts';
import type { Deployed } from './deployed.ts';

const schedules = functionsOfKind('schedule');

/** An entry for tomorrow is scheduled; the run for tomorrow posts it. */
const checkDueEntry = async (emulator: Emulator, deployed: Deployed): Promise<void> => {
  const { tenants } = await profileOf(deployed);
  const tomorrow = addDays(dateOf(new Date()), 1);
  const domain_url = tenants.find(({ platform }) => platform === 'manual')?.tenant_domain_url;
  const body = { ...dollarEntry, domain_url, external_id: randomUUID(), accrual_date: tomorrow };
  const scheduled = await call(deployed, 'journal_entries/create/', { body });
  assert.equal(dataOf(scheduled).status, 'scheduled');
  const run = await runSchedule(emulator, 'post-scheduled-entries', `${tomorrow}T00:15:00Z`);
  assert.deepEqual([run.posted, run.stuck], [1, 0]);
};

const minutes = 60_000;
const inTime = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

/** An import waits during an outage. It continues when resume-imports finds it due. */
const checkOutage = async (emulator: Emulator, deployed: Deployed): Promise<void> => {
  const { tenants } = await profileOf(deployed);
  const connected = tenants.findLast(
    ({ platform, status }) => platform !== 'manual' && status === 'active',
  );
  const body = { domain_url: connected?.tenant_domain_url };
  const importOf = async () => {
    const query = new URLSearchParams({ domain_url: body.domain_url ?? '' });
    return dataOf(await call(deployed, `tenants/imports/?${query}`)).import;
  };
  const requestImport = async () => dataOf(await call(deployed, 'tenants/import/', { body }));
  emulator.outside.interrupt(true);
  try {
    // There is a minute at least between two imports.
    const will = ({ requested }: { requested: boolean }) => requested;
    await until('an import that was asked for', requestImport, { will, seconds: 90 });
    await until('an import that waits', importOf, { will: ({ state }) => state === 'waiting' });
  } finally {
    emulator.outside.interrupt(false);
  }
  const waiting = await importOf();
  assert.equal(waiting.reason, 'platform_unavailable');
  const run = await runSchedule(emulator, 'resume-imports', inTime(5 * minutes));
  assert.deepEqual([run.resumed, run.stuck], [1, 0]);
  await until('an import that has ended', importOf, { will: ({ state }) => state === 'complete' });
};

/** Tokens that nobody has used for a month are renewed. */
const checkRenewal = async (emulator: Emulator, report: Report): Promise<void> => {
  const run = await runSchedule(emulator, 'renew-connections', inTime(35 * 24 * 60 * minutes));
  report.note(JSON.stringify(run));
  assert.deepEqual([run.renewed > 0, run.stuck], [true, 0]);
};

/** Posts have left the totals of earlier dates to be carried forward. */
const checkCarrying = async (emulator: Emulator, report: Report): Promise<void> => {
  const run = await runSchedule(emulator, 'carry-totals', inTime(24 * 60 * minutes));
  report.note(JSON.stringify(run));
  assert.deepEqual([run.carried > 0, run.stuck], [true, 0]);
};

/** A tenant whose books are verified today. A seventh of all tenants are. */
const createTenantOfToday = async (
  { settings }: Emulator,
  deployed: Deployed,
): Promise<{ domain_url: string }> => {
  const { user_id } = await profileOf(deployed);
  const { applicationId } = deployed;
  for (let tries = 0; tries < 100; tries += 1) {
    const body = { ...manualTenant, user_id };
    const created = dataOf(await call(deployed, 'tenants/create/', { body }));
    const domain_url = created.tenant_domain_url;
    const { baseDomain } = settings;
    const name = tenantNameFrom(domain_url, { applicationId, baseDomain });
    if (name !== undefined && isVerificationDay(name, new Date())) return { domain_url };
  }
  throw new Error('no tenant of 100 has its verification today');
};

/** Carrying its totals forward requests the verification of a tenant on its day. */
const checkVerification = async (
  emulator: Emulator,
  { deployed, report }: { deployed: Deployed; report: Report },
): Promise<void> => {
  const tenant = await createTenantOfToday(emulator, deployed);
  const body = { ...dollarEntry, ...tenant, external_id: randomUUID() };
  dataOf(await call(deployed, 'journal_entries/create/', { body }));
  const time = inTime(24 * 60 * minutes);
  await runSchedule(emulator, 'carry-totals', time);
  const run = await runSchedule(emulator, 'verify-books', time);
  report.note(JSON.stringify(run));
  assert.deepEqual([run.verified > 0, run.differences, run.stuck], [true, 0, 0]);
};

/** The function with the shortest schedule, which EventBridge itself comes to run. */
const checkRule = async ({ lambdaHost, stage }: Emulator, report: Report): Promise<void> => {
  const [soonest] = schedules.toSorted((a, b) => a.trigger.everyMinutes - b.trigger.everyMinutes);
  assert.ok(soonest);
  const functionName = functionNameOf(stage, soonest.name);
  const seconds = soonest.trigger.everyMinutes * 60 + 30;
  const runs = async () =>
    (lambdaHost.events.get(functionName) ?? []).filter((event) => !event.includes(ruleOfWalk));
  await until(`a run of ${functionName}`, runs, { will: ({ length }) => length > 0, seconds });
  report.note(`${soonest.name} was run by its rule`);
};

const failuresOf = async ({ commands }: Emulator, functionName: string) =>
  (await commands.ops('failures list')).failures.filter(
    (failure: { function: string }) => failure.function === functionName,
  );

/** Waits for a failure of a function, and removes it as an operator does. */
const awaitFailure = async (emulator: Emulator, functionName: string): Promise<void> => {
  const found = await until(
    `a failure of ${functionName} in the queue`,
    () => failuresOf(emulator, functionName),
    { will: (failures) => failures.length > 0, seconds: 120 },
  );
  assert.equal(found.length, 1);
  const redriven = await emulator.commands.ops('failures redrive');
  assert.deepEqual([redriven.removed_failures, redriven.left_failures], [1, 0]);
};

/** A record that no function can read is tried as often as the mapping says, and then kept. */
const checkStreamFailure = async (emulator: Emulator): Promise<void> => {
  const { aws, stage } = emulator;
  // The other reader of the stream tries until the record expires, after a day.
  const stream = functionsOfKind('stream').find(
    ({ trigger }) => trigger.maximumRetries !== 'until_expired',
  );
  assert.ok(stream);
  const TableName = tableNameOf(stage);
  const Key = { pk: { S: 'WALK' }, sk: { S: 'not an import' } };
  const [filter] = stream.trigger.filters;
  const image = Object.entries(filter ?? {}).map(([name, S]) => [name, { S }]);
  const Item = { ...Key, ...Object.fromEntries(image) };
  await aws.call('dynamodb', 'DynamoDB_20120810.PutItem', { TableName, Item });
  await awaitFailure(emulator, functionNameOf(stage, stream.name));
  await aws.call('dynamodb', 'DynamoDB_20120810.DeleteItem', { TableName, Key });
};

/** What Lambda was asked for and a function cannot do is tried again, and then kept. */
const checkInvocationFailure = async (emulator: Emulator): Promise<void> => {
  for (const { name } of functionsOfKind('invocation')) {
    const functionName = functionNameOf(emulator.stage, name);
    await emulator.aws.invokeLater(functionName, { not: 'an import' });
    await awaitFailure(emulator, functionName);
  }
};

export const walkBackground = async (
  emulator: Emulator,
  { deployed, report }: { deployed: Deployed; report: Report },
): Promise<void> => {
  report.heading('Schedules, the stream, and what fails');
  await report.check('an entry that is due is posted', () => checkDueEntry(emulator, deployed));
  await report.check('an import continues after an outage', () => checkOutage(emulator, deployed));
  await report.check('connections are renewed', () => checkRenewal(emulator, report));
  await report.check('totals are carried forward', () => checkCarrying(emulator, report));
  await report.check('the books of the day are verified', () =>
    checkVerification(emulator, { deployed, report }),
  );
  await report.check('a record that cannot be read ends in the failure queue', () =>
    checkStreamFailure(emulator),
  );
  await report.check('so does an invocation that fails', () => checkInvocationFailure(emulator));
  await report.check('a rule of EventBridge runs its function', () => checkRule(emulator, report));
};

/** Every function has run, and called only the platforms, the banks and the webhook. */
export const checkFunctions = async (
  { lambdaHost, outside, stage }: Emulator,
  report: Report,
): Promise<void> => {
  report.heading('The functions');
  await report.check('every function of the manifest has run', async () => {
    const names = (Object.keys(functions) as FunctionName[]).map((it) => functionNameOf(stage, it));
    const idle = names.filter((name) => !lambdaHost.events.has(name));
    assert.deepEqual(idle, []);
  });
  await report.check('they called only the platforms, the banks and the webhook', async () => {
    report.note([...outside.hosts].map(([host, count]) => `${host} ${count}`).join(', '));
    assert.deepEqual(outside.strangers, []);
  });
};
