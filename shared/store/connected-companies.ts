// Companies of platforms that an application has connected: which tenant each has.

import * as z from 'zod/mini';
import type { ConnectedCompany } from '../domain/platform-connections.ts';
import type { Tenant } from '../domain/tenants.ts';
import { companyKey, type Key, tenantLinkKey } from './keys.ts';
import type { Table } from './table.ts';

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

/** Whether a company is connected, and its tenant linked to other users only. */
export const isConnectedByAnother = async (
  table: Table,
  user: { applicationId: string; email: string },
  location: CompanyLocation,
): Promise<boolean> => {
  const company = await table.get(connectedCompanyKey(user.applicationId, location));
  if (company === undefined) return false;
  const { schemaName } = CompanyEntry.parse(company);
  return (await table.get(tenantLinkKey(user, schemaName))) === undefined;
};
