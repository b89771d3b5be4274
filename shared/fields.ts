// The field types of requests. The checks pass a problem code as the zod message; errors.ts
// has the sentence for each code.

import * as z from 'zod/mini';
import { maximumAccountCodeLength } from './accounts/accounts.ts';
import { type Problem, type ProblemCode, problem } from './errors.ts';
import { amountPattern, isCurrency, wasEverCurrency } from './money/amounts.ts';
import { isCalendarDate } from './money/dates.ts';
import { isFinancialYearEnd } from './tenants/financial-year.ts';
import { cashFlowMethods } from './tenants/tenants.ts';
import { hasInvisible, type TextKind } from './texts.ts';

/** C0 and C1 controls and DEL, except tab and line ends, which a memo can contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the rule is about control characters.
const controlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** A character other than white space and Unicode's invisible format characters. */
const visible = /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

type Params = Record<string, string | number>;

/** A check with its own problem code. The reply contains `params` for programs. */
export const rule = <Value>(
  code: ProblemCode,
  holds: (value: Value) => boolean,
  params?: Params,
): z.core.$ZodCheck<Value> => z.refine(holds, { error: code, ...(params && { params }) });

/**
 * A check of several rules with one problem code. The reply's `params.rule` names the first broken
 * rule.
 * @param ruleBrokenBy returns the name of the first broken rule, or `undefined` if there is none
 */
export const namedRule = (
  code: ProblemCode,
  ruleBrokenBy: (value: string) => string | undefined,
): z.core.$ZodCheck<string> =>
  z.superRefine((value, { addIssue }) => {
    const broken = ruleBrokenBy(value);
    if (broken !== undefined) addIssue({ code: 'custom', message: code, params: { rule: broken } });
  });

/** Length in code points, as in JSON Schema, not in UTF-16 units. */
const lengthOf = (text: string): number => [...text].length;

const atMost = (maximum: number) =>
  rule<string>('too_long', (text) => text.length <= maximum || lengthOf(text) <= maximum, {
    maximum,
  });

/** Maximum UTF-16 units for one NFC character: U+1F82 can be sent as a letter and three marks. */
const longestForm = 4;

/**
 * Refuses a text that is too long in any Unicode form and skips its other checks. Normalization
 * takes quadratic time in the number of combining marks: 86 s for a text of 256 KB.
 */
export const notFarTooLong = (maximum: number) =>
  z.refine<string>((text) => text.length <= maximum * longestForm, {
    error: 'too_long' satisfies ProblemCode,
    params: { maximum },
    abort: true,
  });

/** Replaces invalid UTF-8, so different texts would become the same. */
export const replacementCharacter = '\ufffd';

/** No control characters and no invalid Unicode. */
export const printable = rule<string>(
  'control_characters_not_allowed',
  (text) =>
    text.isWellFormed() && !text.includes(replacementCharacter) && !controlCharacter.test(text),
);

/** No tabs and no line ends, for texts in table cells or CSV columns. */
export const oneLine = rule<string>(
  'control_characters_not_allowed',
  (text) => !/[\t\n\r\u2028\u2029]/.test(text),
);

/** At least one visible character. */
export const notBlank = (code: ProblemCode = 'must_not_be_blank') =>
  rule<string>(code, (value) => visible.test(value));

const withoutInvisible = (kind: TextKind) =>
  rule<string>('invisible_characters_not_allowed', (value) => !hasInvisible(kind, value));

/** Free text of up to `maximum` characters, possibly empty. Normalized to NFC. */
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

/** Text of 1 to `maximum` characters, not only blanks. Normalized to NFC. */
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
 * A new id. It must not contain line breaks, because it is used in keys and headers. Fields that
 * look up existing ids do not use this check: older ids can contain tabs or line ends.
 */
export const newId = (maximum: number) => nonBlankText(maximum, { kind: 'id' }).check(oneLine);

export const accountCode = nonBlankText(maximumAccountCodeLength, { kind: 'id' });

export const companyName = nonBlankText(150, { kind: 'name' });

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

/** An ASCII email address, trimmed. Case is kept, but comparisons ignore it. */
export const email = z.pipe(
  z
    .string()
    .check(
      z.trim(),
      notFarTooLong(maximumEmailLength),
      atMost(maximumEmailLength),
      namedRule('email_not_valid', ruleBrokenByEmail),
      z.meta({ format: 'email', maxLength: maximumEmailLength }),
    ),
  z.string(),
);

const userIdForm = /^[1-9]\d{0,15}$/;
const userIdNotValid = rule<number | string>(
  'user_id_not_valid',
  (value) => userIdForm.test(String(value)) && Number(value) <= Number.MAX_SAFE_INTEGER,
);

/** An integer, or its decimal digits as text for queries. */
export const userId = z
  .pipe(
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
  )
  .check(z.describe('Id of the user: an integer or its digits.'));

export const currency = z
  .string()
  .check(
    rule<string>('currency_unknown', isCurrency),
    z.meta({ pattern: '^[A-Z]{3}$', description: 'Active ISO 4217 currency code' }),
  );

/** An active or withdrawn currency. Whether it was in use depends on the entry date. */
export const currencyOfItsTime = z.string().check(
  rule<string>('currency_unknown', wasEverCurrency),
  z.meta({
    pattern: '^[A-Z]{3}$',
    description: 'ISO 4217 code of a currency that was in use on the date',
  }),
);

export const calendarDate = z
  .string()
  .check(rule<string>('date_not_valid', isCalendarDate), z.meta({ format: 'date' }));

/** A time in UTC, as replies show times. Fractions of a second are optional. */
export const moment = z.string().check(
  rule<string>('time_not_valid', (value) => z.iso.datetime().safeParse(value).success),
  z.meta({ format: 'date-time' }),
);

/** The last day of the fiscal year, MM-DD. */
export const financialYearEnd = z
  .string()
  .check(
    rule<string>('financial_year_end_not_valid', isFinancialYearEnd),
    z.meta({ pattern: '^\\d{2}-\\d{2}$' }),
  );

export const cashFlowMethod = z.enum(cashFlowMethods);

/**
 * One side of a journal line, unparsed. Empty text is zero. An exact JSON number is accepted but
 * not documented, because generated clients should send text.
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

/** A tenant's prefix or full domain, in upper or lower case. `prefixOf` reads it. */
export const domainUrl = z.string().check(
  rule<string>('domain_not_valid', (value) => /^[a-z0-9][a-z0-9.-]{0,252}$/i.test(value)),
  z.meta({
    pattern: '^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$',
    description: 'The tenant: its subdomain prefix or its full domain, in upper or lower case.',
  }),
);

export const dryRun = z
  .optional(z.boolean())
  .check(
    z.describe(
      'Whether to validate the request and return the resulting entry without writing anything. ' +
        'The entry then has no id and no number.',
    ),
  );

/** A boolean in a query. */
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

/** An integer in a query. */
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

/** The header of an idempotency key in lower case, because headers are looked up by it. */
export const idempotencyKeyHeader = 'idempotency-key';

export const idempotencyKeyProblems = (idempotencyKey: string | undefined): Problem[] =>
  idempotencyKey === undefined || /^[\x21-\x7e]{1,255}$/.test(idempotencyKey)
    ? []
    : [problem('idempotency_key_not_valid', '/Idempotency-Key')];
