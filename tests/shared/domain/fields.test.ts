import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
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
} from '#shared/domain/fields.ts';
import { validate } from '#shared/triggers/validation.ts';

/** The parsed value, or the codes of the problems. */
const read = (schema: z.ZodMiniType, value: unknown) => {
  const validated = validate(z.strictObject({ field: schema }), { field: value });
  if (validated.valid) return { value: (validated.value as { field: unknown }).field };
  return validated.problems.map(({ code, pointer, params }) => [code, pointer, params]);
};

const refused = (code: string, params?: Record<string, unknown>) => [[code, '/field', params]];

/** Accepted rows give the value that comes out; refused ones the code and parameters. */
const describeField = (
  title: string,
  schema: z.ZodMiniType,
  rows: {
    accepted: [title: string, value: unknown, parsed?: unknown][];
    refused: [title: string, value: unknown, code: string, params?: Record<string, unknown>][];
  },
) =>
  describe(title, () => {
    test.each(rows.accepted)('accepts %s', (_title, value, parsed = value) => {
      expect(read(schema, value)).toEqual({ value: parsed });
    });
    test.each(rows.refused)('refuses %s', (_title, value, code, params) => {
      expect(read(schema, value)).toEqual(refused(code, params));
    });
    test('refuses null and other types by their type, and says so where it is missing', () => {
      for (const value of [null, true, {}, []]) {
        expect(read(schema, value)).toEqual([
          [
            expect.stringMatching(/^(wrong_type|not_an_allowed_value)$/),
            '/field',
            expect.anything(),
          ],
        ]);
      }
      expect(read(schema, undefined)).toEqual(refused('required'));
    });
  });

describeField('an email address', email, {
  accepted: [
    ['an ordinary address', 'ada@example.com'],
    ['an address in capitals, kept as it is', 'Ada@Example.COM'],
    ['an address with blanks around it, trimmed', ' \tada@example.com\n', 'ada@example.com'],
    ['a tag, dots and an apostrophe', "ada.o'lovelace+ledger@mail.example.co.uk"],
    ['the other signs of an atom', 'a&b!c#d{e}@example.com'],
    ['a top-level domain in punycode', 'ada@example.xn--p1ai'],
    ['254 characters', `${'a'.repeat(242)}@example.com`],
  ],
  refused: [
    ['255 characters', `${'a'.repeat(243)}@example.com`, 'too_long', { maximum: 254 }],
    ['nothing', '', 'email_not_valid'],
    ['blanks only', '  ', 'email_not_valid'],
    ['no at sign', 'ada.example.com', 'email_not_valid'],
    ['two at signs', 'ada@home@example.com', 'email_not_valid'],
    ['no top-level domain', 'ada@localhost', 'email_not_valid'],
    ['a blank inside', 'ada lovelace@example.com', 'email_not_valid'],
    ['two dots together', 'ada..l@example.com', 'email_not_valid'],
    ['a name around it', 'Ada <ada@example.com>', 'email_not_valid'],
    ['two addresses', 'ada@example.com,bob@example.com', 'email_not_valid'],
    ['a letter beyond ASCII', 'adá@example.com', 'email_not_valid'],
    ['a letter that lower-cases into ASCII', 'ada@\u212Aelvin.com', 'email_not_valid'],
    ['a control character', 'ada\u0000@example.com', 'email_not_valid'],
    ['a line end inside', 'ada@example.com\nbcc:bob@example.com', 'email_not_valid'],
    ['a number', 7, 'wrong_type', { expected: 'string' }],
  ],
});

describeField('a user id', userId, {
  accepted: [
    ['one', 1],
    ['one as text', '1', 1],
    ['the largest one', 9_007_199_254_740_991],
    ['the largest one as text', '9007199254740991', 9_007_199_254_740_991],
  ],
  refused: [
    ['zero', 0, 'user_id_not_valid'],
    ['zero as text', '0', 'user_id_not_valid'],
    ['a negative integer', -1, 'user_id_not_valid'],
    ['a negative integer as text', '-1', 'user_id_not_valid'],
    ['2 to the power of 53', 2 ** 53, 'user_id_not_valid'],
    ['2 to the power of 53 as text', '9007199254740992', 'user_id_not_valid'],
    ['a fraction', 1.5, 'user_id_not_valid'],
    ['a fraction of zero as text', '1.0', 'user_id_not_valid'],
    ['a number too large for an integer', 1e21, 'user_id_not_valid'],
    ['leading zeros', '01', 'user_id_not_valid'],
    ['an exponent', '1e3', 'user_id_not_valid'],
    ['hexadecimal digits', '0x1F', 'user_id_not_valid'],
    ['a plus sign', '+1', 'user_id_not_valid'],
    ['a blank', ' 1', 'user_id_not_valid'],
    ['full-width digits', '１２', 'user_id_not_valid'],
    ['100 digits', '9'.repeat(100), 'user_id_not_valid'],
    ['nothing', '', 'user_id_not_valid'],
  ],
});

const emoji = '😀';
const accent = 'e\u0301';

describeField(
  'a text of up to 1,000 characters that must not be blank',
  nonBlankText(1000, 'memo_must_not_be_blank'),
  {
    accepted: [
      ['one character', 'x'],
      ['blanks around it, kept', ' x '],
      ['a tab and line ends', 'first\tline\r\nsecond line'],
      ['1,000 letters', 'x'.repeat(1000)],
      ['1,000 emoji, each of two UTF-16 units', emoji.repeat(1000)],
      ['an emoji of several joined ones', '👩‍👩‍👧'],
      ['text from right to left', 'شراء مكتب'],
      ['500 letters with an accent of its own', accent.repeat(500)],
    ],
    refused: [
      ['1,001 letters', 'x'.repeat(1001), 'too_long', { maximum: 1000 }],
      ['1,001 emoji', emoji.repeat(1001), 'too_long', { maximum: 1000 }],
      ['501 letters with an accent of its own', accent.repeat(501), 'too_long', { maximum: 1000 }],
      ['nothing', '', 'memo_must_not_be_blank'],
      ['blanks only', '   ', 'memo_must_not_be_blank'],
      ['a tab and line ends only', '\t\r\n', 'memo_must_not_be_blank'],
      ['no-break and ideographic spaces only', '\u00a0\u3000', 'memo_must_not_be_blank'],
      ['zero-width characters only', '\u200b\u2060\ufeff', 'memo_must_not_be_blank'],
      ['characters that show nothing only', '\u2800\u3164\u034f', 'memo_must_not_be_blank'],
      ['a null character', 'a\u0000b', 'control_characters_not_allowed'],
      ['an escape character', '\u001b[2J', 'control_characters_not_allowed'],
      ['a vertical tab', 'a\u000bb', 'control_characters_not_allowed'],
      ['a delete character', 'a\u007f', 'control_characters_not_allowed'],
      ['a C1 control character', 'a\u0085b', 'control_characters_not_allowed'],
      ['a lone high surrogate', 'a\ud83d', 'control_characters_not_allowed'],
      ['a lone low surrogate', '\ude00a', 'control_characters_not_allowed'],
      ['what stands for bytes that were lost', 'a \ufffd', 'control_characters_not_allowed'],
      ['a number', 1, 'wrong_type', { expected: 'string' }],
    ],
  },
);

test('a text names all of its own problems at once', () => {
  expect(read(nonBlankText(2), '\u0000'.repeat(3))).toEqual([
    ...refused('control_characters_not_allowed'),
    ...refused('too_long', { maximum: 2 }),
  ]);
  expect(read(nonBlankText(2), '   ')).toEqual([
    ...refused('must_not_be_blank'),
    ...refused('too_long', { maximum: 2 }),
  ]);
});

describeField('a text of up to 255 characters', text(255), {
  accepted: [
    ['nothing', ''],
    ['blanks only', '  '],
    ['255 emoji', emoji.repeat(255)],
  ],
  refused: [
    ['256 letters', 'x'.repeat(256), 'too_long', { maximum: 255 }],
    ['a control character', '\u0007', 'control_characters_not_allowed'],
    ['a lone surrogate', '\ud800', 'control_characters_not_allowed'],
  ],
});

describeField('a currency', currency, {
  accepted: [
    ['the euro', 'EUR'],
    ['one without decimals', 'JPY'],
    ['one of three decimals', 'KWD'],
  ],
  refused: [
    ['small letters', 'eur', 'currency_unknown'],
    ['a code that nobody has', 'ABC', 'currency_unknown'],
    ['a withdrawn code', 'DEM', 'currency_unknown'],
    ['gold', 'XAU', 'currency_unknown'],
    ['the code for testing', 'XTS', 'currency_unknown'],
    ['the code for no currency', 'XXX', 'currency_unknown'],
    ['a number code', '978', 'currency_unknown'],
    ['a blank behind', 'EUR ', 'currency_unknown'],
    ['a name that every object has', 'constructor', 'currency_unknown'],
    ['nothing', '', 'currency_unknown'],
    ['a number', 978, 'wrong_type', { expected: 'string' }],
  ],
});

describeField('a date', calendarDate, {
  accepted: [
    ['a day', '2026-03-23'],
    ['a leap day', '2024-02-29'],
  ],
  refused: [
    ['a day that does not exist', '2026-02-30', 'date_not_valid'],
    ['a moment', '2026-03-23T00:00:00Z', 'date_not_valid'],
    ['the day first', '23/03/2026', 'date_not_valid'],
    ['nothing', '', 'date_not_valid'],
    ['a number', 20260323, 'wrong_type', { expected: 'string' }],
  ],
});

describeField('a cash-flow method', cashFlowMethod, {
  accepted: [
    ['direct', 'direct'],
    ['indirect', 'indirect'],
  ],
  refused: [
    ['capitals', 'Direct', 'not_an_allowed_value', { allowed: ['direct', 'indirect'] }],
    ['nothing', '', 'not_an_allowed_value', { allowed: ['direct', 'indirect'] }],
    ['a number', 1, 'not_an_allowed_value', { allowed: ['direct', 'indirect'] }],
  ],
});

describeField('an amount', amount, {
  accepted: [
    ['two decimals', '10.50'],
    ['no decimals', '10'],
    ['zero', '0.00'],
    ['an empty side', ''],
    ['the largest amount', '999999999999999.99'],
    ['a whole number', 10],
    ['a number of two decimals', 0.07],
    ['the number zero', 0],
    ['the largest whole number', 999_999_999_999_999],
  ],
  refused: [
    ['a negative amount', '-10.50', 'amount_not_valid'],
    ['three decimals', '10.505', 'amount_not_valid'],
    ['three decimals of zero', '10.500', 'amount_not_valid'],
    ['sixteen integer digits', '1000000000000000.00', 'amount_not_valid'],
    ['an exponent', '1e3', 'amount_not_valid'],
    ['a thousands separator', '1,000.00', 'amount_not_valid'],
    ['a currency sign', '€10', 'amount_not_valid'],
    ['a blank', ' ', 'amount_not_valid'],
    ['a word', 'NaN', 'amount_not_valid'],
    ['a negative number', -1, 'amount_not_valid'],
    ['a number of three decimals', 1.005, 'amount_not_valid'],
    ['a number that floats add up to', 0.1 + 0.2, 'amount_not_valid'],
    ['a number of sixteen integer digits', 1e15, 'amount_not_valid'],
    ['a number written with an exponent', 1e21, 'amount_not_valid'],
    ['a very small number', 1e-7, 'amount_not_valid'],
  ],
});

describeField('a domain_url', domainUrl, {
  accepted: [
    ['a prefix', 'acme'],
    ['a prefix in capitals', 'ACME'],
    ['a full domain', 'acme.ledger.example.com'],
    ['253 characters', 'a'.repeat(253)],
  ],
  refused: [
    ['254 characters', 'a'.repeat(254), 'domain_not_valid'],
    ['a URL', 'https://acme.ledger.example.com', 'domain_not_valid'],
    ['an underscore', 'acme_2', 'domain_not_valid'],
    ['a letter that lower-cases into ASCII', '\u212Aelvin', 'domain_not_valid'],
    ['a hyphen in front', '-acme', 'domain_not_valid'],
    ['a blank', 'acme corp', 'domain_not_valid'],
    ['a line end behind', 'acme\n', 'domain_not_valid'],
    ['nothing', '', 'domain_not_valid'],
    ['a number', 7, 'wrong_type', { expected: 'string' }],
  ],
});

test('the JSON Schema of a user id and of an amount says what is accepted', () => {
  expect(z.toJSONSchema(z.object({ userId, amount }), { io: 'input' }).properties).toEqual({
    userId: {
      anyOf: [
        { type: 'integer', minimum: 1, maximum: 9_007_199_254_740_991 },
        { type: 'string', pattern: '^[1-9]\\d{0,15}$' },
      ],
    },
    amount: {
      anyOf: [
        { type: 'string', pattern: '^$|^\\d{1,15}(?:\\.\\d{1,2})?$' },
        { type: 'number', minimum: 0, maximum: 999_999_999_999_999, multipleOf: 0.01 },
      ],
    },
  });
});
