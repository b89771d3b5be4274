// What accounts of QuickBooks Online mean to the ledger. Their fields are those of Finance.xsd in
// github.com/intuit/QuickBooks-V3-Java-SDK.

import * as z from 'zod/mini';
import {
  type Account,
  maximumAccountCodeLength,
  maximumAccountNameLength,
} from '../domain/accounts.ts';
import { truncate } from '../domain/texts.ts';
import type { ReadAccount } from './records.ts';

type AccountType = Account['type'];

const typeByClassification = new Map<string, AccountType>([
  ['Asset', 'asset'],
  ['Liability', 'liability'],
  ['Equity', 'equity'],
  ['Revenue', 'revenue'],
  ['Expense', 'expense'],
]);

/** All of AccountTypeEnum but Non-Posting. */
const typeByAccountType = new Map<string, AccountType>([
  ['Bank', 'asset'],
  ['Accounts Receivable', 'asset'],
  ['Other Current Asset', 'asset'],
  ['Fixed Asset', 'asset'],
  ['Other Asset', 'asset'],
  ['Accounts Payable', 'liability'],
  ['Credit Card', 'liability'],
  ['Other Current Liability', 'liability'],
  ['Long Term Liability', 'liability'],
  ['Equity', 'equity'],
  ['Income', 'revenue'],
  ['Other Income', 'revenue'],
  ['Cost of Goods Sold', 'expense'],
  ['Expense', 'expense'],
  ['Other Expense', 'expense'],
]);

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
  const ofType = typeByAccountType.get(kind.AccountType ?? '');
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
      status: given.Active ? 'active' : 'archived',
    },
    assumedField: kind.assumedField,
  };
};
