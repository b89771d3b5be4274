// Finds the tenant that a command is about.

import { schemaNameOf } from '#shared/domain/domain-names.ts';
import type { Tenant } from '#shared/domain/tenants.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import type { TenantName } from '#shared/store/keys.ts';
import type { Readers } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import { applicationName, tenantPrefix } from '../options.ts';
import { getApplication } from './applications.ts';

export const tenantUsage = '--tenant PREFIX --application NAME';
export const tenantOptions = { tenant: tenantPrefix, application: applicationName };

type Found = {
  name: TenantName;
  tenant: Tenant;
  /** What every report on it begins with. */
  identity: { application: string; application_id: string; tenant: string };
};
type Linked = Found & { tenant: { platform: Slot } };

/** A tenant of an application. @throws CommandFailure where there is none */
export const getTenant = async (
  dependencies: Pick<Readers, 'applications' | 'tenants'>,
  { tenant: prefix, application }: { tenant: string; application: string },
): Promise<Found> => {
  const { applicationId, name: owner } = await getApplication(dependencies, application);
  const name = { applicationId, schemaName: schemaNameOf(prefix) };
  const tenant = await dependencies.tenants.find(name);
  if (tenant === undefined) throw new CommandFailure(`"${owner}" has no tenant ${prefix}`);
  const identity = { application: owner, application_id: applicationId, tenant: prefix };
  return { name, tenant, identity };
};

/** A tenant that is linked to a platform. @throws CommandFailure where it is not, or not there */
export const getLinkedTenant = async (
  dependencies: Readers,
  asked: { tenant: string; application: string },
): Promise<Linked> => {
  const { tenant, ...found } = await getTenant(dependencies, asked);
  const { platform } = tenant;
  if (platform === 'manual') {
    throw new CommandFailure(`${asked.tenant} is kept by hand: it is linked to no platform`);
  }
  return { ...found, tenant: { ...tenant, platform } };
};
