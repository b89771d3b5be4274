// The scope of an import: everything, or only changes since the previous import.

import { type ImportCheckpoint, startOfImport } from './import-checkpoint.ts';
import { isPosition } from './import-report.ts';
import type { ImportStatus } from './import-status.store.ts';

/** The first checkpoint, and the time since which changes are imported. Null imports everything. */
export type ImportScope = { checkpoint: ImportCheckpoint; modifiedSince: string | null };

export const completeScope: ImportScope = { checkpoint: startOfImport, modifiedSince: null };

/**
 * The scope of a complete import. It keeps the reported changes, because platforms do not list
 * deleted journals, and some do not show that a journal was edited.
 */
export const completeScopeAfter = ({
  checkpoint: { changes },
}: {
  checkpoint: ImportCheckpoint;
}): ImportScope => ({
  checkpoint: { ...startOfImport, changes, changeCount: changes.length },
  modifiedSince: null,
});

/** Allows for different clocks and for changes that a platform lists late. */
const marginMilliseconds = 60 * 60_000;

/** An incremental import starts with the report of the previous import. */
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
 * The scope after an ended import. It is incremental only if nothing can be missed. It is complete
 * if the previous import
 *
 * - did not complete, or refused a record without a known id;
 * - refused a journal for a missing account, which the chart may have now;
 * - refused a journal for a lock that has been moved back since;
 * - only reported changes of journals, which are followed now;
 * - was requested later than now or after its own end, because a clock has jumped back.
 *
 * @param now.lockDate the tenant's lock date
 * @param now.followPlatformEdits the tenant's setting
 */
export const scopeAfter = (
  before: {
    status: ImportStatus;
    checkpoint: ImportCheckpoint;
    requestedAt: string;
    finishedAt: string | null;
  },
  now: {
    lockDate: string | undefined;
    followPlatformEdits?: boolean | undefined;
    requestedAt: string;
  },
): ImportScope => {
  const { lockDate = '', followPlatformEdits = true } = now;
  const { accountsRefused, journalsRefused, refused, lockDate: lockMet } = before.checkpoint;
  const areRefusedKnown =
    accountsRefused + journalsRefused === refused.length &&
    !refused.some(({ reference }) => isPosition(reference));
  const lacksAccount = refused.some(({ reason }) => reason === 'account_not_found');
  const isUnlocked = lockMet !== null && lockDate < lockMet;
  const { followsEdits, changeCount } = before.checkpoint;
  const lacksChanges = followPlatformEdits && !followsEdits && changeCount > 0;
  const endedAt = before.finishedAt ?? before.requestedAt;
  const hasJumped = before.requestedAt > now.requestedAt || before.requestedAt > endedAt;
  const isEnough = before.status === 'complete' && areRefusedKnown && !lacksAccount && !isUnlocked;
  if (!isEnough || lacksChanges || hasJumped) {
    return completeScopeAfter(before);
  }
  const since = Date.parse(before.requestedAt) - marginMilliseconds;
  return {
    checkpoint: startOfChanges(before.checkpoint),
    modifiedSince: new Date(since).toISOString(),
  };
};
