// How a tenant stands with its platform, as its profile says it, and how that changes.

import * as z from 'zod/mini';
import { type TenantName, tenantKey } from './keys.ts';
import type { UpdateAction } from './table.ts';

export const TenantStatus = z.enum(['active', 'importing', 'import_failed', 'disconnected']);
export type TenantStatus = z.infer<typeof TenantStatus>;

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
