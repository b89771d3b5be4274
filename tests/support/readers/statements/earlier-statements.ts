// Figures that the statements of all versions have, in whatever sections: balances, flows and
// results by account, and the totals.

import { figuresOf } from './hledger.ts';

type Node = { [name: string]: unknown };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** The amounts by account, of all sections below. */
const amountsUnder = (node: unknown): [string, string][] => {
  if (Array.isArray(node)) return node.flatMap(amountsUnder);
  if (!isNode(node)) return [];
  const { account, amount } = node;
  if (typeof account === 'string' && typeof amount === 'string') return [[account, amount]];
  return Object.values(node).flatMap(amountsUnder);
};

const figuresUnder = (node: unknown) => figuresOf(amountsUnder(node));

const negative = ([account, amount]: [string, string]): [string, string] => [
  account,
  amount.startsWith('-') ? amount.slice(1) : `-${amount}`,
];

const costs = [
  ...['cost_of_sales', 'operating_expenses', 'other_expenses'],
  ...['finance_costs', 'income_tax'],
];

const pick = (data: Node, ...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, data[name]]));

const part = (data: Node, name: string) => {
  const { [name]: node } = data;
  return { accounts: figuresUnder(node), total: isNode(node) ? node.total : undefined };
};

/** A report in the form in which those of all versions can be compared. */
export const comparable = (path: string, data: Node): unknown => {
  if (path === 'reports/balance_sheet') {
    return {
      ...pick(data, 'as_of', 'fiscal_year_start', 'total_liabilities_and_equity'),
      parts: ['assets', 'liabilities', 'equity'].map((name) => part(data, name)),
    };
  }
  if (path === 'reports/profit_and_loss') {
    const results = Object.entries(data).flatMap(([name, node]) =>
      costs.includes(name) ? amountsUnder(node).map(negative) : amountsUnder(node),
    );
    return {
      ...pick(data, 'from', 'to', 'gross_profit', 'profit_before_tax', 'profit'),
      results: figuresOf(results),
    };
  }
  if (path !== 'reports/cash_flow') return data;
  const operating = data.operating as Node;
  return {
    ...pick(data, 'from', 'to', 'effect_of_exchange_rates', 'net_change', 'opening_cash'),
    ...pick(data, 'closing_cash', 'cash_accounts'),
    ...pick(operating, 'method', 'profit'),
    parts: ['investing', 'financing', 'unclassified'].map((name) => part(data, name)),
    operating: {
      total: operating.total,
      flows: operating.method === 'direct' ? figuresUnder(operating) : undefined,
    },
  };
};
