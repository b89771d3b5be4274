// The shapes of what Xero answers, and of its two kinds of refusals.

import { randomUUID } from 'node:crypto';
import type { Reply } from '../http-messages.ts';

export const answer = (json: unknown): Reply => ({ status: 200, json });

/** What stands in front of the API refuses in these words. */
export const problem = (
  { status, title, detail }: { status: number; title: string; detail: string },
  headers: Record<string, string> = {},
): Reply => ({
  status,
  headers,
  json: {
    Type: null,
    Title: title,
    Status: status,
    Detail: detail,
    Instance: randomUUID(),
    Extensions: {},
  },
});

/** The API itself refuses in others: `Error` of the specification. */
export const queryFault = (message: string): Reply => ({
  status: 400,
  json: { ErrorNumber: 16, Type: 'QueryParseException', Message: message },
});

export const notFound = (): Reply =>
  problem({ status: 404, title: 'Not Found', detail: 'The resource was not found' });

/** What every reply of the Accounting API begins with. */
export const envelope = () => ({
  Id: randomUUID(),
  Status: 'OK',
  ProviderName: 'Ledger',
  DateTimeUTC: `/Date(${Date.now()})/`,
});
