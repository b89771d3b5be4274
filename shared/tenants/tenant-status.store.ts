// The actions that create a tenant and change its status.

import { declaredEvents } from '../events/event-types.ts';
import { updateAction } from '../table/field-updates.ts';
import { type TenantName, tenantKey } from '../table/keys.ts';
import { ifExists, ifNotExists, type PutAction, type UpdateAction } from '../table/table.ts';
import type { Tenant, TenantStatus } from './tenants.ts';

/** The action that puts a new tenant. It is connected if it imports a company. */
export const newTenantAction = (name: TenantName, tenant: Tenant): PutAction => ({
  put: {
    ...tenantKey(name),
    kind: 'tenant',
    ...tenant,
    ...declaredEvents(
      'tenant.created',
      ...(tenant.status === 'importing' ? (['connection.established'] as const) : []),
    ),
  },
  condition: ifNotExists,
});

/** The reasons of a disconnection that the company's user did not cause. */
const ownReasons: readonly (string | null)[] = [
  'disconnected_by_application',
  'disconnected_by_operator',
];

const eventsOfStatus = (status: TenantStatus, reason: string | null) => {
  if (status !== 'disconnected') return declaredEvents();
  return declaredEvents(
    ownReasons.includes(reason) ? 'connection.ended' : 'connection.needs_consent',
  );
};

/** The action that sets a tenant's status. `reason` is the code of a problem. */
export const statusAction = (
  name: TenantName,
  { status, reason }: { status: TenantStatus; reason: string | null },
): UpdateAction =>
  updateAction(tenantKey(name), {
    set: { status, statusReason: reason, ...eventsOfStatus(status, reason) },
    condition: ifExists,
  });

/**
 * The action for a tenant whose company is connected again and imported again. Its transaction
 * records the cash-flow method, and fails if another change of the tenant came in between.
 */
export const importingAction = (
  name: TenantName,
  {
    details: { cashFlowMethod },
    reconnectBy,
  }: { details: Pick<Tenant, 'cashFlowMethod'>; reconnectBy: string | null },
): UpdateAction =>
  updateAction(tenantKey(name), {
    set: {
      status: 'importing',
      statusReason: null,
      cashFlowMethod,
      reconnectBy,
      ...declaredEvents('connection.established'),
    },
    condition: ifExists,
  });
