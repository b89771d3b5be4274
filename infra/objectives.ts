// What callers may expect of the endpoints, and so from where on their alarms ring.

import type { FunctionName } from './manifest.ts';

/** Of a hundred calls 99 are answered within so many seconds, wherever they wait for a platform. */
export const slowestSeconds: Partial<Record<FunctionName, number>> = {
  // Every call that the gateway has no decision for waits for it too.
  authorizer: 1,
  'ensure-user': 2,
  'get-user-profile': 2,
  'initiate-oauth': 2,
  'oauth-callback': 20,
  'confirm-tenant': 2,
  'create-tenant': 15,
  'update-tenant': 2,
  'link-tenant': 2,
  'unlink-tenant': 2,
  'get-tenant-import': 2,
  'request-import': 2,
  'disconnect-tenant': 15,
  'list-accounts': 2,
  'create-account': 2,
  'update-account': 2,
  // They read more the longer a tenant has kept its books.
  'get-trial-balance': 3,
  'get-account-ledger': 4,
  'get-balance-sheet': 3,
  'get-profit-and-loss': 3,
  'get-cash-flow': 3,
  // They may wait for others for three seconds.
  'create-journal-entry': 4,
  'create-journal-entries': 4,
  'reverse-journal-entry': 4,
  'cancel-journal-entry': 4,
  'get-journal-entry': 2,
  // A filter that leaves nearly all out makes it read eight megabytes.
  'list-journal-entries': 5,
};

/**
 * The percentage of an endpoint's requests in an hour that rings, where they failed for a reason of
 * ours. The objective is 0.1 over 30 days; at 14.4 times that, 2% of what may fail in the month has
 * failed within the hour (Google, "The Site Reliability Workbook", chapter 5, "Alerting on SLOs").
 */
export const alarmingFailurePercent = 1.44;
