// A tenant that somebody made as costly as it can be: long codes, dates on which all accounts
// moved, entries of 500 lines, and lists in which nothing is found.

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { APIGatewayProxyResult } from 'aws-lambda';
import Big from 'big.js';
import { FunctionTimedOut, openFunctions } from '#infra/local/stand-ins/lambda.ts';
import type { FunctionName } from '#infra/manifest/manifest.ts';
import { accountAction } from '#shared/accounts/account-actions.store.ts';
import { openConnectionRecorder } from '#shared/connections/pending-connections.store.ts';
import { noHash } from '#shared/entries/entry-hash.ts';
import { addDays } from '#shared/money/dates.ts';
import { openSealing } from '#shared/sealing.ts';
import { openSecretsManager, openVersionedKeys } from '#shared/secrets.ts';
import { formatRows } from '#shared/sheets/day-sheet.ts';
import { rowNameOf } from '#shared/sheets/row-text.ts';
import { unitsOfCharge } from '#shared/table/cost-budget.ts';
import { budgetKey, sheetKey, tenantKey, tenantLinkKey } from '#shared/table/keys.ts';
import { type CallObserver, meterUsage } from '#shared/table/metering.ts';
import { historyXml, realDaysBetween } from '../support/builders/ecb-files.ts';
import { ada, manualTenant } from '../support/builders/requests.ts';
import { connectionOf, newSuffix } from '../support/builders/tenants.ts';
import { unitsOf } from '../support/dynamodb/costs.ts';
import { type ApiEventOptions, apiEvent, readResult } from '../support/events/lambda-events.ts';
import { startFunctionEnvironment } from '../support/harnesses/function-environment.ts';

/** How large the tenant is. */
export type HostileSize = {
  accounts: number;
  /** How many accounts moved on the one date that is full. */
  accountsOfFullDate: number;
  /** Other dates, and how many accounts moved on each. */
  dates: number;
  accountsOfEachDate: number;
  /** Entries of two lines; all are posted. */
  smallEntries: number;
  /** Entries of 500 lines with as much text as a body has room for. */
  largeEntries: number;
  /** Tenants of its user. */
  tenants: number;
};

/** A code of the longest form: 64 bytes. */
const codeOf = (index: number): string =>
  `${'\u{20000}'.repeat(15)}${String(index).padStart(4, '0')}`;

export const fullDate = '2026-03-02';
const firstOtherDate = '2020-01-01';
export const entriesDate = '2026-03-01';

/** Nothing listens there. */
export const webhookUrl = 'http://localhost:9/';

const chunksOf = <Value>(values: readonly Value[], size: number): Value[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  );

/**
 * Rows of accounts that no entry has moved: an account ledger of these would find the books at
 * fault. Entries move the first half of the accounts.
 */
const rowsOf = (first: number, accounts: number): string => {
  const [zero, amount] = [new Big(0), new Big('999999999999.99')];
  return formatRows(
    Array.from({ length: accounts }, (_, index) => ({
      account: rowNameOf({ code: codeOf(first + index) }),
      currency: null,
      debit: amount,
      credit: amount,
      cashEffect: zero,
      nonCash: zero,
      disposed: zero,
    })),
  );
};

const line = (account: string, side: 'debit' | 'credit', description = '') => ({
  account,
  [side]: '1.00',
  description,
});

const longText = (length: number): string => '\u{20000}'.repeat(length);

/** As much text as a body has room for. */
export const manyLines = (accounts: number) =>
  Array.from({ length: 500 }, (_, index) =>
    line(codeOf(index % accounts), index % 2 ? 'credit' : 'debit', longText(40)),
  );

export const twoLines = [line('1010', 'debit'), line('4010', 'credit')];

export const entryOf = (date: string, entries: readonly object[]) => ({
  date,
  memo: longText(1_000),
  transactionCurrency: 'EUR',
  reportingCurrency: 'EUR',
  entries,
});

/** The code that confirms its pending connection. */
export const confirmationCode = 'x'.repeat(43);

export type HostileTenant = Awaited<ReturnType<typeof openHostileTenant>>;

export const openHostileTenant = async (size: HostileSize) => {
  const ratesFile = historyXml(realDaysBetween('2026-03-16', '2026-03-20'));
  const environment = await startFunctionEnvironment({ ratesFile });
  const { applicationId, database } = environment;
  Object.assign(process.env, environment.variables());
  const invoke = await openFunctions();
  const budgets = budgetKey({ applicationId, minute: '' }).pk;

  /** Sends a request. Its units exclude the charges for it. */
  const send = async (name: FunctionName, options: ApiEventOptions) => {
    let charges = 0;
    const observe: CallObserver = ({ operation, input }) => {
      const { Key } = input as { Key?: { pk?: unknown } };
      if (operation === 'UpdateItem' && Key?.pk === budgets) charges += 1;
    };
    const event = apiEvent({ applicationId, ...options });
    const { result, usage } = await meterUsage(
      () => Promise.allSettled([invoke(name, event)]),
      observe,
    );
    const [ended] = result;
    // A request does not wait for a charge that takes too long, but the charge uses its unit.
    while (usage.calls.some(({ endedAt }) => endedAt === 0)) await pause(5);
    const { read, write } = unitsOf(usage.calls);
    const units = { read, write: write - charges * unitsOfCharge };
    if (ended.status === 'rejected') {
      // Lambda would stop it. Its cost is its reads so far.
      if (ended.reason instanceof FunctionTimedOut) return { status: 504, units };
      throw ended.reason;
    }
    const reply = readResult(ended.value as APIGatewayProxyResult);
    return { status: reply.status, body: reply.body, units };
  };
  const ask = async (name: FunctionName, options: ApiEventOptions) => {
    const { status, body } = await send(name, options);
    if (status !== 200) throw new Error(`${name}: ${JSON.stringify(body).slice(0, 2_000)}`);
    return body.data;
  };

  await invoke('refresh-exchange-rates', { time: '2026-03-23T16:30:00Z' });
  const { user_id: userId } = await ask('ensure-user', { body: ada });
  const made = await ask('create-tenant', { body: { ...manualTenant, user_id: userId } });
  const { tenant_domain_url: domainUrl, schema_name: schemaName } = made;
  const name = { applicationId, schemaName };

  const accounts = Array.from(
    { length: size.accounts },
    (_, index) =>
      accountAction(name, {
        code: codeOf(index),
        name: longText(150),
        type: 'asset',
        status: 'active',
      }).put,
  );
  const half = size.accounts / 2;
  const sheetOf = (date: string, count: number) => ({
    ...sheetKey(name, { series: 'MJ', date }),
    lastSequence: 1,
    revision: 1,
    counted: 1,
    head: noHash,
    rows: rowsOf(half, count),
  });
  const sheets = Array.from({ length: size.dates }, (_, day) =>
    sheetOf(addDays(firstOtherDate, day), size.accountsOfEachDate),
  );
  const tenant = await database.table.get(tenantKey(name));
  const others = Array.from({ length: size.tenants }, (_, index) => {
    const other = { applicationId, schemaName: `other_${index}` };
    return [
      { ...tenant, ...tenantKey(other), ...other },
      { ...tenantLinkKey({ applicationId, email: ada.email }, other.schemaName), ...other },
    ];
  }).flat();
  const full = sheetOf(fullDate, size.accountsOfFullDate);
  // A batch of the engine takes 16 MB at most: the large items go by themselves.
  for (const chunk of chunksOf([full, ...sheets], 5)) await database.seed(...chunk);
  await database.seed(...accounts, ...others);

  for (const chunk of chunksOf(Array.from({ length: size.smallEntries }), 25)) {
    const journal_entries = chunk.map(() => ({ ...entryOf(entriesDate, twoLines), memo: 'Small' }));
    await ask('create-journal-entries', { body: { domain_url: domainUrl, journal_entries } });
  }
  const posted: string[] = [];
  for (let index = 0; index < size.largeEntries; index += 1) {
    const date = addDays('2026-01-01', index);
    const body = { domain_url: domainUrl, ...entryOf(date, manyLines(half)) };
    posted.push((await ask('create-journal-entry', { body })).journal_entry_id);
  }

  /** An entry of 500 lines, to cancel or reverse. */
  const newEntry = async (more: object): Promise<string> => {
    const body = { domain_url: domainUrl, ...entryOf(entriesDate, manyLines(half)), ...more };
    return (await ask('create-journal-entry', { body })).journal_entry_id;
  };

  const authorize = async (): Promise<string> => {
    const body = { ...ada, email: `${applicationId}@example.com` };
    return (await ask('ensure-user', { body })).user_id;
  };

  const findWebhook = async (): Promise<string> => {
    const { webhooks } = await ask('list-webhooks', { method: 'GET', query: {} });
    const [first] = webhooks;
    return (first ?? (await ask('create-webhook', { body: { url: webhookUrl } }))).webhook_id;
  };

  const newUser = async (): Promise<string> => {
    const body = { ...ada, email: `${randomUUID()}@example.com` };
    return (await ask('ensure-user', { body })).user_id;
  };

  const connect = async (): Promise<string> => {
    const url = `${environment.sandbox.baseUrl('platform_b')}/test-tokens`;
    const granted = (await (await fetch(url, { method: 'POST' })).json()) as object;
    const connection = { platform: 'platform_b', cash_flow_method: 'direct', ...granted };
    const data = await ask('create-tenant', { body: { user_id: userId, ...connection } });
    return data.tenant_domain_url;
  };

  /** A company whose connection waits until it is confirmed. */
  const keepPending = async (): Promise<string> => {
    const secret = openVersionedKeys(openSecretsManager(), process.env.TOKEN_SEALING_SECRET ?? '');
    const sealing = openSealing(secret);
    const { record } = openConnectionRecorder(database.table, { sealing, newSuffix });
    const owner = { applicationId, email: ada.email };
    const request = connectionOf('pending');
    const kept = await record({ owner, request, code: confirmationCode, now: new Date() });
    if (kept.outcome !== 'pending') throw new Error('another user has connected the company');
    return kept.prefix;
  };

  return {
    send,
    domainUrl,
    userId,
    posted,
    size,
    newEntry,
    codeOf,
    connected: await connect(),
    pending: await keepPending(),
    otherUser: await authorize(),
    leaver: newUser,
    webhook: findWebhook,
    stop: environment.stop,
  };
};
