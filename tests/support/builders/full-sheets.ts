// The rows of a sheet that has no room for an account more.

import Big from 'big.js';
import { formatRows } from '#shared/sheets/day-sheet.ts';
import { rowNameOf } from '#shared/sheets/row-text.ts';

/** The part of an item's 400 KB that a sheet may use. */
const maximumBytes = 398 * 1024;

/** Rows of accounts that no test posts to, beside which two more have no room. */
export const fullRows = (): string => {
  const zero = new Big(0);
  const rows = Array.from({ length: 8_000 }, (_, index) => ({
    account: rowNameOf({ code: String(index).padStart(60, '0') }),
    currency: null,
    debit: new Big(100),
    credit: zero,
    cashEffect: zero,
    nonCash: zero,
    disposed: zero,
  }));
  // The last row is cut.
  return formatRows(rows).slice(0, maximumBytes).trimEnd();
};
