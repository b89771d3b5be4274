// The fields that requests are made of. A check names its problem code where zod wants a message,
// so that one table (errors.ts) holds every sentence and the reply can name the broken rule.

import * as z from 'zod/mini';
import type { ProblemCode } from '../problem-codes.ts';
import { maximumAccountCodeLength } from './accounts.ts';
import { amountPattern } from './amounts.ts';
import { isCurrency, wasEverCurrency } from './currencies.ts';
import { isCalendarDate } from './dates.ts';
import { isFinancialYearEnd } from './financial-year.ts';
import { hasInvisible, type TextKind } from './texts.ts';

/** C0 and C1 controls and DEL, but for tab and the line ends that a memo may have. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the rule is about.
const controlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** A character that shows: neither white space nor one of Unicode's invisible format characters. */
const visible = /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

type Params = Record<string, string | number>;

/** A rule with a problem code of its own; the reply carries `params` for programs. */
export const rule = <Value>(
  code: ProblemCode,
  holds: (value: Value) => boolean,
  params?: Params,
): z.core.$ZodCheck<Value> => z.refine(holds, { error: code, ...(params && { params }) });

/**
 * A problem that several rules can lead to. The reply's `params.rule` names the first that is
 * broken.
 * @param ruleBrokenBy the name of that rule, or `undefined` where all are kept
 */
export const namedRule = (
  code: ProblemCode,
  ruleBrokenBy: (value: string) => string | undefined,
): z.core.$ZodCheck<string> =>
  z.superRefine((value, { addIssue }) => {
    const broken = ruleBrokenBy(value);
    if (broken !== undefined) addIssue({ code: 'custom', message: code, params: { rule: broken } });
  });

/** Length in characters (code points, as JSON Schema counts), not UTF-16 units. */
const lengthOf = (text: string): number => [...text].length;

const atMost = (maximum: number) =>
  rule<string>('too_long', (text) => text.length <= maximum || lengthOf(text) <= maximum, {
    maximum,
  });

/** So many UTF-16 units one character of NFC may be sent as: U+1F82 as a letter and three marks. */
const longestForm = 4;

/**
 * Ends the checks of a text that is too long in any form, before any of them looks at what is in
 * it. To bring marks into order takes time that grows with the square of their number: 86 s for a
 * text of 256 KB.
 */
export const notFarTooLong = (maximum: number) =>
  z.refine<string>((text) => text.length <= maximum * longestForm, {
    ...{ error: 'too_long' satisfies ProblemCode, params: { maximum }, abort: true },
  });

/** Stands where bytes were that are not UTF-8: two texts that differed there would look alike. */
export const replacementCharacter = '\ufffd';

/** No control characters, and no broken Unicode. */
export const printable = rule<string>(
  'control_characters_not_allowed',
  (text) =>
    text.isWellFormed() && !text.includes(replacementCharacter) && !controlCharacter.test(text),
);

/** No tab and no end of a line, where a text stands in a table or a column of a file. */
export const oneLine = rule<string>(
  'control_characters_not_allowed',
  (text) => !/[\t\n\r\u2028\u2029]/.test(text),
);

/** Some character of it shows. */
export const notBlank = (code: ProblemCode = 'must_not_be_blank') =>
  rule<string>(code, (value) => visible.test(value));

const withoutInvisible = (kind: TextKind) =>
  rule<string>('invisible_characters_not_allowed', (value) => !hasInvisible(kind, value));

/** Text up to `maximum` characters, possibly empty, for people to read. It comes out in NFC. */
export const text = (maximum: number) =>
  z
    .string()
    .check(
      notFarTooLong(maximum),
      z.normalize('NFC'),
      printable,
      withoutInvisible('free'),
      atMost(maximum),
      z.meta({ maxLength: maximum }),
    );

/** Text of 1 to `maximum` characters, not all of them blank, of a kind. It comes out in NFC. */
export const nonBlankText = (
  maximum: number,
  { kind = 'free', code }: { kind?: TextKind; code?: ProblemCode } = {},
) =>
  z
    .string()
    .check(
      notFarTooLong(maximum),
      z.normalize('NFC'),
      printable,
      notBlank(code),
      withoutInvisible(kind),
      atMost(maximum),
      z.meta({ minLength: 1, maxLength: maximum, pattern: '\\S' }),
    );

/**
 * Text by which something is found, as it is first given: in a key or a header it must not break a
 * line. Where something is looked up by it, older data may have a tab or a line end in it.
 */
export const newId = (maximum: number) => nonBlankText(maximum, { kind: 'id' }).check(oneLine);

/** An account by its code. */
export const accountCode = nonBlankText(maximumAccountCodeLength, { kind: 'id' });

export const companyName = nonBlankText(150, { kind: 'name' });

/** A company by the id that its platform gives it. */
export const platformCompanyId = newId(100);

/** A dot-atom (RFC 5322 section 3.2.3). */
const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const hostLabel = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** A host name with a top-level domain. */
const hostName = new RegExp(`^(?:${hostLabel}\\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]+)$`, 'i');

const maximumEmailLength = 254;

const ruleBrokenByEmail = (address: string): string | undefined => {
  const [local = '', host = '', ...further] = address.split('@');
  if (!address.includes('@') || further.length > 0) return 'one_at_sign';
  if (!localPart.test(local)) return 'local_part';
  return hostName.test(host) ? undefined : 'host_name';
};

/** An address in practical ASCII form, trimmed. Case is kept here and ignored in comparison. */
export const email = z.pipe(
  z
    .string()
    .check(
      z.trim(),
      notFarTooLong(maximumEmailLength),
      atMost(maximumEmailLength),
      namedRule('email_not_valid', ruleBrokenByEmail),
      z.meta({ format: 'email' }),
    ),
  z.string(),
);

const userIdForm = /^[1-9]\d{0,15}$/;
const userIdNotValid = rule<number | string>(
  'user_id_not_valid',
  (value) => userIdForm.test(String(value)) && Number(value) <= Number.MAX_SAFE_INTEGER,
);

/** A user id: the integer, or its decimal digits as text, as JSON or a query can carry it. */
export const userId = z.pipe(
  z.union([
    z
      .number()
      .check(
        userIdNotValid,
        z.meta({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      ),
    z.string().check(userIdNotValid, z.meta({ pattern: userIdForm.source })),
  ]),
  z.transform(Number),
);

export const currency = z
  .string()
  .check(
    rule<string>('currency_unknown', isCurrency),
    z.meta({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code of a currency with minor units' }),
  );

/** A currency of any time; whether it was in use depends on the date it is for. */
export const currencyOfItsTime = z.string().check(
  rule<string>('currency_unknown', wasEverCurrency),
  z.meta({
    pattern: '^[A-Z]{3}$',
    description: 'ISO 4217 code of a currency with minor units that was in use on the date',
  }),
);

export const calendarDate = z
  .string()
  .check(rule<string>('date_not_valid', isCalendarDate), z.meta({ format: 'date' }));

const isDate = (given: unknown): given is string =>
  typeof given === 'string' && isCalendarDate(given);

/** A rule of requests that ask for what is from one date to another, both of them included. */
export const fromNotAfterTo = z.superRefine<{ from?: string | undefined; to?: string | undefined }>(
  ({ from, to }, { addIssue }) => {
    if (!isDate(from) || !isDate(to) || from <= to) return;
    addIssue({ code: 'custom', message: 'from_after_to', path: ['from'], params: { from, to } });
  },
  { when: ({ value }) => typeof value === 'object' && value !== null },
);

/** The last day of a fiscal year, MM-DD. */
export const financialYearEnd = z
  .string()
  .check(
    rule<string>('financial_year_end_not_valid', isFinancialYearEnd),
    z.meta({ pattern: '^\\d{2}-\\d{2}$' }),
  );

export const cashFlowMethod = z.enum(['direct', 'indirect']);

/**
 * One side of a journal line, still as the caller wrote it. Empty text is zero. A JSON number is
 * taken where it is exact, and not documented: a client made from the document shall send text.
 */
export const amount = z
  .union([
    z
      .string()
      .check(
        rule<string>('amount_not_valid', (value) => value === '' || amountPattern.test(value)),
      ),
    z
      .number()
      .check(rule<number>('amount_not_valid', (value) => amountPattern.test(String(value)))),
  ])
  .check(z.meta({ type: 'string', pattern: `^$|${amountPattern.source}` }));

/** A tenant's prefix or its full domain, in any case; what it names is decided with the domain. */
export const domainUrl = z.string().check(
  rule<string>('domain_not_valid', (value) => /^[a-z0-9][a-z0-9.-]{0,252}$/i.test(value)),
  z.meta({ pattern: '^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$' }),
);

/** Whether a request is only tried: all is checked and nothing is written. */
export const dryRun = z
  .optional(z.boolean())
  .check(
    z.describe(
      'Whether to check all of the request and to answer what it would make, without writing ' +
        'anything. What would be made has no id and no number.',
    ),
  );

/** Whether something is wanted, as a query says it. */
export const queryBoolean = z.pipe(
  z.string().check(
    rule<string>('wrong_type', (value) => value === 'true' || value === 'false', {
      expected: 'boolean',
    }),
    z.meta({ type: 'boolean' }),
  ),
  z.transform((value) => value === 'true'),
);

const digits = /^-?\d+$/;

/** An integer within bounds, as a query says it. */
export const queryInteger = (bounds: { minimum: number; maximum: number }) =>
  z.pipe(
    z.string().check(
      rule<string>('wrong_type', (value) => digits.test(value), { expected: 'integer' }),
      rule<string>(
        'out_of_range',
        (value) =>
          !digits.test(value) ||
          (Number(value) >= bounds.minimum && Number(value) <= bounds.maximum),
        bounds,
      ),
      z.meta({ type: 'integer', ...bounds }),
    ),
    z.transform(Number),
  );
