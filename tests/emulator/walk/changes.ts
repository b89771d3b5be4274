// Changes to a deployed stage: a deployment without changes, one with a changed row, and the
// removal.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { functionNameOf, stackNameOf, stackNames } from '#infra/manifest/names.ts';
import { ada } from '../../support/builders/requests.ts';
import { changedRateAgeDays } from '../changed-settings.ts';
import type { Emulator } from '../emulator.ts';
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

/** Types of resources that LocalStack can make and not change. */
const leftUnchanged = (log: string): string[] => [
  ...new Set(
    [...log.matchAll(/Unable to update resource type "([\w:]+)"/g)].map(([, it]) => `${it}`),
  ),
];

/** The stage keeps serving with the changed settings. */
const checkChange = async (
  { commands, aws, stage, localStack }: Emulator,
  { deployed, report }: { deployed: Deployed; report: Report },
): Promise<void> => {
  const posting = functionNameOf(stage, 'create-journal-entry');
  const variableOf = async () =>
    (await aws.functionConfiguration(posting)).Environment.Variables.RATE_MAXIMUM_AGE_DAYS;
  const before = await variableOf();
  const logged = localStack.log().length;
  const output = await commands.deployApp('tests/emulator/changed-app.ts');
  assert.match(output, new RegExp(`${stackNameOf(stage, 'data')} \\(no changes\\)`));
  const changed = String(changedRateAgeDays);
  assert.deepEqual([before === changed, await variableOf()], [false, changed]);
  const left = leftUnchanged(localStack.log().slice(logged));
  if (left.length > 0) report.note(`left as they were by LocalStack: ${left.join(', ')}`);
  const known = await call(deployed, 'users/ensure/', { body: ada });
  assert.equal(dataOf(known).created, false);
  const body = { ...ada, email: `${randomUUID()}@example.com` };
  assert.equal(dataOf(await call(deployed, 'users/ensure/', { body })).created, true);
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
  await report.check('ops rollback puts the release before the change in service', async () => {
    const { moved } = await emulator.commands.ops('rollback');
    const names = moved.map((it: { function: string }) => it.function);
    assert.ok(names.includes('create-journal-entry'), names.join(', '));
    const known = await call(deployed, 'users/ensure/', { body: ada });
    assert.equal(dataOf(known).created, false);
  });
  await report.check('the next deployment needs a reason', () =>
    assert.rejects(emulator.commands.deploy(), /the stage was rolled back/),
  );
};

export const tearDown = async (
  { commands, aws, stage }: Emulator,
  report: Report,
): Promise<void> => {
  report.heading('Tearing down');
  if (stage === 'production') return report.note("production's stacks refuse to be deleted");
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
