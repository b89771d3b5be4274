// The trial balance of QuickBooks Online: rows without a type before a section with the totals.
// Accounts whose balance is zero are left out.

import type Big from 'big.js';
import { shownDecimalsOf } from '#shared/money/amounts.ts';
import { fiscalYearStartOf } from '../balances.ts';
import type { DemoCompany } from '../demo-company.ts';
import type { Reply } from '../http-messages.ts';
import { totalsOf, trialBalanceRows } from '../reports.ts';
import type { CompanyCall } from './dialect.ts';
import { accountIdOf, fullNameOf } from './quickbooks-books.ts';
import { fault, replyWith } from './quickbooks-lists.ts';

const columns = [
  { ColTitle: '', ColType: 'Account', MetaData: [{ Name: 'ColKey', Value: 'account' }] },
  { ColTitle: 'Debit', ColType: 'Money', MetaData: [{ Name: 'ColKey', Value: 'debit' }] },
  { ColTitle: 'Credit', ColType: 'Money', MetaData: [{ Name: 'ColKey', Value: 'credit' }] },
];

const nameFor = ({ country }: DemoCompany): string =>
  country === 'FR' ? 'TrialBalanceFR' : 'TrialBalance';

/** Users report the status 400. Unverified: the rest of the fault. */
const wrongName = (name: string): Reply =>
  fault({
    status: 400,
    type: 'ValidationFault',
    code: '5020',
    message: 'Permission Denied Error',
    detail: `The report ${name} is not available for the country of the company`,
  });

export const trialBalanceReply = (call: CompanyCall, name: string): Reply => {
  const { company, query, failure } = call;
  if (name !== nameFor(company)) return wrongName(name);
  const today = new Date().toISOString().slice(0, 10);
  const to = query.get('end_date') ?? today;
  const decimals = shownDecimalsOf(company.currency);
  const rows = trialBalanceRows(call, { to });
  const values = (debit: Big, credit: Big) =>
    [debit, credit].map((it) => ({ value: it.gt(0) ? it.toFixed(decimals) : '' }));
  const { debit, credit } = totalsOf(call, rows);
  return replyWith(200, {
    Header: {
      Time: new Date().toISOString(),
      ReportName: name,
      ReportBasis: query.get('accounting_method') ?? 'Accrual',
      StartPeriod: query.get('start_date') ?? fiscalYearStartOf(company, to),
      EndPeriod: to,
      Currency: company.currency,
      Option: [{ Name: 'NoReportData', Value: String(rows.length === 0) }],
    },
    Columns: { Column: columns },
    Rows:
      rows.length === 0
        ? {}
        : {
            Row: [
              ...rows.map(({ index, account, balance }) => ({
                ColData: [
                  { value: fullNameOf(company, account), id: accountIdOf(index) },
                  ...values(balance, balance.times(-1)),
                ],
              })),
              ...(failure === 'reports_unknown_row' ? [{ type: 'Note', ColData: [] }] : []),
              {
                Summary: { ColData: [{ value: 'TOTAL' }, ...values(debit, credit)] },
                type: 'Section',
                group: 'GrandTotal',
              },
            ],
          },
  });
};
