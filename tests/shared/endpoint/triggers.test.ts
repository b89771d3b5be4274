// The background triggers: schedule, invocation and stream.

import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createInvocationHandler } from '#shared/endpoint/invocation.ts';
import { createScheduleHandler } from '#shared/endpoint/schedule.ts';
import { createStreamHandler } from '#shared/endpoint/stream.ts';
import { meterCall } from '#shared/table/metering.ts';
import { lambdaContext } from '../../support/events/lambda-events.ts';
import { streamEvent } from '../../support/events/stream-events.ts';
import { costFields, keepLog } from '../../support/recorders/log.ts';
import { endedWith, keepMetrics } from '../../support/recorders/metrics.ts';

const requestId = lambdaContext().awsRequestId;
const countTableCall = () =>
  meterCall({ operation: 'Query', input: {} }, async (): Promise<object> => ({}));

const openTelemetry = () => ({ log: keepLog(), metrics: keepMetrics() });
const ended = (code: string, status = 200) => endedWith({ code, status });
const line = (outcome: string, tableCalls: number, more: object) => ({
  request_id: requestId,
  outcome,
  ...costFields(tableCalls),
  ...more,
});

describe('a scheduled run', () => {
  const time = '2026-03-23T09:30:00Z';
  type Run = Parameters<typeof createScheduleHandler>[0];
  const start = (run: Run, event: { time?: string } | null = { time }) => {
    const telemetry = openTelemetry();
    const result = createScheduleHandler(run, telemetry)(event, lambdaContext(1_234));
    return { result, log: telemetry.log.lines, metrics: telemetry.metrics.events };
  };

  test('returns and logs its summary', async () => {
    const { result, log, metrics } = start(async ({ scheduledFor, remainingMilliseconds }) => {
      await countTableCall();
      return { for: scheduledFor.toISOString(), left: remainingMilliseconds() };
    });
    const summary = { for: '2026-03-23T09:30:00.000Z', left: 1_234 };
    expect(await result).toEqual(summary);
    expect(log).toEqual([['run', line('success', 1, { scheduled_for: time, ...summary })]]);
    expect(metrics).toEqual([ended('success')]);
  });

  test('that fails is counted as an error and thrown', async () => {
    const error = new Error('the feed is away');
    const { result, log, metrics } = start(() => Promise.reject(error));
    await expect(result).rejects.toBe(error);
    const fields = line('internal_error', 0, { scheduled_for: time, error });
    expect(log).toEqual([['run failed', fields]]);
    expect(metrics).toEqual([ended('internal_error', 500)]);
  });

  test.each([{}, null])('with the event %j of a manual start is for now', async (event) => {
    const before = Date.now();
    const { result } = start(async ({ scheduledFor }) => ({ at: scheduledFor.getTime() }), event);
    const { at } = await result;
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now());
  });

  test('with an invalid time fails', async () => {
    const { result } = start(async () => ({}), { time: 'yesterday' });
    await expect(result).rejects.toThrow('time is not valid: yesterday');
  });
});

describe('an invocation', () => {
  const schema = z.object({ name: z.string() });
  const invoke = (
    event: unknown,
    handle: Parameters<typeof createInvocationHandler<typeof schema>>[1],
  ) => {
    const telemetry = openTelemetry();
    const result = createInvocationHandler(schema, handle, telemetry)(event, lambdaContext(1_234));
    return { result, log: telemetry.log.lines, metrics: telemetry.metrics.events };
  };

  test('has a payload and a time limit, and logs its summary', async () => {
    const { result, log, metrics } = invoke({ name: 'a', more: 1 }, async (invocation) => ({
      outcome: 'paused',
      ...invocation.payload,
      left: invocation.remainingMilliseconds(),
    }));
    expect(await result).toBeUndefined();
    expect(log).toEqual([['invocation', line('paused', 0, { name: 'a', left: 1_234 })]]);
    expect(metrics).toEqual([ended('paused')]);
  });

  const fault = new Error('the table is away');
  test.each([
    ['fails', { name: 'a' }, fault],
    ['has an invalid payload', { name: 7 }, expect.any(z.core.$ZodError)],
  ])('that %s throws, and Lambda retries it', async (_title, event, error) => {
    const { result, log, metrics } = invoke(event, () => Promise.reject(fault));
    await expect(result).rejects.toEqual(error);
    expect(log).toEqual([['invocation failed', line('internal_error', 0, { error })]]);
    expect(metrics).toEqual([ended('internal_error', 500)]);
  });
});

describe('records of the stream', () => {
  /** Handles records and fails at those with these names. */
  const handleFailingAt = (...failing: string[]) => {
    const steps: unknown[] = [];
    const telemetry = openTelemetry();
    const handler = createStreamHandler(async ({ item }) => {
      steps.push(item);
      await countTableCall();
      if (failing.includes(String(item.name))) throw new Error(`no ${item.name}`);
      steps.push('handled');
      return { outcome: 'success', name: item.name };
    }, telemetry);
    return { handler, steps, log: telemetry.log.lines, metrics: telemetry.metrics.events };
  };
  const failuresAt = (...sequenceNumbers: string[]) => ({
    batchItemFailures: sequenceNumbers.map((itemIdentifier) => ({ itemIdentifier })),
  });
  const eventOf = (dynamodb: object) => ({
    Records: streamEvent({}).Records.map((it) => ({ ...it, dynamodb })),
  });
  const [one, two] = [
    { name: 'one', count: 7, nested: { list: ['x', true, null] } },
    { name: 'two' },
  ];

  test('are handled sequentially, each with a log line', async () => {
    const { handler, steps, log, metrics } = handleFailingAt();
    expect(await handler(streamEvent(one, two), lambdaContext())).toEqual(failuresAt());
    expect(steps).toEqual([one, 'handled', two, 'handled']);
    expect(log).toEqual([
      ['record', line('success', 1, { sequence_number: '1', name: 'one' })],
      ['record', line('success', 1, { sequence_number: '2', name: 'two' })],
    ]);
    expect(metrics).toEqual([ended('success'), ended('success')]);
  });

  test('stop at the first failure, and the batch reports it', async () => {
    const { handler, steps, log, metrics } = handleFailingAt('two', 'three');
    const event = streamEvent(one, two, { name: 'three' });
    expect(await handler(event, lambdaContext())).toEqual(failuresAt('2'));
    expect(steps).toEqual([one, 'handled', two]);
    const failure = { error: new Error('no two'), calls: [expect.anything()] };
    expect(log.slice(1)).toEqual([
      ['record failed', line('internal_error', 1, { sequence_number: '2', ...failure })],
    ]);
    expect(metrics).toEqual([ended('success'), ended('internal_error', 500)]);
  });

  const unreadable = { SequenceNumber: '7', NewImage: { name: { X: 'unknown type' } } };
  test.each<[string, object, string[], unknown[]]>([
    ['of a deletion have an empty item', { SequenceNumber: '9' }, [], [{}, 'handled']],
    ['that are unreadable are reported as failures', unreadable, ['7'], []],
  ])('%s', async (_title, dynamodb, failures, expected) => {
    const { handler, steps } = handleFailingAt();
    expect(await handler(eventOf(dynamodb), lambdaContext())).toEqual(failuresAt(...failures));
    expect(steps).toEqual(expected);
  });

  // Lambda interprets an empty identifier as a failure of the whole batch.
  test('without a sequence number are reported as a whole batch', async () => {
    const { handler } = handleFailingAt('undefined');
    expect(await handler(eventOf({}), lambdaContext())).toEqual(failuresAt(''));
  });
});
