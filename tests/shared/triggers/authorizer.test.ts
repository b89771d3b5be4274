import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { meterCall } from '#shared/table-metering.ts';
import { createAuthorizerHandler, type Decision } from '#shared/triggers/authorizer.ts';
import { authorizerEvent, lambdaContext } from '../../support/events/lambda-events.ts';
import { costFields, keepLog } from '../../support/recorders/log.ts';
import { keepMetrics } from '../../support/recorders/metrics.ts';

const caller = { applicationId: 'app1', keyId: 'app1-key' };

/** Asks an authorizer that decides as told. */
const ask = async (
  decide: (apiKey: string) => Promise<Decision>,
  event = authorizerEvent('lk_secret'),
) => {
  const log = keepLog();
  const metrics = keepMetrics();
  const handler = createAuthorizerHandler(decide, { log, metrics });
  const answer = await handler(event, lambdaContext()).catch((error: unknown) => error);
  return { answer, log: log.lines, metrics };
};

const { requestId } = authorizerEvent('').requestContext;

const line = (more: object) => [
  'authorize',
  {
    request_id: requestId,
    outcome: 'success',
    ...costFields(),
    ...more,
  },
];

const ending = (code: string, status: number, applicationId?: string) => [
  'ended',
  { requestId, applicationId, code, status, contentionRetries: 0 },
];

/** The policy for the whole stage: the gateway uses it for every route until it is a minute old. */
const policy = (Effect: 'Allow' | 'Deny') => ({
  principalId: 'app1',
  policyDocument: {
    Version: '2012-10-17',
    Statement: [
      {
        Action: 'execute-api:Invoke',
        Effect,
        Resource: 'arn:aws:execute-api:eu-west-1:123456789012:abcdef1234/v1/*',
      },
    ],
  },
  context: caller,
  usageIdentifierKey: 'application-app1',
});

describe('an authorizer', () => {
  test('lets an application through, and says which one it is', async () => {
    const { answer, log, metrics } = await ask(async () => ({ outcome: 'allow', caller }));
    expect(answer).toEqual(policy('Allow'));
    expect(metrics.events).toEqual([ending('success', 200, 'app1')]);
    expect(log).toEqual([line({ application_id: 'app1', key_id: 'app1-key' })]);
  });

  test('denies a suspended application', async () => {
    const { answer, log, metrics } = await ask(async () => ({ outcome: 'suspended', caller }));
    expect(answer).toEqual(policy('Deny'));
    expect(metrics.events).toEqual([ending('application_suspended', 403, 'app1')]);
    expect(log).toEqual([
      line({ outcome: 'application_suspended', application_id: 'app1', key_id: 'app1-key' }),
    ]);
  });

  test('answers a key that is not accepted with the word that the gateway waits for', async () => {
    const { answer, log, metrics } = await ask(async () => ({
      outcome: 'not_accepted',
      reason: 'expired',
    }));
    expect(answer).toEqual(new Error('Unauthorized'));
    expect(metrics.events).toEqual([ending('api_key_not_accepted', 401)]);
    expect(log).toEqual([line({ outcome: 'api_key_not_accepted', reason: 'expired' })]);
  });

  test('does not hide a fault as a key that is not accepted', async () => {
    const fault = new Error('the table is away');
    const { answer, log, metrics } = await ask(() => Promise.reject(fault));
    expect(answer).toBe(fault);
    const [, fields] = line({ outcome: 'internal_error', error: fault });
    expect(log).toEqual([['authorize failed', fields]]);
    expect(metrics.events).toEqual([ending('internal_error', 500)]);
  });

  test.each([
    ['as documented', { 'X-API-Key': 'lk_secret' }, 'lk_secret'],
    ['in small letters', { 'x-api-key': 'lk_secret' }, 'lk_secret'],
    ['in capitals, after others', { Host: 'x', 'X-API-KEY': 'lk_secret' }, 'lk_secret'],
    ['not there', { 'X-Other': 'lk_secret' }, ''],
  ])('reads the key from its header: %s', async (_title, headers, expected) => {
    const asked: string[] = [];
    await ask(
      async (apiKey) => {
        asked.push(apiKey);
        return { outcome: 'allow', caller };
      },
      authorizerEvent('', headers),
    );
    expect(asked).toEqual([expected]);
  });

  test('finds no key in an event without headers', async () => {
    const decide = async (apiKey: string): Promise<Decision> => ({
      outcome: 'not_accepted',
      reason: `key "${apiKey}"`,
    });
    const { log } = await ask(decide, { ...authorizerEvent(''), headers: null });
    expect(log).toEqual([line({ outcome: 'api_key_not_accepted', reason: 'key ""' })]);
  });

  test('logs its calls to the table and never the key', async () => {
    const { log } = await ask(async () => {
      await meterCall({ operation: 'BatchGetItem', input: {} }, async () => ({}));
      return { outcome: 'allow', caller };
    });
    expect(log).toEqual([line({ application_id: 'app1', key_id: 'app1-key', table_calls: 1 })]);
    expect(inspect(log, { depth: Infinity })).not.toContain('lk_secret');
  });
});
