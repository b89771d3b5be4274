// The year of books that was worked by hand, kept on a test table.

import { workedYear } from '#infra/docs/worked-year.ts';
import { defaultChart } from '#shared/accounts/default-chart.ts';
import type { KeyIssuing } from '#shared/applications/issue-api-key.service.ts';
import { openExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import type { Table } from '#shared/table/table.ts';
import { callsOf, type Endpoint } from '../harnesses/calls.ts';
import { openInstance } from '../harnesses/instances.ts';
import { tableBelow } from '../readers/worked-page.ts';
import { openBooks } from './books.ts';

const endpoints: Record<string, Endpoint> = {
  'accounts/create': 'createAccount',
  'journal_entries/cancel': 'cancelEntry',
  'journal_entries/create_many': 'createEntries',
  'journal_entries/reverse': 'reverseEntry',
  'tenants/update': 'updateTenant',
};

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
  const { applicationId } = name;
  const calls = callsOf(openInstance({ table, clock }), { applicationId, domain_url: prefix });
  // The tenant exists already.
  const requests = workedYear.steps.flatMap((step) => step.requests).filter(({ keep }) => !keep);
  for (const { method, pathAndQuery, body } of requests) {
    if (method !== 'POST') continue;
    const endpoint = endpoints[pathIn(pathAndQuery)];
    if (endpoint === undefined) throw new Error(`no endpoint is known at ${pathAndQuery}`);
    await calls.call(endpoint, { ...Object(body), domain_url: prefix });
  }
  return { ...calls, name, prefix, yearStart: '01-01' };
};
