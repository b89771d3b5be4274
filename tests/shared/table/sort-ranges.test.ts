import { afterAll, expect, test } from 'vitest';
import { prefixRange, sortRange } from '#shared/table/sort-ranges.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';

const pk = 'P';
const sorts = ['A', 'A#', 'A#1', 'A#2', 'A#2#x', 'A#~', 'A#\u{1F600}', 'A$', 'B#1', 'a#1'];
const { table, close } = await openTestTable({
  items: [...sorts.map((sk) => ({ pk, sk })), { pk: 'Q', sk: 'A#1' }],
});
afterAll(close);

test.each([
  ['A#', ['A#', 'A#1', 'A#2', 'A#2#x', 'A#~', 'A#\u{1F600}']],
  ['A#2', ['A#2', 'A#2#x']],
  ['a', ['a#1']],
  ['C', []],
])('a prefix finds the keys that start with %s, in this case', async (prefix, expected) => {
  const items = await table.query(prefixRange(pk, prefix));
  expect(items.map(({ sk }) => sk)).toEqual(expected);
});

test.each([
  [true, 1],
  [true, 2],
  [false, 1],
  [false, 3],
])('a range can be read in pages: forward %s, %i items per call', async (isForward, Limit) => {
  const query = sortRange(pk, { first: 'A#1', last: 'B#1' });
  const sortsOf: unknown[][] = [];
  for await (const page of table.queryPages({ ...query, ScanIndexForward: isForward, Limit })) {
    sortsOf.push(page.map(({ sk }) => sk));
  }
  const within = sorts.slice(sorts.indexOf('A#1'), sorts.indexOf('B#1') + 1);
  expect(sortsOf.flat()).toEqual(isForward ? within : within.toReversed());
  expect(Math.max(...sortsOf.map(({ length }) => length))).toBe(Limit);
});
