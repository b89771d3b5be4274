// The weekly verifications of tenants: when they are due, and how far they have come.

import * as z from 'zod/mini';
import { journalSeries } from '../entries/journal-entry.ts';
import { dueVerificationPlace, verificationKey } from '../table/due-keys.ts';
import { updateAction } from '../table/field-updates.ts';
import type { TenantName } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/**
 * `next` is the sheet to continue with, if the sheets are not done; `check` then counts what is
 * verified after them, from 1.
 */
const Progress = z.object({
  next: z.optional(z.object({ date: z.string(), series: z.enum(journalSeries) })),
  check: z._default(z.int(), 0),
  entries: z._default(z.int(), 0),
  differences: z._default(z.int(), 0),
});
export type Progress = z.infer<typeof Progress>;

export type Verifications = ReturnType<typeof openVerifications>;

export const openVerifications = (table: Pick<Table, 'get' | 'update'>) => ({
  /** Makes the verification of a tenant due, unless it is. Returns whether it was not. */
  request: (name: TenantName, now: Date): Promise<boolean> =>
    table.update(
      updateAction(verificationKey(name), {
        set: {
          ...dueVerificationPlace(name, now.toISOString()),
          next: undefined,
          check: 0,
          entries: 0,
          differences: 0,
        },
        condition: 'attribute_not_exists(#due_pk)',
      }),
    ),

  read: async (name: TenantName): Promise<Progress> =>
    Progress.parse((await table.get(verificationKey(name))) ?? {}),

  save: async (name: TenantName, { next, ...progress }: Progress): Promise<void> => {
    const set = { ...progress, next };
    await table.update(updateAction(verificationKey(name), { set }));
  },

  /** Ends a verification. Its result stays until the next one. */
  end: async (name: TenantName, { next: _, ...progress }: Progress, now: Date): Promise<void> => {
    const ended = { due_pk: undefined, due_sk: undefined, stuck: undefined, next: undefined };
    const set = { ...progress, ...ended, verifiedAt: now.toISOString() };
    await table.update(updateAction(verificationKey(name), { set }));
  },
});
