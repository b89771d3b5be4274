// Financial statements as CSV: a row for each account, each total and each other figure.

import { type SeparateItem, separateItems } from './cash-flow.ts';
import { type CsvColumns, csvTable } from './csv.ts';
import { type BooksView, csvAmount, reportColumns } from './report.view.ts';

type NamedAccount = { account: string; account_name: string };

type StatementRow = {
  /** The path of the figure in the JSON reply. */
  section: string;
  subtype?: string | null;
  type: 'account' | 'subtype_total' | 'total' | 'figure';
  account?: NamedAccount;
  amount: string;
};

type Section = { accounts: readonly (NamedAccount & { amount: string })[]; total: string };

export const figureRow = (section: string, amount: string): StatementRow => ({
  section,
  type: 'figure',
  amount,
});

export const totalRow = (section: string, amount: string): StatementRow => ({
  section,
  type: 'total',
  amount,
});

export const sectionRows = (section: string, { accounts, total }: Section): StatementRow[] => [
  ...accounts.map(({ amount, ...account }) => ({
    section,
    type: 'account' as const,
    account,
    amount,
  })),
  totalRow(section, total),
];

type SeparateItems = { [Item in SeparateItem]?: Section | undefined };

export const separateRows = (section: string, items: SeparateItems): StatementRow[] =>
  separateItems.flatMap((item) => {
    const { [item]: amounts } = items;
    return amounts ? sectionRows(`${section}.separate_items.${item}`, amounts) : [];
  });

export const flowRows = (
  section: string,
  { separate_items, ...amounts }: Section & { separate_items: SeparateItems },
): StatementRow[] => {
  const rows = sectionRows(section, amounts);
  return [...rows.slice(0, -1), ...separateRows(section, separate_items), ...rows.slice(-1)];
};

/** The rows of a subtype's section. Their last row is the total of the subtype. */
export const subtypeRows = (
  section: string,
  { subtype, ...amounts }: Section & { subtype: string | null },
): StatementRow[] =>
  sectionRows(section, amounts).map((row) => ({
    ...row,
    subtype,
    type: row.type === 'total' ? 'subtype_total' : row.type,
  }));

type ColumnDates = { to: string } | { as_of: string };

type StatementReport<Figures> = BooksView &
  Figures & { comparison?: Figures | undefined; columns?: Figures[] | undefined };

const lastDateOf = (figures: ColumnDates): string => ('to' in figures ? figures.to : figures.as_of);

/**
 * Each column of the statement has amounts of its own: those of the comparison, and those of the
 * months by their names.
 * @param columns the statement's own columns, between the first and the last common ones
 * @param rowsOf the rows of a column. Those of all columns are the same but for their amounts.
 */
export const statementCsv = <Figures extends ColumnDates>(
  report: StatementReport<Figures>,
  columns: CsvColumns<StatementRow>,
  rowsOf: (figures: Figures) => StatementRow[],
): string => {
  const { comparison, columns: months = [] } = report;
  const others = [
    ...(comparison ? [['comparison_amount', rowsOf(comparison)] as const] : []),
    ...months.map((month) => [`amount_${lastDateOf(month).slice(0, 7)}`, rowsOf(month)] as const),
  ];
  type Row = StatementRow & { report: BooksView; index: number };
  return csvTable(
    reportColumns<Row>({
      ...columns,
      row_type: ({ type }) => type,
      account: ({ account }) => account?.account ?? null,
      account_name: ({ account }) => account?.account_name ?? null,
      currency: () => report.currency,
      amount: ({ amount }) => csvAmount(amount),
      ...(comparison && { comparison_to: () => lastDateOf(comparison) }),
      ...Object.fromEntries(
        others.map(([name, rows]) => [name, ({ index }: Row) => csvAmount(rows[index]?.amount)]),
      ),
    }),
    rowsOf(report).map((row, index) => ({ ...row, report, index })),
  );
};
