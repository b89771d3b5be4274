// Opens a deployed stage for the commands, with the AWS SDK's region and credentials.

import { failureQueueNameOf, tableNameOf, usagePlanNameOf } from '../../manifest/names.ts';
import { deployedStages, servingTableOf, stages } from '../../manifest/stages.ts';
import type { Dependencies } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import type { DeployedStacks } from './deployed-stacks.ts';
import { type OpenStage, openStage, type StageParts } from './open-stage.ts';
import type { Use } from './own-dependencies.ts';

/** Settings of a stage from the manifest. An unlisted stage gets the rules of production. */
const settingsOf = (stage: string): StageParts & Pick<Dependencies, 'rules'> => {
  const row = deployedStages.find(({ name }) => name === stage);
  const { settings: rules, deployment } = row ?? {};
  return {
    dynamoDB: {},
    secretsManager: {},
    tableName: row ? servingTableOf(row) : tableNameOf(stage),
    slots: rules?.platforms,
    rules: rules ?? stages.production,
    isProtected: deployment?.removalProtection ?? true,
    throughput: deployment?.tableThroughput,
  };
};

export const openDeployedStage = (stage: string): OpenStage => {
  const settings = settingsOf(stage);
  const openStacks = async (use: Use): Promise<DeployedStacks> => {
    const { CloudFormationClient } = await import('@aws-sdk/client-cloudformation');
    const { openDeployedStacks } = await import('./deployed-stacks.ts');
    return openDeployedStacks(use(new CloudFormationClient()), stage);
  };
  return openStage(stage, settings, (use) => ({
    rules: () => settings.rules,
    usagePlan: async () => {
      const { APIGatewayClient } = await import('@aws-sdk/client-api-gateway');
      const { openUsagePlan } = await import('./usage-plan.ts');
      // API Gateway's control plane allows a few calls per second; the SDK backs off.
      return openUsagePlan(use(new APIGatewayClient({ maxAttempts: 8 })), (plan) =>
        usagePlanNameOf(stage, plan),
      );
    },
    functions: async () => {
      const { LambdaClient } = await import('@aws-sdk/client-lambda');
      return (await import('./functions.ts')).openFunctions(use(new LambdaClient()), stage);
    },
    functionVersions: async () => {
      const { LambdaClient } = await import('@aws-sdk/client-lambda');
      const { openFunctionVersions } = await import('./function-versions.ts');
      const { tableName } = settings;
      return openFunctionVersions(use(new LambdaClient({ maxAttempts: 8 })), { stage, tableName });
    },
    restoration: async () => {
      const { DynamoDBClient } = await import('@aws-sdk/client-dynamodb');
      const { openRestoration } = await import('./restoration.ts');
      return openRestoration(use(new DynamoDBClient()), { stage });
    },
    baseUrl: async () => {
      const stacks = await openStacks(use);
      return () => stacks.getOutput('BaseUrl');
    },
    deployedStacks: () => openStacks(use),
    failures: async () => {
      const { SQSClient } = await import('@aws-sdk/client-sqs');
      const { openFailureQueue } = await import('./failure-queue.ts');
      return openFailureQueue(use(new SQSClient()), failureQueueNameOf(stage));
    },
    operator: async () => {
      const { GetCallerIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
      const client = use(new STSClient());
      // No permission is needed: "You can still perform this operation" even if a policy denies it
      // (AWS STS API Reference, "GetCallerIdentity").
      return async () => {
        const { Arn } = await client.send(new GetCallerIdentityCommand({}));
        if (Arn) return Arn;
        throw new CommandFailure('AWS returned no identity for these credentials');
      };
    },
  }));
};
