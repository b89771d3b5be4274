// The quotas of applications and tenants. infra/manifest/stages.ts sets them for each stage.

import * as z from 'zod/mini';
import { type Problem, problem } from '../errors.ts';

const count = z.int().check(z.minimum(1));

/** The quotas of a stage: JSON from the environment. */
export const Quotas = z.pipe(
  z.string(),
  z.pipe(
    z.transform((text: string) => JSON.parse(text)),
    z.object({
      accountsPerTenant: count,
      tenantsPerApplication: count,
      /**
       * The range of entry dates and accrual dates, in years before and after today, of tenants
       * without a range of their own.
       */
      entryYearsBack: count,
      entryYearsAhead: count,
      /** The maximum length of a new account code, in UTF-8 bytes. */
      accountCodeBytes: count,
    }),
  ),
);
export type Quotas = z.output<typeof Quotas>;

/** The problem of another tenant for an application that has the maximum. */
export const tenantQuotaReached = ({
  tenantsPerApplication: maximum,
}: Pick<Quotas, 'tenantsPerApplication'>): Problem =>
  problem('tenant_quota_reached', '', { quota: 'tenants_per_application', maximum });
