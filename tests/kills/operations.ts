// The requests of clients to a service that is killed, and their replies. Each has a unique name by
// which the checks find its items.

import type { Slot } from '#shared/platforms/slots.ts';
import { ada, manualTenant } from '../support/builders/requests.ts';
import { callApi, type Demo } from '../support/processes/service.ts';

export type Operation = {
  kind: 'entry' | 'batch' | 'reversal' | 'cancellation' | 'lock' | 'user' | 'tenant' | 'connection';
  /**
   * The memo of an entry or of a cancelled entry, the start of the memos of a batch, the date of a
   * lock, the address of a user or the name of a company.
   */
  name: string;
  path: string;
  body: Record<string, unknown>;
  headers?: Record<string, string>;
  /** Whether it may be sent again: not an entry without an external_id. */
  isIdempotent: boolean;
  /** The identity in the first acknowledgement. Later ones must repeat it. */
  acknowledged?: string;
};

type Data = Record<string, string> & { journal_entries?: Record<string, string>[] };

const entryIdentity = ({ journal_entry_id, journal_number }: Record<string, string>): string =>
  `${journal_entry_id} ${journal_number}`;

const identityIn: Record<Operation['kind'], (data: Data) => string> = {
  entry: entryIdentity,
  reversal: entryIdentity,
  batch: ({ journal_entries = [] }) => journal_entries.map(entryIdentity).join(', '),
  cancellation: ({ status }) => String(status),
  lock: ({ lock_date }) => String(lock_date),
  user: ({ user_id }) => String(user_id),
  tenant: ({ schema_name }) => String(schema_name),
  connection: ({ schema_name }) => String(schema_name),
};

/** `unanswered` is everything that leaves a client not knowing: a dead line, a 5xx, a 429. */
export type Answer =
  | { outcome: 'acknowledged'; identity: string; isReplay: boolean }
  | { outcome: 'unanswered'; why: string }
  | { outcome: 'refused'; why: string };

export const send = async (demo: Demo, operation: Operation): Promise<Answer> => {
  const { kind, path, body, headers = {} } = operation;
  const reply = await callApi(demo, path, { body, headers }).catch(() => undefined);
  if (reply === undefined || reply.status >= 500 || reply.status === 429) {
    const why = reply ? `${reply.status} ${reply.body.error?.code}` : 'no reply';
    return { outcome: 'unanswered', why };
  }
  if (reply.body.error?.code === 'entry_not_scheduled') {
    return { outcome: 'acknowledged', identity: 'posted', isReplay: false };
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
  body: { ...manualTenant, user_id: userId, company_name: name, entry_years_ahead: 2 },
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

type AskedEntry = {
  domainUrl: string;
  date: string;
  lineCount: number;
  currency: string;
  accrualDate: string | undefined;
  externalId: string | undefined;
};

const bodyOf = (memo: string, entry: Omit<AskedEntry, 'domainUrl'>) => ({
  date: entry.date,
  memo,
  transactionCurrency: entry.currency,
  reportingCurrency: 'EUR',
  entries: [
    ...Array.from({ length: entry.lineCount - 1 }, () => ({ account: '1010', debit: '3.33' })),
    { account: '4010', credit: ((entry.lineCount - 1) * 3.33).toFixed(2) },
  ],
  ...(entry.accrualDate !== undefined && { accrual_date: entry.accrualDate }),
  ...(entry.externalId !== undefined && { external_id: entry.externalId }),
});

export const entryNamed = (name: string, { domainUrl, ...entry }: AskedEntry): Operation => ({
  kind: 'entry',
  name,
  path: 'journal_entries/create/',
  body: { domain_url: domainUrl, ...bodyOf(name, entry) },
  isIdempotent: entry.externalId !== undefined,
});

/** How many entries a batch has. */
export const batchSize = 4;

/** The memo of one entry of a batch. */
export const memoInBatch = (name: string, place: number): string => `${name}, ${place}`;

/** Many entries at once, the last of them on another date than the others. */
export const batchNamed = (name: string, { domainUrl, ...entry }: AskedEntry): Operation => ({
  kind: 'batch',
  name,
  path: 'journal_entries/create_many/',
  body: {
    domain_url: domainUrl,
    journal_entries: Array.from({ length: batchSize }, (_, place) => ({
      ...bodyOf(memoInBatch(name, place), entry),
      ...(place === batchSize - 1 && { date: '2026-02-28' }),
      external_id: `${name} ${place}`,
    })),
  },
  isIdempotent: true,
});

/** The reversal of an entry that was acknowledged with an external_id. */
export const reversalOf = (name: string, { body }: Operation): Operation => ({
  kind: 'reversal',
  name,
  path: 'journal_entries/reverse/',
  body: {
    domain_url: body.domain_url,
    original_external_id: body.external_id,
    date: '2026-03-23',
    memo: name,
  },
  isIdempotent: true,
});

export const cancellationOf = ({ name, body }: Operation): Operation => ({
  kind: 'cancellation',
  name,
  path: 'journal_entries/cancel/',
  body: { domain_url: body.domain_url, external_id: body.external_id },
  isIdempotent: true,
});

/** A lock on a unique date before all entries. */
export const lockOn = (date: string, domainUrl: string): Operation => ({
  kind: 'lock',
  name: date,
  path: 'tenants/update/',
  body: { domain_url: domainUrl, lock_date: date },
  isIdempotent: true,
});
