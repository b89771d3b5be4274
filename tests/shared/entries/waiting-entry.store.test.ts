import { describe, expect, test } from 'vitest';
import { pauseBefore } from '#shared/entries/inbox/inbox-wait.store.ts';
import { inboxContentOf, waitingEntryOf } from '#shared/entries/inbox/waiting-entry.store.ts';
import { expectedEntry } from '../../support/builders/journal-entry.ts';

const single = {
  entry: expectedEntry,
  random: new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8, 9]),
  idempotencyKey: 'k',
  user: { applicationId: 'app1', email: 'ada@example.com' },
};
const key = { pk: 'APP#app1#TENANT#acme', sk: 'INBOX#2026-03-20#MJ#1-0' };
const itemWith = (content: string | undefined) => ({
  ...key,
  state: 'waiting',
  deadline: 1,
  content,
});

describe('a waiting entry', () => {
  test('is the same after it was stored', () => {
    const item = itemWith(inboxContentOf(single));
    const read = waitingEntryOf(item);
    expect({ ...read, random: [...(read?.random ?? [])] }).toEqual({
      ...single,
      random: [...single.random],
      key,
      item,
    });
  });

  test('is left if a later version stored it with a further field', () => {
    const content = JSON.parse(inboxContentOf(single) ?? '');
    const changed = { ...content, entry: { ...content.entry, colour: 'red' } };
    expect(waitingEntryOf(itemWith(JSON.stringify(changed)))).toBe(undefined);
  });

  test.each(['recorded', 'returned', 'withdrawn'])('that is %s does not wait', (state) => {
    const given = { entryId: 'e', journalNumber: 'n', postingSequence: 1, hash: 'h' };
    expect(waitingEntryOf({ ...key, state, ...given })).toBe(undefined);
  });

  test.each([
    [2 ** 14 - 2_000, true],
    [2 ** 14, false],
  ])('with a memo of %d characters has room: %o', (length, hasRoom) => {
    const entry = { ...expectedEntry, memo: 'x'.repeat(length) };
    expect(inboxContentOf({ ...single, entry }) !== undefined).toBe(hasRoom);
  });
});

test.each([
  ['first', 0, 1, 40],
  ['first, at the earliest', 0, 0, 20],
  ['after half of the wait', 200, 1, 100],
  ['after a fifth of a second', 2_000, 1, 200],
])('a request looks %s', (_, waited, drawn, milliseconds) => {
  expect(pauseBefore(waited, drawn)).toBe(milliseconds);
});
