// The requests of a hostile caller to each endpoint: possibly costly values for each field.

import { randomUUID } from 'node:crypto';
import { cursors as exportCursors } from '#functions/export-books/schema.ts';
import { type FunctionName, type functions, functionsOfKind } from '#infra/manifest/manifest.ts';
import { laterDate } from '../support/builders/far-dates.ts';
import {
  confirmationCode,
  entriesDate,
  entryOf,
  fullDate,
  type HostileTenant,
  manyLines,
  twoLines,
  webhookUrl,
} from './hostile-tenant.ts';

export type EndpointName = {
  [Name in FunctionName]: (typeof functions)[Name]['trigger']['kind'] extends 'api' ? Name : never;
}[FunctionName];

export const endpointNames = functionsOfKind('api').map(({ name }) => name) as EndpointName[];

/**
 * The values of a field by their names in the table of costs. A function creates a new value for
 * each request. `undefined` omits the field.
 */
export type Choices = Record<string, unknown>;

/** The fields of an endpoint. Fields that start with `path:` are parameters of its path. */
export type Fields = Record<string, Choices>;

const absent = { '': undefined };
const pages = { ...absent, '1': '1', '200': '200' };

const unknownLines = Array.from({ length: 500 }, (_, index) => ({
  account: `unknown-${index}`,
  [index % 2 ? 'credit' : 'debit']: '1.00',
}));

const periods = {
  from: { 'the beginning': '2000-01-01', 'this month': '2026-03-01' },
  to: { 'the end': '2999-12-31', 'this month': '2026-03-31' },
};

const newKey = { ...absent, new: randomUUID };

const postedOn = ({ size }: HostileTenant) => ({
  date: { 'an empty date': '2026-05-04', 'the full date': fullDate, 'a date': entriesDate },
  accrual_date: { ...absent, 'the full date': fullDate, 'a later date': laterDate('01-01') },
  entries: {
    'two lines': twoLines,
    '500 lines': manyLines(size.accounts / 2),
    'unknown accounts': unknownLines,
  },
});

/** Every endpoint is here: one that is added does not compile until it has its fields. */
export const fieldsOf = (tenant: HostileTenant): Record<EndpointName, Fields> => {
  const { domainUrl, userId, connected, posted, newEntry, codeOf } = tenant;
  const domain_url = { 'the tenant': domainUrl };
  // Only dates from 2026 until this one have the entries that their sheets count.
  const to = entriesDate;
  // The last page costs as much as a trial balance, so it is not among these.
  const exportFrom = (step: { step: 'dates'; after: string } | { step: 'accounts' }) =>
    exportCursors.next({ domain_url: domainUrl, to }, { ...step, to, seal: '0'.repeat(64) });
  const exportCursor = {
    ...absent,
    'the chart': exportFrom({ step: 'accounts' }),
    'large entries': exportFrom({ step: 'dates', after: '2025-12-31' }),
    'many entries': exportFrom({ step: 'dates', after: '2026-02-28' }),
  };
  const entry = { domain_url, ...postedOn(tenant) };
  const common = entryOf(entriesDate, twoLines);
  const fixed = {
    memo: { long: common.memo },
    transactionCurrency: { EUR: 'EUR', USD: 'USD' },
    reportingCurrency: { EUR: 'EUR', GBP: 'GBP' },
  };
  const many = (count: number, lines: readonly object[], date: string) => () =>
    Array.from({ length: count }, () => ({
      ...entryOf(date, lines),
      memo: 'Many',
      external_id: randomUUID(),
    }));
  const [large] = posted;
  const report = { domain_url, ...periods };
  const columns = {
    columns: { ...absent, months: 'month' },
    compare: { ...absent, 'the year before': 'previous_year' },
  };
  return {
    'ensure-user': {
      email: { new: () => `${randomUUID()}@example.com`, 'an existing one': 'ada@example.com' },
      password: { long: 'x'.repeat(128) },
      first_name: { long: 'x'.repeat(100) },
      last_name: { long: 'x'.repeat(100) },
    },
    'get-user-profile': {
      email: { 'of many tenants': 'ada@example.com', unknown: 'x@example.com' },
    },
    'update-user': {
      user_id: { 'a user': userId, unknown: '1' },
      email: { ...absent, new: () => `${randomUUID()}@example.com` },
      first_name: { long: () => `${randomUUID()}${'x'.repeat(60)}` },
    },
    'erase-user': { user_id: { another: tenant.leaver, unknown: '1' } },
    'initiate-oauth': {
      'path:platform': { platform_a: 'platform_a' },
      user_id: { 'a user': userId, unknown: '1' },
      cash_flow_method: { direct: 'direct' },
      redirect_url: { ...absent, long: `https://example.com/${'x'.repeat(900)}` },
    },
    'confirm-tenant': {
      domain_url: { pending: tenant.pending, ...domain_url },
      user_id: { 'a user': userId, unknown: '1' },
      confirmation_code: { right: confirmationCode, wrong: 'y'.repeat(43) },
    },
    'create-tenant': {
      user_id: { 'a user': userId, unknown: '1' },
      platform: { manual: 'manual' },
      cash_flow_method: { direct: 'direct' },
      company_name: { long: '\u{20000}'.repeat(100) },
      currency: { EUR: 'EUR' },
      'header:Idempotency-Key': newKey,
    },
    'update-tenant': {
      domain_url,
      lock_date: { ...absent, 'long ago': '2001-01-01' },
      company_name: { long: () => `${randomUUID()} Company` },
    },
    'get-tenant': { domain_url },
    'list-tenants': { limit: pages },
    'get-user': {
      user_id: { ...absent, 'a user': userId },
      email: { ...absent, 'of many tenants': 'ada@example.com' },
    },
    'link-tenant': { domain_url, user_id: { another: tenant.otherUser, unknown: '1' } },
    'unlink-tenant': { domain_url, user_id: { another: tenant.otherUser, unknown: '1' } },
    'get-tenant-import': { domain_url: { connected, ...domain_url } },
    'get-tenant-balances': { domain_url: { connected, ...domain_url } },
    'request-import': { domain_url: { connected, ...domain_url } },
    'disconnect-tenant': { domain_url: { ...domain_url, connected } },
    'list-events': {
      limit: pages,
      domain_url: { ...absent, ...domain_url },
      types: { ...absent, rare: 'tenant.locked' },
    },
    'create-webhook': { url: { local: webhookUrl } },
    'list-webhooks': {},
    'update-webhook': {
      webhook_id: { 'a webhook': tenant.webhook, unknown: 'wh_x' },
      description: { long: 'long '.repeat(40) },
    },
    'delete-webhook': { webhook_id: { 'a webhook': tenant.webhook, unknown: 'wh_x' } },
    'rotate-webhook-secret': { webhook_id: { 'a webhook': tenant.webhook, unknown: 'wh_x' } },
    'test-webhook': { webhook_id: { 'a webhook': tenant.webhook, unknown: 'wh_x' } },
    'list-accounts': {
      domain_url,
      limit: pages,
      type: { ...absent, rare: 'equity' },
      status: { ...absent, 'of no account': 'archived' },
      code: { ...absent, 'that is there': codeOf(0) },
    },
    'export-books': { domain_url, to: { [to]: to }, cursor: exportCursor },
    'list-changes': {
      domain_url,
      limit: pages,
      kind: { ...absent, entries: 'entries', postings: 'postings' },
      recorded_from: { ...absent, 'a time': '2026-01-01T00:00:00Z' },
    },
    'create-account': {
      domain_url,
      code: { new: randomUUID, 'that is there': codeOf(0) },
      name: { long: '\u{20000}'.repeat(150) },
      type: { asset: 'asset' },
    },
    'update-account': {
      domain_url,
      code: { 'that is there': codeOf(0) },
      name: { new: () => `${'\u{20000}'.repeat(100)}${randomUUID()}` },
    },
    'create-journal-entry': {
      ...entry,
      ...fixed,
      external_id: newKey,
      'header:Idempotency-Key': newKey,
    },
    'create-journal-entries': {
      domain_url,
      journal_entries: {
        '25 of two lines': many(25, twoLines, entriesDate),
        '25 of two lines on the full date': many(25, twoLines, fullDate),
        'one of 500 lines': many(1, manyLines(tenant.size.accounts / 2), entriesDate),
        'one of 500 lines on the full date': many(1, manyLines(tenant.size.accounts / 2), fullDate),
        '25 of unknown accounts': many(25, unknownLines.slice(0, 20), entriesDate),
        '25 of 270 unknown accounts': () =>
          many(25, [], entriesDate)().map((it, index) => ({
            ...it,
            entries: unknownLines.slice(0, 270).map(({ account, ...side }) => ({
              account: `${account.slice(8)}-${index}`,
              ...side,
            })),
          })),
      },
      'header:Idempotency-Key': newKey,
      dry_run: { ...absent, yes: true },
    },
    'reverse-journal-entry': {
      domain_url,
      journal_entry_id: { 'of 500 lines': () => newEntry({}), 'reversed before': large },
      date: { 'an empty date': '2026-05-05', 'the full date': fullDate },
      external_id: newKey,
      dry_run: { ...absent, yes: true },
    },
    'post-revaluation': {
      domain_url,
      as_of: { 'an empty date': '2026-05-05', 'the full date': fullDate },
      external_id: newKey,
      dry_run: { ...absent, yes: true },
    },
    'cancel-journal-entry': {
      domain_url,
      journal_entry_id: {
        'of 500 lines': () => newEntry({ accrual_date: laterDate('01-01') }),
        'not scheduled': large,
      },
    },
    'get-journal-entry': {
      domain_url,
      journal_entry_id: { 'of 500 lines': large, ...absent },
      external_id: { ...absent, unknown: 'unknown' },
    },
    'list-journal-entries': {
      domain_url,
      limit: pages,
      status: { ...absent, 'that none has': 'cancelled', scheduled: 'scheduled' },
      entry_type: { ...absent, 'that none has': 'Imported Journal' },
      account: { ...absent, 'that none has': codeOf(9_999), 'a code': codeOf(1) },
      order: { ...absent, asc: 'asc' },
      from: { ...absent, ...periods.from },
    },
    'get-exchange-rate': {
      date: { 'a date': entriesDate, 'long ago': '1999-01-03' },
      from: { EUR: 'EUR', USD: 'USD' },
      to: { EUR: 'EUR', 'without rates': 'XPF' },
    },
    'get-revaluation': { domain_url, as_of: { 'the full date': fullDate, ...absent } },
    'get-trial-balance': { ...report, account: { ...absent, 'a code': codeOf(1) } },
    'get-account-ledger': {
      ...report,
      account: { 'a code': codeOf(1), 'of small entries': '1010' },
      limit: pages,
    },
    'get-balance-sheet': { domain_url, as_of: { 'the end': '2999-12-31' }, ...columns },
    'get-profit-and-loss': { ...report, ...columns },
    'get-cash-flow': { ...report, ...columns },
    'get-changes-in-equity': { ...report, ...columns },
  };
};
