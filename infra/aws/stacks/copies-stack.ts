// The copies of a stage's backups: a locked vault in another region, or in a region of another
// account.

import { Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { copyVaultNameOf } from '../../manifest/names.ts';
import type { Backups } from '../../manifest/stages.ts';
import { addBackupKey, addVault } from '../constructs/backups.ts';

/** What the stage's account needs to copy into a vault of this account. */
const lettingCopy = (fromAccount: string): iam.PolicyDocument =>
  new iam.PolicyDocument({
    statements: [
      new iam.PolicyStatement({
        principals: [new iam.AccountPrincipal(fromAccount)],
        actions: ['backup:CopyIntoBackupVault'],
        resources: ['*'],
      }),
    ],
  });

export class CopiesStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { stage, copyTo }: { stage: string; copyTo: NonNullable<Backups['copyTo']> },
  ) {
    const isOther = 'account' in copyTo;
    const { region } = copyTo;
    const env = isOther ? { region, account: copyTo.account } : { region };
    super(scope, id, { env, terminationProtection: true });
    addVault(this, 'vault', {
      backupVaultName: copyVaultNameOf(stage),
      ...(isOther && {
        encryptionKey: addBackupKey(this, stage, copyTo.fromAccount),
        accessPolicy: lettingCopy(copyTo.fromAccount),
      }),
    });
  }
}
