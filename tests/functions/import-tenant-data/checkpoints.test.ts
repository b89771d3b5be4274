import { describe, expect, test } from 'vitest';
import {
  afterAccountPage,
  afterJournalPage,
  mayRereadChart,
  positionAfter,
  rereadChart,
} from '#functions/import-tenant-data/next-checkpoint.ts';
import { type ImportCheckpoint, startOfImport } from '#shared/imports/import-checkpoint.store.ts';

const journals = (changes: Partial<ImportCheckpoint> = {}): ImportCheckpoint => ({
  ...startOfImport,
  stage: 'journals',
  ...changes,
});
const position = { lastPageHash: 'hash', probePageHash: null, pagesRead: 4, emptyPages: 0 };
const startPosition = { lastPageHash: null, probePageHash: null, pagesRead: 0, emptyPages: 0 };

describe('pages', () => {
  /** How many pages are read, of letters that stand for ids, until they are seen not to advance. */
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

  test.each<[string, (page: number) => string, number]>([
    ['the first one again and again', () => 'ab', 2],
    ['one that leads on to the same', (page) => (page === 0 ? 'ab' : 'cd'), 3],
    ['two in turn', (page) => ['ab', 'cd'][page % 2] ?? '', 4],
    ['three in turn', (page) => ['ab', 'cd', 'ef'][page % 3] ?? '', 7],
    [
      'a long way, then a circle of five',
      (page) => 'abcdefghi'[page < 4 ? page : 4 + (page % 5)] ?? '',
      13,
    ],
    ['nothing, with more to follow', () => '', 21],
  ])('that do not advance are seen: %s', (_, idsOf, pages) => {
    expect(pagesUntilFailure(idsOf)).toBe(pages);
  });

  test('that lead to themselves are seen, empty or not', () => {
    const checkpoint = journals({ cursor: '7' });
    for (const ids of [[], ['a']]) {
      expect(() => positionAfter({ ids, next: '7' }, checkpoint)).toThrow('page_did_not_advance');
    }
  });

  test.each<[string, (page: number) => string]>([
    ['many different ones', (page) => `${page}x`],
    ['twenty empty ones before each that is not', (page) => (page % 21 === 20 ? `${page}` : '')],
  ])('advance: %s', (_, idsOf) => {
    expect(pagesUntilFailure(idsOf)).toBe(Number.POSITIVE_INFINITY);
  });

  test('may end with any number of empty ones', () => {
    const checkpoint = journals({ emptyPages: 20 });
    expect(positionAfter({ ids: [], next: null }, checkpoint).emptyPages).toBe(21);
  });
});

describe('after a page of accounts', () => {
  const checkpoint: ImportCheckpoint = {
    ...journals({ journalsCursor: 'j2', accountsImported: 5 }),
    ...{ stage: 'accounts', cursor: 'a1' },
  };

  test.each<[string, string | null, Partial<ImportCheckpoint>]>([
    ['the next one follows', 'a2', { ...position, cursor: 'a2', accountsImported: 7 }],
    [
      'the journals follow the last, from where they were left',
      null,
      { ...startPosition, stage: 'journals', cursor: 'j2', accountsImported: 7 },
    ],
  ])('%s', (_, next, changes) => {
    const after = afterAccountPage(checkpoint, { next, position, accountsImported: 7 });
    expect(after).toEqual({ ...checkpoint, ...changes });
  });
});

describe('after a page of journals', () => {
  const next = (
    checkpoint: ImportCheckpoint,
    {
      to = null,
      count = 9,
      pagesShift = true,
    }: { to?: string | null; count?: number; pagesShift?: boolean } = {},
  ) => {
    const page = { next: to, position, journalsImported: count };
    return afterJournalPage(checkpoint, page, { pagesShift });
  };

  test('the next one follows, with what was counted so far', () => {
    const before = journals({ cursor: '1' });
    expect(next(before, { to: '2' })).toEqual({
      ...before,
      ...position,
      ...{ cursor: '2', journalsImported: 9 },
    });
  });

  test('a second pass begins anew where pages shift', () => {
    const before = journals({ cursor: '1', journalsRefused: 1, chartRereadAt: '1' });
    expect(next(before)).toEqual({
      ...before,
      ...startPosition,
      ...{ cursor: null, pass: 2, journalsImported: 9, recordedBefore: 9, chartRereadAt: null },
    });
  });

  test.each<[string, Partial<ImportCheckpoint>, { count?: number; pagesShift?: boolean }, boolean]>(
    [
      ['in the first pass, whatever it found', { cursor: '1', recordedBefore: 9 }, {}, false],
      [
        'in a later pass that found something new',
        { cursor: '1', pass: 4, recordedBefore: 8 },
        {},
        false,
      ],
      [
        'in a later pass that found nothing new',
        { cursor: '1', pass: 2, recordedBefore: 9 },
        {},
        true,
      ],
      ['in the fifth pass', { cursor: '1', pass: 5, recordedBefore: 8 }, {}, true],
      ['on a single page, where nothing can shift', { cursor: null }, {}, true],
      ['of pages that do not shift', { cursor: '1' }, { pagesShift: false }, true],
    ],
  )('the last one %s is the end, or not', (_, changes, page, isDone) => {
    expect(next(journals(changes), page).stage).toBe(isDone ? 'done' : 'journals');
  });
});

describe('the chart', () => {
  test.each([
    { isComplete: true, accountsImported: 0 },
    { isComplete: false, accountsImported: 7 },
  ])('is read again, and then the journals from the same page: %o', (it) => {
    const { isComplete, accountsImported } = it;
    const before = journals({ ...position, cursor: '3', accountsImported: 7, chartsReread: 1 });
    const after = rereadChart(before, { isComplete });
    expect(after).toEqual({
      ...before,
      ...startPosition,
      ...{ stage: 'accounts', cursor: null, accountsImported },
      ...{ journalsCursor: '3', chartRereadAt: '3', chartsReread: 2 },
    });
    expect(mayRereadChart({ ...after, stage: 'journals', cursor: '3' })).toBe(false);
  });

  test.each<[string, Partial<ImportCheckpoint>, boolean]>([
    ['for a first page', {}, true],
    ['for a first page twice', { chartRereadAt: '' }, false],
    ['for one page after another', { cursor: '3', chartRereadAt: '2', chartsReread: 9 }, true],
    ['for the same page twice', { cursor: '3', chartRereadAt: '3' }, false],
    ['more than ten times', { cursor: '3', chartRereadAt: '2', chartsReread: 10 }, false],
  ])('may be read again: %s', (_, changes, may) => {
    expect(mayRereadChart(journals(changes))).toBe(may);
  });
});
