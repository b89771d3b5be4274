import { describe, expect, test } from 'vitest';
import { CommandFailure, IncompleteChange, UsageError } from '#infra/ops/errors.ts';
import { explain } from '#infra/ops/explain.ts';
import { ApiError } from '#shared/errors.ts';
import { PlatformFailure } from '#shared/platforms/platform.ts';

const awsError = (name: string, message = 'said so', code?: string) =>
  Object.assign(new Error(message), { name, ...(code && { code }) });

const credentials = 'AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';

describe('an error is told in one line', () => {
  test.each<[string, unknown, string]>([
    ['a planned one as it is', new CommandFailure('there is no key x'), 'there is no key x'],
    [
      'a wrong command line',
      new UsageError('there is no such command'),
      'there is no such command',
    ],
    ['an unforeseen one with its name', new TypeError('x is\n  no y'), 'TypeError: x is no y'],
    ['something that is no error', 'text', 'text'],
    [
      'no credentials',
      awsError('CredentialsProviderError', 'Could not load credentials from any providers'),
      `there are no AWS credentials: set ${credentials} ` +
        '(Could not load credentials from any providers)',
    ],
    [
      'no region',
      new Error('Region is missing'),
      'there is no AWS region: set AWS_REGION (Region is missing)',
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
    [
      'no permission',
      awsError('AccessDeniedException', 'not authorized to perform: dynamodb:Scan'),
      'AWS denies it: use credentials that may do this ' +
        '(not authorized to perform: dynamodb:Scan)',
    ],
    ...['ResourceNotFoundException', 'QueueDoesNotExist'].map((name): [string, Error, string] => [
      `nothing deployed: ${name}`,
      awsError(name),
      'there is nothing of staging here: deploy it first, or check the stage, the account and ' +
        'AWS_REGION (said so)',
    ]),
    [
      'no network, which hides behind several addresses',
      awsError('AggregateError', '', 'ECONNREFUSED'),
      'AWS cannot be reached: check the network and AWS_REGION (ECONNREFUSED)',
    ],
    [
      'what made the table refuse',
      new ApiError('temporarily_unavailable', { cause: awsError('TimeoutError') }),
      'AWS cannot be reached: check the network and AWS_REGION (said so)',
    ],
    [
      'a change that stopped half way, with what stood in the way',
      new IncompleteChange('half is done: run it again', { cause: awsError('AccessDenied') }),
      'half is done: run it again (AWS denies it: use credentials that may do this (said so))',
    ],
    [
      'what a platform did, in the code of it and in what was asked and answered',
      new PlatformFailure('platform_unavailable', {
        cause: new Error('DELETE https://api.xero.com/connections/1 was answered 500'),
      }),
      'platform_unavailable: DELETE https://api.xero.com/connections/1 was answered 500',
    ],
    ['what a platform did, alone', new PlatformFailure('company_not_found'), 'company_not_found'],
    ['a name that every object has', awsError('constructor'), 'constructor: said so'],
  ])('%s', (_title, error, line) => {
    expect(explain(error, 'staging')).toBe(line);
  });
});
