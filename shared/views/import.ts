// A tenant's import as replies show it: how far it is, what it left out and why, and what happens
// next, so that an application can tell its user without asking anybody.

import * as z from 'zod/mini';
import {
  Assumption,
  ChangedJournal,
  maximumReported,
  RefusedRecord,
} from '../domain/import-report.ts';
import { nextLookAt, stopReasonOf } from '../domain/import-timing.ts';
import type { Tenant } from '../domain/tenants.ts';
import type { Slots } from '../platforms/slots.ts';
import { reconnectByOf, referenceTo, TenantReference, TenantSummary } from './tenant.ts';

const moment = (description: string) =>
  z.string().check(z.meta({ format: 'date-time', description }));
const count = (description: string) => z.int().check(z.meta({ minimum: 0, description }));
const firstOf = <Schema extends z.ZodMiniType>(schema: Schema, description: string) =>
  z.array(schema).check(z.meta({ maxItems: maximumReported, description }));

export const ImportView = z.object({
  import_id: z.string().check(z.describe('Each import that is asked for has another.')),
  kind: z
    .enum(['complete', 'incremental'])
    .check(
      z.describe(
        '`incremental` where it asks the platform only for what was made or changed since ' +
          '`modified_since`; `complete` where it asks for everything.',
      ),
    ),
  state: z
    .enum(['requested', 'running', 'waiting', 'complete', 'failed'])
    .check(
      z.describe(
        '`waiting` for the platform, until it is tried again; `complete` and `failed` have ended.',
      ),
    ),
  reason: z
    .nullable(z.string())
    .check(
      z.describe(
        'Why it waits or has failed, or what is missing though it is complete: one of the ' +
          'reasons of a `status_reason`. Otherwise null.',
      ),
    ),
  modified_since: z.nullable(moment('Null for a complete import.')),
  requested_at: moment('When it was asked for (UTC).'),
  progressed_at: moment('When it last brought something (UTC).'),
  finished_at: z.nullable(moment('When it ended (UTC); null until then.')),
  accounts_imported: count('Accounts of the chart that are here.'),
  journals_imported: count(
    'Journals that are here; until the import has ended, those that it has come upon so far.',
  ),
  accounts_refused: count('Accounts that cannot be kept here.'),
  journals_refused: count('Journals that cannot stand in the ledger.'),
  refused_by_reason: z
    .record(z.string(), z.int().check(z.meta({ minimum: 0 })))
    .check(z.describe('How many accounts and journals were refused for each reason.')),
  refused: firstOf(
    RefusedRecord,
    "The first refused records, each by the platform's own id, or by its place in the list where " +
      'it has none; `field` is where in the record, if that is known. Put them right at the ' +
      'platform, then ask for the import again.',
  ),
  assumptions: firstOf(
    Assumption,
    'The first records of which something was taken to be so that the platform does not say: the ' +
      'class of an account of an unknown type, or to which account a tax was posted.',
  ),
  assumption_count: count('How many there are.'),
  changes: firstOf(
    ChangedJournal,
    'The first imported journals that were edited or voided at the platform afterwards. They ' +
      'stay as they were imported.',
  ),
  change_count: count('How many there are; of more than are named, at least so many.'),
});
z.globalRegistry.add(ImportView, {
  id: 'Import',
  description: 'The import of a company’s accounts and journals that was asked for last.',
});
export type ImportView = z.output<typeof ImportView>;

/** What becomes of an import, or who can do something about it. */
const NextAction = z.enum([
  'continues',
  'retries',
  'request_import',
  'connect_again',
  'ask_operator',
  'none',
]);
type NextAction = z.output<typeof NextAction>;

const nextActions = `What happens next:

- \`continues\`: the import is under way. Ask again later.
- \`retries\`: nobody works at it now, for the \`reason\`. It goes on by itself, at \`at\` at the
  earliest. Nothing is to be done.
- \`request_import\`: it was given up since the platform failed, limited us or was not paid for, or
  it is complete but for some records. Once that is over, or the records are put right at the
  platform, ask for an import by request-import.
- \`connect_again\`: the company's user must give consent again, by initiate-oauth.
- \`ask_operator\`: only the operator of this service can help.
- \`none\`: nothing; what the platform had is here.`;

const retryReasons = `Why nobody works at the import if \`action\` is \`retries\`; otherwise null:

- \`run_stopped\`: the run that worked at it ended without a word. Another one follows.
- \`start_delayed\`: it has waited for its start for more than a minute, mostly behind other
  imports. It starts as soon as its turn comes; \`at\` is when somebody sees to it at the latest.
- \`application_suspended\`: your application was suspended. The import goes on after that.
- any other: what the platform said, as in the \`reason\` of the import.`;

const Next = z.object({
  action: NextAction.check(z.describe(nextActions)),
  at: z.nullable(moment('When somebody looks at it next (UTC), for `retries`; otherwise null.')),
  reason: z.nullable(z.string()).check(z.describe(retryReasons)),
});
type Next = z.output<typeof Next>;

export const TenantImportView = z.extend(TenantReference, {
  status: TenantSummary.shape.status,
  status_reason: TenantSummary.shape.status_reason,
  reconnect_by: TenantSummary.shape.reconnect_by,
  import: z
    .nullable(ImportView)
    .check(z.describe('The import that was asked for last; null where none ever was.')),
  next: Next,
});
z.globalRegistry.add(TenantImportView, {
  id: 'TenantImport',
  description: 'A tenant with its import.',
});
export type TenantImportView = z.output<typeof TenantImportView>;

/**
 * An import as it is kept. Until it has ended, `nextAttemptAt` is when somebody looks at it, and
 * `nextAttemptSetAt` when that was decided.
 */
type KeptImport = {
  importId: string;
  status: ImportView['state'];
  reason: string | null;
  modifiedSince: string | null;
  requestedAt: string;
  progressedAt: string;
  finishedAt: string | null;
  nextAttemptAt: string | null;
  nextAttemptSetAt: string | null;
  checkpoint: {
    accountsImported: number;
    journalsImported: number;
    accountsRefused: number;
    journalsRefused: number;
    refused: RefusedRecord[];
    refusedByReason: Record<string, number>;
    assumptions: Assumption[];
    assumptionCount: number;
    changes: ChangedJournal[];
    changeCount: number;
  };
};

type UnfinishedState = Exclude<KeptImport['status'], 'complete' | 'failed'>;

const importViewOf = ({ checkpoint, ...kept }: KeptImport): ImportView => ({
  import_id: kept.importId,
  kind: kept.modifiedSince === null ? 'complete' : 'incremental',
  state: kept.status,
  reason: kept.reason,
  modified_since: kept.modifiedSince,
  requested_at: kept.requestedAt,
  progressed_at: kept.progressedAt,
  finished_at: kept.finishedAt,
  accounts_imported: checkpoint.accountsImported,
  journals_imported: checkpoint.journalsImported,
  accounts_refused: checkpoint.accountsRefused,
  journals_refused: checkpoint.journalsRefused,
  refused_by_reason: checkpoint.refusedByReason,
  refused: checkpoint.refused,
  assumptions: checkpoint.assumptions,
  assumption_count: checkpoint.assumptionCount,
  changes: checkpoint.changes,
  change_count: checkpoint.changeCount,
});

/** What can be done about a failure by others than the operator, by its reason. */
const actionsAfterFailure: Readonly<Record<string, NextAction>> = {
  rate_limited: 'request_import',
  platform_unavailable: 'request_import',
  platform_timed_out: 'request_import',
  subscription_lapsed: 'request_import',
  company_not_found: 'connect_again',
  credentials_refused: 'connect_again',
};

/** What is said of an import that goes on by itself, if somebody works at it and if not. */
const nextOfUnfinished = (
  { status, reason, nextAttemptAt, nextAttemptSetAt }: KeptImport & { status: UnfinishedState },
  now: Date,
): Next => {
  const due = { dueAt: nextAttemptAt ?? now.toISOString(), setAt: nextAttemptSetAt };
  const stopped = status === 'waiting' ? reason : stopReasonOf({ status, ...due }, now);
  return stopped === undefined
    ? { action: 'continues', at: null, reason: null }
    : { action: 'retries', at: nextLookAt(due, now), reason: stopped };
};

const nextOf = (
  { status }: Pick<Tenant, 'status'>,
  lastImport: KeptImport | undefined,
  now: Date,
): Next => {
  const only = (action: NextAction): Next => ({ action, at: null, reason: null });
  if (status === 'disconnected') return only('connect_again');
  switch (lastImport?.status) {
    case 'requested':
    case 'running':
    case 'waiting':
      return nextOfUnfinished({ ...lastImport, status: lastImport.status }, now);
    case 'failed':
      return only(actionsAfterFailure[lastImport.reason ?? ''] ?? 'ask_operator');
    default:
      return only(lastImport?.reason ? 'request_import' : 'none');
  }
};

export const tenantImportViewOf = (
  { tenant, lastImport }: { tenant: Tenant; lastImport: KeptImport | undefined },
  { slots, now }: { slots: Slots; now: Date },
): TenantImportView => ({
  ...referenceTo(tenant, slots),
  status: tenant.status,
  status_reason: tenant.statusReason ?? null,
  reconnect_by: reconnectByOf(tenant),
  import: lastImport ? importViewOf(lastImport) : null,
  next: nextOf(tenant, lastImport, now),
});
