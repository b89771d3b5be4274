// The tax lines of a QuickBooks journal entry, which are missing in its own lines.
//
// Outside the US a line can have a tax. QuickBooks posts it to an account of the tax agency without
// a line in the entry (github.com/fivetran/dbt_quickbooks, issue 56: the differences were "exactly
// the contents" of the tax lines). The entry states the tax beside the line or at its end. It never
// states the account, and at the end it does not state the side. The side follows from the balance.

import type Big from 'big.js';
import { sumOf } from '../../money/amounts.ts';
import { balanceOf, sidesOf } from '../../money/sides.ts';
import type { PlatformJournalLine } from '../platform.ts';

/** A line and its tax. The tax is positive on a debit and negative on a credit. */
export type TaxableLine = { line: PlatformJournalLine; tax: Big };

/** Limits the search for signs. An entry states one tax per rate, so most entries have few. */
const maximumSignedTaxes = 10;

const taxLine = (amount: Big, description = ''): PlatformJournalLine => ({
  account: 'tax',
  description,
  ...sidesOf(amount),
  reportingAmount: null,
});

/** Gives each amount a sign so that their sum is the target. `undefined` if it is impossible. */
const signedTo = (target: Big, amounts: readonly Big[]): Big[] | undefined => {
  const [first, ...others] = amounts;
  if (first === undefined) return target.eq(0) ? [] : undefined;
  // Try the target's sign first, because usually all taxes are on one side.
  const sides = target.lt(0) ? [first.neg(), first] : [first, first.neg()];
  for (const side of sides) {
    const rest = signedTo(target.minus(side), others);
    if (rest) return [side, ...rest];
  }
  return undefined;
};

/**
 * Adds tax lines to the lines of an entry that states a tax. They are, in this order of preference:
 * the taxes of the lines, if they balance the entry; the stated taxes, with signs that balance the
 * entry; one line that balances the entry.
 * @param stated the taxes at the end of the entry
 */
export const withTaxLines = (
  lines: readonly TaxableLine[],
  stated: readonly Big[],
): PlatformJournalLine[] => {
  const plain = lines.map(({ line }) => line);
  const missing = balanceOf(plain).neg();
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
