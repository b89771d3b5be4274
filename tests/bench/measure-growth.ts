// Measures whether a call gets slower as a chart, an entry or a user's list of tenants grows. The
// cases alternate, so that changes of the machine affect all equally.

import { defaultChart } from '#shared/accounts/default-chart.ts';
import { openRandom, type Random } from '../support/builders/random.ts';
import type { BenchEnvironment } from './environment.ts';
import { fillAccounts } from './fill.ts';
import { type BenchApplication, type Call, functionsOf, openApplication } from './functions.ts';
import { groups } from './growth-groups.ts';
import { type Times, timeCall } from './measure-operations.ts';
import { entryBody } from './requests.ts';
import { ratioOfMedians, spreadOf } from './statistics.ts';

/** Each case, compared with the first case of its group. */
export type GrowthResults = Awaited<ReturnType<typeof measureGrowth>>;

type Case = { group: string; title: string; call: Call; event: object };

type Sizes = { accounts: number; tenants: number; samples: number; warmUp: number };

type Options = {
  application: BenchApplication;
  applicationId: string;
  tableName: string;
  sizes: Sizes;
  report: (line: string) => void;
};

const count = (number: number): string => number.toLocaleString('en');

const postingInto = (
  { application }: Options,
  { group, title }: Pick<Case, 'group' | 'title'>,
  body: object,
): Case => ({ group, title, call: functionsOf.createEntry, event: application.event({ body }) });

const chartCases = async (options: Options, userId: string): Promise<Case[]> => {
  const { application, applicationId, tableName, sizes, report } = options;
  const small = await application.createTenant(userId, 'Small chart');
  const large = await application.createTenant(userId, 'Large chart');
  report(`filling a chart with ${count(sizes.accounts)} accounts`);
  const name = { applicationId, schemaName: large.schemaName };
  const allCodes = await fillAccounts(tableName, name, sizes.accounts);
  const codes = [allCodes[Math.floor(allCodes.length / 3)], allCodes.at(-1)].map(String);
  const group = groups.chart;
  return [
    postingInto(options, { group, title: count(defaultChart.length) }, entryBody(small.prefix)),
    postingInto(
      options,
      { group, title: count(allCodes.length) },
      entryBody(large.prefix, { codes }),
    ),
  ];
};

const lineCases = async (options: Options, userId: string): Promise<Case[]> => {
  const { prefix } = await options.application.createTenant(userId, 'Many lines');
  const codes = defaultChart.map(({ code }) => code);
  const group = groups.lines;
  return [2, 100, 500].map((lines) =>
    postingInto(options, { group, title: count(lines) }, entryBody(prefix, { lines, codes })),
  );
};

const profileCases = async (options: Options): Promise<Case[]> => {
  const { application, sizes, report } = options;
  const cases: Case[] = [];
  for (const tenants of [2, sizes.tenants]) {
    report(`linking ${tenants} tenants to a user`);
    const email = `owner-of-${tenants}@example.com`;
    const userId = await application.createUser(email);
    for (let place = 0; place < tenants; place += 1) {
      await application.createTenant(userId, `Of ${tenants} the ${place}`);
    }
    const event = application.event({ body: { email } });
    const named = { group: groups.tenants, title: count(tenants) };
    cases.push({ ...named, call: functionsOf.getProfile, event });
  }
  return cases;
};

const shuffled = <Value>(random: Random, values: readonly Value[]): Value[] => {
  const remaining = [...values];
  return values.flatMap(() => remaining.splice(random.below(remaining.length), 1));
};

export const measureGrowth = async (
  { applicationId, environment }: BenchEnvironment,
  sizes: Sizes,
  report: (line: string) => void,
) => {
  const application = openApplication(applicationId);
  const tableName = environment.TABLE_NAME ?? '';
  const options = { application, applicationId, tableName, sizes, report };
  const userId = await application.createUser('growth@example.com');
  const cases = [
    ...(await chartCases(options, userId)),
    ...(await lineCases(options, userId)),
    ...(await profileCases(options)),
  ];
  report(`measuring each case ${sizes.samples} times`);
  const timedCases = cases.map((it) => ({ ...it, times: { handler: [], own: [] } as Times }));
  // The order is random in each round: garbage of a large case slows the next one.
  const random = openRandom(1);
  for (let round = 0; round < sizes.warmUp + sizes.samples; round += 1) {
    for (const { call, event, group, times } of shuffled(random, timedCases)) {
      // Large entries are slow and have no target, so a tenth of the rounds is enough.
      if (group === groups.lines && round % 10 > 0) continue;
      await timeCall(call, event, round < sizes.warmUp ? { handler: [], own: [] } : times);
    }
  }
  return timedCases.map(({ group, title, times: { handler, own } }) => {
    const first = timedCases.find((other) => other.group === group)?.times.handler ?? [];
    return {
      group,
      title,
      handler: spreadOf(handler),
      own: spreadOf(own),
      overFirst: ratioOfMedians(handler, first),
    };
  });
};
