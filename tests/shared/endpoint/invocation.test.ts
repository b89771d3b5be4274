import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createInvocationHandler } from '#shared/endpoint/invocation.ts';
import { lambdaContext } from '../../support/events/lambda-events.ts';
import { costFields, keepLog } from '../../support/recorders/log.ts';
import { endedWith, keepMetrics } from '../../support/recorders/metrics.ts';

const requestId = lambdaContext().awsRequestId;

const invoke = (
  event: unknown,
  handle: (invocation: {
    payload: { name: string };
    remainingMilliseconds: () => number;
  }) => Promise<{ outcome: string }>,
) => {
  const [log, metrics] = [keepLog(), keepMetrics()];
  const handler = createInvocationHandler(z.object({ name: z.string() }), handle, { log, metrics });
  return {
    result: handler(event, lambdaContext(1_234)),
    log: log.lines,
    metrics: metrics.events,
  };
};

const line = (more: object) => ({ request_id: requestId, ...costFields(), ...more });

test('an invocation has its payload and the time that is left, and one log line', async () => {
  const { result, log, metrics } = invoke({ name: 'a', more: 1 }, async (invocation) => {
    const { payload, remainingMilliseconds } = invocation;
    return { outcome: 'done_with', ...payload, left: remainingMilliseconds() };
  });
  expect(await result).toBeUndefined();
  expect(log).toEqual([['invocation', line({ outcome: 'done_with', name: 'a', left: 1_234 })]]);
  expect(metrics).toEqual([endedWith({ requestId, code: 'done_with', status: 200 })]);
});

const fault = new Error('the table is away');
test.each([
  ['fails', { name: 'a' }, fault],
  ['has a payload of another form', { name: 7 }, expect.any(z.core.$ZodError)],
])('an invocation that %s throws, and Lambda retries it', async (_, event, error) => {
  const { result, log, metrics } = invoke(event, () => Promise.reject(fault));
  await expect(result).rejects.toEqual(error);
  expect(log).toEqual([['invocation failed', line({ outcome: 'internal_error', error })]]);
  expect(metrics).toEqual([endedWith({ requestId, code: 'internal_error', status: 500 })]);
});
