// The actions that change the status of a tenant.

import { updateAction } from '../table/field-updates.ts';
import { type TenantName, tenantKey } from '../table/keys.ts';
import { ifExists, type UpdateAction } from '../table/table.ts';
import type { Tenant, TenantStatus } from './tenants.ts';

/** The action that sets a tenant's status. `reason` is the code of a problem. */
export const statusAction = (
  name: TenantName,
  { status, reason }: { status: TenantStatus; reason: string | null },
): UpdateAction =>
  updateAction(tenantKey(name), { set: { status, statusReason: reason }, condition: ifExists });

/** The action for a tenant whose company is connected again and imported again. */
export const importingAction = (
  name: TenantName,
  {
    details: { cashFlowMethod },
    reconnectBy,
  }: {
    details: Pick<Tenant, 'cashFlowMethod'>;
    reconnectBy: string | null;
  },
): UpdateAction =>
  updateAction(tenantKey(name), {
    set: { status: 'importing', statusReason: null, cashFlowMethod, reconnectBy },
    condition: ifExists,
  });
