// A demo company's books in Zoho's fields: long numeric ids, account types by use, and taxes that
// are separate from the lines of a journal.

import { createHash } from 'node:crypto';
import Big from 'big.js';
import {
  type AccountKind,
  booksCreatedAt,
  type DemoAccount,
  type DemoCompany,
  type DemoLine,
} from '../demo-company.ts';
import { platformDecimalsOf } from '../journals.ts';

/** Eleven digits, stable for each company. */
export const organizationIdOf = ({ id }: DemoCompany): string => {
  const digest = createHash('sha256').update(id).digest().readUIntBE(0, 6);
  return `2${String(digest % 1e10).padStart(10, '0')}`;
};

const kindNumbers = { account: 1, journal: 2, tax: 3, currency: 4 } as const;

/** The organization's digits, then the index. */
export const idOf = (
  company: DemoCompany,
  { kind, index }: { kind: keyof typeof kindNumbers; index: number },
): string => `${organizationIdOf(company)}${kindNumbers[kind]}${String(index).padStart(7, '0')}`;

/** The index in an id of `idOf`. */
export const indexIn = (id: string): number => Number(id.slice(-7));

const plainTypes: Record<DemoAccount['type'], string> = {
  asset: 'other_current_asset',
  liability: 'other_current_liability',
  equity: 'equity',
  revenue: 'income',
  expense: 'expense',
};

const typesByKind: Record<AccountKind, string> = {
  bank: 'bank',
  cash: 'cash',
  receivable: 'accounts_receivable',
  inventory: 'stock',
  fixed_asset: 'fixed_asset',
  payable: 'accounts_payable',
  credit_card: 'credit_card',
  tax: 'output_tax',
  loan: 'long_term_liability',
  other_income: 'other_income',
  cost_of_sales: 'cost_of_goods_sold',
};

/** An undocumented type. Zoho's replies contain some. */
const unknownType = 'clearing_account';

const momentOf = (iso: string): string => iso.replace(/\.\d+Z$/, '+0000');

const depthOf = (company: DemoCompany, { parent }: DemoAccount): number => {
  const above = parent === undefined ? undefined : company.accounts[parent];
  return above === undefined ? 0 : 1 + depthOf(company, above);
};

export const accountAt = (company: DemoCompany, index: number) => {
  const account = company.accounts[index] as DemoAccount;
  const { code, name, type, kind, status, hole, parent, modifiedAt = booksCreatedAt } = account;
  const documented = kind ? typesByKind[kind] : plainTypes[type];
  return {
    account_id: idOf(company, { kind: 'account', index }),
    ...(hole !== 'name' && { account_name: name }),
    account_code: code ?? '',
    account_type: hole === 'type' ? unknownType : documented,
    is_user_created: true,
    is_system_account: false,
    is_active: status === 'active',
    is_involved_in_transaction: true,
    current_balance: 0,
    parent_account_id:
      parent === undefined ? '' : idOf(company, { kind: 'account', index: parent }),
    depth: depthOf(company, account),
    created_time: momentOf(booksCreatedAt),
    last_modified_time: momentOf(modifiedAt),
  };
};

/** Only the first tax names its account, because Zoho documents that field for Mexico only. */
export const taxesOf = (company: DemoCompany) =>
  company.taxRates.map(({ name, percent }, index) => ({
    tax_id: idOf(company, { kind: 'tax', index }),
    tax_name: name,
    tax_percentage: percent,
    tax_type: 'tax',
    ...(index === 0 && {
      tax_account_id: idOf(company, {
        kind: 'account',
        index: company.accounts.findIndex(({ kind }) => kind === 'tax'),
      }),
    }),
  }));

const sideOf = ({ debit }: DemoLine) => (new Big(debit).gt(0) ? 'debit' : 'credit');

const amountOf = (line: DemoLine): Big => new Big(line[sideOf(line)]);

const sumOf = (amounts: readonly Big[]): Big =>
  amounts.reduce((sum, amount) => sum.plus(amount), new Big(0));

/**
 * A journal in a list. Source: github.com/NangoHQ/integration-templates, journals.test.json of
 * zoho-books. The amounts of demo journals are exact as JSON numbers.
 */
export const journalAt = (company: DemoCompany, index: number) => {
  const journal = company.journalAt(index);
  const { date, memo, status, lines, hole, modifiedAt, currency, exchangeRate } = journal;
  const debits = lines.filter((line) => sideOf(line) === 'debit');
  const total = sumOf(debits.map((line) => amountOf(line).plus(line.tax?.amount ?? 0)));
  return {
    journal_id: idOf(company, { kind: 'journal', index }),
    ...(hole !== 'date' && { journal_date: date }),
    entry_number: String(index + 1),
    reference_number: '',
    notes: memo,
    journal_type: 'both',
    entity_type: 'journal',
    status: status === 'draft' ? 'draft' : 'published',
    currency_id: idOf(company, { kind: 'currency', index: currency === company.currency ? 0 : 1 }),
    total: Number(total),
    bcy_total: Number(total.times(exchangeRate ?? 1).round(2)),
    created_time: momentOf(`${date}T00:00:00.000Z`),
    last_modified_time: momentOf(modifiedAt),
  };
};

/** The sum of the taxes for each side and rate. */
const taxSumsOf = (lines: readonly DemoLine[]) => {
  const sums = new Map<string, { tax_name: string; debit_or_credit: string; sum: Big }>();
  for (const line of lines) {
    if (line.tax === undefined) continue;
    const [tax_name, debit_or_credit] = [line.tax.name, sideOf(line)];
    const key = `${tax_name} ${debit_or_credit}`;
    const sum = (sums.get(key)?.sum ?? new Big(0)).plus(line.tax.amount);
    sums.set(key, { tax_name, debit_or_credit, sum });
  }
  return [...sums.values()].map(({ sum, ...tax }) => ({ ...tax, tax_amount: Number(sum) }));
};

/** github.com/zoho/books-java-wrappers requires all fields except the taxes. */
export const wholeJournalAt = (company: DemoCompany, index: number) => {
  const { lines, currency, exchangeRate } = company.journalAt(index);
  const taxes = taxesOf(company);
  const taxFieldsOf = ({ tax }: DemoLine) => {
    const known = taxes.find(({ tax_name }) => tax_name === tax?.name);
    return {
      tax_id: known?.tax_id ?? '',
      tax_name: known?.tax_name ?? '',
      tax_type: known?.tax_type ?? '',
      tax_percentage: known?.tax_percentage ?? '',
    };
  };
  return {
    ...journalAt(company, index),
    currency_code: currency,
    currency_symbol: currency,
    price_precision: platformDecimalsOf(currency),
    line_item_total: Number(sumOf(lines.filter((line) => sideOf(line) === 'debit').map(amountOf))),
    exchange_rate: Number(exchangeRate ?? '1'),
    line_items: lines.map((line, place) => {
      const { account, description, hole } = line;
      const amount = amountOf(line);
      return {
        line_id: `${idOf(company, { kind: 'journal', index })}${place}`,
        ...(hole !== 'account' && {
          account_id: idOf(company, { kind: 'account', index: account }),
        }),
        account_name: company.accounts[account]?.name,
        description,
        debit_or_credit: sideOf(line),
        amount: Number(amount),
        bcy_amount: Number(amount.times(exchangeRate ?? 1).round(2)),
        ...taxFieldsOf(line),
      };
    }),
    taxes: taxSumsOf(lines),
  };
};
