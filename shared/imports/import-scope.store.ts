// What an import is to bring: everything, or what is new or changed since the one before it.

import { type ImportCheckpoint, startOfImport } from './import-checkpoint.store.ts';
import { isPosition } from './import-report.ts';
import type { ImportStatus } from './import-status.store.ts';

/** Where an import starts, and since when it asks for what was made or changed; `null` for all. */
export type ImportScope = { checkpoint: ImportCheckpoint; modifiedSince: string | null };

export const completeScope: ImportScope = { checkpoint: startOfImport, modifiedSince: null };

/**
 * Everything is asked for. What was found to have changed stays in the report: no platform lists
 * deleted journals among all that there are, and not every one shows that others were edited.
 */
export const completeScopeAfter = ({
  checkpoint: { changes },
}: {
  checkpoint: ImportCheckpoint;
}): ImportScope => ({
  checkpoint: { ...startOfImport, changes, changeCount: changes.length },
  modifiedSince: null,
});

/** Clocks differ, and a platform may list a change some time after it was made. */
const marginMilliseconds = 60 * 60_000;

/** An import of changes starts with all that the one before it reported. */
const startOfChanges = (before: ImportCheckpoint): ImportCheckpoint => ({
  ...startOfImport,
  accountsImported: before.accountsImported,
  accountsRefused: before.accountsRefused,
  journalsRefused: before.journalsRefused,
  refused: before.refused,
  refusedByReason: before.refusedByReason,
  lockDate: before.lockDate,
  assumptions: before.assumptions,
  assumptionCount: before.assumptionCount,
  changes: before.changes,
  changeCount: before.changeCount,
});

/**
 * The scope of what is new or changed since an import that has ended. Where that has not brought
 * everything, or not all that it refused is known by its id, the next one does. So it is where an
 * account was missing: the chart may have it by now, and the journal is the same as before. And
 * where journals met a lock that has been moved back since. And if the import was requested later
 * than now, or ended before it was requested: the clock has jumped back, and what was changed until
 * then would be missed.
 * @param now.lockDate that of the tenant
 */
export const scopeAfter = (
  before: {
    status: ImportStatus;
    checkpoint: ImportCheckpoint;
    requestedAt: string;
    finishedAt: string | null;
  },
  now: { lockDate: string | undefined; requestedAt: string },
): ImportScope => {
  const { lockDate = '' } = now;
  const { accountsRefused, journalsRefused, refused, lockDate: lockMet } = before.checkpoint;
  const isKnownByName =
    accountsRefused + journalsRefused === refused.length &&
    !refused.some(({ reference }) => isPosition(reference));
  const lacksAccount = refused.some(({ reason }) => reason === 'account_not_found');
  const isUnlocked = lockMet !== null && lockDate < lockMet;
  const endedAt = before.finishedAt ?? before.requestedAt;
  const hasJumped = before.requestedAt > now.requestedAt || before.requestedAt > endedAt;
  const isEnough = before.status === 'complete' && isKnownByName && !lacksAccount && !isUnlocked;
  if (!isEnough || hasJumped) {
    return completeScopeAfter(before);
  }
  const since = Date.parse(before.requestedAt) - marginMilliseconds;
  return {
    checkpoint: startOfChanges(before.checkpoint),
    modifiedSince: new Date(since).toISOString(),
  };
};
