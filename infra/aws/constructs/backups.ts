// Backups of the table in locked vaults that outlive their stacks, and the role to restore from
// them. Point-in-time recovery covers the last 35 days; a backup is for the loss of the table, its
// key, its region or its account.

import { ArnFormat, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as backup from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { backupRules } from '../../manifest/backup-rules.ts';
import { backupVaultNameOf, copyVaultNameOf, restoreRoleNameOf } from '../../manifest/names.ts';
import type { Backups } from '../../manifest/stages.ts';
import { acknowledge } from './acknowledge.ts';
import type { StageData } from './stage-data.ts';

/** Few applications in Europe and America post at this hour. */
const startHourUtc = 2;

const days = Object.values(backupRules).map(({ deleteAfterDays }) => deleteAfterDays);

/**
 * In a locked vault, only principals that may remove the lock can delete a backup early (AWS Backup
 * Developer Guide, "AWS Backup Vault Lock", governance mode).
 */
const lockConfiguration = {
  minRetention: Duration.days(Math.min(...days)),
  maxRetention: Duration.days(Math.max(...days)),
};

/** A vault. A failed first deployment removes it: it would block the next deployment. */
export const addVault = (
  scope: Construct,
  id: string,
  options: backup.BackupVaultProps,
): backup.BackupVault =>
  new backup.BackupVault(scope, id, {
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    lockConfiguration,
    ...options,
  });

/** IAM decides in the account itself. For the other account, see AWS Backup, "Encryption". */
const keyPolicyFor = (scope: Construct, otherAccount: string): iam.PolicyDocument => {
  const statement = (account: string, actions: string[]) =>
    new iam.PolicyStatement({
      principals: [new iam.AccountPrincipal(account)],
      actions,
      resources: ['*'],
    });
  return new iam.PolicyDocument({
    statements: [
      statement(Stack.of(scope).account, ['kms:*']),
      statement(otherAccount, [
        ...['kms:CreateGrant', 'kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt'],
        ...['kms:GenerateDataKey*', 'kms:ReEncrypt*'],
      ]),
    ],
  });
};

/** A key for backups that another account also uses. They remain usable without the stage's key. */
export const addBackupKey = (scope: Construct, stage: string, otherAccount: string): Key =>
  new Key(scope, 'backup-key', {
    alias: `ledger-${stage}-backups`,
    description: `Encrypts the backups of ledger-${stage}`,
    enableKeyRotation: true,
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    policy: keyPolicyFor(scope, otherAccount),
  });

const managedPolicies = {
  backup: 'service-role/AWSBackupServiceRolePolicyForBackup',
  restore: 'service-role/AWSBackupServiceRolePolicyForRestores',
};

const acknowledgeManagedPolicy = (scope: Construct, policy: string): void =>
  acknowledge(
    scope,
    `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policy}]`,
    'AWS maintains the policy of its backup service.',
  );

/** AWS Backup assumes it to restore a table that the stage's key encrypts. */
const addRestoreRole = (scope: Construct, stage: string, key: StageData['key']): void => {
  const role = new iam.Role(scope, 'restore-role', {
    roleName: restoreRoleNameOf(stage),
    assumedBy: new iam.ServicePrincipal('backup.amazonaws.com'),
    managedPolicies: [iam.ManagedPolicy.fromAwsManagedPolicyName(managedPolicies.restore)],
    inlinePolicies: {
      key: new iam.PolicyDocument({
        statements: [
          new iam.PolicyStatement({
            actions: ['kms:CreateGrant', 'kms:Decrypt', 'kms:DescribeKey', 'kms:GenerateDataKey'],
            resources: [key.keyArn],
          }),
        ],
      }),
    },
  });
  acknowledgeManagedPolicy(role, managedPolicies.restore);
};

export const addBackups = (
  scope: Construct,
  {
    stage,
    table,
    key,
    backups: { copyTo },
  }: { stage: string; backups: Backups } & Pick<StageData, 'key' | 'table'>,
): void => {
  // By default the AWS managed key of Backup, which nobody can delete and no other account can use.
  const account = copyTo && 'account' in copyTo ? copyTo.account : undefined;
  const vault = addVault(scope, 'backup-vault', {
    backupVaultName: backupVaultNameOf(stage),
    ...(account !== undefined && { encryptionKey: addBackupKey(scope, stage, account) }),
  });
  const plan = new backup.BackupPlan(scope, 'backup-plan', {
    backupPlanName: `ledger-${stage}`,
    backupVault: vault,
  });
  const copies =
    copyTo &&
    backup.BackupVault.fromBackupVaultArn(
      scope,
      'copy-vault',
      Stack.of(scope).formatArn({
        service: 'backup',
        resource: 'backup-vault',
        resourceName: copyVaultNameOf(stage),
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
        region: copyTo.region,
        ...(account !== undefined && { account }),
      }),
    );
  for (const [ruleName, rule] of Object.entries(backupRules)) {
    const lifecycle = {
      deleteAfter: Duration.days(rule.deleteAfterDays),
      ...('coldAfterDays' in rule && {
        moveToColdStorageAfter: Duration.days(rule.coldAfterDays),
      }),
    };
    plan.addRule(
      new backup.BackupPlanRule({
        ruleName,
        scheduleExpression: Schedule.cron({
          hour: String(startHourUtc),
          minute: '0',
          ...rule.schedule,
        }),
        startWindow: Duration.hours(1),
        completionWindow: Duration.hours(8),
        ...lifecycle,
        ...(copies && { copyActions: [{ destinationBackupVault: copies, ...lifecycle }] }),
      }),
    );
  }
  const selection = plan.addSelection('table', {
    resources: [backup.BackupResource.fromDynamoDbTable(table)],
  });
  acknowledgeManagedPolicy(selection, managedPolicies.backup);
  addRestoreRole(scope, stage, key);
};
