// The lines for tax of a QuickBooks journal, which the journal itself leaves out.
//
// Outside the US a line can carry a tax. QuickBooks posts it to an account of the tax agency and
// has no line of it (github.com/fivetran/dbt_quickbooks, issue 56, where what journals lacked was
// "exactly the contents" of their tax lines). It states the tax beside the line or at the end of
// the entry, never its account, and at the end not its side. But whatever it posts does balance,
// and that tells the sides.

import Big from 'big.js';
import { sumOf } from '../../money/amounts.ts';
import type { PlatformJournalLine } from '../platform.ts';

/** A line of the journal with the tax that it states: a debit is above zero, a credit below. */
export type TaxableLine = { line: PlatformJournalLine; tax: Big };

const zero = new Big(0);

/** Signs are tried for so many taxes of an entry. Each has a rate of its own: few have more. */
const maximumSignedTaxes = 10;

const signedOf = ({ debit, credit }: PlatformJournalLine): Big => debit.minus(credit);

const taxLine = (amount: Big, description = ''): PlatformJournalLine => ({
  account: 'tax',
  description,
  debit: amount.gt(0) ? amount : zero,
  credit: amount.lt(0) ? amount.abs() : zero,
  reportingAmount: null,
});

/** The amounts, each with a sign, so that they sum to the target; `undefined` where none do. */
const signedTo = (target: Big, amounts: readonly Big[]): Big[] | undefined => {
  const [first, ...others] = amounts;
  if (first === undefined) return target.eq(0) ? [] : undefined;
  // The side that the target is on comes first: most entries have their taxes on one.
  const sides = target.lt(0) ? [first.neg(), first] : [first, first.neg()];
  for (const side of sides) {
    const rest = signedTo(target.minus(side), others);
    if (rest) return [side, ...rest];
  }
  return undefined;
};

/**
 * The lines of an entry with those of its tax: beside the lines that state it, or else as the entry
 * states them at its end, signed so that all of it balances, or else as one line that makes it
 * balance. An entry that states no tax gets none.
 * @param stated the amounts of the entry's own tax lines
 */
export const withTaxLines = (
  lines: readonly TaxableLine[],
  stated: readonly Big[],
): PlatformJournalLine[] => {
  const plain = lines.map(({ line }) => line);
  const missing = sumOf(plain.map(signedOf)).neg();
  const isTax = (tax: Big): boolean => !tax.eq(0);
  const ofLines = lines.map(({ tax }) => tax).filter(isTax);
  const amounts = stated.filter(isTax);
  if (ofLines.length + amounts.length === 0) return plain;
  if (ofLines.length > 0 && sumOf(ofLines).eq(missing)) {
    return lines.flatMap(({ line, tax }) =>
      isTax(tax) ? [line, taxLine(tax, line.description)] : line,
    );
  }
  const signed = amounts.length > maximumSignedTaxes ? undefined : signedTo(missing, amounts);
  const taxes = signed ?? (missing.eq(0) ? [] : [missing]);
  return [...plain, ...taxes.map((tax) => taxLine(tax))];
};
