import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ScheduledEvent } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createHandler, type Dependencies } from '#functions/refresh-exchange-rates/handler.ts';
import { openExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import type { DailyRates } from '#shared/rates/exchange-rates.ts';
import { historyXml, realDay, realDaysBetween } from '../../support/builders/ecb-files.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';
import { lambdaContext } from '../../support/events/lambda-events.ts';
import { keepLog } from '../../support/recorders/log.ts';
import { keepMetrics } from '../../support/recorders/metrics.ts';

/** The bank's site: its replies for its two files, and the requested files. */
type Answer = string | ((response: ServerResponse) => void);
const recentFile = '/stats/eurofxref/eurofxref-hist-90d.xml';
const historyFile = '/stats/eurofxref/eurofxref-hist.xml';
let answers: Record<string, Answer>;
let asked: string[];

const site = createServer((request, response) => {
  if (!request.url?.startsWith('/nbp/')) asked.push(request.url ?? '');
  const answer = answers[request.url ?? ''];
  if (typeof answer === 'function') answer(response);
  else if (answer === undefined) response.writeHead(404).end();
  else response.setHeader('Content-Type', 'text/xml').end(answer);
});

/** Real days of seven months; 62 working days make up the last ninety. */
const upTo = (newest: string) => realDaysBetween('2025-09-15', newest);
const publish = (days: readonly DailyRates[]) => {
  answers = { [recentFile]: historyXml(days.slice(-62)), [historyFile]: historyXml(days) };
};

let sourceUrl: string;
let nbpUrl: string;
let database: Awaited<ReturnType<typeof openTestTable>>;
let log: ReturnType<typeof keepLog>;
let metrics: ReturnType<typeof keepMetrics>;

beforeAll(async () => {
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  const { port } = site.address() as AddressInfo;
  sourceUrl = `http://127.0.0.1:${port}/stats/eurofxref/`;
  // 404 means that the period has no tables.
  nbpUrl = `http://127.0.0.1:${port}/nbp/`;
});

afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await once(site, 'close');
});

beforeEach(async () => {
  database = await openTestTable();
  log = keepLog();
  metrics = keepMetrics();
  asked = [];
});

const openRates = () => openExchangeRates(database.table, { maximumAgeDays: undefined });
const storedDays = () => openRates().list({ from: '1999-01-01', to: '2030-12-31' });

const refresh = async (time: string, options: Partial<Dependencies> = {}) => {
  const handler = createHandler({
    exchangeRates: openRates(),
    sourceUrl,
    nbpUrl,
    timeoutSeconds: { recentDays: 10, allDays: 10, tables: 10 },
    log,
    metrics,
    ...options,
  });
  return handler({ time } as ScheduledEvent, lambdaContext());
};

/** The summary of a run without irregularities. */
const counted = { completed: 0, differing: [], refused: [] };
const quiet = {
  ...counted,
  nbp_outcome: 'success',
  nbp_added: 0,
  nbp_completed: 0,
  nbp_differing: [],
  nbp_refused: [],
};

describe('refresh exchange rates', () => {
  test('the first run adds all days, and the next run nothing', async () => {
    publish(upTo('2026-03-20'));
    const added = upTo('2026-03-20').length;
    const first = { ...quiet, added, newest: '2026-03-20', age_days: 1 };
    expect(await refresh('2026-03-21T16:30:00Z')).toEqual(first);
    expect(await storedDays()).toEqual(upTo('2026-03-20'));
    const second = { ...first, added: 0, age_days: 2 };
    expect(await refresh('2026-03-22T16:30:00Z')).toEqual(second);
    expect(asked).toEqual([recentFile, historyFile, recentFile]);
    expect(log.lines).toMatchObject([
      ['run', first],
      ['run', second],
    ]);
  });

  test('a new day is added from the file of recent days', async () => {
    await openRates().record(upTo('2026-03-20'));
    publish(upTo('2026-03-23'));
    const summary = { ...quiet, added: 1, newest: '2026-03-23', age_days: 0 };
    expect(await refresh('2026-03-23T16:30:00Z')).toEqual(summary);
    expect(await storedDays()).toEqual(upTo('2026-03-23'));
    expect(asked).toEqual([recentFile]);
  });

  test.each<[string, readonly DailyRates[], string[]]>([
    ['an outage of weeks: the recent days', upTo('2026-02-02'), [recentFile]],
    ['an outage beyond the recent days: all days', upTo('2025-10-01'), [recentFile, historyFile]],
    [
      'a newest day that was loaded by itself: all days',
      [...upTo('2025-10-01'), realDay('2026-04-13')],
      [recentFile, historyFile],
    ],
  ])('the gap is filled after %s', async (_, stored, files) => {
    await openRates().record(stored);
    publish(upTo('2026-04-13'));
    expect(await refresh('2026-04-13T16:30:00Z')).toMatchObject({ newest: '2026-04-13' });
    expect(await storedDays()).toEqual(upTo('2026-04-13'));
    expect(asked).toEqual(files);
  });

  test('changed rates of a stored day are reported without an error, and not stored', async () => {
    await openRates().record(upTo('2026-03-20'));
    const revised = upTo('2026-03-23').map((day) =>
      day.date === '2026-03-19' ? { ...day, rates: { ...day.rates, USD: '1.2' } } : day,
    );
    publish(revised);
    const error = () => expect.unreachable('an alarm would ring for as long as the day is there');
    expect(await refresh('2026-03-23T16:30:00Z', { log: { ...log, error } })).toEqual({
      ...quiet,
      added: 1,
      newest: '2026-03-23',
      differing: ['2026-03-19'],
      age_days: 0,
    });
    expect(await storedDays()).toEqual(upTo('2026-03-23'));
    expect(log.lines).toContainEqual([
      'stored rates differ from the source and stay unchanged',
      { dates: ['2026-03-19'] },
    ]);
  });

  test('a day whose rate jumps is refused, counted and logged; others are added', async () => {
    await openRates().record(upTo('2026-03-20'));
    const published = upTo('2026-03-24').map((day) =>
      day.date === '2026-03-23' ? { ...day, rates: { ...day.rates, USD: '11.596' } } : day,
    );
    publish(published);
    const summary = { ...quiet, refused: ['2026-03-23'], newest: '2026-03-24', age_days: 0 };
    expect(await refresh('2026-03-24T16:30:00Z')).toEqual({ ...summary, added: 1 });
    expect(await refresh('2026-03-24T19:30:00Z')).toEqual({ ...summary, added: 0 });
    const good = upTo('2026-03-24').filter(({ date }) => date !== '2026-03-23');
    expect(await storedDays()).toEqual(good);
    expect(metrics.events.filter(([name]) => name === 'rateDaysRefused')).toEqual([
      ['rateDaysRefused', 1],
      ['rateDaysRefused', 1],
    ]);
    const jump = { date: '2026-03-23', currency: 'USD', rate: '11.596' };
    expect(log.lines).toContainEqual([
      'a day is refused because a rate jumps',
      { ...jump, date_before: '2026-03-20', rate_before: '1.1555' },
    ]);
  });

  test('a run that fails still reports the age of the newest day', async () => {
    await openRates().record(upTo('2026-03-20'));
    answers = {};
    await expect(refresh('2026-03-24T16:30:00Z')).rejects.toThrow('status 404');
    expect(metrics.events.map(([name, told]) => [name, told])).toEqual([
      ['rateAge', 4],
      ['ended', expect.objectContaining({ code: 'internal_error', status: 500 })],
    ]);
  });

  test('a late run accepts the file of the next day', async () => {
    publish(upTo('2026-03-24'));
    // The setting may omit the last slash.
    const options = { sourceUrl: sourceUrl.slice(0, -1) };
    const summary = await refresh('2026-03-23T22:30:00Z', options);
    expect(summary).toMatchObject({ newest: '2026-03-24', age_days: -1 });
    expect(asked).toEqual([recentFile, historyFile]);
  });
});

describe('a run fails with the address and the cause, and adds nothing', () => {
  const days = upTo('2026-03-23');
  const answer = (status: number, body: string) => (response: ServerResponse) =>
    void response.writeHead(status).end(body);
  const silence = () => {};
  const half = (response: ServerResponse) => void response.write(historyXml(days).slice(0, 5_000));
  const brokenOff = (response: ServerResponse) => {
    response.writeHead(200, { 'Content-Length': '100000' });
    response.write('<?xml version="1.0"?>', () => response.destroy());
  };

  test.each<[string, Answer, string]>([
    ['for a page', '<html><body>Sorry</body></html>', 'not a file of reference rates'],
    ['for a truncated file', historyXml(days).slice(0, -40), 'not well-formed XML'],
    ['for a broken connection', brokenOff, 'terminated'],
    ['for a status of 500', answer(500, historyXml(days)), 'status 500'],
    ['without a reply', silence, 'aborted due to timeout'],
    ['for a reply that does not end', half, 'aborted due to timeout'],
    [
      'for a newest day in the future',
      historyXml(upTo('2026-03-25')),
      'the newest day is in the future: 2026-03-25',
    ],
  ])('%s', async (_, failure, cause) => {
    answers = { [recentFile]: failure, [historyFile]: historyXml(days) };
    const run = refresh('2026-03-23T16:30:00Z', {
      timeoutSeconds: { recentDays: 0.1, allDays: 10, tables: 10 },
    });
    await expect(run).rejects.toThrow(`no exchange rates from ${sourceUrl}eurofxref-hist-90d.xml`);
    await expect(run).rejects.toThrow(cause);
    expect(asked).toEqual([recentFile]);
    expect(await database.scan()).toEqual([]);
  });

  test('for an incomplete file of all days', async () => {
    answers = { [recentFile]: historyXml(days.slice(-62)), [historyFile]: half };
    const run = refresh('2026-03-23T16:30:00Z', {
      timeoutSeconds: { recentDays: 10, allDays: 0.1, tables: 10 },
    });
    await expect(run).rejects.toThrow(`${sourceUrl}eurofxref-hist.xml: The operation was aborted`);
    expect(await database.scan()).toEqual([]);
  });

  test('without a server', async () => {
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    gone.close();
    await once(gone, 'close');
    await expect(
      refresh('2026-03-23T16:30:00Z', { sourceUrl: `http://127.0.0.1:${port}/` }),
    ).rejects.toThrow(
      `no exchange rates from http://127.0.0.1:${port}/eurofxref-hist-90d.xml: fetch failed: ` +
        `connect ECONNREFUSED 127.0.0.1:${port}`,
    );
  });
});
