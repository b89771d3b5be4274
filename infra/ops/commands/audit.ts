// The operator's command for the audit log.

import type { AuditEntry } from '#shared/operator/audit-log.store.ts';
import { defineQuery } from '../command.ts';
import { calendarDate, count, optional } from '../options.ts';

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
  needs: ['auditLog'],
  options: {
    since: optional(calendarDate, 'the first date of changes'),
    until: optional(calendarDate, 'the last date of changes'),
    limit: optional(count, 'the maximum number of rows; by default 50'),
  },
  ruleBrokenBy: ({ since = '', until = since }) =>
    since > until ? '--since must not be after --until' : undefined,
  run: async ({ auditLog }, { limit = defaultLimit, ...dates }) => ({
    changes: (await auditLog.list({ ...dates, limit })).map(rowOf),
  }),
});

export const commands = { list: listAudit };
