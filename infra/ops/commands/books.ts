// The operator's commands for tenants' books: verifying them, and taking them out of the ledger.

import * as z from 'zod/mini';
import type { Difference } from '../books/differences.ts';
import { exportBooks } from '../books/export-books.ts';
import { verifyTenant } from '../books/verify-tenant.ts';
import { type Dependencies, defineChange, defineQuery, type Readers } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import { applicationName, calendarDate, exportFormat, tenantPrefix } from '../options.ts';
import { getTenant, tenantOptions, tenantUsage } from './tenants.ts';

/** Of more differences the report has so many, and their number. */
const maximumListed = 1_000;

/** How often a command that takes long says how far it is. */
const progressMilliseconds = 3_000;

/** Says how far a command is, but not with each entry. */
const openProgress = ({ showProgress }: Pick<Readers, 'showProgress'>) => {
  let [entries, shownAt] = [0, performance.now()];
  return (place: string): void => {
    entries += 1;
    if (performance.now() - shownAt < progressMilliseconds) return;
    shownAt = performance.now();
    showProgress(`at ${place}: ${entries} entries read`);
  };
};

const flag = z._default(z.boolean(), false);

const VerifyOptions = z
  .strictObject({
    tenant: z.optional(tenantPrefix),
    application: z.optional(applicationName),
    all: flag,
    fromTenant: z.optional(tenantPrefix),
    repair: flag,
  })
  .check(
    z.refine(
      ({ tenant, application, all, fromTenant }) =>
        all
          ? tenant === undefined && application === undefined
          : tenant !== undefined && application !== undefined && fromTenant === undefined,
      'give --tenant and --application, or --all, with which --from-tenant goes',
    ),
  );
type VerifyOptions = z.output<typeof VerifyOptions>;

type Verified = { name: Parameters<typeof verifyTenant>[0]; prefix: string };

/** The tenants that are asked for, in the order of their prefixes. */
const listTenants = async (
  dependencies: Dependencies,
  { tenant = '', application = '', all, fromTenant = '' }: VerifyOptions,
): Promise<Verified[]> => {
  if (!all) {
    const { name } = await getTenant(dependencies, { tenant, application });
    return [{ name, prefix: tenant }];
  }
  const tenants = await dependencies.operatorQueries.tenants();
  const left = tenants.filter(({ prefix }) => prefix >= fromTenant);
  if (left.length > 0 || fromTenant === '') return left;
  throw new CommandFailure(`no tenant comes at ${fromTenant} or after it`);
};

const rowOf = ({ name, prefix }: Verified, difference: Difference) => ({
  ...{ tenant: prefix, application_id: name.applicationId },
  ...difference,
});
type DifferenceRow = ReturnType<typeof rowOf>;

/** Verifies tenants one after the other until it is asked to stop. */
const verifyTenants = async (
  dependencies: Dependencies,
  tenants: readonly Verified[],
  { repair }: { repair: boolean },
) => {
  const { books, sleep, showProgress, watchInterrupt } = dependencies;
  const isStopped = watchInterrupt();
  const progress = openProgress(dependencies);
  const found = { entries: 0, differences: [] as DifferenceRow[], repaired: [] as DifferenceRow[] };
  for (const [index, tenant] of tenants.entries()) {
    const place = `${tenant.prefix}, ${index + 1} of ${tenants.length} tenants`;
    const verification = { ...{ books, sleep, repair, isStopped }, onEntry: () => progress(place) };
    const verified = await verifyTenant(tenant.name, verification).catch((error: unknown) => {
      showProgress(`failed at ${place}, with ${found.differences.length} differences before it`);
      throw error;
    });
    found.entries += verified.entries;
    found.differences.push(...verified.differences.map((it) => rowOf(tenant, it)));
    found.repaired.push(...verified.repaired.map((it) => rowOf(tenant, it)));
    if (verified.differences.length > 0) {
      showProgress(`at ${place}: ${verified.differences.length} differences`);
    }
    if (isStopped()) return { ...found, tenants: index, stoppedAt: tenant.prefix };
  }
  return { ...found, tenants: tenants.length, stoppedAt: null };
};

export const verifyBooks = defineChange({
  usage: '(--tenant PREFIX --application NAME | --all [--from-tenant PREFIX]) [--repair]',
  purpose: "Compute tenants' books anew from their entries, and show what differs",
  note:
    'It ends with 1 where anything differs, or where it was stopped by Ctrl-C; then stopped at ' +
    'says from which tenant on to go on. Others may post meanwhile. With --repair the rows of a ' +
    'sheet are written anew where its entries are sound and end in its head, the count of ' +
    'accounts for the quota is put right, and dates with scheduled entries are listed as due ' +
    'again; nothing else is ever changed. The runbook says under books-differ what a difference ' +
    'means.',
  change: {
    happens: ({ repair }) => repair,
    after: ['tenants', 'entries', 'repaired', 'difference_count', 'stopped_at'],
  },
  options: VerifyOptions,
  isBad: ({ difference_count: count, stopped_at: stoppedAt }) => count !== 0 || stoppedAt !== null,
  run: async (dependencies, options) => {
    const tenants = await listTenants(dependencies, options);
    const found = await verifyTenants(dependencies, tenants, options);
    return {
      tenants: found.tenants,
      entries: found.entries,
      stopped_at: found.stoppedAt,
      difference_count: found.differences.length,
      differences: found.differences.slice(0, maximumListed),
      repaired: found.repaired,
    };
  },
});

export const exportTenant = defineQuery({
  usage: `${tenantUsage} --format hledger|csv [--from DATE] [--to DATE]`,
  purpose: "Write a tenant's books to standard output, for accountants and other programs",
  note:
    'Dates are posting dates, both included; with --from there are no opening balances. What is ' +
    'scheduled counts nowhere yet, and is left out. In csv a text that a spreadsheet would take ' +
    "for a formula begins with a '. This report is on standard error: where it is missing, so is " +
    'the end of the file.',
  writesOutput: true,
  options: z
    .strictObject({
      ...{ ...tenantOptions, format: exportFormat },
      from: z.optional(calendarDate),
      to: z.optional(calendarDate),
    })
    .check(
      z.refine(({ from = '', to = '9999-12-31' }) => from <= to, {
        error: '--from comes after --to',
      }),
    ),
  run: async (dependencies, { format, from = '0001-01-01', to = '9999-12-31', ...asked }) => {
    const { identity, ...found } = await getTenant(dependencies, asked);
    const progress = openProgress(dependencies);
    const onEntry = () => progress(asked.tenant);
    const range = { format, from, to, onEntry };
    const { entries } = await exportBooks(found, dependencies, range);
    let scheduled = 0;
    for await (const _ of dependencies.books.markersIn(found.name, { status: 'scheduled' })) {
      scheduled += 1;
    }
    return { ...identity, format, from, to, entries, scheduled_left_out: scheduled };
  },
});
