import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { FunctionRow } from '#infra/manifest/function-row.ts';
import { brokenLimits, type Relation, relationsOf } from '#infra/manifest/limits.ts';
import {
  type FunctionName,
  functions,
  functionsOfKind,
  throttledEndpoints,
} from '#infra/manifest/manifest.ts';
import { missingOf } from '#infra/manifest/missing-settings.ts';
import { smallAccount } from '#infra/manifest/small-account.ts';
import {
  type DeployedStage,
  deployedStages,
  type ReservedConcurrency,
} from '#infra/manifest/stages.ts';
import { stageNamed, withStageApp } from '../../support/harnesses/stage-app.ts';
import { constantRelations, relationsOfFunction } from '../../support/invariants/time-limits.ts';

const production = stageNamed('production');

const withSettings = (changed: Partial<DeployedStage['settings']>): DeployedStage => ({
  ...production,
  settings: { ...production.settings, ...changed },
});

const withReserved = (changed: ReservedConcurrency): DeployedStage =>
  withSettings({
    reservedConcurrency: { ...production.settings.reservedConcurrency, ...changed },
  });

const withDeployment = (changed: Partial<DeployedStage['deployment']>): DeployedStage => ({
  ...production,
  deployment: { ...production.deployment, ...changed },
});

test('a stage without reserved executions gets a warning with the limit of new accounts', () => {
  expect(missingOf(production)).not.toHaveProperty('no-reserved-concurrency');
  expect(missingOf(stageNamed('development'))['no-reserved-concurrency']).toMatch(
    /AWS keeps 100 executions .* unreserved, .* with ten .* cannot reserve any/,
  );
});

describe('the limits of a stage', () => {
  test.each(deployedStages.map((stage) => [stage.name, stage] as const))(
    'agree in %s',
    (_, stage) => {
      expect(brokenLimits(stage)).toEqual([]);
    },
  );

  const { throttling } = production.settings;
  const { method } = throttling;
  test.each<[title: string, stage: DeployedStage, broken: string]>([
    [
      'an application has a higher limit than a method',
      withSettings({
        throttling: { ...throttling, application: { ratePerSecond: 501, burst: 200 } },
      }),
      'rate of an application (501 requests/s) must not be more than rate of a method (500',
    ],
    [
      'a method has a higher limit than the account',
      withSettings({ throttling: { ...throttling, method: { ...method, burst: 6_000 } } }),
      'burst of a method (6,000 requests) must not be more than burst of the gateway for an',
    ],
    [
      'the firewall blocks an address from which one application sends',
      withDeployment({ webApplicationFirewall: { requestsPerFiveMinutesPerAddress: 10_000 } }),
      'an application in five minutes, with its burst (30,200 requests) must not be more than',
    ],
    [
      'one address can use up the limit that all share',
      withDeployment({ webApplicationFirewall: { requestsPerFiveMinutesPerAddress: 200_000 } }),
      'the firewall for an address in five minutes (200,000 requests) must not be more than',
    ],
    [
      'a new account reserves executions',
      withDeployment({ accountConcurrency: 10 }),
      'executions) must not be more than executions of the account (10 executions)',
    ],
    [
      'one application can take all executions of posting',
      withReserved({ 'create-journal-entry': 349 }),
      'at the rate of a method (350 executions) must not be more than reserved for posts (349',
    ],
    [
      'one application can take all executions of batches',
      withReserved({ 'create-journal-entries': 20 }),
      'one more (21 executions) must not be more than reserved for batches (20',
    ],
    [
      'one application can take all executions of reversals',
      withReserved({ 'reverse-journal-entry': 50 }),
      'one more (51 executions) must not be more than reserved for reversals (50',
    ],
    [
      'one application can take all executions of tests of webhooks',
      withReserved({ 'test-webhook': 25 }),
      'one more (26 executions) must not be more than reserved for tests of webhooks (25',
    ],
    [
      'three applications can take all executions of deliveries',
      withReserved({ 'deliver-events': 15 }),
      'one more (16 executions) must not be more than reserved for deliveries (15',
    ],
    [
      'imports that take turns leave no execution to new imports',
      withReserved({ 'import-tenant-data': 19 }),
      'of new imports (20 executions) must not be more than reserved for imports (19',
    ],
    [
      'less than a tenth of the account is spare for the next upgrade',
      withReserved({ 'create-journal-entry': 2_205 }),
      'and a spare tenth (3,001 executions) must not be more than executions of the account (3,000',
    ],
    [
      'one application can take all executions that nothing reserves',
      withSettings({
        throttling: { ...throttling, application: { ratePerSecond: 180, burst: 200 } },
        reservedConcurrency: { 'create-journal-entry': 1_000 },
      }),
      'runs (2,063 executions) must not be more than executions that nothing reserves (2,000',
    ],
    [
      'permitted batches use more than the budget',
      withSettings({ costBudget: { readUnits: 240_000, writeUnits: 60_000 } }),
      'may request in a minute (63,440 units) must not be more than the write units of an',
    ],
    [
      'permitted reports use more than the budget',
      withSettings({ costBudget: { readUnits: 100_000, writeUnits: 80_000 } }),
      'request in a minute (116,850 units) must not be more than the read units of an',
    ],
    [
      'imports can use more than a quarter of the throughput of the table',
      withSettings({ importWriteUnits: 60_001 }),
      "imports in a minute (60,001 units) must not be more than a quarter of the table's write",
    ],
    [
      'the budget of one application is more than a third of the throughput of the table',
      withSettings({ costBudget: { readUnits: 240_000, writeUnits: 80_001 } }),
      "(80,001 units) must not be more than a third of the table's write units in a minute",
    ],
    [
      'free requests and the budget of one application exceed the throughput of the table',
      withDeployment({ tableThroughput: { readUnits: 5_000, writeUnits: 4_000 } }),
      "its free requests (6,000 units/s) must not be more than the table's read units (5,000",
    ],
    [
      'an application may send more batches than requests',
      withSettings({ throttling: { ...throttling, batch: { ratePerSecond: 101, burst: 10 } } }),
      "rate of an application's batches (101 requests/s) must not be more than rate of an",
    ],
    [
      'an application may send more reversals at once than requests',
      withSettings({ throttling: { ...throttling, reversal: { ratePerSecond: 10, burst: 201 } } }),
      "burst of an application's reversals (201 requests) must not be more than burst of an",
    ],
  ])('are refused if %s', (_, stage, broken) => {
    expect(brokenLimits(stage).join('\n')).toContain(broken);
    expect(() => withStageApp(stage, () => {})).toThrow(broken);
  });

  test('agree in a stage of an account with 1,000 executions', () => {
    const { accountConcurrency, ...settings } = smallAccount;
    const { deployment } = withDeployment({ accountConcurrency });
    expect(brokenLimits({ ...withSettings(settings), deployment })).toEqual([]);
  });

  const reservations = [
    [400, 100, production.settings.reservedConcurrency],
    [160, 20, smallAccount.reservedConcurrency],
  ] as const;
  test.each(reservations)(
    'leave the authorizer 100 executions, and few to what waits for others, with %i for posts',
    (posts, deliveries, reserved: ReservedConcurrency = {}) => {
      expect(reserved['create-journal-entry']).toBe(posts);
      expect(reserved.authorizer).toBe(100);
      const names = Object.keys(functions) as FunctionName[];
      const waiting = names.filter((name) => {
        const { platformCallsInSequence, throttle, trigger }: FunctionRow = functions[name];
        const isTest = throttle === 'webhookTest';
        return isTest || platformCallsInSequence !== undefined || trigger.kind === 'invocation';
      });
      expect(waiting.map((name) => [name, reserved[name]])).toEqual([
        ['oauth-callback', 20],
        ['create-tenant', 25],
        ['disconnect-tenant', 25],
        ['test-webhook', 26],
        ['deliver-events', deliveries],
        ['import-tenant-data', 20],
      ]);
      const longReads = throttledEndpoints.filter(({ throttle }) => throttle === 'longRead');
      expect(longReads.filter(({ name }) => name in reserved)).toEqual([]);
    },
  );

  test.each(Object.keys(functions) as FunctionName[])(
    'are the limits that %s opens its clients with',
    (name) => {
      const entryPoint = readFileSync(`functions/${name}/index.ts`, 'utf8');
      const isShort = functions[name].trigger.kind === 'authorizer';
      expect(entryPoint.includes('callLimits.short')).toBe(isShort);
    },
  );

  test.each(functionsOfKind('api'))(
    'let $name wait long for contended writes only if it calls a platform',
    ({ name, row: { platformCallsInSequence } }) => {
      const handler = readFileSync(`functions/${name}/handler.ts`, 'utf8');
      expect(handler.includes('isPatient: true')).toBe(platformCallsInSequence !== undefined);
    },
  );
});

const isBroken = ([, , value, , maximum]: Relation): boolean => value > maximum;
const names = Object.keys(functions) as FunctionName[];

describe('the limits of time and size', () => {
  test('agree with each other', () => {
    expect(constantRelations.filter(isBroken)).toEqual([]);
  });

  test.each(names)('agree with the row of %s', (name) => {
    expect(relationsOfFunction(name).filter(isBroken)).toEqual([]);
  });
});

test('operations.md shows all relations for production', () => {
  const spare = ([, , value, , maximum]: Relation): number => maximum / value;
  const ofFunctions = names.flatMap((name) =>
    relationsOfFunction(name).map((relation) => ({ name, relation })),
  );
  const tightest = [...Map.groupBy(ofFunctions, ({ relation }) => relation[1]).values()].map(
    (alike) =>
      alike.reduce((least, it) => (spare(it.relation) < spare(least.relation) ? it : least)),
  );
  const line = ([unit, what, value, limit, maximum]: Relation, name?: FunctionName): string =>
    `| ${what} | ${value.toLocaleString('en-US')} ${unit} | ${limit} ` +
    `| ${maximum.toLocaleString('en-US')} ${unit} | ${name === undefined ? '' : `\`${name}\``} |`;
  const table = [
    '| this | | is not more than | | tightest for |',
    '|---|---|---|---|---|',
    ...[...relationsOf(production), ...constantRelations].map((relation) => line(relation)),
    ...tightest.map(({ relation, name }) => line(relation, name)),
  ].join('\n');
  expect(readFileSync('infra/operations.md', 'utf8')).toContain(table);
});
