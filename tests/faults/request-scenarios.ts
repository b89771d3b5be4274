// Requests that are the same at each attempt, with faults in their calls to the table.

import { expect } from 'vitest';
import { type SmallLedger, smallChart } from '../support/builders/small-ledger.ts';
import { apiEvent, lambdaContext, readResult } from '../support/events/lambda-events.ts';
import { outcomeOf, type Scenario } from '../support/harnesses/fault-cases.ts';
import type { Instance } from '../support/harnesses/instances.ts';
import type { RawItem } from '../support/readers/item-kinds.ts';

export type Verb = Exclude<
  keyof Instance,
  'authorize' | 'callBack' | 'postScheduled' | 'recordEvents' | 'deliverEvents' | 'resumeDeliveries'
>;
type ApiRequest = Omit<Parameters<typeof apiEvent>[0], 'applicationId'>;
/** A request to one of the functions. `request` runs before each attempt. */
type VerbScenario = Omit<Scenario, 'ledger' | 'send' | 'isIdempotent'> & {
  verb: Verb;
  request: () => ApiRequest;
  /** Defaults to true. */
  isIdempotent?: boolean;
};

export const openRequest =
  ({ applicationId }: SmallLedger, { verb, request }: Pick<VerbScenario, 'verb' | 'request'>) =>
  (instance: Instance) =>
    instance[verb](apiEvent({ applicationId, ...request() }), lambdaContext());

export const requestScenario = (
  ledger: SmallLedger,
  { verb, request, isIdempotent = true, ...more }: VerbScenario,
): Scenario => {
  const send = openRequest(ledger, { verb, request });
  return {
    ledger,
    isIdempotent,
    send: async ({ faulty }) => outcomeOf(await send(faulty)),
    ...more,
  };
};

/** The same reply, with each entry in it marked as replayed. */
const asReplayed = (data: unknown): unknown =>
  JSON.parse(JSON.stringify(data), (key, value) => (key === 'replayed' ? true : value));

/** A repetition of the request returns the first result, and says so. */
export const expectReplay = async (
  result: ReturnType<Instance[Verb]>,
  expected: unknown,
): Promise<void> => {
  const { headers, body } = readResult(await result);
  expect(headers).toMatchObject({ 'Idempotent-Replayed': 'true' });
  expect(headers).not.toHaveProperty('Idempotency-Mismatch');
  expect(body.data).toEqual(asReplayed(expected));
};

const domain_url = 'acme-k7m2xq';

export const userScenario = (ledger: SmallLedger, email: string): Scenario => {
  const isWanted = ({ pk, sk }: RawItem): boolean =>
    sk === 'USER' && String(pk).endsWith(`#${email.toLowerCase()}`);
  const names = { first_name: 'Grace', last_name: 'Hopper' };
  return requestScenario(ledger, {
    verb: 'ensureUser',
    request: () => ({ body: { email, password: 'correct horse', ...names } }),
    countMade: (items) => items.filter(isWanted).length,
    check: ({ items, outcomes }) => {
      const user_id = items.find(isWanted)?.userId;
      expect(outcomes.at(-1)?.value).toMatchObject({ user_id, email });
    },
  });
};

const smallChartCodes = { chartCodes: smallChart.map(({ code }) => code) };

/** The items with the old address of the user. */
const itemsWith = (email: string, items: readonly RawItem[]) =>
  items.filter((item) => JSON.stringify(item).toLowerCase().includes(email));

/** The user moves once, with its password and its link, and nothing stays at the old address. */
export const userChangeScenario = (ledger: SmallLedger): Scenario => {
  const { email: old, userId: user_id } = ledger.user;
  const change = { email: 'ada.king@example.com', last_name: 'King' };
  return requestScenario(ledger, {
    verb: 'updateUser',
    violationOptions: smallChartCodes,
    request: () => ({ body: { user_id, ...change } }),
    check: ({ items, outcomes }) => {
      expect(outcomes.at(-1)?.value).toMatchObject({ user_id, ...change });
      expect(itemsWith(old, items)).toEqual([]);
      const moved = itemsWith(change.email, items).map(({ sk }) => String(sk));
      expect(moved.sort()).toEqual(['PASSWORD', 'TENANT#acme_k7m2xq', 'USER', 'USERID']);
    },
  });
};

/** Nothing of the user stays but its id. A caller that lost the reply gets the same one. */
export const erasureScenario = (ledger: SmallLedger): Scenario => {
  const { email, userId: user_id } = ledger.user;
  return requestScenario(ledger, {
    verb: 'eraseUser',
    violationOptions: { ...smallChartCodes, mayLackUsers: true },
    request: () => ({ body: { user_id } }),
    check: ({ items, outcomes }) => {
      expect(outcomes.at(-1)?.value).toMatchObject({ user_id });
      expect(itemsWith(email, items)).toEqual([]);
      expect(items.some(({ sk, erasedAt }) => sk === 'USERID' && erasedAt)).toBe(true);
    },
  });
};

/** The tenant of a user is linked or unlinked. */
export const linkScenario = (ledger: SmallLedger, verb: 'link' | 'unlink'): Scenario => {
  const request = () => ({ body: { user_id: ledger.user.userId, domain_url } });
  const linked = verb === 'link';
  return requestScenario(ledger, {
    verb,
    request,
    violationOptions: { ...smallChartCodes, mayLackUsers: true },
    prepare: openRequest(ledger, { verb: linked ? 'unlink' : 'link', request }),
    check: ({ items, outcomes }) => {
      expect(outcomes.at(-1)?.value).toMatchObject({ tenant_domain_url: domain_url, linked });
      expect(items.some(({ sk }) => sk === 'TENANT#acme_k7m2xq')).toBe(linked);
    },
  });
};

/** The account is made once, and a caller that lost the reply finds it. */
export const accountScenario = (ledger: SmallLedger): Scenario => {
  const account = { code: '1015', name: 'Dollars', type: 'asset', cash_flow: 'cash' };
  return requestScenario(ledger, {
    verb: 'createAccount',
    request: () => ({ body: { domain_url, ...account } }),
    countMade: (items) => items.filter(({ sk }) => sk === 'ACCOUNT#1015').length,
    check: ({ outcomes }) => expect(outcomes.at(-1)?.value).toMatchObject(account),
  });
};

/** The account has the change. Its other fields are unchanged. */
export const accountChangeScenario = (ledger: SmallLedger): Scenario => {
  const change = { code: '1010', name: 'Renamed' };
  const before = { ...smallChart[0], number: 1 };
  return requestScenario(ledger, {
    verb: 'updateAccount',
    request: () => ({ body: { domain_url, ...change } }),
    check: ({ items, outcomes }) => {
      expect(outcomes.at(-1)?.value).toMatchObject(change);
      const {
        pk,
        sk,
        kind,
        mac: _,
        ...account
      } = items.find((it) => it.sk === 'ACCOUNT#1010') ?? {};
      expect([typeof pk, sk, kind]).toEqual(['string', 'ACCOUNT#1010', 'account']);
      expect(account).toEqual({ ...before, ...change, events: 'account.updated' });
    },
  });
};

/** The lock is moved and recorded once. The rest of the tenant is unchanged. */
export const tenantUpdateScenario = (ledger: SmallLedger): Scenario => {
  const change = { lock_date: '2026-02-28', company_name: 'Renamed' };
  return requestScenario(ledger, {
    verb: 'updateTenant',
    request: () => ({ body: { domain_url, ...change } }),
    countMade: (items) => items.filter(({ what }) => what === 'settings_updated').length,
    check: ({ items, outcomes }) => {
      expect(outcomes.at(-1)?.value).toMatchObject(change);
      const tenant = items.find(({ sk }) => sk === 'TENANT');
      expect(tenant).toMatchObject({ lockDate: '2026-02-28', companyName: 'Renamed' });
    },
  });
};
