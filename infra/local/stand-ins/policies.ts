// Evaluates the authorizer's policy like the deployed gateway.

import type { APIGatewayAuthorizerResult } from 'aws-lambda';

/** In a resource, `*` is any text and `?` any character (IAM User Guide, "Resource"). */
const covers = (resource: string, methodArn: string): boolean => {
  const literal = resource.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  const pattern = literal.replaceAll('*', '.*').replaceAll('?', '.');
  return new RegExp(`^${pattern}$`, 's').test(methodArn);
};

/** Whether a policy allows the method: an Allow covers it, and no Deny. */
export const allows = (
  { policyDocument }: APIGatewayAuthorizerResult,
  methodArn: string,
): boolean => {
  const effects = policyDocument.Statement.filter((statement) => {
    const resources = 'Resource' in statement ? [statement.Resource].flat() : [];
    return resources.some((resource) => covers(String(resource), methodArn));
  }).map(({ Effect }) => Effect);
  return effects.includes('Allow') && !effects.includes('Deny');
};
