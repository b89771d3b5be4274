// An entry as a request asks for it, and its draft: whole, or as far as it can be read.

import * as z from 'zod/mini';
import type { Problem } from '../../errors.ts';
import { maximumAccountCodeLength } from '../accounts.ts';
import { isReadableAmount } from '../amounts.ts';
import {
  amount,
  calendarDate,
  currencyOfItsTime,
  newId,
  nonBlankText,
  text,
  userId,
} from '../fields.ts';
import { draftLine, type EntryDraft, type PartialDraft } from './draft.ts';
import { metadata } from './metadata.ts';

export const maximumRequestLines = 500;

/** The entries of one request. Each takes up to three of the hundred writes of a transaction. */
export const maximumRequestEntries = 25;

const Line = z.strictObject({
  account: nonBlankText(maximumAccountCodeLength, { kind: 'id' }).check(
    z.describe("Account code; an active account of the tenant's chart of accounts."),
  ),
  debit: z.optional(
    amount.check(
      z.describe(
        'Debit side, in the transaction currency: a decimal string of up to 15 digits and 2 ' +
          'decimals, with a dot and without thousands separators. Omitted or empty is zero.',
      ),
    ),
  ),
  credit: z.optional(
    amount.check(z.describe('Credit side, in the transaction currency, in the form of a debit.')),
  ),
  description: z.optional(text(255).check(z.describe('What the line is for.'))),
});
z.globalRegistry.add(Line, { id: 'JournalLine', description: 'A line of an entry to be posted.' });

/** The fields of an entry in a request. */
export const entryRequestFields = {
  date: calendarDate.check(
    z.describe('Date of the entry, YYYY-MM-DD. It decides the journal number and the rate.'),
  ),
  memo: nonBlankText(1000, { code: 'memo_must_not_be_blank' }).check(
    z.describe('What the entry is for.'),
  ),
  transactionCurrency: currencyOfItsTime.check(
    z.describe('Currency in which the lines are recorded, an ISO 4217 code such as USD.'),
  ),
  // Any currency, whatever the tenant's own: the contract asks for one in every entry and ties it
  // to nothing. Reports over a tenant add up book amounts, which every entry has besides.
  reportingCurrency: currencyOfItsTime.check(
    z.describe('Currency in which the entry is reported, an ISO 4217 code such as EUR.'),
  ),
  entries: z
    .array(Line)
    .check(
      z.minLength(2, { error: 'too_few_items' }),
      z.maxLength(maximumRequestLines, { error: 'too_many_items' }),
      z.describe('The lines. Their debits and their credits add up to the same total.'),
    ),
  accrual_date: z.optional(
    calendarDate.check(
      z.describe(
        'Day on which the entry posts, YYYY-MM-DD (UTC). Without it, and where the day is not ' +
          'after today, the entry posts at once.',
      ),
    ),
  ),
  external_id: z.optional(
    newId(255).check(
      z.describe(
        "The caller's own id of the entry, without control characters; a repeat returns the " +
          'original entry.',
      ),
    ),
  ),
  metadata: z.optional(
    metadata.check(
      z.describe(
        'What your application keeps with the entry: at most 20 texts, of up to 500 characters, ' +
          'by names of up to 40. It never changes. `__proto__` and `constructor` are no names.',
      ),
    ),
  ),
  user_id: z.optional(
    userId.check(
      z.describe(
        'The user who posts: its id. The tenant must be linked to it; the entry keeps it.',
      ),
    ),
  ),
};

export const EntryRequest = z.strictObject(entryRequestFields);
z.globalRegistry.add(EntryRequest, {
  id: 'JournalEntryRequest',
  description: 'An entry to be posted or scheduled, beside others.',
});
export type EntryRequest = z.output<typeof EntryRequest>;

const idText = (userId: number | undefined): string | null =>
  userId === undefined ? null : String(userId);

/** The draft of a well-formed request. */
export const readDraft = (request: EntryRequest): EntryDraft => ({
  date: request.date,
  memo: request.memo,
  transactionCurrency: request.transactionCurrency,
  reportingCurrency: request.reportingCurrency,
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
    external_id: true,
    user_id: true,
  }),
);
/** The sides of a line, as far as a total needs them: too many decimals do not hide the balance. */
const readableSide = z.optional(z.custom<string | number | undefined>(isReadableAmount));
const ValidSides = z.object(z.pick(Line, { debit: true, credit: true }).shape);
const Sides = z.object({ debit: readableSide, credit: readableSide });
const HasAccount = z.object({ account: Line.shape.account });

/**
 * What can be read of a request whose schema found problems, so that the rules which do not depend
 * on the broken parts are still checked and every problem is named at once.
 * @param at pointer to the entry, which is empty where the entry is the whole request
 */
export const readPartialDraft = (
  input: unknown,
  found: readonly Problem[],
  at = '',
): PartialDraft => {
  const given = z.record(z.string(), z.unknown()).safeParse(input).data ?? {};
  // Of a list that is too long the schema does not look at every rule of what is in it.
  const fields: z.output<typeof Fields> = Object.fromEntries(
    Object.entries(Fields.shape)
      .filter(
        ([field]) => field in given && !found.some(({ pointer }) => pointer === `${at}/${field}`),
      )
      .flatMap(([field, schema]) => {
        const parsed = z.safeParse(schema, given[field]);
        return parsed.success ? [[field, parsed.data]] : [];
      }),
  );
  const entries = Array.isArray(given.entries) ? given.entries : [];
  const hasAccrualDate = given.accrual_date !== undefined;
  return {
    date: fields.date,
    accrualDate: hasAccrualDate ? fields.accrual_date : null,
    transactionCurrency: fields.transactionCurrency,
    reportingCurrency: fields.reportingCurrency,
    externalId: fields.external_id ?? null,
    userId: idText(fields.user_id),
    lines: entries.map((entry: unknown, index) => {
      const sides = Sides.safeParse(entry).data;
      const isRefused = !ValidSides.safeParse(entry).success;
      // No more accounts are looked up than the longest entry has.
      const account =
        index < maximumRequestLines ? HasAccount.safeParse(entry).data?.account : undefined;
      return { account, amounts: sides && { ...draftLine({ account: '', ...sides }), isRefused } };
    }),
  };
};
