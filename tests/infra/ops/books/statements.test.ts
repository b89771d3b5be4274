// hledger as an oracle for the financial statements: it computes them from the export. Cash flows
// come from its transactions, of which the tests' own model sets off what is no flow.

import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import type { Data as BalanceSheet } from '#functions/get-balance-sheet/schema.ts';
import type { Data as CashFlow } from '#functions/get-cash-flow/schema.ts';
import type { Data as ChangesInEquity } from '#functions/get-changes-in-equity/schema.ts';
import type { Data as ProfitAndLoss } from '#functions/get-profit-and-loss/schema.ts';
import type { Account } from '#shared/accounts/accounts.ts';
import { addDays } from '#shared/money/dates.ts';
import type { TenantName } from '#shared/table/keys.ts';
import { firstDate, keepRandomBooks } from '../../../support/builders/random-books.ts';
import { keepSecondYear, keepWorkedBooks } from '../../../support/builders/worked-books.ts';
import { openVerification } from '../../../support/harnesses/books-verification.ts';
import type { Calls } from '../../../support/harnesses/calls.ts';
import { useExports } from '../../../support/harnesses/exports.ts';
import { useOperator } from '../../../support/harnesses/operator.ts';
import { sharesOf } from '../../../support/readers/statements/cash-legs.ts';
import {
  type Figures,
  figuresOf,
  type HledgerStatement,
  hledgerBalances,
  hledgerStatement,
  hledgerTransactions,
  isHledgerMissing,
} from '../../../support/readers/statements/hledger.ts';
import {
  equityIn,
  type Period,
  profitIn,
  retainedIn,
  sum,
  until,
  within,
} from '../../../support/readers/statements/hledger-equity.ts';
import {
  cashSectionOf,
  isAccumulated,
  isOfProfit,
  itemOf,
  lineClassOf,
} from '../../../support/readers/statements/reference-classes.ts';

const operator = useOperator();
const { exportJournal } = useExports(operator);
const { verifyTenant } = openVerification(operator);

/** `yearStart` is the first day of the fiscal year, MM-DD. */
type Books = Calls & { name: TenantName; prefix: string; yearStart: string };
type Section = { accounts: { account: string; amount: string }[]; total: string };

const amountsIn = (...sections: Pick<Section, 'accounts'>[]): Figures =>
  figuresOf(
    sections.flatMap(({ accounts }) => accounts.map((it) => [it.account, it.amount] as const)),
  );

const sectionsIn = (part: BalanceSheet['assets']) => [
  ...part.current.sections,
  ...part.non_current.sections,
  part.without_subtype,
];

/** A balance sheet in the form that hledger prints. */
const sheetShown = ({ assets, liabilities, equity }: BalanceSheet): HledgerStatement => {
  const { posted: ofRetained, closing } = equity.retained_earnings;
  const computed = sum(closing, new Big(ofRetained.total).neg().toFixed(2));
  const posted = sum(equity.total, new Big(computed).neg().toFixed(2));
  return {
    sections: {
      Assets: { accounts: amountsIn(...sectionsIn(assets)), total: assets.total },
      Liabilities: { accounts: amountsIn(...sectionsIn(liabilities)), total: liabilities.total },
      Equity: { accounts: amountsIn(...equity.sections, ofRetained), total: posted },
    },
    net: computed,
  };
};

/** hledger's remainder is the sum of all profits. */
const compareBalanceSheet = async ({ call, yearStart }: Books, file: string, as_of: string) => {
  const data: BalanceSheet = await call('getBalanceSheet', { as_of });
  expect(await hledgerStatement(file, 'balancesheetequity', ...until(as_of))).toEqual(
    sheetShown(data),
  );
  const inYear = `${as_of.slice(0, 4)}-${yearStart}`;
  const from = inYear <= as_of ? inYear : `${Number(as_of.slice(0, 4)) - 1}-${yearStart}`;
  expect(data.equity.retained_earnings).toMatchObject(await retainedIn(file, { from, to: as_of }));
};

/** Every account of equity but those of retained earnings is in a component. */
const compareChangesInEquity = async ({ call }: Books, file: string, period: Period) => {
  const data: ChangesInEquity = await call('getChangesInEquity', period);
  const { retained, components, total } = await equityIn(file, period);
  expect(data.retained_earnings).toEqual(retained);
  const accounts = data.components.flatMap((component) => component.accounts);
  const shown = (name: keyof typeof components) =>
    figuresOf(accounts.map((it) => [it.account, it[name]]));
  for (const name of ['opening', 'movement', 'closing'] as const) {
    expect(shown(name), name).toEqual(components[name]);
  }
  expect(data.total).toEqual(total);
};

const sectionNames = [
  ...(['revenue', 'cost_of_sales', 'operating_expenses', 'other_income'] as const),
  ...(['other_expenses', 'exchange_differences', 'disposal_results'] as const),
  ...(['interest_and_dividend_income', 'finance_costs', 'income_tax'] as const),
];
type ProfitSection = (typeof sectionNames)[number];

const costs = [
  'cost_of_sales',
  'operating_expenses',
  'other_expenses',
  'finance_costs',
  'income_tax',
];

const namesOfSubtypes: Partial<Record<NonNullable<Account['subtype']>, ProfitSection>> = {
  other_income: 'other_income',
  interest_income: 'interest_and_dividend_income',
  dividend_income: 'interest_and_dividend_income',
  cost_of_sales: 'cost_of_sales',
  other_expense: 'other_expenses',
  disposal_result: 'disposal_results',
  exchange_difference: 'exchange_differences',
  finance_cost: 'finance_costs',
  income_tax: 'income_tax',
};

/** The section of a revenue or expense account, by the API reference. */
const profitSectionOf = ({ type, subtype, role }: Account): ProfitSection => {
  if (role === 'fx_gain_loss') return 'exchange_differences';
  const usual = type === 'revenue' ? 'revenue' : 'operating_expenses';
  return (subtype && namesOfSubtypes[subtype]) || usual;
};

const partOf = <Name extends string>(
  figures: Figures,
  { sectionOf, name }: { sectionOf: (code: string) => string; name: Name },
) => {
  const accounts = figuresOf(Object.entries(figures).filter(([code]) => sectionOf(code) === name));
  return { accounts, total: sum(...Object.values(accounts)) };
};

const shown = (section: Section) => ({ accounts: amountsIn(section), total: section.total });

type Chart = ReadonlyMap<string, Account>;

const accountIn = (chart: Chart, code: string): Account => {
  const account = chart.get(code);
  if (account === undefined) throw new Error(`there is no account ${code}`);
  return account;
};

const compareProfitAndLoss = async (
  { call }: Books,
  { file, chart, period }: { file: string; chart: Chart; period: Period },
): Promise<void> => {
  const data: ProfitAndLoss = await call('getProfitAndLoss', period);
  const statement = await hledgerStatement(file, 'incomestatement', ...within(period));
  const { Revenues, Expenses } = statement.sections;
  const sectionOf = (code: string) => profitSectionOf(accountIn(chart, code));
  const negative = ([code, amount]: [string, string]) => [code, new Big(amount).neg()] as const;
  for (const name of sectionNames) {
    const [income, expenses] = [Revenues, Expenses].map((it) =>
      Object.entries(it?.accounts ?? {}),
    ) as [[string, string][], [string, string][]];
    const isCost = costs.includes(name);
    const figures = figuresOf(
      isCost ? [...income.map(negative), ...expenses] : [...income, ...expenses.map(negative)],
    );
    expect(shown(data[name]), name).toEqual(partOf(figures, { sectionOf, name }));
  }
  expect(data.profit).toBe(statement.net);
};

const cash = 'tag:cash_flow=^cash$';

const compareCash = async (data: CashFlow, file: string, period: Period): Promise<void> => {
  const cashUntil = async (date: string): Promise<Figures> =>
    figuresOf(await hledgerBalances(file, ...until(date), cash));
  const [opening, closing] = [
    await cashUntil(addDays(period.from, -1)),
    await cashUntil(period.to),
  ];
  const side = (name: 'opening' | 'closing') =>
    figuresOf(data.cash_accounts.map((it) => [it.account, it[name]]));
  expect({ opening: side('opening'), closing: side('closing') }).toEqual({ opening, closing });
  const totals = [opening, closing].map((figures) => sum(...Object.values(figures)));
  expect([data.opening_cash, data.closing_cash]).toEqual(totals);
};

/** hledger treats no liability as cash, so only the movements of cash assets are compared. */
const compareCashMovements = async (
  data: CashFlow,
  { file, chart, period }: { file: string; chart: Chart; period: Period },
): Promise<void> => {
  const { sections } = await hledgerStatement(file, 'cashflow', ...within(period));
  const movements = data.cash_accounts.map(
    ({ account, opening, closing }) => [account, new Big(closing).minus(opening)] as const,
  );
  const isAsset = ([code]: readonly [string, Big]) => accountIn(chart, code).type === 'asset';
  expect(figuresOf(movements.filter(isAsset))).toEqual(sections['Cash flows']?.accounts);
  const others = movements.filter((it) => !isAsset(it)).map(([, amount]) => amount.toFixed(2));
  expect(data.net_change).toBe(sum(sections['Cash flows']?.total ?? '0', ...others));
};

/** What of hledger's transactions is a flow of each account, needed no cash, or was disposed. */
const sharesIn = async (file: string, { chart, period }: { chart: Chart; period: Period }) => {
  const shares: Record<'flow' | 'nonCash' | 'disposed', [string, Big][]> = {
    flow: [],
    nonCash: [],
    disposed: [],
  };
  const words = within(period).filter((it) => it !== '--cost');
  for (const postings of await hledgerTransactions(file, ...words)) {
    const legs = postings.map(([code, amount]) => ({
      lineClass: lineClassOf(accountIn(chart, code)),
      effect: BigInt(amount.times(-100).toFixed(0)),
    }));
    for (const [place, share] of sharesOf(legs).entries()) {
      const [code = ''] = postings[place] ?? [];
      for (const name of ['flow', 'nonCash', 'disposed'] as const) {
        shares[name].push([code, new Big(String(share[name])).div(100)]);
      }
    }
  }
  const { flow, nonCash, disposed } = shares;
  return { flow: figuresOf(flow), nonCash: figuresOf(nonCash), disposed: figuresOf(disposed) };
};
type Shares = Awaited<ReturnType<typeof sharesIn>>;

const itemsShown = (items: CashFlow['investing']['separate_items']) =>
  Object.fromEntries(
    Object.entries(items).map(([item, section]) => [item, section && shown(section)]),
  );

/** Every line must be what the model finds in hledger's transactions. */
const compareFlows = (direct: CashFlow, { flow, nonCash }: Shares, chart: Chart): void => {
  const sectionOf = (code: string) => cashSectionOf(accountIn(chart, code));
  const flowsIn = (name: string) => partOf(flow, { sectionOf, name });
  const { operating, investing, financing, ...others } = direct;
  if (operating.method !== 'direct') throw new Error('the method must be direct');
  for (const [name, section] of Object.entries({ operating, investing, financing })) {
    const { accounts, total } = flowsIn(name);
    const inItems = (item: string | undefined) => {
      const ofItem = figuresOf(
        Object.entries(accounts).filter(([code]) => itemOf(accountIn(chart, code)) === item),
      );
      return { accounts: ofItem, total: sum(...Object.values(ofItem)) };
    };
    const items = Object.keys(accounts).flatMap((code) => itemOf(accountIn(chart, code)) ?? []);
    expect({ ...shown(section), items: itemsShown(section.separate_items) }, name).toEqual({
      accounts: inItems(undefined).accounts,
      total,
      items: Object.fromEntries(items.map((item) => [item, inItems(item)])),
    });
  }
  expect(shown(others.transfers)).toEqual(flowsIn('transfer'));
  expect(shown(others.unclassified)).toEqual(flowsIn('unclassified'));
  expect(others.effect_of_exchange_rates).toBe(flowsIn('exchange_difference').total);
  expect(others.net_change).toBe(sum(...Object.values(flow)));
  expect(shown(others.non_cash_transactions)).toEqual({ accounts: nonCash, total: '0.00' });
};

/** The reconciliation of profit to operating cash flows: movements and their non-cash parts. */
const compareIndirect = (
  operating: CashFlow['operating'],
  { movements, shares, chart }: { movements: [string, Big][]; shares: Shares; chart: Chart },
): void => {
  if (operating.method !== 'indirect') throw new Error('the method must be indirect');
  const lines = movements.map(([code, movement]) => {
    const account = accountIn(chart, code);
    const cashPart = new Big(shares.flow[code] ?? 0);
    const disposed = new Big(shares.disposed[code] ?? 0);
    const section = isAccumulated(account) ? 'accumulated' : cashSectionOf(account);
    const isElsewhere =
      itemOf(account) !== undefined ||
      ['investing', 'financing', 'transfer', 'unclassified'].includes(section);
    const name = isElsewhere ? 'elsewhere' : section;
    return { code, movement, cashPart, disposed, name, isOfProfit: isOfProfit(account) };
  });
  const linesOf = (name: string) => lines.filter((it) => it.name === name);
  expect(amountsIn(operating.items_of_other_sections)).toEqual(
    figuresOf([
      ...linesOf('elsewhere')
        .filter((it) => it.isOfProfit)
        .map((it) => [it.code, it.movement.neg()] as const),
      ...linesOf('exchange_difference').map((it) => [it.code, it.cashPart.neg()] as const),
    ]),
  );
  const ofSheet = linesOf('operating').filter((it) => !it.isOfProfit);
  const accumulated = linesOf('accumulated');
  expect(amountsIn(operating.movements)).toEqual(
    figuresOf([
      ...ofSheet.map((it) => [it.code, it.movement] as const),
      ...accumulated.map(
        (it) => [it.code, it.movement.minus(it.cashPart).minus(it.disposed)] as const,
      ),
    ]),
  );
  const withoutCash = [
    ...linesOf('elsewhere').map((it) => it.movement.minus(it.cashPart)),
    ...accumulated.map((it) => it.disposed),
  ];
  expect(operating.without_cash).toBe(sum(...withoutCash.map((it) => it.toFixed(2))));
};

const compareCashFlow = async (
  { call }: Books,
  { file, chart, period }: { file: string; chart: Chart; period: Period },
): Promise<void> => {
  const ask = (method: string): Promise<CashFlow> => call('getCashFlow', { ...period, method });
  const [direct, indirect] = [await ask('direct'), await ask('indirect')];
  await compareCash(direct, file, period);
  await compareCashMovements(direct, { file, chart, period });
  const shares = await sharesIn(file, { chart, period });
  compareFlows(direct, shares, chart);
  const { operating } = indirect;
  expect(indirect).toEqual({ ...direct, operating });
  // An account whose movements cancel out can still have moved cash.
  const words = ['--invert', ...within(period), '--empty'];
  const movements = await hledgerBalances(file, ...words);
  compareIndirect(operating, { movements, shares, chart });
  expect(operating).toMatchObject({
    profit: await profitIn(file, within(period)),
    total: direct.operating.total,
    separate_items: direct.operating.separate_items,
  });
};

const compareStatements = async (
  books: Books,
  { dates, periods }: { dates: readonly string[]; periods: readonly Period[] },
): Promise<void> => {
  const file = await exportJournal(books.prefix);
  const chart = new Map<string, Account>();
  for await (const account of operator.dependencies.books.accounts(books.name)) {
    chart.set(account.code, account);
  }
  for (const date of dates) await compareBalanceSheet(books, file, date);
  for (const period of periods) {
    await compareProfitAndLoss(books, { file, chart, period });
    await compareChangesInEquity(books, file, period);
    await compareCashFlow(books, { file, chart, period });
  }
};

/** Compares the statements, and verifies the books. */
const compareBooks = async (books: Books, options: Parameters<typeof compareStatements>[1]) => {
  await compareStatements(books, options);
  expect(await verifyTenant(books.prefix)).toMatchObject({ differences: [] });
};

describe.skipIf(isHledgerMissing)('hledger', { timeout: 120_000 }, () => {
  test.each([1, 2, 3, 4, 5, 6])(
    'computes the same statements for random books with seed %i',
    async (seed) => {
      const books = await keepRandomBooks(operator.ledger, { prefix: `books-${seed}`, seed });
      expect(Math.min(books.reversals, books.cancelled)).toBeGreaterThan(0);
      await compareBooks(books, {
        // They include the last days of the fiscal years.
        dates: [firstDate, '2025-12-31', '2026-01-15', '2026-02-28', '2026-12-31'],
        periods: [
          { from: firstDate, to: '2026-12-31' },
          { from: '2025-11-16', to: '2026-01-15' },
          { from: '2026-01-16', to: '2026-03-02' },
        ],
      });
    },
  );

  test.each([
    ['harbour', keepWorkedBooks],
    ['tidewater', keepSecondYear],
  ])('computes the same statements for the year of %s, worked by hand', async (prefix, keep) => {
    const books = await keep(operator.ledger, { prefix });
    await compareBooks(books, {
      dates: ['2025-06-30', '2025-12-31', '2026-01-31'],
      periods: [
        { from: '2025-01-01', to: '2025-12-31' },
        { from: '2025-10-01', to: '2026-01-31' },
      ],
    });
  });
});
