// Who gives the operator's commands, for what keeps its author.

import { userInfo } from 'node:os';
import { GetCallerIdentityCommand, type STSClient } from '@aws-sdk/client-sts';
import { CommandFailure } from './errors.ts';

/**
 * The ARN of whoever the credentials belong to. It takes no permission: "You can still perform this
 * operation" even where a policy denies it (AWS STS API Reference, "GetCallerIdentity").
 */
export const awsIdentity = async (client: STSClient): Promise<string> => {
  const { Arn } = await client.send(new GetCallerIdentityCommand({}));
  if (!Arn) throw new CommandFailure('AWS does not say whose credentials these are');
  return Arn;
};

/** The user of this machine, by number where it has no name, as in some containers. */
export const localUser = (): string => {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
};
