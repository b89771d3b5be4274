// Daily backups of the table, in a vault that outlives the stack.

import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import * as backup from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';
import { backupVaultNameOf } from '../../manifest/names.ts';
import type { Backups } from '../../manifest/stages.ts';
import { acknowledge } from './acknowledge.ts';
import type { StageData } from './stage-data.ts';

/** The managed policy of AWS Backup, in cdk-nag's notation. */
const backupPolicy =
  'arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup';

/** Few applications in Europe and America post at this hour. */
const startHourUtc = 2;

export const addBackups = (
  scope: Construct,
  { stage, table, backups }: { stage: string; table: StageData['table']; backups: Backups },
): void => {
  const retention = Duration.days(backups.retentionDays);
  // The vault uses the AWS managed key of Backup, which nobody can delete. So backups remain usable
  // without the stage's key. Copies to another account would need a key of our account.
  const vault = new backup.BackupVault(scope, 'backup-vault', {
    backupVaultName: backupVaultNameOf(stage),
    // A failed first deployment removes the vault. It would block the next deployment.
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
    'AWS maintains the policy of its backup service.',
  );
};
