import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { brokenLimits, keptUnreserved, limitsTable } from '#infra/manifest/limits.ts';
import { endpointsWith, type FunctionName, functions } from '#infra/manifest/manifest.ts';
import { type DeployedStage, deployedStages, missingOf } from '#infra/manifest/stages.ts';
import { stageNamed, withStageApp } from '../../support/harnesses/stage-app.ts';

const production = stageNamed('production');
const longReads = endpointsWith('longRead');

const withSettings = (changed: Partial<DeployedStage['settings']>): DeployedStage => ({
  ...production,
  settings: { ...production.settings, ...changed },
});

const withDeployment = (changed: Partial<DeployedStage['deployment']>): DeployedStage => ({
  ...production,
  deployment: { ...production.deployment, ...changed },
});

test('a stage that reserves nothing is told what a new account cannot reserve', () => {
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
      'an application has more than its method',
      withSettings({
        throttling: { ...throttling, application: { ratePerSecond: 501, burst: 200 } },
      }),
      'rate of an application (501 requests/s) must not be more than rate of a method (500',
    ],
    [
      'a method has more than the account',
      withSettings({ throttling: { ...throttling, method: { ...method, burst: 6_000 } } }),
      'burst of a method (6,000 requests) must not be more than burst of the gateway for an',
    ],
    [
      'the firewall stops an address that is one application',
      withDeployment({ webApplicationFirewall: { requestsPerFiveMinutesPerAddress: 10_000 } }),
      'an application in five minutes, with its burst (30,200 requests) must not be more than',
    ],
    [
      'an address can use up what all share',
      withDeployment({ webApplicationFirewall: { requestsPerFiveMinutesPerAddress: 200_000 } }),
      'the firewall for an address in five minutes (200,000 requests) must not be more than',
    ],
    [
      'a new account is to reserve executions',
      withDeployment({ accountConcurrency: 10 }),
      'executions) must not be more than those of the account (10 executions)',
    ],
    [
      'one application can take all executions of posting',
      withSettings({ reservedConcurrency: { 'create-journal-entry': 500 } }),
      'under way, and one more (501 executions) must not be more than reserved for posts (500',
    ],
    [
      'one application can take all executions of batches',
      withSettings({ reservedConcurrency: { 'create-journal-entries': 40 } }),
      'one more (41 executions) must not be more than reserved for batches (40',
    ],
    [
      'one application can take all executions of reversals',
      withSettings({ reservedConcurrency: { 'reverse-journal-entry': 70 } }),
      'one more (71 executions) must not be more than reserved for reversals (70',
    ],
    [
      'one application can take all executions of a kind of long read',
      withSettings({ reservedConcurrency: { eachLongRead: 20 } }),
      'one more (21 executions) must not be more than reserved for reads of each long kind (20',
    ],
    [
      'each long read is given more than all of them can have',
      withSettings({ reservedConcurrency: { eachLongRead: 900 / longReads.length + 1 } }),
      `(1,00${longReads.length} executions) must not be more than those of the account (1,000`,
    ],
    [
      'permitted batches use more than the budget',
      withSettings({ costBudget: { readUnits: 240_000, writeUnits: 60_000 } }),
      'may send in a minute (63,440 units) must not be more than the write units of an',
    ],
    [
      'permitted reports use more than the budget',
      withSettings({ costBudget: { readUnits: 100_000, writeUnits: 80_000 } }),
      'request in a minute (116,850 units) must not be more than the read units of an',
    ],
    [
      'the budget of one application is more than a third of the table',
      withSettings({ costBudget: { readUnits: 240_000, writeUnits: 80_001 } }),
      "(80,001 units) must not be more than a third of the table's write units in a minute",
    ],
    [
      'free requests and the budget of one application are more than the table gives',
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
  ])('do not agree where %s', (_, stage, broken) => {
    expect(brokenLimits(stage).join('\n')).toContain(broken);
    expect(() => withStageApp(stage, () => {})).toThrow(broken);
  });

  test('leave the authorizer its executions, whatever is asked of those who take long', () => {
    expect(longReads).toContain('get-trial-balance');
    expect(production.settings.reservedConcurrency).toMatchObject({
      'create-journal-entries': expect.any(Number),
      'reverse-journal-entry': expect.any(Number),
      eachLongRead: expect.any(Number),
    });
  });

  test('are those of the six long reads that are planned for', () => {
    const { eachLongRead = 0, ...single } = production.settings.reservedConcurrency ?? {};
    const ofSingle = Object.values(single).reduce((sum, it) => sum + it, 0);
    expect(ofSingle + 6 * eachLongRead).toBe(1_000 - keptUnreserved);
  });

  test('stand in operations.md for production, as they are', () => {
    const operations = readFileSync('infra/operations.md', 'utf8');
    expect(operations).toContain(limitsTable(production).join('\n'));
  });

  test.each(Object.keys(functions) as FunctionName[])(
    'are those that %s opens its clients with',
    (name) => {
      const entryPoint = readFileSync(`functions/${name}/index.ts`, 'utf8');
      const isShort = functions[name].trigger.kind === 'authorizer';
      expect(entryPoint.includes('callLimits.short')).toBe(isShort);
    },
  );
});
