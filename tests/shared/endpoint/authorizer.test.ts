import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createAuthorizerHandler, type Decision } from '#shared/endpoint/authorizer.ts';
import { apiErrors } from '#shared/errors.ts';
import { meterCall } from '#shared/table/metering.ts';
import { authorizerEvent, callerOf, lambdaContext } from '../../support/events/lambda-events.ts';
import { costFields, keepLog } from '../../support/recorders/log.ts';
import { endedWith, keepMetrics } from '../../support/recorders/metrics.ts';

const caller = callerOf('app1');
const reader = { ...caller, access: 'read_only' as const };
const readOnlyRoutes = ['GET/v1/look', 'POST/v1/find'];

/** Asks an authorizer that decides as told. */
const ask = async (
  decide: (apiKey: string) => Promise<Decision>,
  event = authorizerEvent('lk_secret'),
) => {
  const log = keepLog();
  const metrics = keepMetrics();
  const handler = createAuthorizerHandler(decide, { readOnlyRoutes, log, metrics });
  const answer = await handler(event, lambdaContext()).catch((error: unknown) => error);
  return { answer, log: log.lines, metrics };
};

const { requestId } = authorizerEvent('').requestContext;
const named = { application_id: 'app1', key_id: 'app1-key' };

const line = (outcome: string, more: object, tableCalls = 0) => [
  'authorize',
  { request_id: requestId, outcome, ...costFields(tableCalls), ...more },
];

/** The policy for the whole stage: the gateway uses it for every route until it is a minute old. */
const policy = (Effect: 'Allow' | 'Deny', routes = ['*'], context: object = {}) => ({
  principalId: 'app1',
  policyDocument: {
    Version: '2012-10-17',
    Statement: [
      {
        Action: 'execute-api:Invoke',
        Effect,
        Resource: routes.map(
          (route) => `arn:aws:execute-api:eu-west-1:123456789012:abcdef1234/v1/${route}`,
        ),
      },
    ],
  },
  context: { ...caller, ...context },
  usageIdentifierKey: 'application-app1',
});

/** The context for the gateway's response to a refused request. */
const refusal = (refusalCode: 'application_suspended' | 'api_key_read_only') => ({
  refusalCode,
  refusalMessage: apiErrors[refusalCode].message,
});

describe('an authorizer', () => {
  test('lets an application through and identifies it', async () => {
    const { answer, log, metrics } = await ask(async () => {
      await meterCall({ operation: 'BatchGetItem', input: {} }, async () => ({}));
      return { outcome: 'allow', caller };
    });
    const outcome = { code: 'success', status: 200 };
    expect(answer).toEqual(policy('Allow'));
    expect(metrics.events).toEqual([endedWith(outcome)]);
    expect(log).toEqual([line('success', named, 1)]);
    expect(inspect(log, { depth: Infinity })).not.toContain('lk_secret');
  });

  test('lets a read-only key call read-only routes with and without a trailing slash', async () => {
    const { answer } = await ask(async () => ({ outcome: 'allow', caller: reader }));
    const routes = ['GET/v1/look', 'GET/v1/look/', 'POST/v1/find', 'POST/v1/find/'];
    const context = { access: 'read_only', ...refusal('api_key_read_only') };
    expect(answer).toEqual(policy('Allow', routes, context));
  });

  test('denies a suspended application any access', async () => {
    const { answer, log, metrics } = await ask(async () => ({
      outcome: 'suspended',
      caller: reader,
    }));
    const outcome = {
      code: 'application_suspended',
      status: 403,
    };
    const context = { access: 'read_only', ...refusal('application_suspended') };
    expect(answer).toEqual(policy('Deny', ['*'], context));
    expect(metrics.events).toEqual([endedWith(outcome)]);
    expect(log).toEqual([line('application_suspended', named)]);
  });

  test('refuses an unknown key with the message that the gateway requires', async () => {
    const reason = 'expired';
    const { answer, log, metrics } = await ask(async () => ({ outcome: 'not_accepted', reason }));
    expect(answer).toEqual(new Error('Unauthorized'));
    const code = 'api_key_not_accepted';
    expect(metrics.events).toEqual([endedWith({ code, status: 401 })]);
    expect(log).toEqual([line(code, { reason })]);
  });

  test('does not report an internal error as an unknown key', async () => {
    const fault = new Error('the table is away');
    const { answer, log, metrics } = await ask(() => Promise.reject(fault));
    expect(answer).toBe(fault);
    const [, fields] = line('internal_error', { error: fault });
    expect(log).toEqual([['authorize failed', fields]]);
    const code = 'internal_error';
    expect(metrics.events).toEqual([endedWith({ code, status: 500 })]);
  });

  test.each([
    ['as documented', { 'X-API-Key': 'lk_secret' }, 'lk_secret'],
    ['in small letters', { 'x-api-key': 'lk_secret' }, 'lk_secret'],
    ['in capitals, after others', { Host: 'x', 'X-API-KEY': 'lk_secret' }, 'lk_secret'],
    ['not there', { 'X-Other': 'lk_secret' }, ''],
    ['not where others have it', { Authorization: 'lk_secret', Cookie: 'X-API-Key=lk_secret' }, ''],
    ['without any beside it', null, ''],
  ])('reads the key from its header: %s', async (_title, headers, expected) => {
    const asked: string[] = [];
    const decide = async (apiKey: string): Promise<Decision> => {
      asked.push(apiKey);
      return { outcome: 'allow', caller };
    };
    const queryStringParameters = { 'X-API-Key': 'lk_other' };
    await ask(decide, { ...authorizerEvent(''), headers, queryStringParameters });
    expect(asked).toEqual([expected]);
  });
});
