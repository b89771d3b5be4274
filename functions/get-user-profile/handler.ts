// Returns a user and its tenants.

import { createApiHandler } from '#shared/endpoint/api.ts';
import { ApiError } from '#shared/errors.ts';
import type { Slots } from '#shared/platforms/slots.ts';
import type { Telemetry } from '#shared/telemetry.ts';
import { summaryOf } from '#shared/tenants/tenant.view.ts';
import type { TenantReader } from '#shared/tenants/tenant-links.store.ts';
import type { Tenant } from '#shared/tenants/tenants.ts';
import type { Users } from '#shared/users/users.store.ts';
import { cursors, Data, maximumTenants, Request } from './schema.ts';

export type Dependencies = Telemetry & {
  users: Users;
  tenants: TenantReader;
  slots: Slots;
  clock: () => Date;
};

/** A cursor belongs to a user. The case of the address does not matter. */
const pageQueryOf = ({ email, cursor }: Request) => ({
  email: email.toLowerCase(),
  limit: maximumTenants,
  cursor,
});

const oldestFirst = (one: Tenant, other: Tenant): number =>
  one.createdAt.localeCompare(other.createdAt) || one.prefix.localeCompare(other.prefix);

export const createHandler = ({ users, tenants, slots, clock, ...telemetry }: Dependencies) =>
  createApiHandler(
    {
      from: 'body',
      isReadOnly: true,
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId }, input }) => {
        const userKey = { applicationId, email: input.email };
        const query = pageQueryOf(input);
        const position = cursors.positionOf(query);
        const now = clock();
        const paging = { limit: maximumTenants, after: position?.schemaName, now };
        const profile = await users.findWithTenants(userKey, paging);
        if (profile === undefined) throw new ApiError('user_not_found');
        const { user, schemaNames, pendingTenants, next } = profile;
        const [linked, counted] = await Promise.all([
          tenants.findMany(schemaNames.map((schemaName) => ({ applicationId, schemaName }))),
          position?.count ?? (next === undefined ? undefined : users.countTenants(userKey, now)),
        ]);
        const shown = [...linked, ...pendingTenants];
        const count = counted ?? shown.length;
        return {
          data: {
            user_id: user.userId,
            email: user.email,
            tenant_count: count,
            tenants: shown.sort(oldestFirst).map((tenant) => summaryOf(tenant, slots)),
            next_cursor: cursors.next(
              query,
              next === undefined ? next : { schemaName: next, count },
            ),
          },
        };
      },
    },
    telemetry,
  );
