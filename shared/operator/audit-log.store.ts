// What operators change: who, what, when, and what came of it. Each change is written down before
// it is begun, and its outcome after it. Nothing takes an entry away, and none has an end.

import * as z from 'zod/mini';
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

/** `started` is a change that is under way, or whose end nobody could write down. */
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

/** What is known of a change before it is begun, and what its end adds. */
export type BegunChange = Omit<AuditEntry, 'outcome' | keyof ChangeEnd>;
export type ChangeEnd = Pick<AuditEntry, 'endedAt' | 'after' | 'error'>;

const Month = z.object({ sk: z.string() });

const anyTime = { since: '0000-01-01', until: '9999-12-31' };

export type AuditLog = ReturnType<typeof openAuditLog>;

export const openAuditLog = (table: Table) => ({
  /** @throws where it could not be written down, so that the change is not begun */
  begin: async (change: BegunChange): Promise<void> => {
    const started: AuditEntry = {
      ...change,
      outcome: 'started',
      ...{ endedAt: null, after: null, error: null },
    };
    const outcome = await table.transact([
      { put: auditMonthKey(change.startedAt) },
      { put: { ...auditKey(change), ...started }, condition: ifNotExists },
    ]);
    if (!outcome.committed) throw new Error('the audit log has a change of this id already');
  },

  /** Writes down how a change ended, once. */
  end: async (
    change: Pick<AuditEntry, 'startedAt' | 'auditId'>,
    { outcome, ...end }: ChangeEnd & { outcome: 'done' | 'failed' },
  ): Promise<void> => {
    const recorded = await table.update({
      update: auditKey(change),
      expression: 'SET outcome = :outcome, endedAt = :endedAt, #after = :after, #error = :error',
      condition: 'outcome = :started',
      names: { '#after': 'after', '#error': 'error' },
      values: {
        ':outcome': outcome,
        ':started': 'started',
        ':endedAt': end.endedAt,
        ':after': end.after,
        ':error': end.error,
      },
    });
    if (!recorded) throw new Error('the audit log has no such change that is under way');
  },

  /** The newest changes that were begun on these dates, both included, in UTC. */
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
    const found: AuditEntry[] = [];
    for (const item of await table.query(newestIn(auditMonthsPartition, months))) {
      const partition = auditPartition(Month.parse(item).sk);
      const pages = table.queryPages({
        ...newestIn(partition, sorts),
        Limit: limit - found.length,
      });
      for await (const page of pages) {
        found.push(...page.map((entry) => AuditEntry.parse(entry)));
        if (found.length >= limit) return found.slice(0, limit);
      }
    }
    return found;
  },
});
