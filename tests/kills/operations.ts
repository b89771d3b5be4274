// What clients ask of the service while it may be killed, and what they were told. Each asks for
// something with a name of its own, by which it is found in the table again.

import type { Slot } from '#shared/platforms/slots.ts';
import { ada, manualTenant } from '../support/builders/requests.ts';
import { callApi, type Demo } from '../support/processes/service.ts';

export type Operation = {
  kind: 'entry' | 'user' | 'tenant' | 'connection';
  /** The memo of an entry, the address of a user, the name of a company. */
  name: string;
  path: string;
  body: Record<string, unknown>;
  headers?: Record<string, string>;
  /** Whether it may be sent again: not an entry without an external_id. */
  isIdempotent: boolean;
  /** What an acknowledgement said it is, which every later one must say too. */
  acknowledged?: string;
};

type Data = Record<string, string>;

const identityIn: Record<Operation['kind'], (data: Data) => string> = {
  entry: ({ journal_entry_id, journal_number }) => `${journal_entry_id} ${journal_number}`,
  user: ({ user_id }) => String(user_id),
  tenant: ({ schema_name }) => String(schema_name),
  connection: ({ schema_name }) => String(schema_name),
};

/** `unanswered` is everything that leaves a client not knowing: a dead line, a 5xx, a 429. */
export type Answer =
  | { outcome: 'acknowledged'; identity: string; isReplay: boolean }
  | { outcome: 'unanswered' }
  | { outcome: 'refused'; why: string };

export const send = async (demo: Demo, operation: Operation): Promise<Answer> => {
  const { kind, path, body, headers = {} } = operation;
  const reply = await callApi(demo, path, { body, headers }).catch(() => undefined);
  if (reply === undefined || reply.status >= 500 || reply.status === 429) {
    return { outcome: 'unanswered' };
  }
  if (reply.status !== 200) {
    return { outcome: 'refused', why: `${reply.status} ${JSON.stringify(reply.body)}` };
  }
  const isReplay = reply.headers.get('Idempotent-Replayed') === 'true';
  return { outcome: 'acknowledged', identity: identityIn[kind](reply.body.data), isReplay };
};

export const userNamed = (name: string): Operation => ({
  kind: 'user',
  name,
  path: 'users/ensure/',
  body: { ...ada, email: name },
  isIdempotent: true,
});

export const tenantNamed = (name: string, userId: string): Operation => ({
  kind: 'tenant',
  name,
  path: 'tenants/create/',
  body: { ...manualTenant, user_id: userId, company_name: name },
  headers: { 'Idempotency-Key': `create ${name}`.replaceAll(' ', '-') },
  isIdempotent: true,
});

export const connectionOf = (
  company: { slot: Slot; name: string; grant: Record<string, unknown> },
  { userId, round }: { userId: string; round: number },
): Operation => ({
  kind: 'connection',
  name: company.name,
  path: 'tenants/create/',
  body: { user_id: userId, platform: company.slot, cash_flow_method: 'indirect', ...company.grant },
  headers: { 'Idempotency-Key': `connect-${round}` },
  isIdempotent: true,
});

export const entryNamed = (
  name: string,
  entry: {
    domainUrl: string;
    date: string;
    lineCount: number;
    currency: string;
    accrualDate: string | undefined;
    externalId: string | undefined;
  },
): Operation => ({
  kind: 'entry',
  name,
  path: 'journal_entries/create/',
  body: {
    domain_url: entry.domainUrl,
    date: entry.date,
    memo: name,
    transactionCurrency: entry.currency,
    reportingCurrency: 'EUR',
    entries: [
      ...Array.from({ length: entry.lineCount - 1 }, () => ({ account: '1010', debit: '3.33' })),
      { account: '4010', credit: ((entry.lineCount - 1) * 3.33).toFixed(2) },
    ],
    ...(entry.accrualDate !== undefined && { accrual_date: entry.accrualDate }),
    ...(entry.externalId !== undefined && { external_id: entry.externalId }),
  },
  isIdempotent: entry.externalId !== undefined,
});
