import { expect, test } from 'vitest';
import { allows } from '#infra/local/stand-ins/policies.ts';

const api = 'arn:aws:execute-api:local:000000000000:ledger';
const allow = (...Resource: string[]) => ({ Effect: 'Allow' as const, Resource });
const deny = (...Resource: string[]) => ({ Effect: 'Deny' as const, Resource });

// IAM User Guide, "Policy evaluation logic" and "Resource": without a statement that allows it, a
// request is denied.
test.each([
  ['by a star at the end', true, [allow(`${api}/v1/*`)]],
  ['by its exact name', true, [allow(`${api}/v1/GET/a/b`)]],
  ['by one of several', true, [allow(`${api}/v1/GET/c`, `${api}/v1/GET/a/b`)]],
  ['by a star within', true, [allow('arn:*/GET/a/b')]],
  ['by a question mark', true, [allow(`${api}/v?/GET/a/b`)]],
  ['not by nothing', false, []],
  ['not by a part of it', false, [allow(`${api}/v1/GET/a`, `${api}/v1/GET/a/b/`)]],
  ['not by another stage', false, [allow(`${api}/v2/*`)]],
  ['not by a dot for a letter', false, [allow(`${api}/v1/GET/a.b`)]],
  ['not if another statement denies it', false, [allow(`${api}/*`), deny(`${api}/v1/GET/a/*`)]],
  ['if only another method is denied', true, [allow(`${api}/*`), deny(`${api}/v1/GET/c/*`)]],
])('a method passes %s', (_title, expected, statements) => {
  const Statement = statements.map((it) => ({ Action: 'execute-api:Invoke', ...it }));
  const policyDocument = { Version: '2012-10-17', Statement };
  expect(allows({ principalId: 'a', policyDocument }, `${api}/v1/GET/a/b`)).toBe(expected);
});
