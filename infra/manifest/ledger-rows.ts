// The rows of functions for accounts, journal entries and reports.

import { type FunctionRow, short, shortOfTenant } from './function-row.ts';

/** Writes entries. A post can wait a second for other posts to the same date. */
const posting = {
  table: ['BatchGetItem', 'ConditionCheckItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
  writes: ['tenants'],
  secrets: ['authenticator-keys'],
  timeoutSeconds: 27,
  memoryMegabytes: 1024,
  latencyObjectiveSeconds: 4,
  watchedMetrics: ['LargeSheets'],
} as const;

/**
 * Reads a large part of a tenant's books. A report sums a hundred thousand rows. With 1,769 MB it
 * has one full vCPU (AWS Lambda Developer Guide, "Configure Lambda function memory").
 */
const longRead = {
  table: ['BatchGetItem', 'Query'],
  reads: ['tenants'],
  writes: [],
  secrets: ['authenticator-keys'],
  timeoutSeconds: 27,
  memoryMegabytes: 1769,
  latencyObjectiveSeconds: 3,
  throttle: 'longRead',
} as const;

export const ledgerRows = {
  'list-accounts': {
    purpose: "Lists the accounts of a tenant's chart, page by page, with balances if requested",
    trigger: { kind: 'api', method: 'GET', path: '/external/v1/accounts/list' },
    ...shortOfTenant,
    table: ['BatchGetItem', 'Query'],
    reads: ['tenants'],
    writes: [],
    errorImpact: 'Applications cannot show accounts and their balances. Posting works.',
  },
  'create-account': {
    purpose: "Adds an account to a tenant's chart",
    trigger: { kind: 'api', method: 'POST', path: '/external/v1/accounts/create' },
    ...shortOfTenant,
    table: ['BatchGetItem', 'ConditionCheckItem', 'PutItem', 'Query', 'UpdateItem'],
    reads: ['tenants'],
    writes: ['tenants'],
    errorImpact: 'Applications cannot add accounts. Posting to existing accounts works.',
  },
  'update-account': {
    purpose: "Changes the name, status or classification of a tenant's account",
    trigger: { kind: 'api', method: 'POST', path: '/external/v1/accounts/update' },
    ...shortOfTenant,
    table: ['BatchGetItem', 'ConditionCheckItem', 'PutItem', 'Query', 'UpdateItem'],
    reads: ['tenants'],
    writes: ['tenants'],
    errorImpact: 'Applications cannot rename, archive or reclassify accounts. Posting works.',
  },
  'list-changes': {
    purpose: 'Lists who changed what in a tenant, and when',
    trigger: { kind: 'api', method: 'GET', path: '/external/v1/audit/list' },
    ...longRead,
    memoryMegabytes: 1024,
    // It reads as much as list-journal-entries does.
    latencyObjectiveSeconds: 5,
    errorImpact: 'Applications cannot show the changes of a tenant. Posting works.',
  },
  'export-books': {
    purpose: "Exports a tenant's books as an archive, page by page",
    trigger: { kind: 'api', method: 'GET', path: '/external/v1/books/export' },
    ...longRead,
    latencyObjectiveSeconds: 5,
    watchedMetrics: [],
    errorImpact: 'Applications cannot export books. Posting works.',
  },
  'create-journal-entry': {
    purpose: 'Posts a balanced journal entry, or schedules it for a later date',
    trigger: { kind: 'api', method: 'POST', path: '/external/v1/journal_entries/create' },
    ...posting,
    reads: ['nbpRates', 'rates', 'ratesState', 'tenants', 'userIds', 'users'],
    errorImpact: 'Applications cannot post entries. A retry with the same external_id is safe.',
  },
  'create-journal-entries': {
    purpose: 'Posts or schedules up to 25 journal entries, all or none',
    trigger: { kind: 'api', method: 'POST', path: '/external/v1/journal_entries/create_many' },
    ...posting,
    reads: ['nbpRates', 'rates', 'ratesState', 'tenants', 'userIds', 'users'],
    // The function hashes 25 entries while other posts to their date wait. With 1,769 MB it has one
    // full vCPU (AWS Lambda Developer Guide, "Configure Lambda function memory").
    memoryMegabytes: 1769,
    throttle: 'batch',
    errorImpact: 'Applications cannot post batches. A retry with the same external_ids is safe.',
  },
  'reverse-journal-entry': {
    purpose: 'Reverses a posted journal entry with a second entry, at most once',
    trigger: { kind: 'api', method: 'POST', path: '/external/v1/journal_entries/reverse' },
    ...posting,
    reads: ['tenants', 'userIds', 'users'],
    throttle: 'reversal',
    watchedMetrics: ['LargeSheets'],
    errorImpact: 'Applications cannot reverse entries. A retry is safe.',
  },
  'post-revaluation': {
    purpose: "Posts the differences of a tenant's balances in other currencies to closing rates",
    trigger: { kind: 'api', method: 'POST', path: '/external/v1/journal_entries/revalue' },
    ...posting,
    table: ['BatchGetItem', 'ConditionCheckItem', 'PutItem', 'Query'],
    reads: ['nbpRates', 'rates', 'ratesState', 'tenants'],
    memoryMegabytes: 1769,
    throttle: 'longRead',
    // An alarm adds up at most ten metrics. Every other report of the books notices a difference.
    watchedMetrics: ['LargeSheets'],
    errorImpact: 'Applications cannot revalue balances in other currencies. A retry is safe.',
  },
  'cancel-journal-entry': {
    purpose: 'Cancels a scheduled journal entry',
    trigger: { kind: 'api', method: 'POST', path: '/external/v1/journal_entries/cancel' },
    ...shortOfTenant,
    table: ['BatchGetItem', 'DeleteItem', 'PutItem', 'Query', 'UpdateItem'],
    reads: ['tenants'],
    writes: ['tenants'],
    latencyObjectiveSeconds: 4,
    errorImpact: 'Applications cannot cancel scheduled entries, which then post on their date.',
  },
  'get-journal-entry': {
    purpose: 'Shows a journal entry by its id, its number or its external_id',
    trigger: { kind: 'api', method: 'GET', path: '/external/v1/journal_entries/get' },
    ...shortOfTenant,
    table: ['BatchGetItem', 'Query'],
    reads: ['tenants'],
    writes: [],
    errorImpact: 'Applications cannot show single entries. Posting works.',
  },
  'list-journal-entries': {
    purpose: "Lists a tenant's posted and scheduled journal entries by date",
    trigger: { kind: 'api', method: 'GET', path: '/external/v1/journal_entries/list' },
    ...longRead,
    memoryMegabytes: 1024,
    // With a filter that few entries match, a request reads up to eight megabytes.
    latencyObjectiveSeconds: 5,
    errorImpact: 'Applications cannot list entries. Posting works.',
  },
  'get-exchange-rate': {
    purpose: 'Shows the exchange rate that an entry of a date would get',
    trigger: { kind: 'api', method: 'GET', path: '/external/v1/rates' },
    ...short,
    table: ['BatchGetItem', 'Query'],
    reads: ['nbpRates', 'rates', 'ratesState'],
    writes: [],
    errorImpact: 'Applications cannot show exchange rates. Posting works.',
  },
  'get-trial-balance': {
    purpose: 'Reports the opening balance, movement and closing balance of each account',
    trigger: { kind: 'api', method: 'GET', path: '/external/v1/reports/trial_balance' },
    ...longRead,
    errorImpact: 'Applications cannot show trial balances. Posting works.',
  },
  'get-revaluation': {
    purpose:
      "Reports a tenant's balances in other currencies and their differences to closing rates",
    trigger: { kind: 'api', method: 'GET', path: '/external/v1/reports/revaluation' },
    ...longRead,
    reads: ['nbpRates', 'rates', 'ratesState', 'tenants'],
    watchedMetrics: [],
    errorImpact: 'Applications cannot show what a revaluation would post. Posting works.',
  },
  'get-account-ledger': {
    purpose: 'Lists the lines of an account with the balance after each line',
    trigger: { kind: 'api', method: 'GET', path: '/external/v1/reports/account_ledger' },
    ...longRead,
    memoryMegabytes: 1024,
    latencyObjectiveSeconds: 4,
    errorImpact: 'Applications cannot show the lines of an account. Posting works.',
  },
  'get-balance-sheet': {
    purpose: "Reports a company's assets, liabilities and equity on a date",
    trigger: { kind: 'api', method: 'GET', path: '/external/v1/reports/balance_sheet' },
    ...longRead,
    errorImpact: 'Applications cannot show balance sheets. Posting works.',
  },
  'get-profit-and-loss': {
    purpose: "Reports a company's income and expenses in a period",
    trigger: { kind: 'api', method: 'GET', path: '/external/v1/reports/profit_and_loss' },
    ...longRead,
    errorImpact: 'Applications cannot show profit and loss. Posting works.',
  },
  'get-cash-flow': {
    purpose: "Reports a company's cash flows, by the direct or indirect method",
    trigger: { kind: 'api', method: 'GET', path: '/external/v1/reports/cash_flow' },
    ...longRead,
    errorImpact: 'Applications cannot show cash flows. Posting works.',
  },
  'get-changes-in-equity': {
    purpose: "Reports how a company's equity changed",
    trigger: { kind: 'api', method: 'GET', path: '/external/v1/reports/changes_in_equity' },
    ...longRead,
    watchedMetrics: [],
    errorImpact: 'Applications cannot show changes in equity. Posting works.',
  },
  'post-scheduled-entries': {
    purpose: 'Posts the scheduled entries whose accrual date has come',
    trigger: { kind: 'schedule', everyMinutes: 15 },
    table: [
      'BatchGetItem',
      'ConditionCheckItem',
      'DeleteItem',
      'GetItem',
      'PutItem',
      'Query',
      'UpdateItem',
    ],
    reads: ['applications', 'tenants'],
    writes: ['tenants'],
    queriesDue: ['dueDates', 'earlierDueEntries'],
    secrets: ['authenticator-keys'],
    timeoutSeconds: 300,
    memoryMegabytes: 512,
    watchedMetrics: ['LargeSheets', 'BackgroundWorkStuck'],
    errorImpact: 'Due entries stay scheduled until this function works. It then posts all of them.',
  },
  'get-tenant-balances': {
    purpose: 'Compares the balances of a tenant with the trial balance of its platform',
    trigger: { kind: 'api', method: 'GET', path: '/external/v1/tenants/balances' },
    ...longRead,
    errorImpact: 'Applications cannot check whether imported books equal the platform’s.',
  },
} as const satisfies Record<string, FunctionRow>;
