import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { companiesOf } from '#infra/sandbox/companies.ts';
import type { DemoCompany } from '#infra/sandbox/demo-company.ts';
import { localDialects } from '#infra/sandbox/dialects.ts';
import { createLimiter, platformLimits } from '#infra/sandbox/limits.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import { sandboxClients, startSandboxPlatform } from '../../support/servers/sandbox.ts';

const start = Date.parse('2026-03-23T09:30:00Z');
let now = start;
const clock = () => new Date(now);
const sandbox = await startSandboxPlatform({ clients: sandboxClients, clock, limits: 'enforced' });
const free = await startSandboxPlatform({ clients: sandboxClients, clock });
afterAll(() => Promise.all([sandbox.stop(), free.stop()]));
// A day later, all calls of the test before are forgotten.
beforeEach(() => {
  now += 24 * 60 * 60 * 1000;
});

type Tokens = { access_token: string; refresh_token: string };

const grantFor = async (slot: Slot, company: DemoCompany, at = sandbox): Promise<Tokens> => {
  const body = JSON.stringify({ company_id: company.id });
  const reply = await fetch(`${at.baseUrl(slot)}/test-grants`, { method: 'POST', body });
  return (await reply.json()) as Tokens;
};

/** A call about the company, by the path and headers of its platform. */
const callOf = (slot: Slot, company: DemoCompany, { access_token }: Tokens) => {
  const id = localDialects[slot].companyIdOf(company);
  const paths: Record<Slot, string> = {
    platform_a: 'api.xero.com/api.xro/2.0/Organisation',
    platform_b: `quickbooks.api.intuit.com/v3/company/${id}/preferences`,
    platform_c: `www.zohoapis.${company.dataCenter}/books/v3/settings/taxes?organization_id=${id}`,
  };
  const Authorization = `${localDialects[slot].tokenScheme} ${access_token}`;
  return (at = sandbox): Promise<Response> =>
    fetch(`${at.baseUrl(slot)}/${paths[slot]}`, {
      headers: { Authorization, 'xero-tenant-id': id },
    });
};

const openCall = async (slot: Slot, place = 0, at = sandbox) => {
  const company = companiesOf[slot][place] as DemoCompany;
  return callOf(slot, company, await grantFor(slot, company, at));
};

/** So many calls, no more of them at once than the platform takes. */
const callOften = async (call: () => Promise<Response>, count: number): Promise<Response[]> => {
  const replies: Response[] = [];
  while (replies.length < count) {
    const together = Math.min(5, count - replies.length);
    replies.push(...(await Promise.all(Array.from({ length: together }, () => call()))));
  }
  return replies;
};

const headersOf = ({ headers }: Response, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, headers.get(name)]));

describe('in a minute', () => {
  test.each([
    ['platform_a', platformLimits.xero, { Title: 'Too Many Requests' }, '60'],
    ['platform_b', platformLimits.quickbooks, { fault: { type: 'SERVICE' } }, null],
    ['platform_c', platformLimits.zoho, { code: 44 }, null],
  ] as const)('%s takes its calls and no more, of each company', async (...row) => {
    const [slot, { perMinute }, words, wait] = row;
    const [call, other] = [await openCall(slot), await openCall(slot, 1)];
    const statuses = (await callOften(call, perMinute)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const refused = await call();
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, wait]);
    expect(await refused.json()).toMatchObject(words);
    expect((await other()).status).toBe(200);
    now += 60_000;
    expect((await call()).status).toBe(200);
  });

  test('platforms say how many calls are left', async () => {
    const [xero, zoho] = [await openCall('platform_a'), await openCall('platform_c')];
    const names = ['X-MinLimit-Remaining', 'X-DayLimit-Remaining', 'X-AppMinLimit-Remaining'];
    await xero();
    expect(Object.values(headersOf(await xero(), names))).toEqual(['58', '4998', '9998']);
    await zoho();
    now += 1_000;
    expect(headersOf(await zoho(), ['X-Rate-Limit-Remaining', 'X-Rate-Limit-Reset'])).toEqual({
      'X-Rate-Limit-Remaining': '9998',
      'X-Rate-Limit-Reset': String(24 * 60 * 60 - 1),
    });
  });
});

test.each([
  ['platform_a', platformLimits.xero, 'concurrent'],
  ['platform_b', platformLimits.quickbooks, null],
  ['platform_c', platformLimits.zoho, null],
] as const)('%s takes only so many calls at once', async (slot, { concurrent }, problem) => {
  const call = await openCall(slot);
  const replies = await Promise.all(Array.from({ length: concurrent + 2 }, () => call()));
  const refused = replies.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(2);
  expect(refused[0]?.headers.get('X-Rate-Limit-Problem')).toBe(problem);
  expect((await call()).status).toBe(200);
});

test.each([
  ['Xero', platformLimits.xero],
  ['Zoho', platformLimits.zoho],
])('%s takes so many calls in a day', (_title, limits) => {
  const { enter } = createLimiter({ clock, mode: 'enforced' });
  const enterOnce = (organization = 'one') => {
    now += 1_000;
    const entered = enter({ limits, platform: 'any', organization });
    if ('leave' in entered) entered.leave();
    return 'refusal' in entered ? entered.refusal.limit : 'none';
  };
  const limitsMet = Array.from({ length: limits.perDay }, () => enterOnce());
  expect(new Set(limitsMet)).toEqual(new Set(['none']));
  expect([enterOnce(), enterOnce('other')]).toEqual(['day', 'none']);
});

test('Zoho gives ten access tokens for a refresh token in ten minutes', async () => {
  const company = companiesOf.platform_c[0] as DemoCompany;
  const { refresh_token } = await grantFor('platform_c', company);
  const fields = { grant_type: 'refresh_token', refresh_token, ...sandboxClients.platform_c };
  const url = `${sandbox.baseUrl('platform_c')}/accounts.zoho.eu/oauth/v2/token`;
  // All in the query, as Zoho documents it.
  const refresh = async () => {
    const reply = await fetch(`${url}?${new URLSearchParams(fields)}`, { method: 'POST' });
    return (await reply.json()) as { error?: string };
  };
  for (let count = 0; count < 10; count += 1) expect((await refresh()).error).toBeUndefined();
  expect((await refresh()).error).toBe('Access Denied');
  now += 600_000;
  expect((await refresh()).error).toBeUndefined();
});

test('nothing is limited where the limits are off', async () => {
  const call = await openCall('platform_a', 0, free);
  const replies = await Promise.all(Array.from({ length: 70 }, () => call(free)));
  expect(replies.every(({ status }) => status === 200)).toBe(true);
  expect(replies[0]?.headers.has('X-MinLimit-Remaining')).toBe(false);
});
