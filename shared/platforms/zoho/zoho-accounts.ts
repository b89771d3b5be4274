// What the accounts of Zoho Books mean to the ledger. Their fields are those of its OpenAPI
// document (www.zoho.com/books/api/v3/openapi-all.zip, chart-of-accounts.yml).

import * as z from 'zod/mini';
import {
  type AccountSubtype,
  type AccountType,
  importedClassificationOf,
  maximumAccountCodeLength,
  maximumAccountNameLength,
  type PlatformAccount,
} from '../../accounts/accounts.ts';
import type { Assumption, RefusedRecord } from '../../imports/import-report.ts';
import { truncate } from '../../texts.ts';
import { readRecords } from '../records.ts';
import { ZohoId } from './zoho-organizations.ts';

/** Zoho's types of accounts: those that it documents, in its own order of classes. */
const documentedTypes = {
  other_asset: 'asset',
  other_current_asset: 'asset',
  intangible_asset: 'asset',
  right_to_use_asset: 'asset',
  financial_asset: 'asset',
  contingent_asset: 'asset',
  contract_asset: 'asset',
  cash: 'asset',
  bank: 'asset',
  fixed_asset: 'asset',
  accounts_receivable: 'asset',
  other_current_liability: 'liability',
  contract_liability: 'liability',
  refund_liability: 'liability',
  credit_card: 'liability',
  long_term_liability: 'liability',
  loans_and_borrowing: 'liability',
  lease_liability: 'liability',
  employee_benefit_liability: 'liability',
  contingent_liability: 'liability',
  financial_liability: 'liability',
  other_liability: 'liability',
  accounts_payable: 'liability',
  equity: 'equity',
  income: 'revenue',
  finance_income: 'revenue',
  other_comprehensive_income: 'revenue',
  other_income: 'revenue',
  expense: 'expense',
  manufacturing_expense: 'expense',
  impairment_expense: 'expense',
  depreciation_expense: 'expense',
  employee_benefit_expense: 'expense',
  lease_expense: 'expense',
  finance_expense: 'expense',
  tax_expense: 'expense',
  cost_of_goods_sold: 'expense',
  other_expense: 'expense',
} as const;

/**
 * Types that Zoho does not document. All but the two of taxes are in one organization's list of its
 * types, each with its group (github.com/abrahamarslan/thpl-middleware,
 * docs/zoho-docs-md/samples/accounts/account-types.json); those two are unverified.
 */
const otherTypes = {
  stock: 'asset',
  payment_clearing: 'asset',
  long_term_asset: 'asset',
  deferred_tax_asset: 'asset',
  capital_work_in_progress: 'asset',
  intangible_assets_under_development: 'asset',
  input_tax: 'asset',
  overseas_tax_payable: 'liability',
  deferred_tax_liability: 'liability',
  output_tax: 'liability',
} as const;

const typesByZohoType = new Map<string, AccountType>(
  Object.entries({ ...documentedTypes, ...otherTypes }),
);

/** Zoho's groups of types, as that list has them for `account_group`. */
const typesByGroup = new Map<string, AccountType>([
  ['asset', 'asset'],
  ['liability', 'liability'],
  ['equity', 'equity'],
  ['income', 'revenue'],
  ['expense', 'expense'],
]);

/**
 * The types that say more than of which class they are. Contingent ones, and what Zoho calls other,
 * may be current or not.
 */
const subtypeByZohoType = new Map<string, AccountSubtype>([
  ['cash', 'cash'],
  ['bank', 'cash'],
  ['accounts_receivable', 'receivable'],
  ['stock', 'inventory'],
  ['other_current_asset', 'current_asset'],
  ['contract_asset', 'current_asset'],
  ['payment_clearing', 'current_asset'],
  ['input_tax', 'tax_asset'],
  ['deferred_tax_asset', 'tax_asset'],
  ['financial_asset', 'investment'],
  ['fixed_asset', 'fixed_asset'],
  ['right_to_use_asset', 'fixed_asset'],
  ['capital_work_in_progress', 'fixed_asset'],
  ['intangible_asset', 'intangible_asset'],
  ['intangible_assets_under_development', 'intangible_asset'],
  ['long_term_asset', 'non_current_asset'],
  ['other_asset', 'non_current_asset'],
  ['accounts_payable', 'payable'],
  ['credit_card', 'credit_card'],
  ['other_current_liability', 'current_liability'],
  ['contract_liability', 'current_liability'],
  ['refund_liability', 'current_liability'],
  ['output_tax', 'tax_liability'],
  ['overseas_tax_payable', 'tax_liability'],
  ['deferred_tax_liability', 'tax_liability'],
  ['loans_and_borrowing', 'debt'],
  ['lease_liability', 'debt'],
  ['financial_liability', 'debt'],
  ['long_term_liability', 'non_current_liability'],
  ['finance_income', 'other_income'],
  ['other_income', 'other_income'],
  ['other_comprehensive_income', 'other_income'],
  ['cost_of_goods_sold', 'cost_of_sales'],
  ['manufacturing_expense', 'cost_of_sales'],
  ['finance_expense', 'finance_cost'],
  ['tax_expense', 'income_tax'],
  ['other_expense', 'other_expense'],
]);

/** Words by which every type that is known is named, but for those that say what it is of. */
const typesByWord = new Map<string, AccountType>([
  ...typesByGroup,
  ['assets', 'asset'],
  ['receivable', 'asset'],
  ['liabilities', 'liability'],
  ['payable', 'liability'],
  ['borrowing', 'liability'],
  ['revenue', 'revenue'],
  ['cost', 'expense'],
  ['expenses', 'expense'],
]);

/** The last such word names the thing: a deferred_income_liability is a liability. */
const typeByWords = (name: string | null | undefined): AccountType | undefined =>
  (name ?? '')
    .toLowerCase()
    .split(/[^a-z]+/)
    .map((word) => typesByWord.get(word))
    .findLast((type) => type !== undefined);

/** One tenant's replies have flags as text (the repository above, test_accounting.py). */
const Flag = z.pipe(
  z.union([z.boolean(), z.enum(['true', 'false'])]),
  z.transform((value) => String(value) === 'true'),
);

/** Whether the account is active need not be said: it is in the chart. */
const ZohoAccount = z.object({
  account_id: ZohoId,
  account_name: z.string().check(z.trim(), z.minLength(1)),
  account_code: z.nullish(z.string()),
  account_type: z.nullish(z.string()),
  account_type_formatted: z.nullish(z.string()),
  account_group: z.nullish(z.string()),
  parent_account_id: z.nullish(z.string()),
  is_active: z.nullish(Flag),
});
type ZohoAccount = z.output<typeof ZohoAccount>;

const knownType = ({ account_type }: ZohoAccount): AccountType | undefined =>
  typesByZohoType.get(account_type ?? '');

/**
 * The class of an account of a type that is not known: as its group says, which is Zoho's own word
 * for a class; as the words of its type or of its type's name say; or as its parent's, since an
 * account and its parent are of one type. An account's own name says nothing: "Rent payable" and
 * "Cost of sales payable" are whatever their owner made them.
 */
const assumedType = (
  account: ZohoAccount,
  parents: ReadonlyMap<string, ZohoAccount>,
): AccountType | undefined => {
  const parent = parents.get(account.parent_account_id ?? '');
  return (
    typesByGroup.get(account.account_group ?? '') ??
    typeByWords(account.account_type) ??
    typeByWords(account.account_type_formatted) ??
    (parent && knownType(parent))
  );
};

const accountOf = (account: ZohoAccount, type: AccountType): PlatformAccount => {
  const code = account.account_code?.trim() ?? '';
  return {
    accountId: account.account_id,
    code: code === '' || code.length > maximumAccountCodeLength ? null : code,
    name: truncate(maximumAccountNameLength, account.account_name),
    type,
    ...importedClassificationOf({
      type,
      subtype: subtypeByZohoType.get(account.account_type ?? ''),
    }),
    status: account.is_active === false ? 'archived' : 'active',
  };
};

/** Reads the accounts of a page; `first` is the place of its first one in the chart. */
export const readAccounts = (records: readonly unknown[], first: number) => {
  const list = { kind: 'account', idField: 'account_id', first, schema: ZohoAccount } as const;
  const read = readRecords(records, list);
  const understood = read.flatMap((it) => ('record' in it.read ? [it.read.record] : []));
  const parents = new Map(understood.map((account) => [account.account_id, account]));
  const accounts: PlatformAccount[] = [];
  const assumptions: Assumption[] = [];
  const refused: RefusedRecord[] = [];
  const field = 'account_type';
  for (const { reference, read: one } of read) {
    if ('refused' in one) {
      refused.push(one.refused);
      continue;
    }
    const known = knownType(one.record);
    const type = known ?? assumedType(one.record, parents);
    if (type === undefined) {
      refused.push({ kind: 'account', reference, reason: 'record_not_understood', field });
      continue;
    }
    accounts.push(accountOf(one.record, type));
    if (known === undefined) {
      const assumption = 'account_type_assumed';
      assumptions.push({ kind: 'account', reference, assumption, field });
    }
  }
  return { accounts, unused: [], assumptions, refused };
};
