import { expect, test } from 'vitest';
import type { RawItem } from '../support/readers/item-kinds.ts';
import { acknowledgementViolations, importViolations } from './checks.ts';
import {
  batchNamed,
  cancellationOf,
  entryNamed,
  lockOn,
  type Operation,
  tenantNamed,
  userNamed,
} from './operations.ts';

const asked = {
  ...{ domainUrl: 'books', date: '2026-03-23', lineCount: 2, currency: 'EUR' },
  accrualDate: undefined,
};
const posting = (name: string, acknowledged?: string, externalId?: string): Operation => ({
  ...entryNamed(name, { ...asked, externalId }),
  ...(acknowledged !== undefined && { acknowledged }),
});
const entry = (memo: string, entryId: string, journalNumber: string) => ({
  kind: 'entry',
  memo,
  entryId,
  journalNumber,
});

const user = { ...userNamed('ada@example.com'), acknowledged: '7' };
const tenant = { ...tenantNamed('Books', '7'), acknowledged: 'books' };
const userItem = { sk: 'USER', email: 'ada@example.com', userId: '7' };
const tenantItem = { sk: 'TENANT', companyName: 'Books', schemaName: 'books' };
const [first, second] = [entry('first', 'e1', 'MJ-1'), entry('second', 'e2', 'MJ-2')];

const operations = [user, tenant, posting('first', 'e1 MJ-1', 'x1'), posting('second', 'e2 MJ-2')];
const unanswered = [...operations, posting('never answered')];
const items: RawItem[] = [userItem, tenantItem, first, second];
const sameNumber = [posting('first', 'e1 MJ-1'), posting('second', 'e2 MJ-1')];

const batch = batchNamed('all', { ...asked, externalId: undefined });
const inBatch = [0, 1, 2, 3].map((place) => entry(`all, ${place}`, `b${place}`, `MJ-${place}`));
const wholeBatch = { ...batch, acknowledged: 'b0 MJ-0, b1 MJ-1, b2 MJ-2, b3 MJ-3' };
const cancelled = { ...cancellationOf(posting('first')), acknowledged: 'cancelled' };
const lock = lockOn('1990-01-07', 'books');

test.each<[string, RawItem[], Operation[], string[]]>([
  [
    'nothing where a batch is whole, a lock is kept, and what was cancelled is',
    [...inBatch, { sk: 'LOCK#now#1', to: '1990-01-07' }, { ...first, status: 'cancelled' }],
    [wholeBatch, cancelled, lock],
    [],
  ],
  ['half a batch', inBatch.slice(1), [batch], ['batch "all" has 3 entries']],
  ['a lost batch', [], [wholeBatch], ['batch "all" is lost']],
  [
    'a batch in another order',
    inBatch.toReversed().map((it, place) => ({ ...it, memo: `all, ${place}` })),
    [wholeBatch],
    [expect.stringMatching(/^batch "all" was acknowledged as b0 .* and is b3 /)],
  ],
  [
    'a lost lock',
    [{ sk: 'TENANT', lockDate: '1990-01-07' }],
    [lock],
    ['lock "1990-01-07" is lost'],
  ],
  [
    'what was cancelled and posts all the same',
    [{ ...first, status: 'posted' }],
    [cancelled],
    ['cancellation "first" was acknowledged as cancelled and is posted'],
  ],
  ['nothing where all is well', items, unanswered, []],
  ['a lost entry', items.slice(0, 3), operations, ['entry "second" is lost']],
  ['a lost user', items.slice(1), operations, ['user "ada@example.com" is lost']],
  [
    'a doubled entry',
    [...items, entry('first', 'e3', 'MJ-3')],
    operations,
    ['entry "first" is there 2 times'],
  ],
  [
    'a doubled tenant',
    [...items, { ...tenantItem, schemaName: 'books_x' }],
    operations,
    ['tenant "Books" is there 2 times'],
  ],
  [
    'another number',
    [...items.slice(0, 3), entry('second', 'e2', 'MJ-3')],
    operations,
    ['entry "second" was acknowledged as e2 MJ-2 and is e2 MJ-3'],
  ],
  [
    'another user id',
    [{ ...userItem, userId: '8' }, ...items.slice(1)],
    operations,
    ['user "ada@example.com" was acknowledged as 7 and is 8'],
  ],
  [
    'a number that two were told',
    [first, entry('second', 'e2', 'MJ-1')],
    sameNumber,
    ['books MJ-1 was given to 2 entries'],
  ],
  [
    'what can be sent again, was, and is not there',
    [],
    [posting('third', undefined, 'x3')],
    ['entry "third" is lost'],
  ],
])('the check of what was acknowledged finds %s', (_, held, asked, found) => {
  expect(acknowledgementViolations(held, asked)).toEqual(found);
});

test.each([
  ['active', 2, []],
  ['importing', 2, ['tenant linden is importing']],
  ['active', 1, ['tenant linden has 1 of 2 imported journals']],
  ['active', 3, ['tenant linden has 3 of 2 imported journals']],
])(
  'the check of imports, where a tenant is %s and has %i of 2 journals',
  (status, count, found) => {
    const pk = 'APP#a#TENANT#linden';
    const journals = Array.from({ length: count }, (_, number) => ({
      pk,
      sk: `ENTRY#2026-01-31#IJ#${number}`,
      kind: 'entry',
    }));
    const held = [{ pk, sk: 'TENANT', status }, ...journals];
    expect(importViolations(held, [{ schemaName: 'linden', journals: 2 }])).toEqual(found);
  },
);
