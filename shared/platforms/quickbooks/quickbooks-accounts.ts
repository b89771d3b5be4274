// What accounts of QuickBooks Online mean to the ledger. Their fields are those of Finance.xsd in
// github.com/intuit/QuickBooks-V3-Java-SDK.

import * as z from 'zod/mini';
import {
  type AccountSubtype,
  type AccountType,
  importedClassificationOf,
  maximumAccountCodeLength,
  maximumAccountNameLength,
} from '../../accounts/accounts.ts';
import { truncate } from '../../texts.ts';
import type { ReadAccount } from '../records.ts';

const typeByClassification = new Map<string, AccountType>([
  ['Asset', 'asset'],
  ['Liability', 'liability'],
  ['Equity', 'equity'],
  ['Revenue', 'revenue'],
  ['Expense', 'expense'],
]);

/** All of AccountTypeEnum but Non-Posting. */
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
 * Those of AccountSubTypeEnum that say more than their type. The statement of cash flows of
 * QuickBooks counts undeposited funds as cash (newqbo.com, as importedClassificationOf cites it).
 */
const subtypeBySubType = new Map<string, AccountSubtype>([
  ['Inventory', 'inventory'],
  ['UndepositedFunds', 'cash'],
  ['RetainedEarnings', 'retained_earnings'],
]);

/** What they hold back from the cost of an asset moves no cash (newqbo.com again). */
const isAccumulated = ({ AccountSubType }: AccountKind): boolean =>
  /^Accumulated(Amortization|Depletion|Depreciation)/.test(AccountSubType ?? '');

const classificationOf = (given: AccountKind, type: AccountType) => {
  const subtype =
    subtypeBySubType.get(given.AccountSubType ?? '') ??
    kindByAccountType.get(given.AccountType ?? '')?.subtype;
  const found = importedClassificationOf({ type, subtype });
  return isAccumulated(given) ? ({ ...found, cashFlow: 'operating' } as const) : found;
};

/**
 * Those of AccountSubTypeEnum whose type their description or their name leaves in no doubt. The
 * assets are grouped like this by others, too (LedgerSync::Ledgers::QuickBooksOnline::Account).
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

/** The type, with the field that does not say it though it should, if so. */
const typeOf = (
  kind: AccountKind,
): { type: AccountType; assumedField: string | null } | undefined => {
  const ofClass = typeByClassification.get(kind.Classification ?? '');
  if (ofClass) return { type: ofClass, assumedField: null };
  // Where the classification is absent, it follows from the account's type.
  const ofType = kindByAccountType.get(kind.AccountType ?? '')?.type;
  if (ofType) return { type: ofType, assumedField: kind.Classification ? 'Classification' : null };
  const ofSubType = typeBySubType.get(kind.AccountSubType ?? '');
  return ofSubType && { type: ofSubType, assumedField: 'AccountType' };
};

const isPosting = ({ AccountType }: AccountKind): boolean => AccountType !== 'Non-Posting';

/** Ids are whole numbers, as text. */
export const QuickBooksId = z.string().check(z.regex(/^\d{1,30}$/));

export const QuickBooksAccount = z
  .object({
    ...AccountKind.shape,
    Id: QuickBooksId,
    /** The names of the accounts above it and its own, with colons between them. */
    FullyQualifiedName: Text,
    Name: Text,
    /** Users need not give numbers, nor give each only once. */
    AcctNum: Text,
    Active: z._default(z.boolean(), true),
  })
  .check(
    z.refine((it) => !isPosting(it) || typeOf(it) !== undefined, { path: ['AccountType'] }),
    z.refine((it) => nameOf(it) !== '', { path: ['FullyQualifiedName'] }),
  );

const nameOf = (given: {
  FullyQualifiedName?: string | null | undefined;
  Name?: string | null | undefined;
}): string => given.FullyQualifiedName?.trim() || given.Name?.trim() || '';

/** No journal can name a non-posting account, so the ledger has no use for it. */
export const accountFrom = (given: z.output<typeof QuickBooksAccount>): ReadAccount | undefined => {
  const kind = typeOf(given);
  if (!isPosting(given) || kind === undefined) return undefined;
  const code = given.AcctNum?.trim() ?? '';
  return {
    account: {
      accountId: given.Id,
      code: code === '' || code.length > maximumAccountCodeLength ? null : code,
      name: truncate(maximumAccountNameLength, nameOf(given)),
      type: kind.type,
      ...classificationOf(given, kind.type),
      status: given.Active ? 'active' : 'archived',
    },
    assumedField: kind.assumedField,
  };
};
