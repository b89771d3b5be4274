import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { truncate } from '#shared/domain/texts.ts';

describe('a text that is cut', () => {
  test.each([
    ['stays where it is short', 'abc', 'abc'],
    ['stays where it is just long enough', 'abcde', 'abcde'],
    ['loses what is too much', 'abcdef', 'abcde'],
    ['is counted in characters, not in UTF-16 units', '🧾🧾🧾🧾🧾', '🧾🧾🧾🧾🧾'],
    ['ends with a whole character', 'abcd🧾🧾', 'abcd🧾'],
    ['may be empty', '', ''],
  ])('%s', (_, text, expected) => {
    expect(truncate(5, text)).toBe(expected);
  });

  test('is the beginning of what it was, whole, and as long as it may be', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat({ max: 12 }), (text, longest) => {
        const cut = truncate(longest, text);
        expect(text.startsWith(cut)).toBe(true);
        expect(cut.isWellFormed()).toBe(true);
        expect([...cut].length).toBe(Math.min([...text].length, longest));
      }),
    );
  });
});
