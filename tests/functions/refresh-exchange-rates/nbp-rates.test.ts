// The rates of the National Bank of Poland in runs of refresh-exchange-rates.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ScheduledEvent } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createHandler } from '#functions/refresh-exchange-rates/handler.ts';
import { openExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import type { DailyRates } from '#shared/rates/exchange-rates.ts';
import { historyXml, realDaysBetween } from '../../support/builders/ecb-files.ts';
import { nbpReply, realNbpDays } from '../../support/builders/nbp-tables.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';
import { lambdaContext } from '../../support/events/lambda-events.ts';
import { keepLog } from '../../support/recorders/log.ts';
import { keepMetrics } from '../../support/recorders/metrics.ts';

/** The days that the bank has published, the requested periods, and the status of replies. */
let published: readonly DailyRates[];
let periods: string[];
let failing: string | undefined;
let ecbStatus: number;

const site = createServer((request, response) => {
  const [, table, from = '', to = ''] =
    /^\/api\/exchangerates\/tables\/([AB])\/([\d-]+)\/([\d-]+)\/\?format=json$/.exec(
      request.url ?? '',
    ) ?? [];
  if (table === undefined) {
    response.writeHead(ecbStatus).end(historyXml(realDaysBetween('2026-03-16', '2026-04-13')));
    return;
  }
  if (table === 'A') periods.push(`${from} ${to}`);
  const tooLong = Date.parse(to) - Date.parse(from) > 93 * 86_400_000;
  if (failing === from || tooLong) return void response.writeHead(tooLong ? 400 : 500).end();
  const days = published.filter(({ date }) => date >= from && date <= to);
  if (days.length === 0) return void response.writeHead(404).end('404 NotFound');
  response.end(nbpReply(table as 'A' | 'B', days));
});

let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
});
afterAll(() => void site.close());

let database: Awaited<ReturnType<typeof openTestTable>>;
let metrics: ReturnType<typeof keepMetrics>;
let log: ReturnType<typeof keepLog>;
beforeEach(async () => {
  database = await openTestTable();
  metrics = keepMetrics();
  log = keepLog();
  periods = [];
  failing = undefined;
  ecbStatus = 200;
  published = realNbpDays.filter(({ date }) => date >= '2025-06-01');
});

const openRates = () => openExchangeRates(database.table, { maximumAgeDays: undefined });
const stored = () => openRates().list({ from: '2002-01-01', to: '2030-12-31' }, 'nbp');
const upTo = (date: string) => published.filter((day) => day.date <= date);

const refresh = (date: string) =>
  createHandler({
    exchangeRates: openRates(),
    sourceUrl: url,
    nbpUrl: `${url}api/`,
    timeoutSeconds: { recentDays: 5, allDays: 5, tables: 5 },
    log,
    metrics,
  })({ time: `${date}T16:30:00Z` } as ScheduledEvent, lambdaContext());

describe('refresh the rates of the National Bank of Poland', () => {
  test('begins with the last 93 days, then goes back in the history and on', async () => {
    expect(await refresh('2026-04-13')).toMatchObject({
      nbp_outcome: 'success',
      nbp_newest: '2026-04-08',
      nbp_age_days: 5,
      nbp_refused: [],
    });
    expect(periods).toEqual([
      '2026-01-11 2026-04-13',
      '2025-10-13 2026-01-13',
      '2025-07-14 2025-10-14',
    ]);
    expect(await stored()).toEqual(upTo('2026-04-13').filter(({ date }) => date >= '2025-07-14'));
    periods = [];
    await refresh('2026-04-16');
    // Nothing is older, so the history ends here.
    expect(periods).toEqual([
      '2026-03-08 2026-04-16',
      '2025-04-14 2025-07-15',
      '2025-03-03 2025-06-03',
    ]);
    expect(await stored()).toEqual(upTo('2026-04-16'));
    expect(metrics.events).toContainEqual(['nbpRateAge', 5]);
  });

  test('fills a gap of months, oldest first', async () => {
    await openRates().record(upTo('2025-08-31'), { publisher: 'nbp' });
    published = realNbpDays.filter(({ date }) => date >= '2025-07-01');
    await refresh('2026-04-13');
    const datesOf = (days: readonly DailyRates[]) => days.map(({ date }) => date);
    expect(datesOf(await stored()).filter((date) => date >= '2025-07-01')).toEqual(
      datesOf(upTo('2026-04-13')),
    );
  });

  test('continues where a run failed, and reports the age of the weekly table', async () => {
    failing = '2025-10-13';
    const failed = await refresh('2026-04-13');
    expect(failed).toMatchObject({ nbp_outcome: 'failed', nbp_newest: '2026-04-08' });
    expect(failed).not.toHaveProperty('nbp_added');
    expect(log.lines).toContainEqual([
      'no rates of the National Bank of Poland',
      {
        reason:
          `no exchange rates from ${url}api/exchangerates/tables/B/2025-10-13/2026-01-13/` +
          '?format=json: status 500',
      },
    ]);
    failing = undefined;
    await refresh('2026-04-13');
    expect(await stored()).toEqual(upTo('2026-04-13').filter(({ date }) => date >= '2025-07-14'));
  });

  test('refuses a currency that jumps, and stores the others of the day', async () => {
    published = published.map((day) =>
      day.date === '2026-04-08' ? { ...day, rates: { ...day.rates, AED: '9.99' } } : day,
    );
    const run = await refresh('2026-04-13');
    expect(run).toMatchObject({ nbp_refused: ['2026-04-08'], nbp_newest: '2026-04-01' });
    const last = (await stored()).at(-1);
    expect(last?.date).toBe('2026-04-08');
    expect(last?.rates).not.toHaveProperty('AED');
    expect(last?.rates).toHaveProperty('KWD');
    expect(metrics.events).toContainEqual(['rateDaysRefused', 1]);
  });
});

describe('a failure of one source does not stop the other:', () => {
  test('the NBP', async () => {
    failing = '2026-01-11';
    expect(await refresh('2026-04-13')).toMatchObject({
      added: realDaysBetween('2026-03-16', '2026-04-13').length,
      nbp_outcome: 'failed',
    });
  });

  test('the ECB', async () => {
    ecbStatus = 500;
    await expect(refresh('2026-04-13')).rejects.toThrow('status 500');
    expect((await stored()).at(-1)?.date).toBe('2026-04-08');
  });
});
