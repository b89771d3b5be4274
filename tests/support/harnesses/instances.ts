// The functions that use the table, as one process has them: new handlers with their own client.
// Time, ids and platforms are arguments. Nothing else is stored.

import { randomBytes, randomUUID } from 'node:crypto';
import { createHandler as createAuthorizer } from '#functions/authorizer/handler.ts';
import { createHandler as createCancelHandler } from '#functions/cancel-journal-entry/handler.ts';
import { createHandler as createCarryHandler } from '#functions/carry-totals/handler.ts';
import { createHandler as createConfirmHandler } from '#functions/confirm-tenant/handler.ts';
import { createHandler as createAccountHandler } from '#functions/create-account/handler.ts';
import { createHandler as createBatchHandler } from '#functions/create-journal-entries/handler.ts';
import { createHandler as createEntryHandler } from '#functions/create-journal-entry/handler.ts';
import { createHandler as createTenantHandler } from '#functions/create-tenant/handler.ts';
import { createHandler as createDisconnectHandler } from '#functions/disconnect-tenant/handler.ts';
import { createHandler as createEnsureHandler } from '#functions/ensure-user/handler.ts';
import { createHandler as createErasure } from '#functions/erase-user/handler.ts';
import { createHandler as createExportHandler } from '#functions/export-books/handler.ts';
import { createHandler as createLedgerHandler } from '#functions/get-account-ledger/handler.ts';
import { createHandler as createSheetHandler } from '#functions/get-balance-sheet/handler.ts';
import { createHandler as createCashFlowHandler } from '#functions/get-cash-flow/handler.ts';
import { createHandler as createEquityHandler } from '#functions/get-changes-in-equity/handler.ts';
import { createHandler as createRateHandler } from '#functions/get-exchange-rate/handler.ts';
import { createHandler as createEntryViewHandler } from '#functions/get-journal-entry/handler.ts';
import { createHandler as createProfitHandler } from '#functions/get-profit-and-loss/handler.ts';
import { createHandler as createRevaluationHandler } from '#functions/get-revaluation/handler.ts';
import { createHandler as createTenantView } from '#functions/get-tenant/handler.ts';
import { createHandler as createBalancesHandler } from '#functions/get-tenant-balances/handler.ts';
import { createHandler as createImportViewHandler } from '#functions/get-tenant-import/handler.ts';
import { createHandler as createBalanceHandler } from '#functions/get-trial-balance/handler.ts';
import { createHandler as createUserView } from '#functions/get-user/handler.ts';
import { createHandler as createProfileHandler } from '#functions/get-user-profile/handler.ts';
import { createHandler as createImportHandler } from '#functions/import-tenant-data/handler.ts';
import { createHandler as createInitiateHandler } from '#functions/initiate-oauth/handler.ts';
import { createHandler as createLinkHandler } from '#functions/link-tenant/handler.ts';
import { createHandler as createAccountsHandler } from '#functions/list-accounts/handler.ts';
import { createHandler as createChangesHandler } from '#functions/list-changes/handler.ts';
import { createHandler as createEntryList } from '#functions/list-journal-entries/handler.ts';
import { createHandler as createTenantList } from '#functions/list-tenants/handler.ts';
import { createHandler as createCallbackHandler } from '#functions/oauth-callback/handler.ts';
import { createHandler as createRevaluationPosting } from '#functions/post-revaluation/handler.ts';
import { createHandler as createPosting } from '#functions/post-scheduled-entries/handler.ts';
import { createHandler as createRenewHandler } from '#functions/renew-connections/handler.ts';
import { createHandler as createRequestImportHandler } from '#functions/request-import/handler.ts';
import { createHandler as createResumeHandler } from '#functions/resume-imports/handler.ts';
import { createHandler as createReverseHandler } from '#functions/reverse-journal-entry/handler.ts';
import { createHandler as createUnlinkHandler } from '#functions/unlink-tenant/handler.ts';
import { createHandler as createAccountUpdateHandler } from '#functions/update-account/handler.ts';
import { createHandler as createTenantUpdate } from '#functions/update-tenant/handler.ts';
import { createHandler as createUserUpdate } from '#functions/update-user/handler.ts';
import { readOnlyRoutes } from '#infra/manifest/manifest.ts';
import { openAccountUse } from '#shared/accounts/account-use.store.ts';
import { openAccounts } from '#shared/accounts/accounts.store.ts';
import { openTenantCharts } from '#shared/accounts/charts.service.ts';
import { openCharts } from '#shared/accounts/charts.store.ts';
import { openApplications } from '#shared/applications/applications.store.ts';
import { openDueWork } from '#shared/background/due-index.store.ts';
import { openBalanceChecks } from '#shared/balances/balance-check.service.ts';
import { openPlatformBalances } from '#shared/balances/platform-balances.store.ts';
import { newNonce, openStateKeys } from '#shared/connections/authorization-states.ts';
import { openConnections } from '#shared/connections/connections.store.ts';
import { openHeldConsents } from '#shared/connections/held-consents.store.ts';
import { openOAuthStates } from '#shared/connections/oauth-states.store.ts';
import {
  openConnectionRecorder,
  openPendingConnections,
} from '#shared/connections/pending-connections.store.ts';
import type { RedirectRegistration } from '#shared/connections/redirect-urls.ts';
import { openEntryLookups } from '#shared/entries/entry-lookups.store.ts';
import { openJournalEntries } from '#shared/entries/journal-entries.store.ts';
import { openEntryLists } from '#shared/entries/lists/entry-lists.store.ts';
import { openEntryQueries } from '#shared/entries/lists/entry-queries.service.ts';
import { openPostedEntries } from '#shared/entries/lists/posted-entries.store.ts';
import { openPosting } from '#shared/entries/posting.service.ts';
import { openReversals } from '#shared/entries/reversals/reversals.service.ts';
import { openEntryReversals } from '#shared/entries/reversals/reversals.store.ts';
import { openCancellations } from '#shared/entries/schedule/cancellations.service.ts';
import { openEntryCancellations } from '#shared/entries/schedule/cancellations.store.ts';
import { openDueDates } from '#shared/entries/schedule/due-dates.store.ts';
import { openWebhookSending } from '#shared/events/webhook-sending.service.ts';
import { openArchiveStores } from '#shared/exports/archives.container.ts';
import { openTenantHistory } from '#shared/history/tenant-history.store.ts';
import { openImportedJournals } from '#shared/imports/imported-journals.store.ts';
import { openImports } from '#shared/imports/imports.store.ts';
import { openTenantImports } from '#shared/imports/tenant-imports.store.ts';
import type { Platforms } from '#shared/platforms/registry.ts';
import { openExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import { openReportBooks } from '#shared/reports/report-books.service.ts';
import { openReportSources } from '#shared/reports/report-sources.store.ts';
import { openRevaluations } from '#shared/revaluations/revaluations.service.ts';
import { openRevaluationRecords } from '#shared/revaluations/revaluations.store.ts';
import { openSealing } from '#shared/sealing.ts';
import type { VersionedKeys } from '#shared/secrets.ts';
import { openCarryForward } from '#shared/sheets/carry-forward.store.ts';
import type { WebhookName } from '#shared/table/event-keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { Log, Metrics } from '#shared/telemetry.ts';
import { openLinking } from '#shared/tenants/tenant-links.service.ts';
import { openTenantLinks, openTenantReader } from '#shared/tenants/tenant-links.store.ts';
import { openTenantLists } from '#shared/tenants/tenant-lists.store.ts';
import { openTenantSettings } from '#shared/tenants/tenant-settings.store.ts';
import { openTenantUpdates } from '#shared/tenants/tenant-updates.service.ts';
import { openTenants } from '#shared/tenants/tenants.store.ts';
import { hashPassword } from '#shared/users/passwords.ts';
import { openUserChanges } from '#shared/users/user-changes.store.ts';
import { newUserId, openUsers } from '#shared/users/users.store.ts';
import { openVerifications } from '#shared/verification/verifications.store.ts';
import { testQuotas } from '../builders/quotas.ts';
import { fixedSecret, newKeys } from '../builders/secrets.ts';
import { testSlots } from '../builders/slots.ts';
import { newSuffix } from '../builders/tenants.ts';
import { authorizerEvent, lambdaContext } from '../events/lambda-events.ts';
import { postingStoresOf } from '../readers/due-entries.ts';
import { keepLog } from '../recorders/log.ts';
import { keepMetrics } from '../recorders/metrics.ts';
import { openEventFunctions } from './event-functions.ts';

export const callbackBaseUrl = 'https://callback.example';
export const baseDomain = 'ledger.example';

/** Where new ids come from. */
type NewId = 'newUserId' | 'newSuffix' | 'newNonce' | 'newImportId' | 'newRunId';
export type Ids = Record<NewId, () => string> & {
  /** Random bytes for the ids of entries. */
  newRandom: (size: number) => Uint8Array;
};

/** What an instance has unless its test needs another. */
const usual = {
  ids: {
    newUserId: () => newUserId(randomBytes),
    newSuffix,
    newNonce: () => newNonce(randomBytes),
    newImportId: randomUUID,
    newRunId: randomUUID,
    newRandom: randomBytes,
  } as Ids,
  platforms: {
    get: () => Promise.reject(new Error('unexpected call of a platform')),
  } as Platforms,
  keys: newKeys('1'),
  quotas: testQuotas,
  slots: testSlots(),
  sending: openWebhookSending({ targets: 'and_localhost' }),
  deliver: async (_: WebhookName): Promise<void> => {},
  registration: 'optional' as RedirectRegistration,
};

type Options = Partial<Omit<typeof usual, 'ids'>> & {
  ids?: Partial<Ids>;
  table: Table;
  clock: () => Date;
  baseDomain?: string;
  log?: Log;
  metrics?: Metrics;
};

/** Carries the totals of all tenants that are due by the end of time, up to a time of the clock. */
export const openCarrying = (table: Table) => {
  const run = (now: string) =>
    createCarryHandler({
      log: keepLog(),
      metrics: keepMetrics(),
      applications: openApplications(table),
      dueWork: openDueWork(table),
      carryForward: openCarryForward(table),
      verifications: openVerifications(table),
      clock: () => new Date(now),
      concurrency: 1,
    });
  return (now: string) => run(now)({ time: '2999-01-01T00:05:00.000Z' }, lambdaContext(300_000));
};

export const openInstance = (options: Options) => {
  const { table, keys, ...given } = { ...usual, ...options };
  const ids = { ...usual.ids, ...options.ids };
  const { clock, quotas } = given;
  const secret = fixedSecret(keys);
  const common = { log: keepLog(), metrics: keepMetrics(), ...given };
  const tools = { baseDomain, ...common, tenants: openTenantReader(table) };
  const sealing = openSealing(secret);
  const tenants = openTenants(table, { sealing, newSuffix: ids.newSuffix, quotas });
  const users = openUsers(table);
  const applications = openApplications(table);
  const states = openOAuthStates(table);
  const stateKeys = openStateKeys(secret);
  const journalEntries = openJournalEntries(table, { newRandom: ids.newRandom, clock });
  const exchangeRates = openExchangeRates(table, { maximumAgeDays: 7, clock });
  const posting = openPosting({
    clock,
    quotas,
    journalEntries,
    exchangeRates,
  });
  const linking = openLinking(openTenantLinks(table), clock);
  const tenantImports = openTenantImports(table);
  const entryQueries = openEntryQueries({
    charts: openCharts(table),
    lookups: openEntryLookups(table),
    lists: openEntryLists(table),
    dueDates: openDueDates(table),
    clock,
  });
  const imports = openImports(table);
  const accountUse = openAccountUse(table);
  const tenantCharts = openTenantCharts(openCharts(table), { accountUse, clock });
  const reportBooks = openReportBooks(openReportSources(table));
  const records = openRevaluationRecords(table, ids.newRandom);
  const revaluing = { reportBooks, exchangeRates, records, quotas, clock };
  const revaluations = openRevaluations(revaluing);
  return {
    // Waits for its record without a limit, to make runs repeatable.
    authorize: createAuthorizer({
      ...common,
      readOnlyRoutes,
      applications,
      pepper: secret,
      sleep: () => new Promise(() => {}),
    }),
    ensureUser: createEnsureHandler({
      ...common,
      ...ids,
      users,
      hashPassword: (password) => hashPassword(password, randomBytes),
    }),
    getUser: createUserView({ ...common, users }),
    updateUser: createUserUpdate({ ...common, userChanges: openUserChanges(table) }),
    eraseUser: createErasure({ ...common, userChanges: openUserChanges(table) }),
    getProfile: createProfileHandler({ ...common, users, tenants: openTenantReader(table) }),
    initiate: createInitiateHandler({
      ...common,
      ...ids,
      states,
      stateKeys,
      callbackBaseUrl,
    }),
    callBack: createCallbackHandler({
      ...common,
      ...ids,
      states,
      consents: openHeldConsents(table, sealing),
      stateKeys,
      applications,
      tenants,
      connectionRecorder: openConnectionRecorder(table, { sealing, newSuffix: ids.newSuffix }),
    }),
    confirm: createConfirmHandler({
      ...tools,
      ...ids,
      pendingConnections: openPendingConnections(table, quotas),
    }),
    createTenant: createTenantHandler({ ...common, ...ids, tenants, exchangeRates }),
    getTenant: createTenantView(tools),
    listTenants: createTenantList({ ...tools, tenantLists: openTenantLists(table) }),
    updateTenant: createTenantUpdate({
      ...tools,
      tenantUpdates: openTenantUpdates({
        settings: openTenantSettings(table),
        clock,
      }),
    }),
    link: createLinkHandler({ ...tools, linking }),
    unlink: createUnlinkHandler({ ...tools, linking }),
    getBalances: createBalancesHandler({
      ...tools,
      balanceChecks: openBalanceChecks(openPlatformBalances(table)),
    }),
    getImport: createImportViewHandler({ ...tools, tenantImports }),
    requestImport: createRequestImportHandler({ ...tools, ...ids, tenantImports, imports }),
    disconnect: createDisconnectHandler({
      ...tools,
      tenantImports,
      imports,
      history: openTenantHistory(table),
      connections: openConnections(table, sealing),
      sleep: async () => {},
    }),
    listAccounts: createAccountsHandler({ ...tools, tenantCharts, reportBooks }),
    listChanges: createChangesHandler({
      ...tools,
      history: openTenantHistory(table),
      entryQueries,
    }),
    exportBooks: createExportHandler({
      ...tools,
      archiveStores: { ...openArchiveStores(table), sleep: async () => {} },
    }),
    createAccount: createAccountHandler({ ...tools, tenantCharts }),
    updateAccount: createAccountUpdateHandler({ ...tools, tenantCharts }),
    createEntry: createEntryHandler({ ...tools, posting }),
    createEntries: createBatchHandler({ ...tools, posting }),
    reverseEntry: createReverseHandler({
      ...tools,
      reversals: openReversals({
        entryReversals: openEntryReversals(table, ids.newRandom),
        quotas,
        clock,
      }),
    }),
    cancelEntry: createCancelHandler({
      ...tools,
      cancellations: openCancellations({
        entryCancellations: openEntryCancellations(table),
        lookups: openEntryLookups(table),
        clock,
      }),
    }),
    getEntry: createEntryViewHandler({ ...tools, entryQueries }),
    listEntries: createEntryList({ ...tools, entryQueries }),
    ...openEventFunctions({ ...tools, table, sealing, random: ids.newRandom }),
    getRate: createRateHandler({ ...common, exchangeRates }),
    getTrialBalance: createBalanceHandler({ ...tools, reportBooks }),
    getRevaluation: createRevaluationHandler({ ...tools, reportBooks, revaluations }),
    postRevaluation: createRevaluationPosting({ ...tools, revaluations }),
    getBalanceSheet: createSheetHandler({ ...tools, reportBooks }),
    getProfitAndLoss: createProfitHandler({ ...tools, reportBooks }),
    getCashFlow: createCashFlowHandler({ ...tools, reportBooks }),
    getChangesInEquity: createEquityHandler({ ...tools, reportBooks }),
    getAccountLedger: createLedgerHandler({
      ...tools,
      reportBooks,
      postedEntries: openPostedEntries(table),
      sleep: async () => {},
    }),
    postScheduled: createPosting({
      ...common,
      ...postingStoresOf(table),
      // One at a time: a fault must meet the same call in each run.
      concurrency: 1,
    }),
  };
};

export type Instance = ReturnType<typeof openInstance>;

/**
 * The status that the gateway returns for a key. Suspended applications get 403. The error
 * "Unauthorized" becomes 401, any other 500, which callers may repeat.
 */
export const gatewayStatusOf = async ({ authorize }: Instance, apiKey: string) => {
  try {
    const { policyDocument } = await authorize(authorizerEvent(apiKey), lambdaContext());
    return JSON.stringify(policyDocument).includes('"Allow"') ? 200 : 403;
  } catch (error) {
    return error instanceof Error && error.message === 'Unauthorized' ? 401 : 500;
  }
};

/** The functions that work on connected companies by themselves, as one process has them. */
export const openBackgroundFunctions = (options: {
  table: Table;
  clock: () => Date;
  sleep: (milliseconds: number) => Promise<unknown>;
  /** The time left for the run. */
  remainingMilliseconds: () => number;
  newRandom?: Ids['newRandom'];
  newRunId?: Ids['newRunId'];
  platforms: Platforms;
  keys: VersionedKeys;
}) => {
  const { table, keys, remainingMilliseconds, newRandom, ...given } = options;
  const common = {
    newRunId: randomUUID,
    // Time passes here when somebody sleeps; a run renews its lease when it saves its checkpoint.
    repeat: () => () => {},
    // A faulty call is known by its place among the calls of a run, without those of its pace.
    pace: { run: <Result>(_: string, work: () => Promise<Result>) => work() },
    ...given,
    applications: openApplications(table),
    imports: openImports(table, { clock: given.clock }),
    connections: openConnections(table, openSealing(fixedSecret(keys))),
    dueWork: openDueWork(table),
    tenants: openTenantReader(table),
    log: keepLog(),
    metrics: keepMetrics(),
    concurrency: 1,
  };
  const stores = {
    history: openTenantHistory(table),
    accounts: openAccounts(table, testQuotas),
    journals: openImportedJournals(table, newRandom),
    balances: openPlatformBalances(table, newRandom),
  };
  return {
    remainingMilliseconds,
    runImport: createImportHandler({ ...common, ...stores }),
    resumeImports: createResumeHandler(common),
    renewConnections: createRenewHandler({ ...common, ...stores }),
  };
};

export type BackgroundFunctions = ReturnType<typeof openBackgroundFunctions>;
