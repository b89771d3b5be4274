// Releases, and going back to an earlier one.

import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { localCredentials, localRegion } from '#infra/manifest/local-credentials.ts';
import { loadCommand } from '#infra/ops/catalog.ts';
import type { Dependencies } from '#infra/ops/command.ts';
import { checkRollBack } from '#infra/ops/deployment/moved-aliases.ts';
import { stepsOf } from '#infra/ops/deployment/proof.ts';
import { runCommand } from '#infra/ops/run-command.ts';
import { openDeployedStacks } from '#infra/ops/stage/deployed-stacks.ts';
import { openFunctionVersions } from '#infra/ops/stage/function-versions.ts';
import { currentFormat, readableFormats } from '#shared/operator/migrations.store.ts';
import { updateAction } from '#shared/table/field-updates.ts';
import { formatKey } from '#shared/table/keys.ts';
import { refusalOf, useOperator } from '../../../support/harnesses/operator.ts';
import { stageNamed } from '../../../support/harnesses/stage-app.ts';
import { startLambdaVersions } from '../../../support/servers/lambda-versions-server.ts';
import { startStacks } from '../../../support/servers/stacks-server.ts';

const operator = useOperator({ each: true });
let lambda: Awaited<ReturnType<typeof startLambdaVersions>>;
let stacks: Awaited<ReturnType<typeof startStacks>>;
let dependencies: Dependencies;
let clients: [LambdaClient, CloudFormationClient];

beforeEach(async () => {
  lambda = await startLambdaVersions();
  stacks = await startStacks(lambda.newest);
  const aws = { region: localRegion, credentials: localCredentials, maxAttempts: 1 };
  clients = [
    new LambdaClient({ ...aws, endpoint: lambda.url }),
    new CloudFormationClient({ ...aws, endpoint: stacks.url }),
  ];
  const { tableName } = operator.database;
  dependencies = {
    ...operator.dependencies,
    functionVersions: openFunctionVersions(clients[0], { stage: 'test', tableName }),
    deployedStacks: openDeployedStacks(clients[1], 'test'),
    findCommit: async () => 'c0ffee',
  };
});
afterEach(async () => {
  for (const client of clients) client.destroy();
  await Promise.all([lambda.stop(), stacks.stop()]);
});

const post = 'create-journal-entry';
const list = 'list-accounts';

/** Records the release as a deployment does. */
const record = async (): Promise<string> => {
  const routes = { removedMethods: 0, deployGateway: async () => {} };
  const proof = {
    stage: stageNamed('production'),
    dependencies,
    ...routes,
    warn: () => {},
  };
  const step = stepsOf(proof).find(({ name }) => name === 'release');
  operator.clock.now = new Date(operator.clock.now.getTime() + 60_000);
  return step?.run() ?? '';
};

/** A deployment that publishes new versions of these functions. */
const deploy = async (...names: (typeof post | typeof list)[]): Promise<string> => {
  for (const name of names) lambda.publish(name, operator.database.tableName);
  return record();
};

const rollBack = async (options: Record<string, unknown> = {}) => {
  const call = { words: 'rollback', command: await loadCommand('rollback'), options };
  return runCommand(call, dependencies, { stage: 'test', warn: () => {} });
};

const live = () => [lambda.live(post), lambda.live(list)];

describe('a roll-back', () => {
  test('moves only what the last deployment changed, says so and is recorded', async () => {
    await deploy(post, list);
    await deploy(post);
    expect(await rollBack({ dryRun: true })).toMatchObject({ dry_run: true });
    expect(live()).toEqual(['2', '1']);
    const moved = [{ function: post, from: '2', to: '1' }];
    expect(await rollBack()).toEqual({
      release: '2026-03-23T09:31:00.000Z',
      commit: 'c0ffee',
      dry_run: false,
      moved,
    });
    expect(live()).toEqual(['1', '1']);
    expect(await dependencies.auditLog.list({ limit: 5 })).toMatchObject([
      { command: 'rollback', outcome: 'done', after: { moved } },
    ]);
  });

  test('goes back step by step, and to a release that is named', async () => {
    await deploy(post, list);
    for (let times = 0; times < 3; times += 1) await deploy(post);
    await rollBack();
    expect(live()).toEqual(['3', '1']);
    await rollBack();
    expect(live()).toEqual(['2', '1']);
    await rollBack({ to: '2026-03-23T09:34:00.000Z' });
    expect(live()).toEqual(['4', '1']);
    await rollBack({ to: '2026-03-23T09:31:00.000Z' });
    expect(live()).toEqual(['1', '1']);
    expect(await refusalOf(rollBack())).toMatch(/^there is no earlier release\. Recorded .*09:31/);
    expect(await refusalOf(rollBack({ to: '2026-03-22T00:00:00.000Z' }))).toContain(
      'there is no release of 2026-03-22',
    );
  });

  test('undoes a deployment that failed before it was recorded', async () => {
    await deploy(post, list);
    await deploy(post);
    lambda.publish(post, operator.database.tableName);
    expect(await rollBack()).toMatchObject({ moved: [{ function: post, from: '3', to: '2' }] });
  });

  test('that was interrupted continues to the same release', async () => {
    await deploy(post, list);
    await deploy(post, list);
    lambda.stuck.add(list);
    expect(await refusalOf(rollBack())).toMatch(/^1 of 2 functions are moved .*run this again$/);
    expect(live()).toEqual(['1', '2']);
    lambda.stuck.clear();
    expect(await rollBack()).toMatchObject({ moved: [{ function: list, from: '2', to: '1' }] });
    expect(live()).toEqual(['1', '1']);
  });

  const deployAgain = (allAtOnce?: string) => refusalOf(checkRollBack(dependencies, { allAtOnce }));
  const refused = expect.stringMatching(
    /^the stage was rolled back, .* --all-at-once "the reason"/,
  );

  test('needs a reason for the next deployment, which replaces the release', async () => {
    await deploy(post, list);
    expect(await deployAgain()).toBe('nothing was refused');
    await deploy(post);
    await rollBack();
    expect(await deployAgain()).toEqual(refused);
    expect(await deployAgain('the fix')).toBe('nothing was refused');
    await deploy(post);
    expect(await deployAgain()).toBe('nothing was refused');
    // The release between them is forgotten: nobody wants to go back to it.
    expect(await rollBack()).toMatchObject({ moved: [{ function: post, from: '3', to: '1' }] });
  });

  test('leaves no function behind: the next deployment also moves the unchanged ones', async () => {
    await deploy(post, list);
    await deploy(post, list);
    await rollBack();
    await deploy(post);
    expect(live()).toEqual(['3', '2']);
    expect(await rollBack()).toMatchObject({
      moved: [
        { function: list, from: '2', to: '1' },
        { function: post, from: '3', to: '1' },
      ],
    });
  });

  test('of a deployment that failed halfway also needs a reason for the next one', async () => {
    await deploy(post, list);
    lambda.publish(post, operator.database.tableName);
    await rollBack();
    expect(live()).toEqual(['1', '1']);
    expect(await deployAgain()).toEqual(refused);
  });
});

test('a roll-back ends a shift that a failed deployment left behind', async () => {
  await deploy(post);
  lambda.shift(post, { '2': 0.1 });
  stacks.statuses[stacks.service] = 'UPDATE_ROLLBACK_FAILED';
  stacks.statuses[stacks.events] = 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS';
  expect(await rollBack()).toMatchObject({ moved: [{ function: post, from: '1', to: '1' }] });
  expect(lambda.weights(post)).toEqual({});
});

describe('a roll-back is refused', () => {
  test('if the release cannot read the table', async () => {
    await deploy(post);
    await deploy(post);
    const format = currentFormat + 1;
    await operator.database.table.update(updateAction(formatKey, { set: { format } }));
    expect(await refusalOf(rollBack())).toBe(
      `the table has stored format ${format}, and the release of 2026-03-23T09:31:00.000Z reads ` +
        `${readableFormats.join(' and ')}: deploy a fix instead`,
    );
    expect(lambda.live(post)).toBe('2');
  });

  test('if the release used another table', async () => {
    lambda.publish(post, 'ledger-before-the-restore');
    await record();
    await deploy(post);
    expect(await refusalOf(rollBack())).toContain('uses the table ledger-before-the-restore');
    expect(lambda.live(post)).toBe('2');
  });

  test('if a version is gone', async () => {
    await deploy(post);
    await deploy(post);
    lambda.remove(post, '1');
    expect(await refusalOf(rollBack())).toBe('version 1 of create-journal-entry was deleted');
  });

  test.each([
    ['service', 'UPDATE_IN_PROGRESS'],
    ['events', 'UPDATE_IN_PROGRESS'],
    ['service', 'UPDATE_ROLLBACK_IN_PROGRESS'],
  ] as const)('while the stack of %s is %s', async (stack, status) => {
    await deploy(post);
    await deploy(post);
    stacks.statuses[stacks[stack]] = status;
    const name = `ledger-test-${stack}`;
    expect(await refusalOf(rollBack())).toBe(
      `a deployment is under way: ${name} is ${status}. Wait until it ends. To end it and keep ` +
        `the version before it, run aws cloudformation cancel-update-stack --stack-name ${name}`,
    );
    expect(lambda.live(post)).toBe('2');
  });

  test('in a checkout that does not know the last restore', async () => {
    await deploy(post);
    lambda.publish(post, 'ledger-restored');
    const sentence =
      `the functions use the table ledger-restored, and this checkout ` +
      `${operator.database.tableName}: take infra/manifest/restored-tables.json from the ` +
      'operator who restored the stage';
    expect(await refusalOf(rollBack({ dryRun: true }))).toBe(sentence);
    expect(await refusalOf(rollBack())).toBe(sentence);
  });

  test('by the local service', async () => {
    dependencies = { ...dependencies, functionVersions: undefined };
    expect(await refusalOf(rollBack())).toBe('the local service has no earlier versions');
  });
});

describe('a deployment', () => {
  test('keeps five versions and those of five releases, and deletes the others', async () => {
    await deploy(post, list);
    for (let times = 2; times <= 7; times += 1) await deploy(post);
    expect(lambda.versions(post)).toEqual(['3', '4', '5', '6', '7']);
    expect(lambda.versions(list)).toEqual(['1']);
    // Versions that never became a release do not push out those of the releases.
    for (let times = 0; times < 6; times += 1) lambda.publish(post, operator.database.tableName);
    expect(await record()).toBe(
      '2026-03-23T09:38:00.000Z, 5 releases recorded, 2 old versions deleted',
    );
    expect(lambda.versions(post)).toEqual(['4', '5', '6', '7', '9', '10', '11', '12', '13']);
  });

  test('that changes no version records no release', async () => {
    const first = await deploy(post);
    expect(await record()).toBe(first);
  });
});
