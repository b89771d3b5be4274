// Reads the stacks with the functions of a stage from CloudFormation.

import {
  type CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation';
import { stackNameOf } from '../../manifest/names.ts';
import { CommandFailure } from '../errors.ts';

/** "Stack with id … does not exist" is a ValidationError (AWS CloudFormation API Reference). */
const isAbsence = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ValidationError' && /not exist/.test(error.message);

const unlessAbsent = async <Reply>(reply: Promise<Reply>): Promise<Reply | undefined> => {
  try {
    return await reply;
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
};

export type DeployedStacks = ReturnType<typeof openDeployedStacks>;

export const openDeployedStacks = (client: CloudFormationClient, stage: string) => {
  const StackName = stackNameOf(stage, 'service');
  const outputs = async (): Promise<Map<string, string> | undefined> => {
    const reply = await unlessAbsent(client.send(new DescribeStacksCommand({ StackName })));
    const [stack] = reply?.Stacks ?? [];
    // An unexecuted change set for a new stack leaves an empty stack behind.
    if (!stack || stack.StackStatus === 'REVIEW_IN_PROGRESS') return undefined;
    return new Map(
      (stack.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
    );
  };
  const templateOf = async (name: string): Promise<{ Resources: object } | undefined> => {
    const command = new GetTemplateCommand({ StackName: name, TemplateStage: 'Original' });
    const body = (await unlessAbsent(client.send(command)))?.TemplateBody;
    return body === undefined ? undefined : JSON.parse(body);
  };
  return {
    /** An output of the service stack. @throws CommandFailure if there is none */
    getOutput: async (name: 'BaseUrl' | 'CallbackUrl'): Promise<string> => {
      const value = (await outputs())?.get(name);
      if (value !== undefined) return value;
      throw new CommandFailure(`${StackName} is not deployed in this account: deploy it first`);
    },

    /**
     * The resources of the service stack and of the events stack as one template, or `undefined` if
     * there is no service stack.
     */
    findTemplate: async (): Promise<string | undefined> => {
      if ((await outputs()) === undefined) return undefined;
      const service = await templateOf(StackName);
      if (service === undefined) return undefined;
      const events = await templateOf(stackNameOf(stage, 'events'));
      return JSON.stringify({ Resources: { ...events?.Resources, ...service.Resources } });
    },
  };
};
