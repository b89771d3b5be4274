// A tenant to which entries are posted, and the endpoints that show them.

import { createHandler as createPostHandler } from '#functions/create-journal-entry/handler.ts';
import { createHandler as createGetHandler } from '#functions/get-journal-entry/handler.ts';
import { createHandler as createListHandler } from '#functions/list-journal-entries/handler.ts';
import { openCharts } from '#shared/accounts/charts.store.ts';
import { openEntryLookups } from '#shared/entries/entry-lookups.store.ts';
import type { JournalEntryView } from '#shared/entries/journal-entry.view.ts';
import { openEntryLists } from '#shared/entries/lists/entry-lists.store.ts';
import { openEntryQueries } from '#shared/entries/lists/entry-queries.service.ts';
import { openPosting } from '#shared/entries/posting.service.ts';
import { openDueDates } from '#shared/entries/schedule/due-dates.store.ts';
import { openImportedJournals } from '#shared/imports/imported-journals.store.ts';
import { openTable } from '#shared/table/table.ts';
import { openTestLedger } from '../builders/ledger.ts';
import { unnumbered } from '../builders/platform-journal.ts';
import { apiEvent, lambdaContext, readResult } from '../events/lambda-events.ts';
import { tenantToolsOf } from './tenant-tools.ts';

/** The time of every post. Entries for later dates are scheduled. */
const now = new Date('2026-03-24T12:00:00.000Z');

export const entryBody = {
  date: '2026-03-23',
  memo: 'March consulting',
  transactionCurrency: 'EUR',
  reportingCurrency: 'EUR',
  entries: [
    { account: '1010', debit: '100.00', description: 'Received' },
    { account: '4010', credit: '100.00', description: 'Consulting' },
  ],
};

/** Balanced lines; `count` is at least two. */
export const linesOf = (count: number, description = '') => [
  { account: '1010', debit: `${count - 1}.00`, description },
  ...Array.from({ length: count - 1 }, () => ({ account: '4010', credit: '1.00', description })),
];

export const openEntryReading = async ({ companyName = 'Acme' } = {}) => {
  const ledger = await openTestLedger();
  const tenant = await ledger.createTenant(companyName);
  const { prefix: domain_url, schemaName } = tenant;
  const name = { applicationId: 'app1', schemaName };
  const tools = tenantToolsOf(ledger.table);
  const reading = { now };
  const posting = openPosting({ ...ledger, clock: () => now });
  const post = createPostHandler({ posting, ...tools });
  const readersAt = (table = ledger.table) => {
    const stores = {
      charts: openCharts(table),
      lookups: openEntryLookups(table),
      lists: openEntryLists(table),
      dueDates: openDueDates(table),
      clock: () => reading.now,
    };
    const entryQueries = openEntryQueries(stores);
    const handlers = {
      get: createGetHandler({ entryQueries, ...tools }),
      list: createListHandler({ entryQueries, ...tools }),
    };
    return async (verb: keyof typeof handlers, query: object, applicationId = 'app1') => {
      const event = apiEvent({ method: 'GET', query: { domain_url, ...query }, applicationId });
      return readResult(await handlers[verb](event, lambdaContext()));
    };
  };
  return {
    ledger,
    name,
    domain_url,
    tools,
    /** When entries are read. */
    reading,
    ask: readersAt(),
    /** The same through another endpoint of the table. */
    askAt: (endpoint: string) => readersAt(openTable(ledger.tableName, { endpoint })),
    post: async (changes: object = {}): Promise<JournalEntryView> => {
      const body = { domain_url, ...entryBody, ...changes };
      const result = readResult(await post(apiEvent({ body }), lambdaContext()));
      if (result.status !== 200) throw new Error(JSON.stringify(result.body));
      return result.body.data;
    },
    import: (journal: Parameters<typeof unnumbered>[0]) =>
      openImportedJournals(ledger.table).record(name, [
        { journal: unnumbered(journal), origin: {} },
      ]),
  };
};
