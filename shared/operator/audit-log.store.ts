// The audit log of operators' changes: who changed what, when, and with which outcome. A change is
// recorded before it starts, and its outcome after it ends. Audit entries are never deleted and do
// not expire.

import * as z from 'zod/mini';
import { updateAction } from '../table/field-updates.ts';
import {
  auditBounds,
  auditKey,
  auditMonthKey,
  auditMonthsPartition,
  auditPartition,
} from '../table/keys.ts';
import { sortRange } from '../table/sort-ranges.ts';
import { ifNotExists, type Table } from '../table/table.ts';

const Details = z.record(z.string(), z.json());
export type Details = z.infer<typeof Details>;

/** A change with the outcome `started` is under way, or its outcome could not be recorded. */
export const AuditEntry = z.object({
  auditId: z.string(),
  startedAt: z.string(),
  endedAt: z.nullable(z.string()),
  operator: z.string(),
  command: z.string(),
  options: Details,
  outcome: z.enum(['started', 'done', 'failed']),
  before: z.nullable(Details),
  after: z.nullable(Details),
  error: z.nullable(z.string()),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** The fields of a change before it starts, and the fields that its end adds. */
type BegunChange = Omit<AuditEntry, 'outcome' | keyof ChangeEnd>;
export type ChangeEnd = Pick<AuditEntry, 'endedAt' | 'after' | 'error'>;

const Month = z.object({ sk: z.string() });

const anyTime = { since: '0000-01-01', until: '9999-12-31' };

export const openAuditLog = (table: Table) => ({
  /** Records a change before it starts. @throws if that fails; then the change must not start */
  begin: async (change: BegunChange): Promise<void> => {
    const started: AuditEntry = {
      ...change,
      outcome: 'started',
      endedAt: null,
      after: null,
      error: null,
    };
    const outcome = await table.transact([
      { put: auditMonthKey(change.startedAt) },
      { put: { ...auditKey(change), ...started }, condition: ifNotExists },
    ]);
    if (!outcome.committed) throw new Error('the audit log already has a change with this id');
  },

  /** Records the outcome of a change, once. */
  end: async (
    change: Pick<AuditEntry, 'startedAt' | 'auditId'>,
    { outcome, endedAt, after, error }: ChangeEnd & { outcome: 'done' | 'failed' },
  ): Promise<void> => {
    const isRecorded = await table.update(
      updateAction(auditKey(change), {
        set: { outcome, endedAt, after, error },
        expected: { outcome: 'started' },
      }),
    );
    if (!isRecorded) throw new Error('the audit log has no such change that is under way');
  },

  /** The newest changes that started on these dates (UTC), both included. */
  list: async ({
    since = anyTime.since,
    until = anyTime.until,
    limit,
  }: {
    since?: string | undefined;
    until?: string | undefined;
    limit: number;
  }): Promise<AuditEntry[]> => {
    const { months, sorts } = auditBounds({ since, until });
    const newestIn = (partition: string, bounds: typeof sorts) => ({
      ...sortRange(partition, bounds),
      ScanIndexForward: false,
    });
    const entries: AuditEntry[] = [];
    for (const item of await table.query(newestIn(auditMonthsPartition, months))) {
      const partition = auditPartition(Month.parse(item).sk);
      const pages = table.queryPages({
        ...newestIn(partition, sorts),
        Limit: limit - entries.length,
      });
      for await (const page of pages) {
        entries.push(...page.map((item) => AuditEntry.parse(item)));
        if (entries.length >= limit) return entries.slice(0, limit);
      }
    }
    return entries;
  },
});
