// Companies of platforms that an application has connected: which tenant each has.

import * as z from 'zod/mini';
import { tenantsIn } from '../applications/quota-counts.store.ts';
import { companyKey, type Key, keyText, tenantCountKey, tenantLinkKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { Tenant } from '../tenants/tenants.ts';
import type { ConnectedCompany } from './platform-connections.ts';

/** The tenant that a company has. */
export const CompanyEntry = z.object({ schemaName: z.string() });

/** Where a company is: at the platform of a slot, and at one of its data centers. */
export type CompanyLocation = Pick<Tenant, 'platform'> &
  Pick<ConnectedCompany, 'companyId' | 'dataCenter'>;

/**
 * Companies are told apart by the platform's slot too, since tokens are good for the client of
 * their slot only, and by data center, since each numbers its companies for itself.
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

/** What keeps a user from connecting a company. */
export type ConnectionObstacle = 'connected_by_another_user' | 'tenant_quota_reached';

/**
 * A company that is connected needs its tenant to be linked to the user, and another one room for a
 * tenant.
 * @param options.maximum how many tenants the application may have
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
