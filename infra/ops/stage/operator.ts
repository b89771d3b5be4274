// The name of the operator, for the audit log and for corrected rates.

import { userInfo } from 'node:os';
import { GetCallerIdentityCommand, type STSClient } from '@aws-sdk/client-sts';
import { CommandFailure } from '../errors.ts';

/**
 * The ARN of the AWS credentials. No permission is needed: "You can still perform this operation"
 * even if a policy denies it (AWS STS API Reference, "GetCallerIdentity").
 */
export const awsIdentity = async (client: STSClient): Promise<string> => {
  const { Arn } = await client.send(new GetCallerIdentityCommand({}));
  if (!Arn) throw new CommandFailure('AWS returned no identity for these credentials');
  return Arn;
};

/** The user of this machine, by number if it has no name (in some containers). */
export const localUser = (): string => {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
};
