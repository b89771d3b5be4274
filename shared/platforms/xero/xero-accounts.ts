// What Xero's accounts mean to the ledger. Their fields are those of xero_accounting.yaml in
// github.com/XeroAPI/Xero-OpenAPI, version 16.1.0.

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

const typeByClass = new Map<string, AccountType>([
  ['ASSET', 'asset'],
  ['LIABILITY', 'liability'],
  ['EQUITY', 'equity'],
  ['REVENUE', 'revenue'],
  ['EXPENSE', 'expense'],
]);

/** What the types mean, those of payrolls too (quikk.co.uk/docs/accounting/accounts). */
const kindByXeroType = new Map<string, { type: AccountType; subtype?: AccountSubtype }>([
  ['BANK', { type: 'asset', subtype: 'cash' }],
  ['CURRENT', { type: 'asset', subtype: 'current_asset' }],
  ['FIXED', { type: 'asset', subtype: 'fixed_asset' }],
  ['INVENTORY', { type: 'asset', subtype: 'inventory' }],
  ['NONCURRENT', { type: 'asset', subtype: 'non_current_asset' }],
  ['PREPAYMENT', { type: 'asset', subtype: 'current_asset' }],
  ['CURRLIAB', { type: 'liability', subtype: 'current_liability' }],
  ['LIABILITY', { type: 'liability' }],
  ['PAYG', { type: 'liability', subtype: 'tax_liability' }],
  ['PAYGLIABILITY', { type: 'liability', subtype: 'tax_liability' }],
  ['SUPERANNUATIONLIABILITY', { type: 'liability', subtype: 'current_liability' }],
  ['TERMLIAB', { type: 'liability', subtype: 'non_current_liability' }],
  ['EQUITY', { type: 'equity' }],
  ['OTHERINCOME', { type: 'revenue', subtype: 'other_income' }],
  ['REVENUE', { type: 'revenue' }],
  ['SALES', { type: 'revenue' }],
  ['DEPRECIATN', { type: 'expense' }],
  ['DIRECTCOSTS', { type: 'expense', subtype: 'cost_of_sales' }],
  ['EXPENSE', { type: 'expense' }],
  ['OVERHEADS', { type: 'expense' }],
  ['SUPERANNUATIONEXPENSE', { type: 'expense' }],
  ['WAGESEXPENSE', { type: 'expense' }],
]);

/** The accounts that each organisation has for what Xero posts by itself. */
const subtypeBySystemAccount = new Map<string, AccountSubtype>([
  ['DEBTORS', 'receivable'],
  ['CREDITORS', 'payable'],
  ['GST', 'tax_liability'],
  ['RETAINEDEARNINGS', 'retained_earnings'],
  ['BANKCURRENCYGAIN', 'other_expense'],
  ['REALISEDCURRENCYGAIN', 'other_expense'],
  ['UNREALISEDCURRENCYGAIN', 'other_expense'],
]);

/**
 * What a reporting code begins with, as in `ASS.CUR.CAS.BAN` or `EXP`: the codes that advisers use
 * (39731940.hs-sites.com/do-i-need-to-know-every-report-code) and those of Xero's specification.
 */
const typeByReportingCode = new Map<string, AccountType>([
  ['ASS', 'asset'],
  ['LIA', 'liability'],
  ['EQU', 'equity'],
  ['REV', 'revenue'],
  ['EXP', 'expense'],
]);

const Text = z.nullish(z.string());

type AccountKind = z.output<typeof AccountKind>;
const AccountKind = z.object({
  ...{ Class: Text, Type: Text, ReportingCode: Text },
  ...{ SystemAccount: Text, BankAccountType: Text },
});

const typeOf = ({ Class, Type, ReportingCode }: AccountKind) =>
  typeByClass.get(Class ?? '') ??
  kindByXeroType.get(Type ?? '')?.type ??
  typeByReportingCode.get(ReportingCode?.split('.')[0] ?? '');

/** A credit card is of the type BANK too, and no cash: it is a debt to its bank. */
const subtypeOf = ({ Type, SystemAccount, BankAccountType }: AccountKind) =>
  BankAccountType === 'CREDITCARD'
    ? 'credit_card'
    : (subtypeBySystemAccount.get(SystemAccount ?? '') ?? kindByXeroType.get(Type ?? '')?.subtype);

export const XeroAccount = z
  .object({
    ...AccountKind.shape,
    AccountID: z.guid(),
    /** Bank accounts need none. */
    Code: Text,
    Name: z.string(),
    Status: z.nullish(z.enum(['ACTIVE', 'ARCHIVED', 'DELETED'])),
  })
  .check(
    z.refine((it) => it.Status === 'DELETED' || typeOf(it) !== undefined, { path: ['Class'] }),
  );

/** Deleted accounts are left out; archived ones are not, since older journals name them. */
export const accountFrom = (given: z.output<typeof XeroAccount>): ReadAccount | undefined => {
  const type = typeOf(given);
  if (given.Status === 'DELETED' || type === undefined) return undefined;
  const code = given.Code?.trim() ?? '';
  return {
    account: {
      accountId: given.AccountID.toLowerCase(),
      code: code === '' || code.length > maximumAccountCodeLength ? null : code,
      name: truncate(maximumAccountNameLength, given.Name.trim()),
      type,
      ...importedClassificationOf({ type, subtype: subtypeOf(given) }),
      status: given.Status === 'ARCHIVED' ? 'archived' : 'active',
    },
    assumedField: typeByClass.has(given.Class ?? '') ? null : 'Class',
  };
};
