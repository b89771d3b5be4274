// How the status of a tenant changes.

import { type TenantName, tenantKey } from '../table/keys.ts';
import type { UpdateAction } from '../table/table.ts';
import type { Tenant, TenantStatus } from './tenants.ts';

/** The action that sets a tenant's status; `reason` is a code that says why it is not well. */
export const statusAction = (
  name: TenantName,
  { status, reason }: { status: TenantStatus; reason: string | null },
): UpdateAction => ({
  update: tenantKey(name),
  expression: 'SET #status = :status, statusReason = :reason',
  condition: 'attribute_exists(pk)',
  names: { '#status': 'status' },
  values: { ':status': status, ':reason': reason },
});

/** The action of a tenant whose company is connected again: it is imported anew. */
export const importingAction = (
  name: TenantName,
  {
    details: { cashFlowMethod },
    reconnectBy,
  }: {
    details: Pick<Tenant, 'cashFlowMethod'>;
    reconnectBy: string | null;
  },
): UpdateAction => {
  const action = statusAction(name, { status: 'importing', reason: null });
  return {
    ...action,
    expression: `${action.expression}, cashFlowMethod = :cashFlow, reconnectBy = :reconnectBy`,
    values: { ...action.values, ':cashFlow': cashFlowMethod, ':reconnectBy': reconnectBy },
  };
};
