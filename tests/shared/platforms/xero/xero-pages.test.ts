import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PlatformFailure } from '#shared/platforms/platform.ts';
import { createXero } from '#shared/platforms/xero/xero.ts';
import { pageAt } from '#shared/platforms/xero/xero-pages.ts';
import {
  json,
  openAdapter,
  pageOf,
  reasonOf,
  status,
} from '../../../support/harnesses/adapters.ts';
import type { FakeReply } from '../../../support/servers/fake-server.ts';

const uuid = (number: number): string =>
  `99cb8353-ce73-4a5d-8e0d-${String(number).padStart(12, '0')}`;
const access = { companyId: uuid(0), dataCenter: null, accessToken: 'Secret-Access' };
const { platform, server, replyWith, sentRequests } = await openAdapter(createXero);

const drafts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ManualJournalID: uuid(1 + index),
    Status: 'DRAFT',
  }));
const read = (cursor: string | null, rows = 1000) =>
  platform.journalPage(access, pageOf({ cursor, rows }));

describe('a page of manual journals', () => {
  test.each<[string, string | null, number, object]>([
    ['by id', null, 1000, { page: '1', pageSize: '1000' }],
    ['after 3000 journals', '3000', 1000, { page: '4', pageSize: '1000' }],
    ['with fewer rows from there', '3000', 125, { page: '25', pageSize: '125' }],
    [
      'from an earlier journal, if the rows do not divide the position',
      '1025',
      1000,
      { page: '2', pageSize: '1000' },
    ],
  ])('is requested %s', async (_title, cursor, rows, query) => {
    replyWith(json({ ManualJournals: [] }));
    const nothing = { journals: [], refused: [], next: null, pagesShift: false };
    expect(await read(cursor, rows)).toEqual(nothing);
    expect(sentRequests()[0]?.query).toEqual({ ...query, order: 'ManualJournalID ASC' });
  });

  test('without an order can shift', async () => {
    replyWith(json({ ManualJournals: [] }));
    expect(await read('unordered:500', 500)).toMatchObject({ pagesShift: true });
    expect(sentRequests()[0]?.query).toEqual({ page: '2', pageSize: '500' });
    expect(platform.pagesShift).toBe(false);
  });

  const paged = (listed: number, pagination: object | null) => ({
    pagination: pagination && {
      page: 2,
      pageSize: 125,
      pageCount: 3,
      itemCount: 300,
      ...pagination,
    },
    ManualJournals: drafts(listed),
  });

  test.each<[string, object, string | null]>([
    ['has a next page', paged(125, {}), '250'],
    ['is the last page', paged(125, { pageCount: 2 }), null],
    ['is after the last page', paged(0, { pageCount: 1 }), null],
    ['is full without pagination, so it may be the whole list', paged(125, null), 'unordered:0'],
    ['is not full, without pagination', paged(99, null), null],
    ['is too long, so the list has no order', paged(126, {}), 'unordered:0'],
    ['is too long and contains the whole list', paged(300, {}), null],
    ['is too short, so Xero has its own size', paged(100, { pageSize: 100 }), '0/100'],
  ])('that %s', async (_title, reply, next) => {
    replyWith(json(reply));
    expect(await read('125', 125)).toMatchObject({ next });
  });

  test.each<[string, string, object]>([
    ['is another page', '125', paged(125, { page: 1 })],
    ['is empty before the last page', '125', paged(0, {})],
    ['changes its size twice', '125/125', paged(100, { pageSize: 100 })],
    ['has an invalid cursor', 'page 2', {}],
  ])('that %s does not advance', async (_title, cursor, reply) => {
    replyWith(json({ ManualJournals: [], ...reply }));
    expect(await reasonOf(read(cursor, 125))).toBe('page_did_not_advance');
  });

  const tooLarge: FakeReply = { body: `["${'x'.repeat(3 * 1024 * 1024)}"]` };
  test.each<[string, FakeReply | undefined, string, number, string]>([
    ['is too large is read without an order', tooLarge, '0', 1000, 'unordered:0'],
    ['had too little time fails', undefined, '0', 500, 'platform_timed_out'],
    ['is too large without an order fails', tooLarge, 'unordered:0', 500, 'reply_too_large'],
    ['fails for another reason fails', status(500), '0', 500, 'platform_unavailable'],
  ])('that %s', async (_title, reply, cursor, rows, expected) => {
    server.reply = reply;
    const reading = platform.journalPage(
      access,
      pageOf({ cursor, rows, timeoutMilliseconds: reply ? 10_000 : 300 }),
    );
    const isPage = expected.startsWith('unordered');
    if (isPage) expect(await reading).toMatchObject({ journals: [], next: expected });
    else expect(await reasonOf(reading)).toBe(expected);
  });
});

test.each([
  ['is requested with fewer rows first', '0', 1000, true],
  ['is then read without an order', '500', 500, false],
  ['fails without an order', 'unordered:0', 500, true],
])('a page that times out %s', (_, cursor, rows, isThrown) => {
  const late = new PlatformFailure('platform_timed_out');
  const instead = () => pageAt(cursor, rows).insteadAfter(late, { isCutShort: false });
  if (isThrown) expect(instead).toThrow(late);
  else expect(instead()).toMatchObject({ journals: [], next: 'unordered:0' });
});

/** Possible behaviour of Xero's list. */
type Serving = {
  count: number;
  /** Each page of an ordered list contains all journals. */
  isOrderBroken: boolean;
  /** A page size that ignores the requested size. */
  fixedSize: number | null;
  statesPages: boolean;
};

const serve = (
  { count, isOrderBroken, fixedSize, statesPages }: Serving,
  query: URLSearchParams,
) => {
  const [page, size] = [Number(query.get('page')), fixedSize ?? Number(query.get('pageSize'))];
  const isAll = isOrderBroken && query.has('order');
  const rows = isAll ? drafts(count) : drafts(count).slice((page - 1) * size, page * size);
  const pagination = { page, pageSize: size, pageCount: Math.ceil(count / size), itemCount: count };
  return json({ ManualJournals: rows, ...(statesPages && { pagination }) });
};

test('every journal is listed with any paging of Xero and any page sizes', async () => {
  const serving = fc.record({
    count: fc.oneof(fc.integer({ min: 0, max: 700 }), fc.constantFrom(100, 125, 250, 500, 1000)),
    isOrderBroken: fc.boolean(),
    fixedSize: fc.constantFrom(null, 100),
    statesPages: fc.boolean(),
  });
  const sizes = fc.array(fc.constantFrom(...platform.pageSizes.journals), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(serving, sizes, async (list, chosen) => {
      const fewer = [...chosen].sort((one, other) => other - one);
      const listed = new Set<string>();
      let rows = fewer[0] ?? 1000;
      let cursor: string | null = null;
      for (let calls = 0; calls < 80; calls += 1) {
        rows = fewer[calls] ?? rows;
        const { journals, next } = await readServed(list, { cursor, rows });
        for (const { reference } of journals) listed.add(reference);
        if (next === null) return listed.size === list.count;
        cursor = next;
      }
      return false;
    }),
    { numRuns: 60 },
  );
}, 30_000);

const readServed = async (list: Serving, page: { cursor: string | null; rows: number }) => {
  server.requests.length = 0;
  server.reply = () => {
    const { path = '' } = server.requests.at(-1) ?? {};
    return serve(list, new URL(path, server.url).searchParams);
  };
  return platform.journalPage(access, pageOf(page));
};
