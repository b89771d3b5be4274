// A tenant whose entries are posted, scheduled, reversed and cancelled, on a clock that is set.

import type { ScheduledEvent } from 'aws-lambda';
import type { JournalEntryView } from '#shared/entries/journal-entry.view.ts';
import { openImportedJournals } from '#shared/imports/imported-journals.store.ts';
import { openTable, type Table } from '#shared/table/table.ts';
import { openApplication } from '../builders/applications.ts';
import { openTestLedger } from '../builders/ledger.ts';
import type { unnumbered } from '../builders/platform-journal.ts';
import { newKeys } from '../builders/secrets.ts';
import { randomIds } from '../builders/small-ledger.ts';
import { apiEvent, lambdaContext, readResult } from '../events/lambda-events.ts';
import { entryBody } from './entry-reading.ts';
import { type Instance, openInstance } from './instances.ts';

const verbs = {
  create: 'createEntry',
  createMany: 'createEntries',
  reverse: 'reverseEntry',
  cancel: 'cancelEntry',
  update: 'updateTenant',
  archive: 'updateAccount',
} as const satisfies Record<string, keyof Instance>;
const readers = {
  get: 'getEntry',
  list: 'listEntries',
  balance: 'getTrialBalance',
  ledger: 'getAccountLedger',
} as const satisfies Record<string, keyof Instance>;

export type Reply = ReturnType<typeof readResult>;

const instanceOn = (table: Table, time: { now: string }): Instance =>
  openInstance({
    table,
    clock: () => new Date(time.now),
    ids: randomIds,
    platforms: { get: () => Promise.reject(new Error('no platform is asked here')) },
    keys: newKeys('1'),
  });

const demandData = ({ status, body }: Reply) => {
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data;
};

export const openCorrectionCalls = async ({ companyName = 'Acme' } = {}) => {
  const ledger = await openTestLedger();
  const { prefix: domain_url, schemaName } = await ledger.createTenant(companyName);
  const name = { applicationId: 'app1', schemaName };
  await openApplication(ledger.table).record();
  const time = { now: '2026-03-24T12:00:00.000Z' };

  const callsOn = (instance: Instance) => ({
    send: async (
      verb: keyof typeof verbs,
      body: object,
      {
        headers = {},
        applicationId = 'app1',
      }: { headers?: Record<string, string>; applicationId?: string } = {},
    ): Promise<Reply> => {
      const event = apiEvent({ body: { domain_url, ...body }, headers, applicationId });
      return readResult(await instance[verbs[verb]](event, lambdaContext()));
    },
    ask: async (reader: keyof typeof readers, query: object): Promise<Reply> => {
      const event = apiEvent({ method: 'GET', query: { domain_url, ...query } });
      return readResult(await instance[readers[reader]](event, lambdaContext()));
    },
    /** Posts the entries that are due on a date, at noon. */
    flip: (date: string) =>
      instance.postScheduled(
        { time: `${date}T12:00:00Z` } as ScheduledEvent,
        lambdaContext(300_000),
      ),
  });
  const calls = callsOn(instanceOn(ledger.table, time));
  const done =
    (verb: 'create' | 'reverse' | 'cancel') =>
    async (body: object = {}): Promise<JournalEntryView> =>
      demandData(await calls.send(verb, verb === 'create' ? { ...entryBody, ...body } : body));

  return {
    ledger,
    name,
    domain_url,
    time,
    ...calls,
    /** The same through another client, or another endpoint of the table. */
    callsOn: (table: Table) => callsOn(instanceOn(table, time)),
    callsAt: (endpoint: string) =>
      callsOn(instanceOn(openTable(ledger.tableName, { endpoint }), time)),
    create: done('create'),
    reverse: done('reverse'),
    cancel: done('cancel'),
    get: async (query: object): Promise<JournalEntryView> =>
      demandData(await calls.ask('get', query)),
    show: async (query: object): Promise<JournalEntryView> =>
      demandData(await calls.ask('get', query)),
    import: (journal: ReturnType<typeof unnumbered>) =>
      openImportedJournals(ledger.table).record(name, [{ journal, origin: {} }]),
  };
};

export type CorrectionCalls = Awaited<ReturnType<typeof openCorrectionCalls>>;

export const replayedHeaders = { 'Idempotent-Replayed': 'true' };

/** A line as the reversal of its entry has it. */
export const swapped = (line: JournalEntryView['transactions'][number]) => ({
  ...line,
  debit: line.credit,
  credit: line.debit,
  reporting_debit: line.reporting_credit,
  reporting_credit: line.reporting_debit,
  book_debit: line.book_credit,
  book_credit: line.book_debit,
});
