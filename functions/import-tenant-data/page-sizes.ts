// How many rows the pages of an import have: fewer where pages come too late or are too large, and
// more again later.

import type { ImportCheckpoint } from '#shared/imports/import-checkpoint.store.ts';
import { type Platform, PlatformFailure } from '#shared/platforms/platform.ts';

/** The lists of a platform that are read by the page. */
export type PagedList = 'accounts' | 'journals';

type PageSizes = Pick<Platform, 'pageSizes'>;

/** So many rows, in pages of the next larger size, are read before that size is tried again. */
const pagesBeforeLarger = 20;

export const rowsPerPage = (
  { pageSizeSteps }: ImportCheckpoint,
  { list, platform: { pageSizes } }: { list: PagedList; platform: PageSizes },
): number => {
  const rows = pageSizes[list][pageSizeSteps[list]] ?? pageSizes[list].at(-1);
  if (rows === undefined) throw new Error(`the platform has no size for pages of ${list}`);
  return rows;
};

/** Whether there are smaller pages to be asked for, where these fail. */
export const hasSmallerPages = (
  { pageSizeSteps }: ImportCheckpoint,
  { list, platform: { pageSizes } }: { list: PagedList; platform: PageSizes },
): boolean => pageSizeSteps[list] < pageSizes[list].length - 1;

/** Whether a page failed because of its size. */
export const isPageTooLarge = (error: unknown): boolean =>
  error instanceof PlatformFailure &&
  (error.reason === 'platform_timed_out' || error.reason === 'reply_too_large');

const withStep = (
  checkpoint: ImportCheckpoint,
  list: PagedList,
  change: 1 | -1,
): ImportCheckpoint => {
  const { pageSizeSteps } = checkpoint;
  return {
    ...checkpoint,
    pageSizeSteps: { ...pageSizeSteps, [list]: pageSizeSteps[list] + change },
  };
};

export const withSmallerPages = (checkpoint: ImportCheckpoint, list: PagedList): ImportCheckpoint =>
  withStep(checkpoint, list, 1);

/**
 * The checkpoint with pages of the next larger size, now and then: what failed may have passed.
 * Cursors count rows, so that a larger page can only begin where its size divides them.
 */
export const withLargerPages = (
  checkpoint: ImportCheckpoint,
  { pageSizes }: PageSizes,
): ImportCheckpoint => {
  const { stage, cursor, pageSizeSteps } = checkpoint;
  if (stage !== 'accounts' && stage !== 'journals') return checkpoint;
  const larger = pageSizes[stage][pageSizeSteps[stage] - 1];
  if (larger === undefined) return checkpoint;
  const isTime = Number(cursor ?? 0) % (larger * pagesBeforeLarger) === 0;
  return isTime ? withStep(checkpoint, stage, -1) : checkpoint;
};
