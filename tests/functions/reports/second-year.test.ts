// The statements of a year with the routine of a small company, against tests/data, where they were
// worked by hand: every figure of every statement.

import { beforeAll, expect, test } from 'vitest';
import type { Data as Revaluation } from '#functions/get-revaluation/schema.ts';
import type { Data as TrialBalance } from '#functions/get-trial-balance/schema.ts';
import { keepSecondYear, secondYear } from '../../support/builders/worked-books.ts';
import { useOperator } from '../../support/harnesses/operator.ts';
import {
  cashFlowRows,
  named,
  profitRows,
  sectionRows,
  sheetRows,
} from '../../support/readers/statements/page-rows.ts';
import { tableBelow } from '../../support/readers/worked-page.ts';

const operator = useOperator();
let books: Awaited<ReturnType<typeof keepSecondYear>>;
beforeAll(async () => {
  books = await keepSecondYear(operator.ledger, { prefix: 'tidewater' });
});

const year = { from: '2025-01-01', to: '2025-12-31' };
const page = (heading: string) => tableBelow(heading, secondYear);
const cell = (amount: string): string => (amount === '0.00' ? '' : amount);

test('the trial balance', async () => {
  const { rows, totals }: TrialBalance = await books.call('getTrialBalance', { as_of: year.to });
  const cells = ({ movement, closing }: Pick<TrialBalance['totals'], 'movement' | 'closing'>) => [
    ...[movement.debit, movement.credit],
    ...[cell(closing.debit), cell(closing.credit)],
  ];
  const shown = [...rows.map((row) => [named(row), ...cells(row)]), ['Total', ...cells(totals)]];
  expect(shown).toEqual(page('Trial balance'));
});

test('profit and loss, and its months', async () => {
  const shown = await books.call('getProfitAndLoss', { ...year, columns: 'month' });
  expect(profitRows(shown)).toEqual(page('Profit and loss'));
  const figures = [...shown.columns, shown].map((it) => [
    ...[it.revenue.total, it.gross_profit, it.operating_profit, it.profit],
  ]);
  expect(figures).toEqual(page('Months').map(([, ...amounts]) => amounts));
});

test('the balance sheet, and that of the year before', async () => {
  const shown = await books.call('getBalanceSheet', { as_of: year.to, compare: 'previous_year' });
  const compared = sheetRows(shown.comparison);
  const rows = sheetRows(shown).map((row, place) => [...row, compared[place]?.[2]]);
  expect(rows).toEqual(page('Balance sheets'));
});

test('changes in equity', async () => {
  const {
    components,
    retained_earnings: retained,
    total,
  } = await books.call('getChangesInEquity', year);
  const rowOf = (name: string, it: typeof total) => [
    ...[name, it.opening, it.profit, it.distributions, it.other_movements, it.closing],
  ];
  const capital = components.flatMap(({ accounts }: typeof components) =>
    accounts.map((it: typeof components) => [
      ...[named(it), it.opening, '', '', it.movement, it.closing],
    ]),
  );
  expect([...capital, rowOf('retained earnings', retained), rowOf('total', total)]).toEqual(
    page('Changes in equity'),
  );
});

test.each(['direct', 'indirect'])('cash flows by the %s method', async (method) => {
  const shown = await books.call('getCashFlow', { ...year, method });
  expect(cashFlowRows(shown)).toEqual(page(`By the ${method} method`));
  expect(sectionRows('Total', shown.non_cash_transactions)).toEqual(
    page('Transactions without cash'),
  );
});

test('after the revaluation, balances in dollars have the closing rate', async () => {
  const { rows, totals }: Revaluation = await books.call('getRevaluation', { as_of: year.to });
  const closing = page('The dollar').map(([account, dollars, , amount]) => [
    ...[account, dollars, amount, '0.00'],
  ]);
  const shown = rows.map((it) => [named(it), it.balance, it.closing_balance, it.difference]);
  expect(shown).toEqual(closing.filter(([, dollars]) => dollars !== '0.00'));
  expect(totals.difference).toBe('0.00');
});
