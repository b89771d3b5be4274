import { describe, expect, test } from 'vitest';
import { combine, groupsOf } from '#shared/entries/inbox/combined-recording.store.ts';
import { pauseBefore } from '#shared/entries/inbox/inbox-wait.store.ts';
import {
  canWait,
  contentOf,
  type EntryInRequest,
  waitingEntryOf,
} from '#shared/entries/inbox/waiting-entry.store.ts';
import { ticketIn, ticketOf, waitingEntryKey } from '#shared/table/inbox-keys.ts';
import { externalIdKey, keyText, sheetKey, tenantLinkKey } from '#shared/table/keys.ts';
import type { Snapshot } from '#shared/table/optimistic-write.ts';
import { keyOfAction } from '#shared/table/table.ts';
import { expectedEntry } from '../../../support/builders/journal-entry.ts';

const name = { applicationId: 'app1', schemaName: 'acme_k7m2xq' };
const of = { series: 'MJ', date: expectedEntry.date } as const;
const now = 1_000_000;
const user = { applicationId: 'app1', email: 'ada@example.com' };

const itemOf = (
  place: number,
  changes: Partial<EntryInRequest> & { externalId?: string | null; deadline?: number } = {},
) => {
  const { externalId = null, deadline = now + 1, ...more } = changes;
  const random = new Uint8Array(9).fill(place);
  const entry = { ...expectedEntry, externalId };
  const request = { entry, random, idempotencyKey: undefined, user: undefined, ...more };
  const key = waitingEntryKey(name, of, ticketOf(now - 100 + place, random));
  return { ...key, state: 'waiting', deadline, content: contentOf(request) };
};
type WaitingItem = ReturnType<typeof itemOf>;

const snapshotOf = (items: readonly WaitingItem[], more: [string, object | undefined][] = []) =>
  new Map<string, unknown>([
    [keyText(sheetKey(name, of)), undefined],
    ...items.map((item) => [keyText(item), item] as const),
    ...more,
  ]) as Snapshot;

/** What the transaction for these items does with each. */
const fateOf = (items: readonly WaitingItem[], more: [string, object | undefined][] = []) => {
  const group = items.map(waitingEntryOf);
  const snapshot = snapshotOf(items, more);
  const { result, actions = [] } = combine(
    name,
    { of, group, now, isContended: true, waitMilliseconds: 0 },
    snapshot,
  );
  return items.map(({ sk }) => {
    const ending = actions.find((action) => keyOfAction(action).sk === sk);
    const values = ending && 'update' in ending ? ending.values : {};
    return values?.[':state'] ?? (result.numbers.has(ticketIn({ sk })) ? 'numbered' : 'left');
  });
};

describe('a transaction for waiting entries', () => {
  const recorded = 'recorded';
  const returned = 'returned';
  test.each<[string, WaitingItem[], [string, object | undefined][], string[]]>([
    ['records new entries', [itemOf(1), itemOf(2)], [], [recorded, recorded]],
    [
      'returns the second of two with one external_id',
      [itemOf(1, { externalId: 'a' }), itemOf(2, { externalId: 'a' })],
      [],
      [recorded, returned],
    ],
    [
      'returns the second of two with one Idempotency-Key',
      [itemOf(1, { idempotencyKey: 'k' }), itemOf(2, { idempotencyKey: 'k' })],
      [],
      [recorded, returned],
    ],
    [
      'returns an entry whose external_id is used',
      [itemOf(1, { externalId: 'a' }), itemOf(2)],
      [[keyText(externalIdKey(name, 'a')), { entrySk: 'ENTRY' }]],
      [returned, recorded],
    ],
    [
      'returns an entry of an unlinked user',
      [itemOf(1, { user }), itemOf(2)],
      [[keyText(tenantLinkKey(user, name.schemaName)), undefined]],
      [returned, recorded],
    ],
    [
      'leaves an entry after its deadline',
      [itemOf(1, { deadline: now }), itemOf(2)],
      [],
      ['left', recorded],
    ],
  ])('%s', (_, items, more, fates) => {
    expect(fateOf(items, more)).toEqual(fates);
  });

  test('leaves an entry that was withdrawn meanwhile', () => {
    const [first, second] = [itemOf(1), itemOf(2)];
    const withdrawn = { pk: first.pk, sk: first.sk, state: 'withdrawn' };
    expect(fateOf([first, second], [[keyText(first), withdrawn]])).toEqual(['left', 'recorded']);
  });

  test('writes nothing if no entry waits any more', () => {
    const items = [itemOf(1, { deadline: now })];
    const group = items.map(waitingEntryOf);
    const decided = combine(
      name,
      { of, group, now, isContended: true, waitMilliseconds: 0 },
      snapshotOf(items),
    );
    expect(decided).toEqual({ result: { numbers: new Map(), sheetItem: undefined } });
  });

  test.each([
    ['without guards', {}, 49],
    ['with an external_id', { externalId: 'a' }, 33],
    [
      'with an external_id, an Idempotency-Key and a user',
      { externalId: 'a', idempotencyKey: 'k', user },
      19,
    ],
  ])('has room for entries %s', (_, changes, size) => {
    const waiting = Array.from({ length: 60 }, (__, place) =>
      waitingEntryOf(itemOf(place, changes)),
    );
    const sizes = groupsOf(waiting).map(({ length }) => length);
    expect(sizes[0]).toBe(size);
    expect(sizes.reduce((sum, length) => sum + length, 0)).toBe(60);
  });
});

test.each([
  ['a posted entry', {}, true],
  ['a scheduled entry', { status: 'scheduled' as const, accrualDate: '2026-04-01' }, false],
  ['an entry that counts on an earlier date', { accrualDate: '2026-03-01' }, false],
  ['an entry of several items', { lines: Array(101).fill(expectedEntry.lines[0]) }, false],
])('%s waits: %o', (_, changes, expected) => {
  expect(canWait({ ...expectedEntry, ...changes })).toBe(expected);
});

test.each([
  ['first, within a short time', 0, { expected: 0, waited: 0, drawn: 0.5 }, 24],
  ['first, within the time that a holder takes', 0, { expected: 800, waited: 5, drawn: 0.5 }, 400],
  ['first, within the time of a lease', 0, { expected: 9_000, waited: 5, drawn: 1 }, 1_500],
  ['later, after a quarter of the own wait', 3, { expected: 0, waited: 400, drawn: 0.5 }, 100],
  ['later, after a quarter of a second', 9, { expected: 0, waited: 2_500, drawn: 0.5 }, 250],
  ['never at once', 0, { expected: 0, waited: 0, drawn: 0 }, 8],
])('a request looks %s', (_, look, times, milliseconds) => {
  expect(pauseBefore(look, times)).toBe(milliseconds);
});
