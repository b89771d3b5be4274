// Xero's trial balance: sections by class, the movements of the month and the balances (YTD).

import Big from 'big.js';
import { shownDecimalsOf } from '#shared/money/amounts.ts';
import { balancesAt } from '../balances.ts';
import type { Reply } from '../http-messages.ts';
import { type ReportRow, totalsOf, trialBalanceRows } from '../reports.ts';
import type { CompanyCall } from './dialect.ts';
import { accountIdOf, codeOf } from './xero-books.ts';
import { answer, problem } from './xero-lists.ts';

const sections = [
  ['Revenue', 'revenue'],
  ['Expenses', 'expense'],
  ['Assets', 'asset'],
  ['Liabilities', 'liability'],
  ['Equity', 'equity'],
] as const;

const titles = ['Account', 'Debit', 'Credit', 'YTD Debit', 'YTD Credit'];

export const reportScope = 'accounting.reports.trialbalance.read';

const longDate = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

const valuesOf = (amount: Big, decimals: number): [string, string] =>
  amount.lt(0) ? ['', amount.abs().toFixed(decimals)] : [amount.toFixed(decimals), ''];

export const trialBalanceReply = (call: CompanyCall): Reply => {
  const { company, query, scopes, failure } = call;
  if (!scopes.includes(reportScope) || failure === 'reports_not_consented') {
    return problem('missingScope');
  }
  const date = query.get('date') ?? new Date().toISOString().slice(0, 10);
  const decimals = shownDecimalsOf(company.currency);
  const rows = trialBalanceRows(call, { to: date });
  const month = balancesAt(company, { from: `${date.slice(0, 7)}-01`, to: date, profitFrom: '' });
  const rowOf = ({ index, account, balance }: ReportRow) => {
    const code = codeOf(account);
    const ofMonth = valuesOf(month.get(index) ?? new Big(0), decimals);
    const texts = [
      `${account.name}${code === null ? '' : ` (${code})`}`,
      ...ofMonth,
      ...valuesOf(balance, decimals),
    ];
    const Attributes = [{ Value: accountIdOf(company, index), Id: 'account' }];
    return { RowType: 'Row', Cells: texts.map((Value) => ({ Value, Attributes })) };
  };
  const { debit, credit } = totalsOf(call, rows);
  const total = ['Total', '0.00', '0.00', debit.toFixed(decimals), credit.toFixed(decimals)];
  return answer({
    Reports: [
      {
        ReportID: 'TrialBalance',
        ReportName: 'Trial Balance',
        ReportType: 'TrialBalance',
        ReportTitles: ['Trial Balance', company.name, `As at ${longDate.format(new Date(date))}`],
        ReportDate: longDate.format(new Date()),
        UpdatedDateUTC: `/Date(${Date.now()})/`,
        Fields: [],
        Rows: [
          { RowType: 'Header', Cells: titles.map((Value) => ({ Value })) },
          ...sections.flatMap(([Title, type]) => {
            const ofType = rows.filter(({ account }) => account.type === type);
            return ofType.length === 0
              ? []
              : [{ RowType: 'Section', Title, Rows: ofType.map(rowOf) }];
          }),
          ...(failure === 'reports_unknown_row' ? [{ RowType: 'NoteRow', Cells: [] }] : []),
          {
            RowType: 'Section',
            Title: '',
            Rows: [{ RowType: 'SummaryRow', Cells: total.map((Value) => ({ Value })) }],
          },
        ],
      },
    ],
  });
};
