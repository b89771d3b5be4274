import { describe, expect, test } from 'vitest';
import { PlatformFailure } from '#shared/platforms/platform.ts';
import { openZohoPacing, waitOf, type ZohoAllowance } from '#shared/platforms/zoho/zoho-pacing.ts';
import { cursorAfter, zohoPageAt, zohoPageSizes } from '#shared/platforms/zoho/zoho-pages.ts';

/** A list whose pages may have a size of the platform's own. */
const serve = (count: number, { page, per_page }: { page: number; per_page: number }) => {
  const rows = [...Array(count).keys()].slice((page - 1) * per_page, page * per_page);
  return { rows, context: { page, per_page, has_more_page: page * per_page < count } };
};

type Answer = (asked: { page: number; per_page: number }) => ReturnType<typeof serve>;

/** Reads a list with these page sizes. */
const walk = (answer: Answer, sizes: readonly number[] = [200]) => {
  const read: number[] = [];
  let cursor: string | null = null;
  let calls = 0;
  do {
    const rows = sizes[Math.min(calls, sizes.length - 1)] as number;
    const page = zohoPageAt({ cursor, rows });
    const reply = answer({ page: page.page, per_page: rows });
    read.push(...reply.rows);
    cursor = cursorAfter(page, { context: reply.context, listed: reply.rows.length });
    calls += 1;
  } while (cursor !== null && calls < 100);
  return { read: new Set(read).size, again: read.length - new Set(read).size, calls };
};

const honest =
  (count: number): Answer =>
  (asked) =>
    serve(count, asked);
const ownSize =
  (count: number, per_page: number): Answer =>
  ({ page }) =>
    serve(count, { page, per_page });
const ownSizeUnsaid =
  (count: number, per_page: number): Answer =>
  ({ page }) => {
    const { rows, context } = serve(count, { page, per_page });
    return { rows, context: { ...context, per_page: undefined as unknown as number } };
  };
const fromThirdCall = (first: Answer, then: Answer): Answer => {
  let calls = 0;
  return (asked) => {
    calls += 1;
    return (calls < 3 ? first : then)(asked);
  };
};

describe('a list', () => {
  const all = { read: 1_005, again: 0 };
  test.each<[string, Answer, readonly number[], ReturnType<typeof walk>]>([
    ['in pages of 200', honest(1_005), [200], { ...all, calls: 6 }],
    ['in pages that get smaller', honest(1_005), zohoPageSizes, { ...all, calls: 30 }],
    ['that ends with a page', honest(400), [200], { read: 400, again: 0, calls: 2 }],
    ['of nothing', honest(0), [200], { read: 0, again: 0, calls: 1 }],
    ['in pages smaller than asked for', ownSize(1_005, 100), [200, 25], { ...all, calls: 11 }],
    ['in pages longer than asked for', ownSize(1_005, 500), [200, 25], { ...all, calls: 3 }],
    ['in such pages, unsaid', ownSizeUnsaid(1_005, 500), [100, 25], { ...all, calls: 3 }],
    ['all at once', ownSize(1_005, 5_000), [200], { ...all, calls: 1 }],
    [
      'that changes its mind',
      fromThirdCall(honest(1_005), ownSize(1_005, 500)),
      [100],
      { read: 1_005, again: 205, calls: 6 },
    ],
  ])('%s is read to its end', (_title, answer, sizes, expected) => {
    expect(walk(answer, sizes)).toEqual(expected);
  });

  test.each<[string, () => unknown]>([
    ['another page', () => cursorAfter(zohoPageAt({ cursor: null, rows: 200 }), pageTwo)],
    ['a cursor that is none', () => zohoPageAt({ cursor: 'next', rows: 200 })],
  ])('does not advance by %s', (_title, failing) => {
    expect(failing).toThrow(new PlatformFailure('page_did_not_advance'));
  });
  const pageTwo = { context: { page: 2, has_more_page: true }, listed: 200 };
});

const now = 1_000_000;
const [minute, day] = [now + 30_000, now + 34_881_000];
const calls = (count: number, ageMilliseconds: number) =>
  Array<number>(count).fill(now - ageMilliseconds);

describe('the wait before the next call', () => {
  test.each<[string, Partial<ZohoAllowance>, number]>([
    ['is none while much is left of a minute', { remaining: 50 }, 0],
    ['spreads the last calls of a minute', { remaining: 9 }, 3_000],
    ['lasts until the end of a minute without any', { remaining: 0 }, 30_000],
    ['is none once the minute is over', { remaining: 0, resetsAt: now - 1 }, 0],
    ['is none while much is left of a day', { limit: 7_500, remaining: 6_775, resetsAt: day }, 0],
    [
      'leaves the last calls of a day to others',
      { limit: 7_500, remaining: 750, resetsAt: day },
      34_881_000,
    ],
    [
      'minds the minute’s own limit while a day’s is told',
      { limit: 7_500, remaining: 6_775, resetsAt: day, calls: calls(90, 20_000) },
      40_000,
    ],
    [
      'is none for calls of long ago',
      { limit: 7_500, remaining: 6_775, resetsAt: day, calls: calls(90, 61_000) },
      0,
    ],
  ])('%s', (_title, changes, expected) => {
    const allowance = { limit: 100, remaining: 100, resetsAt: minute, calls: [], ...changes };
    expect(waitOf(allowance, now)).toBe(expected);
  });

  test('is for one company, and needs all three headers', () => {
    const pacing = openZohoPacing(() => now);
    const headers = (remaining: string) =>
      new Headers({
        'X-Rate-Limit-Limit': '100',
        'X-Rate-Limit-Remaining': remaining,
        'X-Rate-Limit-Reset': '30',
      });
    pacing.recordReply('1', headers('0'));
    pacing.recordReply('2', headers('none'));
    pacing.recordReply('3', new Headers({ 'X-Rate-Limit-Remaining': '0' }));
    expect(['1', '2', '3', '4'].map(pacing.waitMilliseconds)).toEqual([30_000, 0, 0, 0]);
  });

  test('counts the calls of a minute', () => {
    let time = now;
    const pacing = openZohoPacing(() => time);
    const ofDay = { 'X-Rate-Limit-Limit': '7500', 'X-Rate-Limit-Reset': '34881' };
    for (let call = 0; call < 90; call += 1) {
      expect(pacing.waitMilliseconds('1')).toBe(0);
      pacing.recordReply('1', new Headers({ ...ofDay, 'X-Rate-Limit-Remaining': '6000' }));
      time += 100;
    }
    expect(pacing.waitMilliseconds('1')).toBe(51_000);
  });
});
