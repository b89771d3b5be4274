// CloudFormation's stacks with functions for tests, as AWS's SDK calls them.

import { text } from 'node:stream/consumers';
import { stackNameOf } from '#infra/manifest/names.ts';
import { serve } from './serve.ts';

const member = (fields: Record<string, string>): string => {
  const parts = Object.entries(fields).map(([name, value]) => `<${name}>${value}</${name}>`);
  return `<member>${parts.join('')}</member>`;
};

/**
 * Starts the stacks of a stage `test`.
 * @param newest the version that the service stack has of each function, by its name at Lambda
 */
export const startStacks = async (newest: () => [name: string, version: string][]) => {
  const events = stackNameOf('test', 'events');
  const service = stackNameOf('test', 'service');
  const statuses: Record<string, string> = {
    [events]: 'UPDATE_COMPLETE',
    [service]: 'UPDATE_COMPLETE',
  };

  const resourcesOf = (stack: string): string[] =>
    stack === events
      ? []
      : newest().flatMap(([name, version]) => {
          const arn = (its: string) =>
            `arn:aws:lambda:us-east-1:111111111111:function:${name}:${its}`;
          const of = (ResourceType: string, PhysicalResourceId: string, ResourceStatus: string) =>
            member({ ResourceType, PhysicalResourceId, ResourceStatus });
          return [
            of('AWS::Lambda::Version', arn('999'), 'DELETE_SKIPPED'),
            of('AWS::Lambda::Version', arn(version), 'CREATE_COMPLETE'),
            of('AWS::Lambda::Alias', arn('live'), 'UPDATE_COMPLETE'),
          ];
        });

  const server = await serve(async (request, response) => {
    const call = new URLSearchParams(await text(request));
    const [action, stack] = [call.get('Action') ?? '', call.get('StackName') ?? ''];
    const status = statuses[stack];
    if (status === undefined) {
      const problem = `<Code>ValidationError</Code><Message>${stack} does not exist</Message>`;
      response.writeHead(400).end(`<ErrorResponse><Error>${problem}</Error></ErrorResponse>`);
      return;
    }
    const [list, members] =
      action === 'ListStackResources'
        ? ['StackResourceSummaries', resourcesOf(stack)]
        : ['Stacks', [member({ StackName: stack, StackStatus: status })]];
    const result = `<${list}>${members.join('')}</${list}>`;
    response.end(
      `<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`,
    );
  });
  return { ...server, events, service, statuses };
};
