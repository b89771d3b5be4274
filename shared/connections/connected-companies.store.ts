// The tenants of an application's connected companies.

import * as z from 'zod/mini';
import { tenantsIn } from '../applications/quota-counts.store.ts';
import { companyKey, type Key, keyText, tenantCountKey, tenantLinkKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { Tenant } from '../tenants/tenants.ts';
import type { ConnectedCompany } from './platform-connections.ts';

/** The tenant of a company. */
export const CompanyEntry = z.object({ schemaName: z.string() });

/** A company's slot, data center and id. */
export type CompanyLocation = Pick<Tenant, 'platform'> &
  Pick<ConnectedCompany, 'companyId' | 'dataCenter'>;

/**
 * The key of a company contains the slot, because tokens only work for the client of their slot. It
 * also contains the data center, because company ids are unique only within one.
 */
export const connectedCompanyKey = (
  applicationId: string,
  { platform, companyId, dataCenter }: CompanyLocation,
): Key =>
  companyKey({
    applicationId,
    platform,
    companyId: dataCenter === null ? companyId : `${dataCenter}/${companyId}`,
  });

/** A reason that prevents a user from connecting a company. */
export type ConnectionObstacle = 'connected_by_another_user' | 'tenant_quota_reached';

/**
 * Checks that a user can connect a company. If the company is already connected, the user must be
 * linked to its tenant. Otherwise the application must have room for a tenant.
 * @param options.maximum the application's maximum number of tenants
 */
export const findConnectionObstacle = async (
  table: Table,
  user: { applicationId: string; email: string },
  { company, maximum }: { company: CompanyLocation; maximum: number },
): Promise<ConnectionObstacle | undefined> => {
  const { applicationId } = user;
  const keys = [
    connectedCompanyKey(applicationId, company),
    tenantCountKey(applicationId),
  ] as const;
  const items = await table.getMany(keys);
  const connected = items.get(keyText(keys[0]));
  if (connected === undefined) {
    const hasRoom = tenantsIn(items.get(keyText(keys[1]))) < maximum;
    return hasRoom ? undefined : 'tenant_quota_reached';
  }
  const { schemaName } = CompanyEntry.parse(connected);
  const link = await table.get(tenantLinkKey(user, schemaName));
  return link === undefined ? 'connected_by_another_user' : undefined;
};
