// The walk's own calls to AWS: stacks, functions, addresses. They are unsigned, since LocalStack
// does not check signatures.

import { XMLParser } from 'fast-xml-parser';
import { liveAlias } from '#infra/manifest/names.ts';

export type StackResource = { logicalId: string; type: string; status: string };

export type Aws = ReturnType<typeof openAws>;

const parser = new XMLParser({ isArray: (name) => name === 'member', parseTagValue: false });

export const openAws = ({ endpoint, region }: { endpoint: string; region: string }) => {
  const headersFor = (service: string) => ({
    Authorization:
      `AWS4-HMAC-SHA256 Credential=test/20260101/${region}/${service}/aws4_request, ` +
      'SignedHeaders=host, Signature=none',
  });

  const send = async (
    service: string,
    path: string,
    init: { method?: string; body?: string; headers?: Record<string, string> } = {},
  ): Promise<Response> => {
    const headers = { ...headersFor(service), ...init.headers };
    const reply = await fetch(`${endpoint}${path}`, { ...init, headers });
    if (!reply.ok) throw new Error(`${service} ${path}: ${reply.status} ${await reply.text()}`);
    return reply;
  };

  /** A call by the query protocol, as IAM and CloudFormation speak it. */
  // biome-ignore lint/suspicious/noExplicitAny: each action has a reply of its own.
  const query = async (service: string, parameters: Record<string, string>): Promise<any> => {
    const reply = await send(service, '/', {
      method: 'POST',
      body: String(new URLSearchParams(parameters)),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    const parsed = parser.parse(await reply.text());
    return parsed[`${parameters.Action}Response`][`${parameters.Action}Result`] ?? {};
  };

  /** A call by the JSON protocol of `target`. */
  // biome-ignore lint/suspicious/noExplicitAny: each operation has a reply of its own.
  const call = async (service: string, target: string, input: object): Promise<any> => {
    const headers = { 'X-Amz-Target': target, 'Content-Type': 'application/x-amz-json-1.0' };
    const body = JSON.stringify(input);
    return (await send(service, '/', { method: 'POST', body, headers })).json();
  };

  const cloudFormation = (Action: string, parameters: Record<string, string> = {}) =>
    query('cloudformation', { Action, Version: '2010-05-15', ...parameters });

  // biome-ignore lint/suspicious/noExplicitAny: each resource has a form of its own.
  const getFunction = async (path: string): Promise<any> =>
    (await send('lambda', `/2015-03-31/functions/${path}`)).json();

  /** The configuration of the version that the alias names. */
  const functionConfiguration = async (
    name: string,
  ): Promise<{ Role: string; Environment: { Variables: Record<string, string> } }> => {
    const { FunctionVersion } = await getFunction(`${name}/aliases/${liveAlias}`);
    return getFunction(`${name}/configuration?Qualifier=${FunctionVersion}`);
  };

  /** The alias, as triggers call it: retries and what becomes of a failure are the alias's own. */
  const invocationsOf = (functionName: string): string =>
    `/2015-03-31/functions/${functionName}:${liveAlias}/invocations`;

  return {
    region,
    call,
    functionConfiguration,

    /** @returns undefined if nothing is reserved for the function */
    reservedConcurrency: async (functionName: string): Promise<number | undefined> => {
      const path = `/2019-09-30/functions/${functionName}/concurrency`;
      // biome-ignore lint/suspicious/noExplicitAny: the reply has one field.
      const reply: any = await (await send('lambda', path)).json();
      return reply.ReservedConcurrentExecutions;
    },

    /** Invokes a function and waits for it, as a caller with the right to does. */
    invoke: async (
      functionName: string,
      event: object,
    ): Promise<{ failed: boolean; payload: unknown }> => {
      const reply = await send('lambda', invocationsOf(functionName), {
        method: 'POST',
        body: JSON.stringify(event),
      });
      return { failed: reply.headers.has('X-Amz-Function-Error'), payload: await reply.json() };
    },

    /** Requests an asynchronous invocation, which Lambda repeats if it fails. */
    invokeLater: async (functionName: string, event: object): Promise<void> => {
      await send('lambda', invocationsOf(functionName), {
        method: 'POST',
        body: JSON.stringify(event),
        headers: { 'X-Amz-Invocation-Type': 'Event' },
      });
    },

    resourcesOf: async (stack: string): Promise<StackResource[]> => {
      const { StackResources } = await cloudFormation('DescribeStackResources', {
        StackName: stack,
      });
      return StackResources.member.map((it: Record<string, string>) => ({
        logicalId: it.LogicalResourceId,
        type: it.ResourceType,
        status: it.ResourceStatus,
      }));
    },

    outputsOf: async (stack: string): Promise<Record<string, string>> => {
      const { Stacks } = await cloudFormation('DescribeStacks', { StackName: stack });
      const outputs: { OutputKey: string; OutputValue: string }[] = Stacks.member[0].Outputs.member;
      return Object.fromEntries(outputs.map((it) => [it.OutputKey, it.OutputValue]));
    },

    /** The stacks that are there, by name. */
    stacks: async (): Promise<Record<string, string>> => {
      const { Stacks } = await cloudFormation('DescribeStacks');
      const all: { StackName: string; StackStatus: string }[] = Stacks?.member ?? [];
      return Object.fromEntries(all.map((it) => [it.StackName, it.StackStatus]));
    },
  };
};
