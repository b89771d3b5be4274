import { describe, expect, test } from 'vitest';
import { CommandFailure, IncompleteChange, UsageError } from '#infra/ops/errors.ts';
import { explain } from '#infra/ops/explain.ts';
import { ApiError } from '#shared/errors.ts';
import { PlatformFailure } from '#shared/platforms/platform.ts';

const awsError = (name: string, message = 'said so', code?: string) =>
  Object.assign(new Error(message), { name, ...(code && { code }) });
const failed = (reason: 'platform_unavailable' | 'company_not_found', said?: string) =>
  new PlatformFailure(reason, { cause: said && new Error(said) });

const credentials = 'AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';
const notDeployed =
  'staging is not deployed here: deploy it first, or check the stage, the account and ' +
  'AWS_REGION (said so)';
const denied = 'AWS denied the request: use credentials with the required permission';
const unreachable = 'AWS cannot be reached: check the network and AWS_REGION';

describe('an error is explained in one line', () => {
  test.each<[string, unknown, string]>([
    ['a CommandFailure unchanged', new CommandFailure('there is no key x'), 'there is no key x'],
    ['an invalid command line', new UsageError('no such command'), 'no such command'],
    ['an unexpected error with its name', new TypeError('x is\n  no y'), 'TypeError: x is no y'],
    ['a value that is not an error', 'text', 'text'],
    [
      'no credentials',
      awsError('CredentialsProviderError'),
      `no AWS credentials found: set ${credentials} (said so)`,
    ],
    [
      'no region',
      new Error('Region is missing'),
      'no AWS region is set: set AWS_REGION (Region is missing)',
    ],
    [
      'expired credentials',
      awsError('ExpiredTokenException'),
      'the AWS credentials have expired: log in again (said so)',
    ],
    [
      'wrong credentials',
      awsError('UnrecognizedClientException'),
      `AWS does not accept the credentials: check ${credentials}, and the clock (said so)`,
    ],
    ['no permission', awsError('AccessDeniedException', 'no Scan'), `${denied} (no Scan)`],
    ['nothing deployed: no table', awsError('ResourceNotFoundException'), notDeployed],
    ['nothing deployed: no queue', awsError('QueueDoesNotExist'), notDeployed],
    [
      'no network, reported as an error for several addresses',
      awsError('AggregateError', '', 'ECONNREFUSED'),
      `${unreachable} (ECONNREFUSED)`,
    ],
    [
      'the cause of an ApiError',
      new ApiError('temporarily_unavailable', { cause: awsError('TimeoutError') }),
      `${unreachable} (said so)`,
    ],
    [
      'a change that stopped halfway, with its cause',
      new IncompleteChange('half is done: run it again', { cause: awsError('AccessDenied') }),
      `half is done: run it again (${denied} (said so))`,
    ],
    [
      'a platform failure, with its code, request and reply',
      failed('platform_unavailable', 'DELETE https://api.xero.com/x was answered 500'),
      'platform_unavailable: DELETE https://api.xero.com/x was answered 500',
    ],
    ['a platform failure without a cause', failed('company_not_found'), 'company_not_found'],
    ['a name on the object prototype', awsError('constructor'), 'constructor: said so'],
  ])('%s', (_title, error, line) => {
    expect(explain(error, 'staging')).toBe(line);
  });
});
