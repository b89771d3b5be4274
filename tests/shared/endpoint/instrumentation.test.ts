import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { instrument } from '#shared/endpoint/instrumentation.ts';
import { meterCall } from '#shared/table/metering.ts';
import { keepLog } from '../../support/recorders/log.ts';
import { keepMetrics } from '../../support/recorders/metrics.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const usual = 'b5c5b7f5-8a3c-4d5f-9b0a-0123456789ab';
const sampled = 'b5c5b7f5-8a3c-4d5f-9b0a-012345678900';
const fault = new Error('the table is away');

type Case = { id?: string; milliseconds?: number; answered?: Error; thrown?: Error };

test.each<[string, Case, 'shows' | 'does not show']>([
  ['nearly slow', { milliseconds: 1_999 }, 'does not show'],
  ['slow', { milliseconds: 2_000 }, 'shows'],
  ['sampled by its id', { id: sampled }, 'shows'],
  ['answered with a fault of ours', { answered: fault }, 'shows'],
  ['broken off by a fault', { thrown: fault }, 'shows'],
])('the log line of work that is %s: %o %s its calls', async (_title, how, shows) => {
  const { id = usual, milliseconds = 10, answered, thrown } = how;
  const log = keepLog();
  const work = () =>
    meterCall({ operation: 'Query', input: {} }, async () => {
      vi.advanceTimersByTime(milliseconds);
      if (thrown) throw thrown;
      return {};
    });
  const telemetry = { log, metrics: keepMetrics() };
  await instrument(work, telemetry, {
    name: 'request',
    about: { request_id: id },
    summarize: () => ({ outcome: 'success', status: 200, fields: {}, fault: answered }),
  }).catch(() => {});
  const error = answered ?? thrown;
  expect(log.lines).toEqual([
    [
      error ? 'request failed' : 'request',
      {
        request_id: id,
        outcome: thrown ? 'internal_error' : 'success',
        duration_ms: milliseconds,
        table_calls: 1,
        capacity_units: 0,
        write_units: 0,
        ...(shows === 'shows' && {
          calls: [{ operation: 'Query', after_ms: 0, ms: milliseconds, units: 0 }],
        }),
        ...(error && { error }),
      },
    ],
  ]);
});
