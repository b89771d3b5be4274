// The organizations (companies) of Zoho Books.

import * as z from 'zod/mini';
import { isCurrency } from '../../money/amounts.ts';
import { monthNamed } from '../../money/dates.ts';
import { financialYearEndBefore } from '../../tenants/financial-year.ts';
import { type CompanyChoice, type PlatformCompany, PlatformFailure } from '../platform.ts';
import { CompanyName } from '../replies.ts';
import type { ZohoDataCenter } from './zoho-data-centers.ts';

/** A reply with code 0, because a failure can have any HTTP status. */
export const zohoReplyOf = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.object({ code: z.literal(0), ...shape });

/** Ids are integers of up to 64 bits as text. */
export const ZohoId = z.string().check(z.regex(/^\d{1,20}$/));

const Identified = z.object({ organization_id: ZohoId });

/** `is_org_active` is false if the owner has closed or not paid for the organization. */
const Organization = z.object({
  ...Identified.shape,
  name: CompanyName,
  currency_code: z.string(),
  is_org_active: z.optional(z.boolean()),
  /** Read leniently, because an unknown year is no reason to refuse the company. */
  fiscal_year_start_month: z.optional(z.unknown()),
});

/**
 * Recorded replies have numbers from 0 for January. The documentation has names of months
 * (www.zoho.com/books/api/v3/organizations).
 */
const monthFrom = (value: unknown): number | undefined =>
  typeof value === 'number' ? value + 1 : monthNamed(value);

/** Zoho returns all organizations in one reply. */
export const OrganizationsReply = zohoReplyOf({ organizations: z.array(z.unknown()) });

/**
 * The companies of a consent. A consent covers all organizations of a user. Drops organizations
 * that are inactive or cannot be read.
 */
export const choicesFrom = (
  organizations: readonly unknown[],
  dataCenter: ZohoDataCenter,
): CompanyChoice[] => {
  const choices = organizations.flatMap((organization) => {
    const { data } = Organization.safeParse(organization);
    return data === undefined || data.is_org_active === false
      ? []
      : [{ companyId: data.organization_id, dataCenter, name: data.name }];
  });
  if (choices.length === 0) throw new PlatformFailure('company_not_found');
  return choices;
};

/** The organization with this id. It must be active and have a known currency. */
export const companyFrom = (
  organizations: readonly unknown[],
  { companyId, dataCenter }: { companyId: string; dataCenter: ZohoDataCenter },
): PlatformCompany => {
  const organization = organizations.find(
    (it) => Identified.safeParse(it).data?.organization_id === companyId,
  );
  if (organization === undefined) throw new PlatformFailure('company_not_found');
  const { data } = Organization.safeParse(organization);
  if (data === undefined || !isCurrency(data.currency_code)) {
    const cause = new Error('the organization has no name or no known currency');
    throw new PlatformFailure('reply_not_understood', { cause });
  }
  if (data.is_org_active === false) {
    const cause = new Error('the organization is not active');
    throw new PlatformFailure('company_not_found', { cause });
  }
  const { name, currency_code: currency } = data;
  const financialYearEnd = financialYearEndBefore(monthFrom(data.fiscal_year_start_month));
  return { companyId, dataCenter, name, currency, financialYearEnd };
};
