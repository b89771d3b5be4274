// The three statements: balance sheet, profit and loss, cash flows.

import { get } from './api.js';
import { factsOf, h, tableOf, tableWith, wholeAmount } from './elements.js';
import {
  accountLink,
  coverageOf,
  csvButton,
  dateChoice,
  equalityOf,
  figure,
  periodChoice,
  selectOf,
  text,
} from './parts.js';

/** A row without an account. */
const figureRow = (title, text, className) =>
  h(
    'tr',
    { class: className },
    h('th', { scope: 'row', colspan: '2' }, title),
    h('td', { class: 'figure' }, wholeAmount(text)),
  );

const totalRow = (title, text) => figureRow(title, text, 'total');

const accountRow = (dates) => (row) =>
  h(
    'tr',
    {},
    h('th', { scope: 'row' }, accountLink(row.account, dates)),
    h('td', {}, row.account_name),
    h('td', { class: 'figure' }, wholeAmount(row.amount)),
  );

/**
 * A group of rows with an optional title.
 * @param level 1 for a top-level section
 */
const group = ({ title, level = 1 }, ...rows) => {
  const attributes = { scope: 'rowgroup', colspan: '3', class: `level-${level}` };
  return h('tbody', {}, title ? h('tr', {}, h('th', attributes, title)) : null, rows);
};

/** A section with accounts and their total, or null without accounts. */
const sectionOf = (title, { accounts, total }, { dates, totalTitle, level }) => {
  if (accounts.length === 0) return null;
  const end = totalRow(totalTitle ?? `Total ${title.toLowerCase()}`, total);
  return group({ title, level }, accounts.map(accountRow(dates)), end);
};

/** A result of the previous sections. */
const resultOf = (title, text) => group({}, totalRow(title, text));

const statementTable = (caption, ...groups) =>
  tableWith(
    {
      caption,
      className: 'statement',
      columns: [text('Account'), text('Name'), figure('Amount')],
    },
    groups,
  );

/**
 * A statement of the API, with its parameters and its digest.
 * @param asShown the query that returns the same statement on a later day
 */
const statementOf = async ({ title, path, query, asShown, choice, show, check }) => {
  const report = await get(path, query);
  return [
    h('h2', { tabindex: '-1' }, title),
    choice(report),
    coverageOf(report),
    ...show(report),
    csvButton(path, { ...query, ...asShown(report) }),
    factsOf([
      ['Check', check?.(report)],
      ['Digest', report.digest],
    ]),
  ];
};

/** The title of an optional subtype: `tax_liability` becomes `Tax liabilities`. */
const subtypeTitle = (subtype) => {
  const words = (subtype ?? 'without_subtype')
    .replaceAll('_', ' ')
    .replace(/(asset|receivable|payable|investment|card)$/, '$1s')
    .replace(/liability$/, 'liabilities')
    .replace(/^non /, 'non-');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** A single account needs no total. */
const subtypeOf = (dates) => (section) => {
  const title = subtypeTitle(section.subtype);
  return section.accounts.length === 1
    ? group({ title, level: 2 }, section.accounts.map(accountRow(dates)))
    : sectionOf(title, section, { dates, level: 2 });
};

/** Current and non-current sections, and accounts without a subtype. */
const dividedOf = (title, part, dates) => {
  const { current, non_current: nonCurrent, without_subtype: others } = part;
  const ofPart = (name, { sections, total }) =>
    sections.length === 0
      ? null
      : [
          group({ title: `${name} ${title.toLowerCase()}` }),
          sections.map(subtypeOf(dates)),
          resultOf(`Total ${name.toLowerCase()} ${title.toLowerCase()}`, total),
        ];
  return [
    ofPart('Current', current),
    ofPart('Non-current', nonCurrent),
    sectionOf(`${title} without a subtype`, others, { dates }),
    resultOf(`Total ${title.toLowerCase()}`, part.total),
  ];
};

const retainedOf = ({ opening, profit, distributions, other_movements: others, closing }, start) =>
  group(
    { title: 'Retained earnings', level: 2 },
    figureRow(`Before ${start}`, opening),
    figureRow(`Profit since ${start}`, profit),
    figureRow('Distributions', distributions),
    figureRow('Other movements', others),
    totalRow('Total retained earnings', closing),
  );

export const balanceSheet = (tenant, asOf) =>
  statementOf({
    title: 'Balance sheet',
    path: 'reports/balance_sheet',
    query: { domain_url: tenant, as_of: asOf },
    asShown: ({ as_of }) => ({ as_of }),
    choice: ({ as_of }) => dateChoice('#/balance-sheet', as_of),
    check: ({ assets, total_liabilities_and_equity: others }) =>
      equalityOf(['Assets', assets.total], ['liabilities with equity', others]),
    show: ({ as_of: date, currency, assets, liabilities, equity, ...sheet }) => [
      statementTable(
        `Balance sheet as of ${date}, in ${currency}`,
        dividedOf('Assets', assets, date),
        dividedOf('Liabilities', liabilities, date),
        group({ title: 'Equity' }),
        equity.sections.map(subtypeOf(date)),
        retainedOf(equity.retained_earnings, sheet.fiscal_year_start),
        resultOf('Total equity', equity.total),
        resultOf('Total liabilities and equity', sheet.total_liabilities_and_equity),
      ),
    ],
  });

const periodOf = ({ from, to }) => ({ from, to });

export const profitAndLoss = (tenant, from, to) =>
  statementOf({
    title: 'Profit and loss',
    path: 'reports/profit_and_loss',
    query: { domain_url: tenant, from, to },
    asShown: periodOf,
    choice: (report) => periodChoice('#/profit-and-loss', report),
    show: ({ currency, ...report }) => {
      const section = (title, part) => sectionOf(title, part, { dates: periodOf(report) });
      const operating = resultOf('Operating profit', report.operating_profit);
      const others = [
        section('Other income', report.other_income),
        section('Other expenses', report.other_expenses),
        section('Exchange differences', report.exchange_differences),
        section('Results of disposals', report.disposal_results),
      ];
      const isBelow = report.profit_layout === 'other_items_below';
      return [
        statementTable(
          `Profit and loss from ${report.from} to ${report.to}, in ${currency}`,
          section('Revenue', report.revenue),
          section('Cost of sales', report.cost_of_sales),
          resultOf('Gross profit', report.gross_profit),
          section('Operating expenses', report.operating_expenses),
          ...(isBelow ? [operating, ...others] : [...others, operating]),
          section('Interest and dividend income', report.interest_and_dividend_income),
          section('Finance costs', report.finance_costs),
          resultOf('Profit before tax', report.profit_before_tax),
          section('Income tax', report.income_tax),
          resultOf('Profit', report.profit),
        ),
      ];
    },
  });

const methods = { direct: 'Direct', indirect: 'Indirect' };

const methodChoice = (method) => selectOf('method', methods, method);

/** Interest, dividends and income taxes. */
const itemsOf = ({ separate_items: items }, dates) =>
  Object.entries(items).map(([item, section]) => {
    const words = item.replaceAll('_', ' ');
    const title = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
    return sectionOf(title, section, { dates, level: 2 });
  });

/** A section of flows, or null without flows. */
const flowsOf = (title, section, dates) => {
  const { accounts, separate_items: items, total } = section;
  if (accounts.length + Object.keys(items).length === 0) return null;
  return [
    group({ title }, accounts.map(accountRow(dates))),
    itemsOf(section, dates),
    resultOf(`Cash from ${title.toLowerCase()}`, total),
  ];
};

const operatingOf = (operating, dates) => {
  const title = 'Operating activities';
  const total = resultOf('Cash from operating activities', operating.total);
  if (operating.method === 'direct') {
    const accounts = operating.accounts.map(accountRow(dates));
    return [group({ title }, accounts), itemsOf(operating, dates), total];
  }
  const { items_of_other_sections: items, movements } = operating;
  return [
    group({ title }, figureRow('Profit', operating.profit)),
    sectionOf('Items of other activities', items, { dates, totalTitle: 'Total items', level: 2 }),
    sectionOf('Movements of operating balances', movements, {
      dates,
      totalTitle: 'Total movements',
      level: 2,
    }),
    group({}, figureRow('What needed no cash', operating.without_cash)),
    itemsOf(operating, dates),
    total,
  ];
};

const cashAccountsOf = ({ cash_accounts: accounts, currency, ...report }) =>
  tableOf({
    caption: `Cash accounts, in ${currency}`,
    columns: [
      text('Account', ({ account }) =>
        account ? accountLink(account, periodOf(report)) : 'Total',
      ),
      text('Name', ({ account_name }) => account_name),
      figure('Opening', ({ opening }) => wholeAmount(opening)),
      figure('Closing', ({ closing }) => wholeAmount(closing)),
    ],
    rows: accounts,
    footer: { opening: report.opening_cash, closing: report.closing_cash },
  });

export const cashFlow = (tenant, from, to, method) =>
  statementOf({
    title: 'Statement of cash flows',
    path: 'reports/cash_flow',
    query: { domain_url: tenant, from, to, method },
    asShown: ({ operating: { method: shown }, ...report }) => ({
      ...periodOf(report),
      method: shown,
    }),
    choice: (report) =>
      periodChoice('#/cash-flow', report, [['Method', methodChoice(report.operating.method)]]),
    show: (report) => {
      const { from, to, currency, operating } = report;
      const dates = periodOf(report);
      const name = `Cash flows from ${from} to ${to}, ${operating.method} method, in ${currency}`;
      const activities = (title, part) =>
        sectionOf(title, part, { dates, totalTitle: `Cash from ${title.toLowerCase()}` });
      return [
        statementTable(
          name,
          resultOf('Opening cash', report.opening_cash),
          operatingOf(operating, dates),
          flowsOf('Investing activities', report.investing, dates),
          flowsOf('Financing activities', report.financing, dates),
          activities('Transfers', report.transfers),
          activities('Unclassified', report.unclassified),
          group({}, figureRow('Effect of exchange rates', report.effect_of_exchange_rates)),
          resultOf('Net change in cash', report.net_change),
          resultOf('Closing cash', report.closing_cash),
          sectionOf('Transactions without cash', report.non_cash_transactions, { dates }),
        ),
        cashAccountsOf(report),
      ];
    },
  });
