// Links a user to a tenant.

import {
  createLinkingHandler,
  type LinkingDependencies,
} from '#shared/tenants/tenant-links.endpoint.ts';

export const createHandler = (dependencies: LinkingDependencies) =>
  createLinkingHandler('link', dependencies);
