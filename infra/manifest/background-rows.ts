// The rows of background functions: imports, token renewal and exchange rates.

import { resumeEveryMinutes } from '#shared/imports/import-timing.ts';
import { requestedImportPattern } from '#shared/imports/imports.store.ts';
import type { FunctionRow } from './function-row.ts';

export const backgroundRows = {
  'start-imports': {
    purpose: 'Starts one run for each requested import',
    trigger: {
      kind: 'stream',
      filters: [requestedImportPattern],
      batchSize: 25,
      maximumRetries: 5,
    },
    table: [],
    reads: [],
    writes: [],
    secrets: [],
    timeoutSeconds: 240,
    memoryMegabytes: 512,
    errorImpact: 'Imports start late. resume-imports requests them again after ten minutes.',
  },
  'import-tenant-data': {
    purpose: "Imports a connected company's chart of accounts and manual journals",
    // The longest wait goes first: an import that needs more than one run queues again behind the
    // others, and resume-imports starts with the import that has been due longest.
    trigger: {
      kind: 'invocation',
      by: ['start-imports'],
      maximumRetries: 2,
      maximumAgeSeconds: 6 * 60 * 60,
    },
    table: ['BatchGetItem', 'ConditionCheckItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
    reads: ['applications', 'tenants'],
    writes: ['tenants'],
    secrets: ['platform-clients', 'token-sealing-keys'],
    timeoutSeconds: 300,
    memoryMegabytes: 1024,
    watchedMetrics: ['LargeSheets'],
    hasAllAdapters: true,
    errorImpact: 'New tenants keep the status importing and have no accounts to post to.',
  },
  'resume-imports': {
    purpose: 'Requests the next run of imports that waited for a platform or whose run died',
    trigger: { kind: 'schedule', everyMinutes: resumeEveryMinutes },
    table: ['GetItem', 'UpdateItem'],
    reads: ['applications', 'tenants'],
    writes: ['tenants'],
    queriesDue: ['dueImports'],
    secrets: [],
    timeoutSeconds: 60,
    memoryMegabytes: 512,
    watchedMetrics: ['BackgroundWorkStuck'],
    errorImpact: 'Imports that met a rate limit or an outage stay unfinished until it works.',
  },
  'renew-connections': {
    purpose: 'Renews platform tokens that were unused for a month, before they expire',
    trigger: { kind: 'schedule', everyMinutes: 10 },
    table: ['GetItem', 'UpdateItem'],
    reads: ['applications', 'tenants'],
    writes: ['tenants'],
    queriesDue: ['dueConnections'],
    secrets: ['platform-clients', 'token-sealing-keys'],
    timeoutSeconds: 300,
    memoryMegabytes: 512,
    watchedMetrics: ['BackgroundWorkStuck'],
    hasAllAdapters: true,
    errorImpact: 'Tenants without an import for two months must connect again.',
  },
  'carry-totals': {
    purpose: 'Carries totals forward, so that reports need not read earlier sheets',
    trigger: { kind: 'schedule', everyMinutes: 60 },
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
    queriesDue: ['dueCarries'],
    secrets: [],
    timeoutSeconds: 300,
    memoryMegabytes: 1024,
    watchedMetrics: ['BackgroundWorkStuck'],
    errorImpact:
      'Reports stay right, but they read more day sheets from day to day, and cost more.',
  },
  'refresh-exchange-rates': {
    purpose: 'Adds the new rates of the European Central Bank and the National Bank of Poland',
    trigger: { kind: 'schedule', everyMinutes: 180 },
    table: ['BatchGetItem', 'PutItem', 'Query'],
    reads: ['nbpRates', 'rates', 'ratesState'],
    writes: ['nbpRates', 'rates', 'ratesState'],
    secrets: [],
    timeoutSeconds: 120,
    memoryMegabytes: 1024,
    errorImpact: 'Exchange rates are not updated. After seven days, conversions fail.',
  },
} as const satisfies Record<string, FunctionRow>;
