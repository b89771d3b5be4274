// Accounts of a tenant's chart, and their classification.

import * as z from 'zod/mini';
import { cleaned } from '../texts.ts';

export const accountTypes = ['asset', 'liability', 'equity', 'revenue', 'expense'] as const;
export type AccountType = (typeof accountTypes)[number];

export const sides = ['debit', 'credit'] as const;
export type Side = (typeof sides)[number];

/**
 * The section of the statement of cash flows for cash that moves against the account. `transfer`
 * is money on its way from one cash account to another.
 */
export const cashFlowClasses = ['operating', 'investing', 'financing', 'transfer', 'cash'] as const;
export type CashFlowClass = (typeof cashFlowClasses)[number];

/**
 * The lines of the balance sheet and of the profit and loss statement, by account type. An account
 * need not have a subtype.
 */
export const subtypesByType = {
  asset: [
    'cash',
    'receivable',
    'inventory',
    'current_asset',
    'tax_asset',
    'income_tax_asset',
    'current_investment',
    'intercompany',
    'fixed_asset',
    'intangible_asset',
    'investment',
    'deferred_tax_asset',
    'non_current_asset',
    'non_current_intercompany',
  ],
  liability: [
    'payable',
    'credit_card',
    'current_liability',
    'tax_liability',
    'income_tax_liability',
    'current_debt',
    'dividends_payable',
    'intercompany',
    'debt',
    'deferred_tax_liability',
    'non_current_liability',
    'non_current_intercompany',
  ],
  equity: [
    'contributed_capital',
    'distributions',
    'retained_earnings',
    'other_comprehensive_income',
    'suspense',
  ],
  revenue: [
    'operating_revenue',
    'other_income',
    'exchange_difference',
    'disposal_result',
    'interest_income',
    'dividend_income',
  ],
  expense: [
    'cost_of_sales',
    'operating_expense',
    'other_expense',
    'exchange_difference',
    'disposal_result',
    'finance_cost',
    'income_tax',
  ],
} as const satisfies Record<AccountType, readonly string[]>;
export type AccountSubtype = (typeof subtypesByType)[AccountType][number];

/** Each subtype once. */
export const accountSubtypes: readonly AccountSubtype[] = [
  ...new Set(Object.values(subtypesByType).flat()),
];

/**
 * The subtypes of what is settled or used up after more than a year (IAS 1.66, 1.69). Of some, a
 * part can be due within a year; it belongs to the current subtype here.
 */
export const nonCurrentSubtypes: Partial<Record<AccountSubtype, AccountSubtype | null>> = {
  fixed_asset: null,
  intangible_asset: null,
  investment: 'current_investment',
  deferred_tax_asset: null,
  non_current_asset: 'current_asset',
  non_current_intercompany: 'intercompany',
  debt: 'current_debt',
  deferred_tax_liability: null,
  non_current_liability: 'current_liability',
};

const classification = {
  subtype: z.optional(z.enum(accountSubtypes)),
  cashFlow: z.optional(z.enum(cashFlowClasses)),
  /** The amount of a non-current balance that is due within a year. */
  currentPart: z.optional(z.string()),
};

/** The classification of an account before a date, after any earlier such date. */
const EarlierClassification = z.object({ before: z.string(), ...classification });
export type EarlierClassification = z.infer<typeof EarlierClassification>;

/**
 * Nothing can be posted to an archived account. `cashFlow` is absent if cash never moves against
 * the account.
 */
export const Account = z.object({
  code: z.string(),
  name: z.string(),
  type: z.enum(accountTypes),
  status: z.enum(['active', 'archived']),
  ...classification,
  /** The classifications before the current one, ordered by date. */
  earlier: z.optional(z.array(EarlierClassification)),
  normalBalance: z.optional(z.enum(sides)),
  /** When a caller archived the account; absent if it was archived otherwise. */
  archivedAt: z.optional(z.string()),
  role: z.optional(z.string()),
  platformAccountId: z.optional(z.string()),
  /** Accounts are numbered in the order of their addition. One of an earlier version has none. */
  number: z.optional(z.int()),
});
export type Account = z.infer<typeof Account>;

/**
 * An account of a platform. Its id identifies it, because some accounts have no code. Its subtype
 * and cash-flow class are used when it is first imported.
 */
export type PlatformAccount = Pick<Account, 'name' | 'type' | 'status'> & {
  accountId: string;
  code: string | null;
  subtype: AccountSubtype | null;
  cashFlow: CashFlowClass;
};

/**
 * The maximum number of characters. A new account's code also has a quota in bytes; codes older
 * than the quota can exceed it.
 */
export const maximumAccountCodeLength = 64;
/** Longer names are truncated during an import. */
export const maximumAccountNameLength = 150;

/** Reserved for the codes of platform accounts that have no usable code of their own. */
export const reservedCodePrefix = 'ID-';

/** The side that increases the balance. A contra account states the opposite side. */
export const normalBalanceOf = ({
  type,
  normalBalance,
}: Pick<Account, 'type' | 'normalBalance'>): Side =>
  normalBalance ?? (type === 'asset' || type === 'expense' ? 'debit' : 'credit');

/**
 * Whether the account is part of cash and cash equivalents (IAS 7.6). This never changes for an
 * account with entries, because each entry stores which of its lines moved cash.
 */
export const isCash = ({ cashFlow }: Pick<Account, 'cashFlow'>): boolean => cashFlow === 'cash';

export const isSubtypeOf = (type: AccountType, subtype: AccountSubtype): boolean =>
  (subtypesByType[type] as readonly AccountSubtype[]).includes(subtype);

/** Classes that differ from the usual class of the type, as in the default chart of accounts. */
const usualCashFlows: Partial<Record<AccountSubtype, CashFlowClass | null>> = {
  cash: 'cash',
  current_investment: 'investing',
  investment: 'investing',
  fixed_asset: 'investing',
  intangible_asset: 'investing',
  non_current_asset: 'investing',
  disposal_result: 'investing',
  current_debt: 'financing',
  debt: 'financing',
  dividends_payable: 'financing',
  non_current_liability: 'financing',
  // Valuations change these; cash never moves against them.
  other_comprehensive_income: null,
  suspense: null,
};

/**
 * Derives a missing subtype and cash-flow class from the other fields. The subtype of an asset or
 * liability stays null, because nothing says whether it is current.
 */
export const classificationOf = (account: {
  type: AccountType;
  subtype?: AccountSubtype | undefined;
  cashFlow?: CashFlowClass | undefined;
}): { subtype: AccountSubtype | null; cashFlow: CashFlowClass | null } => {
  const { type } = account;
  const subtype = account.subtype ?? usualSubtypeOf(account);
  const usual = subtype === null ? undefined : usualCashFlows[subtype];
  const ofType = type === 'equity' ? 'financing' : 'operating';
  const ofLoan = type === 'asset' ? 'investing' : 'financing';
  const ofSubtype = subtype === 'non_current_intercompany' ? ofLoan : usual;
  return { subtype, cashFlow: account.cashFlow ?? (ofSubtype === undefined ? ofType : ofSubtype) };
};

const usualSubtypeOf = ({
  type,
  cashFlow,
}: {
  type: AccountType;
  cashFlow?: CashFlowClass | undefined;
}): AccountSubtype | null => {
  if (type === 'revenue') return 'operating_revenue';
  if (type === 'expense') return 'operating_expense';
  return type === 'asset' && cashFlow === 'cash' ? 'cash' : null;
};

const notCash = cashFlowClasses.filter((it) => it !== 'cash');
const notMoney = notCash.filter((it) => it !== 'transfer');

/**
 * The cash-flow classes that an account can have. An asset is cash if and only if its subtype is
 * `cash`, so that the balance sheet and the statement of cash flows agree. A liability can be cash:
 * an overdraft that is repaid on demand (IAS 7.8). Only assets and liabilities can be transfers.
 */
export const cashFlowsFor = ({
  type,
  subtype,
}: {
  type: AccountType;
  subtype?: AccountSubtype | undefined;
}): readonly CashFlowClass[] => {
  if (type === 'liability' || (type === 'asset' && subtype === undefined)) return cashFlowClasses;
  if (type !== 'asset') return notMoney;
  return subtype === 'cash' ? ['cash'] : notCash;
};

/**
 * Classifies an imported account as QuickBooks does in its statement of cash flows: long-term
 * assets are investing, long-term liabilities and equity are financing, all others are operating
 * (newqbo.com/how-does-quickbooks-online-produce-the-statement-of-cash-flows-report).
 *
 * @param account.subtype derived from the platform's type; ignored if it does not fit `type`
 */
export const importedClassificationOf = ({
  type,
  subtype,
}: {
  type: AccountType;
  subtype: AccountSubtype | undefined;
}): Pick<PlatformAccount, 'subtype' | 'cashFlow'> => {
  const validSubtype = subtype !== undefined && isSubtypeOf(type, subtype) ? subtype : undefined;
  const { cashFlow, ...rest } = classificationOf({ type, subtype: validSubtype });
  return { ...rest, cashFlow: cashFlow ?? 'financing' };
};

/** The code of an account if its own is missing, too long or taken. */
export const codeById = (accountId: string): string => `${reservedCodePrefix}${accountId}`;

/** The platform's code, if it is usable. A code with the reserved prefix is not. */
export const ownCodeOf = (account: Pick<PlatformAccount, 'code'>): string | undefined => {
  const code = cleaned('id', account.code ?? '');
  const isUsable = code !== '' && !code.startsWith(reservedCodePrefix);
  return isUsable && code.length <= maximumAccountCodeLength ? code : undefined;
};
