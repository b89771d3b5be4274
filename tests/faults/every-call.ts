// The scenarios of every function, and the tests that inject every fault at every call of each.

import { describe, test } from 'vitest';
import { type FunctionName, functions } from '#infra/manifest/manifest.ts';
import { apiKeyText, readApiKey } from '#shared/applications/api-keys.ts';
import { openSmallLedger } from '../support/builders/small-ledger.ts';
import { casesOf, runCase, type Scenario } from '../support/harnesses/fault-cases.ts';
import { openSlice } from '../support/slices.ts';
import { batches, batchScenario } from './batch-scenarios.ts';
import { leaveOut } from './connected-companies.ts';
import {
  cancellationScenario,
  revaluationScenario,
  reversalScenario,
  reversals,
} from './correction-scenarios.ts';
import {
  feedScenario,
  heldFeedScenario,
  holdingScenario,
  recordingScenario,
} from './feed-scenarios.ts';
import { importScenario, shortRuns, wholeRun } from './import-scenario.ts';
import { inboxScenario } from './inbox-scenario.ts';
import { readScenario } from './read-scenarios.ts';
import {
  accountChangeScenario,
  accountScenario,
  erasureScenario,
  linkScenario,
  tenantUpdateScenario,
  userChangeScenario,
  userScenario,
} from './request-scenarios.ts';
import {
  authorizerScenario,
  callbackScenario,
  carryScenario,
  confirmationScenario,
  entries,
  entryScenario,
  initiateScenario,
  postingScenario,
  tenantScenario,
} from './scenarios.ts';
import { openBank, ratesScenario, renewalScenario, resumptionScenario } from './scheduled-runs.ts';
import {
  balancesScenario,
  disconnectScenario,
  importRequestScenario,
  importViewScenario,
} from './tenant-scenarios.ts';
import { verificationScenario } from './verification-scenario.ts';
import {
  deliveryResumptionScenario,
  deliveryScenario,
  webhookScenario,
} from './webhook-scenarios.ts';

const ledger = await openSmallLedger();
const emptyLedger = await openSmallLedger({ withTenant: false });

const tenant = (options: Parameters<typeof tenantScenario>[1]) =>
  tenantScenario(emptyLedger, options);
const titled = <Value>(values: Record<string, Value>, scenarioOf: (value: Value) => Scenario) =>
  Object.fromEntries(Object.entries(values).map(([title, value]) => [title, scenarioOf(value)]));

const keyId = readApiKey(ledger.apiKey)?.keyId ?? '';
const wrongKey = apiKeyText({ keyId, secret: '5'.repeat(64) });

/**
 * By function and title. The type demands every function except start-imports, which does not call
 * the table.
 */
const scenarios: Record<Exclude<FunctionName, 'start-imports'>, Record<string, Scenario>> = {
  authorizer: {
    'a good key': authorizerScenario(ledger, { apiKey: ledger.apiKey, expected: 'Allow' }),
    'a wrong key': authorizerScenario(ledger, { apiKey: wrongKey, expected: 'Deny' }),
  },
  'confirm-tenant': { 'a new company': confirmationScenario(emptyLedger) },
  'carry-totals': { 'a month with late entries before it': carryScenario(ledger) },
  'verify-books': { 'a month with late entries': verificationScenario(carryScenario(ledger)) },
  'create-account': { 'one that is new': accountScenario(ledger) },
  'create-journal-entries': titled(batches, (batch) => batchScenario(ledger, batch)),
  'cancel-journal-entry': { 'a scheduled reversal': cancellationScenario(ledger) },
  'create-journal-entry': {
    ...titled(entries, (body) => entryScenario(ledger, body)),
    'with those of others in a busy inbox': inboxScenario(ledger),
  },
  'create-tenant': {
    'by hand, with an Idempotency-Key': tenant({ kind: 'manual', idempotencyKey: 'key-1' }),
    'by hand, without one': tenant({ kind: 'manual' }),
    'connected, with an Idempotency-Key': tenant({ kind: 'connected', idempotencyKey: 'key-1' }),
    'connected, without one': tenant({ kind: 'connected' }),
  },
  'disconnect-tenant': { 'while it is imported': disconnectScenario(emptyLedger) },
  'create-webhook': {
    'with an Idempotency-Key': webhookScenario(ledger, 'createWebhook', {
      headers: { 'Idempotency-Key': 'hook-1' },
    }),
    'without one': webhookScenario(ledger, 'createWebhook', { isIdempotent: false }),
  },
  'delete-webhook': {
    'the only one': webhookScenario(ledger, 'deleteWebhook'),
  },
  'deliver-events': { 'three events': deliveryScenario(ledger) },
  'ensure-user': {
    'a new user': userScenario(ledger, 'Grace@example.com'),
    'an existing user': userScenario(ledger, ledger.user.email),
  },
  'erase-user': { 'one with a tenant': erasureScenario(ledger) },
  'get-account-ledger': { 'one with an accrual': readScenario(ledger, 'getAccountLedger') },
  'get-balance-sheet': { 'all of it': readScenario(ledger, 'getBalanceSheet') },
  'get-cash-flow': { 'all of it': readScenario(ledger, 'getCashFlow') },
  'get-changes-in-equity': { 'all of it': readScenario(ledger, 'getChangesInEquity') },
  'get-exchange-rate': { 'a rate': readScenario(ledger, 'getRate') },
  'get-journal-entry': { 'one of many lines': readScenario(ledger, 'getEntry') },
  'get-profit-and-loss': { 'all of it': readScenario(ledger, 'getProfitAndLoss') },
  'get-tenant-balances': { 'one that is complete': balancesScenario(emptyLedger) },
  'get-tenant': { 'one tenant': readScenario(ledger, 'getTenant') },
  'get-user': { 'by id': readScenario(ledger, 'getUser') },
  'list-tenants': { 'the first page': readScenario(ledger, 'listTenants') },
  'get-tenant-import': { 'one that is complete': importViewScenario(emptyLedger) },
  'get-revaluation': { 'all of it': readScenario(ledger, 'getRevaluation') },
  'get-trial-balance': { 'all of it': readScenario(ledger, 'getTrialBalance') },
  'get-user-profile': { 'one tenant': readScenario(ledger, 'getProfile') },
  'import-tenant-data': {
    'a whole run': importScenario(emptyLedger, wholeRun),
    ...titled(shortRuns, (story) => importScenario(emptyLedger, story)),
  },
  'initiate-oauth': { 'the URL works': initiateScenario(ledger) },
  'list-accounts': { 'all of them': readScenario(ledger, 'listAccounts') },
  'export-books': { 'a page': readScenario(ledger, 'exportBooks') },
  'list-changes': { 'all of them': readScenario(ledger, 'listChanges') },
  'list-journal-entries': {
    'all of them': readScenario(ledger, 'listEntries'),
    'scheduled entries': readScenario(ledger, 'listEntries', { status: 'scheduled' }),
  },
  'list-events': { 'after a sequence': feedScenario(ledger) },
  'list-webhooks': { 'one of them': webhookScenario(ledger, 'listWebhooks') },
  'link-tenant': { 'an unlinked user': linkScenario(ledger, 'link') },
  'oauth-callback': {
    'a new company': callbackScenario(emptyLedger),
    'a company that is connected': callbackScenario(emptyLedger, { isConnected: true }),
    'one of several companies': callbackScenario(emptyLedger, { isChosen: true }),
    'one to be confirmed': callbackScenario(emptyLedger, { isToBeConfirmed: true }),
  },
  'post-scheduled-entries': { 'due entries are posted once': postingScenario(ledger) },
  'post-revaluation': { 'of dollars, reversed': revaluationScenario(ledger) },
  'record-events': {
    'a batch that overlaps the last': recordingScenario(ledger),
    'a batch for a held feed': holdingScenario(ledger),
  },
  'refresh-exchange-rates': {
    'no day is missing': ratesScenario(emptyLedger, { sourceUrl: await openBank() }),
  },
  'renew-connections': { 'one is renewed, one has ended': renewalScenario(emptyLedger) },
  'request-import': { 'after one that is complete': importRequestScenario(emptyLedger) },
  'update-user': { 'its names and its address': userChangeScenario(ledger) },
  'update-tenant': { 'its lock and its name': tenantUpdateScenario(ledger) },
  'resume-deliveries': {
    'one that is due': deliveryResumptionScenario(ledger),
    'a held feed': heldFeedScenario(ledger),
  },
  'rotate-webhook-secret': {
    'the only secret': webhookScenario(ledger, 'rotateWebhookSecret', { isIdempotent: false }),
  },
  'test-webhook': { 'a good one': webhookScenario(ledger, 'testWebhook') },
  'update-webhook': {
    'its description': webhookScenario(ledger, 'updateWebhook', { body: { description: 'x' } }),
  },
  'reverse-journal-entry': titled(reversals, (asked) => reversalScenario(ledger, asked)),
  'update-account': { 'its name': accountChangeScenario(ledger) },
  'unlink-tenant': { 'the only user': linkScenario(ledger, 'unlink') },
  'resume-imports': { 'all that waited, once': resumptionScenario(emptyLedger) },
};

/**
 * Functions that meet every fault. They make every kind of call to the table. The others leave out
 * the faults that the SDK turns into a throttle or a lost connection.
 */
const withEveryFault = ['create-journal-entry', 'create-tenant', 'post-scheduled-entries'];

type TriggerKind = (typeof functions)[FunctionName]['trigger']['kind'];

/** Registers the tests of the functions with these triggers. */
export const testEveryCall = (...kinds: TriggerKind[]): void => {
  const draw = openSlice();
  const rows = Object.entries(scenarios)
    .filter(([name]) => kinds.includes(functions[name as FunctionName].trigger.kind))
    .flatMap(([name, titles]) =>
      Object.entries(titles).map(([title, scenario]) => [name, title, scenario] as const),
    );
  describe.each(draw(rows, 4))('%s: %s', async (name, _, complete) => {
    const scenario = withEveryFault.includes(name) ? complete : { leaveOut, ...complete };
    test.each(draw(await casesOf(scenario), 6))('$title', (it) => runCase(scenario, it));
  });
};
