// The data at the start of a simulation: applications with keys of every kind, and rates with a
// gap.

import { hashApiKey, newApiKey, newApplicationId } from '#shared/applications/api-keys.ts';
import { openApplications } from '#shared/applications/applications.store.ts';
import { openExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import type { VersionedKeys } from '#shared/secrets.ts';
import type { Table } from '#shared/table/table.ts';
import type { Random } from '../support/builders/random.ts';
import { type RatesByDate, withPoint } from './model/expected-entry.ts';

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
  const between = (...[least, most]: [number, number]) => least + random.below(most - least);
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

type KnownKey = { apiKey: string; expected: 200 | 401 | 403 };
export type SeedData = Awaited<ReturnType<typeof writeSeedData>>;

export const writeSeedData = async (
  table: Table,
  { random, keys }: { random: Random; keys: VersionedKeys },
) => {
  const applications = openApplications(table);
  const bytes = (count: number): Buffer =>
    Buffer.from(random.text('0123456789abcdef', count * 2), 'hex');
  const pepper = Buffer.from(keys.versions[keys.current] ?? '', 'base64');
  const createdAt = new Date(firstMoment).toISOString();
  const apiKeys: KnownKey[] = [{ apiKey: 'lk_nothing', expected: 401 }];

  const addKey = async (
    applicationId: string,
    { expected, ended }: { expected: KnownKey['expected']; ended?: 'expiresAt' | 'revokedAt' },
  ): Promise<void> => {
    const { keyId, apiKey } = newApiKey(applicationId, bytes);
    const ends = {
      access: 'full' as const,
      expiresAt: null,
      revokedAt: null,
      ...(ended && { [ended]: createdAt }),
    };
    const hash = hashApiKey(apiKey, pepper);
    const pepperVersion = keys.current;
    await applications.recordKey({ keyId, applicationId, hash, pepperVersion, createdAt, ...ends });
    apiKeys.push({ apiKey, expected });
  };
  const addApplication = async (name: string, status: 'active' | 'suspended'): Promise<string> => {
    const applicationId = newApplicationId(bytes);
    const application = { applicationId, name, status, redirectUrls: [], createdAt };
    await applications.record(application);
    return applicationId;
  };

  const callers = [await addApplication('Shop', 'active'), await addApplication('Till', 'active')];
  for (const applicationId of callers) {
    await addKey(applicationId, { expected: 200 });
    await addKey(applicationId, { expected: 401, ended: 'revokedAt' });
  }
  await addKey(await addApplication('Late payer', 'suspended'), { expected: 403 });
  apiKeys.push({ apiKey: newApiKey(callers[0] ?? '', bytes).apiKey, expected: 401 });
  const rates = makeRates(random);
  const days = [...rates].map(([date, perEuro]) => ({ date, rates: { ...perEuro } }));
  const exchangeRates = openExchangeRates(table, { maximumAgeDays: undefined });
  await exchangeRates.record(days, { acceptJumps: true });
  return { callers, apiKeys, rates };
};
