import type { ScheduledEvent } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { createScheduleHandler } from '#shared/endpoint/schedule.ts';
import { meterCall } from '#shared/table/metering.ts';
import { lambdaContext } from '../../support/events/lambda-events.ts';
import { costFields, keepLog } from '../../support/recorders/log.ts';
import { endedWith, keepMetrics } from '../../support/recorders/metrics.ts';

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

const requestId = lambdaContext().awsRequestId;

const runWith = (
  run: Parameters<typeof createScheduleHandler>[0],
  milliseconds?: number,
  sent: Partial<ScheduledEvent> | null = event,
) => {
  const [log, metrics] = [keepLog(), keepMetrics()];
  const result = createScheduleHandler(run, { log, metrics })(sent, lambdaContext(milliseconds));
  return { result, log: log.lines, metrics: metrics.events };
};

const line = (outcome: string, tableCalls: number, more: object) => ({
  request_id: requestId,
  scheduled_for: event.time,
  outcome,
  ...costFields(tableCalls),
  ...more,
});

describe('a scheduled run', () => {
  test('is for the moment it was scheduled for, however late it starts', async () => {
    let seen: unknown;
    await runWith(async ({ scheduledFor, remainingMilliseconds }) => {
      seen = [scheduledFor, remainingMilliseconds()];
      return {};
    }, 1_234).result;
    expect(seen).toEqual([new Date('2026-03-23T09:30:00.000Z'), 1_234]);
  });

  test.each([
    ['an empty event', {}],
    ['no event', null],
  ])('that somebody starts by hand with %s is for now', async (_, sent) => {
    const before = Date.now();
    let seen = 0;
    const run = async ({ scheduledFor }: { scheduledFor: Date }) => {
      seen = scheduledFor.getTime();
      return {};
    };
    await runWith(run, 1_234, sent).result;
    expect(seen).toBeGreaterThanOrEqual(before);
    expect(seen).toBeLessThanOrEqual(Date.now());
  });

  test('with an invalid time fails', async () => {
    const { result } = runWith(async () => ({}), 1_234, { time: 'yesterday' });
    await expect(result).rejects.toThrow('time is not valid: yesterday');
  });

  test('returns and logs its summary', async () => {
    const did = { posted: 3, failed: 0 };
    const { result, log, metrics } = runWith(async () => {
      await meterCall({ operation: 'Query', input: {} }, async () => ({}));
      return did;
    });
    expect(await result).toEqual(did);
    expect(log).toEqual([['run', line('success', 1, did)]]);
    expect(metrics).toEqual([endedWith({ requestId, code: 'success', status: 200 })]);
  });

  test('that fails is counted as an error and thrown', async () => {
    const error = new Error('the feed is away');
    const { result, log, metrics } = runWith(() => Promise.reject(error));
    await expect(result).rejects.toBe(error);
    expect(log).toEqual([['run failed', line('internal_error', 0, { error })]]);
    expect(metrics).toEqual([endedWith({ requestId, code: 'internal_error', status: 500 })]);
  });
});
