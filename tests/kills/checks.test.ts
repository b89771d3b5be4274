import { describe, expect, test } from 'vitest';
import { broken, brokenImports } from './checks.ts';
import { entryNamed, type Operation, tenantNamed, userNamed } from './operations.ts';

const posting = (name: string, acknowledged?: string, externalId?: string): Operation => ({
  ...entryNamed(name, {
    domainUrl: 'books',
    date: '2026-03-23',
    lineCount: 2,
    currency: 'EUR',
    accrualDate: undefined,
    externalId,
  }),
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

const operations = [user, tenant, posting('first', 'e1 MJ-1', 'x1'), posting('second', 'e2 MJ-2')];
const items = [userItem, tenantItem, entry('first', 'e1', 'MJ-1'), entry('second', 'e2', 'MJ-2')];

describe('a check of what was acknowledged', () => {
  test('finds nothing where all is well', () => {
    expect(broken(items, operations)).toEqual([]);
    expect(broken(items, [...operations, posting('never answered')])).toEqual([]);
  });

  test.each([
    ['a lost entry', items.slice(0, 3), 'entry "second" is lost'],
    ['a lost user', items.slice(1), 'user "ada@example.com" is lost'],
    ['a doubled entry', [...items, entry('first', 'e3', 'MJ-3')], 'entry "first" is there 2 times'],
    [
      'a doubled tenant',
      [...items, { ...tenantItem, schemaName: 'books_x' }],
      'tenant "Books" is there 2 times',
    ],
    [
      'another number',
      [...items.slice(0, 3), entry('second', 'e2', 'MJ-3')],
      'entry "second" was acknowledged as e2 MJ-2 and is e2 MJ-3',
    ],
    [
      'another user id',
      [{ ...userItem, userId: '8' }, ...items.slice(1)],
      'user "ada@example.com" was acknowledged as 7 and is 8',
    ],
  ])('finds %s', (_, spoilt, wrong) => {
    expect(broken(spoilt, operations)).toEqual([wrong]);
  });

  test('finds a number that two were told', () => {
    const told = [posting('first', 'e1 MJ-1'), posting('second', 'e2 MJ-1')];
    const held = [entry('first', 'e1', 'MJ-1'), entry('second', 'e2', 'MJ-1')];
    expect(broken(held, told)).toEqual(['books MJ-1 was given to 2 entries']);
  });

  test('finds what can be sent again, was, and is not there', () => {
    expect(broken([], [posting('third', undefined, 'x3')])).toEqual(['entry "third" is lost']);
  });
});

test('a check of imports finds a tenant that is not active, and journals lost or doubled', () => {
  const pk = 'APP#a#TENANT#linden';
  const journal = (number: number) => ({ pk, sk: `ENTRY#2026-01-31#IJ#${number}`, kind: 'entry' });
  const connected = [{ schemaName: 'linden', journals: 2 }];
  const check = (status: string, numbers: number[]) =>
    brokenImports([{ pk, sk: 'TENANT', status }, ...numbers.map(journal)], connected);
  expect(check('active', [1, 2])).toEqual([]);
  expect(check('importing', [1, 2])).toEqual(['tenant linden is importing']);
  expect(check('active', [1])).toEqual(['tenant linden has 1 of 2 imported journals']);
  expect(check('active', [1, 2, 3])).toEqual(['tenant linden has 3 of 2 imported journals']);
});
