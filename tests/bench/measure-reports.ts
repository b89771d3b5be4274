// Measures reports on books of three sizes, over HTTP and in their handlers.

import type { Context } from 'aws-lambda';
import { handler as getAccountLedger } from '#functions/get-account-ledger/index.ts';
import { handler as getTrialBalance } from '#functions/get-trial-balance/index.ts';
import { costOf } from '../support/dynamodb/costs.ts';
import { lambdaContext } from '../support/events/lambda-events.ts';
import type { BenchEnvironment } from './environment.ts';
import { fill } from './fill.ts';
import { type Call, dataOf, openApplication } from './functions.ts';
import { type Times, timeCall } from './measure-operations.ts';
import { type BooksSize, booksItems, booksSizes, lastDayOf } from './report-books.ts';
import { spreadOf } from './statistics.ts';

export type ReportResult = Awaited<ReturnType<typeof measureReport>>;

export type ReportsResult = {
  date: string;
  seconds: number;
  reports: ReportResult[];
};

type Report = {
  title: string;
  path: string;
  call: Call;
  query: Record<string, string>;
  size: BooksSize;
};

const calling =
  (handler: (event: never, context: Context) => Promise<unknown>): Call =>
  (event) =>
    handler(event as never, lambdaContext(30_000));

const reportsOf = (prefix: string, size: BooksSize): Report[] => {
  const lastDay = lastDayOf(size);
  const period = { from: `${lastDay.slice(0, 4)}-01-01`, to: lastDay };
  const given = { domain_url: prefix, ...period };
  const trialBalance = {
    title: 'trial balance',
    path: 'reports/trial_balance/',
    size,
    call: calling(getTrialBalance),
    query: given,
  };
  // Synthetic books have sheets but no entries.
  if (size.isSynthetic) return [trialBalance];
  return [
    trialBalance,
    {
      title: 'account ledger, first 50 lines',
      path: 'reports/account_ledger/',
      size,
      call: calling(getAccountLedger),
      query: { ...given, account: '1010' },
    },
  ];
};

const measureReport = async (
  { title, path, call, query, size }: Report,
  { applicationId, apiKey, environment }: BenchEnvironment,
  samples: number,
) => {
  const event = openApplication(applicationId).event({ method: 'GET', query });
  const url = `${environment.LEDGER_BASE_URL}/external/v1/${path}?${new URLSearchParams(query)}`;
  const overHttp = async (): Promise<number> => {
    const startedAt = performance.now();
    const response = await fetch(url, { headers: { 'X-API-Key': apiKey } });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`a measured request failed: ${text}`);
    return performance.now() - startedAt;
  };
  const cost = await costOf(async () => dataOf(await call(event)));
  const times: Times = { handler: [], own: [] };
  const http: number[] = [];
  const warmUp = Math.ceil(samples / 5);
  for (let sample = 0; sample < warmUp + samples; sample += 1) {
    await timeCall(call, event, times);
    http.push(await overHttp());
  }
  const [latency, handler, own] = [http, times.handler, times.own].map((all) =>
    spreadOf(all.slice(warmUp)),
  ) as [ReturnType<typeof spreadOf>, ReturnType<typeof spreadOf>, ReturnType<typeof spreadOf>];
  return {
    title,
    size,
    calls: cost.operations.length,
    sequentialCalls: cost.sequentialCalls,
    readUnits: cost.units.read,
    latency,
    handler,
    own,
  };
};

/**
 * @param benchEnvironment must also have LEDGER_BASE_URL, of a service that uses the same table
 * @param amounts.part the fraction of the books' days and entries to create
 */
export const measureReports = async (
  benchEnvironment: BenchEnvironment,
  { samples, part }: { samples: number; part: number },
  report: (line: string) => void,
): Promise<ReportResult[]> => {
  const { applicationId, environment } = benchEnvironment;
  const application = openApplication(applicationId);
  const userId = await application.createUser('reports@example.com');
  const results: ReportResult[] = [];
  for (const whole of booksSizes) {
    const [entries, days] = [whole.entries * part, whole.days * part].map(Math.floor);
    const size = { ...whole, entries: entries ?? 0, days: days ?? 0 };
    const title = `${size.entries.toLocaleString('en')} entries`;
    const { prefix, schemaName } = await application.createTenant(userId, `Books of ${title}`);
    report(`${title}: creating the books`);
    await fill(environment.TABLE_NAME ?? '', booksItems({ applicationId, schemaName }, size));
    for (const bookReport of reportsOf(prefix, size)) {
      const result = await measureReport(bookReport, benchEnvironment, samples);
      results.push(result);
      report(
        `${title}: ${result.title}, ${result.readUnits} units, HTTP ` +
          `${result.latency.p50.toFixed(1)} ms, handler ${result.handler.p50.toFixed(1)} ms, ` +
          `own ${result.own.p50.toFixed(1)} ms`,
      );
    }
  }
  return results;
};
