// The status of an import, and conditional changes to an import.

import * as z from 'zod/mini';
import { isWithin } from '../money/dates.ts';
import { updateAction } from '../table/field-updates.ts';
import { importKey, type TenantName } from '../table/keys.ts';
import type { UpdateAction } from '../table/table.ts';

export const ImportStatus = z.enum(['requested', 'running', 'waiting', 'complete', 'failed']);
export type ImportStatus = z.infer<typeof ImportStatus>;

/** An ended import does not change until another import replaces it. */
const isUnderWay = (status: ImportStatus): boolean => status !== 'complete' && status !== 'failed';

/**
 * Limits how often a caller can request an import, because a platform limits the calls per company
 * and day: 5,000 at Xero (developer.xero.com/documentation/guides/oauth2/limits). An incremental
 * import takes three calls, and a day has 1,440 minutes.
 */
const minimumPauseMilliseconds = 60_000;

/** The reason to refuse an incremental import after this one, if there is one. */
export const refusalAfter = (
  { status, finishedAt }: { status: ImportStatus; finishedAt: string | null },
  { requestedAt }: { requestedAt: string },
): 'under_way' | 'ended_just_now' | undefined => {
  if (isUnderWay(status) || finishedAt === null) return 'under_way';
  const ended = { since: Date.parse(finishedAt), now: Date.parse(requestedAt) };
  return isWithin(minimumPauseMilliseconds, ended) ? 'ended_just_now' : undefined;
};

/**
 * Changes an import if it still has this id and one of these statuses. A run passes its id, because
 * it must still have the lease. A field that is `undefined` in `set` is removed.
 */
export const importChange = (
  name: TenantName,
  {
    importId,
    runId,
    from,
    set,
  }: {
    importId: string;
    runId?: string | undefined;
    from: ImportStatus[];
    set: Record<string, unknown>;
  },
): UpdateAction =>
  updateAction(importKey(name), {
    set,
    expected: { importId, ...(runId !== undefined && { runId }) },
    condition: `#status IN (${from.map((_, index) => `:from${index}`).join(', ')})`,
    values: Object.fromEntries(from.map((status, index) => [`:from${index}`, status])),
  });
