// The operator's command that shows what operators changed.

import * as z from 'zod/mini';
import type { AuditEntry } from '#shared/store/audit-log.ts';
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
  purpose: 'List what operators changed, the newest first: who, what, when, and what came of it',
  note:
    `Both dates are included, in UTC; without --limit there are ${defaultLimit} at most. The ` +
    'outcome started is a change under way, or one whose tool was stopped: look at what it was ' +
    'about to see how far it came.',
  options: z
    .strictObject({
      since: z.optional(calendarDate),
      until: z.optional(calendarDate),
      limit: z._default(entryLimit, defaultLimit),
    })
    .check(
      z.refine(({ since = '', until = since }) => since <= until, {
        error: '--since comes after --until',
      }),
    ),
  run: async ({ auditLog }, range) => ({ changes: (await auditLog.list(range)).map(rowOf) }),
});
