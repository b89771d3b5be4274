// Converts accounts of QuickBooks Online. The fields are from Finance.xsd in
// github.com/intuit/QuickBooks-V3-Java-SDK.

import * as z from 'zod/mini';
import type { AccountSubtype, AccountType } from '../../accounts/accounts.ts';
import { platformAccountOf, type ReadAccount } from '../records.ts';

const typeByClassification = new Map<string, AccountType>([
  ['Asset', 'asset'],
  ['Liability', 'liability'],
  ['Equity', 'equity'],
  ['Revenue', 'revenue'],
  ['Expense', 'expense'],
]);

/** All values of AccountTypeEnum except Non-Posting. */
const kindByAccountType = new Map<string, { type: AccountType; subtype?: AccountSubtype }>([
  ['Bank', { type: 'asset', subtype: 'cash' }],
  ['Accounts Receivable', { type: 'asset', subtype: 'receivable' }],
  ['Other Current Asset', { type: 'asset', subtype: 'current_asset' }],
  ['Fixed Asset', { type: 'asset', subtype: 'fixed_asset' }],
  ['Other Asset', { type: 'asset', subtype: 'non_current_asset' }],
  ['Accounts Payable', { type: 'liability', subtype: 'payable' }],
  ['Credit Card', { type: 'liability', subtype: 'credit_card' }],
  ['Other Current Liability', { type: 'liability', subtype: 'current_liability' }],
  ['Long Term Liability', { type: 'liability', subtype: 'non_current_liability' }],
  ['Equity', { type: 'equity' }],
  ['Income', { type: 'revenue' }],
  ['Other Income', { type: 'revenue', subtype: 'other_income' }],
  ['Cost of Goods Sold', { type: 'expense', subtype: 'cost_of_sales' }],
  ['Expense', { type: 'expense' }],
  ['Other Expense', { type: 'expense', subtype: 'other_expense' }],
]);

/**
 * The values of AccountSubTypeEnum that are more precise than their type. The cash flow statement
 * of QuickBooks counts undeposited funds as cash (newqbo.com, cited at importedClassificationOf).
 */
const subtypeBySubType = new Map<string, AccountSubtype>([
  ['Inventory', 'inventory'],
  ['UndepositedFunds', 'cash'],
  ['RetainedEarnings', 'retained_earnings'],
]);

/** Accumulated depreciation and the like, which move no cash (newqbo.com again). */
const isAccumulated = ({ AccountSubType }: AccountKind): boolean =>
  /^Accumulated(Amortization|Depletion|Depreciation)/.test(AccountSubType ?? '');

const subtypeOf = ({ AccountSubType, AccountType }: AccountKind): AccountSubtype | undefined =>
  subtypeBySubType.get(AccountSubType ?? '') ?? kindByAccountType.get(AccountType ?? '')?.subtype;

/**
 * The values of AccountSubTypeEnum with an unambiguous type, by their description or name. Others
 * group the assets the same way (LedgerSync::Ledgers::QuickBooksOnline::Account).
 */
const subTypes: Record<AccountType, string> = {
  asset:
    'AccountsReceivable AccumulatedAmortization AccumulatedDepreciation AllowanceForBadDebts ' +
    'Buildings CashAndCashEquivalents CashOnHand Checking FixedAssetComputers ' +
    'FixedAssetFurniture FixedAssetSoftware FurnitureAndFixtures Goodwill IntangibleAssets ' +
    'Inventory Land LeaseholdImprovements LoansToOthers LongTermInvestments ' +
    'MachineryAndEquipment MoneyMarket OtherCurrentAssets OtherFixedAssets OtherLongTermAssets ' +
    'PrepaidExpenses RentsHeldInTrust Savings SecurityDeposits TradeAndOtherReceivables ' +
    'TrustAccounts UndepositedFunds Vehicles',
  liability:
    'AccountsPayable AccruedLiabilities BankLoans CreditCard CurrentLiabilities ' +
    'CurrentTaxLiability DeferredRevenue DirectDepositPayable DividendsPayable ' +
    'FederalIncomeTaxPayable GlobalTaxPayable IncomeTaxPayable ' +
    'InsurancePayable InterestPayables LineOfCredit LoanPayable LongTermBorrowings NotesPayable ' +
    'OtherCurrentLiabilities OtherLongTermLiabilities PayrollTaxPayable RentsInTrustLiability ' +
    'SalesTaxPayable ShareholderNotesPayable ShortTermBorrowings StateLocalIncomeTaxPayable ' +
    'TradeAndOtherPayables TrustAccountsLiabilities',
  equity:
    'AccumulatedAdjustment AccumulatedOtherComprehensiveIncome CalledUpShareCapital CommonStock ' +
    'DividendDisbursed OpeningBalanceEquity OwnersEquity PaidInCapitalOrSurplus ' +
    'PartnerContributions PartnerDistributions PartnersEquity PreferredStock RetainedEarnings ' +
    'ShareCapital TreasuryStock',
  revenue:
    'CashReceiptIncome DiscountsRefundsGiven DividendIncome InterestEarned NonProfitIncome ' +
    'OtherInvestmentIncome OtherMiscellaneousIncome OtherOperatingIncome OtherPrimaryIncome ' +
    'RevenueGeneral SalesOfProductIncome SalesRetail SalesWholesale ServiceFeeIncome ' +
    'TaxExemptInterest UnappliedCashPaymentIncome',
  expense:
    'AdvertisingPromotional Amortization AmortizationExpense Auto BadDebts BankCharges ' +
    'CharitableContributions CostOfLabor CostOfLaborCos CostOfSales Depreciation ' +
    'DistributionCosts DuesSubscriptions EntertainmentMeals EquipmentRental FinanceCosts ' +
    'GlobalTaxExpense IncomeTaxExpense Insurance InterestPaid LegalProfessionalFees ' +
    'OfficeGeneralAdministrativeExpenses OtherBusinessExpenses OtherMiscellaneousExpense ' +
    'OtherMiscellaneousServiceCost PayrollExpenses PayrollTaxExpenses PayrollWageExpenses ' +
    'RentOrLeaseOfBuildings RepairMaintenance ShippingFreightDelivery StaffCosts ' +
    'SuppliesMaterials SuppliesMaterialsCogs TaxesPaid Travel TravelMeals Utilities',
};
const typeBySubType = new Map(
  (Object.keys(subTypes) as AccountType[]).flatMap((type) =>
    subTypes[type].split(' ').map((name) => [name, type] as const),
  ),
);

const Text = z.nullish(z.string());

type AccountKind = z.output<typeof AccountKind>;
const AccountKind = z.object({ Classification: Text, AccountType: Text, AccountSubType: Text });

/** The account's type. `assumedField` is the unknown field, if the type had to be assumed. */
const typeOf = (
  kind: AccountKind,
): { type: AccountType; assumedField: string | null } | undefined => {
  const ofClass = typeByClassification.get(kind.Classification ?? '');
  if (ofClass) return { type: ofClass, assumedField: null };
  // Without a classification, the account's type determines it.
  const ofType = kindByAccountType.get(kind.AccountType ?? '')?.type;
  if (ofType) return { type: ofType, assumedField: kind.Classification ? 'Classification' : null };
  const ofSubType = typeBySubType.get(kind.AccountSubType ?? '');
  return ofSubType && { type: ofSubType, assumedField: 'AccountType' };
};

const isPosting = ({ AccountType }: AccountKind): boolean => AccountType !== 'Non-Posting';

/** Ids are integers as text. */
export const QuickBooksId = z.string().check(z.regex(/^\d{1,30}$/));

const AccountNames = z.object({
  /** The path of names, from the topmost parent to this account, separated by colons. */
  FullyQualifiedName: Text,
  Name: Text,
});
const nameOf = ({ FullyQualifiedName, Name }: z.output<typeof AccountNames>): string =>
  FullyQualifiedName?.trim() || Name?.trim() || '';

export const QuickBooksAccount = z
  .object({
    ...AccountKind.shape,
    Id: QuickBooksId,
    ...AccountNames.shape,
    /** An optional number, which need not be unique. */
    AcctNum: Text,
    Active: z._default(z.boolean(), true),
  })
  .check(
    z.refine((it) => !isPosting(it) || typeOf(it) !== undefined, { path: ['AccountType'] }),
    z.refine((it) => nameOf(it) !== '', { path: ['FullyQualifiedName'] }),
  );

/** Drops non-posting accounts, because journals cannot use them. */
export const accountFrom = (
  record: z.output<typeof QuickBooksAccount>,
): ReadAccount | undefined => {
  const kind = typeOf(record);
  if (!isPosting(record) || kind === undefined) return undefined;
  const account = platformAccountOf({
    accountId: record.Id,
    code: record.AcctNum,
    name: nameOf(record),
    type: kind.type,
    subtype: subtypeOf(record),
    isArchived: !record.Active,
  });
  return {
    account: isAccumulated(record) ? { ...account, cashFlow: 'operating' } : account,
    assumedField: kind.assumedField,
  };
};
