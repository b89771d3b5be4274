// Converts Xero's accounts. The fields are from xero_accounting.yaml in
// github.com/XeroAPI/Xero-OpenAPI, version 16.1.0.

import * as z from 'zod/mini';
import type { AccountSubtype, AccountType } from '../../accounts/accounts.ts';
import { platformAccountOf, type ReadAccount } from '../records.ts';

const typeByClass = new Map<string, AccountType>([
  ['ASSET', 'asset'],
  ['LIABILITY', 'liability'],
  ['EQUITY', 'equity'],
  ['REVENUE', 'revenue'],
  ['EXPENSE', 'expense'],
]);

/** Xero's account types, including those of payroll (quikk.co.uk/docs/accounting/accounts). */
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

/** The system accounts of each organisation, to which Xero posts automatically. */
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
 * The first part of a reporting code, for example of `ASS.CUR.CAS.BAN` or `EXP`. From the codes for
 * advisers (39731940.hs-sites.com/do-i-need-to-know-every-report-code) and Xero's specification.
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
  Class: Text,
  Type: Text,
  ReportingCode: Text,
  SystemAccount: Text,
  BankAccountType: Text,
});

const typeOf = ({ Class, Type, ReportingCode }: AccountKind) =>
  typeByClass.get(Class ?? '') ??
  kindByXeroType.get(Type ?? '')?.type ??
  typeByReportingCode.get(ReportingCode?.split('.')[0] ?? '');

/** A credit card also has the type BANK, but it is a debt to a bank, not cash. */
const subtypeOf = ({ Type, SystemAccount, BankAccountType }: AccountKind) =>
  BankAccountType === 'CREDITCARD'
    ? 'credit_card'
    : (subtypeBySystemAccount.get(SystemAccount ?? '') ?? kindByXeroType.get(Type ?? '')?.subtype);

export const XeroAccount = z
  .object({
    ...AccountKind.shape,
    AccountID: z.guid(),
    /** Optional for bank accounts. */
    Code: Text,
    Name: z.string(),
    Status: z.nullish(z.enum(['ACTIVE', 'ARCHIVED', 'DELETED'])),
  })
  .check(
    z.refine((it) => it.Status === 'DELETED' || typeOf(it) !== undefined, { path: ['Class'] }),
  );

/** Drops deleted accounts. Archived accounts stay, because old journals refer to them. */
export const accountFrom = (record: z.output<typeof XeroAccount>): ReadAccount | undefined => {
  const type = typeOf(record);
  if (record.Status === 'DELETED' || type === undefined) return undefined;
  return {
    account: platformAccountOf({
      accountId: record.AccountID.toLowerCase(),
      code: record.Code,
      name: record.Name.trim(),
      type,
      subtype: subtypeOf(record),
      isArchived: record.Status === 'ARCHIVED',
    }),
    assumedField: typeByClass.has(record.Class ?? '') ? null : 'Class',
  };
};
