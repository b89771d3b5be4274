// An account of a tenant's chart of accounts: what it is, and what else follows from that.

import * as z from 'zod/mini';

export const accountTypes = ['asset', 'liability', 'equity', 'revenue', 'expense'] as const;
export type AccountType = (typeof accountTypes)[number];

export const sides = ['debit', 'credit'] as const;
export type Side = (typeof sides)[number];

/** In which section of the statement of cash flows it shows what moves cash against an account. */
export const cashFlowClasses = ['operating', 'investing', 'financing', 'cash'] as const;
export type CashFlowClass = (typeof cashFlowClasses)[number];

/**
 * The lines of the balance sheet and of the profit and loss account that accounts of each type are
 * shown in. An account need not have a subtype.
 */
export const subtypesByType = {
  asset: [
    'cash',
    'receivable',
    'inventory',
    'current_asset',
    'tax_asset',
    'investment',
    'fixed_asset',
    'intangible_asset',
    'non_current_asset',
    'intercompany',
  ],
  liability: [
    'payable',
    'credit_card',
    'current_liability',
    'tax_liability',
    'debt',
    'non_current_liability',
    'intercompany',
  ],
  equity: [
    'contributed_capital',
    'distributions',
    'retained_earnings',
    'other_comprehensive_income',
    'suspense',
  ],
  revenue: ['operating_revenue', 'other_income'],
  expense: ['cost_of_sales', 'operating_expense', 'finance_cost', 'other_expense', 'income_tax'],
} as const satisfies Record<AccountType, readonly string[]>;
export type AccountSubtype = (typeof subtypesByType)[AccountType][number];

/** Each subtype once. */
export const accountSubtypes: readonly AccountSubtype[] = [
  ...new Set(Object.values(subtypesByType).flat()),
];

/**
 * `status` is archived where nothing more may be posted to the account. `cashFlow` is absent where
 * the account never stands against cash.
 */
export const Account = z.object({
  code: z.string(),
  name: z.string(),
  type: z.enum(accountTypes),
  status: z.enum(['active', 'archived']),
  subtype: z.optional(z.enum(accountSubtypes)),
  normalBalance: z.optional(z.enum(sides)),
  cashFlow: z.optional(z.enum(cashFlowClasses)),
  role: z.optional(z.string()),
  platformAccountId: z.optional(z.string()),
});
export type Account = z.infer<typeof Account>;

/**
 * An account as a platform keeps it: known by its id, since not every account has a code. Its
 * subtype and the class of its cash flows are those that it gets when it is first imported.
 */
export type PlatformAccount = Pick<Account, 'name' | 'type' | 'status'> & {
  accountId: string;
  code: string | null;
  subtype: AccountSubtype | null;
  cashFlow: CashFlowClass;
};

/**
 * The characters of the longest code that there can be. That of a new account has a quota of bytes
 * besides; accounts that are older than the quota may have more.
 */
export const maximumAccountCodeLength = 64;
/** Names are cut to this length when they are imported. */
export const maximumAccountNameLength = 150;

/** The codes of platform accounts that lack one of their own begin with it, and no others. */
export const reservedCodePrefix = 'ID-';

/** The side on which an account of the type grows; contra accounts state the other one. */
export const normalBalanceOf = ({
  type,
  normalBalance,
}: Pick<Account, 'type' | 'normalBalance'>): Side =>
  normalBalance ?? (type === 'asset' || type === 'expense' ? 'debit' : 'credit');

/**
 * Whether the account is part of cash and cash equivalents, of which the statement of cash flows
 * explains the movement (IAS 7.6). It is decided when the account is made: what entries moved cash
 * is kept with them, and would be wrong if it changed.
 */
export const isCash = ({ cashFlow }: Pick<Account, 'cashFlow'>): boolean => cashFlow === 'cash';

export const isSubtypeOf = (type: AccountType, subtype: AccountSubtype): boolean =>
  (subtypesByType[type] as readonly AccountSubtype[]).includes(subtype);

/** Classes that differ from what is usual for the type, as in the default chart of accounts. */
const usualCashFlows: Partial<Record<AccountSubtype, CashFlowClass | null>> = {
  cash: 'cash',
  investment: 'investing',
  fixed_asset: 'investing',
  intangible_asset: 'investing',
  non_current_asset: 'investing',
  debt: 'financing',
  non_current_liability: 'financing',
  // These move by valuations and by closings, never against cash.
  retained_earnings: null,
  other_comprehensive_income: null,
  suspense: null,
};

/**
 * What is not said of an account follows from what is. Nothing says whether an asset or a liability
 * is a current one, and `subtype` is null there.
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
  return { subtype, cashFlow: account.cashFlow ?? (usual === undefined ? ofType : usual) };
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

/**
 * The classes that an account may have. The assets that are cash are those of the subtype, so that
 * the balance sheet and the statement of cash flows have one figure of it. A liability can be cash
 * too: an overdraft that is repaid on demand (IAS 7.8).
 */
export const cashFlowsFor = ({
  type,
  subtype,
}: {
  type: AccountType;
  subtype?: AccountSubtype | undefined;
}): readonly CashFlowClass[] => {
  if (type === 'liability' || (type === 'asset' && subtype === undefined)) return cashFlowClasses;
  return type === 'asset' && subtype === 'cash' ? ['cash'] : notCash;
};

/**
 * How an imported account is classified, as QuickBooks does it in its statement of cash flows:
 * long-term assets are investing, long-term liabilities and all equity financing, the others
 * operating (newqbo.com/how-does-quickbooks-online-produce-the-statement-of-cash-flows-report).
 * Dividends are often posted against retained earnings there, which so have a class too.
 *
 * @param account.subtype what its platform's own type means; it counts where it is one of the type
 */
export const importedClassificationOf = ({
  type,
  subtype,
}: {
  type: AccountType;
  subtype: AccountSubtype | undefined;
}): Pick<PlatformAccount, 'subtype' | 'cashFlow'> => {
  const fitting = subtype !== undefined && isSubtypeOf(type, subtype) ? subtype : undefined;
  const found = classificationOf({ type, subtype: fitting });
  return { subtype: found.subtype, cashFlow: found.cashFlow ?? 'financing' };
};
