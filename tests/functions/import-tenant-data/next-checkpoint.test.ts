// The next checkpoint after a page. journals.test.ts shows how the chart is read again and how the
// passes over shifting pages follow each other.

import { describe, expect, test } from 'vitest';
import {
  afterAccountPage,
  afterJournalPage,
  mayRereadChart,
  positionAfter,
  rereadChart,
  rowsPerPage,
  withLargerPages,
} from '#functions/import-tenant-data/next-checkpoint.ts';
import { type ImportCheckpoint, startOfImport } from '#shared/imports/import-checkpoint.ts';

const journals = (changes: Partial<ImportCheckpoint> = {}): ImportCheckpoint => ({
  ...startOfImport,
  stage: 'journals',
  ...changes,
});
const position = { lastPageHash: 'hash', probePageHash: null, pagesRead: 4, emptyPages: 0 };
const startPosition = { lastPageHash: null, probePageHash: null, pagesRead: 0, emptyPages: 0 };

/** How many pages are read until they fail to advance. Each letter of a page is an id. */
const pagesUntilFailure = (idsOf: (page: number) => string, limit = 100): number => {
  let checkpoint = journals();
  for (let page = 0; page < limit; page += 1) {
    const next = String(page + 1);
    try {
      const after = positionAfter({ ids: [...idsOf(page)], next }, checkpoint);
      checkpoint = { ...checkpoint, ...after, cursor: next };
    } catch (error) {
      expect(error).toMatchObject({ reason: 'page_did_not_advance' });
      return page + 1;
    }
  }
  return Number.POSITIVE_INFINITY;
};
const never = Number.POSITIVE_INFINITY;

test.each<[string, (page: number) => string, number]>([
  ['the first page repeats', () => 'ab', 2],
  ['the second page repeats', (page) => (page === 0 ? 'ab' : 'cd'), 3],
  ['two pages alternate', (page) => ['ab', 'cd'][page % 2] ?? '', 4],
  ['three pages alternate', (page) => ['ab', 'cd', 'ef'][page % 3] ?? '', 7],
  [
    'a circle of five after four',
    (page) => 'abcdefghi'[page < 4 ? page : 4 + (page % 5)] ?? '',
    13,
  ],
  ['empty pages', () => '', 21],
  ['different pages', (page) => `${page}x`, never],
  ['twenty empty pages before each other', (page) => (page % 21 === 20 ? `${page}` : ''), never],
])('pages that do not advance are detected: %s', (_, idsOf, pages) => {
  expect(pagesUntilFailure(idsOf)).toBe(pages);
});

test('a page that is its own next page is detected, unless it is the last', () => {
  const checkpoint = journals({ cursor: '7', emptyPages: 20 });
  for (const ids of [[], ['a']]) {
    expect(() => positionAfter({ ids, next: '7' }, checkpoint)).toThrow('page_did_not_advance');
  }
  expect(positionAfter({ ids: [], next: null }, checkpoint).emptyPages).toBe(21);
});

test('after the last page of accounts, the journals continue at their own cursor', () => {
  const checkpoint = { ...journals({ journalsCursor: 'j2' }), ...position, cursor: 'a1' };
  const page = { next: null, position, accountsImported: 7 };
  expect(afterAccountPage({ ...checkpoint, stage: 'accounts' }, page)).toEqual({
    ...checkpoint,
    ...startPosition,
    stage: 'journals',
    cursor: 'j2',
    accountsImported: 7,
  });
});

describe('after the last page of journals', () => {
  const next = (checkpoint: ImportCheckpoint, pagesShift = true) => {
    const page = { next: null, position, journalsImported: 9 };
    return afterJournalPage(checkpoint, page, { pagesShift });
  };

  test('another pass starts from the beginning if pages shift', () => {
    const before = journals({ cursor: '1', journalsRefused: 1, chartRereadAt: '1' });
    expect(next(before)).toEqual({
      ...before,
      ...startPosition,
      cursor: null,
      pass: 2,
      journalsImported: 9,
      recordedBefore: 9,
      chartRereadAt: null,
    });
  });

  test.each<[string, Partial<ImportCheckpoint>, pagesShift: boolean, stage: string]>([
    ['the first pass always needs another', { cursor: '1', recordedBefore: 9 }, true, 'journals'],
    ['a pass found something', { cursor: '1', pass: 4, recordedBefore: 8 }, true, 'journals'],
    ['a pass found nothing', { cursor: '1', pass: 2, recordedBefore: 9 }, true, 'balances'],
    ['the fifth pass is the last', { cursor: '1', pass: 5, recordedBefore: 8 }, true, 'balances'],
    ['a single page cannot shift', { cursor: null }, true, 'balances'],
    ['pages do not shift', { cursor: '1' }, false, 'balances'],
  ])('%s', (_, changes, pagesShift, stage) => {
    expect(next(journals(changes), pagesShift).stage).toBe(stage);
  });
});

describe('the chart is read again', () => {
  test.each([
    { isComplete: true, accountsImported: 0 },
    { isComplete: false, accountsImported: 7 },
  ])('before the same page of journals: %o', ({ isComplete, accountsImported }) => {
    const before = journals({ ...position, cursor: '3', accountsImported: 7, chartsReread: 1 });
    expect(rereadChart(before, { isComplete })).toEqual({
      ...before,
      ...startPosition,
      stage: 'accounts',
      cursor: null,
      accountsImported,
      journalsCursor: '3',
      chartRereadAt: '3',
      chartsReread: 2,
    });
  });

  test.each<[string, Partial<ImportCheckpoint>, boolean]>([
    ['for a first page', {}, true],
    ['for a first page twice', { chartRereadAt: '' }, false],
    ['for one page after another', { cursor: '3', chartRereadAt: '2', chartsReread: 9 }, true],
    ['for the same page twice', { cursor: '3', chartRereadAt: '3' }, false],
    ['more than ten times', { cursor: '3', chartRereadAt: '2', chartsReread: 10 }, false],
  ])('%s: %o is %s', (_, changes, may) => {
    expect(mayRereadChart(journals(changes))).toBe(may);
  });
});

const pageSizes = { accounts: [1000, 100], journals: [1000, 100, 10] };

test.each<[string, cursor: string | null, step: number, ImportCheckpoint['stage'], number]>([
  ['stay small at first', '19900', 2, 'journals', 10],
  ['grow after twenty of the larger size', '22000', 2, 'journals', 100],
  ['grow step by step', '40000', 2, 'journals', 100],
  ['grow to the largest', '40000', 1, 'journals', 1000],
  ['do not exceed the largest', '40000', 0, 'journals', 1000],
  ['stay small if a larger one cannot begin here', '22000', 1, 'journals', 100],
  ['stay small if the cursor is not a number of rows', 'abc', 1, 'journals', 100],
  ['grow for another pass', null, 2, 'journals', 100],
  ['stay small at the end', null, 2, 'done', 10],
])('pages that became smaller %s', (_, cursor, step, stage, rows) => {
  const pageSizeSteps = { accounts: 0, journals: step };
  const after = withLargerPages({ ...startOfImport, stage, cursor, pageSizeSteps }, { pageSizes });
  expect(rowsPerPage(after, { list: 'journals', platform: { pageSizes } })).toBe(rows);
});
