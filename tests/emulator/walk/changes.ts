// Changes to a deployed stage: a deployment without changes, one with a changed row, and the
// removal.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { functionNameOf, stackNameOf, stackNames } from '#infra/manifest/names.ts';
import { ada } from '../../support/builders/requests.ts';
import { changedRateAgeDays } from '../changed-settings.ts';
import type { Emulator } from '../emulator.ts';
import { limitationsIn } from '../limitations.ts';
import type { Report } from '../report.ts';
import { call, dataOf } from './calls.ts';
import type { Deployed } from './deployed.ts';

const checkNothingChanges = async ({ commands, stage }: Emulator): Promise<void> => {
  const output = await commands.deploy();
  for (const stack of stackNames) {
    const pattern = new RegExp(`${stackNameOf(stage, stack)} \\(no changes\\)`);
    assert.match(output, pattern);
  }
};

/** The changed setting, in the version that serves. */
const rateAgeDaysOf = async (aws: Emulator['aws'], stage: string): Promise<string | undefined> => {
  const { Environment } = await aws.functionConfiguration(
    functionNameOf(stage, 'create-journal-entry'),
  );
  return Environment.Variables.RATE_MAXIMUM_AGE_DAYS;
};

/** The stage keeps serving with the changed settings. */
const checkChange = async (
  { commands, aws, stage, localStack }: Emulator,
  { deployed, report }: { deployed: Deployed; report: Report },
): Promise<void> => {
  const before = await rateAgeDaysOf(aws, stage);
  const logged = localStack.log().length;
  const output = await commands.deployApp('tests/emulator/changed-app.ts');
  assert.match(output, new RegExp(`${stackNameOf(stage, 'data')} \\(no changes\\)`));
  const changed = String(changedRateAgeDays);
  assert.deepEqual([before === changed, await rateAgeDaysOf(aws, stage)], [false, changed]);
  for (const remark of limitationsIn(localStack.log().slice(logged))) report.note(remark);
  const known = await call(deployed, 'users/ensure/', { body: ada });
  assert.equal(dataOf(known).created, false);
  const body = { ...ada, email: `${randomUUID()}@example.com` };
  assert.equal(dataOf(await call(deployed, 'users/ensure/', { body })).created, true);
};

const checkRollback = async (
  { commands, aws, stage, settings }: Emulator,
  deployed: Deployed,
): Promise<void> => {
  const { moved } = await commands.ops('rollback');
  const names = moved.map((it: { function: string }) => it.function);
  assert.ok(names.includes('create-journal-entry'), names.join(', '));
  assert.equal(await rateAgeDaysOf(aws, stage), String(settings.rateMaximumAgeDays));
  const known = await call(deployed, 'users/ensure/', { body: ada });
  assert.equal(dataOf(known).created, false);
};

export const walkChanges = async (
  emulator: Emulator,
  { deployed, report }: { deployed: Deployed; report: Report },
): Promise<void> => {
  report.heading('Changes');
  await report.check('npm run deploy again: no changes', () => checkNothingChanges(emulator));
  await report.check('a changed row is deployed, and the stage serves on', () =>
    checkChange(emulator, { deployed, report }),
  );
  await report.check('ops rollback puts the release before the change in service', () =>
    checkRollback(emulator, deployed),
  );
  await report.check('the next deployment needs a reason', () =>
    assert.rejects(emulator.commands.deploy(), /the stage was rolled back/),
  );
};

export const tearDown = async (
  { commands, aws, stage }: Emulator,
  report: Report,
): Promise<void> => {
  // Its stacks refuse to be deleted.
  if (stage === 'production') return;
  report.heading('Tearing down');
  await report.check('cdk destroy', async () => {
    await commands.destroy();
    const left = Object.entries(await aws.stacks()).filter(
      ([name, status]) => name !== 'CDKToolkit' && status !== 'DELETE_COMPLETE',
    );
    assert.deepEqual(left, []);
    const { TableNames } = await aws.call('dynamodb', 'DynamoDB_20120810.ListTables', {});
    assert.deepEqual(TableNames, [], `the table of ${stage}`);
  });
};
