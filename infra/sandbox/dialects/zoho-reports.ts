// Zoho's trial balance: a tree, whose headers have no account. Source of the shape: a listing of
// replies in a public repository (shared/platforms/reports.md).

import type Big from 'big.js';
import { shownDecimalsOf } from '#shared/money/amounts.ts';
import { type ReportRow, totalsOf, trialBalanceRows } from '../reports.ts';
import type { CompanyCall } from './dialect.ts';
import { idOf } from './zoho-books.ts';

const groups = [
  ['Assets', 'asset', 'asset'],
  ['Liabilities', 'liability', 'liability'],
  ['Equities', 'equity', 'equity'],
  ['Income', 'income', 'revenue'],
  ['Expense', 'expense', 'expense'],
] as const;

export const reportScope = 'ZohoBooks.reports.READ';

/** An empty text, not zero, for the side without an amount. */
const totalsIn = (debit: Big, credit: Big, decimals: number) => ({
  net_debit_total: debit.gt(0) ? Number(debit.toFixed(decimals)) : '',
  net_credit_total: credit.gt(0) ? Number(credit.toFixed(decimals)) : '',
});

/** The report; `undefined` if the consent does not cover reports. */
export const trialBalanceOf = (call: CompanyCall): object | undefined => {
  const { company, query, scopes, failure } = call;
  if (!scopes.includes(reportScope) || failure === 'reports_not_consented') return undefined;
  const today = new Date().toISOString().slice(0, 10);
  const isCustom = query.get('filter_by') === 'TransactionDate.CustomDate';
  const [from, to] = isCustom
    ? [query.get('from_date') ?? today, query.get('to_date') ?? today]
    : [today, today];
  const decimals = shownDecimalsOf(company.currency);
  const rows = trialBalanceRows(call, { from, to, profitFrom: from });
  const { debit, credit } = totalsOf(call, rows);
  const nodeOf = ({ index, account, balance }: ReportRow) => ({
    account_id: idOf(company, { kind: 'account', index }),
    name: account.name,
    account_code: account.code ?? '',
    depth: 0,
    is_child_present: false,
    previous_values: [],
    ...totalsIn(balance, balance.times(-1), decimals),
  });
  return {
    trialbalance: [
      {
        name: 'Trial Balance',
        previous_values: [],
        account_transactions: groups.map(([name, account_type, type]) => {
          const ofType = rows.filter(({ account }) => account.type === type);
          const { debit: debits, credit: credits } = totalsOf({ ...call, failure: 'none' }, ofType);
          return {
            name,
            account_type,
            account_transactions: ofType.map(nodeOf),
            ...totalsIn(debits, credits, decimals),
          };
        }),
        ...totalsIn(debit, credit, decimals),
        ...(failure === 'reports_unknown_row' && { net_debit_total: 'see note' }),
      },
    ],
    page_context: {
      report_basis: query.get('cash_based') === 'true' ? 'Cash' : 'Accrual',
      applied_filter: isCustom ? 'TransactionDate.CustomDate' : 'TransactionDate.Today',
      as_of_date: to,
      to_date: to,
    },
  };
};
