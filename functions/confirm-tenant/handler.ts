// Confirms a connection in the session of the user who started its authorization.

import { type Quotas, tenantQuotaReached } from '#shared/applications/quotas.ts';
import {
  isConfirmed,
  type PendingConnections,
} from '#shared/connections/pending-connections.store.ts';
import { createApiHandler } from '#shared/endpoint/api.ts';
import { replayedHeader } from '#shared/endpoint/replay.view.ts';
import { ApiError, throwIfProblems } from '#shared/errors.ts';
import type { Slots } from '#shared/platforms/slots.ts';
import type { TenantName } from '#shared/table/keys.ts';
import { retryOnContention } from '#shared/table/retry.ts';
import type { Telemetry } from '#shared/telemetry.ts';
import { tenantNameFrom } from '#shared/tenants/domain-names.ts';
import { summaryOf } from '#shared/tenants/tenant.view.ts';
import type { TenantReader } from '#shared/tenants/tenant-links.store.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = Telemetry & {
  pendingConnections: PendingConnections;
  tenants: Pick<TenantReader, 'find'>;
  quotas: Pick<Quotas, 'tenantsPerApplication'>;
  baseDomain: string;
  slots: Slots;
  clock: () => Date;
  newImportId: () => string;
};

export const createHandler = (dependencies: Dependencies) => {
  const { pendingConnections, tenants, quotas, baseDomain, slots, clock } = dependencies;
  const { newImportId, log, metrics } = dependencies;

  /** @returns whether an earlier request has confirmed the connection */
  const confirm = async (
    name: TenantName,
    { keyId, ...proof }: { userId: string; code: string; keyId: string },
  ): Promise<boolean> => {
    const now = clock();
    const find = () => pendingConnections.find(name, { ...proof, now });
    const pending = await find();
    if (pending === undefined) throw new ApiError('confirmation_not_found');
    if (isConfirmed(pending)) return true;
    const importId = newImportId();
    const confirmation = { pending, importId, now, userId: proof.userId, keyId };
    const outcome = await pendingConnections.confirm(name, confirmation);
    if (outcome === 'confirmed') return false;
    if (outcome === 'company_connected_meanwhile') throw new ApiError(outcome);
    if (outcome === 'tenant_quota_reached') throwIfProblems([tenantQuotaReached(quotas)]);
    // A simultaneous repeat of this request may have confirmed it.
    const current = await find();
    if (current && isConfirmed(current)) return true;
    throw new ApiError('confirmation_not_found');
  };

  return createApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId, keyId }, input }) => {
        const { domain_url: domainUrl, user_id, confirmation_code: code } = input;
        const name = tenantNameFrom(domainUrl, { applicationId, baseDomain });
        if (name === undefined) throw new ApiError('confirmation_not_found');
        const replayed = await confirm(name, { userId: String(user_id), code, keyId });
        if (replayed) metrics.replayed();
        const tenant = await retryOnContention(() => tenants.find(name));
        const data = { ...summaryOf(tenant, slots), replayed };
        return replayed ? { data, headers: replayedHeader } : { data };
      },
    },
    { log, metrics },
  );
};
