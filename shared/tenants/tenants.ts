// A tenant: a company with its books, kept here or connected to an accounting platform. Also the
// rules for changing it, its locked period and its domain prefix.

import * as z from 'zod/mini';
import { type Problem, problem } from '../errors.ts';
import { usualFinancialYearEnd } from './financial-year.ts';

/**
 * The status of a tenant. A `pending` tenant waits for its application to confirm the connection:
 * it appears only in its user's profile, and no store finds it.
 */
export const TenantStatus = z.enum([
  'active',
  'importing',
  'import_failed',
  'disconnected',
  'pending',
]);
export type TenantStatus = z.infer<typeof TenantStatus>;

/** `platform` is the slot; a stage can give the slot another public name. */
export const Tenant = z.object({
  applicationId: z.string(),
  schemaName: z.string(),
  prefix: z.string(),
  platform: z.enum(['manual', 'platform_a', 'platform_b', 'platform_c']),
  companyName: z.string(),
  currency: z.string(),
  cashFlowMethod: z.enum(['direct', 'indirect']),
  /** The last day of the fiscal year, MM-DD. */
  financialYearEnd: z._default(z.string(), usualFinancialYearEnd),
  /** The last posting date of the locked period, and when the lock takes effect. */
  lockDate: z.optional(z.string()),
  lockedFrom: z.optional(z.string()),
  status: TenantStatus,
  /** The code of the problem of the import or the connection. */
  statusReason: z.optional(z.nullable(z.string())),
  /** The time at which the user must consent again (ISO 8601), if the platform states one. */
  reconnectBy: z.optional(z.nullable(z.string())),
  createdAt: z.string(),
});
export type Tenant = z.infer<typeof Tenant>;

/**
 * A tenant with an unconfirmed connection. It reveals nothing about the company, because its user
 * may have sent another person through the consent. XXX is the ISO 4217 code for no currency.
 */
export const pendingTenant = (
  fields: Pick<
    Tenant,
    'applicationId' | 'schemaName' | 'prefix' | 'platform' | 'cashFlowMethod' | 'createdAt'
  >,
): Tenant => ({
  ...fields,
  companyName: 'Unconfirmed company',
  currency: 'XXX',
  financialYearEnd: usualFinancialYearEnd,
  status: 'pending',
});

export type TenantChanges = {
  [Field in 'companyName' | 'cashFlowMethod' | 'financialYearEnd' | 'lockDate']?: NonNullable<
    Tenant[Field]
  >;
};

/** The names of the changeable fields in requests. */
export const changeableTenantFields = [
  'lock_date',
  'financial_year_end',
  'cash_flow_method',
  'company_name',
] as const;

export const problemsOfTenantChanges = (
  { lockDate }: TenantChanges,
  { today }: { today: string },
): Problem[] =>
  lockDate === undefined || lockDate < today
    ? []
    : [problem('lock_date_not_past', '/lock_date', { lock_date: lockDate, today })];

/**
 * A post reads the tenant when it starts and does not check the lock again when it writes, because
 * then all dates of a tenant would contend for one item. So a lock takes effect after a delay, once
 * every post that started without it has ended, even one that timed out (orphaned-work.ts). The
 * delay starts before the lock is written. It must be longer than that write plus the longest post
 * or import batch; limits.test.ts relates it to their limits.
 */
export const lockDelaySeconds = 40;

/** The last locked posting date, and when the lock takes effect. */
export type PeriodLock = { lockDate: string; lockedFrom: string };

export const isLocked = (postingDate: string, { lockDate }: Pick<Tenant, 'lockDate'>): boolean =>
  lockDate !== undefined && postingDate <= lockDate;

/**
 * Refuses an entry whose posting date is locked. The problem points at the field that sets the
 * date.
 * @param base pointer to the entry; empty if the entry is the whole request
 */
export const lockProblems = (
  { postingDate, accrualDate }: { postingDate: string; accrualDate: string | null | undefined },
  tenant: Pick<Tenant, 'lockDate'>,
  base = '',
): Problem[] => {
  const { lockDate } = tenant;
  if (lockDate === undefined || !isLocked(postingDate, { lockDate })) return [];
  const pointer = `${base}${accrualDate ? '/accrual_date' : '/date'}`;
  return [problem('period_locked', pointer, { posting_date: postingDate, lock_date: lockDate })];
};

/** Whether the new lock date locks more days. */
export const isLockForward = (lockDate: string, tenant: Pick<Tenant, 'lockDate'>): boolean =>
  tenant.lockDate === undefined || lockDate > tenant.lockDate;

/**
 * The lock after a move to another date. A lock that moves back takes effect immediately, because
 * its days are already locked. If the previous lock is not in effect yet, its time stays.
 */
export const lockMovedTo = (
  lockDate: string,
  { tenant, now }: { tenant: Pick<Tenant, 'lockDate' | 'lockedFrom'>; now: Date },
): PeriodLock => {
  const afterDelay = new Date(now.getTime() + lockDelaySeconds * 1000).toISOString();
  if (isLockForward(lockDate, tenant)) return { lockDate, lockedFrom: afterDelay };
  const { lockedFrom = '' } = tenant;
  const moment = now.toISOString();
  // A clock that ran ahead may have set `lockedFrom` too late; a lock set now takes effect first.
  const latest = lockedFrom < afterDelay ? lockedFrom : afterDelay;
  return { lockDate, lockedFrom: latest > moment ? latest : moment };
};

/** 1 to 40 characters of a-z, 0-9 and hyphens, without a hyphen at either end. */
export const prefixPattern = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

const suffixLength = 6;
const maximumSlugLength = 40 - suffixLength - 1; // A hyphen separates slug and suffix.

/** Common spellings of the Latin letters that Unicode does not decompose. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/**
 * The prefix of a tenant: a slug of the company name, or `company` if the name has no Latin letters
 * or digits, and a suffix. Every prefix has a suffix. Otherwise an application could find out which
 * companies other applications have, and a prefix could be one of our host names.
 */
export const prefixFor = (companyName: string, suffix: string): string => {
  const slug = companyName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^ -~]/g, (letter) => plainLetters[letter] ?? letter)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maximumSlugLength + 1)
    .replace(/^-+/, '')
    .slice(0, maximumSlugLength)
    .replace(/-+$/, '');
  return `${slug || 'company'}-${suffix}`;
};

const suffixAlphabet = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Six characters that are hard to confuse, from six random bytes. */
export const suffixFrom = (randomBytes: Uint8Array): string =>
  [...randomBytes.slice(0, suffixLength)]
    .map((byte) => suffixAlphabet.charAt(byte % suffixAlphabet.length))
    .join('');

/** Reversible, because prefixes have no underscores. */
export const schemaNameOf = (prefix: string): string => prefix.replaceAll('-', '_');

export const prefixOfSchema = (schemaName: string): string => schemaName.replaceAll('_', '-');

/**
 * The name of the tenant with this `domain_url`, whether it exists or not.
 * @returns `undefined` if no tenant can have it
 */
export const tenantNameFrom = (
  domainUrl: string,
  { applicationId, baseDomain }: { applicationId: string; baseDomain: string },
): { applicationId: string; schemaName: string } | undefined => {
  const prefix = prefixOf(domainUrl, baseDomain);
  return prefix === undefined ? undefined : { applicationId, schemaName: schemaNameOf(prefix) };
};

/**
 * Reads a `domain_url`: a prefix or a full domain under `baseDomain`, in upper or lower case.
 * @returns the prefix, or `undefined` if the text is neither
 */
export const prefixOf = (domainUrl: string, baseDomain: string): string | undefined => {
  const lower = domainUrl.toLowerCase();
  const ending = `.${baseDomain.toLowerCase()}`;
  const prefix = lower.endsWith(ending) ? lower.slice(0, -ending.length) : lower;
  return prefixPattern.test(prefix) ? prefix : undefined;
};
