// What a simulation starts with: two applications, and rates with a gap.

import { newApplicationId } from '#shared/domain/api-keys.ts';
import { openApplications } from '#shared/store/applications.ts';
import { openExchangeRates } from '#shared/store/exchange-rates.ts';
import type { Table } from '#shared/store/table.ts';
import type { Random } from '../support/builders/random.ts';
import type { RatesByDate } from './expected-entry.ts';

export const firstMoment = Date.parse('2026-03-20T08:00:00.000Z');

const millisecondsPerDay = 86_400_000;

const daysOf = ({ from, to }: { from: string; to: string }): string[] => {
  const count = (Date.parse(to) - Date.parse(from)) / millisecondsPerDay;
  return Array.from({ length: count }, (_, day) =>
    new Date(Date.parse(from) + day * millisecondsPerDay).toISOString().slice(0, 10),
  );
};

const isWeekend = (date: string): boolean => [0, 6].includes(new Date(date).getUTCDay());

/** Nobody published anything for two weeks in May. */
const isInGap = (date: string): boolean => date >= '2026-05-04' && date < '2026-05-18';

/** At these, many amounts come to something right between two coins. */
const roundRates = [
  { USD: '1.2500', JPY: '187.50', GBP: '1.87500' },
  { USD: '1.0500', JPY: '157.50', GBP: '0.52500' },
];

const makeRates = (random: Random): RatesByDate => {
  const between = (...[least, most]: [number, number]) =>
    String(least + random.below(most - least));
  const withPoint = (digits: string, decimals: number): string =>
    `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  const days = daysOf({ from: '2026-03-02', to: '2026-07-01' });
  return new Map(
    days
      .filter((date) => !isWeekend(date) && !isInGap(date))
      .map((date, day) => [
        date,
        day % 2 === 0
          ? random.pick(roundRates)
          : {
              USD: withPoint(between(10_400, 12_500), 4),
              JPY: withPoint(between(15_000, 19_000), 2),
              GBP: withPoint(between(183_000, 189_000), 5),
            },
      ]),
  );
};

export type SeedData = Awaited<ReturnType<typeof writeSeedData>>;

export const writeSeedData = async (table: Table, random: Random) => {
  const applications = openApplications(table);
  const bytes = (count: number): Buffer =>
    Buffer.from(random.text('0123456789abcdef', count * 2), 'hex');
  const createdAt = new Date(firstMoment).toISOString();
  const callers: string[] = [];
  for (const name of ['Shop', 'Till']) {
    const applicationId = newApplicationId(bytes);
    const application = { applicationId, name, status: 'active', redirectUrls: [] } as const;
    await applications.record({ ...application, redirectUrls: [], createdAt });
    callers.push(applicationId);
  }
  const rates = makeRates(random);
  const days = [...rates].map(([date, perEuro]) => ({ date, rates: { ...perEuro } }));
  await openExchangeRates(table, { maximumAgeDays: undefined }).record(days);
  return { callers, rates };
};
