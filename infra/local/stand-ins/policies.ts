// Evaluates the authorizer's policy like the deployed gateway.

import type { APIGatewayAuthorizerResult } from 'aws-lambda';
import { remember } from './remember.ts';

/** A pattern of IAM: `*` is any text and `?` any character (IAM User Guide, "Resource"). */
export const iamPattern = remember((pattern: string): RegExp => {
  const literal = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's');
});

/** Whether a policy allows the method: an Allow covers it, and no Deny. */
export const allows = (
  { policyDocument }: APIGatewayAuthorizerResult,
  methodArn: string,
): boolean => {
  const effects = policyDocument.Statement.filter((statement) => {
    const resources = 'Resource' in statement ? [statement.Resource].flat() : [];
    return resources.some((resource) => iamPattern(String(resource)).test(methodArn));
  }).map(({ Effect }) => Effect);
  return effects.includes('Allow') && !effects.includes('Deny');
};
