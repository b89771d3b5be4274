// Where an import goes on after a page: pure functions of its checkpoint and what the page held.

import { createHash } from 'node:crypto';
import type { ImportCheckpoint } from '#shared/imports/import-checkpoint.store.ts';
import { PlatformFailure } from '#shared/platforms/platform.ts';

const maximumChartRereads = 10;
const maximumEmptyPages = 20;
const maximumPasses = 5;

/** The pages read so far in a stage, as far as later pages are compared with them. */
export type PagePosition = Pick<
  ImportCheckpoint,
  'lastPageHash' | 'probePageHash' | 'pagesRead' | 'emptyPages'
>;

const startPosition: PagePosition = {
  lastPageHash: null,
  probePageHash: null,
  pagesRead: 0,
  emptyPages: 0,
};

const isPowerOfTwo = (count: number): boolean => Number.isInteger(Math.log2(count));

/**
 * Makes sure that pages advance: none repeats the one before it, leads to itself, or comes back in
 * a circle of any length (found by Brent's method: each page is compared with one before, which
 * moves on at the powers of two), and no more than a few in a row hold nothing. A page of another
 * `list` is none of these, though the same stands on it.
 * @throws PlatformFailure
 */
export const positionAfter = (
  { ids, next, list = '' }: { ids: readonly string[]; next: string | null; list?: string },
  before: ImportCheckpoint,
): PagePosition => {
  const hash = createHash('sha256')
    .update([list, ...ids].join('\n'))
    .digest('base64url');
  const lastPageHash = ids.length === 0 ? null : hash;
  const pagesRead = before.pagesRead + 1;
  const emptyPages = lastPageHash === null ? before.emptyPages + 1 : 0;
  const problems = [
    [
      lastPageHash !== null && lastPageHash === before.lastPageHash,
      'a page repeats the one before',
    ],
    [lastPageHash !== null && lastPageHash === before.probePageHash, 'pages come back in a circle'],
    [next !== null && next === before.cursor, 'a page leads to itself'],
    [next !== null && emptyPages > maximumEmptyPages, 'pages go on without holding anything'],
  ] as const;
  const problem = problems.find(([isSo]) => isSo);
  if (problem) {
    throw new PlatformFailure('page_did_not_advance', { cause: new Error(problem[1]) });
  }
  const probePageHash = isPowerOfTwo(pagesRead) ? lastPageHash : before.probePageHash;
  return { lastPageHash, probePageHash, pagesRead, emptyPages };
};

export const afterCompany = (checkpoint: ImportCheckpoint): ImportCheckpoint => ({
  ...checkpoint,
  ...startPosition,
  stage: 'accounts',
  cursor: null,
});

export const afterAccountPage = (
  checkpoint: ImportCheckpoint,
  page: {
    next: string | null;
    position: PagePosition;
    /** How many accounts there are in all, with those of this page. */
    accountsImported: number;
  },
): ImportCheckpoint => {
  const after: ImportCheckpoint = { ...checkpoint, accountsImported: page.accountsImported };
  return page.next === null
    ? { ...after, ...startPosition, stage: 'journals', cursor: checkpoint.journalsCursor }
    : { ...after, ...page.position, cursor: page.next };
};

/**
 * Where a platform's pages shift when a journal is deleted, the last page may not have been the end
 * of it: there is a second pass over them, and another for as long as one finds something new.
 */
const needsAnotherPass = (
  checkpoint: ImportCheckpoint,
  { pagesShift }: { pagesShift: boolean },
): boolean => {
  const mayHaveShifted = pagesShift && checkpoint.cursor !== null;
  const foundNew = checkpoint.journalsImported > checkpoint.recordedBefore;
  return mayHaveShifted && (checkpoint.pass === 1 || foundNew) && checkpoint.pass < maximumPasses;
};

export const afterJournalPage = (
  checkpoint: ImportCheckpoint,
  page: {
    next: string | null;
    position: PagePosition;
    /** How many journals there are in all, with those of this page. */
    journalsImported: number;
  },
  platform: { pagesShift: boolean },
): ImportCheckpoint => {
  const after: ImportCheckpoint = { ...checkpoint, journalsImported: page.journalsImported };
  if (page.next !== null) return { ...after, ...page.position, cursor: page.next };
  if (!needsAnotherPass(after, platform)) return { ...after, stage: 'done' };
  return {
    ...after,
    ...startPosition,
    cursor: null,
    pass: after.pass + 1,
    recordedBefore: after.journalsImported,
    chartRereadAt: null,
  };
};

/** Whether the chart may be read again for an account that this page's journals name. */
export const mayRereadChart = ({
  chartRereadAt,
  chartsReread,
  cursor,
}: ImportCheckpoint): boolean =>
  chartRereadAt !== (cursor ?? '') && chartsReread < maximumChartRereads;

/**
 * Back to the chart, which may have grown since it was read, and then to this page again. Of a
 * complete chart all accounts are counted anew; of changes, only what was not there.
 */
export const rereadChart = (
  checkpoint: ImportCheckpoint,
  { isComplete }: { isComplete: boolean },
): ImportCheckpoint => ({
  ...checkpoint,
  ...startPosition,
  stage: 'accounts',
  cursor: null,
  accountsImported: isComplete ? 0 : checkpoint.accountsImported,
  journalsCursor: checkpoint.cursor,
  chartRereadAt: checkpoint.cursor ?? '',
  chartsReread: checkpoint.chartsReread + 1,
});
