// The operator's command for the audit log.

import * as z from 'zod/mini';
import type { AuditEntry } from '#shared/operator/audit-log.store.ts';
import { defineQuery } from '../command.ts';
import { calendarDate, entryLimit } from '../options.ts';

const defaultLimit = 50;

const rowOf = (entry: AuditEntry) => ({
  started_at: entry.startedAt,
  ended_at: entry.endedAt,
  operator: entry.operator,
  outcome: entry.outcome,
  command: entry.command,
  options: entry.options,
  before: entry.before ?? {},
  after: entry.after ?? {},
  error: entry.error,
});

export const listAudit = defineQuery({
  usage: '[--since DATE] [--until DATE] [--limit N]',
  purpose: 'List the changes that operators made and their outcomes, newest first',
  note:
    `Both dates are included, in UTC. The default limit is ${defaultLimit}. The outcome started ` +
    'means that the change is in progress, or that the tool was stopped: check how far it got.',
  options: z
    .strictObject({
      since: z.optional(calendarDate),
      until: z.optional(calendarDate),
      limit: z._default(entryLimit, defaultLimit),
    })
    .check(
      z.refine(({ since = '', until = since }) => since <= until, {
        error: '--since must not be after --until',
      }),
    ),
  run: async ({ auditLog }, range) => ({ changes: (await auditLog.list(range)).map(rowOf) }),
});
