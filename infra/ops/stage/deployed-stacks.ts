// Reads the stacks with the functions of a stage from CloudFormation.

import {
  type CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  paginateListStackResources,
  type Stack,
} from '@aws-sdk/client-cloudformation';
import { functionNameOf, type StackName, stackNameOf } from '../../manifest/names.ts';
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

/** The stacks with functions, in the order of their deployment. */
const stacksOfFunctions = ['events', 'service'] as const satisfies readonly StackName[];

/** A stack that only removes old resources has its new ones in service. */
const isUpdating = ({ StackStatus }: Stack): boolean =>
  /(?<!CLEANUP|REVIEW)_IN_PROGRESS$/.test(StackStatus ?? '');

export type DeployedStacks = ReturnType<typeof openDeployedStacks>;

export const openDeployedStacks = (client: CloudFormationClient, stage: string) => {
  const StackName = stackNameOf(stage, 'service');
  const describe = async (name: string): Promise<Stack | undefined> => {
    const command = new DescribeStacksCommand({ StackName: name });
    return (await unlessAbsent(client.send(command)))?.Stacks?.[0];
  };
  const outputs = async (): Promise<Map<string, string> | undefined> => {
    const stack = await describe(StackName);
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

    /** @throws CommandFailure during a deployment */
    assertNotUpdating: async (): Promise<void> => {
      for (const it of stacksOfFunctions) {
        const name = stackNameOf(stage, it);
        const stack = await describe(name);
        if (stack === undefined || !isUpdating(stack)) continue;
        throw new CommandFailure(
          `a deployment is under way: ${name} is ${stack.StackStatus}. Wait until it ends. To ` +
            'end it and keep the version before it, run aws cloudformation cancel-update-stack ' +
            `--stack-name ${name}`,
        );
      }
    },

    /** The version of each function that was deployed last, by the functions' names. */
    listVersions: async (): Promise<Map<string, string>> => {
      const versions = new Map<string, string>();
      const prefix = `:function:${functionNameOf(stage, '')}`;
      for (const it of stacksOfFunctions) {
        const StackName = stackNameOf(stage, it);
        if ((await describe(StackName)) === undefined) continue;
        for await (const page of paginateListStackResources({ client }, { StackName })) {
          for (const {
            ResourceType,
            ResourceStatus = '',
            PhysicalResourceId = '',
          } of page.StackResourceSummaries ?? []) {
            if (ResourceType !== 'AWS::Lambda::Version' || ResourceStatus.startsWith('DELETE'))
              continue;
            const [name = '', version = ''] = PhysicalResourceId.split(prefix)[1]?.split(':') ?? [];
            versions.set(name, version);
          }
        }
      }
      return versions;
    },
  };
};
