// Whether a deployment changes the address at which platforms send browsers back. They compare it
// to the letter with what was registered, so that a change strands every user who consents.

import * as z from 'zod/mini';
import { callbackUrl } from '#shared/platforms/callback-urls.ts';

const Template = z.object({
  Resources: z.record(
    z.string(),
    z.object({ Type: z.string(), Properties: z.optional(z.record(z.string(), z.unknown())) }),
  ),
});

/**
 * What the address of a function depends on: Lambda makes a new one with each AWS::Lambda::Url, and
 * CloudFormation a new one of these for another logical id, or another function (CloudFormation
 * Template Reference: `TargetFunctionArn` and `FunctionName` are replaced when they change).
 */
const originOf = (template: string): string => {
  const { Resources } = Template.parse(JSON.parse(template));
  const urls = Object.entries(Resources).filter(([, { Type }]) => Type === 'AWS::Lambda::Url');
  return JSON.stringify(
    urls.map(([logicalId, { Properties = {} }]) => {
      const { TargetFunctionArn: target, Qualifier = null } = Properties;
      const [, functionId = ''] = /"Fn::GetAtt":\["([^"]+)"/.exec(JSON.stringify(target)) ?? [];
      const named = Resources[functionId]?.Properties?.FunctionName ?? null;
      return { logicalId, target, Qualifier, named };
    }),
  );
};

/** @param deployed the service's template, where its stack is there */
export const keepsCallbackAddress = ({
  deployed,
  planned,
}: {
  deployed: string | undefined;
  planned: string;
}): boolean => deployed !== undefined && originOf(deployed) === originOf(planned);

/** What is to be registered, with each platform that has a client here. */
export const redirectUrisOf = (baseUrl: string, platforms: readonly string[]): string[] =>
  platforms.map((platform) => callbackUrl({ baseUrl, platform }));

/** Why a deployment is not begun, or what is to be done after it. */
export const changedAddress = ({
  before,
  now,
  platforms,
}: {
  before: string;
  /** Where it is known already. */
  now?: string;
  platforms: readonly string[];
}): string => {
  const registered = redirectUrisOf(before, platforms).join(', ');
  const [verb, remedy] = now
    ? [`has changed to ${now}`, `register instead ${redirectUrisOf(now, platforms).join(', ')}`]
    : ['would change', 'where that is meant, deploy with --accept-new-callback-address'];
  return (
    `the callback address ${before} ${verb}. Registered with the platforms are ${registered}, ` +
    `which would lead nowhere, and nobody could connect a company: ${remedy}`
  );
};
