import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { companiesOf } from '#infra/sandbox/companies.ts';
import type { DemoCompany } from '#infra/sandbox/demo-company.ts';
import { localDialects } from '#infra/sandbox/dialects.ts';
import { createLimiter } from '#infra/sandbox/limits.ts';
import { type Slot, slotNames } from '#shared/platforms/slots.ts';
import { openSandboxClient } from '../../support/harnesses/sandbox-client.ts';

const sandbox = await openSandboxClient({ limits: 'enforced' });
afterAll(sandbox.stop);
// Each test starts with unused daily limits.
beforeEach(() => sandbox.advance(24 * 60 * 60));

/** A call for a company, with the path and headers of its platform. */
const openCall = async (slot: Slot, place = 0, at = sandbox) => {
  const company = companiesOf[slot][place] as DemoCompany;
  const { access_token } = await at.testTokens(slot, { company_id: company.id });
  const id = localDialects[slot].companyIdOf(company);
  const paths: Record<Slot, string> = {
    platform_a: 'api.xero.com/api.xro/2.0/Organisation',
    platform_b: `quickbooks.api.intuit.com/v3/company/${id}/preferences`,
    platform_c: `www.zohoapis.${company.dataCenter}/books/v3/settings/taxes?organization_id=${id}`,
  };
  const Authorization = `${localDialects[slot].tokenScheme} ${access_token}`;
  const headers = { Authorization, 'xero-tenant-id': id };
  return (): Promise<Response> => fetch(`${at.baseUrl(slot)}/${paths[slot]}`, { headers });
};

/** Repeats a call, never more of them at once than the platforms allow. */
const repeat = async (call: () => Promise<Response>, count: number): Promise<number[]> => {
  const statuses: number[] = [];
  while (statuses.length < count) {
    const together = Math.min(5, count - statuses.length);
    const replies = await Promise.all(Array.from({ length: together }, call));
    statuses.push(...replies.map(({ status }) => status));
  }
  return statuses;
};

describe('the limit of a minute', () => {
  test.each([
    ['platform_a', { Title: 'Too Many Requests' }, '60'],
    ['platform_b', { fault: { type: 'SERVICE' } }, null],
    ['platform_c', { code: 44 }, null],
  ] as const)('at %s applies to each company', async (slot, body, wait) => {
    const [call, other] = [await openCall(slot), await openCall(slot, 1)];
    const statuses = await repeat(call, localDialects[slot].limits.perMinute);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const refused = await call();
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, wait]);
    expect(await refused.json()).toMatchObject(body);
    expect((await other()).status).toBe(200);
    sandbox.advance(60);
    expect((await call()).status).toBe(200);
  });

  test('of Zoho leaves the headers of the daily limit', async () => {
    const call = await openCall('platform_c');
    await call();
    sandbox.advance(1);
    const { headers } = await call();
    expect(headers.get('X-Rate-Limit-Remaining')).toBe('9998');
    expect(headers.get('X-Rate-Limit-Reset')).toBe(String(24 * 60 * 60 - 1));
  });
});

test.each(slotNames)('%s limits concurrent calls of a company', (slot) => {
  const { limits } = localDialects[slot];
  const { enter } = createLimiter({ clock: () => new Date(), mode: 'enforced' });
  const enterAt = (company: string) => enter(company, limits);
  const entered = Array.from({ length: limits.concurrent }, () => enterAt('one'));
  const refusal = { limit: 'concurrent', retryAfterSeconds: null };
  expect(enterAt('one')).toEqual({ refusal });
  expect(enterAt('other')).not.toHaveProperty('refusal');
  for (const call of entered) if ('leave' in call) call.leave();
  expect(enterAt('one')).not.toHaveProperty('refusal');
});

test.each(['platform_a', 'platform_c'] as const)('%s limits the calls of a day', (slot) => {
  const { limits } = localDialects[slot];
  let now = 0;
  const { enter } = createLimiter({ clock: () => new Date(now), mode: 'enforced' });
  const limitOf = (company: string) => {
    now += 1_000;
    const entered = enter(company, limits);
    if ('leave' in entered) entered.leave();
    return 'refusal' in entered ? entered.refusal.limit : 'none';
  };
  const outcomes = Array.from({ length: limits.perDay }, () => limitOf('one'));
  expect(new Set(outcomes)).toEqual(new Set(['none']));
  expect([limitOf('one'), limitOf('other')]).toEqual(['day', 'none']);
});

test('Zoho issues ten access tokens for a refresh token in ten minutes', async () => {
  const tokens = await sandbox.testTokens('platform_c');
  const errorOf = async () => (await sandbox.refresh('platform_c', tokens)).body.error;
  for (let count = 0; count < 10; count += 1) expect(await errorOf()).toBeUndefined();
  expect(await errorOf()).toBe('Access Denied');
  sandbox.advance(600);
  expect(await errorOf()).toBeUndefined();
});

test('limits can be off', async () => {
  const free = await openSandboxClient({ limits: 'off' });
  const call = await openCall('platform_c', 0, free);
  const replies = await Promise.all(Array.from({ length: 110 }, call));
  expect(replies.every(({ status }) => status === 200)).toBe(true);
  expect(replies[0]?.headers.has('X-Rate-Limit-Remaining')).toBe(false);
  await free.stop();
});
