// The year of books that was worked by hand, kept on a test table.

import { workedYear } from '#infra/docs/worked-year.ts';
import { defaultChart } from '#shared/accounts/default-chart.ts';
import type { KeyIssuing } from '#shared/applications/issue-api-key.service.ts';
import { openExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import type { Table } from '#shared/table/table.ts';
import { isCalled, openTenantCalls } from '../harnesses/tenant-calls.ts';
import { tableBelow } from '../readers/worked-page.ts';
import { openBooks } from './books.ts';

const pathIn = (pathAndQuery: string): string =>
  pathAndQuery.replace('/external/v1/', '').replace(/\/$/, '');

/** Sends all that the year posts, on a day after it. */
export const keepWorkedBooks = async (
  { table, issuing }: { table: Table; issuing: Omit<KeyIssuing, 'pepper'> },
  { prefix }: { prefix: string },
) => {
  const { name } = await openBooks({ table, issuing }, { prefix, chart: [...defaultChart] });
  const clock = () => new Date('2026-03-23T09:30:00.000Z');
  const published = tableBelow('The dollar').slice(0, 2);
  await openExchangeRates(table, { maximumAgeDays: 7 }).record(
    published.map(([, date = '', USD = '']) => ({ date, rates: { USD } })),
  );
  const calls = openTenantCalls({ table, clock }, name);
  // The tenant exists already.
  const requests = workedYear.steps.flatMap((step) => step.requests).filter(({ keep }) => !keep);
  for (const { method, pathAndQuery, body } of requests) {
    if (method !== 'POST') continue;
    const path = pathIn(pathAndQuery);
    if (!isCalled(path)) throw new Error(`the year has a request that is not known: ${path}`);
    await calls.post(path, body ?? {});
  }
  return { ...calls, name, prefix, yearStart: '01-01' };
};
