// Whether a call gets slower as a chart, an entry or a user's list of tenants grows. The cases
// alternate: changes of the machine affect all equally.

import { defaultChart } from '#shared/accounts/default-chart.ts';
import { accountKey } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { openRandom } from '../support/builders/random.ts';
import { type Bench, type Call, openBench } from './environment.ts';
import { type Times, timeCall } from './measure-operations.ts';
import { definePart, type Ratio, ratioOfMedians, type Spread, show, spreadOf } from './part.ts';
import { entryBody } from './requests.ts';

type Case = { group: string; size: number; call: Call; event: object };
type GrowthResult = {
  group: string;
  title: string;
  handler: Spread;
  own: Spread;
  /** Compared with the first case of the group. */
  overFirst: Ratio;
};

const chart = 'accounts in the chart';
const lines = 'lines of the entry';
const tenants = 'tenants of the user (profile)';

const casesOf = async (
  { functions, fill }: Bench,
  counts: { accounts: number; tenants: number },
): Promise<Case[]> => {
  const { event, newTenant, newUser, createEntry, getProfile } = functions;
  const userId = await newUser('growth@example.com');
  const posting = (group: string, size: number, body: object): Case => ({
    group,
    size,
    call: createEntry,
    event: event({ body }),
  });
  const [small, large] = [await newTenant(userId, 'Small'), await newTenant(userId, 'Large')];
  const codes = Array.from(
    { length: counts.accounts },
    (_, place) => `B${String(place).padStart(5, '0')}`,
  );
  await fill(
    codes.map((code): Item => {
      const account = { code, name: `Account ${code}`, type: 'asset', status: 'active' };
      return { ...accountKey(large, code), kind: 'account', ...account };
    }),
  );
  const chosen = [codes[Math.floor(codes.length / 3)], codes.at(-1)].map(String);
  const { prefix } = await newTenant(userId, 'Many lines');
  const defaultCodes = defaultChart.map(({ code }) => code);
  const profiles: Case[] = [];
  for (const size of [2, counts.tenants]) {
    const email = `owner-of-${size}@example.com`;
    const owner = await newUser(email);
    for (let place = 0; place < size; place += 1) await newTenant(owner, `Of ${size} the ${place}`);
    profiles.push({ group: tenants, size, call: getProfile, event: event({ body: { email } }) });
  }
  return [
    posting(chart, defaultChart.length, entryBody(small.prefix)),
    posting(chart, codes.length, entryBody(large.prefix, { codes: chosen })),
    ...[2, 100, 500].map((count) =>
      posting(lines, count, entryBody(prefix, { lines: count, codes: defaultCodes })),
    ),
    ...profiles,
  ];
};

export const growth = definePart<GrowthResult>({
  title: 'Growth',
  columns: {
    quantity: (it) => it.group,
    size: (it) => it.title,
    handler: (it) => show.spread(it.handler),
    'own time': (it) => show.spread(it.own),
    'ratio to first': (it) => show.extremes(it.overFirst),
    samples: (it) => it.handler.samples,
  },
  targets: (rows) => {
    const ofChart = rows.filter(({ group }) => group === chart);
    return [
      {
        target: `posting gets at most 10% slower with more ${chart}`,
        found: ofChart
          .map(({ title, overFirst }) => `${title}: ${show.percent(overFirst.ratio)}`)
          .join(', '),
        isMet: ofChart.length > 1 && ofChart.every(({ overFirst }) => overFirst.ratio <= 1.1),
      },
    ];
  },
  measure: async ({ quick, report }) => {
    const bench = await openBench();
    report('creating the charts and the tenants');
    const counts = quick ? { accounts: 500, tenants: 10 } : { accounts: 10_000, tenants: 100 };
    const [samples, warmUp] = quick ? [10, 5] : [400, 100];
    const cases = (await casesOf(bench, counts)).map((it) => ({
      ...it,
      times: { handler: [], own: [] } as Times,
    }));
    report(`measuring each case ${samples} times`);
    const random = openRandom(1);
    for (let round = 0; round < warmUp + samples; round += 1) {
      // The order is random in each round: garbage of a large case slows the next one.
      const remaining = [...cases];
      while (remaining.length > 0) {
        const [it] = remaining.splice(random.below(remaining.length), 1);
        // Large entries are slow and have no target, so a tenth of the rounds is enough.
        if (it === undefined || (it.group === lines && round % 10 > 0)) continue;
        const times = round < warmUp ? { handler: [], own: [] } : it.times;
        await timeCall(it.call, it.event, times);
      }
    }
    await bench.stop();
    return cases.map(({ group, size, times: { handler, own } }) => {
      const first = cases.find((other) => other.group === group)?.times.handler ?? [];
      return {
        group,
        title: show.count(size),
        handler: spreadOf(handler),
        own: spreadOf(own),
        overFirst: ratioOfMedians(handler, first),
      };
    });
  },
});
