// What a request with an Idempotency-Key stands for.

import type { Slot } from '#shared/platforms/slots.ts';
import type { IdempotentRequest } from '#shared/tenants/tenant-creations.store.ts';
import type { Request } from './schema.ts';

/** What an Idempotency-Key stands for. Tokens change from one try to the next, so they are not. */
export const idempotentRequestOf = (
  idempotencyKey: string | undefined,
  { input, platform }: { input: Request; platform: Slot | 'manual' },
): IdempotentRequest | undefined => {
  if (idempotencyKey === undefined) return undefined;
  const request = {
    userId: String(input.user_id),
    platform,
    cashFlowMethod: input.cash_flow_method,
    companyName: input.company_name ?? null,
    currency: input.currency ?? null,
    companyId: input.platform_company_id ?? null,
    dataCenter: input.data_center ?? null,
  };
  return { idempotencyKey, request };
};
