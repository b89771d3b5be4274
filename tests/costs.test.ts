// What every operation costs at the table: its calls in sequence, and its consumed capacity.
// A number that changes here changes the bill and the latency of every request.

import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { createHandler as createAuthorizer } from '#functions/authorizer/handler.ts';
import { createHandler as createConfirmHandler } from '#functions/confirm-tenant/handler.ts';
import { createHandler as createAccountHandler } from '#functions/create-account/handler.ts';
import { createHandler as createTenantHandler } from '#functions/create-tenant/handler.ts';
import { createHandler as createEnsureHandler } from '#functions/ensure-user/handler.ts';
import { createHandler as createImportViewHandler } from '#functions/get-tenant-import/handler.ts';
import { createHandler as createProfileHandler } from '#functions/get-user-profile/handler.ts';
import { createHandler as createLinkHandler } from '#functions/link-tenant/handler.ts';
import { createHandler as createAccountsHandler } from '#functions/list-accounts/handler.ts';
import { createHandler as createRequestImportHandler } from '#functions/request-import/handler.ts';
import { createHandler as createUnlinkHandler } from '#functions/unlink-tenant/handler.ts';
import { createHandler as createAccountUpdateHandler } from '#functions/update-account/handler.ts';
import { createHandler as createTenantUpdateHandler } from '#functions/update-tenant/handler.ts';
import { openTenantCharts } from '#shared/accounts/charts.service.ts';
import { openCharts } from '#shared/accounts/charts.store.ts';
import { hashApiKey, newApiKey, newApplicationId } from '#shared/applications/api-keys.ts';
import { openApplications } from '#shared/applications/applications.store.ts';
import {
  openConnectionRecorder,
  openPendingConnections,
} from '#shared/connections/pending-connections.store.ts';
import { openImports } from '#shared/imports/imports.store.ts';
import { openTenantImports } from '#shared/imports/tenant-imports.store.ts';
import { tenantKey, tenantLinkKey } from '#shared/table/keys.ts';
import { openLinking } from '#shared/tenants/tenant-links.service.ts';
import { openTenantLinks } from '#shared/tenants/tenant-links.store.ts';
import { openTenantReader } from '#shared/tenants/tenant-reader.store.ts';
import { openTenantSettings } from '#shared/tenants/tenant-settings.store.ts';
import { openTenantUpdates } from '#shared/tenants/tenant-updates.service.ts';
import { hashPassword } from '#shared/users/passwords.ts';
import { newUserId } from '#shared/users/user-ids.ts';
import { openTestLedger } from './support/builders/ledger.ts';
import { testQuotas } from './support/builders/quotas.ts';
import { testSlots } from './support/builders/slots.ts';
import { connectionOf, newSuffix, tenantOf } from './support/builders/tenants.ts';
import { costOf } from './support/dynamodb/costs.ts';
import {
  apiEvent,
  authorizerEvent,
  lambdaContext,
  readResult,
} from './support/events/lambda-events.ts';
import { tenantToolsOf } from './support/harnesses/tenant-tools.ts';
import { keepLog } from './support/recorders/log.ts';
import { keepMetrics } from './support/recorders/metrics.ts';

const now = '2026-03-24T12:00:00.000Z';
const common = {
  clock: () => new Date(now),
  log: keepLog(),
  metrics: keepMetrics(),
  slots: testSlots(),
  quotas: testQuotas,
};

let ledger: Awaited<ReturnType<typeof openTestLedger>>;

const ada = { email: 'ada@example.com', password: 'correct horse' };
const names = { first_name: 'Ada', last_name: 'Lovelace' };

const openHandlers = () => {
  const tools = tenantToolsOf(ledger.table);
  const ensure = createEnsureHandler({
    ...common,
    ...ledger,
    newUserId: () => newUserId(randomBytes),
    hashPassword: (password) => hashPassword(password, randomBytes),
  });
  const profile = createProfileHandler({
    ...common,
    ...ledger,
    tenants: openTenantReader(ledger.table),
  });
  const createTenant = createTenantHandler({
    ...common,
    ...ledger,
    platforms: { get: () => Promise.reject(new Error('no platform is asked here')) },
    newImportId: randomUUID,
  });
  const linking = openLinking(openTenantLinks(ledger.table));
  const link = createLinkHandler({ ...common, ...tools, linking });
  const unlink = createUnlinkHandler({ ...common, ...tools, linking });
  const tenantImports = openTenantImports(ledger.table);
  const showImport = createImportViewHandler({ ...common, ...tools, tenantImports });
  const confirm = createConfirmHandler({
    ...common,
    ...tools,
    newImportId: randomUUID,
    pendingConnections: openPendingConnections(ledger.table, testQuotas),
    quotas: testQuotas,
  });
  const requestImport = createRequestImportHandler({
    ...common,
    ...tools,
    ...{ tenantImports, imports: openImports(ledger.table), newImportId: randomUUID },
  });
  const updateTenant = createTenantUpdateHandler({
    ...common,
    ...tools,
    tenantUpdates: openTenantUpdates({
      settings: openTenantSettings(ledger.table),
      ...{ clock: common.clock, newChangeId: randomUUID },
    }),
  });
  const tenantCharts = openTenantCharts(openCharts(ledger.table));
  return {
    ...{ ensure, profile, createTenant, updateTenant, link, unlink, showImport, requestImport },
    confirm,
    listAccounts: createAccountsHandler({ ...common, ...tools, tenantCharts }),
    createAccount: createAccountHandler({ ...common, ...tools, tenantCharts }),
    updateAccount: createAccountUpdateHandler({ ...common, ...tools, tenantCharts }),
  };
};

type Handlers = ReturnType<typeof openHandlers>;

const send = async (handler: Handlers[keyof Handlers], body: unknown) => {
  const result = readResult(await handler(apiEvent({ body }), lambdaContext()));
  expect(result.status).toBe(200);
  return result.body.data;
};

beforeAll(async () => {
  ledger = await openTestLedger();
});

describe('the table calls of', () => {
  test('authorize: one batch read; for the first use of a key in a day an update too', async () => {
    const applications = openApplications(ledger.table);
    const applicationId = newApplicationId(randomBytes);
    const { keyId, apiKey } = newApiKey(applicationId, randomBytes);
    const pepper = randomBytes(32);
    await applications.record({
      applicationId,
      name: 'Costs',
      status: 'active',
      redirectUrls: [],
      createdAt: now,
    });
    await applications.recordKey({
      keyId,
      applicationId,
      access: 'full',
      hash: hashApiKey(apiKey, pepper),
      pepperVersion: '1',
      createdAt: now,
      expiresAt: null,
      revokedAt: null,
    });
    const keys = { current: '1', versions: { '1': pepper.toString('base64') } };
    const authorize = createAuthorizer({
      ...common,
      readOnlyRoutes: [],
      applications,
      sleep,
      pepper: { read: async () => keys, readAgain: async () => keys },
    });
    const ask = () => authorize(authorizerEvent(apiKey), lambdaContext());
    expect(await costOf(ask)).toEqual({
      sequentialCalls: 2,
      operations: ['BatchGetItem', 'UpdateItem'],
      units: { read: 3, write: 1 },
    });
    expect(await costOf(ask)).toEqual({
      sequentialCalls: 1,
      operations: ['BatchGetItem'],
      units: { read: 3, write: 0 },
    });
  });

  test('ensure: one read for an existing user, a transaction more for a new one', async () => {
    const { ensure } = openHandlers();
    expect(await costOf(() => send(ensure, { ...ada, ...names }))).toEqual({
      sequentialCalls: 2,
      operations: ['GetItem', 'TransactWriteItems'],
      units: { read: 1, write: 6 },
    });
    expect(await costOf(() => send(ensure, { ...ada, ...names }))).toEqual({
      sequentialCalls: 1,
      operations: ['GetItem'],
      units: { read: 1, write: 0 },
    });
  });

  test('profile: a read beside a query, and one batch read where there are tenants', async () => {
    const { ensure, profile } = openHandlers();
    await send(ensure, { ...ada, ...names, email: 'lonely@example.com' });
    expect(await costOf(() => send(profile, { email: 'lonely@example.com' }))).toEqual({
      sequentialCalls: 1,
      operations: ['GetItem', 'Query'],
      units: { read: 2, write: 0 },
    });
    await ledger.createTenant('Profile One');
    await ledger.createTenant('Profile Two');
    expect(await costOf(() => send(profile, { email: ada.email }))).toEqual({
      sequentialCalls: 2,
      operations: ['GetItem', 'Query', 'BatchGetItem'],
      units: { read: 4, write: 0 },
    });
  });

  test('profile of 2,000 tenants: what a page has; the first one counts them besides', async () => {
    const { ensure, profile } = openHandlers();
    const busy = { applicationId: 'app1', email: 'busy.accountant@example.com' };
    await send(ensure, { ...ada, ...names, email: busy.email });
    const { prefix: _, ...tenant } = await ledger.createTenant('Profile of Many');
    const schemaNames = Array.from(
      { length: 2_000 },
      (__, index) => `company_${10_000 + index}_k7m2xq`,
    );
    await ledger.seed(
      ...schemaNames.flatMap((schemaName) => [
        { ...tenantLinkKey(busy, schemaName), schemaName },
        {
          ...tenant,
          ...tenantKey({ ...busy, schemaName }),
          ...{ schemaName, prefix: schemaName.replaceAll('_', '-') },
        },
      ]),
    );
    let page: { tenants: object[]; next_cursor: string | null } | undefined;
    const ask = async () => {
      page = await send(profile, { email: busy.email, cursor: page?.next_cursor });
    };
    expect(await costOf(ask)).toMatchObject({
      sequentialCalls: 2,
      units: { read: 154, write: 0 },
    });
    expect(await costOf(ask)).toMatchObject({ sequentialCalls: 2, units: { read: 104, write: 0 } });
  });

  test('link and unlink: one batch read, one write', async () => {
    const { ensure, link, unlink } = openHandlers();
    const { user_id } = await send(ensure, { ...ada, ...names });
    const { prefix } = await ledger.createTenant('Linked');
    const asked = { user_id, domain_url: prefix };
    const cost = { sequentialCalls: 2, units: { read: 2, write: 2 } };
    expect(await costOf(() => send(link, asked))).toEqual({
      ...cost,
      operations: ['BatchGetItem', 'TransactWriteItems'],
    });
    expect(await costOf(() => send(unlink, asked))).toEqual({
      ...cost,
      operations: ['BatchGetItem', 'DeleteItem'],
      units: { read: 2, write: 1 },
    });
  });

  test('confirm a connection: one batch read, one transaction, one read', async () => {
    const { ensure, confirm, profile } = openHandlers();
    const { user_id } = await send(ensure, { ...ada, ...names, email: 'pending@example.com' });
    const owner = { applicationId: 'app1', email: 'pending@example.com' };
    const { sealing, table } = ledger;
    const recorder = openConnectionRecorder(table, { sealing, newSuffix });
    const pending = { owner, request: connectionOf('to-be-confirmed'), code: 'code' };
    expect(await costOf(() => recorder.record({ ...pending, now: new Date(now) }))).toEqual({
      sequentialCalls: 2,
      operations: ['GetItem', 'TransactWriteItems'],
      units: { read: 1, write: 6 },
    });
    const { tenants } = await send(profile, { email: owner.email });
    const asked = { domain_url: tenants[0].tenant_domain_url, user_id, confirmation_code: 'code' };
    expect(await costOf(() => send(confirm, asked))).toEqual({
      sequentialCalls: 3,
      operations: ['BatchGetItem', 'TransactWriteItems', 'GetItem'],
      units: { read: 3, write: 20 },
    });
    expect(await costOf(() => send(confirm, asked))).toEqual({
      sequentialCalls: 2,
      operations: ['BatchGetItem', 'GetItem'],
      units: { read: 3, write: 0 },
    });
  });

  test('show an import: one batch read; request one: three reads, one transaction', async () => {
    const { ensure, showImport, requestImport } = openHandlers();
    await send(ensure, { ...ada, ...names });
    const owner = { applicationId: 'app1', email: ada.email };
    const { prefix, ...name } = tenantOf(await ledger.tenants.connect(owner, connectionOf('one')));
    const query = { domain_url: prefix };
    const show = () => showImport(apiEvent({ method: 'GET', query }), lambdaContext());
    expect(await costOf(show)).toEqual({
      sequentialCalls: 1,
      operations: ['BatchGetItem'],
      units: { read: 2, write: 0 },
    });
    await openImports(ledger.table).finish(name, {
      ...{ importId: 'import-1', finishedAt: '2026-03-24T11:59:00.000Z' },
      ...{ reason: null, tenantStatus: 'active' },
    });
    expect(await costOf(() => send(requestImport, query))).toEqual({
      sequentialCalls: 4,
      operations: ['BatchGetItem', 'GetItem', 'TransactWriteItems', 'BatchGetItem'],
      units: { read: 5, write: 7 },
    });
    expect(await costOf(() => send(requestImport, query))).toEqual({
      sequentialCalls: 3,
      operations: ['BatchGetItem', 'GetItem', 'BatchGetItem'],
      units: { read: 5, write: 0 },
    });
  });

  test('list accounts: a query beside one batch read; by code, the batch read alone', async () => {
    const { prefix: domain_url } = await ledger.createTenant('Listed');
    const { listAccounts } = openHandlers();
    const list = (more: object) => () =>
      listAccounts(apiEvent({ method: 'GET', query: { domain_url, ...more } }), lambdaContext());
    expect(await costOf(list({}))).toEqual({
      sequentialCalls: 1,
      operations: ['BatchGetItem', 'Query'],
      units: { read: 4, write: 0 },
    });
    // Of what is filtered, four times as much is read where the first call found too few.
    expect(await costOf(list({ type: 'expense' }))).toEqual({
      sequentialCalls: 2,
      operations: ['BatchGetItem', 'Query', 'Query'],
      units: { read: 5, write: 0 },
    });
    expect(await costOf(list({ code: '1010' }))).toEqual({
      sequentialCalls: 1,
      operations: ['BatchGetItem'],
      units: { read: 2, write: 0 },
    });
  });

  test('create and update an account: one batch read, one write', async () => {
    const { prefix: domain_url } = await ledger.createTenant('Charted');
    const { createAccount, updateAccount } = openHandlers();
    const account = { domain_url, code: '1015', name: 'Dollars', type: 'asset' };
    const create = () => send(createAccount, account);
    expect(await costOf(create)).toEqual({
      sequentialCalls: 2,
      operations: ['BatchGetItem', 'TransactWriteItems'],
      units: { read: 2, write: 4 },
    });
    const once = { sequentialCalls: 1, operations: ['BatchGetItem'], units: { read: 2, write: 0 } };
    expect(await costOf(create)).toEqual(once);
    const update = () => send(updateAccount, { domain_url, code: '1015', name: 'Renamed' });
    expect(await costOf(update)).toEqual({
      sequentialCalls: 2,
      operations: ['BatchGetItem', 'UpdateItem'],
      units: { read: 2, write: 1 },
    });
    expect(await costOf(update)).toEqual(once);
  });

  test('update a tenant: one read, one write; to lock, a query for what is scheduled', async () => {
    const { prefix: domain_url } = await ledger.createTenant('Updated');
    const { updateTenant } = openHandlers();
    const rename = () => send(updateTenant, { domain_url, company_name: 'Renamed' });
    expect(await costOf(rename)).toEqual({
      sequentialCalls: 2,
      operations: ['GetItem', 'UpdateItem'],
      units: { read: 1, write: 1 },
    });
    const again = { sequentialCalls: 1, operations: ['GetItem'], units: { read: 1, write: 0 } };
    expect(await costOf(rename)).toEqual(again);
    const lock = (lock_date: string) => () => send(updateTenant, { domain_url, lock_date });
    expect(await costOf(lock('2026-02-28'))).toEqual({
      sequentialCalls: 3,
      operations: ['GetItem', 'Query', 'TransactWriteItems'],
      units: { read: 2, write: 4 },
    });
    expect(await costOf(lock('2026-02-28'))).toEqual(again);
    expect(await costOf(lock('2026-01-31'))).toEqual({
      sequentialCalls: 2,
      operations: ['GetItem', 'TransactWriteItems'],
      units: { read: 1, write: 4 },
    });
  });

  test('create a manual tenant: one batch read, one transaction', async () => {
    const { ensure, createTenant } = openHandlers();
    const { user_id } = await send(ensure, { ...ada, ...names });
    const body = {
      user_id,
      platform: 'manual',
      cash_flow_method: 'indirect',
      company_name: 'Two Calls',
      currency: 'EUR',
    };
    expect(await costOf(() => send(createTenant, body))).toEqual({
      sequentialCalls: 2,
      operations: ['BatchGetItem', 'TransactWriteItems'],
      units: { read: 1, write: 130 },
    });
  });
});
