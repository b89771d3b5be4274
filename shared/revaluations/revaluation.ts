// The revaluation of monetary items in other currencies at the closing rate (IAS 21.23, 21.28).
//
// An account's balance in a currency, at the rate of a date, is its closing balance in the book
// currency. The difference to its book amount is a gain or a loss. The difference is realised if
// the balance is zero: then nothing is left that the rate could still change.

import Big from 'big.js';
import {
  type Account,
  type AccountSubtype,
  isCash,
  type subtypesByType,
} from '../accounts/accounts.ts';
import { BooksDiffer } from '../entries/entry-checks.ts';
import { decimalsOf } from '../money/amounts.ts';
import { formatThousandths, thousandthsOf } from '../money/thousandths.ts';
import type { ExchangeRate } from '../rates/exchange-rates.ts';
import { type AccountSums, balanceOf } from '../sheets/sheet-sums.ts';

type BalanceSheetSubtype = (typeof subtypesByType)['asset' | 'liability'][number];

/**
 * Whether the accounts of a subtype are monetary items: money, and rights to receive or obligations
 * to deliver a fixed or determinable amount of it (IAS 21.16). Prepayments are none, nor are things
 * whose value follows prices.
 */
const monetarySubtypes: Readonly<Record<BalanceSheetSubtype, boolean>> = {
  cash: true,
  receivable: true,
  inventory: false,
  current_asset: false,
  tax_asset: true,
  income_tax_asset: true,
  current_investment: false,
  intercompany: true,
  fixed_asset: false,
  intangible_asset: false,
  investment: false,
  deferred_tax_asset: true,
  non_current_asset: false,
  non_current_intercompany: true,
  payable: true,
  credit_card: true,
  current_liability: true,
  tax_liability: true,
  income_tax_liability: true,
  current_debt: true,
  dividends_payable: true,
  debt: true,
  deferred_tax_liability: true,
  non_current_liability: true,
};

const isMonetarySubtype = (subtype: AccountSubtype): boolean =>
  monetarySubtypes[subtype as BalanceSheetSubtype] ?? false;

/** Cash and money in transit are monetary whatever their subtype is, and so are liabilities. */
const isMonetary = (account: Account): boolean => {
  if (account.type !== 'asset' && account.type !== 'liability') return false;
  if (isCash(account) || account.cashFlow === 'transfer') return true;
  return account.subtype === undefined
    ? account.type === 'liability'
    : isMonetarySubtype(account.subtype);
};

/**
 * A monetary account's balance in a currency and the book amount that it has, both in thousandths
 * and positive for a debit.
 */
export type Position = { account: Account; currency: string; balance: bigint; book: bigint };

/**
 * The positions of the accounts, ordered by code and currency, without those of zero.
 * @param sums of all dates up to the date of the revaluation, in `within`
 * @throws BooksDiffer if the chart lacks an account
 * @returns `undefined` if the books lack the book amounts of a currency, because an earlier version
 *   posted the entries
 */
export const positionsOf = (
  sums: readonly AccountSums[],
  chart: ReadonlyMap<string, Account>,
): Position[] | undefined => {
  const positions: Position[] = [];
  for (const { account: code, currency, within, bookBalance } of sums) {
    if (currency === null) continue;
    const account = chart.get(code);
    if (account === undefined) throw new BooksDiffer(`the chart has no account ${code}`);
    if (!isMonetary(account)) continue;
    if (bookBalance === undefined) return undefined;
    const balance = balanceOf(within);
    if (balance === 0n && bookBalance === 0n) continue;
    positions.push({ account, currency, balance, book: bookBalance });
  }
  const keyOf = ({ account, currency }: Position): string => `${account.code}\t${currency}`;
  return positions.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
};

/** `rate` is null if the balance is zero. `difference` is positive for a gain. */
export type RevaluedPosition = Position & {
  rate: ExchangeRate | null;
  closing: bigint;
  difference: bigint;
  isRealised: boolean;
};

/** @param rate from the position's currency to the book currency; not needed for a zero balance */
export const revalue = (
  position: Position,
  { rate, bookCurrency }: { rate: ExchangeRate | null; bookCurrency: string },
): RevaluedPosition => {
  const { balance, book } = position;
  if (balance === 0n) {
    return { ...position, rate: null, closing: 0n, difference: -book, isRealised: true };
  }
  if (rate === null) throw new RangeError(`a balance in ${position.currency} needs a rate`);
  const exact = new Big(formatThousandths(balance)).times(rate.rate);
  const closing = thousandthsOf(exact.round(decimalsOf(bookCurrency), Big.roundHalfUp).toFixed());
  return { ...position, rate, closing, difference: closing - book, isRealised: false };
};

/** Gains and losses of several positions; both positive. */
export type Differences = { gains: bigint; losses: bigint };

export const differencesOf = (
  positions: readonly Pick<RevaluedPosition, 'difference'>[],
): Differences => {
  const sum: Differences = { gains: 0n, losses: 0n };
  for (const { difference } of positions) {
    if (difference > 0n) sum.gains += difference;
    else sum.losses -= difference;
  }
  return sum;
};
