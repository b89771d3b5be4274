// The functions as an application calls them, and a ledger with a tenant to call them for.

import type { ScheduledEvent } from 'aws-lambda';
import type { JournalEntryView } from '#shared/entries/journal-entry.view.ts';
import { openTable, type Table } from '#shared/table/table.ts';
import { openApplication } from '../builders/applications.ts';
import { openTestLedger } from '../builders/ledger.ts';
import { entryOfMove, type Move } from '../builders/moves.ts';
import { testQuotas } from '../builders/quotas.ts';
import { testAuthenticators } from '../builders/secrets.ts';
import {
  type ApiEventOptions,
  apiEvent,
  lambdaContext,
  readResult,
} from '../events/lambda-events.ts';
import { keepMetrics } from '../recorders/metrics.ts';
import { type Instance, openInstance } from './instances.ts';

const others = [
  'authorize',
  'callBack',
  'deliverEvents',
  'postScheduled',
  'recordEvents',
  'resumeDeliveries',
] as const;
export type Endpoint = Exclude<keyof Instance, (typeof others)[number]>;

export const endpointsOf = (instance: Instance): Endpoint[] =>
  (Object.keys(instance) as (keyof Instance)[]).filter(
    (name): name is Endpoint => !others.some((other) => other === name),
  );
export type Reply = ReturnType<typeof readResult>;
type Data = Reply['body'];

export const hasQuery = (endpoint: Endpoint): boolean =>
  /^(get(?!Profile)|list|initiate|export)/.test(endpoint);

/** Requests are of this application and for this tenant unless they name another. */
export const callsOf = (
  instance: Instance,
  { applicationId = 'app1', ...tenant }: { applicationId?: string; domain_url?: string } = {},
) => {
  const send = async (
    endpoint: Endpoint,
    input: object = {},
    options: ApiEventOptions = {},
  ): Promise<Reply> => {
    const fields = Object.fromEntries(
      Object.entries({ ...tenant, ...input }).filter(([, value]) => value !== undefined),
    );
    const event = hasQuery(endpoint)
      ? apiEvent({ applicationId, method: 'GET', query: fields, ...options })
      : apiEvent({ applicationId, body: fields, ...options });
    return readResult(await instance[endpoint](event, lambdaContext()));
  };
  const insist = async (...request: Parameters<typeof send>): Promise<Reply> => {
    const reply = await send(...request);
    return reply.body.error?.code === 'contention' ? insist(...request) : reply;
  };
  const call = async (...request: Parameters<typeof send>) => {
    const { status, body } = await send(...request);
    if (status !== 200) throw new Error(JSON.stringify(body));
    const { replayed: _, ...data } = body.data;
    return data;
  };
  return {
    send,
    /** Sends a request again while others win the race for its items, as an application does. */
    insist,
    /** The data of the reply, without `replayed`. @throws unless the request succeeded */
    call,
    /** The data of every page of a list. `between` runs after each page. */
    pages: async (
      endpoint: Endpoint,
      query: object,
      between: (page: Data, index: number) => unknown = () => {},
    ) => {
      const pages = [];
      let cursor: string | null = null;
      do {
        const page = await call(endpoint, { ...query, ...(cursor && { cursor }) });
        pages.push(page);
        cursor = page.next_cursor;
        await between(page, pages.length - 1);
      } while (cursor !== null);
      return pages;
    },
    /** Posts the entries that are due on a date, at noon. */
    postDue: (date: string) =>
      instance.postScheduled(
        { time: `${date}T12:00:00Z` } as ScheduledEvent,
        lambdaContext(300_000),
      ),
  };
};

export type Calls = ReturnType<typeof callsOf>;

/** The calls on a new ledger, with a tenant. */
export const openTenantCalls = async ({
  companyName = 'Acme',
  now = '2026-03-24T12:00:00.000Z',
  quotas = testQuotas,
} = {}) => {
  const ledger = await openTestLedger();
  await openApplication(ledger.table).record();
  const { prefix: domain_url, schemaName } = await ledger.createTenant(companyName);
  const time = { now };
  const metrics = keepMetrics();
  const callsOn = (table: Table) =>
    callsOf(openInstance({ table, clock: () => new Date(time.now), quotas, metrics }), {
      domain_url,
    });
  const calls = callsOn(ledger.table);
  return {
    ...calls,
    post: (move: Move): Promise<JournalEntryView> => calls.call('createEntry', entryOfMove(move)),
    ledger,
    domain_url,
    name: { applicationId: 'app1', schemaName },
    time,
    metrics,
    /** The same through another client, or another endpoint of the table. */
    callsOn,
    callsAt: (endpoint: string) =>
      callsOn(openTable(ledger.tableName, { endpoint }, { authenticators: testAuthenticators })),
  };
};
