// The architecture on one screen: one row per function. The local server and the deployment both
// read it, so a local route cannot drift from a deployed one.

import { requestedImportPattern } from '#shared/store/imports.ts';
import type { PartitionKind } from '#shared/store/partitions.ts';
import type { Trigger } from './triggers.ts';

/**
 * The IAM actions on the table. A transaction has none of its own: each of its parts is authorized
 * like the same write by itself (DynamoDB Developer Guide, "IAM for transactions").
 */
export type TableAction =
  | 'BatchGetItem'
  | 'ConditionCheckItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PutItem'
  | 'Query'
  | 'UpdateItem';

/**
 * All hold keys by version but `platform-clients`, which has a row a slot. The keys of OAuth states
 * are no part of `token-sealing-keys`: who starts an authorization must not be able to open tokens.
 */
export type SecretName =
  | 'api-key-pepper'
  | 'oauth-state-keys'
  | 'platform-clients'
  | 'token-sealing-keys';

export type FunctionRow = {
  purpose: string;
  trigger: Trigger;
  /** What the function does to the table, and no more. */
  table: readonly TableAction[];
  /**
   * The partitions that it reads and writes; IAM holds it to them by `dynamodb:LeadingKeys`. None
   * writes what operators write.
   */
  reads: readonly PartitionKind[];
  writes: readonly PartitionKind[];
  /** What it queries the due index for. */
  queriesDue?: Extract<PartitionKind, `due${string}`>;
  secrets: readonly SecretName[];
  timeoutSeconds: number;
  memoryMegabytes: number;
  /** What it means for people when this function fails; every alarm repeats it. */
  errorImpact: string;
};

/** Paths have no last slash, as the gateway declares them; it serves both forms. */
export const functions = {
  authorizer: {
    purpose: 'Decides by its X-API-Key whether a request may pass, and for which application',
    trigger: { kind: 'authorizer', cacheSeconds: 60 },
    table: ['BatchGetItem', 'UpdateItem'],
    reads: ['applications', 'keyUses'],
    writes: ['keyUses'],
    secrets: ['api-key-pepper'],
    timeoutSeconds: 5,
    memoryMegabytes: 512,
    errorImpact: 'No application can call any endpoint once its cached decision is a minute old.',
  },
  'ensure-user': {
    purpose: 'Registers a user with the calling application, or finds it',
    trigger: { kind: 'api', method: 'POST', path: '/external/v1/users/ensure' },
    table: ['GetItem', 'PutItem'],
    reads: ['users'],
    writes: ['userIds', 'users'],
    secrets: [],
    timeoutSeconds: 27,
    memoryMegabytes: 1024,
    errorImpact: 'Applications cannot register users, so new customers cannot start.',
  },
  'get-user-profile': {
    purpose: 'Shows a user with its tenants',
    trigger: { kind: 'api', method: 'POST', path: '/external/v1/users/profile' },
    table: ['BatchGetItem', 'Query'],
    reads: ['tenants', 'users'],
    writes: [],
    secrets: [],
    timeoutSeconds: 15,
    memoryMegabytes: 512,
    errorImpact: 'Applications cannot show which tenants a user has, nor how an import went.',
  },
  'initiate-oauth': {
    purpose: "Starts an accounting platform's authorization and returns the URL for the browser",
    trigger: { kind: 'api', method: 'GET', path: '/external/v1/oauth/{platform}/initiate' },
    table: ['BatchGetItem', 'PutItem'],
    reads: ['applications', 'userIds'],
    writes: ['oauthStates'],
    secrets: ['oauth-state-keys', 'platform-clients'],
    timeoutSeconds: 20,
    memoryMegabytes: 512,
    errorImpact: 'Users cannot start to connect an accounting platform.',
  },
  'oauth-callback': {
    purpose: 'Takes the browser back from the platform, creates the tenant and asks for its import',
    trigger: { kind: 'url', path: '/oauth/{platform}/callback' },
    table: ['ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'],
    reads: ['applications', 'companies', 'oauthStates', 'tenants', 'users'],
    writes: ['companies', 'domains', 'oauthStates', 'tenants', 'users'],
    secrets: ['oauth-state-keys', 'platform-clients', 'token-sealing-keys'],
    timeoutSeconds: 60,
    memoryMegabytes: 512,
    errorImpact: 'Users who consented at their platform are stranded; their tenant is not created.',
  },
  'create-tenant': {
    purpose: 'Creates a company tenant, kept by hand or linked to an accounting platform',
    trigger: { kind: 'api', method: 'POST', path: '/external/v1/tenants/create' },
    table: ['BatchGetItem', 'ConditionCheckItem', 'GetItem', 'PutItem', 'UpdateItem'],
    reads: ['companies', 'idempotencyRecords', 'tenants', 'userIds', 'users'],
    writes: ['companies', 'domains', 'idempotencyRecords', 'tenants', 'users'],
    secrets: ['platform-clients', 'token-sealing-keys'],
    timeoutSeconds: 27,
    memoryMegabytes: 512,
    errorImpact: 'Applications cannot create companies.',
  },
  'link-tenant': {
    purpose: 'Links a user to a tenant, so that it is shown it and may connect it again',
    trigger: { kind: 'api', method: 'POST', path: '/external/v1/tenants/link' },
    table: ['BatchGetItem', 'PutItem'],
    reads: ['tenants', 'userIds'],
    writes: ['users'],
    secrets: [],
    timeoutSeconds: 15,
    memoryMegabytes: 512,
    errorImpact: 'Applications cannot give further users access to a tenant.',
  },
  'unlink-tenant': {
    purpose: "Ends a user's link to a tenant, whose books stay as they are",
    trigger: { kind: 'api', method: 'POST', path: '/external/v1/tenants/unlink' },
    table: ['BatchGetItem', 'DeleteItem'],
    reads: ['tenants', 'userIds'],
    writes: ['users'],
    secrets: [],
    timeoutSeconds: 15,
    memoryMegabytes: 512,
    errorImpact: 'Applications cannot take a tenant from a user, who goes on seeing it.',
  },
  'get-tenant-import': {
    purpose: "Shows how a tenant's import stands, and what happens next",
    trigger: { kind: 'api', method: 'GET', path: '/external/v1/tenants/imports' },
    table: ['BatchGetItem'],
    reads: ['tenants'],
    writes: [],
    secrets: [],
    timeoutSeconds: 15,
    memoryMegabytes: 512,
    errorImpact: 'Applications cannot show how an import goes, nor what it left out.',
  },
  'request-import': {
    purpose: "Asks for an import of what is new at a tenant's platform",
    trigger: { kind: 'api', method: 'POST', path: '/external/v1/tenants/import' },
    table: ['BatchGetItem', 'ConditionCheckItem', 'GetItem', 'PutItem', 'UpdateItem'],
    reads: ['tenants'],
    writes: ['tenants'],
    secrets: [],
    timeoutSeconds: 15,
    memoryMegabytes: 512,
    errorImpact: 'What is new at a platform is not imported. What is here stays as it is.',
  },
  'disconnect-tenant': {
    purpose: "Gives a tenant's access back at its platform, and forgets its tokens",
    trigger: { kind: 'api', method: 'POST', path: '/external/v1/tenants/disconnect' },
    table: ['BatchGetItem', 'GetItem', 'UpdateItem'],
    reads: ['tenants'],
    writes: ['tenants'],
    secrets: ['platform-clients', 'token-sealing-keys'],
    timeoutSeconds: 27,
    memoryMegabytes: 512,
    errorImpact: 'Companies that want to leave stay connected until the request is sent again.',
  },
  'create-journal-entry': {
    purpose: 'Posts a balanced journal entry, or schedules it for a later date',
    trigger: { kind: 'api', method: 'POST', path: '/external/v1/journal_entries/create' },
    table: ['BatchGetItem', 'ConditionCheckItem', 'GetItem', 'PutItem', 'Query'],
    reads: ['rates', 'ratesState', 'tenants', 'userIds', 'users'],
    writes: ['tenants'],
    secrets: [],
    timeoutSeconds: 27,
    memoryMegabytes: 1024,
    errorImpact: 'Nothing can be posted. Callers retry; external_id keeps that safe.',
  },
  'post-scheduled-entries': {
    purpose: 'Posts the scheduled entries whose accrual date has come',
    trigger: { kind: 'schedule', everyMinutes: 15 },
    table: ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
    reads: ['applications', 'tenants'],
    writes: ['tenants'],
    queriesDue: 'dueEntries',
    secrets: [],
    timeoutSeconds: 300,
    memoryMegabytes: 512,
    errorImpact: 'Entries that are due stay scheduled. The next good run posts all of them.',
  },
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
    timeoutSeconds: 60,
    memoryMegabytes: 512,
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
    errorImpact: 'New tenants stay in status importing, without the accounts to post to.',
  },
  'resume-imports': {
    purpose: 'Asks for the imports to go on that waited for a platform, or whose run died',
    trigger: { kind: 'schedule', everyMinutes: 2 },
    table: ['GetItem', 'UpdateItem'],
    reads: ['applications', 'tenants'],
    writes: ['tenants'],
    queriesDue: 'dueImports',
    secrets: [],
    timeoutSeconds: 60,
    memoryMegabytes: 512,
    errorImpact: 'Imports that met a limit or an outage stay unfinished. The next good run helps.',
  },
  'renew-connections': {
    purpose: 'Renews platform tokens that nobody has used for a month, before they end',
    trigger: { kind: 'schedule', everyMinutes: 10 },
    table: ['GetItem', 'UpdateItem'],
    reads: ['applications', 'tenants'],
    writes: ['tenants'],
    queriesDue: 'dueConnections',
    secrets: ['platform-clients', 'token-sealing-keys'],
    timeoutSeconds: 300,
    memoryMegabytes: 512,
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
    errorImpact: 'Rates grow old; after seven days entries across currencies are refused.',
  },
} as const satisfies Record<string, FunctionRow>;

export type FunctionName = keyof typeof functions;

/** The rows of one kind of trigger, with the function's name. */
export const functionsOfKind = <Kind extends Trigger['kind']>(kind: Kind) =>
  (Object.entries(functions) as [FunctionName, FunctionRow][]).flatMap(([name, row]) =>
    row.trigger.kind === kind
      ? [{ name, row, trigger: row.trigger as Extract<Trigger, { kind: Kind }> }]
      : [],
  );

/** The functions that a function asks Lambda to call, and may. */
export const functionsInvokedBy = (name: FunctionName): FunctionName[] =>
  functionsOfKind('invocation').flatMap((invoked) =>
    invoked.trigger.by === name ? [invoked.name] : [],
  );
