import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '#shared/errors.ts';
import { countContentionRetry } from '#shared/table/metering.ts';
import { type Metrics, openLog, openMetrics } from '#shared/telemetry.ts';
import { openTestLedger } from '../support/builders/ledger.ts';
import { euroEntry } from '../support/builders/requests.ts';
import { apiEvent, keepReply, lambdaContext } from '../support/events/lambda-events.ts';
import { openInstance } from '../support/harnesses/instances.ts';
import { linesOf } from '../support/recorders/output.ts';

const requestId = apiEvent({}).requestContext.requestId;

beforeEach(() => {
  vi.stubEnv('POWERTOOLS_LOG_LEVEL', 'INFO');
  return () => vi.unstubAllEnvs();
});

/** The metrics of a line in embedded metric format. */
const metricFields = (values: Record<string, number>) => ({
  _aws: {
    Timestamp: expect.any(Number),
    CloudWatchMetrics: [
      {
        Namespace: 'Ledger/test',
        Dimensions: [['service']],
        Metrics: Object.keys(values).map((Name) => ({ Name })),
      },
    ],
  },
  ...values,
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
      metrics: openMetrics('Ledger/test'),
      log: openLog('create-journal-entry'),
    });
    return keepReply(await createEntry(apiEvent({ body }), lambdaContext()));
  };
  const post = (...request: Parameters<typeof send>) => linesOf(() => send(...request));

  const line = (values: Record<string, number>, outcome = 'success') =>
    expect.objectContaining({
      service: 'create-journal-entry',
      request_id: requestId,
      application_id: 'app1',
      tenant: 'acme-k7m2xq',
      outcome,
      ...metricFields(values),
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

  test('writes one line, of at most 600 bytes', async () => {
    const [written, ...more] = await post(entry);
    expect(more).toEqual([]);
    expect(JSON.stringify(written).length).toBeLessThanOrEqual(600);
  });

  test('with contention counts its retries', async () => {
    const lines = await post(entry, () => {
      countContentionRetry();
      countContentionRetry();
    });
    expect(lines).toEqual([line({ EntriesPosted: 1, Requests: 1, ContentionRetries: 2 })]);
  });
});

describe('the metrics of a line', () => {
  const request = { code: 'success', status: 200 };
  const nothing = { contentionRetries: 0, largeSheets: 0, failedCharges: 0 };
  const fieldsAfter = (count: (metrics: Metrics) => void, costs = {}) => {
    const metrics = openMetrics('Ledger/test');
    count(metrics);
    return metrics.ended({ ...request, ...nothing, ...costs });
  };

  test.each<[string, (metrics: Metrics) => void, Record<string, number>]>([
    [
      'posted entries and stuck work',
      (metrics) => {
        for (const posted of [32, 8]) metrics.dueEntriesPosted(posted);
        metrics.workStuck();
      },
      { EntriesPosted: 40, BackgroundWorkStuck: 1 },
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
      { ImportPages: 2, RecordsRefused: 3, ImportsFailed: 1 },
    ],
    [
      'the age of exchange rates, even if it is zero, and their refused days',
      (metrics) => {
        metrics.rateAge(0);
        metrics.rateDaysRefused(2);
      },
      { RateAgeDays: 0, RateDaysRefused: 2 },
    ],
  ])('contain %s', (_title, count, values) => {
    expect(fieldsAfter(count)).toEqual(metricFields({ ...values, Requests: 1 }));
  });

  test('contain large sheets and failed charges after the requests', () => {
    const fields = fieldsAfter(() => {}, { largeSheets: 2, failedCharges: 1 });
    expect(fields).toMatchObject({ Requests: 1, LargeSheets: 2, ChargesFailed: 1 });
  });

  test('contain nothing of the previous request', () => {
    const metrics = openMetrics('Ledger/test');
    metrics.replayed();
    const first = metrics.ended({ ...request, ...nothing });
    expect(first).toEqual(metricFields({ Replays: 1, Requests: 1 }));
    expect(metrics.ended({ ...request, ...nothing })).toEqual(metricFields({ Requests: 1 }));
  });

  test('are missing without a namespace', () => {
    const metrics = openMetrics(undefined);
    metrics.replayed();
    expect(metrics.ended({ ...request, ...nothing })).toEqual({});
  });

  test('contain the errors of a deployed version again by version, and nothing else', () => {
    const metrics = openMetrics('Ledger/test', '7');
    const ended = (code: string, status: number) =>
      metrics.ended({ ...nothing, code, status }) as ReturnType<typeof metricFields>;
    const failed = ended('internal_error', 500);
    expect(failed).toMatchObject({ version: '7', Requests: 1, ServerErrors: 1 });
    expect(failed._aws.CloudWatchMetrics).toMatchObject([
      { Dimensions: [['service']], Metrics: [{ Name: 'Requests' }, { Name: 'ServerErrors' }] },
      { Dimensions: [['service', 'version']], Metrics: [{ Name: 'ServerErrors' }] },
    ]);
    for (const other of [ended('contention', 503), ended('platform_failed', 502)]) {
      expect(other._aws.CloudWatchMetrics).toHaveLength(1);
      expect(other).not.toHaveProperty('version');
    }
  });
});
