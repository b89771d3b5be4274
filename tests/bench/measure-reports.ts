// Reports on books of three sizes, over HTTP and in their handlers.

import { costOf } from '../support/dynamodb/costs.ts';
import { startBenchService } from './bench-service.ts';
import { type Call, dataOf, openBench } from './environment.ts';
import { type Times, timeCall } from './measure-operations.ts';
import { definePart, type Spread, show, spreadOf } from './part.ts';
import { type BooksSize, booksItems, booksSizes, lastDayOf } from './report-books.ts';

type ReportResult = {
  title: string;
  size: BooksSize;
  calls: number;
  sequentialCalls: number;
  readUnits: number;
} & Record<'latency' | 'handler' | 'own', Spread>;

const trialBalance = 'trial balance';

export const reports = definePart<ReportResult>({
  title: 'Reports',
  columns: {
    report: (it) => it.title,
    entries: (it) => show.count(it.size.entries),
    'days × accounts': (it) => `${show.count(it.size.days)} × ${it.size.accounts}`,
    calls: (it) => it.calls,
    'sequential calls': (it) => it.sequentialCalls,
    'read units': (it) => it.readUnits,
    'HTTP latency': (it) => show.spread(it.latency),
    handler: (it) => show.spread(it.handler),
    'own time': (it) => show.spread(it.own),
    samples: (it) => it.handler.samples,
  },
  targets: (rows) => {
    const balances = rows.filter(({ title }) => title === trialBalance);
    const largest = balances.at(-1);
    const own = largest?.own.p50 ?? Number.NaN;
    const limits = balances.map(
      ({ size }) => `${size.maximumReadUnits} units for ${show.count(size.entries)} entries`,
    );
    return [
      {
        target:
          `a trial balance of ${show.count(largest?.size.entries ?? 0)} entries takes at most ` +
          '250 ms own time (p50)',
        found: `${own.toFixed(0)} ms`,
        isMet: own <= 250,
      },
      {
        target: `trial balances read at most ${limits.join(', ')}`,
        found: balances.map(({ readUnits }) => String(readUnits)).join(', '),
        isMet:
          balances.length > 0 &&
          balances.every(({ readUnits, size }) => readUnits <= size.maximumReadUnits),
      },
    ];
  },
  measure: async ({ quick, report }) => {
    const { samples, part } = quick ? { samples: 3, part: 0.02 } : { samples: 100, part: 1 };
    const bench = await openBench();
    const service = await startBenchService(bench.environment);
    const http = service.openClient(bench.application);
    const { functions, fill } = bench;
    const userId = await functions.newUser('reports@example.com');

    const measureReport = async (
      { title, path, call }: { title: string; path: string; call: Call },
      { query, size }: { query: Record<string, string>; size: BooksSize },
    ): Promise<ReportResult> => {
      const event = functions.event({ method: 'GET', query });
      const cost = await costOf(async () => dataOf(await call(event)));
      const times: Times = { handler: [], own: [] };
      const latencies: number[] = [];
      const warmUp = Math.ceil(samples / 5);
      for (let sample = 0; sample < warmUp + samples; sample += 1) {
        await timeCall(call, event, times);
        const startedAt = performance.now();
        const { status, text } = await http.send(`${path}?${new URLSearchParams(query)}`);
        if (status !== 200) throw new Error(`a measured request failed: ${text}`);
        latencies.push(performance.now() - startedAt);
      }
      return {
        title,
        size,
        calls: cost.operations.length,
        sequentialCalls: cost.sequentialCalls,
        readUnits: cost.units.read,
        latency: spreadOf(latencies.slice(warmUp)),
        handler: spreadOf(times.handler.slice(warmUp)),
        own: spreadOf(times.own.slice(warmUp)),
      };
    };

    const results: ReportResult[] = [];
    for (const whole of booksSizes) {
      const [entries = 0, days = 0] = [whole.entries * part, whole.days * part].map(Math.ceil);
      const size = { ...whole, entries, days };
      report(`creating books of ${show.count(entries)} entries`);
      const tenant = await functions.newTenant(userId, `Books of ${entries}`);
      await fill(booksItems(tenant, size));
      const to = lastDayOf(size);
      const query = { domain_url: tenant.prefix, from: `${to.slice(0, 4)}-01-01`, to };
      const balance = { title: trialBalance, path: 'reports/trial_balance/' };
      results.push(
        await measureReport({ ...balance, call: functions.getTrialBalance }, { query, size }),
      );
      // Synthetic books have no entries, only sheets.
      if (size.isSynthetic) continue;
      const ledger = { title: 'account ledger, first 50 lines', path: 'reports/account_ledger/' };
      const ofAccount = { query: { ...query, account: '1010' }, size };
      results.push(await measureReport({ ...ledger, call: functions.getAccountLedger }, ofAccount));
    }
    await service.stop();
    await bench.stop();
    return results;
  },
});
