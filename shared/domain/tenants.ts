// A tenant: one company's books, kept here or linked to an accounting platform.

import * as z from 'zod/mini';
import { usualFinancialYearEnd } from './financial-year.ts';

/**
 * How a tenant stands with its platform, as its profile says it. One that is `pending` waits for
 * its application to confirm the connection: only the profile of its user has it, and no store
 * finds it as a tenant.
 */
export const TenantStatus = z.enum([
  'active',
  'importing',
  'import_failed',
  'disconnected',
  'pending',
]);
export type TenantStatus = z.infer<typeof TenantStatus>;

/** A tenant. `platform` is the slot it was created for, whatever name the stage gives the slot. */
export const Tenant = z.object({
  applicationId: z.string(),
  schemaName: z.string(),
  prefix: z.string(),
  platform: z.enum(['manual', 'platform_a', 'platform_b', 'platform_c']),
  companyName: z.string(),
  currency: z.string(),
  cashFlowMethod: z.enum(['direct', 'indirect']),
  /** The last day of its fiscal year, MM-DD. */
  financialYearEnd: z._default(z.string(), usualFinancialYearEnd),
  /** The last posting date of the locked period, and since when the lock surely holds. */
  lockDate: z.optional(z.string()),
  lockedFrom: z.optional(z.string()),
  status: TenantStatus,
  /** Why it is not well, or what its import waits for: a code. */
  statusReason: z.optional(z.nullable(z.string())),
  /** When its connection ends whatever is done, where the platform says so (ISO 8601). */
  reconnectBy: z.optional(z.nullable(z.string())),
  createdAt: z.string(),
});
export type Tenant = z.infer<typeof Tenant>;

/**
 * A tenant whose connection is not confirmed. It tells nothing of the company, since the user that
 * it is shown to may have led somebody else through the consent; the currency is ISO 4217's code
 * for none.
 */
export const pendingTenant = (
  known: Pick<
    Tenant,
    'applicationId' | 'schemaName' | 'prefix' | 'platform' | 'cashFlowMethod' | 'createdAt'
  >,
): Tenant => ({
  ...known,
  companyName: 'Unconfirmed company',
  currency: 'XXX',
  financialYearEnd: usualFinancialYearEnd,
  status: 'pending',
});
