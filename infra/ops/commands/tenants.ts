// The tenant that a command is about, and the operator's command that shows one.

import * as z from 'zod/mini';
import { dateOf } from '#shared/domain/dates.ts';
import { schemaNameOf } from '#shared/domain/domain-names.ts';
import type { Tenant } from '#shared/domain/tenants.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import { entryKey, keyText, type TenantName } from '#shared/store/keys.ts';
import { defineQuery, type Readers } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import { applicationName, tenantPrefix } from '../options.ts';
import { getApplication } from './applications.ts';

export const tenantUsage = '--tenant PREFIX --application NAME';
export const tenantOptions = { tenant: tenantPrefix, application: applicationName };

type Found = {
  name: TenantName;
  tenant: Tenant;
  /** What every report on it begins with. */
  identity: { application: string; application_id: string; tenant: string };
};
type Linked = Found & { tenant: { platform: Slot } };

/** A tenant of an application. @throws CommandFailure where there is none */
export const getTenant = async (
  dependencies: Pick<Readers, 'applications' | 'tenants'>,
  { tenant: prefix, application }: { tenant: string; application: string },
): Promise<Found> => {
  const { applicationId, name: owner } = await getApplication(dependencies, application);
  const name = { applicationId, schemaName: schemaNameOf(prefix) };
  const tenant = await dependencies.tenants.find(name);
  if (tenant === undefined) throw new CommandFailure(`"${owner}" has no tenant ${prefix}`);
  const identity = { application: owner, application_id: applicationId, tenant: prefix };
  return { name, tenant, identity };
};

/** A tenant that is linked to a platform. @throws CommandFailure where it is not, or not there */
export const getLinkedTenant = async (
  dependencies: Readers,
  asked: { tenant: string; application: string },
): Promise<Linked> => {
  const { tenant, ...found } = await getTenant(dependencies, asked);
  const { platform } = tenant;
  if (platform === 'manual') {
    throw new CommandFailure(`${asked.tenant} is kept by hand: it is linked to no platform`);
  }
  return { ...found, tenant: { ...tenant, platform } };
};

type Books = Readers['books'];

const countAccounts = async (books: Books, name: TenantName) => {
  const count = { active: 0, archived: 0 };
  for await (const { status } of books.accounts(name)) count[status] += 1;
  return {
    accounts: count.active + count.archived,
    accounts_archived: count.archived,
    accounts_for_quota: (await books.findAccountCount(name)) ?? null,
  };
};

/** What the sheets say of all entries together, and when one counted last. */
const countPosted = async (books: Books, name: TenantName) => {
  let [posted, lastDate]: [number, string | null] = [0, null];
  for await (const { date, counted } of books.sheets(name)) {
    posted += counted;
    if (counted > 0) lastDate = date;
  }
  return { entries_posted: posted, last_posting_date: lastDate };
};

const countScheduled = async (books: Books, name: TenantName, today: string) => {
  let [scheduled, overdue, next]: [number, number, string | null] = [0, 0, null];
  for await (const { date } of books.markersIn(name, { status: 'scheduled' })) {
    scheduled += 1;
    overdue += date < today ? 1 : 0;
    next ??= date;
  }
  return { entries_scheduled: scheduled, entries_overdue: overdue, next_due_on: next };
};

/** The entry that was filed under the latest date, with the highest number. */
const findLastEntry = async (books: Books, name: TenantName) => {
  const place = await books.findLastPlace(name);
  const key = place && entryKey(name, place);
  const found = key && (await books.findEntries(name, [key])).get(keyText(key));
  return {
    last_journal_number: found?.entry?.journalNumber ?? null,
    last_entry_created_at: found?.entry?.createdAt ?? null,
  };
};

export const showTenant = defineQuery({
  usage: tenantUsage,
  purpose: 'Show how a tenant stands, what its books hold, and how its import ended',
  note:
    'What is overdue waits for post-scheduled-entries, or for its application to be resumed. ' +
    'accounts_for_quota is what the quota counts; null until one is added to an older tenant. ' +
    'Entries are counted by their sheets: books verify says whether these are right. Nothing is ' +
    'posted on or before lock_date from locked_from on; lock_changes say which API key moved it.',
  options: z.strictObject(tenantOptions),
  run: async (dependencies, asked) => {
    const { name, tenant, identity } = await getTenant(dependencies, asked);
    const { books, clock, operatorQueries } = dependencies;
    const [accounts, posted, scheduled, lastEntry, lastImport, lockChanges] = await Promise.all([
      countAccounts(books, name),
      countPosted(books, name),
      countScheduled(books, name, dateOf(clock())),
      findLastEntry(books, name),
      operatorQueries.import(name),
      operatorQueries.lockChanges(name),
    ]);
    return {
      ...identity,
      company_name: tenant.companyName,
      platform: tenant.platform,
      currency: tenant.currency,
      cash_flow_method: tenant.cashFlowMethod,
      financial_year_end: tenant.financialYearEnd,
      lock_date: tenant.lockDate ?? null,
      locked_from: tenant.lockedFrom ?? null,
      status: tenant.status,
      status_reason: tenant.statusReason ?? null,
      reconnect_by: tenant.reconnectBy ?? null,
      created_at: tenant.createdAt,
      ...{ ...accounts, ...posted, ...scheduled, ...lastEntry },
      import_status: lastImport?.status ?? null,
      import_reason: lastImport?.reason ?? null,
      import_finished_at: lastImport?.finishedAt ?? null,
      lock_changes: lockChanges.map(({ at, from, to, keyId }) => ({ at, from, to, key_id: keyId })),
    };
  },
});
