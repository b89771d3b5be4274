// A tenant: a company with its books, kept here or connected to an accounting platform. Also the
// rules for changing it.

import * as z from 'zod/mini';
import { type Problem, problem } from '../errors.ts';
import { usualFinancialYearEnd } from './financial-year.ts';
import { IndexedKey } from './indexed-metadata.ts';

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

export const cashFlowMethods = ['direct', 'indirect'] as const;

/** Whether other income and expenses are within operating profit or below it. */
export const profitLayouts = ['ifrs_18', 'other_items_below'] as const;

/** `platform` is the slot; a stage can give the slot another public name. */
export const Tenant = z.object({
  applicationId: z.string(),
  schemaName: z.string(),
  prefix: z.string(),
  platform: z.enum(['manual', 'platform_a', 'platform_b', 'platform_c']),
  companyName: z.string(),
  currency: z.string(),
  cashFlowMethod: z.enum(cashFlowMethods),
  /** What operating profit includes; `ifrs_18` by default. */
  profitLayout: z.optional(z.enum(profitLayouts)),
  /** The last day of the fiscal year, MM-DD. */
  financialYearEnd: z._default(z.string(), usualFinancialYearEnd),
  /** The range of entry dates, in years before and after today; by default, the stage's. */
  entryYearsBack: z.optional(z.int()),
  entryYearsAhead: z.optional(z.int()),
  /** The metadata keys by which entries can be listed. */
  indexedMetadata: z.optional(z.array(IndexedKey)),
  /** Whether imports follow edits of imported journals at the platform; by default, they do. */
  followPlatformEdits: z.optional(z.boolean()),
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

/** Whether imports follow edits at the platform; null for a tenant with manual books. */
export const followsEditsOf = ({
  platform,
  followPlatformEdits = true,
}: Pick<Tenant, 'platform' | 'followPlatformEdits'>): boolean | null =>
  platform === 'manual' ? null : followPlatformEdits;

/** The settings of a tenant, whose changes its history has. */
export const settingsOf = ({
  applicationId: _,
  schemaName: __,
  prefix: ___,
  status: ____,
  statusReason: _____,
  reconnectBy: ______,
  createdAt: _______,
  ...settings
}: Tenant) => settings;

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

type ChangeableField =
  | 'companyName'
  | 'cashFlowMethod'
  | 'profitLayout'
  | 'financialYearEnd'
  | 'entryYearsBack'
  | 'entryYearsAhead'
  | 'followPlatformEdits'
  | 'lockDate';

export type TenantChanges = { [Field in ChangeableField]?: NonNullable<Tenant[Field]> } & {
  indexedKeys?: readonly string[];
};

/** Changes with the times from which new keys are indexed. */
export type SettingChanges = Omit<TenantChanges, 'indexedKeys'> & {
  indexedMetadata?: IndexedKey[];
};

/** The names of the changeable fields in requests. */
export const changeableTenantFields = [
  'lock_date',
  'financial_year_end',
  'cash_flow_method',
  'profit_layout',
  'company_name',
  'entry_years_back',
  'entry_years_ahead',
  'indexed_metadata',
  'follow_platform_edits',
] as const;

/** @param context.platform of the tenant; undefined if the tenant does not exist */
export const problemsOfTenantChanges = (
  { lockDate, followPlatformEdits }: TenantChanges,
  { today, platform }: { today: string; platform: Tenant['platform'] | undefined },
): Problem[] => [
  ...(lockDate === undefined || lockDate < today
    ? []
    : [problem('lock_date_not_past', '/lock_date', { lock_date: lockDate, today })]),
  ...(followPlatformEdits !== undefined && platform === 'manual'
    ? [problem('field_not_for_platform', '/follow_platform_edits')]
    : []),
];
