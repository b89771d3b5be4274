import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { entryIdOf, entryIdRandomBytes, readEntryId } from '#shared/entries/entry-ids.ts';
import {
  type EntryPlace,
  journalNumber,
  journalSeries,
  readJournalNumber,
} from '#shared/entries/journal-entry.ts';
import { addDays } from '#shared/money/dates.ts';

const place: fc.Arbitrary<EntryPlace> = fc.record({
  date: fc.integer({ min: 0, max: 3_652_058 }).map((days) => addDays('0001-01-01', days)),
  series: fc.constantFrom(...journalSeries),
  sequence: fc.integer({ min: 1, max: 999_999_999 }),
});
const noise = fc.uint8Array({ minLength: entryIdRandomBytes, maxLength: entryIdRandomBytes });
const [first, last]: EntryPlace[] = [
  { date: '0001-01-01', series: 'MJ', sequence: 1 },
  { date: '9999-12-31', series: 'IJ', sequence: 999_999_999 },
];
const examples = [[first], [last]] as [EntryPlace][];

describe('an entry id', () => {
  test('contains the place of the entry, with any random part', () => {
    fc.assert(
      fc.property(place, noise, (original, random) => {
        const entryId = entryIdOf(original, random);
        // RFC 9562 sections 4 and 5.8: version 8, variant 10.
        expect(entryId).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
        expect(readEntryId(entryId)).toEqual(original);
      }),
      { examples: examples.map(([it]) => [it, new Uint8Array(9).fill(255)]) },
    );
  });

  test('has all 66 of its random bits', () => {
    const bits = new Set<number>();
    const at = (random: Uint8Array) =>
      BigInt(`0x${entryIdOf(first as EntryPlace, random).replaceAll('-', '')}`);
    const none = at(new Uint8Array(entryIdRandomBytes));
    for (let bit = 0; bit < 8 * entryIdRandomBytes; bit += 1) {
      const random = new Uint8Array(entryIdRandomBytes);
      random[bit >> 3] = 1 << (bit & 7);
      if (at(random) !== none) bits.add((at(random) ^ none).toString(2).length);
    }
    expect(bits.size).toBe(66);
  });

  test.each([
    ['another version', '2d25c440-0000-4010-b6c6-94a3a812c871'],
    ['another variant', '2d25c440-0000-8010-c6c6-94a3a812c871'],
    ['sequence zero', '2d25c440-0000-8000-b6c6-94a3a812c871'],
    ['no series', '2d25c400-0000-8010-b6c6-94a3a812c871'],
    ['a day after the last', 'ffffff40-0000-8010-b6c6-94a3a812c871'],
    ['capital letters', '2D25C440-0000-8010-B6C6-94A3A812C871'],
    ['a trailing character', '2d25c440-0000-8010-b6c6-94a3a812c871\n'],
    ['nothing', ''],
  ])('with %s has no place', (_, text) => {
    expect(readEntryId(text)).toBeUndefined();
  });
});

describe('a journal number', () => {
  test('contains the place of the entry', () => {
    fc.assert(
      fc.property(place, (original) => {
        expect(readJournalNumber(journalNumber(original))).toEqual(original);
      }),
      { examples },
    );
  });

  test.each([
    'MJ-20260230-0001',
    'MJ-00000101-0001',
    'MJ-20260320-0000',
    'MJ-20260320-001',
    'MJ-20260320-00001',
    'MJ-20260320-1000000000',
    'XJ-20260320-0001',
    'mj-20260320-0001',
    ' MJ-20260320-0001',
    'MJ-20260320-0001\n',
    'MJ-2026-03-20-0001',
    '',
  ])('is not %j', (text) => {
    expect(readJournalNumber(text)).toBeUndefined();
  });
});
