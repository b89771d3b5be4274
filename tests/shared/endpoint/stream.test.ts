import { describe, expect, test } from 'vitest';
import { createStreamHandler } from '#shared/endpoint/stream.ts';
import { meterCall } from '#shared/table/metering.ts';
import { lambdaContext } from '../../support/events/lambda-events.ts';
import { streamEvent } from '../../support/events/stream-events.ts';
import { costFields, keepLog } from '../../support/recorders/log.ts';
import { endedWith, keepMetrics } from '../../support/recorders/metrics.ts';

const items = [{ name: 'one' }, { name: 'two' }, { name: 'three' }, { name: 'four' }];

/** Handles records, failing at those of these names, and notes when each began and ended. */
const handleFailingAt = (...failing: string[]) => {
  const steps: string[] = [];
  const log = keepLog();
  const metrics = keepMetrics();
  const handler = createStreamHandler(
    async ({ item }) => {
      steps.push(`${item.name} begins`);
      await meterCall({ operation: 'UpdateItem', input: {} }, async () => ({}));
      if (failing.includes(String(item.name))) throw new Error(`no ${item.name}`);
      steps.push(`${item.name} ends`);
      return { outcome: 'success', handled: item.name };
    },
    { log, metrics },
  );
  return { handler, steps, log: log.lines, metrics };
};

const requestId = lambdaContext().awsRequestId;
const line = (sequenceNumber: number, more: object) => ({
  request_id: requestId,
  sequence_number: String(sequenceNumber),
  outcome: 'success',
  ...costFields(1),
  ...more,
});
const succeeded = endedWith({ requestId, code: 'success', status: 200 });
const failed = endedWith({ requestId, code: 'internal_error', status: 500 });
const failuresAt = (...sequenceNumbers: string[]) => ({
  batchItemFailures: sequenceNumbers.map((itemIdentifier) => ({ itemIdentifier })),
});

/** An event with one item and this stream record. */
const recordOf = (item: Record<string, unknown>, dynamodb: object) => {
  const event = streamEvent(item);
  return { Records: event.Records.map((it) => ({ ...it, dynamodb })) };
};

describe('records of the stream', () => {
  test('are handled sequentially, each with a log line', async () => {
    const { handler, steps, log, metrics } = handleFailingAt();
    const event = streamEvent(...items.slice(0, 2));
    expect(await handler(event, lambdaContext())).toEqual(failuresAt());
    expect(steps).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
    expect(log).toEqual([
      ['record', line(1, { handled: 'one' })],
      ['record', line(2, { handled: 'two' })],
    ]);
    expect(metrics.events).toEqual([succeeded, succeeded]);
  });

  test('stop at the first failure, and the batch reports it', async () => {
    const { handler, steps, log, metrics } = handleFailingAt('two', 'three');
    expect(await handler(streamEvent(...items), lambdaContext())).toEqual(failuresAt('2'));
    expect(steps).toEqual(['one begins', 'one ends', 'two begins']);
    expect(log).toEqual([
      ['record', line(1, { handled: 'one' })],
      [
        'record failed',
        line(2, {
          outcome: 'internal_error',
          error: new Error('no two'),
          calls: [expect.anything()],
        }),
      ],
    ]);
    expect(metrics.events).toEqual([succeeded, failed]);
  });

  test('contain the item after the change', async () => {
    const seen: unknown[] = [];
    const handler = createStreamHandler(
      async ({ item }) => {
        seen.push(item);
        return { outcome: 'success' };
      },
      { log: keepLog(), metrics: keepMetrics() },
    );
    const item = { pk: 'a', count: 7, none: null, nested: { list: ['x', true] } };
    await handler(streamEvent(item), lambdaContext());
    expect(seen).toEqual([item]);
  });

  test('of a removal carry an empty item', async () => {
    const { handler, steps } = handleFailingAt();
    const removal = recordOf({}, { SequenceNumber: '9' });
    expect(await handler(removal, lambdaContext())).toEqual(failuresAt());
    expect(steps).toEqual(['undefined begins', 'undefined ends']);
  });

  test('that are unreadable are reported as failures', async () => {
    const { handler, steps } = handleFailingAt();
    const broken = { SequenceNumber: '7', NewImage: { name: { X: 'no such type' } } };
    expect(await handler(recordOf({}, broken), lambdaContext())).toEqual(failuresAt('7'));
    expect(steps).toEqual([]);
  });

  // Lambda takes an empty identifier as the failure of the whole batch.
  test('without a sequence number are reported as a whole batch', async () => {
    const { handler } = handleFailingAt('undefined');
    expect(await handler(recordOf({}, {}), lambdaContext())).toEqual(failuresAt(''));
  });
});
