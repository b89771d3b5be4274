// Runs every function from its entry point, in this process, through everything that it does with
// the table and other functions. Records the IAM actions and the log lines.

import { openFunctions } from '#infra/local/stand-ins/lambda.ts';
import { meterPermissions } from '#infra/local/stand-ins/permissions.ts';
import { type FunctionName, functions } from '#infra/manifest/manifest.ts';
import { openHeldChanges } from '#shared/events/held-changes.store.ts';
import { updateAction } from '#shared/table/field-updates.ts';
import { historyPrefix } from '#shared/table/history-keys.ts';
import { connectionSort, keyOfItem } from '#shared/table/keys.ts';
import { type CallObserver, meterUsage } from '#shared/table/metering.ts';
import { ifExists } from '#shared/table/table.ts';
import { isVerificationDay } from '#shared/verification/verification-days.ts';
import { historyXml, realDaysBetween } from '../builders/ecb-files.ts';
import { laterDate } from '../builders/far-dates.ts';
import { ada, dollarEntry, manualTenant } from '../builders/requests.ts';
import { authorizerEvent } from '../events/lambda-events.ts';
import { streamEvent } from '../events/stream-events.ts';
import { linesOf, type OutputLine } from '../recorders/output.ts';
import { startFakeServer } from '../servers/fake-server.ts';
import { type Call, type Calls, openCalls } from './function-calls.ts';
import { type FunctionEnvironment, startFunctionEnvironment } from './function-environment.ts';

const weekOfRates = realDaysBetween('2026-03-16', '2026-03-20');

/** Moves the end of the imports into the past: another cannot be requested within a minute. */
const endImportsLongAgo = async ({ database: { scan, table } }: FunctionEnvironment) => {
  const set = { finishedAt: '2020-01-01T00:00:00.000Z' };
  for (const item of (await scan()).filter(({ kind }) => kind === 'import')) {
    await table.update(updateAction(keyOfItem(item), { set }));
  }
};

/** Removes counts of accounts and histories, which older tenants lack. */
const forgetAccountCounts = async ({ database: { scan, table } }: FunctionEnvironment) => {
  const isForgotten = ({ sk }: Record<string, unknown>): boolean =>
    sk === 'COUNT#ACCOUNTS' || String(sk).startsWith(historyPrefix);
  for (const item of (await scan()).filter(isForgotten)) {
    await table.consume(keyOfItem(item), { condition: ifExists });
  }
};

/** Alters an entry that is due, so that its date becomes stuck. */
const alterScheduledEntry = async ({ database }: FunctionEnvironment): Promise<void> => {
  const entry = (await database.scan()).find(
    ({ kind, status }) => kind === 'entry' && status === 'scheduled',
  );
  if (entry === undefined) throw new Error('no entry is scheduled');
  await database.tamper({ ...entry, memo: 'Altered' });
};

/** Asks for every report of a tenant. */
const readReports = async (ask: Calls['ask'], domain_url: string): Promise<void> => {
  const read = (name: FunctionName, query: object) =>
    ask(name, { method: 'GET', query: { domain_url, ...query } });
  const { data } = await read('list-accounts', { limit: '1', balances: 'true' });
  const period = { from: '2026-03-01', to: '2999-01-01' };
  await read('get-account-ledger', { ...period, account: data.accounts[0].code });
  await read('get-trial-balance', period);
  await read('get-profit-and-loss', period);
  await read('get-cash-flow', period);
  await read('get-changes-in-equity', period);
  await read('get-balance-sheet', { as_of: period.to });
  await read('get-revaluation', { as_of: period.from });
};

/** One with few accounts and journals. */
const company = 'prairie-tools';

/** What every function does when all goes well, repeats and renewals included, and a refusal. */
const doEverything = async (call: Call, environment: FunctionEnvironment): Promise<void> => {
  const { ask, run, runAt, authorize, connect, ...calls } = openCalls(call, environment);
  await call('authorizer', authorizerEvent(environment.apiKey));
  await run('refresh-exchange-rates', '2026-03-23T16:30:00Z');
  const { data } = await ask('ensure-user', { body: ada });
  const tenant = { ...manualTenant, user_id: data.user_id, company_name: 'By Hand' };
  const once = { body: tenant, headers: { 'Idempotency-Key': 'once' } };
  await ask('create-tenant', once);
  const created = await ask('create-tenant', once);
  await ask('create-tenant', { body: { ...tenant, company_name: 'Gulf', currency: 'AED' } });
  const { tenant_domain_url: domain_url } = created.data;
  const entry = { ...dollarEntry, domain_url, date: '2026-03-20' };
  await authorize(data.user_id, { company });
  await authorize(data.user_id, { company });
  await authorize(data.user_id, { companies: ['cedar-interiors-gulf', company] });
  await connect(data.user_id);
  await connect(data.user_id);
  await calls.confirm(data.user_id, { company: 'harbour-coffee' });
  await calls.confirm(data.user_id, { company: 'harbour-coffee' });
  await calls.import();
  const profile = await ask('get-user-profile', { body: { email: ada.email } });
  const isConnected = ({ platform }: { platform: string }) => platform === 'platform_a';
  const connected = profile.data.tenants.find(isConnected);
  const asked = { domain_url: connected.tenant_domain_url };
  await ask('get-tenant-import', { method: 'GET', query: asked });
  await ask('get-tenant-balances', { method: 'GET', query: asked });
  await readReports(ask, asked.domain_url);
  await ask('get-tenant', { method: 'GET', query: asked });
  await ask('get-tenant', { method: 'GET', query: { ...asked, limit: '1' } });
  await ask('list-tenants', { method: 'GET', query: { limit: '1' } });
  await ask('get-user', { method: 'GET', query: { user_id: data.user_id } });
  await endImportsLongAgo(environment);
  await ask('request-import', { body: asked });
  await forgetAccountCounts(environment);
  await ask('disconnect-tenant', { body: asked });
  const link = { body: { user_id: data.user_id, domain_url } };
  await forgetAccountCounts(environment);
  await ask('unlink-tenant', link);
  await forgetAccountCounts(environment);
  await ask('link-tenant', link);
  await ask('get-user-profile', { body: { email: ada.email } });
  await ask('update-user', { body: { user_id: data.user_id, first_name: 'Augusta' } });
  for (const email of ['ada.king@example.com', ada.email])
    await ask('update-user', { body: { user_id: data.user_id, email } });
  const leaving = await ask('ensure-user', { body: { ...ada, email: 'leaving@example.com' } });
  await ask('link-tenant', { body: { user_id: leaving.data.user_id, domain_url } });
  await forgetAccountCounts(environment);
  await ask('erase-user', { body: { user_id: leaving.data.user_id } });
  await ask('list-accounts', { method: 'GET', query: { domain_url, limit: '5' } });
  await ask('export-books', { method: 'GET', query: { domain_url } });
  await ask('list-changes', { method: 'GET', query: { domain_url } });
  const account = { domain_url, code: '1015', name: 'Dollars', type: 'asset' };
  await forgetAccountCounts(environment);
  await ask('create-account', { body: account });
  await ask('create-account', { body: account });
  await forgetAccountCounts(environment);
  await ask('update-account', { body: { domain_url, code: '1015', status: 'archived' } });
  const ofUser = { ...entry, user_id: data.user_id };
  await ask('create-journal-entry', { body: { ...ofUser, external_id: 'once' } });
  await ask('create-journal-entry', { body: { ...ofUser, external_id: 'once' } });
  await ask('create-journal-entry', { body: { ...ofUser, memo: ' ' } });
  const journal_entries = [ofUser, entry].map(({ domain_url: _, ...fields }, index) => ({
    ...fields,
    external_id: `of-many-${index}`,
  }));
  await ask('create-journal-entries', { body: { domain_url, journal_entries } });
  await ask('create-journal-entries', { body: { domain_url, journal_entries } });
  const later = { ...journal_entries[0], external_id: 'later', accrual_date: laterDate('01-01') };
  await ask('create-journal-entries', { body: { domain_url, journal_entries: [later] } });
  const dirhams = { ...journal_entries[0], transactionCurrency: 'AED', external_id: 'dirhams' };
  await ask('create-journal-entry', { body: { ...dirhams, domain_url } });
  await ask('create-journal-entries', { body: { domain_url, journal_entries: [dirhams] } });
  const tried = { domain_url, journal_entries: [{ ...journal_entries[0], external_id: 'tried' }] };
  await ask('create-journal-entries', { body: { ...tried, dry_run: true } });
  // One of more lines than its first item holds, whose others are read apart when it is due.
  const entries = Array.from({ length: 51 }, () => entry.entries).flat();
  const long = { ...entry, entries, accrual_date: laterDate('01-01') };
  await ask('create-journal-entry', { body: long });
  const reverse = (body: object) =>
    ask('reverse-journal-entry', { body: { domain_url, date: '2026-03-21', ...body } });
  await reverse({ original_external_id: 'once', user_id: data.user_id, dry_run: true });
  await reverse({ original_external_id: 'once', user_id: data.user_id });
  await reverse({ original_external_id: 'once', accrual_date: '2026-03-22' });
  const accrued = { ...entry, accrual_date: laterDate('01-01'), external_id: 'accrued' };
  await ask('create-journal-entry', { body: accrued });
  await ask('cancel-journal-entry', { body: { domain_url, external_id: 'accrued' } });
  await ask('cancel-journal-entry', { body: { domain_url, external_id: 'accrued' } });
  await ask('create-journal-entry', { body: { ...entry, external_id: 'again' } });
  const reversal = { external_id: 'reversal', accrual_date: laterDate('01-01') };
  await reverse({ original_external_id: 'again', ...reversal });
  await ask('cancel-journal-entry', { body: { domain_url, external_id: 'reversal' } });
  const show = (query: object) =>
    ask('get-journal-entry', { method: 'GET', query: { domain_url, ...query } });
  await show({ external_id: 'once' });
  await show({ journal_number: 'MJ-20260320-0001' });
  const list = (query: object) =>
    ask('list-journal-entries', { method: 'GET', query: { domain_url, ...query } });
  await list({ account: '1010' });
  await list({ status: 'scheduled' });
  const rate = { date: '2026-03-20', from: 'USD', to: 'EUR' };
  await ask('get-exchange-rate', { method: 'GET', query: rate });
  await ask('get-exchange-rate', { method: 'GET', query: { ...rate, to: 'KES' } });
  await forgetAccountCounts(environment);
  await ask('update-tenant', { body: { domain_url, company_name: 'By Hand and Heart' } });
  for (const lock_date of ['2020-12-31', '2019-12-31'])
    await ask('update-tenant', { body: { domain_url, lock_date } });
  await alterScheduledEntry(environment);
  await runAt('2999-01-01T00:05:00Z', 'post-scheduled-entries');
  await authorize(data.user_id, { company });
  const report = { domain_url, from: '2026-03-01', to: '2999-01-01', account: '1010' };
  await ask('get-trial-balance', { method: 'GET', query: report });
  await ask('get-account-ledger', { method: 'GET', query: report });
  const ofDate = { domain_url, as_of: '2026-03-21' };
  const unrealised = { ...ofDate, differences: 'unrealised', reverse_on_next_day: true };
  const revalue = () => ask('post-revaluation', { body: { ...unrealised, external_id: 'march' } });
  // The first one fails: there is no rate of shillings.
  const shillings = { ...entry, transactionCurrency: 'KES', exchange_rate: '0.0067' };
  await ask('create-journal-entry', { body: { ...shillings, external_id: 'shillings' } });
  await ask('get-revaluation', { method: 'GET', query: ofDate });
  await revalue();
  await reverse({ original_external_id: 'shillings' });
  const dear = { ...entry, exchange_rate: '0.9', external_id: 'dear' };
  await ask('create-journal-entry', { body: dear });
  await ask('get-revaluation', { method: 'GET', query: ofDate });
  await revalue();
  await revalue();
  await readReports(ask, domain_url);
  await run('resume-imports', '2999-01-01T00:05:00Z');
  await authorize(data.user_id, { company, failure: 'refresh_revoked' });
  await forgetAccountCounts(environment);
  await run('renew-connections', '2999-01-01T00:05:00Z');
  await runAt('2026-05-01T00:05:00Z', 'carry-totals');
  await ask('get-trial-balance', { method: 'GET', query: report });
  await ask('create-journal-entry', { body: { ...entry, external_id: 'late' } });
  await runAt('2999-01-01T00:05:00Z', 'carry-totals');
  const { applicationId } = environment;
  const name = { applicationId, schemaName: domain_url.replaceAll('-', '_') };
  const days = [2, 3, 4, 5, 6, 7, 8].map((day) => `2999-01-0${day}T00:05:00Z`);
  const day = days.find((it) => isVerificationDay(name, new Date(it))) ?? '';
  await runAt(day, 'carry-totals');
  await runAt('2999-01-09T00:05:00Z', 'verify-books');
  const recorded = (await environment.database.scan()).filter(({ kind }) => kind === 'entry');
  // The second delivery looks at the page.
  for (let times = 0; times < 2; times += 1) await call('record-events', streamEvent(...recorded));
  await ask('list-events', { method: 'GET', query: { domain_url, after: '1', limit: '1' } });
};

/** Creates a webhook, delivers to it until it is disabled, changes it and removes it. */
const useWebhook = async (call: Call, environment: FunctionEnvironment): Promise<void> => {
  const { ask, runAt } = openCalls(call, environment);
  const { applicationId, database, invocations } = environment;
  const deliver = async () => {
    for (const asked of invocations.splice(0)) await call(...asked);
  };
  const profile = await ask('get-user-profile', { body: { email: ada.email } });
  const [{ tenant_domain_url: tenant }] = profile.data.tenants;
  const receiver = await startFakeServer({ status: 410 });
  const url = receiver.url.replace('127.0.0.1', 'localhost');
  const once = { body: { url, tenants: [tenant] }, headers: { 'Idempotency-Key': 'once' } };
  const { data } = await ask('create-webhook', once);
  await ask('create-webhook', once);
  const body = { webhook_id: data.webhook_id };
  await ask('rotate-webhook-secret', { body });
  await ask('test-webhook', { body });
  await ask('update-webhook', { body: { ...body, deliver_from: 1, tenants: [tenant] } });
  const entries = (await database.scan()).filter(({ kind }) => kind === 'entry');
  await call('record-events', streamEvent(...entries));
  // A held feed, and a change that cannot be read.
  const source = { applicationId, partition: 'TENANT#x' };
  const nothing = { source, stream: '2026-03-22', sequenceNumber: '1', events: [] };
  await openHeldChanges(database.table).hold([nothing], new Date(0));
  await call('record-events', streamEvent(...entries, { ...entries[0], status: 'unknown' }));
  await runAt('2999-01-01T00:05:00Z', 'resume-deliveries');
  environment.queue.isDown = true;
  await call('record-events', streamEvent(...entries));
  environment.queue.isDown = false;
  await deliver();
  receiver.reply = { status: 400 };
  await ask('update-webhook', { body: { ...body, status: 'active' } });
  await runAt('2999-01-01T00:05:00Z', 'resume-deliveries');
  await deliver();
  await runAt('2999-01-01T00:05:00Z', 'resume-deliveries');
  await deliver();
  await ask('list-webhooks', { method: 'GET', query: {} });
  await ask('delete-webhook', { body });
  await receiver.stop();
};

/** Causes the failures that have log lines. */
const failAtEverything = async (call: Call, environment: FunctionEnvironment): Promise<void> => {
  const { ask, run, authorize, import: importData } = openCalls(call, environment);
  const { data } = await ask('ensure-user', { body: ada });
  const { scan, table } = environment.database;
  for (const item of (await scan()).filter(({ sk }) => sk === connectionSort)) {
    await table.consume(keyOfItem(item), { condition: ifExists });
  }
  await importData();
  await call('authorizer', authorizerEvent('lk_unknown')).catch(() => {});
  await ask('create-journal-entry', { body: {} });
  await authorize(data.user_id, { decision: 'deny' });
  await authorize(data.user_id, { company, failure: 'bad_code' });
  const jump = { date: '2026-03-23', rates: { USD: '11.596' } };
  environment.bank.reply = { body: historyXml([...weekOfRates, jump]) };
  await run('refresh-exchange-rates', '2026-03-23T19:30:00Z');
  environment.bank.reply = { status: 500 };
  await run('refresh-exchange-rates', '2026-03-23T19:30:00Z').catch(() => {});
  await call('start-imports', streamEvent({ kind: 'import' }));
  await call('record-events', streamEvent({ kind: 'entry' }));
  await call('import-tenant-data', {}).catch(() => {});
};

/** Takes every function through its work: its IAM actions, key conditions of queries, and lines. */
export const runEveryFunction = async () => {
  const environment = await startFunctionEnvironment({ ratesFile: historyXml(weekOfRates) });
  const logging = { POWERTOOLS_LOG_LEVEL: 'INFO', METRICS_NAMESPACE: 'Ledger/test' };
  Object.assign(process.env, { ...environment.variables(), ...logging });
  const invoke = await openFunctions();
  const names = Object.keys(functions) as FunctionName[];
  const actions = new Map(names.map((name) => [name, new Set<string>()]));
  const keyConditions = new Set<string>();
  const noteQuery: CallObserver = ({ operation, input }) => {
    const { KeyConditionExpression } = input as { KeyConditionExpression?: string };
    if (operation === 'Query') keyConditions.add(String(KeyConditionExpression));
  };
  const call: Call = async (name, event) => {
    const work = () => meterUsage(() => invoke(name, event), noteQuery);
    const { result, required } = await meterPermissions(name, work);
    for (const action of required) actions.get(name)?.add(action);
    if (result.status === 'rejected') throw result.reason;
    return result.value.result;
  };
  let lines: OutputLine[] = [];
  try {
    lines = await linesOf(async () => {
      await doEverything(call, environment);
      await useWebhook(call, environment);
      await failAtEverything(call, environment);
    });
  } finally {
    await environment.stop();
  }
  return { actions, keyConditions, lines };
};
