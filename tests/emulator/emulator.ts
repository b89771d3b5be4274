// The emulator: LocalStack with DynamoDB Local, the host of the functions and the world outside,
// with an operator's commands and direct calls to AWS.

import { stages } from '#infra/manifest/stages.ts';
import { startDynamoDBLocal } from '../dynamodb-local/engine.ts';
import { findPorts } from '../support/processes/service.ts';
import { sandboxClients } from '../support/servers/sandbox.ts';
import { openAws } from './aws.ts';
import { openCommands } from './commands.ts';
import { startLambdaHost } from './lambda-host.ts';
import { type Stoppable, startLocalStack } from './localstack.ts';
import type { Tools } from './tools.ts';
import { startWorldOutside } from './world-outside.ts';

const region = 'us-east-1';

export type Emulator = Awaited<ReturnType<typeof startEmulator>>;

/**
 * @param options.keep receives each part when it starts, to stop it later @param options.folder the
 * folder for all files
 */
export const startEmulator = async (
  { python, runtimeClient, release }: Tools,
  {
    stage,
    folder,
    keep,
  }: {
    stage: 'development' | 'production';
    folder: string;
    keep: (part: Stoppable) => void;
  },
) => {
  const settings = stages[stage];
  const outside = await startWorldOutside({ settings, clients: sandboxClients });
  keep(outside);
  // LocalStack starts later. No function runs before.
  const localStackAddress = { url: '' };
  const lambdaHost = await startLambdaHost({
    runtimeClient,
    awsUrl: () => localStackAddress.url,
    outsideVariables: outside.variables,
    logFolder: folder,
  });
  keep(lambdaHost);
  const dynamoDB = await startDynamoDBLocal();
  keep(dynamoDB);
  const localStack = await startLocalStack({
    python,
    port: await findPorts(),
    dynamoDBPort: dynamoDB.port,
    lambdaHostUrl: lambdaHost.url,
    folder,
    keep,
  });
  const { endpoint } = localStack;
  localStackAddress.url = endpoint;
  outside.leadTo(endpoint);
  const options = { stage, endpoint, region, folder, variables: outside.variables };
  const deployOptions = stage === 'production' ? ['--without-alarm-email'] : [];
  const commands = openCommands({ ...options, deployOptions });
  keep(commands);
  /** The commands of the last release, which deploys production first. */
  const released =
    stage === 'production'
      ? openCommands({ ...options, deployOptions, project: release })
      : undefined;
  if (released) keep(released);
  const aws = openAws({ endpoint, region });
  return { stage, settings, outside, lambdaHost, localStack, commands, released, aws } as const;
};
