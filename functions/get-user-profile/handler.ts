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
  log: Log;
  metrics: Metrics;
};

const oldestFirst = (one: Tenant, other: Tenant): number =>
  one.createdAt.localeCompare(other.createdAt) || one.prefix.localeCompare(other.prefix);

export const createHandler = ({ users, tenants, slots, log, metrics }: Dependencies) =>
  createApiHandler(
    {
      from: 'body',
      isReadOnly: true,
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId }, input }) => {
        const found = await users.findWithTenants({ applicationId, email: input.email });
        if (found === undefined) throw new ApiError('user_not_found');
        const { user, schemaNames } = found;
        const linked = await tenants.findMany(
          schemaNames.map((schemaName) => ({ applicationId, schemaName })),
        );
        return {
          data: {
            user_id: user.userId,
            email: user.email,
            tenant_count: linked.length,
            tenants: linked.sort(oldestFirst).map((tenant) => summaryOf(tenant, slots)),
          },
        };
      },
    },
    { log, metrics },
  );
