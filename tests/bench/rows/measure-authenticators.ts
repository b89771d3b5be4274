// The share of authenticators and digests in the processor time of a report, in this process.

import { openAuthenticators } from '#shared/authentication/authenticators.ts';
import { digestOf } from '#shared/entries/entry-hash.ts';
import { addDays } from '#shared/money/dates.ts';
import { openReportBooks } from '#shared/reports/report-books.service.ts';
import { reportDigestOf } from '#shared/reports/report-digest.ts';
import { openReportSources } from '#shared/reports/report-sources.store.ts';
import { openCarryForward } from '#shared/sheets/carry-forward.store.ts';
import { openDaySheets } from '#shared/sheets/day-sheets.store.ts';
import { openTable } from '#shared/table/table.ts';
import { fixedSecret, testAuthenticatorKeys } from '../../support/builders/secrets.ts';
import { callsOf } from '../../support/harnesses/calls.ts';
import { openInstance } from '../../support/harnesses/instances.ts';
import { openBench } from '../environment.ts';
import { definePart, type Spread, show, spreadOf } from '../part.ts';
import { booksItems, booksSizes, lastDayOf } from '../report-books.ts';

type Result = Record<'report' | 'authenticators' | 'digests', Spread> & {
  title: string;
  sheets: number;
  share: number;
};

const maximumShare = 0.1;

const percent = (share: number): string => `${(share * 100).toFixed(1)}%`;

/** Milliseconds of processor time: of this process, or of its main thread. */
const millisecondsOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000;
const processNow = (): number => millisecondsOf(process.cpuUsage());
const threadNow = (): number => millisecondsOf(process.threadCpuUsage());

export const authenticators = definePart<Result>({
  title: 'Authenticators and digests in the processor time of a trial balance',
  columns: {
    report: (it) => it.title,
    sheets: (it) => show.count(it.sheets),
    'processor time': (it) => show.spread(it.report),
    'of authenticators': (it) => show.spread(it.authenticators),
    'of digests': (it) => show.spread(it.digests),
    share: (it) => percent(it.share),
    samples: (it) => it.report.samples,
  },
  targets: (rows) => [
    {
      target: `authenticators and digests take at most ${percent(maximumShare)} of a report`,
      found: rows.map(({ share }) => percent(share)).join(', '),
      isMet: rows.length > 0 && rows.every(({ share }) => share <= maximumShare),
    },
  ],
  measure: async ({ quick, report }) => {
    const samples = quick ? 5 : 100;
    const bench = await openBench();
    const { TABLE_NAME = '', AWS_ENDPOINT_URL_DYNAMODB: endpoint = '' } = bench.environment;
    const userId = await bench.functions.newUser('authenticated@example.com');
    const name = await bench.functions.newTenant(userId, 'Authenticated');
    const { applicationId } = bench.application;
    const [, , size] = booksSizes;
    if (size === undefined) throw new Error('there are no books of this size');
    report(`creating ${size.days} sheets`);
    await bench.fill(booksItems(name, size));

    let spent = 0;
    const checking = openAuthenticators(fixedSecret(testAuthenticatorKeys));
    const metered: typeof checking = {
      ...checking,
      checked: async (items) => {
        const startedAt = threadNow();
        await checking.checked(items);
        spent += threadNow() - startedAt;
      },
    };
    const table = openTable(TABLE_NAME, { endpoint }, { authenticators: metered });
    const calls = callsOf(openInstance({ table, clock: () => new Date() }), {
      ...{ applicationId, domain_url: name.prefix },
    });
    const to = lastDayOf(size);

    const measure = async (title: string, from: string, sheets: number): Promise<Result> => {
      report(title);
      const books = await openReportBooks(openReportSources(table)).readPeriods(name, () => [
        { from, to },
      ]);
      const read = await openDaySheets(table).list(name, { to });
      const last = { accounts: books.accounts, sums: books.sums.flat(), to };
      const times = {
        report: [] as number[],
        authenticators: [] as number[],
        digests: [] as number[],
      };
      const warmUp = Math.ceil(samples / 5);
      for (let sample = 0; sample < warmUp + samples; sample += 1) {
        spent = 0;
        const startedAt = processNow();
        await calls.call('getTrialBalance', { from, to });
        const ended = processNow();
        const digestAt = threadNow();
        reportDigestOf(digestOf(read.slice(-sheets)), last);
        const digestTook = threadNow() - digestAt;
        if (sample < warmUp) continue;
        times.report.push(ended - startedAt);
        times.authenticators.push(spent);
        times.digests.push(digestTook);
      }
      // Sums, because the clock of a thread has ticks of milliseconds.
      const [ofReports, ofChecks, ofDigests] = [
        times.report,
        times.authenticators,
        times.digests,
      ].map((it) => it.reduce((sum, time) => sum + time, 0));
      const share = ((ofChecks ?? 0) + (ofDigests ?? 0)) / (ofReports ?? 1);
      return {
        title,
        sheets,
        report: spreadOf(times.report),
        authenticators: spreadOf(times.authenticators),
        digests: spreadOf(times.digests),
        share,
      };
    };
    const whole = await measure(`${size.days} dates, none carried`, '2021-01-01', size.days);
    report('carrying totals');
    const carryForward = openCarryForward(table);
    const later = new Date(`${addDays(to, 40)}T00:00:00.000Z`);
    while ((await carryForward.carryNext(name, later)) === 'carried');
    const month = `${to.slice(0, 7)}-01`;
    const ofMonth = await measure('one month, earlier ones carried', month, Number(to.slice(8)));
    table.close();
    await bench.stop();
    return [whole, ofMonth];
  },
});
