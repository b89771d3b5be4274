// The references between the stacks, the effect of a restored table, and the backups.

import { describe, expect, test } from 'vitest';
import type { DeployedStage } from '#infra/manifest/stages.ts';
import { fullStage, stageNamed, synthesize } from '../../../support/harnesses/stage-app.ts';

const production = stageNamed('production');
const restored: DeployedStage = {
  ...production,
  deployment: {
    ...production.deployment,
    restoredTable: { name: 'ledger-production-restored', streamLabel: '2026-03-23T09:30:00.000' },
  },
};

/** The exports of the data stack and the imports of the service. */
const joinsOf = ({ data, service }: ReturnType<typeof synthesize>) => {
  const imported = service.text.match(/(?<="Fn::ImportValue":")[^"]+/g) ?? [];
  return { exports: data.exports, imported: new Set(imported), template: service.text };
};
const ofProduction = synthesize(production);

test('the table and its index give no more than the row of the stage says', () => {
  const throughput = { MaxReadRequestUnits: 12_000, MaxWriteRequestUnits: 4_000 };
  expect(ofProduction.data.one('AWS::DynamoDB::Table')).toMatchObject({
    OnDemandThroughput: throughput,
    GlobalSecondaryIndexes: [{ IndexName: 'due', OnDemandThroughput: throughput }],
  });
});

const ofTable = ['table.Arn', 'table.StreamArn'];

describe('the imports of the service', () => {
  const { exports, imported, template } = joinsOf(ofProduction);

  // CloudFormation refuses to change or remove an imported value. An update with another stream,
  // such as a change of its view type, fails with "Export … cannot be updated as it is in use"
  // (CloudFormation User Guide, "Fn::ImportValue").
  test('are exports, which CloudFormation cannot change or remove', () => {
    const found = [...imported].map((name) => exports[name]);
    expect(found).toEqual(
      expect.arrayContaining([...ofTable, 'key.Arn', 'apikeypepper', 'failedrecords.Arn']),
    );
    expect(found).not.toContain(undefined);
  });

  test('are those of the version before as well, because this stack deploys first', () => {
    expect(Object.values(exports)).toEqual(
      expect.arrayContaining([...ofTable, 'table', 'failedrecords.QueueName']),
    );
  });

  test('is not read weakly anywhere', () => {
    expect(template).not.toContain('Fn::GetStackOutput');
  });
});

describe('a stage that is bound to a restored table', () => {
  const ofRestored = synthesize(restored);
  const { exports, imported, template } = joinsOf(ofRestored);
  const { data, service, alarms } = ofRestored;

  test('keeps its own table and exports', () => {
    expect(data.one('AWS::DynamoDB::Table')).toEqual(ofProduction.data.one('AWS::DynamoDB::Table'));
    expect(Object.values(exports)).toEqual(expect.arrayContaining(ofTable));
    expect([...imported].filter((name) => ofTable.includes(String(exports[name])))).toEqual([]);
  });

  test('reads, writes, follows and watches the restored one alone', () => {
    const environments = service
      .properties('AWS::Lambda::Function')
      .flatMap(({ Environment }) => Environment?.Variables?.TABLE_NAME ?? []);
    expect(new Set(environments)).toEqual(new Set(['ledger-production-restored']));
    const { EventSourceArn } = service.one('AWS::Lambda::EventSourceMapping');
    expect(EventSourceArn).toMatch(
      /:table\/ledger-production-restored\/stream\/2026-03-23T09:30:00.000$/,
    );
    expect(alarms.text).toMatch(/"TableName","Value":"ledger-production-restored"/);
    expect(template).toMatch(/:table\/ledger-production-restored\/index\/due/);
  });

  test('copies the restored one to the vault', () => {
    const { BackupSelection } = data.one('AWS::Backup::BackupSelection');
    expect(BackupSelection.Resources).toEqual([
      expect.stringMatching(/:table\/ledger-production-restored$/),
    ]);
  });
});

describe('backups', () => {
  const { data } = synthesize(fullStage());

  test('are made daily, and kept for the time in the row', () => {
    const { BackupPlanRule } = data.one('AWS::Backup::BackupPlan').BackupPlan;
    expect(BackupPlanRule).toMatchObject([
      { ScheduleExpression: 'cron(0 2 * * ? *)', Lifecycle: { DeleteAfterDays: 90 } },
    ]);
    const { BackupSelection } = data.one('AWS::Backup::BackupSelection');
    expect(BackupSelection.Resources).toEqual(['table.Arn']);
  });

  test('are in a vault that outlives the stack, with the lock of the row', () => {
    expect(data.all('AWS::Backup::BackupVault')).toMatchObject([
      {
        DeletionPolicy: 'RetainExceptOnCreate',
        Properties: {
          BackupVaultName: 'ledger-full',
          LockConfiguration: { MinRetentionDays: 90 },
        },
      },
    ]);
    const [vault] = ofProduction.data.properties('AWS::Backup::BackupVault');
    expect(vault).not.toHaveProperty('LockConfiguration');
  });

  test('do not exist if the stage has none', () => {
    expect(synthesize(stageNamed('development')).data.all('AWS::Backup::BackupVault')).toEqual([]);
  });
});
