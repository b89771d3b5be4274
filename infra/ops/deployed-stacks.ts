// The stacks of a stage as CloudFormation has them.

import {
  type CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation';
import { stackNameOf } from '../names.ts';
import { CommandFailure } from './errors.ts';

/** "Stack with id … does not exist" is a ValidationError (AWS CloudFormation API Reference). */
const isAbsence = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ValidationError' && /not exist/.test(error.message);

const orAbsent = async <Found>(found: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await found;
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
};

export type DeployedStacks = ReturnType<typeof openDeployedStacks>;

export const openDeployedStacks = (client: CloudFormationClient, stage: string) => {
  const StackName = stackNameOf(stage, 'service');
  const outputs = async (): Promise<Map<string, string> | undefined> => {
    const described = await orAbsent(client.send(new DescribeStacksCommand({ StackName })));
    const [stack] = described?.Stacks ?? [];
    // A change set for a stack that was never made leaves one of which nothing stands.
    if (!stack || stack.StackStatus === 'REVIEW_IN_PROGRESS') return undefined;
    return new Map(
      (stack.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
    );
  };
  return {
    /** An output of the service. @throws CommandFailure where there is none */
    getOutput: async (name: 'BaseUrl' | 'CallbackUrl'): Promise<string> => {
      const value = (await outputs())?.get(name);
      if (value !== undefined) return value;
      throw new CommandFailure(`${StackName} is not deployed here: deploy it first`);
    },

    /** The service's template, or `undefined` where the stack is not there. */
    findTemplate: async (): Promise<string | undefined> => {
      if ((await outputs()) === undefined) return undefined;
      const command = new GetTemplateCommand({ StackName, TemplateStage: 'Original' });
      return (await orAbsent(client.send(command)))?.TemplateBody;
    },
  };
};
