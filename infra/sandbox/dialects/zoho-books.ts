// A demo company's books in Zoho's fields: long numeric ids, account types by use, and taxes that
// are separate from the lines of a journal.

import { createHash } from 'node:crypto';
import {
  type AccountKind,
  amountOf,
  type DemoAccount,
  type DemoCompany,
  type DemoLine,
  isDebit,
  sumOf,
} from '../demo-company.ts';

/** Eleven digits, stable for each company. */
export const organizationIdOf = ({ id }: DemoCompany): string => {
  const digest = createHash('sha256').update(id).digest().readUIntBE(0, 6);
  return `2${String(digest % 1e10).padStart(10, '0')}`;
};

const kindNumbers = { account: 1, journal: 2, tax: 3 } as const;

/** The organization's digits, then the index. */
export const idOf = (
  company: DemoCompany,
  { kind, index }: { kind: keyof typeof kindNumbers; index: number },
): string => `${organizationIdOf(company)}${kindNumbers[kind]}${String(index).padStart(7, '0')}`;

/** The index in an id of `idOf`. */
export const indexIn = (id: string): number => Number(id.slice(-7));

const types: Record<DemoAccount['type'] | AccountKind, string> = {
  asset: 'other_current_asset',
  liability: 'other_current_liability',
  equity: 'equity',
  revenue: 'income',
  expense: 'expense',
  bank: 'bank',
  cash: 'cash',
  receivable: 'accounts_receivable',
  fixed_asset: 'fixed_asset',
  payable: 'accounts_payable',
  credit_card: 'credit_card',
  tax: 'output_tax',
  cost_of_sales: 'cost_of_goods_sold',
  retained_earnings: 'equity',
};

/** An undocumented type. Zoho's replies contain some. */
const unknownType = 'clearing_account';

const momentOf = (iso: string): string => iso.replace(/\.\d+Z$/, '+0000');

export const accountAt = (company: DemoCompany, index: number) => {
  const account = company.accounts[index] as DemoAccount;
  const { code, name, type, kind, status, hole, parent } = account;
  return {
    account_id: idOf(company, { kind: 'account', index }),
    ...(hole !== 'name' && { account_name: name }),
    account_code: code ?? '',
    account_type: hole === 'type' ? unknownType : types[kind ?? type],
    is_active: status === 'active',
    parent_account_id:
      parent === undefined ? '' : idOf(company, { kind: 'account', index: parent }),
  };
};

/** Only the first tax names its account, because Zoho documents that field for Mexico only. */
export const taxesOf = (company: DemoCompany) => {
  const account = company.accounts.findIndex(({ kind }) => kind === 'tax');
  const tax_account_id = idOf(company, { kind: 'account', index: account });
  return company.taxRates.map(({ name, percent }, index) => ({
    tax_id: idOf(company, { kind: 'tax', index }),
    tax_name: name,
    tax_percentage: percent,
    ...(index === 0 && { tax_account_id }),
  }));
};

const sideOf = (line: DemoLine) => (isDebit(line) ? 'debit' : 'credit');

/**
 * A journal in a list. Source: github.com/NangoHQ/integration-templates, journals.test.json of
 * zoho-books.
 */
export const journalAt = (company: DemoCompany, index: number) => {
  const { date, memo, status, lines, hole, modifiedAt } = company.journalAt(index);
  const debits = lines.filter(isDebit);
  return {
    journal_id: idOf(company, { kind: 'journal', index }),
    ...(hole !== 'date' && { journal_date: date }),
    notes: memo,
    status: status === 'draft' ? 'draft' : 'published',
    total: sumOf(debits.flatMap((line) => [amountOf(line), line.tax?.amount ?? 0])),
    last_modified_time: momentOf(modifiedAt),
  };
};

/** The sum of the taxes for each side and rate. */
const taxSumsOf = (lines: readonly DemoLine[]) => {
  const taxed = lines.filter(({ tax }) => tax !== undefined);
  const groups = Map.groupBy(taxed, (line) => `${line.tax?.name} ${sideOf(line)}`);
  return [...groups.values()].map((group) => ({
    tax_name: group[0]?.tax?.name,
    debit_or_credit: group[0] && sideOf(group[0]),
    tax_amount: sumOf(group.map(({ tax }) => tax?.amount ?? 0)),
  }));
};

/** A journal read by its id. */
export const wholeJournalAt = (company: DemoCompany, index: number) => {
  const { lines, currency, exchangeRate } = company.journalAt(index);
  const taxes = taxesOf(company);
  const lineFrom = (line: DemoLine) => {
    const { account, description, hole, tax } = line;
    const account_id = idOf(company, { kind: 'account', index: account });
    const known = taxes.find(({ tax_name }) => tax_name === tax?.name);
    const amount = amountOf(line);
    return {
      ...(hole !== 'account' && { account_id }),
      description,
      debit_or_credit: sideOf(line),
      amount: Number(amount),
      bcy_amount: Number(amount.times(exchangeRate ?? 1).round(2)),
      tax_id: known?.tax_id ?? '',
      tax_name: known?.tax_name ?? '',
      tax_percentage: known?.tax_percentage ?? '',
    };
  };
  return {
    ...journalAt(company, index),
    currency_code: currency,
    exchange_rate: Number(exchangeRate ?? '1'),
    line_items: lines.map(lineFrom),
    taxes: taxSumsOf(lines),
  };
};
