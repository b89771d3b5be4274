import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createHandler } from '#functions/create-journal-entry/handler.ts';
import { openPosting } from '#shared/entries/posting.service.ts';
import { ApiError } from '#shared/errors.ts';
import { type Metrics, openMetrics } from '#shared/metrics.ts';
import { countContentionRetry } from '#shared/table/metering.ts';
import { openTestLedger } from '../support/builders/ledger.ts';
import { apiEvent, keepReply, lambdaContext } from '../support/events/lambda-events.ts';
import { tenantToolsOf } from '../support/harnesses/tenant-tools.ts';
import { linesOf } from '../support/recorders/output.ts';

const requestId = apiEvent({}).requestContext.requestId;

beforeEach(() => {
  vi.stubEnv('POWERTOOLS_METRICS_NAMESPACE', 'Ledger/test');
  return () => vi.unstubAllEnvs();
});

/** A line in embedded metric format, whole. A value is a number, or its unit and the numbers. */
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

  const entry = {
    domain_url: 'acme-k7m2xq',
    date: '2026-03-23',
    memo: 'Consulting',
    transactionCurrency: 'EUR',
    reportingCurrency: 'EUR',
    entries: [
      { account: '1010', debit: '1.00' },
      { account: '4010', credit: '1.00' },
    ],
  };

  const send = async (body: unknown, findRate = ledger.exchangeRates.find) => {
    const handler = createHandler({
      posting: openPosting({
        ...ledger,
        exchangeRates: { ...ledger.exchangeRates, find: findRate },
        clock: () => new Date('2026-03-24T12:00:00Z'),
      }),
      ...tenantToolsOf(ledger.table),
      metrics: openMetrics('create-journal-entry'),
    });
    return keepReply(await handler(apiEvent({ body }), lambdaContext()));
  };
  const post = (...asked: Parameters<typeof send>) => linesOf(() => send(...asked));

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
      'is refused counts as an error of the caller, with its code',
      { memo: ' ' },
      { Requests: 1, ClientErrors: 1 },
      'validation_failed',
    ],
  ])('that %s', async (_, changes, values, code) => {
    expect(await post({ ...entry, ...changes })).toEqual([line(values, code)]);
  });

  test('that repeats another counts a replay and no entry', async () => {
    const body = { ...entry, external_id: 'once' };
    expect(await post(body)).toEqual([line({ EntriesPosted: 1, Requests: 1 })]);
    expect(await post(body)).toEqual([line({ Replays: 1, Requests: 1 })]);
  });

  test.each([
    ['a fault counts as an error of the server', new Error('broken'), 'ServerErrors'],
    ["a platform's failure is counted apart", new ApiError('platform_failed'), 'PlatformErrors'],
    ['contention is counted apart too', new ApiError('contention'), 'ContentionRefusals'],
  ])('that meets %s', async (_, error, name) => {
    const code = error instanceof ApiError ? error.code : 'internal_error';
    const lines = await post(entry, () => Promise.reject(error));
    expect(lines).toEqual([line({ Requests: 1, [name]: 1 }, code)]);
  });

  test('that met contention counts how often it tried again', async () => {
    const lines = await post(entry, async (...asked) => {
      countContentionRetry();
      countContentionRetry();
      return ledger.exchangeRates.find(...asked);
    });
    expect(lines).toEqual([line({ EntriesPosted: 1, Requests: 1, ContentionRetries: 2 })]);
  });
});

describe('the metrics of', () => {
  const common = {
    code: 'success',
    status: 200,
    contentionRetries: 0,
    largeSheets: 0,
    failedCharges: 0,
  };
  const write = (count: (metrics: Metrics) => void) =>
    linesOf(async () => {
      const metrics = openMetrics('test');
      count(metrics);
      metrics.ended({ ...common, requestId: 'request-1', applicationId: undefined });
    });
  const lineOf = (number: number, values: Record<string, number | number[]>, units = {}) => {
    const properties = { request_id: `request-${number}`, code: 'success' };
    return metricLine('test', { ...values, Requests: 1 }, properties, units);
  };

  test('work that changed large sheets', async () => {
    const lines = await linesOf(async () =>
      openMetrics('test').ended({
        ...common,
        largeSheets: 2,
        requestId: 'request-1',
        applicationId: undefined,
      }),
    );
    expect(lines).toEqual([lineOf(1, { Requests: 1, LargeSheets: 2 })]);
  });

  test('due entries that were posted, and work that became stuck', async () => {
    const lines = await write((metrics) => {
      for (const posted of [32, 8]) metrics.dueEntriesPosted(posted);
      metrics.workStuck();
    });
    expect(lines).toEqual([lineOf(1, { EntriesPosted: [32, 8], BackgroundWorkStuck: 1 })]);
  });

  test('an import: its pages, refused records and failure', async () => {
    const lines = await write((metrics) => {
      metrics.importPageRead();
      metrics.importPageRead();
      metrics.recordsRefused(0);
      metrics.recordsRefused(3);
      metrics.importFailed();
    });
    const counts = { ImportPages: [1, 1], RecordsRefused: 3, ImportsFailed: 1 };
    expect(lines).toEqual([lineOf(1, counts)]);
  });

  test('exchange rates: their age and the refused days', async () => {
    const lines = await write((metrics) => {
      metrics.rateAge(0);
      metrics.rateDaysRefused(2);
    });
    const values = { RateAgeDays: 0, RateDaysRefused: 2 };
    expect(lines).toEqual([lineOf(1, values, { RateAgeDays: 'None' })]);
  });

  test('one request do not show up in the line of the next', async () => {
    const lines = await linesOf(async () => {
      const metrics = openMetrics('test');
      metrics.replayed();
      metrics.ended({ ...common, requestId: 'request-1', applicationId: 'app1' });
      metrics.ended({ ...common, requestId: 'request-2', applicationId: undefined });
    });
    expect(lines).toEqual([expect.objectContaining({ application_id: 'app1' }), lineOf(2, {})]);
  });

  test('nothing are written where metrics are turned off', async () => {
    vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'true');
    expect(await write((metrics) => metrics.replayed())).toEqual([]);
  });
});
