// Removes the link between a user and a tenant.

import {
  createLinkingHandler,
  type LinkingDependencies,
} from '#shared/tenants/tenant-links.endpoint.ts';

export const createHandler = (dependencies: LinkingDependencies) =>
  createLinkingHandler('unlink', dependencies);
