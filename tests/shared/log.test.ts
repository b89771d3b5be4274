import { type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { ApiError } from '#shared/errors.ts';
import { PlatformFailure } from '#shared/platforms/platform.ts';
import { openLog } from '#shared/telemetry.ts';
import { linesOf } from '../support/recorders/output.ts';

beforeEach(() => {
  vi.stubEnv('POWERTOOLS_LOG_LEVEL', 'INFO');
  return () => vi.unstubAllEnvs();
});

const logged = async (error: unknown) => {
  const [line, ...more] = await linesOf(async () => openLog('test').error('failed', { error }));
  expect(more).toEqual([]);
  return line ?? {};
};

const thrownBy = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('a log line', () => {
  test('is one JSON object with its level, time and function', async () => {
    const lines = await linesOf(async () =>
      openLog('ensure-user').info('request', { status: 200 }),
    );
    expect(lines).toEqual([
      {
        level: 'INFO',
        message: 'request',
        service: 'ensure-user',
        status: 200,
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      },
    ]);
  });

  test('shows an error with its code, its stack and its causes', async () => {
    const cause = new PlatformFailure('rate_limited', { cause: new Error('was answered 429') });
    const { error } = await logged(new ApiError('platform_failed', { cause }));
    const stack = expect.arrayContaining([expect.stringMatching(/^ {4}at .*log\.test\.ts/)]);
    expect(error).toEqual({
      name: 'ApiError',
      message: 'The accounting platform returned an error.',
      code: 'platform_failed',
      stack,
      cause: {
        name: 'PlatformFailure',
        message: 'rate_limited',
        reason: 'rate_limited',
        stack,
        cause: { name: 'Error', message: 'was answered 429', stack },
      },
    });
  });

  test('shows the metadata of an AWS SDK error', async () => {
    const $metadata = { httpStatusCode: 400, requestId: 'aws-1', attempts: 3 };
    const { error } = await logged(new TransactionCanceledException({ message: 'x', $metadata }));
    expect(error).toMatchObject({ name: 'TransactionCanceledException', metadata: $metadata });
  });
});

describe('nothing secret is in the line of', () => {
  const Item: CancellationReason['Item'] = { sealedTokens: { S: 'secret' } };
  const cancelled = new TransactionCanceledException({
    message: 'Transaction cancelled',
    $metadata: {},
    CancellationReasons: [{ Code: 'ConditionalCheckFailed', Item }],
  });
  const withFields = Object.assign(new Error('failed'), {
    request: { headers: { Authorization: 'Bearer secret' }, body: 'secret' },
    $response: { headers: { 'set-cookie': 'secret' } },
    input: 'secret',
  });

  test.each<[string, unknown]>([
    ['a cancelled transaction, which contains items', cancelled],
    ['an error that carries a request and a response', withFields],
    ['a parser, whose message quotes the text', thrownBy(() => JSON.parse('{"token":secret'))],
    ['a schema', thrownBy(() => z.object({ a: z.number() }).parse({ a: 'secret', b: 'secret' }))],
    ['an error that was caused by one of these', new Error('failed', { cause: cancelled })],
    ['a cause that is no error', new Error('failed', { cause: { token: 'secret' } })],
    ['a refusal that was', new ApiError('contention', { cause: withFields })],
  ])('%s', async (_title, error) => {
    expect(error).toBeInstanceOf(Error);
    expect(JSON.stringify(await logged(error))).not.toContain('secret');
  });
});
