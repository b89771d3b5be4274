// The references between the stacks, the effect of a restored table, and the backups.

import { describe, expect, test } from 'vitest';
import type { DeployedStage } from '#infra/manifest/stages.ts';
import {
  fullStage,
  type Resource,
  stageNamed,
  synthesize,
} from '../../../support/harnesses/stage-app.ts';

const production = stageNamed('production');
const restored: DeployedStage = {
  ...production,
  deployment: {
    ...production.deployment,
    restoredTable: { name: 'ledger-production-restored', streamLabel: '2026-03-23T09:30:00.000' },
  },
};

/** The exports of the data stack and of the events, and the imports of the service. */
const joinsOf = ({ data, events, service }: ReturnType<typeof synthesize>) => {
  const imported = service.text.match(/(?<="Fn::ImportValue":")[^"]+/g) ?? [];
  const exports = { ...data.exports, ...events.exports };
  return { exports, imported: new Set(imported), template: service.text };
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
    for (const { EventSourceArn } of service.properties('AWS::Lambda::EventSourceMapping')) {
      expect(EventSourceArn).toMatch(
        /:table\/ledger-production-restored\/stream\/2026-03-23T09:30:00.000$/,
      );
    }
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
  const weekly = { DeleteAfterDays: 35 };
  const monthly = { DeleteAfterDays: 365, MoveToColdStorageAfterDays: 7 };
  const { data, copies } = synthesize(fullStage());

  /** Each rule's schedule, its lifecycle, and the copy of its backups. */
  const rulesOf = (stack: typeof data) =>
    (
      stack.one('AWS::Backup::BackupPlan').BackupPlan.BackupPlanRule as Resource['Properties'][]
    ).map((rule) => [rule.ScheduleExpression, rule.Lifecycle, rule.CopyActions]);

  test('of production are made weekly and monthly, and copied to another region', () => {
    const vault =
      'arn:AWS::Partition:backup:eu-west-1:AWS::AccountId:backup-vault:copy-ledger-production';
    const copied = (Lifecycle: object) => [{ DestinationBackupVaultArn: vault, Lifecycle }];
    expect(rulesOf(ofProduction.data)).toEqual([
      ['cron(0 2 ? * SUN *)', weekly, copied(weekly)],
      ['cron(0 2 1 * ? *)', monthly, copied(monthly)],
    ]);
    const { BackupSelection } = ofProduction.data.one('AWS::Backup::BackupSelection');
    expect(BackupSelection.Resources).toEqual(['table.Arn']);
  });

  test.each([
    ['of the stage', ofProduction.data, 'ledger-production'],
    ['of the copies', ofProduction.copies, 'copy-ledger-production'],
  ])('are in a locked vault %s that outlives its stack, with a key of AWS', (_, stack, name) => {
    expect(stack?.all('AWS::Backup::BackupVault')).toEqual([
      {
        Type: 'AWS::Backup::BackupVault',
        DeletionPolicy: 'RetainExceptOnCreate',
        UpdateReplacePolicy: 'Retain',
        Properties: {
          BackupVaultName: name,
          BackupVaultTags: expect.anything(),
          LockConfiguration: { MinRetentionDays: 35, MaxRetentionDays: 365 },
        },
      },
    ]);
  });

  test('stay long enough in cold storage', () => {
    expect(monthly.DeleteAfterDays - monthly.MoveToColdStorageAfterDays).toBeGreaterThan(90);
  });

  test('can be copied to another account, with keys that both accounts use', () => {
    const [, , actions] = rulesOf(data)[0] ?? [];
    expect(actions[0].DestinationBackupVaultArn).toMatch(/:eu-west-1:222222222222:backup-vault:/);
    for (const [stack, other] of [
      [data, '222222222222'],
      [copies, '111111111111'],
    ] as const) {
      expect(stack?.one('AWS::Backup::BackupVault').EncryptionKeyArn).toBe('backupkey.Arn');
      const { Statement } = stack?.byId('backupkey')?.Properties.KeyPolicy ?? {};
      expect(Statement[1].Principal.AWS).toContain(`:${other}:root`);
    }
    const { AccessPolicy } = copies?.one('AWS::Backup::BackupVault') ?? {};
    expect(AccessPolicy.Statement).toEqual([
      expect.objectContaining({
        Action: 'backup:CopyIntoBackupVault',
        Principal: { AWS: expect.stringContaining(':111111111111:root') },
      }),
    ]);
  });

  test('can be restored by a role that may use the key of the stage', () => {
    const role = ofProduction.data.byId('restorerole')?.Properties;
    expect(role).toMatchObject({
      RoleName: 'ledger-production-restore',
      AssumeRolePolicyDocument: {
        Statement: [{ Principal: { Service: 'backup.amazonaws.com' } }],
      },
      ManagedPolicyArns: [
        expect.stringMatching(/service-role\/AWSBackupServiceRolePolicyForRestores$/),
      ],
    });
    expect(role?.Policies[0].PolicyDocument.Statement).toMatchObject([{ Resource: 'key.Arn' }]);
  });

  test('do not exist if the stage has none', () => {
    const development = synthesize(stageNamed('development'));
    expect(development.data.all('AWS::Backup::BackupVault')).toEqual([]);
    expect(development.copies).toBeUndefined();
  });
});
