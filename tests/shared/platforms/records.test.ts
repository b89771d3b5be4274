import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  accountsOf,
  journalsOf,
  platformAccountOf,
  readRecords,
} from '#shared/platforms/records.ts';

const schema = z.object({ id: z.string(), lines: z.array(z.object({ amount: z.number() })) });
const valid = { id: 'a', lines: [{ amount: 1 }] };
const read = (records: unknown[], kind: 'account' | 'journal' = 'journal') =>
  readRecords(records, { kind, idField: 'id', first: 201, schema });

const reason = 'record_not_understood';

describe('the records of a list', () => {
  test('are read individually', () => {
    const records = [valid, { ...valid, id: 'b', lines: [{}] }, { lines: [] }, null, 'x'];
    expect(read(records).map((it) => [it.reference, it.hasId, it.read])).toEqual(
      (
        [
          ['a', true, undefined],
          ['b', true, 'lines.0.amount'],
          ['record 203', false, 'id'],
          ['record 204', false, 'its root'],
          ['record 205', false, 'its root'],
        ] as const
      ).map(([reference, hasId, field]) => [
        reference,
        hasId,
        field === undefined
          ? { record: valid }
          : { refused: { kind: 'journal', reference, reason, field } },
      ]),
    );
  });

  test.each([
    ['', 'record 201'],
    ['9'.repeat(101), 'record 201'],
    [7, 'record 201'],
  ])('have no id if the field contains %j', (id, reference) => {
    expect(read([{ ...valid, id }])).toMatchObject([{ reference, hasId: false }]);
  });
});

test('journals without an id are refused, and others when they are read', async () => {
  const { journals, refused } = journalsOf(
    read([valid, { ...valid, id: 'b', lines: null }, { lines: [] }]),
    () => ({ state: 'voided' }),
  );
  expect(refused).toEqual([{ kind: 'journal', reference: 'record 203', reason, field: 'id' }]);
  expect(journals).toMatchObject([
    { reference: 'a', isWhole: true },
    { reference: 'b', isWhole: true },
  ]);
  const access = { companyId: '1', dataCenter: null, accessToken: 'x' };
  const results = journals.map((it) => it.read(access, { timeoutMilliseconds: 1 }));
  const unreadable = { state: 'refused', reason, field: 'lines' };
  expect(await Promise.all(results)).toEqual([{ state: 'voided' }, unreadable]);
});

const fields = { accountId: '7', code: '1000', name: 'Cash', subtype: undefined };
const account = platformAccountOf({ ...fields, type: 'asset', isArchived: false });

test('accounts of a page are imported, unused, refused or assumed', () => {
  const records = read(
    ['a', 'b', 'c', 'd'].map((id) => ({ ...valid, id })),
    'account',
  );
  const page = accountsOf([...records, ...read([null], 'account')], ({ id }) => {
    const results = [
      { account, assumedField: null },
      { account: { ...account, accountId: 'b' }, assumedField: 'type' },
      undefined,
      { refusedField: 'type' },
    ];
    return results['abcd'.indexOf(id)];
  });
  expect(page).toEqual({
    accounts: [account, { ...account, accountId: 'b' }],
    assumptions: [
      { kind: 'account', reference: 'b', assumption: 'account_type_assumed', field: 'type' },
    ],
    unused: ['c'],
    refused: [
      { kind: 'account', reference: 'd', reason, field: 'type' },
      { kind: 'account', reference: 'record 201', reason, field: 'its root' },
    ],
  });
});

const banknote = '\u{1f4b6}';
test.each<[string, object, object]>([
  ['without a code', { code: undefined }, { code: null }],
  ['with a blank code', { code: ' ' }, { code: null }],
  ['with blanks around its code', { code: ' 10-A ' }, { code: '10-A' }],
  ['with the longest code', { code: '9'.repeat(64) }, { code: '9'.repeat(64) }],
  ['with a code that is too long', { code: '9'.repeat(65) }, { code: null }],
  ['with a long name', { name: banknote.repeat(160) }, { name: banknote.repeat(150) }],
  ['that is archived', { isArchived: true }, { status: 'archived' }],
])('an account %s', (_title, changes, expected) => {
  const changed = { ...fields, type: 'asset' as const, isArchived: false, ...changes };
  expect(platformAccountOf(changed)).toEqual({ ...account, ...expected });
});
