// An entry in a request, and how it becomes a draft.

import * as z from 'zod/mini';
import { maximumAccountCodeLength } from '../../accounts/accounts.ts';
import type { Problem } from '../../errors.ts';
import {
  amount,
  calendarDate,
  currencyOfItsTime,
  newId,
  nonBlankText,
  rule,
  text,
  userId,
} from '../../fields.ts';
import { isReadableAmount } from '../../money/amounts.ts';
import { callerRatePattern, isCallerRate } from '../../rates/caller-rates.ts';
import {
  maximumDescriptionLength,
  maximumExternalIdLength,
  maximumMemoLength,
} from '../journal-entry.ts';
import { draftLine, type EntryDraft, type PartialDraft } from './draft.ts';
import { metadata } from './metadata.ts';

const maximumRequestLines = 500;

/** Each entry takes up to three of the hundred writes of a transaction. */
export const maximumRequestEntries = 25;

const Line = z.strictObject({
  account: nonBlankText(maximumAccountCodeLength, { kind: 'id' }).check(
    z.describe("Code of an active account in the tenant's chart of accounts."),
  ),
  debit: z.optional(
    amount.check(
      z.describe(
        'Debit in the transaction currency: a decimal string with up to 15 digits and the ' +
          'decimals of the currency: two at most, or three for BHD, IQD, JOD, KWD, LYD, OMR and ' +
          'TND. No thousands separators. Omitted or empty means zero.',
      ),
    ),
  ),
  credit: z.optional(
    amount.check(z.describe('Credit in the transaction currency, in the same format as a debit.')),
  ),
  description: z.optional(
    text(maximumDescriptionLength).check(z.describe('Description of the line.')),
  ),
});
z.globalRegistry.add(Line, { id: 'JournalLine', description: 'A line of an entry to post.' });

export const entryRequestFields = {
  date: calendarDate.check(
    z.describe('Date of the entry, YYYY-MM-DD. It decides the journal number and the rate.'),
  ),
  memo: nonBlankText(maximumMemoLength, { code: 'memo_must_not_be_blank' }).check(
    z.describe('Description of the entry.'),
  ),
  transactionCurrency: currencyOfItsTime.check(
    z.describe('ISO 4217 code of the currency of the lines, for example USD.'),
  ),
  // The contract requires a reporting currency in every entry and does not restrict it. Reports add
  // up book amounts instead.
  reportingCurrency: currencyOfItsTime.check(
    z.describe('ISO 4217 code of the currency to report the entry in, for example EUR.'),
  ),
  exchange_rate: z.optional(
    z
      .string()
      .check(
        rule<string>('exchange_rate_not_valid', isCallerRate),
        z.meta({ pattern: callerRatePattern.source }),
        z.describe(
          'Your own exchange rate: units of the reporting currency for one unit of the ' +
            'transaction currency, a positive decimal string with up to 11 decimals. If omitted, ' +
            'the service uses the rate of the date.',
        ),
      ),
  ),
  accept_rate: z
    .optional(z.boolean())
    .check(
      z.describe(
        'Whether to accept an `exchange_rate` that is more than twice the known rate, or less ' +
          'than half of it. It has no effect otherwise.',
      ),
    ),
  entries: z
    .array(Line)
    .check(
      z.minLength(2, { error: 'too_few_items' }),
      z.maxLength(maximumRequestLines, { error: 'too_many_items' }),
      z.describe('The lines. Total debits must equal total credits.'),
    ),
  accrual_date: z.optional(
    calendarDate.check(
      z.describe(
        'Date on which the entry posts, YYYY-MM-DD (UTC). If omitted or not after today, the ' +
          'entry posts immediately.',
      ),
    ),
  ),
  external_id: z.optional(
    newId(maximumExternalIdLength).check(
      z.describe(
        "Your application's own id for the entry, without control characters. If an entry with " +
          'this id exists, the request returns it and posts nothing.',
      ),
    ),
  ),
  metadata: z.optional(
    metadata.check(
      z.describe(
        'Up to 20 pairs of a name (up to 40 characters) and a text (up to 500 characters) for ' +
          'your own use. They cannot be changed. The names `__proto__` and `constructor` are not ' +
          'allowed.',
      ),
    ),
  ),
  user_id: z.optional(
    userId.check(
      z.describe('Id of the user who posts the entry. The tenant must be linked to this user.'),
    ),
  ),
};

export const EntryRequest = z.strictObject(entryRequestFields);
z.globalRegistry.add(EntryRequest, {
  id: 'JournalEntryRequest',
  description: 'An entry to post or schedule, as one of several.',
});
export type EntryRequest = z.output<typeof EntryRequest>;

const idText = (userId: number | undefined): string | null =>
  userId === undefined ? null : String(userId);

export const readDraft = (request: EntryRequest): EntryDraft => ({
  date: request.date,
  memo: request.memo,
  transactionCurrency: request.transactionCurrency,
  reportingCurrency: request.reportingCurrency,
  exchangeRate: request.exchange_rate ?? null,
  isRateAccepted: request.accept_rate === true,
  lines: request.entries.map(draftLine),
  accrualDate: request.accrual_date ?? null,
  externalId: request.external_id ?? null,
  userId: idText(request.user_id),
  metadata: request.metadata ?? {},
});

const Fields = z.partial(
  z.pick(EntryRequest, {
    date: true,
    accrual_date: true,
    transactionCurrency: true,
    reportingCurrency: true,
    exchange_rate: true,
    accept_rate: true,
    external_id: true,
    user_id: true,
  }),
);
/** Accepts too many decimals, so that an unbalanced entry is still found. */
const readableSide = z.optional(z.custom<string | number | undefined>(isReadableAmount));
const ValidSides = z.object(z.pick(Line, { debit: true, credit: true }).shape);
const Sides = z.object({ debit: readableSide, credit: readableSide });
const HasAccount = z.object({ account: Line.shape.account });

/**
 * Reads the valid parts of a request that its schema refused. The reply can then list every
 * problem, including the problems that only the table shows.
 * @param at pointer to the entry; empty if the entry is the whole request
 */
export const readPartialDraft = (
  input: unknown,
  problems: readonly Problem[],
  at = '',
): PartialDraft => {
  const body = z.record(z.string(), z.unknown()).safeParse(input).data ?? {};
  // The schema skips some rules in a list that is too long, so each field is parsed again.
  const fields: z.output<typeof Fields> = Object.fromEntries(
    Object.entries(Fields.shape)
      .filter(
        ([field]) => field in body && !problems.some(({ pointer }) => pointer === `${at}/${field}`),
      )
      .flatMap(([field, schema]) => {
        const parsed = z.safeParse(schema, body[field]);
        return parsed.success ? [[field, parsed.data]] : [];
      }),
  );
  const entries = Array.isArray(body.entries) ? body.entries : [];
  const hasRate = body.exchange_rate !== undefined;
  const hasAccrualDate = body.accrual_date !== undefined;
  return {
    date: fields.date,
    accrualDate: hasAccrualDate ? fields.accrual_date : null,
    transactionCurrency: fields.transactionCurrency,
    reportingCurrency: fields.reportingCurrency,
    exchangeRate: hasRate ? fields.exchange_rate : null,
    isRateAccepted: fields.accept_rate === true,
    externalId: fields.external_id ?? null,
    userId: idText(fields.user_id),
    lines: entries.map((entry: unknown, index) => {
      const sides = Sides.safeParse(entry).data;
      const isRefused = !ValidSides.safeParse(entry).success;
      // Accounts of lines beyond the maximum are not looked up.
      const account =
        index < maximumRequestLines ? HasAccount.safeParse(entry).data?.account : undefined;
      return { account, amounts: sides && { ...draftLine({ account: '', ...sides }), isRefused } };
    }),
  };
};
