// Converts the taxes of Zoho's journals to lines and finds their accounts.

import type Big from 'big.js';
import * as z from 'zod/mini';
import { balanceOf, sidesOf } from '../../money/sides.ts';
import type { AccountReference, PlatformJournalLine } from '../platform.ts';
import { Decimal } from '../replies.ts';
import { ZohoId } from './zoho-organizations.ts';

/**
 * A tax of the organization. `tax_account_id` is for sales, `purchase_tax_account_id` for
 * purchases. Zoho documents both only for Mexico (its taxes.yml), but we use them in every country.
 */
const Tax = z.object({
  tax_id: ZohoId,
  tax_name: z.string(),
  tax_account_id: z.catch(z.nullish(ZohoId), null),
  purchase_tax_account_id: z.catch(z.nullish(ZohoId), null),
});
export type ZohoTax = z.output<typeof Tax>;

/** Drops taxes that cannot be read. */
export const readTaxes = (records: readonly unknown[]): ZohoTax[] =>
  records.flatMap((record) => Tax.safeParse(record).data ?? []);

type Side = 'debit' | 'credit';
const other: Record<Side, Side> = { debit: 'credit', credit: 'debit' };
const Side = z.catch(z.nullish(z.enum(['debit', 'credit'])), null);

const optionalText = z.catch(z.nullish(z.string()), null);

/** The tax of a line. Its amount is only in the journal's `taxes`. */
export const taxFieldsOfLine = {
  tax_id: optionalText,
  tax_name: optionalText,
  tax_percentage: z.catch(z.nullish(Decimal), null),
};

type TaxedLine = z.output<z.ZodMiniObject<typeof taxFieldsOfLine>> & { debit_or_credit: Side };

/** A tax of a journal: its total and, according to the documentation, its side. */
const JournalTax = z.object({
  tax_id: optionalText,
  tax_name: optionalText,
  tax_amount: Decimal,
  debit_or_credit: Side,
});
type JournalTax = { id: string | null; name: string | null; amount: Big; side: Side | null };

export type TaxedJournal = { taxes?: unknown[] | null | undefined; line_items: TaxedLine[] };

/** The taxes of a journal with an amount. A negative amount belongs on the other side. */
const taxesOf = ({ taxes, line_items }: TaxedJournal): JournalTax[] =>
  (taxes ?? []).flatMap((tax) => {
    const { data } = JournalTax.safeParse(tax);
    if (data === undefined || data.tax_amount.eq(0)) return [];
    const lines = line_items.filter(({ tax_name }) => tax_name && tax_name === data.tax_name);
    const sides = new Set(lines.map(({ debit_or_credit }) => debit_or_credit));
    const side = data.debit_or_credit ?? (sides.size === 1 ? [...sides][0] : null) ?? null;
    return {
      id: data.tax_id || lines.find(({ tax_id }) => tax_id)?.tax_id || null,
      name: data.tax_name || null,
      amount: data.tax_amount.abs(),
      side: side && data.tax_amount.lt(0) ? other[side] : side,
    };
  });

const isLineTaxed = ({ tax_id, tax_name, tax_percentage }: TaxedLine): boolean =>
  Boolean(tax_id || tax_name) && !tax_percentage?.eq(0);

export const isTaxed = (journal: TaxedJournal): boolean =>
  taxesOf(journal).length > 0 || journal.line_items.some(isLineTaxed);

/**
 * The account to which Zoho posts a tax, if the list of taxes names it. Sales and purchases can
 * have separate accounts (www.zoho.com/ae/books/kb/taxes/track-sales-purchases-tax.html).
 * Unverified: that Zoho posts a debit to the purchases account.
 */
const accountOf = (
  { id, name }: JournalTax,
  { side, taxes }: { side: Side; taxes: readonly ZohoTax[] },
): AccountReference => {
  const tax = taxes.find(({ tax_id, tax_name }) => (id ? tax_id === id : tax_name === name));
  const [output, input] = [tax?.tax_account_id, tax?.purchase_tax_account_id];
  const accountId = side === 'credit' ? (output ?? input) : (input ?? output);
  return accountId ? { id: accountId, isTax: true } : 'tax';
};

const lineOf = (
  amount: Big,
  { side, account, name }: { side: Side; account: AccountReference; name: string | null },
): PlatformJournalLine => ({
  account,
  description: name ?? '',
  ...sidesOf(side === 'debit' ? amount : amount.neg()),
  // Zoho does not state taxes in the organization's currency.
  reportingAmount: null,
});

/**
 * The tax lines of a journal. They are on the stated sides, on the opposite sides, or all on the
 * lighter side, whichever balances the journal first. If its own lines already balance, their
 * amounts include the taxes. Otherwise one tax line has the whole difference. A journal without
 * taxes gets no lines, even if it does not balance.
 */
export const taxLinesOf = (
  journal: TaxedJournal,
  own: { lines: readonly PlatformJournalLine[]; taxes: readonly ZohoTax[] },
): PlatformJournalLine[] => {
  const difference = balanceOf(own.lines);
  const lighter: Side = difference.gt(0) ? 'credit' : 'debit';
  const taxes = taxesOf(journal);
  const linesBy = (sideOf: (tax: JournalTax) => Side) =>
    taxes.map((tax) => {
      const side = sideOf(tax);
      const account = accountOf(tax, { side, taxes: own.taxes });
      return lineOf(tax.amount, { side, account, name: tax.name });
    });
  const stated = linesBy(({ side }) => side ?? lighter);
  const candidates = [
    stated,
    linesBy(({ side }) => (side ? other[side] : lighter)),
    linesBy(() => lighter),
    [],
  ];
  const balanced = candidates.find((lines) => balanceOf(lines).plus(difference).eq(0));
  if (balanced !== undefined) return balanced;
  if (!isTaxed(journal)) return [];
  const [first] = linesBy(() => lighter);
  const isOneTax = taxes.length === 1 && first !== undefined;
  const account = isOneTax ? first.account : 'tax';
  return [lineOf(difference.abs(), { side: lighter, account, name: taxes[0]?.name ?? null })];
};
