// Converts the accounts of Zoho Books. The fields are from its OpenAPI document
// (www.zoho.com/books/api/v3/openapi-all.zip, chart-of-accounts.yml).

import * as z from 'zod/mini';
import type { AccountSubtype, AccountType } from '../../accounts/accounts.ts';
import { accountsOf, platformAccountOf, readRecords } from '../records.ts';
import { ZohoId } from './zoho-organizations.ts';

/**
 * Zoho's account types, first the documented ones. Contingent and other types can be current or
 * not, so they have no subtype.
 *
 * Zoho does not document the rest. All of them except the two tax types are in one organization's
 * list of types with their groups (github.com/abrahamarslan/thpl-middleware,
 * docs/zoho-docs-md/samples/accounts/account-types.json). The tax types are unverified.
 */
const kindByZohoType = new Map<string, { type: AccountType; subtype?: AccountSubtype }>([
  ['other_asset', { type: 'asset', subtype: 'non_current_asset' }],
  ['other_current_asset', { type: 'asset', subtype: 'current_asset' }],
  ['intangible_asset', { type: 'asset', subtype: 'intangible_asset' }],
  ['right_to_use_asset', { type: 'asset', subtype: 'fixed_asset' }],
  ['financial_asset', { type: 'asset', subtype: 'investment' }],
  ['contingent_asset', { type: 'asset' }],
  ['contract_asset', { type: 'asset', subtype: 'current_asset' }],
  ['cash', { type: 'asset', subtype: 'cash' }],
  ['bank', { type: 'asset', subtype: 'cash' }],
  ['fixed_asset', { type: 'asset', subtype: 'fixed_asset' }],
  ['accounts_receivable', { type: 'asset', subtype: 'receivable' }],
  ['other_current_liability', { type: 'liability', subtype: 'current_liability' }],
  ['contract_liability', { type: 'liability', subtype: 'current_liability' }],
  ['refund_liability', { type: 'liability', subtype: 'current_liability' }],
  ['credit_card', { type: 'liability', subtype: 'credit_card' }],
  ['long_term_liability', { type: 'liability', subtype: 'non_current_liability' }],
  ['loans_and_borrowing', { type: 'liability', subtype: 'debt' }],
  ['lease_liability', { type: 'liability', subtype: 'debt' }],
  ['employee_benefit_liability', { type: 'liability' }],
  ['contingent_liability', { type: 'liability' }],
  ['financial_liability', { type: 'liability', subtype: 'debt' }],
  ['other_liability', { type: 'liability' }],
  ['accounts_payable', { type: 'liability', subtype: 'payable' }],
  ['equity', { type: 'equity' }],
  ['income', { type: 'revenue' }],
  ['finance_income', { type: 'revenue', subtype: 'other_income' }],
  ['other_comprehensive_income', { type: 'revenue', subtype: 'other_income' }],
  ['other_income', { type: 'revenue', subtype: 'other_income' }],
  ['expense', { type: 'expense' }],
  ['manufacturing_expense', { type: 'expense', subtype: 'cost_of_sales' }],
  ['impairment_expense', { type: 'expense' }],
  ['depreciation_expense', { type: 'expense' }],
  ['employee_benefit_expense', { type: 'expense' }],
  ['lease_expense', { type: 'expense' }],
  ['finance_expense', { type: 'expense', subtype: 'finance_cost' }],
  ['tax_expense', { type: 'expense', subtype: 'income_tax' }],
  ['cost_of_goods_sold', { type: 'expense', subtype: 'cost_of_sales' }],
  ['other_expense', { type: 'expense', subtype: 'other_expense' }],

  ['stock', { type: 'asset', subtype: 'inventory' }],
  ['payment_clearing', { type: 'asset', subtype: 'current_asset' }],
  ['long_term_asset', { type: 'asset', subtype: 'non_current_asset' }],
  ['deferred_tax_asset', { type: 'asset', subtype: 'tax_asset' }],
  ['capital_work_in_progress', { type: 'asset', subtype: 'fixed_asset' }],
  ['intangible_assets_under_development', { type: 'asset', subtype: 'intangible_asset' }],
  ['input_tax', { type: 'asset', subtype: 'tax_asset' }],
  ['overseas_tax_payable', { type: 'liability', subtype: 'tax_liability' }],
  ['deferred_tax_liability', { type: 'liability', subtype: 'tax_liability' }],
  ['output_tax', { type: 'liability', subtype: 'tax_liability' }],
]);

/** Zoho's groups of types: the values of `account_group` in that list. */
export const typeByGroup = new Map<string, AccountType>([
  ['asset', 'asset'],
  ['liability', 'liability'],
  ['equity', 'equity'],
  ['income', 'revenue'],
  ['expense', 'expense'],
]);

/** The words in the names of the known types that determine the type. */
const typeByWord = new Map<string, AccountType>([
  ...typeByGroup,
  ['assets', 'asset'],
  ['receivable', 'asset'],
  ['liabilities', 'liability'],
  ['payable', 'liability'],
  ['borrowing', 'liability'],
  ['revenue', 'revenue'],
  ['cost', 'expense'],
  ['expenses', 'expense'],
]);

/** The last such word decides: a deferred_income_liability is a liability. */
const typeByWords = (name: string | null | undefined): AccountType | undefined =>
  (name ?? '')
    .toLowerCase()
    .split(/[^a-z]+/)
    .map((word) => typeByWord.get(word))
    .findLast((type) => type !== undefined);

/** Some replies have flags as text (the repository above, test_accounting.py). */
const Flag = z.pipe(
  z.union([z.boolean(), z.enum(['true', 'false'])]),
  z.transform((value) => String(value) === 'true'),
);

/** Accounts without `is_active` are active. */
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

const kindOf = ({ account_type }: ZohoAccount) => kindByZohoType.get(account_type ?? '');

/**
 * The type of an account with an unknown `account_type`: from its group, from the words of its type
 * or of its type's display name, or from its parent, which has the same type. The account's own
 * name does not count, because users choose it ("Cost of sales payable").
 */
const assumedType = (
  account: ZohoAccount,
  parents: ReadonlyMap<string, ZohoAccount>,
): AccountType | undefined => {
  const parent = parents.get(account.parent_account_id ?? '');
  return (
    typeByGroup.get(account.account_group ?? '') ??
    typeByWords(account.account_type) ??
    typeByWords(account.account_type_formatted) ??
    (parent && kindOf(parent)?.type)
  );
};

/** @param first the position of the first record in the chart */
export const readAccounts = (records: readonly unknown[], first: number) => {
  const list = { kind: 'account', idField: 'account_id', first, schema: ZohoAccount } as const;
  const read = readRecords(records, list);
  const accounts = read.flatMap((it) => ('record' in it.read ? [it.read.record] : []));
  const parents = new Map(accounts.map((account) => [account.account_id, account]));
  return accountsOf(read, (record) => {
    const kind = kindOf(record);
    const type = kind?.type ?? assumedType(record, parents);
    if (type === undefined) return { refusedField: 'account_type' };
    const account = platformAccountOf({
      accountId: record.account_id,
      code: record.account_code,
      name: record.account_name,
      type,
      subtype: kind?.subtype,
      isArchived: record.is_active === false,
    });
    return { account, assumedField: kind === undefined ? 'account_type' : null };
  });
};
