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
const { platform, server, replyWith, asked } = await openAdapter(createXero);

const drafts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...{ ManualJournalID: uuid(1 + index), Status: 'DRAFT' },
  }));
const read = (cursor: string | null, rows = 1000) =>
  platform.journalPage(access, pageOf({ cursor, rows }));

describe('a page of manual journals', () => {
  test.each<[string, string | null, number, object]>([
    ['in an order that nothing disturbs', null, 1000, { page: '1', pageSize: '1000' }],
    ['by how many come before it', '3000', 1000, { page: '4', pageSize: '1000' }],
    ['with fewer rows from there on', '3000', 125, { page: '25', pageSize: '125' }],
    ['from before, where rows do not divide', '1025', 1000, { page: '2', pageSize: '1000' }],
  ])('is asked for %s', async (_title, cursor, rows, query) => {
    replyWith(json({ ManualJournals: [] }));
    const nothing = { journals: [], refused: [], next: null, pagesShift: false };
    expect(await read(cursor, rows)).toEqual(nothing);
    expect(asked()[0]?.query).toEqual({ ...query, order: 'ManualJournalID ASC' });
  });

  test('without an order may shift, which the others do not', async () => {
    replyWith(json({ ManualJournals: [] }));
    expect(await read('unordered:500', 500)).toMatchObject({ pagesShift: true });
    expect(asked()[0]?.query).toEqual({ page: '2', pageSize: '500' });
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
    ['is followed by the next', paged(125, {}), '250'],
    ['is the last', paged(125, { pageCount: 2 }), null],
    ['is beyond the last', paged(0, { pageCount: 1 }), null],
    ['does not say, and is full: it may be all', paged(125, null), 'unordered:0'],
    ['does not say, and is not full', paged(99, null), null],
    ['is longer: the list has no order', paged(126, {}), 'unordered:0'],
    ['is longer, and has all that there is', paged(300, {}), null],
    ['is shorter: Xero has its own size', paged(100, { pageSize: 100 }), '0/100'],
  ])('that %s', async (_title, reply, next) => {
    replyWith(json(reply));
    expect(await read('125', 125)).toMatchObject({ next });
  });

  test.each<[string, string, object]>([
    ['is another', '125', paged(125, { page: 1 })],
    ['is empty, with more to follow', '125', paged(0, {})],
    ['has another size again', '125/125', paged(100, { pageSize: 100 })],
    ['is asked for by nothing known', 'page 2', {}],
  ])('that %s does not advance', async (_title, cursor, reply) => {
    replyWith(json({ ManualJournals: [], ...reply }));
    expect(await reasonOf(read(cursor, 125))).toBe('page_did_not_advance');
  });

  const tooLarge: FakeReply = { body: `["${'x'.repeat(3 * 1024 * 1024)}"]` };
  test.each<[string, FakeReply | undefined, string, number, string]>([
    ['is too large is looked for without an order', tooLarge, '0', 1000, 'unordered:0'],
    ['had too little time is for its caller to ask for', undefined, '0', 500, 'platform_timed_out'],
    ['is too large without an order, too', tooLarge, 'unordered:0', 500, 'reply_too_large'],
    ['fails otherwise fails', status(500), '0', 500, 'platform_unavailable'],
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
  ['is shortened first', '0', 1000, true],
  ['is looked for without an order', '500', 500, false],
  ['has nothing else in its place', 'unordered:0', 500, true],
])('a page that takes too long %s', (_, cursor, rows, isThrown) => {
  const late = new PlatformFailure('platform_timed_out');
  const instead = () => pageAt(cursor, rows).insteadAfter(late, { isCutShort: false });
  if (isThrown) expect(instead).toThrow(late);
  else expect(instead()).toMatchObject({ journals: [], next: 'unordered:0' });
});

/** How Xero might serve its list. */
type Serving = {
  count: number;
  /** All journals come on every page that has an order. */
  isOrderBroken: boolean;
  /** The size that pages have whatever is asked for. */
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

test('every journal is listed, however Xero pages and however rows get fewer', async () => {
  const serving = fc.record({
    count: fc.oneof(fc.integer({ min: 0, max: 700 }), fc.constantFrom(100, 125, 250, 500, 1000)),
    isOrderBroken: fc.boolean(),
    fixedSize: fc.constantFrom(null, 100),
    statesPages: fc.boolean(),
  });
  const sizes = fc.array(fc.constantFrom(...platform.pageSizes.journals), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(serving, sizes, async (given, chosen) => {
      const fewer = [...chosen].sort((one, other) => other - one);
      const listed = new Set<string>();
      let rows = fewer[0] ?? 1000;
      let cursor: string | null = null;
      for (let calls = 0; calls < 80; calls += 1) {
        rows = fewer[calls] ?? rows;
        const { journals, next } = await readServed(given, { cursor, rows });
        for (const { reference } of journals) listed.add(reference);
        if (next === null) return listed.size === given.count;
        cursor = next;
      }
      return false;
    }),
    { numRuns: 60 },
  );
}, 30_000);

const readServed = async (given: Serving, page: { cursor: string | null; rows: number }) => {
  server.requests.length = 0;
  server.reply = () => {
    const { path = '' } = server.requests.at(-1) ?? {};
    return serve(given, new URL(path, server.url).searchParams);
  };
  return platform.journalPage(access, pageOf(page));
};
