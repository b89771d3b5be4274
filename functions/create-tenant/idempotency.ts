// The Idempotency-Key of a creation, and what the request with it stands for.

import { type Problem, problem } from '#shared/errors.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import type { IdempotentRequest } from '#shared/store/idempotency-keys.ts';
import type { Request } from './schema.ts';

export const keyProblems = (idempotencyKey: string | undefined): Problem[] =>
  idempotencyKey === undefined || /^[\x21-\x7e]{1,255}$/.test(idempotencyKey)
    ? []
    : [problem('idempotency_key_not_valid', '/Idempotency-Key')];

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
