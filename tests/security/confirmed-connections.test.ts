// Consent phishing (RFC 9700 section 4.7) over HTTP at each platform, against an application that
// asks for confirmation: an attacker starts, a victim consents, and the attacker gets nothing. The
// user who starts and consents gets the company.

import { afterAll, describe, expect, test } from 'vitest';
import { type Slot, slotNames } from '#shared/platforms/slots.ts';
import { ada } from '../support/builders/requests.ts';
import { consentToWaiting, startWaiting } from '../support/servers/waiting-connections.ts';
import { callTenant, openTwoApplications, tenantEndpoints } from './two-applications.ts';

const two = await openTwoApplications();
afterAll(two.stop);

const refusal = [404, 'confirmation_not_found'];

const companyOf: Record<Slot, string> = {
  platform_a: 'prairie-tools',
  platform_b: 'tilleul-librairie',
  platform_c: 'fjord-fish',
};

const newUser = async (email: string) => {
  const { body } = await two.mine('users/ensure/', { body: { ...ada, email } });
  return { email, userId: body.data.user_id as string };
};

const start = (slot: Slot, userId: string) => startWaiting(two.mine, { slot, userId });
const consentTo = (slot: Slot, url: string) => consentToWaiting(url, companyOf[slot]);

/** The application's request, with the user of the session that it is in. */
const confirm = async (body: object) => {
  const reply = await two.mine('tenants/confirm/', { body });
  return [reply.status, reply.body.error?.code ?? reply.body.data.status];
};

const tenantsOf = async (email: string) =>
  (await two.mine('users/profile/', { body: { email } })).body.data.tenants;

/** The codes of a refusal and of its problems. */
const codesOf = async (endpoint: (typeof tenantEndpoints)[number], domain_url: string) => {
  const reply = await callTenant(two.mine, endpoint, { domain_url });
  const { code, details = [] } = reply.body.error ?? {};
  return [code, ...details.map((detail: { code: string }) => detail.code)];
};

describe.each(slotNames)('at %s an attacker who sends the URL to a victim', (slot) => {
  test('gets nothing of the company', async () => {
    const [mallory, victim] = [
      await newUser(`mallory-${slot}@example.com`),
      await newUser(`victim-${slot}@example.com`),
    ];
    const brought = await consentTo(slot, await start(slot, mallory.userId));
    const { domain_url } = brought;
    // The victim's session: the application sends its user, and the service refuses.
    expect(await confirm({ ...brought, user_id: victim.userId })).toEqual(refusal);
    // The attacker reads the tenant's name in the own profile, and opens the redirect URL with it.
    const [shown] = await tenantsOf(mallory.email);
    expect(shown).toMatchObject({ tenant_domain_url: domain_url, status: 'pending' });
    expect(shown).toMatchObject({ company_name: 'Unconfirmed company', currency: 'XXX' });
    const own = { domain_url, user_id: mallory.userId };
    expect(await confirm({ ...own, confirmation_code: 'made-up' })).toEqual(refusal);
    expect(await confirm(own)).toEqual([422, 'validation_failed']);
    const other = await consentTo(slot, await start(slot, mallory.userId));
    expect(await confirm({ ...own, confirmation_code: other.confirmation_code })).toEqual(refusal);
    expect(tenantEndpoints.length).toBeGreaterThanOrEqual(20);
    for (const endpoint of tenantEndpoints) {
      expect(await codesOf(endpoint, domain_url), endpoint.name).toContain('tenant_not_found');
    }
    expect(await tenantsOf(victim.email)).toEqual([]);
    expect((await tenantsOf(mallory.email))[0].status).toBe('pending');
  });

  test('does not keep the company from its own user, who confirms and imports it', async () => {
    const owner = await newUser(`owner-${slot}@example.com`);
    const mallory = await newUser(`mallory-${slot}@example.com`);
    const stolen = await consentTo(slot, await start(slot, mallory.userId));
    const brought = await consentTo(slot, await start(slot, owner.userId));
    const asked = { ...brought, user_id: owner.userId };
    expect(await confirm(asked)).toEqual([200, 'importing']);
    await expect
      .poll(async () => (await tenantsOf(owner.email))[0], { timeout: 25_000, interval: 200 })
      .toMatchObject({ tenant_domain_url: brought.domain_url, status: 'active' });
    // The company now belongs to its user. Even a valid code does not connect it for another user.
    const late = await confirm({ ...stolen, user_id: mallory.userId });
    expect(late).toEqual([409, 'company_connected_meanwhile']);
  });
});
