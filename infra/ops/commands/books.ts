// The operator's commands that verify and export tenants' books.

import type { AuthenticatorUse } from '#shared/authentication/authenticators.ts';
import type { Difference } from '#shared/verification/differences.ts';
import type { verifyTenant } from '#shared/verification/verify-tenant.service.ts';
import { type Dependencies, defineChange, defineQuery, type Readers } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import * as option from '../options.ts';
import { requireSettledKeys } from './secret-versions.ts';
import { getTenant, isTenantOrAll, tenantOptions } from './tenants.ts';

/** The report lists at most this many differences. `difference_count` counts all. */
const maximumListed = 1_000;

const progressMilliseconds = 3_000;

/** Counts entries and prints the progress every few seconds. */
const openProgress = ({ showProgress }: Pick<Readers, 'showProgress'>) => {
  let [entries, shownAt] = [0, performance.now()];
  return (place: string): void => {
    entries += 1;
    if (performance.now() - shownAt < progressMilliseconds) return;
    shownAt = performance.now();
    showProgress(`at ${place}: ${entries} entries read`);
  };
};

const verifyOptions = {
  tenant: option.optional(option.tenantPrefix),
  application: option.optional(option.applicationName),
  all: option.flag('the books of all tenants'),
  fromTenant: option.optional(option.tenantPrefix, 'with --all, the tenant to start with'),
  repair: option.flag('correct what can be corrected without a loss'),
};
type VerifyOptions = option.Values<typeof verifyOptions>;

type TenantToVerify = { name: Parameters<typeof verifyTenant>[0]; prefix: string };

const verifyNeeds = [
  'recordedTotals',
  'applications',
  'books',
  'clock',
  'history',
  'listEveryTenant',
  'operator',
  'showProgress',
  'sleep',
  'tenants',
  'watchInterrupt',
] as const;
type VerifyNeeds = Pick<Dependencies, (typeof verifyNeeds)[number]>;

/** The requested tenants by prefix. */
const listTenants = async (
  dependencies: VerifyNeeds,
  { tenant = '', application = '', all, fromTenant = '' }: VerifyOptions,
): Promise<TenantToVerify[]> => {
  if (!all) {
    const { name } = await getTenant(dependencies, { tenant, application });
    return [{ name, prefix: tenant }];
  }
  const tenants = await dependencies.listEveryTenant();
  const remaining = tenants.filter(({ prefix }) => prefix >= fromTenant);
  if (remaining.length > 0 || fromTenant === '') return remaining;
  throw new CommandFailure(`there is no tenant ${fromTenant} or after it`);
};

const rowOf = ({ name, prefix }: TenantToVerify, difference: Difference) => ({
  tenant: prefix,
  application_id: name.applicationId,
  ...difference,
});
type DifferenceRow = ReturnType<typeof rowOf>;

/** Verifies tenants one by one. Stops at Ctrl-C. */
const verifyTenants = async (
  dependencies: VerifyNeeds,
  tenants: readonly TenantToVerify[],
  { repair = false, all }: VerifyOptions,
) => {
  const { verifyTenant } = await import('#shared/verification/verify-tenant.service.ts');
  const { books, recordedTotals, sleep, showProgress, watchInterrupt } = dependencies;
  const isStopped = watchInterrupt();
  const progress = openProgress(dependencies);
  const total = { entries: 0, differences: [] as DifferenceRow[], repaired: [] as DifferenceRow[] };
  for (const [index, tenant] of tenants.entries()) {
    const place = `${tenant.prefix}, ${index + 1} of ${tenants.length} tenants`;
    const onEntry = () => progress(place);
    const verification = { books, recordedTotals, sleep, repair, isStopped, onEntry };
    const result = await verifyTenant(tenant.name, verification).catch((error: unknown) => {
      showProgress(`failed at ${place}, after ${total.differences.length} differences`);
      throw error;
    });
    if (all && result.repaired.length > 0) {
      const { recordCommand } = await import('../record-command.ts');
      await recordCommand(dependencies, tenant.name, {
        by: await dependencies.operator(),
        at: dependencies.clock().toISOString(),
        command: 'books verify',
        before: {},
        after: { repaired: result.repaired.slice(0, maximumListed) },
      });
    }
    total.entries += result.entries;
    total.differences.push(...result.differences.map((it) => rowOf(tenant, it)));
    total.repaired.push(...result.repaired.map((it) => rowOf(tenant, it)));
    if (result.differences.length > 0) {
      showProgress(`at ${place}: ${result.differences.length} differences`);
    }
    if (isStopped()) return { ...total, tenants: index, stoppedAt: tenant.prefix };
  }
  return { ...total, tenants: tenants.length, stoppedAt: null };
};

export const verifyBooks = defineChange({
  change: {
    happens: ({ repair = false }) => repair,
    after: ['tenants', 'entries', 'repaired', 'difference_count', 'stopped_at'],
  },
  needs: [...verifyNeeds],
  options: verifyOptions,
  ruleBrokenBy: ({ fromTenant, ...options }) =>
    isTenantOrAll(options) && (options.all || fromTenant === undefined)
      ? undefined
      : 'pass --tenant and --application, or --all; --from-tenant needs --all',
  isBad: ({ difference_count: count, stopped_at: stoppedAt }) => count !== 0 || stoppedAt !== null,
  run: async (dependencies, options) => {
    const tenants = await listTenants(dependencies, options);
    const result = await verifyTenants(dependencies, tenants, options);
    return {
      tenants: result.tenants,
      entries: result.entries,
      stopped_at: result.stoppedAt,
      difference_count: result.differences.length,
      differences: result.differences.slice(0, maximumListed),
      repaired: result.repaired,
    };
  },
});

export const exportTenant = defineQuery({
  writesOutput: true,
  needs: ['applications', 'books', 'showProgress', 'tenants', 'writeOutput'],
  options: {
    ...tenantOptions,
    format: option.required(option.exportFormat),
    from: option.optional(option.calendarDate, 'the first posting date'),
    to: option.optional(option.calendarDate, 'the last posting date'),
  },
  ruleBrokenBy: ({ from = '', to = '9999-12-31' }) =>
    from > to ? '--from must not be after --to' : undefined,
  run: async (dependencies, { format, from = '0001-01-01', to = '9999-12-31', ...options }) => {
    const { exportBooks } = await import('../books/export-books.ts');
    const { identity, name, tenant } = await getTenant(dependencies, options);
    const progress = openProgress(dependencies);
    const onEntry = () => progress(options.tenant);
    const range = { format, from, to, onEntry };
    const { entries } = await exportBooks({ name, tenant }, dependencies, range);
    let scheduled = 0;
    for await (const _ of dependencies.books.markersIn(name, { status: 'scheduled' })) {
      scheduled += 1;
    }
    return { ...identity, format, from, to, entries, scheduled_left_out: scheduled };
  },
});

const authenticatorKeys = 'authenticator-keys';

export const authenticateBooks = defineChange({
  change: {
    before: async ({ secrets }) => ({
      use: (await secrets.read(authenticatorKeys)).value?.use ?? null,
    }),
    after: ['use', 'items_read', 'authenticated', 'altered'],
  },
  needs: ['authenticateItems', 'clock', 'secrets'],
  options: {
    again: option.flag('accept items without authenticators again: a restored table can have some'),
  },
  isBad: ({ altered }) => altered !== 0,
  run: async (dependencies, { again = false }) => {
    const { secrets, authenticateItems } = dependencies;
    const { stored, value: keys } = await secrets.readFilled(authenticatorKeys);
    const changeUse = (use: AuthenticatorUse) =>
      secrets.replace(authenticatorKeys, { stored, value: { ...keys, use } });
    if (keys.use === 'off' || again) {
      await changeUse('adopting');
      return { use: 'adopting', items_read: 0, authenticated: 0, altered: 0, first_altered: [] };
    }
    await requireSettledKeys(dependencies, 'run books authenticate again');
    const { itemsRead, authenticated, altered, firstAltered } = await authenticateItems(keys);
    const isAdopted = keys.use === 'adopting' && altered === 0;
    if (isAdopted) await changeUse('required');
    return {
      use: isAdopted ? 'required' : keys.use,
      items_read: itemsRead,
      authenticated,
      altered,
      first_altered: firstAltered.map(({ pk, sk }) => `${pk} ${sk}`),
    };
  },
});

export const commands = {
  verify: verifyBooks,
  export: exportTenant,
  authenticate: authenticateBooks,
};
