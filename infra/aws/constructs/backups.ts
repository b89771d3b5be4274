// Daily copies of the table, in a vault that outlives the stack and whoever harms the table.

import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import * as backup from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';
import { backupVaultNameOf } from '../../manifest/names.ts';
import type { Backups } from '../../manifest/stages.ts';
import { acknowledge } from './acknowledge.ts';
import type { StageData } from './stage-data.ts';

/** What AWS lets its own service do to make backups, as cdk-nag writes it. */
const backupPolicy =
  'arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup';

/** Between the days of Europe and America, when few post. */
const startHourUtc = 2;

export const addBackups = (
  scope: Construct,
  { stage, table, backups }: { stage: string; table: StageData['table']; backups: Backups },
): void => {
  const retention = Duration.days(backups.retentionDays);
  // It is encrypted with the key that AWS keeps for Backup, which nobody can delete, so that the
  // copies do not end with the stage's own. Copies for another account need a key of ours.
  const vault = new backup.BackupVault(scope, 'backup-vault', {
    backupVaultName: backupVaultNameOf(stage),
    // What a failed first deployment has made goes with it, or the next one would meet it.
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    ...(backups.isLocked && { lockConfiguration: { minRetention: retention } }),
  });
  const plan = new backup.BackupPlan(scope, 'backup-plan', {
    backupPlanName: `ledger-${stage}`,
    backupVault: vault,
    backupPlanRules: [
      new backup.BackupPlanRule({
        ruleName: 'daily',
        scheduleExpression: Schedule.cron({ hour: String(startHourUtc), minute: '0' }),
        startWindow: Duration.hours(1),
        completionWindow: Duration.hours(8),
        deleteAfter: retention,
      }),
    ],
  });
  const selection = plan.addSelection('table', {
    resources: [backup.BackupResource.fromDynamoDbTable(table)],
  });
  acknowledge(
    selection,
    `AwsSolutions-IAM4[Policy::${backupPolicy}]`,
    'AWS defines what its service does to make a backup, and extends it with the service.',
  );
};
