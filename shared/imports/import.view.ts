// The import of a tenant in a reply: its progress, the refused records with the reasons, and what
// happens next. An application can show this to its user.

import * as z from 'zod/mini';
import type { Slots } from '../platforms/slots.ts';
import {
  reconnectByOf,
  referenceTo,
  TenantReference,
  TenantSummary,
} from '../tenants/tenant.view.ts';
import type { Tenant } from '../tenants/tenants.ts';
import { type ImportCheckpoint, importCountsOf } from './import-checkpoint.ts';
import { Assumption, ChangedJournal, maximumReported, RefusedRecord } from './import-report.ts';
import { nextLookAt, stopReasonOf } from './import-timing.ts';

const moment = (description: string) =>
  z.string().check(z.meta({ format: 'date-time', description }));
const count = (description: string) => z.int().check(z.meta({ minimum: 0, description }));
const firstOf = <Schema extends z.ZodMiniType>(schema: Schema, description: string) =>
  z.array(schema).check(z.meta({ maxItems: maximumReported, description }));

const ImportView = z.object({
  import_id: z.string().check(z.describe('Id of the import. Every requested import has its own.')),
  kind: z
    .enum(['complete', 'incremental'])
    .check(
      z.describe(
        '`complete`: the import reads all records of the platform. `incremental`: it reads only ' +
          'records created or changed since `modified_since`.',
      ),
    ),
  state: z
    .enum(['requested', 'running', 'waiting', 'complete', 'failed'])
    .check(
      z.describe(
        '`waiting`: the import waits before it calls the platform again. `complete` and ' +
          '`failed`: the import has ended.',
      ),
    ),
  reason: z
    .nullable(z.string())
    .check(
      z.describe(
        'Why the import waits, has failed, or is complete except for some records: one of the ' +
          'reasons listed under `status_reason`, or `other_imports`. Otherwise null.',
      ),
    ),
  modified_since: z.nullable(moment('Null for a complete import.')),
  requested_at: moment('When the import was requested (UTC).'),
  progressed_at: moment('When the import last made progress (UTC).'),
  finished_at: z.nullable(moment('When the import ended (UTC); null until then.')),
  accounts_imported: count('Number of accounts imported.'),
  journals_imported: count(
    'Number of journals imported until now. A journal counts once, with all its revisions.',
  ),
  journals_revised: count('Number of edits on the platform that were followed until now.'),
  journals_voided: count(
    'Number of times that an imported journal was voided or deleted on the platform and ' +
      'reversed here, until now.',
  ),
  accounts_refused: count('Number of accounts that cannot be imported.'),
  journals_refused: count('Number of journals that cannot be imported.'),
  refused_by_reason: z
    .record(z.string(), z.int().check(z.meta({ minimum: 0 })))
    .check(z.describe('Number of refused accounts and journals for each reason.')),
  refused: firstOf(
    RefusedRecord,
    "The first refused records. `reference` is the platform's own id, or the position in the " +
      'list if the record has no id. `field` is the field at fault, if known. Correct the ' +
      'records on the platform, then call request-import.',
  ),
  assumptions: firstOf(
    Assumption,
    'The first records for which the import assumed something: the account type, if the ' +
      "platform's type is unknown, or the account of a tax.",
  ),
  assumption_count: count('Number of assumptions.'),
  changes: firstOf(
    ChangedJournal,
    'The first journals that were edited or voided on the platform after they were imported, ' +
      'and whose entries here do not follow: the new version is in `refused`, you have reversed ' +
      'the entry yourself, or the tenant has `follow_platform_edits: false`.',
  ),
  change_count: count('Number of changes; a lower bound if there are more than `changes` lists.'),
});
z.globalRegistry.add(ImportView, {
  id: 'Import',
  description: 'The last requested import of a company’s accounts and journals.',
});
type ImportView = z.output<typeof ImportView>;

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

- \`continues\`: the import is running. Check again later.
- \`retries\`: the import is paused; \`reason\` says why. It continues automatically, at \`at\`
  or later. You need do nothing.
- \`request_import\`: the import failed because the platform was unavailable, limited our requests
  or was not paid for; or it is complete except for some records. Once the cause is resolved, or
  the records are corrected on the platform, call request-import.
- \`connect_again\`: the user must give consent again, or the consent does not cover reports. Call
  initiate-oauth.
- \`ask_operator\`: only the service operator can help.
- \`none\`: nothing. The platform's records are here.`;

const retryReasons = `Why the import is paused if \`action\` is \`retries\`; otherwise null:

- \`run_stopped\`: the run stopped unexpectedly. Another run continues the import.
- \`start_delayed\`: the import was requested more than a minute ago and has not started, usually
  because of other imports. It starts when its turn comes; the service checks on it at \`at\` at
  the latest.
- \`application_suspended\`: your application was suspended. The import continues after that.
- \`other_imports\`: many imports are running, and they take turns. The import continues in its
  turn.
- any other: the \`reason\` of the import.`;

const Next = z.object({
  action: NextAction.check(z.describe(nextActions)),
  at: z.nullable(
    moment('When the service next checks on the import (UTC), for `retries`; otherwise null.'),
  ),
  reason: z.nullable(z.string()).check(z.describe(retryReasons)),
});
type Next = z.output<typeof Next>;

export const TenantImportView = z.extend(TenantReference, {
  status: TenantSummary.shape.status,
  status_reason: TenantSummary.shape.status_reason,
  reconnect_by: TenantSummary.shape.reconnect_by,
  import: z
    .nullable(ImportView)
    .check(z.describe('The last requested import; null if none was ever requested.')),
  next: Next,
});
z.globalRegistry.add(TenantImportView, {
  id: 'TenantImport',
  description: 'A tenant and its import.',
});
export type TenantImportView = z.output<typeof TenantImportView>;

/**
 * An import in the table. Until it has ended, resume-imports checks on it at `nextAttemptAt`, which
 * was set at `nextAttemptSetAt`.
 */
type StoredImport = {
  importId: string;
  status: ImportView['state'];
  reason: string | null;
  modifiedSince: string | null;
  requestedAt: string;
  progressedAt: string;
  finishedAt: string | null;
  nextAttemptAt: string | null;
  nextAttemptSetAt: string | null;
  checkpoint: ImportCheckpoint;
};

type UnfinishedState = Exclude<StoredImport['status'], 'complete' | 'failed'>;

const importViewOf = ({ checkpoint, ...stored }: StoredImport): ImportView => ({
  import_id: stored.importId,
  kind: stored.modifiedSince === null ? 'complete' : 'incremental',
  state: stored.status,
  reason: stored.reason,
  modified_since: stored.modifiedSince,
  requested_at: stored.requestedAt,
  progressed_at: stored.progressedAt,
  finished_at: stored.finishedAt,
  ...importCountsOf(checkpoint),
  refused_by_reason: checkpoint.refusedByReason,
  refused: checkpoint.refused,
  assumptions: checkpoint.assumptions,
  assumption_count: checkpoint.assumptionCount,
  changes: checkpoint.changes,
  change_count: checkpoint.changeCount,
});

/** The failures that do not need the operator, by reason. */
const actionsAfterFailure: Readonly<Record<string, NextAction>> = {
  rate_limited: 'request_import',
  platform_unavailable: 'request_import',
  platform_timed_out: 'request_import',
  subscription_lapsed: 'request_import',
  company_not_found: 'connect_again',
  credentials_refused: 'connect_again',
};

const actionAfterCompletion = (reason: string | null): NextAction => {
  if (reason === 'reports_not_permitted') return 'connect_again';
  return reason === null ? 'none' : 'request_import';
};

const nextOfUnfinished = (
  { status, reason, nextAttemptAt, nextAttemptSetAt }: StoredImport & { status: UnfinishedState },
  now: Date,
): Next => {
  const due = { dueAt: nextAttemptAt ?? now.toISOString(), setAt: nextAttemptSetAt };
  const stopReason = status === 'waiting' ? reason : stopReasonOf({ status, ...due }, now);
  return stopReason === undefined
    ? { action: 'continues', at: null, reason: null }
    : { action: 'retries', at: nextLookAt(due, now), reason: stopReason };
};

const nextOf = (
  { status }: Pick<Tenant, 'status'>,
  lastImport: StoredImport | undefined,
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
      return only(actionAfterCompletion(lastImport?.reason ?? null));
  }
};

export const tenantImportViewOf = (
  { tenant, lastImport }: { tenant: Tenant; lastImport: StoredImport | undefined },
  { slots, now }: { slots: Slots; now: Date },
): TenantImportView => ({
  ...referenceTo(tenant, slots),
  status: tenant.status,
  status_reason: tenant.statusReason ?? null,
  reconnect_by: reconnectByOf(tenant),
  import: lastImport ? importViewOf(lastImport) : null,
  next: nextOf(tenant, lastImport, now),
});
