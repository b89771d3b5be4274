// The next checkpoint of an import, and the size of its pages: pure functions of the checkpoint.

import { createHash } from 'node:crypto';
import type { ImportCheckpoint } from '#shared/imports/import-checkpoint.ts';
import {
  type Platform,
  type PlatformCompany,
  PlatformFailure,
} from '#shared/platforms/platform.ts';

const maximumChartRereads = 10;
const maximumEmptyPages = 20;
const maximumPasses = 5;

/** The earlier pages of a stage, for comparison with later pages. */
type PagePosition = Pick<
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
 * Ensures that pages advance. A page must not repeat the previous page, be its own next page or
 * return to an earlier page, and only a few consecutive pages can be empty. Brent's algorithm finds
 * cycles of any length: it compares each page with a probe page, which it replaces after 1, 2, 4, 8
 * and so on pages. A page of another `list` can have the same content.
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
      'a page repeats the previous page',
    ],
    [lastPageHash !== null && lastPageHash === before.probePageHash, 'the pages form a cycle'],
    [next !== null && next === before.cursor, 'a page is its own next page'],
    [next !== null && emptyPages > maximumEmptyPages, 'too many pages are empty'],
  ] as const;
  const problem = problems.find(([isProblem]) => isProblem);
  if (problem) {
    throw new PlatformFailure('page_did_not_advance', { cause: new Error(problem[1]) });
  }
  const probePageHash = isPowerOfTwo(pagesRead) ? lastPageHash : before.probePageHash;
  return { lastPageHash, probePageHash, pagesRead, emptyPages };
};

export const afterCompany = (
  checkpoint: ImportCheckpoint,
  {
    financialYearEnd,
    followsEdits,
  }: Pick<PlatformCompany, 'financialYearEnd'> & Pick<ImportCheckpoint, 'followsEdits'>,
): ImportCheckpoint => ({
  ...checkpoint,
  yearEnd: financialYearEnd,
  followsEdits,
  ...startPosition,
  stage: 'accounts',
  cursor: null,
});

export const afterAccountPage = (
  checkpoint: ImportCheckpoint,
  page: {
    next: string | null;
    position: PagePosition;
    /** The number of all imported accounts, including this page. */
    accountsImported: number;
  },
): ImportCheckpoint => {
  const after: ImportCheckpoint = { ...checkpoint, accountsImported: page.accountsImported };
  return page.next === null
    ? { ...after, ...startPosition, stage: 'journals', cursor: checkpoint.journalsCursor }
    : { ...after, ...page.position, cursor: page.next };
};

/**
 * If a platform's pages shift when a journal is deleted, a pass can miss journals. A second pass
 * follows, and more passes while they find new journals.
 */
const needsAnotherPass = (
  checkpoint: ImportCheckpoint,
  { pagesShift }: { pagesShift: boolean },
): boolean => {
  const mayHaveShifted = pagesShift && checkpoint.cursor !== null;
  const foundNew = checkpoint.journalsImported > checkpoint.recordedBefore;
  return mayHaveShifted && (checkpoint.pass === 1 || foundNew) && checkpoint.pass < maximumPasses;
};

type Stage = ImportCheckpoint['stage'];

export const afterJournalPage = (
  checkpoint: ImportCheckpoint,
  page: {
    next: string | null;
    position: PagePosition;
    /** The number of all imported journals, including this page. */
    journalsImported: number;
  },
  { nextStage = 'balances', ...platform }: { pagesShift: boolean; nextStage?: Stage },
): ImportCheckpoint => {
  const after: ImportCheckpoint = { ...checkpoint, journalsImported: page.journalsImported };
  if (page.next !== null) return { ...after, ...page.position, cursor: page.next };
  if (!needsAnotherPass(after, platform))
    return { ...after, ...startPosition, cursor: null, stage: nextStage };
  return {
    ...after,
    ...startPosition,
    cursor: null,
    pass: after.pass + 1,
    recordedBefore: after.journalsImported,
    chartRereadAt: null,
  };
};

/** Whether to read the chart again if this page's journals refer to an unknown account. */
export const mayRereadChart = ({
  chartRereadAt,
  chartsReread,
  cursor,
}: ImportCheckpoint): boolean =>
  chartRereadAt !== (cursor ?? '') && chartsReread < maximumChartRereads;

/**
 * Returns to the chart, which may have new accounts, and then to this page. A complete import
 * counts all accounts again; an import of changes counts only new ones.
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

/** The lists of a platform that are read page by page. */
export type PagedList = 'accounts' | 'journals';

type PageSizes = Pick<Platform, 'pageSizes'>;

/** After rows for this many pages of the next larger size, that size is tried again. */
const pagesBeforeLarger = 20;

export const rowsPerPage = (
  { pageSizeSteps }: ImportCheckpoint,
  { list, platform: { pageSizes } }: { list: PagedList; platform: PageSizes },
): number => {
  const rows = pageSizes[list][pageSizeSteps[list]] ?? pageSizes[list].at(-1);
  if (rows === undefined) throw new Error(`the platform has no size for pages of ${list}`);
  return rows;
};

/** Whether the platform allows smaller pages than these. */
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
 * Tries pages of the next larger size from time to time, because the cause of a failure may have
 * passed. Cursors count rows, so a larger page can only start at a multiple of its size.
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
