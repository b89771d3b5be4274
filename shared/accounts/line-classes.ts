// What a line is to the statement of cash flows, from its account when the entry is made. The line
// keeps it, because it decides what of the entry is set off.

import { type Account, isCash, normalBalanceOf } from './accounts.ts';

/**
 * Mostly the cash-flow class of the account. `profit` marks accounts of profit and loss; most of
 * them are operating.
 * - `investing_liability`: what is owed to suppliers of assets
 * - `accumulated`: accumulated depreciation and amortisation
 * - `disposal_result`: what a disposal yields above or below the book value
 * - `exchange_difference`: what arises on other accounts from exchange rates
 * - `capital`, `equity`: contributed capital, and other equity of class financing
 * - `unclassified`: the account has no class
 * - `revalued`: the line of a revaluation, which never is a flow
 * - `unknown`: an earlier version made the entry, and kept only which lines are cash
 */
export const lineClasses = [
  'operating',
  'profit',
  'investing',
  'investing_profit',
  'financing',
  'financing_profit',
  'capital',
  'equity',
  'transfer',
  'cash',
  'investing_liability',
  'accumulated',
  'disposal_result',
  'exchange_difference',
  'unclassified',
  'revalued',
  'unknown',
] as const;
export type LineClass = (typeof lineClasses)[number];

/** The fields of an account that decide the class of its lines. */
type LineAccount = Pick<Account, 'type'> & {
  [Field in 'subtype' | 'cashFlow' | 'normalBalance' | 'role']?: Account[Field] | undefined;
};

export const isOfProfit = ({ type }: Pick<Account, 'type'>): boolean =>
  type === 'revenue' || type === 'expense';

/** Versions before 1.3.0 marked the account with a role only. */
export const isExchangeDifference = (
  account: Pick<LineAccount, 'type' | 'subtype' | 'role'>,
): boolean =>
  isOfProfit(account) &&
  (account.subtype === 'exchange_difference' || account.role === 'fx_gain_loss');

/** In default charts of versions before 1.3.0, the account is another expense of investing. */
export const isDisposalResult = (
  account: Pick<LineAccount, 'type' | 'subtype' | 'cashFlow' | 'role'>,
): boolean =>
  account.subtype === 'disposal_result' ||
  (account.subtype === 'other_expense' &&
    account.cashFlow === 'investing' &&
    !isExchangeDifference(account));

/**
 * Accumulated depreciation and amortisation. In entries with cash it is part of the disposal of an
 * asset, regardless of its class. In entries without cash it removes depreciation from profit.
 */
export const isAccumulated = (account: LineAccount): boolean =>
  (account.subtype === 'fixed_asset' || account.subtype === 'intangible_asset') &&
  normalBalanceOf(account) === 'credit';

/**
 * The cash-flow class in force. Distributions can be charged to retained earnings, whose accounts
 * of versions before 1.3.0 have no class.
 */
export const classInForce = ({
  cashFlow,
  subtype,
}: Pick<LineAccount, 'cashFlow' | 'subtype'>): LineAccount['cashFlow'] =>
  cashFlow ?? (subtype === 'retained_earnings' ? 'financing' : undefined);

const ofEquity = (subtype: LineAccount['subtype']): LineClass =>
  subtype === 'contributed_capital' ? 'capital' : 'equity';

export const lineClassOf = (account: LineAccount): LineClass => {
  const cashFlow = classInForce(account);
  if (isCash(account)) return 'cash';
  if (isExchangeDifference(account)) return 'exchange_difference';
  if (isAccumulated(account)) return 'accumulated';
  if (cashFlow === undefined || cashFlow === 'cash') return 'unclassified';
  if (cashFlow === 'transfer') return 'transfer';
  if (isOfProfit(account)) {
    const isDisposal = cashFlow === 'investing' && isDisposalResult(account);
    if (isDisposal) return 'disposal_result';
    return cashFlow === 'operating' ? 'profit' : `${cashFlow}_profit`;
  }
  if (cashFlow === 'investing' && account.type === 'liability') return 'investing_liability';
  const isEquity = cashFlow === 'financing' && account.type === 'equity';
  return isEquity ? ofEquity(account.subtype) : cashFlow;
};
