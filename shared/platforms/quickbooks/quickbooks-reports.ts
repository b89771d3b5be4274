// Reads the trial balance of QuickBooks Online. What is known about the report is in ../reports.md.

import * as z from 'zod/mini';
import type { TrialBalance } from '../../balances/trial-balance.ts';
import type { Sides } from '../../money/sides.ts';
import { type ReportedRow, refuseReport, reportAmount, trialBalanceOf } from '../trial-balance.ts';
import type { CompanyInfoReply } from './quickbooks-entities.ts';

const ColData = z.array(z.object({ value: z.nullish(z.string()), id: z.nullish(z.string()) }));

/** Rows of accounts have no type in older replies, and the type `Data` in newer ones. */
const Row = z.object({
  type: z.nullish(z.string()),
  group: z.nullish(z.string()),
  ColData: z.nullish(ColData),
  Summary: z.nullish(z.object({ ColData })),
  Rows: z.nullish(z.unknown()),
});
type Row = z.output<typeof Row>;

/** The name of the report for a company. QuickBooks has another one for French companies. */
export const trialBalanceName = ({ CompanyInfo }: z.output<typeof CompanyInfoReply>): string =>
  /^(fr|france)$/i.test(String(CompanyInfo.Country)) ? 'TrialBalanceFR' : 'TrialBalance';

/** A company without entries has no rows. */
export const TrialBalanceReply = z.object({
  Header: z.object({
    ReportBasis: z.nullish(z.string()),
    EndPeriod: z.nullish(z.string()),
  }),
  Columns: z.object({ Column: z.array(z.object({ ColTitle: z.nullish(z.string()) })) }),
  Rows: z.object({ Row: z.nullish(z.array(Row)) }),
});

/** The first column has the account, the others the debit and the credit. */
const columnCount = 3;

const sidesIn = (cells: z.output<typeof ColData>) => {
  if (cells.length !== columnCount) return refuseReport('has other columns');
  return { debit: reportAmount(cells[1]?.value), credit: reportAmount(cells[2]?.value) };
};

const isTotal = ({ type, group, Summary }: Row): boolean =>
  type === 'Section' && (group === 'GrandTotal' || group === 'Total') && Summary != null;

const isAccount = ({ type, ColData: cells, Summary, Rows }: Row): boolean =>
  (type == null || type === 'Data') && cells != null && Summary == null && Rows == null;

/** @throws PlatformFailure `report_refused` */
export const trialBalanceFrom = (
  { Header, Columns, Rows }: z.output<typeof TrialBalanceReply>,
  date: string,
): TrialBalance => {
  if (Header.ReportBasis !== 'Accrual') refuseReport('is not on the accrual basis');
  if (Header.EndPeriod !== date) refuseReport('is of another date');
  if (Columns.Column.length !== columnCount) refuseReport('has other columns');
  const rows: ReportedRow[] = [];
  let stated: Sides | undefined;
  for (const row of Rows.Row ?? []) {
    if (isTotal(row)) stated = sidesIn(row.Summary?.ColData ?? []);
    else if (isAccount(row)) {
      const cells = row.ColData ?? [];
      const { id, value } = cells[0] ?? {};
      rows.push({ accountId: id || null, name: value ?? '', type: null, ...sidesIn(cells) });
    } else refuseReport(`has a row of type ${row.type ?? row.group}`);
  }
  return trialBalanceOf({ rows, stated, profitSince: 'fiscal_year' });
};
