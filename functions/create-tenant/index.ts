// Entry point of create-tenant.

import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { Quotas } from '#shared/applications/quotas.ts';
import { openApi } from '#shared/endpoint/api.container.ts';
import { openStagePlatforms, platformSettings } from '#shared/platforms/registry.ts';
import { openRatesOf, rateSettings } from '#shared/rates/exchange-rates.container.ts';
import { suffixFrom } from '#shared/tenants/domain-names.ts';
import { openTenants } from '#shared/tenants/tenants.store.ts';
import { createHandler } from './handler.ts';

const api = openApi('create-tenant', {
  AUTHENTICATOR_SECRET: z.string(),
  ...platformSettings,
  ...rateSettings,
  QUOTAS: Quotas,
});
const { PLATFORMS: slots, QUOTAS: quotas } = api.environment;
const { platforms, sealing } = openStagePlatforms(api.environment);
const newSuffix = () => suffixFrom(randomBytes(6));

export const handler = createHandler({
  ...api,
  exchangeRates: openRatesOf(api.table, api.environment),
  tenants: openTenants(api.table, { sealing, newSuffix, quotas }),
  quotas,
  slots,
  platforms,
  newImportId: randomUUID,
});
