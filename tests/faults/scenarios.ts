// Requests with faults in their calls to the table: how a caller sends them, and what they
// guarantee.

import type { ScheduledEvent } from 'aws-lambda';
import { expect } from 'vitest';
import type { Data } from '#functions/initiate-oauth/schema.ts';
import { byService } from '#shared/history/tenant-history.ts';
import { openSealing } from '#shared/sealing.ts';
import { dueDatePartitions, dueDatePlace } from '#shared/table/due-keys.ts';
import { dueDateKey, oauthStateKey } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { openTenants } from '#shared/tenants/tenants.store.ts';
import { testQuotas } from '../support/builders/quotas.ts';
import { tokenFields } from '../support/builders/requests.ts';
import { fixedSecret } from '../support/builders/secrets.ts';
import { type SmallLedger, smallChart } from '../support/builders/small-ledger.ts';
import { detailsOf, newSuffix, tenantOf } from '../support/builders/tenants.ts';
import { keepReply, lambdaContext, readResult } from '../support/events/lambda-events.ts';
import { readForm, urlEvent } from '../support/events/url-events.ts';
import type { Outcome, Scenario } from '../support/harnesses/fault-cases.ts';
import {
  callbackBaseUrl,
  gatewayStatusOf,
  type Instance,
  openCarrying,
} from '../support/harnesses/instances.ts';
import { expectCarriedFigures } from '../support/readers/carried-figures.ts';
import { acme, openFakePlatform } from '../support/servers/fake-platform.ts';
import { expectReplay, openRequest, requestScenario } from './request-scenarios.ts';

const entryRequest = {
  domain_url: 'acme-k7m2xq',
  date: '2026-03-23',
  memo: 'March consulting',
  transactionCurrency: 'USD',
  reportingCurrency: 'EUR',
  entries: [
    { account: '1010', debit: '66.67' },
    { account: '1010', debit: '33.33' },
    { account: '4010', credit: '100.00' },
  ],
};
type EntryRequest = typeof entryRequest & { external_id?: string; accrual_date?: string };

/** The tenant's books have a third currency, so its rate is read separately. */
const inThirdCurrency = { transactionCurrency: 'USD', reportingCurrency: 'USD' };

const manyLines = Array.from({ length: 150 }, (_, line) => ({
  account: line % 2 ? '4010' : '1010',
  [line % 2 ? 'credit' : 'debit']: '0.01',
})) as typeof entryRequest.entries;

export const entries = {
  'with an external_id': { ...entryRequest, external_id: 'invoice-42' },
  'without an external_id': entryRequest,
  scheduled: { ...entryRequest, external_id: 'accrual-7', accrual_date: '2026-04-01' },
  'counted on an earlier date': {
    ...entryRequest,
    ...inThirdCurrency,
    external_id: 'late-8',
    accrual_date: '2026-03-20',
  },
  'of 150 lines': { ...entryRequest, external_id: 'long', entries: manyLines },
} as const satisfies Record<string, EntryRequest>;

export const entryScenario = (ledger: SmallLedger, body: EntryRequest): Scenario => {
  const request = { verb: 'createEntry', request: () => ({ body }) } as const;
  const isIdempotent = body.external_id !== undefined;
  return requestScenario(ledger, {
    ...request,
    isIdempotent,
    countMade: (items) => items.filter(({ kind }) => kind === 'entry').length,
    check: async ({ outcomes, items, clean }) => {
      const last = outcomes.at(-1);
      if (last?.done) expect(last.value).toMatchObject({ journal_number: 'MJ-20260323-0001' });
      if (!isIdempotent) return;
      await expectReplay(openRequest(ledger, request)(clean), last?.value);
      expect(items.filter(({ sk }) => sk === `EXT#${body.external_id}`)).toHaveLength(1);
    },
  });
};

/** A good key is never refused for a fault, and a bad one is never let in. */
export const authorizerScenario = (
  ledger: SmallLedger,
  { apiKey, expected }: { apiKey: string; expected: 'Allow' | 'Deny' },
): Scenario => ({
  ledger,
  isIdempotent: true,
  send: async ({ faulty }) => {
    const value = await gatewayStatusOf(faulty, apiKey);
    const decision = value === 200 ? 'Allow' : 'Deny';
    return { done: value !== 500 && decision === expected, again: value === 500, value };
  },
});

const countTenants = (items: readonly Record<string, unknown>[]): number =>
  items.filter(({ sk }) => sk === 'TENANT').length;

/** A tenant by hand or of a platform, with an Idempotency-Key or without. */
export const tenantScenario = (
  ledger: SmallLedger,
  { kind, idempotencyKey }: { kind: 'manual' | 'connected'; idempotencyKey?: string },
): Scenario => {
  const fake = openFakePlatform();
  const common = { user_id: ledger.user.userId, cash_flow_method: 'indirect' };
  const manual = () => ({ platform: 'manual', company_name: 'Acme Works', currency: 'EUR' });
  /** The caller's application has other tokens at each try, as its platform gives them. */
  const connected = () => {
    const company = { platform: 'platform_a', platform_company_id: fake.company.companyId };
    return { ...company, ...tokenFields(fake.issueTokens()) };
  };
  const bodyOf = kind === 'manual' ? manual : connected;
  const isIdempotent = idempotencyKey !== undefined;
  const request = {
    verb: 'createTenant',
    request: () => ({
      headers: isIdempotent ? { 'Idempotency-Key': idempotencyKey } : {},
      body: { ...common, ...bodyOf() },
    }),
  } as const;
  return requestScenario(ledger, {
    ...request,
    platforms: fake.platforms,
    isIdempotent,
    countMade: countTenants,
    check: async ({ outcomes, clean }) => {
      if (isIdempotent)
        await expectReplay(openRequest(ledger, request)(clean), outcomes.at(-1)?.value);
    },
    violationOptions: {},
    // With an Idempotency-Key the transaction is the same, and one action longer.
    ...(!isIdempotent && { actionsInConflict: (count) => [0, 1, 2, 3, count - 1] }),
  });
};

const callbackPath = '/oauth/platform_a/callback';
const redirectUrl = 'https://app.example/connected';

/** The start of an authorization, as an application asks for it. */
const startOfAuthorization = ({ user }: SmallLedger, more: Record<string, string> = {}) => ({
  method: 'GET',
  query: {
    user_id: user.userId,
    cash_flow_method: 'direct',
    redirect_url: redirectUrl,
    ...more,
  },
  pathParameters: { platform: 'platform_a' },
});

/** Starts an authorization and comes back from the platform: the event of the callback. */
const comeBack = async (
  ledger: SmallLedger,
  {
    clean,
    fake,
    more,
  }: { clean: Instance; fake: ReturnType<typeof openFakePlatform>; more?: Record<string, string> },
) => {
  const request = () => startOfAuthorization(ledger, more);
  const start = openRequest(ledger, { verb: 'initiate', request });
  const { body } = readResult(await start(clean));
  const state = new URL(body.data.authorization_url).searchParams.get('state') ?? '';
  const code = fake.issueCode(`${callbackBaseUrl}${callbackPath}`);
  return urlEvent({ path: callbackPath, query: { state, code } });
};

/** The URL that is returned works. */
export const initiateScenario = (ledger: SmallLedger): Scenario =>
  requestScenario(ledger, {
    verb: 'initiate',
    request: () => startOfAuthorization(ledger),
    platforms: openFakePlatform().platforms,
    check: ({ items, outcomes }) => {
      const value = outcomes.at(-1)?.value as Data;
      const state = new URL(value.authorization_url).searchParams.get('state') ?? '';
      const { pk } = oauthStateKey(state);
      expect(items.filter((item) => item.pk === pk)).toHaveLength(1);
      // An attempt with a lost reply may leave its own state, which expires.
      const pending = items.filter((item) => String(item.pk).startsWith('STATE#'));
      expect(pending.length).toBeLessThanOrEqual(outcomes.length);
    },
  });

const toBeConfirmed = { confirm_connection: 'true' };

/**
 * A browser that returns from the platform: for a new or a connected company, with a choice of
 * companies, or with a connection to confirm.
 */
export const callbackScenario = (
  ledger: SmallLedger,
  { isConnected = false, isChosen = false, isToBeConfirmed = false } = {},
): Scenario => {
  const other = { ...acme, companyId: 'other-1' };
  const fake = openFakePlatform({ furtherCompanies: isChosen ? [other] : [] });
  /** The user starts from the beginning, where all is well, and comes back from the platform. */
  const connect = async (instance: Instance, clean: Instance): Promise<Outcome> => {
    const more = isToBeConfirmed ? toBeConfirmed : {};
    const event = await comeBack(ledger, { clean, fake, more });
    const first = keepReply(await instance.callBack(event, lambdaContext()));
    const form = { ...readForm(first).hidden, company: acme.companyId };
    const choice = urlEvent({ path: callbackPath, form });
    const isAsked = isChosen && first.statusCode === 200;
    const reply = isAsked ? keepReply(await instance.callBack(choice, lambdaContext())) : first;
    const { statusCode, headers } = reply;
    const value = headers?.Location ?? statusCode;
    const prefix = isToBeConfirmed ? 'company' : 'acme-works';
    const success = `${redirectUrl}?status=success&domain_url=${prefix}-`;
    const done = String(value).startsWith(success);
    return { done, again: !done, value };
  };
  return {
    ledger,
    platforms: fake.platforms,
    ...(isConnected && { prepare: (clean) => connect(clean, clean) }),
    isIdempotent: true,
    send: ({ faulty, clean }) => connect(faulty, clean),
    // A state that was taken, without us hearing of it, is used up: the user starts again.
    shows: ({ operation }, { fault }) =>
      (operation === 'DeleteItem' || operation === 'UpdateItem') && fault.endsWith('after'),
    ...(!isToBeConfirmed && { countMade: countTenants }),
    violationOptions: {},
  };
};

/** A connection that waits is confirmed once, whole, and is the user's for good. */
export const confirmationScenario = (ledger: SmallLedger): Scenario => {
  const fake = openFakePlatform();
  const { userId } = ledger.user;
  let asked: Record<string, string> = {};
  return requestScenario(ledger, {
    verb: 'confirm',
    request: () => ({ body: asked }),
    platforms: fake.platforms,
    prepare: async (clean) => {
      const event = await comeBack(ledger, { clean, fake, more: toBeConfirmed });
      const { headers } = keepReply(await clean.callBack(event, lambdaContext()));
      const { searchParams } = new URL(String(headers?.Location));
      const { status: _, ...brought } = Object.fromEntries(searchParams);
      asked = { user_id: userId, ...brought };
    },
    countMade: countTenants,
    check: ({ items, outcomes }) => {
      expect(outcomes.at(-1)?.value).toMatchObject({ status: 'importing' });
      const kept = items.find(({ sk }) => sk === 'PENDING-CONNECTION');
      expect(kept).not.toHaveProperty('sealedTokens');
      const ending = items.filter(({ expiresAt }) => typeof expiresAt === 'number');
      expect(ending.map(({ sk }) => sk)).toEqual(['PENDING-CONNECTION']);
    },
    violationOptions: {},
  });
};

const runDate = '2026-04-01';
const runEvent = { time: `${runDate}T00:05:00.000Z` } as ScheduledEvent;

/** Scheduled entries by company and date: three together, the others alone. */
const scheduledEntries = [
  ['One', '2026-03-31'],
  ['One', '2026-04-01'],
  ['One', '2026-04-01'],
  ['One', '2026-04-01'],
  ['One', '2026-04-02'],
  ['Two', '2026-04-01'],
] as const;
const dueCount = scheduledEntries.filter(([, date]) => date <= runDate).length;

/**
 * A tenant whose entries are last in the due index. No list is read while they are posted, so a
 * fault meets the same call each time.
 */
const createListedLast = async (
  { applicationId, keys, user }: SmallLedger,
  { table, companyName }: { table: Table; companyName: string },
): Promise<string> => {
  const newListedSuffix = (): string => {
    const suffix = newSuffix();
    const schemaName = `${companyName.toLowerCase()}_${suffix}`;
    const { due_pk } = dueDatePlace(dueDateKey({ applicationId, schemaName }, runDate));
    return due_pk === dueDatePartitions.at(-1) ? suffix : newListedSuffix();
  };
  const sealing = openSealing(fixedSecret(keys));
  const tenants = openTenants(table, { sealing, newSuffix: newListedSuffix, quotas: testQuotas });
  const creation = await tenants.create(user, {
    details: detailsOf(companyName),
    accounts: smallChart,
    idempotentRequest: undefined,
    by: byService,
  });
  return tenantOf(creation).prefix;
};

/** A run that finds entries due of two tenants, for two dates, and one due the day after. */
export const postingScenario = (ledger: SmallLedger): Scenario => ({
  ledger,
  prepare: async (clean, table) => {
    const post = (body: object) =>
      openRequest(ledger, { verb: 'createEntry', request: () => ({ body }) })(clean);
    const prefixes = {
      One: await createListedLast(ledger, { table, companyName: 'One' }),
      Two: await createListedLast(ledger, { table, companyName: 'Two' }),
    };
    // On one of the sheets something counts already.
    await post({ ...entryRequest, domain_url: prefixes.One, date: runDate, exchange_rate: '0.9' });
    for (const [company, accrual_date] of scheduledEntries) {
      await post({ ...entryRequest, domain_url: prefixes[company], accrual_date });
    }
  },
  isIdempotent: true,
  // All kinds of actions there are: the sheet, the entry, and the two items that name it.
  actionsInConflict: () => [0, 1, 2, 3],
  send: async ({ faulty }) => {
    try {
      const value = await faulty.postScheduled(runEvent, lambdaContext(300_000));
      return { done: true, again: false, value };
    } catch {
      return { done: false, again: true, value: undefined };
    }
  },
  violationOptions: { chartCodes: smallChart.map(({ code }) => code), dueUntil: runDate },
  check: ({ items, outcomes }) => {
    const scheduled = items.filter(({ kind, status }) => kind === 'entry' && status !== 'posted');
    expect(scheduled.map(({ accrualDate }) => accrualDate)).toEqual(['2026-04-02']);
    const summaries = outcomes.map(({ value }) => value as { posted: number } | undefined);
    const posted = summaries.reduce((sum, summary) => sum + (summary?.posted ?? 0), 0);
    expect(posted, 'no entry is posted twice').toBeLessThanOrEqual(dueCount);
    const counted = items.filter(({ kind }) => kind === 'entry').length - scheduled.length;
    expect(counted).toBe(dueCount + 1);
  },
});

/**
 * A run that carries a month, after two that are carried. One of these has late entries. Another
 * entry is before the first carried month.
 */
export const carryScenario = (ledger: SmallLedger): Scenario => {
  const name = { applicationId: ledger.applicationId, schemaName: 'acme_k7m2xq' };
  return {
    ledger,
    prepare: async (clean, table) => {
      const post = (date: string) =>
        openRequest(ledger, {
          verb: 'createEntry',
          request: () => ({ body: { ...entryRequest, transactionCurrency: 'EUR', date } }),
        })(clean);
      for (const date of ['2026-01-10', '2026-01-31', '2026-02-10']) await post(date);
      await openCarrying(table)('2026-03-20');
      for (const date of ['2026-01-10', '2026-01-20', '2025-12-31', '2026-03-20']) await post(date);
    },
    isIdempotent: true,
    send: ({ faultyTable }) =>
      openCarrying(faultyTable)('2026-06-20').then(
        (value) => ({ done: true, again: false, value }),
        () => ({ done: false, again: true, value: undefined }),
      ),
    violationOptions: { chartCodes: smallChart.map(({ code }) => code) },
    check: async ({ table }) => {
      for (const to of ['2026-01-31', '2026-03-31', '2026-12-31']) {
        await expectCarriedFigures(table, name, { to }, { from: '2026-01-15', to });
      }
    },
  };
};
