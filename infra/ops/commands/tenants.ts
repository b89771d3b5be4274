// Finds the tenant that a command is for, and shows a tenant.

import { dateOf } from '#shared/money/dates.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import { entryKey, keyText, type TenantName } from '#shared/table/keys.ts';
import { schemaNameOf } from '#shared/tenants/domain-names.ts';
import { tenantFieldsOf } from '#shared/tenants/tenant.view.ts';
import type { Tenant } from '#shared/tenants/tenants.ts';
import { defineQuery, type Readers } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import { applicationName, required, tenantPrefix } from '../options.ts';
import { getApplication } from './applications.ts';

export const tenantOptions = {
  tenant: required(tenantPrefix),
  application: required(applicationName),
};

/** Whether options select either one tenant or all. */
export const isTenantOrAll = (options: {
  tenant?: string | undefined;
  application?: string | undefined;
  all?: boolean | undefined;
}): boolean =>
  [options.tenant, options.application].every(
    (it) => (it === undefined) === (options.all ?? false),
  );

type NamedTenant = {
  name: TenantName;
  tenant: Tenant;
  /** The first fields of every report on a tenant. */
  identity: { application: string; application_id: string; tenant: string };
};
type LinkedTenant = NamedTenant & { tenant: { platform: Slot } };

/** @throws CommandFailure if there is no such tenant */
export const getTenant = async (
  dependencies: Pick<Readers, 'applications' | 'tenants'>,
  { tenant: prefix, application }: { tenant: string; application: string },
): Promise<NamedTenant> => {
  const { applicationId, name: owner } = await getApplication(dependencies, application);
  const name = { applicationId, schemaName: schemaNameOf(prefix) };
  const tenant = await dependencies.tenants.find(name);
  if (tenant === undefined) throw new CommandFailure(`"${owner}" has no tenant ${prefix}`);
  const identity = { application: owner, application_id: applicationId, tenant: prefix };
  return { name, tenant, identity };
};

/** @throws CommandFailure if there is no such tenant, or if it has no platform */
export const getLinkedTenant = async (
  dependencies: Pick<Readers, 'applications' | 'tenants'>,
  options: { tenant: string; application: string },
): Promise<LinkedTenant> => {
  const { tenant, name, identity } = await getTenant(dependencies, options);
  const { platform } = tenant;
  if (platform === 'manual') {
    throw new CommandFailure(`${options.tenant} is a manual tenant: it has no platform`);
  }
  return { name, identity, tenant: { ...tenant, platform } };
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

/** The number of posted entries and the last posting date, from the day sheets. */
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

/** The entry with the latest entry date and the highest number on it. */
const findLastEntry = async (books: Books, name: TenantName) => {
  const place = await books.findLastPlace(name);
  const key = place && entryKey(name, place);
  const item = key && (await books.findEntries(name, [key])).get(keyText(key));
  return {
    last_journal_number: item?.entry?.journalNumber ?? null,
    last_entry_created_at: item?.entry?.createdAt ?? null,
  };
};

export const showTenant = defineQuery({
  needs: ['applications', 'books', 'clock', 'importReports', 'listLockChanges', 'tenants'],
  options: tenantOptions,
  run: async (dependencies, options) => {
    const { name, tenant, identity } = await getTenant(dependencies, options);
    const { books, clock, importReports, listLockChanges } = dependencies;
    const [accounts, posted, scheduled, lastEntry, lastImport, lockChanges] = await Promise.all([
      countAccounts(books, name),
      countPosted(books, name),
      countScheduled(books, name, dateOf(clock())),
      findLastEntry(books, name),
      importReports.find(name),
      listLockChanges(name),
    ]);
    return {
      ...identity,
      platform: tenant.platform,
      ...tenantFieldsOf(tenant),
      ...accounts,
      ...posted,
      ...scheduled,
      ...lastEntry,
      import_status: lastImport?.status ?? null,
      import_reason: lastImport?.reason ?? null,
      import_finished_at: lastImport?.finishedAt ?? null,
      lock_changes: lockChanges.map(({ at, from, to, keyId }) => ({ at, from, to, key_id: keyId })),
    };
  },
});

export const commands = { show: showTenant };
