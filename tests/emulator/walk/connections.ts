// Connecting companies: from the application's request through the platform's consent and the
// callback's own address to the import, which the table's stream starts.

import assert from 'node:assert/strict';
import { type Slot, slotNames } from '#shared/platforms/slots.ts';
import { ada } from '../../support/builders/requests.ts';
import { giveConsent } from '../../support/servers/sandbox.ts';
import type { Emulator } from '../emulator.ts';
import type { Report } from '../report.ts';
import { call, dataOf, until, visit } from './calls.ts';
import { type Deployed, redirectUrl } from './deployed.ts';

type ShownTenant = {
  tenant_domain_url: string;
  platform: string;
  status: string;
  status_reason: string | null;
};

export const profileOf = async (deployed: Deployed) =>
  dataOf(await call(deployed, 'users/profile/', { body: { email: ada.email } })) as {
    user_id: string;
    tenants: ShownTenant[];
  };

/** @returns what the browser brings when it comes back: the tenant, and a code to confirm it */
export const connect = async (
  { outside, settings }: Emulator,
  { deployed, slot, toConfirm = false }: { deployed: Deployed; slot: Slot; toConfirm?: boolean },
) => {
  const { user_id } = await profileOf(deployed);
  const platform = settings.platforms[slot].name;
  const query = new URLSearchParams({
    user_id,
    cash_flow_method: 'direct',
    redirect_url: redirectUrl,
    ...(toConfirm && { confirm_connection: 'true' }),
  });
  const initiated = await call(deployed, `oauth/${platform}/initiate/?${query}`);
  const { authorization_url } = dataOf(initiated);
  const callback = await giveConsent(outside.at(authorization_url));
  assert.equal(callback.href.startsWith(`${deployed.callbackUrl}/oauth/${platform}/`), true);
  const page = await visit(callback.href);
  assert.equal(page.status, 303, page.text);
  const landing = new URL(page.location ?? '');
  assert.equal(landing.origin + landing.pathname, redirectUrl);
  assert.equal(landing.searchParams.get('status'), 'success', landing.search);
  return {
    domain_url: landing.searchParams.get('domain_url') ?? '',
    confirmation_code: landing.searchParams.get('confirmation_code') ?? '',
  };
};

const checkConnection = async (
  emulator: Emulator,
  options: { deployed: Deployed; slot: Slot; report: Report },
): Promise<void> => {
  const { domain_url: domain } = await connect(emulator, options);
  const startedAt = performance.now();
  const statusOf = async () => {
    const { tenants } = await profileOf(options.deployed);
    return tenants.find(({ tenant_domain_url }) => tenant_domain_url === domain);
  };
  const tenant = await until(`the import of ${domain}`, statusOf, {
    will: (found) => found !== undefined && found.status !== 'importing',
  });
  assert.deepEqual([tenant?.status, tenant?.status_reason], ['active', null]);
  const seconds = (performance.now() - startedAt) / 1000;
  options.report.note(`imported ${seconds.toFixed(1)} s after the callback`);
};

const checkUnknownState = async ({ settings }: Emulator, deployed: Deployed): Promise<void> => {
  const { name } = settings.platforms.platform_a;
  const page = await visit(`${deployed.callbackUrl}/oauth/${name}/callback?code=c&state=unknown`);
  assert.deepEqual([page.status >= 400 && page.status < 500, page.location], [true, undefined]);
  assert.match(page.text, /^<!doctype html>/i);
};

export const walkConnections = async (
  emulator: Emulator,
  { deployed, report }: { deployed: Deployed; report: Report },
): Promise<void> => {
  const { settings } = emulator;
  report.heading('Connections');
  for (const slot of slotNames) {
    const { adapter } = settings.platforms[slot];
    await report.check(`${slot} (${adapter}): consent, callback, stream, import`, () =>
      checkConnection(emulator, { deployed, slot, report }),
    );
  }
  await report.check('an unknown state gets a page, and no redirect', () =>
    checkUnknownState(emulator, deployed),
  );
};
