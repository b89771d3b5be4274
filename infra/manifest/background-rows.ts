// What runs by itself: imports, tokens and exchange rates.

import { resumeEveryMinutes } from '#shared/imports/import-timing.ts';
import { requestedImportPattern } from '#shared/imports/imports.store.ts';
import type { FunctionRow } from './function-row.ts';

export const background = {
  'start-imports': {
    purpose: 'Starts each import that is asked for in a run of its own',
    trigger: {
      kind: 'stream',
      newImage: requestedImportPattern,
      batchSize: 25,
      maximumRetries: 5,
    },
    table: [],
    reads: [],
    writes: [],
    secrets: [],
    timeoutSeconds: 240,
    memoryMegabytes: 512,
    watchedMetrics: [],
    errorImpact: 'Imports start late: they are asked for again ten minutes after they should have.',
  },
  'import-tenant-data': {
    purpose: "Imports a connected company's chart of accounts and manual journals",
    // Whoever waited longest is the next: a run that is over after 300 seconds is asked for again,
    // behind those that wait by then, and resume-imports begins with what has been due longest.
    trigger: {
      kind: 'invocation',
      by: 'start-imports',
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
    errorImpact: 'New tenants stay in status importing, without the accounts to post to.',
  },
  'resume-imports': {
    purpose: 'Asks for the imports to go on that waited for a platform, or whose run died',
    trigger: { kind: 'schedule', everyMinutes: resumeEveryMinutes },
    table: ['GetItem', 'UpdateItem'],
    reads: ['applications', 'tenants'],
    writes: ['tenants'],
    queriesDue: ['dueImports'],
    secrets: [],
    timeoutSeconds: 60,
    memoryMegabytes: 512,
    watchedMetrics: ['BackgroundWorkStuck'],
    errorImpact: 'Imports that met a limit or an outage stay unfinished. The next good run helps.',
  },
  'renew-connections': {
    purpose: 'Renews platform tokens that nobody has used for a month, before they end',
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
    errorImpact: 'Tenants that are not imported for two months must be connected again.',
  },
  'refresh-exchange-rates': {
    purpose: "Adds the European Central Bank's new reference rates",
    trigger: { kind: 'schedule', everyMinutes: 180 },
    table: ['BatchGetItem', 'PutItem', 'Query'],
    reads: ['rates', 'ratesState'],
    writes: ['rates', 'ratesState'],
    secrets: [],
    timeoutSeconds: 60,
    memoryMegabytes: 1024,
    watchedMetrics: [],
    errorImpact: 'Rates grow old; after seven days entries across currencies are refused.',
  },
} as const satisfies Record<string, FunctionRow>;
