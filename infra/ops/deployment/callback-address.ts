// Detects whether a deployment changes the callback address. Platforms compare it exactly with the
// registered redirect URI, so after a change no user could connect a company.

import * as z from 'zod/mini';
import { callbackUrl } from '#shared/platforms/slots.ts';

const Template = z.object({
  Resources: z.record(
    z.string(),
    z.object({ Type: z.string(), Properties: z.optional(z.record(z.string(), z.unknown())) }),
  ),
});

/**
 * The parts of a template that determine the callback address. Lambda assigns an address to each
 * AWS::Lambda::Url. CloudFormation replaces that resource if its logical id or its function changes
 * (CloudFormation Template Reference: a change of `TargetFunctionArn` or `FunctionName` requires
 * replacement).
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

/** @param deployed the template of the service stack, if it is deployed */
export const keepsCallbackAddress = ({
  deployed,
  planned,
}: {
  deployed: string | undefined;
  planned: string;
}): boolean => deployed !== undefined && originOf(deployed) === originOf(planned);

/** The redirect URIs to register with these platforms. */
export const redirectUrisOf = (baseUrl: string, platforms: readonly string[]): string[] =>
  platforms.map((platform) => callbackUrl({ baseUrl, platform }));

/** The reason to refuse a deployment or, with `now`, what to do after it. */
export const changedAddress = ({
  before,
  now,
  platforms,
}: {
  before: string;
  /** The new address, if it is known. */
  now?: string;
  platforms: readonly string[];
}): string => {
  const registered = redirectUrisOf(before, platforms).join(', ');
  const [verb, remedy] = now
    ? [`has changed to ${now}`, `register ${redirectUrisOf(now, platforms).join(', ')} instead`]
    : ['would change', 'to change it anyway, deploy with --accept-new-callback-address'];
  return (
    `the callback address ${before} ${verb}. The redirect URIs registered with the platforms ` +
    `(${registered}) stop working, and no user can connect a company: ${remedy}`
  );
};
