// What Xero's accounts mean to the ledger. Their fields are those of xero_accounting.yaml in
// github.com/XeroAPI/Xero-OpenAPI, version 16.1.0.

import * as z from 'zod/mini';
import {
  type Account,
  maximumAccountCodeLength,
  maximumAccountNameLength,
} from '../domain/accounts.ts';
import { truncate } from '../domain/texts.ts';
import type { ReadAccount } from './records.ts';

type AccountType = Account['type'];

const typeByClass = new Map<string, AccountType>([
  ['ASSET', 'asset'],
  ['LIABILITY', 'liability'],
  ['EQUITY', 'equity'],
  ['REVENUE', 'revenue'],
  ['EXPENSE', 'expense'],
]);

/** By what the types mean, those of payrolls too (quikk.co.uk/docs/accounting/accounts). */
const typeByXeroType = new Map<string, AccountType>([
  ['BANK', 'asset'],
  ['CURRENT', 'asset'],
  ['FIXED', 'asset'],
  ['INVENTORY', 'asset'],
  ['NONCURRENT', 'asset'],
  ['PREPAYMENT', 'asset'],
  ['CURRLIAB', 'liability'],
  ['LIABILITY', 'liability'],
  ['PAYG', 'liability'],
  ['PAYGLIABILITY', 'liability'],
  ['SUPERANNUATIONLIABILITY', 'liability'],
  ['TERMLIAB', 'liability'],
  ['EQUITY', 'equity'],
  ['OTHERINCOME', 'revenue'],
  ['REVENUE', 'revenue'],
  ['SALES', 'revenue'],
  ['DEPRECIATN', 'expense'],
  ['DIRECTCOSTS', 'expense'],
  ['EXPENSE', 'expense'],
  ['OVERHEADS', 'expense'],
  ['SUPERANNUATIONEXPENSE', 'expense'],
  ['WAGESEXPENSE', 'expense'],
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
const AccountKind = z.object({ Class: Text, Type: Text, ReportingCode: Text });

const typeOf = ({ Class, Type, ReportingCode }: AccountKind) =>
  typeByClass.get(Class ?? '') ??
  typeByXeroType.get(Type ?? '') ??
  typeByReportingCode.get(ReportingCode?.split('.')[0] ?? '');

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
      status: given.Status === 'ARCHIVED' ? 'archived' : 'active',
    },
    assumedField: typeByClass.has(given.Class ?? '') ? null : 'Class',
  };
};
