import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { validate } from '#shared/endpoint/validation.ts';
import {
  amount,
  calendarDate,
  cashFlowMethod,
  currency,
  domainUrl,
  email,
  nonBlankText,
  text,
  userId,
} from '#shared/fields.ts';

/** The parsed value, or the codes of the problems. */
const read = (schema: z.ZodMiniType, value: unknown) => {
  const validated = validate(z.strictObject({ field: schema }), { field: value });
  if (validated.valid) return { value: (validated.value as { field: unknown }).field };
  return validated.problems.map(({ code, pointer, params }) => [code, pointer, params]);
};

const refused = (code: string, params?: Record<string, unknown>) => [[code, '/field', params]];

type Accepted = [title: string, value: unknown, parsed?: unknown];
type Refused = [title: string, value: unknown, code: string, params?: Record<string, unknown>];

const kept = (...values: unknown[]) =>
  values.map((value): Accepted => [JSON.stringify(value), value]);
const all = (code: string, ...values: unknown[]) =>
  values.map((value): Refused => [JSON.stringify(value), value, code]);

/** Accepted rows have the parsed value; refused rows have the code and the parameters. */
const describeField = (
  title: string,
  schema: z.ZodMiniType,
  rows: { accepted: Accepted[]; refused: Refused[] },
) =>
  describe(title, () => {
    test.each(rows.accepted)('accepts %s', (_title, value, parsed = value) => {
      expect(read(schema, value)).toEqual({ value: parsed });
    });
    test.each(rows.refused)('refuses %s', (_title, value, code, params) => {
      expect(read(schema, value)).toEqual(refused(code, params));
    });
    test('refuses null and other types, and reports a missing value', () => {
      const wrongType = expect.stringMatching(/^(wrong_type|not_an_allowed_value)$/);
      for (const value of [null, true, {}, []]) {
        expect(read(schema, value)).toEqual([[wrongType, '/field', expect.anything()]]);
      }
      expect(read(schema, undefined)).toEqual(refused('required'));
    });
  });

describeField('an email address', email, {
  accepted: [
    ['an ordinary address', 'ada@example.com'],
    ['an address in capitals, unchanged', 'Ada@Example.COM'],
    ['an address with surrounding blanks, trimmed', ' \tada@example.com\n', 'ada@example.com'],
    ['a tag, dots and an apostrophe', "ada.o'lovelace+ledger@mail.example.co.uk"],
    ['the other signs of an atom', 'a&b!c#d{e}@example.com'],
    ['a top-level domain in punycode', 'ada@example.xn--p1ai'],
    ['254 characters', `${'a'.repeat(242)}@example.com`],
  ],
  refused: [
    ['255 characters', `${'a'.repeat(243)}@example.com`, 'too_long', { maximum: 254 }],
    ['nothing', '', 'email_not_valid', { rule: 'one_at_sign' }],
    ['blanks only', '  ', 'email_not_valid', { rule: 'one_at_sign' }],
    ['no at sign', 'ada.example.com', 'email_not_valid', { rule: 'one_at_sign' }],
    ['two at signs', 'ada@home@example.com', 'email_not_valid', { rule: 'one_at_sign' }],
    ['no top-level domain', 'ada@localhost', 'email_not_valid', { rule: 'host_name' }],
    ['a blank inside', 'ada lovelace@example.com', 'email_not_valid', { rule: 'local_part' }],
    ['two dots together', 'ada..l@example.com', 'email_not_valid', { rule: 'local_part' }],
    ['a display name', 'Ada <ada@example.com>', 'email_not_valid', { rule: 'local_part' }],
    [
      'two addresses',
      'ada@example.com,bob@example.com',
      'email_not_valid',
      { rule: 'one_at_sign' },
    ],
    ['a letter beyond ASCII', 'adá@example.com', 'email_not_valid', { rule: 'local_part' }],
    [
      'a letter that lower-cases into ASCII',
      'ada@\u212Aelvin.com',
      'email_not_valid',
      { rule: 'host_name' },
    ],
    ['a control character', 'ada\u0000@example.com', 'email_not_valid', { rule: 'local_part' }],
    [
      'a line end inside',
      'ada@example.com\nbcc:bob@example.com',
      'email_not_valid',
      { rule: 'one_at_sign' },
    ],
    ['a number', 7, 'wrong_type', { expected: 'string' }],
  ],
});

describeField('a user id', userId, {
  accepted: [
    ...kept(1, 9_007_199_254_740_991),
    ['one as text', '1', 1],
    ['the largest one as text', '9007199254740991', 9_007_199_254_740_991],
  ],
  refused: [
    ...all('user_id_not_valid', 0, '0', -1, '-1', 2 ** 53, '9007199254740992', 1.5, '1.0', 1e21),
    ...all('user_id_not_valid', '01', '1e3', '0x1F', '+1', ' 1', '１２', '9'.repeat(100), ''),
  ],
});

const emoji = '😀';
const accent = 'e\u0301';

const memo = nonBlankText(1000, { code: 'memo_must_not_be_blank' });
describeField('a text of up to 1,000 characters that must not be blank', memo, {
  accepted: [
    ['one character', 'x'],
    ['surrounding blanks, unchanged', ' x '],
    ['a tab and line ends', 'first\tline\r\nsecond line'],
    ['1,000 letters', 'x'.repeat(1000)],
    ['1,000 emoji, each of two UTF-16 units', emoji.repeat(1000)],
    ['an emoji with joiners', '👩‍👩‍👧'],
    ['text from right to left', 'شراء مكتب'],
    ['1,000 letters with combining accents', accent.repeat(1000), 'é'.repeat(1000)],
    ['marks of the text direction', '\u200eA (\u200fب)'],
    ['letters separated by a joiner, and a zero-width space', 'می\u200cشود a\u200bb'],
  ],
  refused: [
    ['1,001 letters', 'x'.repeat(1001), 'too_long', { maximum: 1000 }],
    ['1,001 emoji', emoji.repeat(1001), 'too_long', { maximum: 1000 }],
    ['1,001 letters with combining accents', accent.repeat(1001), 'too_long', { maximum: 1000 }],
    ...all('invisible_characters_not_allowed', 'fdp.\u202eexe', 'a\u2066b', 'a\u2069'),
    ...all('memo_must_not_be_blank', '', '   ', '\t\r\n', '\u00a0\u3000', '\u200b\u2060\ufeff'),
    ['only invisible characters', '\u2800\u3164\u034f', 'memo_must_not_be_blank'],
    ...all('control_characters_not_allowed', 'a\u0000b', '\u001b[2J', 'a\u000bb', 'a\u007f'),
    ...all('control_characters_not_allowed', 'a\u0085b', 'a\ud83d', '\ude00a'),
    ['the replacement character for lost bytes', 'a \ufffd', 'control_characters_not_allowed'],
    ['a number', 1, 'wrong_type', { expected: 'string' }],
  ],
});

test('a text reports all its problems together', () => {
  expect(read(nonBlankText(2), '\u0000'.repeat(3))).toEqual([
    ...refused('control_characters_not_allowed'),
    ...refused('too_long', { maximum: 2 }),
  ]);
  expect(read(nonBlankText(2), '   ')).toEqual([
    ...refused('must_not_be_blank'),
    ...refused('too_long', { maximum: 2 }),
  ]);
});

describeField('an id', nonBlankText(255, { kind: 'id' }), {
  accepted: [
    ['a combining accent, composed', 'Caf\u0065\u0301', 'Café'],
    ['letters of any script', 'فاتورة-42'],
  ],
  refused: [
    ...all('invisible_characters_not_allowed', 'a\u202e42', 'a\u200e', '\u200fa', 'a\u061cb'),
    ...all('invisible_characters_not_allowed', 'a\u200bb', 'a\u200cb', 'a\u200db', 'a\u2060'),
    ...all('invisible_characters_not_allowed', '\ufeffa', 'a\u00ad', '❤\ufe0f', 'a\u3164'),
  ],
});

describeField('a name', nonBlankText(150, { kind: 'name' }), {
  accepted: [
    ['a combining accent, composed', 'Zoe\u0308', 'Zoë'],
    ['letters separated by a joiner, in Persian', 'نرم\u200cافزار'],
    ['letters connected by a joiner, in Sinhala', 'ශ්\u200dරී'],
    ['an emoji with joiners', '👩\u200d👧 & ❤\ufe0f'],
    ['a variant of a letter, in Japanese', '葛\u{e0100}城'],
  ],
  refused: [
    ...all('invisible_characters_not_allowed', 'Acme\u202e', 'Ac\u2066me', 'Acme\u200e', '\u061cA'),
    ...all(
      'invisible_characters_not_allowed',
      'Ac\u200bme',
      'Ac\u200dme',
      'Ас\u200cме',
      ' \u200dA',
    ),
    ...all('invisible_characters_not_allowed', 'Acme\ufeff', 'Ac\u00adme', 'Ac\u2060me', 'A\u3164'),
  ],
});

describeField('a text of up to 255 characters', text(255), {
  accepted: kept('', '  ', emoji.repeat(255)),
  refused: [
    ['256 letters', 'x'.repeat(256), 'too_long', { maximum: 255 }],
    ...all('control_characters_not_allowed', '\u0007', '\ud800'),
    ...all('invisible_characters_not_allowed', 'a\u202d'),
  ],
});

// The tests of currencies, dates and amounts have the valid values.
describeField('a currency', currency, {
  accepted: kept('EUR', 'JPY', 'KWD'),
  refused: [
    ...all('currency_unknown', 'eur', 'ABC', 'XAU', 'EUR ', 'constructor', ''),
    ['a number', 978, 'wrong_type', { expected: 'string' }],
  ],
});

describeField('a date', calendarDate, {
  accepted: kept('2026-03-23', '2024-02-29'),
  refused: [
    ...all('date_not_valid', '2026-02-30', '2026-03-23T00:00:00Z', '23/03/2026', ''),
    ['a number', 20260323, 'wrong_type', { expected: 'string' }],
  ],
});

describeField('a cash-flow method', cashFlowMethod, {
  accepted: kept('direct', 'indirect'),
  refused: all('not_an_allowed_value', 'Direct', '', 1).map(([title, value, code]) => [
    ...([title, value, code] as const),
    { allowed: ['direct', 'indirect'] },
  ]),
});

describeField('an amount', amount, {
  accepted: kept('10.50', '', '999999999999999.99', 10, 0.07, 0, 999_999_999_999_999),
  refused: [
    ...all('amount_not_valid', '-10.50', '10.5055', '1000000000000000.00', '€10', ' ', 'NaN'),
    ...all('amount_not_valid', -1, 1.0005, 0.1 + 0.2, 1e15, 1e21, 1e-7),
  ],
});

describeField('a domain_url', domainUrl, {
  accepted: kept('acme', 'ACME', 'acme.ledger.example.com', 'a'.repeat(253)),
  refused: [
    ...all('domain_not_valid', 'a'.repeat(254), 'https://acme.ledger.example.com', 'acme_2'),
    ...all('domain_not_valid', '-acme', 'acme corp', 'acme\n', ''),
    ['a letter that lower-cases into ASCII', '\u212Aelvin', 'domain_not_valid'],
    ['a number', 7, 'wrong_type', { expected: 'string' }],
  ],
});

test('the JSON Schema of a user id matches the validation', () => {
  expect(z.toJSONSchema(z.object({ userId }), { io: 'input' }).properties).toEqual({
    userId: {
      anyOf: [
        { type: 'integer', minimum: 1, maximum: 9_007_199_254_740_991 },
        { type: 'string', pattern: '^[1-9]\\d{0,15}$' },
      ],
      description: 'Id of the user: an integer or its digits.',
    },
  });
});
