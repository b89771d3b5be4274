// The dependencies of the functions that show or change the connection of a tenant.

import { openTenantApi } from '../endpoint/api.container.ts';
import { Slots } from '../platforms/slots.ts';
import { openTenantImports } from './tenant-imports.store.ts';

export const openTenantImportsApi = (functionName: string) => {
  const api = openTenantApi(functionName, { PLATFORMS: Slots });
  return {
    ...api,
    tenantImports: openTenantImports(api.table),
    slots: api.environment.PLATFORMS,
  };
};
