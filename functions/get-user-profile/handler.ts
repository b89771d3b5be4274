// Shows a user with its tenants.

import type { Tenant } from '#shared/domain/tenants.ts';
import { ApiError } from '#shared/errors.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import type { Slots } from '#shared/platforms/slots.ts';
import type { TenantReader } from '#shared/store/tenants.ts';
import type { Users } from '#shared/store/users.ts';
import { createApiHandler } from '#shared/triggers/api.ts';
import { summaryOf } from '#shared/views/tenant.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = {
  users: Users;
  tenants: TenantReader;
  slots: Slots;
  clock: () => Date;
  log: Log;
  metrics: Metrics;
};

const oldestFirst = (one: Tenant, other: Tenant): number =>
  one.createdAt.localeCompare(other.createdAt) || one.prefix.localeCompare(other.prefix);

export const createHandler = ({ users, tenants, slots, clock, log, metrics }: Dependencies) =>
  createApiHandler(
    {
      from: 'body',
      isReadOnly: true,
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId }, input }) => {
        const named = { applicationId, email: input.email };
        const found = await users.findWithTenants(named, clock());
        if (found === undefined) throw new ApiError('user_not_found');
        const { user, schemaNames, pendingTenants } = found;
        const linked = await tenants.findMany(
          schemaNames.map((schemaName) => ({ applicationId, schemaName })),
        );
        const shown = [...linked, ...pendingTenants];
        return {
          data: {
            user_id: user.userId,
            email: user.email,
            tenant_count: shown.length,
            tenants: shown.sort(oldestFirst).map((tenant) => summaryOf(tenant, slots)),
          },
        };
      },
    },
    { log, metrics },
  );
