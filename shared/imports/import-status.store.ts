// The status of an import, and the changes that only an import of a certain status allows.

import * as z from 'zod/mini';
import { isWithin } from '../elapsed-time.ts';
import { importKey, type TenantName } from '../table/keys.ts';
import type { UpdateAction } from '../table/table.ts';

export const ImportStatus = z.enum(['requested', 'running', 'waiting', 'complete', 'failed']);
export type ImportStatus = z.infer<typeof ImportStatus>;

/** What has ended stays as it is, until another import takes its place. */
const isUnderWay = (status: ImportStatus): boolean => status !== 'complete' && status !== 'failed';

/**
 * Whoever asks without end would use up the calls that a platform allows a company in a day: 5,000
 * at Xero (developer.xero.com/documentation/guides/oauth2/limits). An import of what is new takes
 * three, and a day has 1,440 minutes.
 */
const minimumPauseMilliseconds = 60_000;

/** Why no import of what is new may be asked for after this one, if it may not. */
export const refusalAfter = (
  { status, finishedAt }: { status: ImportStatus; finishedAt: string | null },
  { requestedAt }: { requestedAt: string },
): 'under_way' | 'ended_just_now' | undefined => {
  if (isUnderWay(status) || finishedAt === null) return 'under_way';
  const ended = { since: Date.parse(finishedAt), now: Date.parse(requestedAt) };
  return isWithin(minimumPauseMilliseconds, ended) ? 'ended_just_now' : undefined;
};

/**
 * The change of an import that nobody else has taken the place of and that has this status; and of
 * which this run has the lease, if a run changes it.
 */
export const importChange = (
  name: TenantName,
  asked: {
    importId: string;
    runId?: string | undefined;
    from: ImportStatus[];
    set: Record<string, unknown>;
  },
): UpdateAction => {
  const fields = Object.entries(asked.set).filter(([, value]) => value !== undefined);
  const removed = Object.keys(asked.set).filter((field) => asked.set[field] === undefined);
  const set = fields.map(([field]) => `#${field} = :${field}`).join(', ');
  const remove = removed.map((field) => `#${field}`).join(', ');
  const states = asked.from.map((_, index) => `:from${index}`).join(', ');
  return {
    update: importKey(name),
    expression: `SET ${set}${remove && ` REMOVE ${remove}`}`,
    condition:
      `importId = :expected AND #status IN (${states})` +
      (asked.runId === undefined ? '' : ' AND runId = :lessee'),
    names: Object.fromEntries(
      [...Object.keys(asked.set), 'status'].map((field) => [`#${field}`, field]),
    ),
    values: {
      ...Object.fromEntries(fields.map(([field, value]) => [`:${field}`, value])),
      ...Object.fromEntries(asked.from.map((status, index) => [`:from${index}`, status])),
      ':expected': asked.importId,
      ...(asked.runId !== undefined && { ':lessee': asked.runId }),
    },
  };
};
