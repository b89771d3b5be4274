import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleaned, hasInvisible, type TextKind, truncate } from '#shared/texts.ts';

describe('a truncated text', () => {
  test.each([
    ['is unchanged if it is short', 'abc', 'abc'],
    ['is unchanged at the maximum length', 'abcde', 'abcde'],
    ['loses the characters beyond the maximum', 'abcdef', 'abcde'],
    ['is counted in characters, not in UTF-16 units', '🧾🧾🧾🧾🧾', '🧾🧾🧾🧾🧾'],
    ['ends with a whole character', 'abcd🧾🧾', 'abcd🧾'],
    ['can be empty', '', ''],
  ])('%s', (_, text, expected) => {
    expect(truncate(5, text)).toBe(expected);
  });

  test('is the longest prefix of whole characters', () => {
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

describe('a cleaned text of a platform', () => {
  test.each<[string, TextKind, string, string]>([
    ['has composed accents', 'id', ' Cafe\u0301 ', 'Café'],
    ['loses invisible characters', 'id', '\ufeff10\u200b10\u202e', '1010'],
    ['loses them in a name', 'name', 'Ac\u200dme\u00ad \u2066Ltd\u2069', 'Acme Ltd'],
    ['keeps the joiners that a name needs', 'name', 'نرم\u200cافزار', 'نرم\u200cافزار'],
    ['has a blank instead of a control character', 'name', 'Acme\tLtd\u0007', 'Acme Ltd'],
    ['keeps its line ends in free text', 'free', 'one\r\ntwo\u200b\u202e', 'one\r\ntwo\u200b'],
    ['can become empty', 'id', '\u200b\u0000', ''],
  ])('%s', (_, kind, text, expected) => {
    expect(cleaned(kind, text)).toBe(expected);
  });

  test('is accepted in requests', () => {
    const kinds = fc.constantFrom<TextKind>('id', 'name', 'free');
    const pieces = [
      ...['\u200c', '\u200d', '\u202e', '\ufeff', '\u00ad', '\ufe0f', '\u0007', '\n', ' '],
      ...['a', 'e', '\u0301', 'ب', '\u064b', 'क', '\u093c', '\u094d', '❤'],
    ];
    const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 7 });
    fc.assert(
      fc.property(kinds, texts, (kind, parts) => {
        const text = cleaned(kind, parts.join(''));
        expect(text.normalize('NFC')).toBe(text);
        expect(hasInvisible(kind, text)).toBe(false);
        expect(cleaned(kind, text)).toBe(text);
      }),
    );
  });
});
