// The service stack as it is deployed, which the next deployment takes into account. `npm run
// deploy` writes its template to a file. Without one, a synthesis is for a new stage.

import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { allAtOnceVariable, deployedTemplateVariable } from '../manifest/deployed-variables.ts';

const Statements = z.array(z.record(z.string(), z.unknown()));

const Policy = z.object({
  PolicyName: z.string(),
  PolicyDocument: z.object({ Statement: Statements }),
});

const Template = z.object({
  Resources: z.record(
    z.string(),
    z.object({ Type: z.string(), Properties: z.optional(z.record(z.string(), z.unknown())) }),
  ),
});

const FunctionProperties = z.object({
  Environment: z.object({ Variables: z.object({ TABLE_NAME: z.string() }) }),
});

export type Statement = z.infer<typeof Statements>[number];

export type DeployedService = {
  /** The tables that the functions use: two if a deployment to another table failed halfway. */
  tableNames: readonly string[];
  /** The statements of a policy of a role. */
  statementsOf: (logicalId: string, policyName: string) => Statement[];
  /** Whether it has a resource of this id, for example a version. */
  has: (logicalId: string) => boolean;
  /** Whether new versions must start with all calls, as the operator has decided. */
  allAtOnce: boolean;
};

/** @param template the text of the deployed template */
export const openDeployedService = (
  template: string,
  { allAtOnce = false } = {},
): DeployedService => {
  const { Resources } = Template.parse(JSON.parse(template));
  const tableNames = Object.values(Resources).flatMap(({ Type, Properties }) =>
    Type === 'AWS::Lambda::Function'
      ? (FunctionProperties.safeParse(Properties).data?.Environment.Variables.TABLE_NAME ?? [])
      : [],
  );
  return {
    tableNames: [...new Set(tableNames)],
    allAtOnce,
    statementsOf: (logicalId, policyName) =>
      z
        .array(Policy)
        .parse(Resources[logicalId]?.Properties?.Policies ?? [])
        .filter(({ PolicyName }) => PolicyName === policyName)
        .flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
    has: (logicalId) => logicalId in Resources,
  };
};

/** The deployed service, as `npm run deploy` describes it. */
export const readDeployedService = (env = process.env): DeployedService | undefined => {
  const file = env[deployedTemplateVariable];
  if (file === undefined) return undefined;
  const allAtOnce = env[allAtOnceVariable] === 'true';
  return openDeployedService(readFileSync(file, 'utf8'), { allAtOnce });
};
