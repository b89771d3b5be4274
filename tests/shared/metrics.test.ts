import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '#shared/errors.ts';
import { countContentionRetry } from '#shared/table/metering.ts';
import { type Metrics, openMetrics } from '#shared/telemetry.ts';
import { openTestLedger } from '../support/builders/ledger.ts';
import { euroEntry } from '../support/builders/requests.ts';
import { apiEvent, keepReply, lambdaContext } from '../support/events/lambda-events.ts';
import { openInstance } from '../support/harnesses/instances.ts';
import { linesOf } from '../support/recorders/output.ts';

const requestId = apiEvent({}).requestContext.requestId;

beforeEach(() => {
  vi.stubEnv('POWERTOOLS_METRICS_NAMESPACE', 'Ledger/test');
  return () => vi.unstubAllEnvs();
});

/** A line in embedded metric format. */
const metricLine = (
  service: string,
  values: Record<string, number | number[]>,
  properties: Record<string, string>,
  units: Record<string, string> = {},
) => ({
  _aws: {
    Timestamp: expect.any(Number),
    CloudWatchMetrics: [
      {
        Namespace: 'Ledger/test',
        Dimensions: [['service']],
        Metrics: Object.keys(values).map((Name) => ({ Name, Unit: units[Name] ?? 'Count' })),
      },
    ],
  },
  service,
  ...values,
  ...properties,
});

describe('a request of create-journal-entry', async () => {
  const ledger = await openTestLedger();
  await ledger.createTenant('Acme');

  const entry = { domain_url: 'acme-k7m2xq', ...euroEntry() };

  /** Posts an entry after this. */
  const send = async (body: unknown, before: () => unknown = () => {}) => {
    const { createEntry } = openInstance({
      table: {
        ...ledger.table,
        getMany: async (keys) => {
          await before();
          return ledger.table.getMany(keys);
        },
      },
      clock: () => new Date('2026-03-24T12:00:00Z'),
      metrics: openMetrics('create-journal-entry'),
    });
    return keepReply(await createEntry(apiEvent({ body }), lambdaContext()));
  };
  const post = (...request: Parameters<typeof send>) => linesOf(() => send(...request));

  const line = (values: Record<string, number>, code = 'success') =>
    metricLine('create-journal-entry', values, {
      request_id: requestId,
      application_id: 'app1',
      code,
    });

  test.each<[string, object, Record<string, number>, string?]>([
    ['posts an entry counts it', {}, { EntriesPosted: 1, Requests: 1 }],
    [
      'schedules an entry counts it as such',
      { accrual_date: '2026-04-01' },
      { EntriesScheduled: 1, Requests: 1 },
    ],
    [
      'is refused counts as a client error',
      { memo: ' ' },
      { Requests: 1, ClientErrors: 1 },
      'validation_failed',
    ],
  ])('that %s', async (_, changes, values, code) => {
    expect(await post({ ...entry, ...changes })).toEqual([line(values, code)]);
  });

  test('that is repeated counts a replay', async () => {
    const body = { ...entry, external_id: 'once' };
    expect(await post(body)).toEqual([line({ EntriesPosted: 1, Requests: 1 })]);
    expect(await post(body)).toEqual([line({ Replays: 1, Requests: 1 })]);
  });

  test.each([
    ['an internal error counts it as a server error', new Error('broken'), 'ServerErrors'],
    ['a platform error counts it separately', new ApiError('platform_failed'), 'PlatformErrors'],
    ['contention counts it separately', new ApiError('contention'), 'ContentionRefusals'],
  ])('that meets %s', async (_, error, name) => {
    const code = error instanceof ApiError ? error.code : 'internal_error';
    const lines = await post(entry, () => Promise.reject(error));
    expect(lines).toEqual([line({ Requests: 1, [name]: 1 }, code)]);
  });

  test('with contention counts its retries', async () => {
    const lines = await post(entry, () => {
      countContentionRetry();
      countContentionRetry();
    });
    expect(lines).toEqual([line({ EntriesPosted: 1, Requests: 1, ContentionRetries: 2 })]);
  });
});

test('an error of a deployed version is counted again by version', async () => {
  const ended = (status: number, code: string) => ({
    requestId: 'request-1',
    applicationId: undefined,
    ...{ code, status, contentionRetries: 0, largeSheets: 0, failedCharges: 0 },
  });
  const lines = await linesOf(async () => {
    const metrics = openMetrics('test', '7');
    metrics.ended(ended(200, 'success'));
    metrics.ended(ended(503, 'contention'));
    metrics.ended(ended(502, 'platform_failed'));
    metrics.ended(ended(500, 'internal_error'));
  });
  const Metrics = [{ Name: 'ServerErrors', Unit: 'Count' }];
  expect(lines).toHaveLength(5);
  expect(lines[4]).toMatchObject({
    _aws: { CloudWatchMetrics: [{ Dimensions: [['service', 'version']], Metrics }] },
    ...{ service: 'test', version: '7', ServerErrors: 1 },
  });
});

describe('a metric line', () => {
  const request = {
    requestId: 'request-1',
    applicationId: undefined,
    code: 'success',
    status: 200,
  };
  const nothing = { contentionRetries: 0, largeSheets: 0, failedCharges: 0 };
  const write = (count: (metrics: Metrics) => void, costs = {}) =>
    linesOf(async () => {
      const metrics = openMetrics('test');
      count(metrics);
      metrics.ended({ ...request, ...nothing, ...costs });
    });
  const lineOf = (requestId: string, values: Record<string, number | number[]>, units = {}) => {
    const properties = { request_id: requestId, code: 'success' };
    return metricLine('test', { ...values, Requests: 1 }, properties, units);
  };

  test.each<[string, (metrics: Metrics) => void, Record<string, number | number[]>, object?]>([
    [
      'posted entries and stuck work',
      (metrics) => {
        for (const posted of [32, 8]) metrics.dueEntriesPosted(posted);
        metrics.workStuck();
      },
      { EntriesPosted: [32, 8], BackgroundWorkStuck: 1 },
    ],
    [
      'the pages, refused records and failure of an import',
      (metrics) => {
        metrics.importPageRead();
        metrics.importPageRead();
        metrics.recordsRefused(0);
        metrics.recordsRefused(3);
        metrics.importFailed();
      },
      { ImportPages: [1, 1], RecordsRefused: 3, ImportsFailed: 1 },
    ],
    [
      'the age of exchange rates, even if it is zero, and their refused days',
      (metrics) => {
        metrics.rateAge(0);
        metrics.rateDaysRefused(2);
      },
      { RateAgeDays: 0, RateDaysRefused: 2 },
      { RateAgeDays: 'None' },
    ],
  ])('contains %s', async (_title, count, values, units) => {
    expect(await write(count)).toEqual([lineOf('request-1', values, units)]);
  });

  test('contains large sheets and failed charges after the requests', async () => {
    const [line] = await write(() => {}, { largeSheets: 2, failedCharges: 1 });
    expect(line).toMatchObject({ Requests: 1, LargeSheets: 2, ChargesFailed: 1 });
  });

  test('contains nothing of the previous request', async () => {
    const lines = await linesOf(async () => {
      const metrics = openMetrics('test');
      metrics.replayed();
      metrics.ended({ ...request, ...nothing, applicationId: 'app1' });
      metrics.ended({ ...request, ...nothing, requestId: 'request-2' });
    });
    const first = expect.objectContaining({ application_id: 'app1', Replays: 1 });
    expect(lines).toEqual([first, lineOf('request-2', {})]);
  });

  test('is not written if metrics are disabled', async () => {
    vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'true');
    expect(await write((metrics) => metrics.replayed())).toEqual([]);
  });
});
