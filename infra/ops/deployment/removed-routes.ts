// Ends routes that a deployment removed. CloudFormation deploys the gateway first and deletes old
// methods last (CloudFormation User Guide, "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS"), so the gateway
// still serves them.

import {
  type APIGatewayClient,
  CreateDeploymentCommand,
  paginateGetRestApis,
} from '@aws-sdk/client-api-gateway';
import * as z from 'zod/mini';
import { apiNameOf } from '../../manifest/names.ts';
import { CommandFailure } from '../errors.ts';

const Template = z.object({
  Resources: z.record(z.string(), z.object({ Type: z.string() })),
});

const methodsOf = (template: string): string[] =>
  Object.entries(Template.parse(JSON.parse(template)).Resources)
    .filter(([, { Type }]) => Type === 'AWS::ApiGateway::Method')
    .map(([logicalId]) => logicalId);

/** How many methods of the API the earlier template has and the later one has not. */
export const countRemovedMethods = (earlier: string | undefined, later: string): number => {
  if (earlier === undefined) return 0;
  const kept = new Set(methodsOf(later));
  return methodsOf(earlier).filter((logicalId) => !kept.has(logicalId)).length;
};

/** Deploys the gateway of a stage again, as it is now. */
export const deployGateway = async (client: APIGatewayClient, stage: string): Promise<void> => {
  const apiName = apiNameOf(stage);
  for await (const { items = [] } of paginateGetRestApis({ client }, {})) {
    const api = items.find(({ name }) => name === apiName);
    if (api?.id === undefined) continue;
    const description = 'without routes that the last deployment removed';
    await client.send(
      new CreateDeploymentCommand({ restApiId: api.id, stageName: stage, description }),
    );
    return;
  }
  throw new CommandFailure(`the gateway has no API "${apiName}"`);
};
