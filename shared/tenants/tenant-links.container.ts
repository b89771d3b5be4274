// The dependencies of the functions that link users to tenants.

import { openTenantApi } from '../endpoint/tenant-api.container.ts';
import { openLinking } from './tenant-links.service.ts';
import { openTenantLinks } from './tenant-links.store.ts';

export const openTenantLinksApi = (functionName: string) => {
  const api = openTenantApi(functionName, {});
  return { ...api, linking: openLinking(openTenantLinks(api.table), api.clock) };
};
