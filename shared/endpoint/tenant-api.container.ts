// The dependencies of the functions whose requests name a tenant.

import * as z from 'zod/mini';
import { openTenantReader } from '../tenants/tenant-links.store.ts';
import { openApi } from './api.container.ts';

export const openTenantApi = <Settings extends z.core.$ZodShape>(
  functionName: string,
  settings: Settings,
) => {
  const api = openApi(functionName, {
    ...settings,
    AUTHENTICATOR_SECRET: z.string(),
    BASE_DOMAIN: z.string(),
  });
  return {
    ...api,
    baseDomain: api.environment.BASE_DOMAIN,
    tenants: openTenantReader(api.table),
  };
};
