// Reads Xero's trial balance. What is known about the report is in ../reports.md.

import * as z from 'zod/mini';
import type { AccountType } from '../../accounts/accounts.ts';
import type { TrialBalance } from '../../balances/trial-balance.ts';
import type { Sides } from '../../money/sides.ts';
import { type ReportedRow, refuseReport, reportAmount, trialBalanceOf } from '../trial-balance.ts';

const Cell = z.object({
  Value: z.nullish(z.string()),
  Attributes: z.nullish(
    z.array(z.object({ Id: z.nullish(z.string()), Value: z.nullish(z.string()) })),
  ),
});

const Line = z.object({ RowType: z.string(), Cells: z.nullish(z.array(Cell)) });
type Line = z.output<typeof Line>;

const Row = z.extend(Line, { Title: z.nullish(z.string()), Rows: z.nullish(z.array(Line)) });

export const TrialBalanceReply = z.object({
  Reports: z.tuple([z.object({ Rows: z.array(Row) })]),
});

/** The first two amounts are those of the month. The YTD columns have the balances. */
const columns = ['Account', 'Debit', 'Credit', 'YTD Debit', 'YTD Credit'];

const typeByTitle = new Map<string, AccountType>([
  ['revenue', 'revenue'],
  ['expenses', 'expense'],
  ['assets', 'asset'],
  ['liabilities', 'liability'],
  ['equity', 'equity'],
]);

const balancesIn = ({ Cells }: Line) => {
  const cells = Cells ?? [];
  if (cells.length !== columns.length) return refuseReport('has other columns');
  const [debit, credit] = [reportAmount(cells[3]?.Value), reportAmount(cells[4]?.Value)];
  return { cells, debit, credit };
};

const rowFrom = (line: Line, type: AccountType | null): ReportedRow => {
  const { cells, ...sides } = balancesIn(line);
  const [first] = cells;
  const id = first?.Attributes?.find(({ Id }) => Id === 'account')?.Value;
  // The name is followed by the code in parentheses.
  const name = (first?.Value ?? '').replace(/ \([^()]*\)$/, '');
  return { accountId: id?.toLowerCase() ?? null, name, type, ...sides };
};

const assertColumns = ({ Cells }: Line): void => {
  const titles = (Cells ?? []).map(({ Value }) => Value);
  if (titles.join() !== columns.join()) refuseReport('has other columns');
};

/** @throws PlatformFailure `report_refused` */
export const trialBalanceFrom = ({
  Reports: [{ Rows }],
}: z.output<typeof TrialBalanceReply>): TrialBalance => {
  const rows: ReportedRow[] = [];
  let stated: Sides | undefined;
  for (const { Title, Rows: lines, ...row } of Rows) {
    const type = typeByTitle.get((Title ?? '').toLowerCase()) ?? null;
    if (row.RowType === 'Header') assertColumns(row);
    else if (row.RowType !== 'Section') refuseReport(`has a row of type ${row.RowType}`);
    for (const line of lines ?? []) {
      // The last section has no accounts, only the totals of the report.
      if (line.RowType === 'SummaryRow') stated = balancesIn(line);
      else if (line.RowType === 'Row') rows.push(rowFrom(line, type));
      else refuseReport(`has a row of type ${line.RowType}`);
    }
  }
  return trialBalanceOf({ rows, stated, profitSince: 'fiscal_year' });
};
