// Requests about a connected tenant, with faults in the calls to the table.

import { expect } from 'vitest';
import { openImports } from '#shared/imports/imports.store.ts';
import { connectionKey, importKey, type TenantName, tenantKey } from '#shared/table/keys.ts';
import { ledgerTime, type SmallLedger } from '../support/builders/small-ledger.ts';
import type { Scenario } from '../support/harnesses/fault-cases.ts';
import type { RawItem } from '../support/readers/item-kinds.ts';
import { importId, leaveOut, openCompanies } from './connected-companies.ts';
import { requestScenario } from './request-scenarios.ts';

type Asked = { name: TenantName; domain_url: string };

/** A connected company, whose import has ended if `isImported`. */
const openConnected = (ledger: SmallLedger, { isImported }: { isImported: boolean }) => {
  const companies = openCompanies(ledger);
  const { world } = companies;
  const connected: Asked = { name: { applicationId: '', schemaName: '' }, domain_url: '' };
  let refreshToken = '';
  const scenario = {
    platforms: { get: () => world.fake.platforms.get() },
    begin: () => {
      companies.begin();
      refreshToken = world.fake.issueTokens().refreshToken;
    },
    prepare: async (_, table) => {
      companies.begin();
      const { applicationId, schemaName } = await companies.connect(table, 'platform_a');
      connected.name = { applicationId, schemaName };
      connected.domain_url = schemaName.replaceAll('_', '-');
      const finishedAt = new Date(Date.parse(ledgerTime) - 60_000).toISOString();
      const end = { finishedAt, reason: null, tenantStatus: 'active' } as const;
      if (isImported) await openImports(table).finish(connected.name, { importId, ...end });
    },
    leaveOut,
    violationOptions: {},
  } satisfies Partial<Scenario>;
  return {
    scenario,
    tenant: () => ({ domain_url: connected.domain_url }),
    itemAt: (items: readonly RawItem[], keyOf: typeof tenantKey): RawItem => {
      const { pk, sk } = keyOf(connected.name);
      return items.find((item) => item.pk === pk && item.sk === sk) ?? {};
    },
    isRefreshable: () => world.fake.isRefreshable(refreshToken),
  };
};

/** The reply is complete, or the request fails. */
export const importViewScenario = (ledger: SmallLedger): Scenario => {
  const { scenario, tenant } = openConnected(ledger, { isImported: true });
  return requestScenario(ledger, {
    ...scenario,
    verb: 'getImport',
    request: () => ({ method: 'GET', query: tenant() }),
    check: ({ outcomes }) => {
      const whole = { status: 'active', import: { state: 'complete' }, next: { action: 'none' } };
      expect(outcomes.at(-1)?.value).toMatchObject(whole);
    },
  });
};

export const balancesScenario = (ledger: SmallLedger): Scenario => {
  const { scenario, tenant } = openConnected(ledger, { isImported: true });
  return requestScenario(ledger, {
    ...scenario,
    verb: 'getBalances',
    request: () => ({ method: 'GET', query: tenant() }),
    check: ({ outcomes }) => {
      expect(outcomes.at(-1)?.value).toMatchObject({ agrees: false, reason: 'not_checked' });
    },
  });
};

/** One import is requested. A caller that lost the first reply learns that it is in progress. */
export const importRequestScenario = (ledger: SmallLedger): Scenario => {
  const { scenario, tenant, itemAt } = openConnected(ledger, { isImported: true });
  return requestScenario(ledger, {
    ...scenario,
    verb: 'requestImport',
    request: () => ({ body: tenant() }),
    check: ({ items, outcomes }) => {
      const requested = { status: 'importing', import: { state: 'requested' } };
      expect(outcomes.at(-1)?.value).toMatchObject(requested);
      expect(itemAt(items, importKey)).toMatchObject({ status: 'requested' });
      expect(itemAt(items, importKey).importId).not.toBe(importId);
      expect(itemAt(items, tenantKey).status).toBe('importing');
    },
  });
};

/** In the end nothing is held and nothing is left open at the platform. */
export const disconnectScenario = (ledger: SmallLedger): Scenario => {
  const { scenario, tenant, itemAt, isRefreshable } = openConnected(ledger, { isImported: false });
  return requestScenario(ledger, {
    ...scenario,
    isFinal: true,
    verb: 'disconnect',
    request: () => ({ body: tenant() }),
    check: ({ items, outcomes }) => {
      expect(outcomes.at(-1)?.value).toMatchObject({ status: 'disconnected' });
      expect(itemAt(items, connectionKey)).not.toHaveProperty('sealedTokens');
      expect(itemAt(items, importKey).status).toBe('failed');
      expect(itemAt(items, tenantKey).statusReason).toBe('disconnected_by_application');
      expect(isRefreshable()).toBe(false);
    },
  });
};
