import { describe, expect, test } from 'vitest';
import {
  canCombine,
  combine,
  countFitting,
  type SingleEntry,
} from '#shared/entries/combined-recording.store.ts';
import { noHash } from '#shared/entries/entry-hash.ts';
import { carriedKey } from '#shared/table/carried-keys.ts';
import {
  entryIdempotencyKey,
  externalIdKey,
  keyText,
  sheetKey,
  tenantLinkKey,
} from '#shared/table/keys.ts';
import { keyOfAction, maximumTransactionActions } from '#shared/table/table.ts';
import { fullRows } from '../../support/builders/full-sheets.ts';
import { expectedEntry } from '../../support/builders/journal-entry.ts';

const name = { applicationId: 'app1', schemaName: 'acme_k7m2xq' };
const { date } = expectedEntry;
const sheet = sheetKey(name, { series: 'MJ', date });
const user = { applicationId: 'app1', email: 'ada@example.com' };

const request = ({
  externalId = null,
  ...changes
}: Partial<SingleEntry> & { externalId?: string | null } = {}): SingleEntry => ({
  entry: { ...expectedEntry, externalId },
  random: new Uint8Array(9),
  idempotencyKey: undefined,
  user: undefined,
  ...changes,
});

type Found = [key: { pk: string; sk: string }, item: Record<string, unknown> | undefined];

const combined = (requests: readonly SingleEntry[], found: readonly Found[] = []) => {
  const snapshot = new Map([
    [keyText(sheet), undefined],
    ...found.map(([key, item]) => [keyText(key), item] as const),
  ]);
  return combine(name, { date, requests }, snapshot);
};

describe('one transaction for several requests', () => {
  test.each<[string, SingleEntry[], Found[], (number | undefined)[]]>([
    ['numbers entries in their order', [request(), request()], [], [1, 2]],
    [
      'leaves the second of two with one external_id',
      [request({ externalId: 'a' }), request({ externalId: 'a' }), request()],
      [],
      [1, undefined, 2],
    ],
    [
      'leaves the second of two with one Idempotency-Key',
      [request({ idempotencyKey: 'k' }), request({ idempotencyKey: 'k' })],
      [],
      [1, undefined],
    ],
    [
      'leaves an entry whose external_id is used',
      [request({ externalId: 'a' }), request()],
      [[externalIdKey(name, 'a'), { entrySk: 'ENTRY' }]],
      [undefined, 1],
    ],
    [
      'leaves an entry whose Idempotency-Key is used',
      [request({ idempotencyKey: 'k' }), request()],
      [[entryIdempotencyKey(name, 'k'), { entrySk: 'ENTRY' }]],
      [undefined, 1],
    ],
    [
      'leaves an entry of a user without a link to the tenant',
      [request({ user }), request()],
      [[tenantLinkKey(user, name.schemaName), undefined]],
      [undefined, 1],
    ],
    [
      'leaves all entries if the date has no room for them',
      [request(), request()],
      [[sheet, { lastSequence: 1, revision: 1, counted: 1, head: noHash, rows: fullRows() }]],
      [undefined, undefined],
    ],
  ])('%s', (_, requests, found, sequences) => {
    const { result } = combined(requests, found);
    expect(result.map((entry) => entry?.journalNumber)).toEqual(
      sequences.map((it) => it && `MJ-${date.replaceAll('-', '')}-000${it}`),
    );
  });

  test('writes nothing if it records nothing', () => {
    const found: Found[] = [[externalIdKey(name, 'a'), { entrySk: 'ENTRY' }]];
    expect(combined([request({ externalId: 'a' })], found)).toEqual({ result: [undefined] });
  });

  test('guards every key, and checks a user once', () => {
    const { actions = [] } = combined([
      request({ externalId: 'a', idempotencyKey: 'k', user }),
      request({ externalId: 'b', user }),
    ]);
    const keys = actions.map((action) => keyOfAction(action).sk.split('#')[0]);
    expect(keys.sort()).toEqual(
      ['SEQUENCE', 'ENTRY', 'ENTRY', 'EXT', 'EXT', 'IDEMPOTENCY', 'TENANT'].sort(),
    );
    for (const action of actions) expect(action).toHaveProperty('condition');
  });

  test.each([
    ['a recent date', []],
    ['a date that may be carried', [], '2027-01-01T00:00:00.000Z'],
    ['a date that is carried', [[carriedKey(name), { closed: '9999-12-31' }]]],
  ] as [string, Found[], string?][])('fits for %s', (_, found, createdAt) => {
    const entry = { ...expectedEntry, externalId: null, ...(createdAt && { createdAt }) };
    const requests = Array.from({ length: 120 }, () => request({ entry }));
    const { actions = [] } = combined(requests.slice(0, countFitting(requests)), found);
    expect(actions.length).toBeGreaterThan(97);
    expect(actions.length).toBeLessThanOrEqual(maximumTransactionActions);
  });

  const long = { ...expectedEntry, memo: 'x'.repeat(2 ** 18) };
  test.each([
    ['without guards', {}, 97],
    ['with an external_id', { externalId: 'a' }, 48],
    ['with all guards and a user', { externalId: 'a', idempotencyKey: 'k', user }, 24],
    ['of 256 KB', { entry: long }, 7],
    ['of more than the maximum', { entry: { ...long, memo: 'x'.repeat(2 ** 22) } }, 1],
  ])('has room for entries %s', (_, changes, count) => {
    const requests = Array.from({ length: 120 }, () => request(changes));
    expect(countFitting(requests)).toBe(count);
    expect(countFitting(requests.slice(0, 1))).toBe(1);
  });
});

test.each([
  ['a posted entry', {}, true],
  ['a scheduled entry', { status: 'scheduled', accrualDate: '2026-04-01' }, false],
  ['an entry that counts on an earlier date', { accrualDate: '2026-03-01' }, false],
  ['an entry of several items', { lines: Array(101).fill(expectedEntry.lines[0]) }, false],
] as const)('%s can be combined with others: %o', (_, changes, expected) => {
  expect(canCombine({ ...expectedEntry, ...changes })).toBe(expected);
});
