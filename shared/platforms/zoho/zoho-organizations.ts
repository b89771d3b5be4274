// The organizations of Zoho Books, as companies are called there, and which of them can be chosen.

import * as z from 'zod/mini';
import { isCurrency } from '../../money/currencies.ts';
import { financialYearEndBefore, monthNamed } from '../../tenants/financial-year.ts';
import { type CompanyChoice, type PlatformCompany, PlatformFailure } from '../platform.ts';
import { CompanyName } from '../replies.ts';
import type { ZohoDataCenter } from './zoho-data-centers.ts';

/** A reply can be a failure whatever its status, so its code must be the one of success. */
export const zohoReplyOf = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.object({ code: z.literal(0), ...shape });

/** Ids are whole numbers of up to 64 bits, as text. */
export const ZohoId = z.string().check(z.regex(/^\d{1,20}$/));

const Identified = z.object({ organization_id: ZohoId });

/** `is_org_active` is false of one that its owner has closed or left unpaid. */
const Organization = z.object({
  ...Identified.shape,
  name: CompanyName,
  currency_code: z.string(),
  is_org_active: z.optional(z.boolean()),
  /** A year that cannot be read is no reason to refuse the company. */
  fiscal_year_start_month: z.optional(z.unknown()),
});

/**
 * Replies that others have recorded have numbers, in which 0 is January. Names of months are taken
 * too, which the documentation has (www.zoho.com/books/api/v3/organizations).
 */
const monthFrom = (given: unknown): number | undefined =>
  typeof given === 'number' ? given + 1 : monthNamed(given);

/** Zoho does not give organizations in pages. Each is read by itself. */
export const OrganizationsReply = zohoReplyOf({ organizations: z.array(z.unknown()) });

/**
 * The companies that a consent is good for. Consent is given for all organizations of a user,
 * without a choice among them. One that cannot be read or is not active can be none of the choices.
 */
export const choicesFrom = (
  organizations: readonly unknown[],
  dataCenter: ZohoDataCenter,
): CompanyChoice[] => {
  const choices = organizations.flatMap((given) => {
    const { data } = Organization.safeParse(given);
    return data === undefined || data.is_org_active === false
      ? []
      : [{ companyId: data.organization_id, dataCenter, name: data.name }];
  });
  if (choices.length === 0) throw new PlatformFailure('company_not_found');
  return choices;
};

/** The organization of this id, which must be one that is active and has a currency. */
export const companyFrom = (
  organizations: readonly unknown[],
  { companyId, dataCenter }: { companyId: string; dataCenter: ZohoDataCenter },
): PlatformCompany => {
  const given = organizations.find(
    (it) => Identified.safeParse(it).data?.organization_id === companyId,
  );
  if (given === undefined) throw new PlatformFailure('company_not_found');
  const { data } = Organization.safeParse(given);
  if (data === undefined || !isCurrency(data.currency_code)) {
    const cause = new Error('the organization has no name, or no currency to hold amounts in');
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
