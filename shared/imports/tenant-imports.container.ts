// The dependencies of the functions that show or change the connection of a tenant.

import type * as z from 'zod/mini';
import { openTenantApi } from '../endpoint/tenant-api.container.ts';
import { Slots } from '../platforms/slots.ts';
import { openTenantImports } from './tenant-imports.store.ts';

export const openTenantImportsApi = <Settings extends z.core.$ZodShape>(
  functionName: string,
  settings: Settings,
) => {
  const api = openTenantApi(functionName, { ...settings, PLATFORMS: Slots });
  return {
    ...api,
    tenantImports: openTenantImports(api.table),
    slots: api.environment.PLATFORMS,
  };
};
