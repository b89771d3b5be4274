import type { ScheduledEvent } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { meterCall } from '#shared/table-metering.ts';
import { createScheduleHandler } from '#shared/triggers/schedule.ts';
import { lambdaContext } from '../../support/events/lambda-events.ts';
import { costFields, keepLog } from '../../support/recorders/log.ts';
import { keepMetrics } from '../../support/recorders/metrics.ts';

const event: ScheduledEvent = {
  version: '0',
  id: '53dc4d37-cffa-4f76-80c9-8b7d4a4d2eaa',
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account: '123456789012',
  time: '2026-03-23T09:30:00Z',
  region: 'eu-west-1',
  resources: ['arn:aws:events:eu-west-1:123456789012:rule/test'],
  detail: {},
};

const line = (outcome: string, more: object) => ({
  request_id: lambdaContext().awsRequestId,
  scheduled_for: event.time,
  outcome,
  ...costFields(),
  ...more,
});

const ending = (code: string, status: number) => [
  'ended',
  {
    requestId: lambdaContext().awsRequestId,
    applicationId: undefined,
    code,
    status,
    contentionRetries: 0,
  },
];

describe('a scheduled run', () => {
  test('is for the moment it was scheduled for, however late it starts', async () => {
    let seen: unknown;
    const handler = createScheduleHandler(
      async ({ scheduledFor, remainingMilliseconds }) => {
        seen = [scheduledFor, remainingMilliseconds()];
        return {};
      },
      { log: keepLog(), metrics: keepMetrics() },
    );
    await handler(event, lambdaContext(1_234));
    expect(seen).toEqual([new Date('2026-03-23T09:30:00.000Z'), 1_234]);
  });

  test('says what it did, in its result and in one log line', async () => {
    const log = keepLog();
    const metrics = keepMetrics();
    const handler = createScheduleHandler(
      async () => {
        await meterCall({ operation: 'Query', input: {} }, async () => ({}));
        return { posted: 3, failed: 0 };
      },
      { log, metrics },
    );
    expect(await handler(event, lambdaContext())).toEqual({ posted: 3, failed: 0 });
    expect(log.lines).toEqual([['run', line('success', { posted: 3, failed: 0, table_calls: 1 })]]);
    expect(metrics.events).toEqual([ending('success', 200)]);
  });

  test('fails where its work fails, so that it is tried again and the alarm rings', async () => {
    const fault = new Error('the feed is away');
    const log = keepLog();
    const metrics = keepMetrics();
    const handler = createScheduleHandler(() => Promise.reject(fault), { log, metrics });
    await expect(handler(event, lambdaContext())).rejects.toBe(fault);
    expect(log.lines).toEqual([['run failed', line('internal_error', { error: fault })]]);
    expect(metrics.events).toEqual([ending('internal_error', 500)]);
  });
});
