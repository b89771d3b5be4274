// The statements: balance sheet, profit and loss, cash flows, changes in equity.

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

/** The columns of a statement: its own figures, those it is compared with, and its months. */
const columnsOf = ({ comparison, columns = [], ...figures }) => [
  { ...figures, title: 'Amount' },
  ...(comparison ? [{ ...comparison, title: comparison.as_of ?? comparison.to }] : []),
  ...columns.map((month) => ({ ...month, title: (month.as_of ?? month.to).slice(0, 7) })),
];

const wordNames = ['account', 'account_name', 'subtype', 'method'];

/**
 * A statement with a list in the place of each amount, one for each column. All columns have the
 * same accounts.
 */
const joined = (parts, titles, name) => {
  const [first] = parts;
  if (first === null || wordNames.includes(name)) return first;
  if (typeof first !== 'object') return parts.map((amount, place) => [titles[place], amount]);
  const partOf = (key) =>
    joined(
      parts.map((part) => part[key]),
      titles,
      key,
    );
  return Array.isArray(first)
    ? first.map((_, place) => partOf(place))
    : Object.fromEntries(Object.keys(first).map((key) => [key, partOf(key)]));
};

/** @param amounts the amount in each column, with the column's title for phones */
const amountCells = (amounts) =>
  amounts.map(([title, amount]) => {
    const attributes = { class: 'figure', 'data-title': amounts.length > 1 && title };
    return h('td', attributes, wholeAmount(amount));
  });

/** A row without an account. */
const figureRow = (title, amounts, className) =>
  h(
    'tr',
    { class: className },
    h('th', { scope: 'row', colspan: '2' }, title),
    amountCells(amounts),
  );

const totalRow = (title, amounts) => figureRow(title, amounts, 'total');

const accountRow = (dates) => (row) =>
  h(
    'tr',
    {},
    h('th', { scope: 'row' }, accountLink(row.account, dates)),
    h('td', {}, row.account_name),
    amountCells(row.amount),
  );

/**
 * A group of rows with an optional title.
 * @param level 1 for a top-level section
 */
const group = ({ title, level = 1 }, ...rows) => {
  const attributes = { scope: 'rowgroup', class: `level-${level}` };
  return h('tbody', {}, title ? h('tr', {}, h('th', attributes, title)) : null, rows);
};

/** A section with accounts and their total, or null without accounts. */
const sectionOf = (title, { accounts, total }, { dates, totalTitle, level }) => {
  if (accounts.length === 0) return null;
  const end = totalRow(totalTitle ?? `Total ${title.toLowerCase()}`, total);
  return group({ title, level }, accounts.map(accountRow(dates)), end);
};

/** A result of the previous sections. */
const resultOf = (title, amounts) => group({}, totalRow(title, amounts));

const statementTable = (caption, titles, ...groups) => {
  const table = tableWith(
    {
      caption,
      className: titles.length > 4 ? 'statement many' : 'statement',
      columns: [text('Account'), text('Name'), ...titles.map((title) => figure(title))],
    },
    groups,
  );
  for (const title of table.querySelectorAll('th[scope=rowgroup]')) {
    title.colSpan = 2 + titles.length;
  }
  return table;
};

const comparisons = {
  '': 'nothing',
  previous_year: 'the year before',
  previous_period: 'the period before',
};
const lengths = { '': 'one', month: 'months' };

/** The fields that choose the columns. */
const columnChoice = ({ compare, columns }) => [
  ['Compare with', selectOf('compare', comparisons, compare ?? '')],
  ['Columns', selectOf('columns', lengths, columns ?? '')],
];

/**
 * A statement of the API, with its parameters and its digest.
 * @param asShown the query that returns the same statement on a later day
 */
const statementOf = async ({ title, path, query, asShown, choice, show, check }) => {
  const report = await get(path, query);
  const columns = columnsOf(report);
  const titles = columns.map((column) => column.title);
  return [
    h('h2', { tabindex: '-1' }, title),
    choice(report, columnChoice(query)),
    coverageOf(report),
    ...show(
      joined(
        columns.map(({ title: _, ...figures }) => figures),
        titles,
      ),
      { ...report, titles },
    ),
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

export const balanceSheet = (tenant, asOf, compare, columns) =>
  statementOf({
    title: 'Balance sheet',
    path: 'reports/balance_sheet',
    query: { domain_url: tenant, as_of: asOf, compare, columns },
    asShown: ({ as_of }) => ({ as_of }),
    choice: ({ as_of }, fields) => dateChoice('#/balance-sheet', as_of, fields),
    check: ({ assets, total_liabilities_and_equity: others }) =>
      equalityOf(['Assets', assets.total], ['liabilities with equity', others]),
    show: (
      { assets, liabilities, equity, ...sheet },
      { as_of: date, currency, titles, fiscal_year_start: start },
    ) => [
      statementTable(
        `Balance sheet as of ${date}, in ${currency}`,
        titles,
        dividedOf('Assets', assets, date),
        dividedOf('Liabilities', liabilities, date),
        group({ title: 'Equity' }),
        equity.sections.map(subtypeOf(date)),
        retainedOf(equity.retained_earnings, titles.length > 1 ? 'the fiscal year' : start),
        resultOf('Total equity', equity.total),
        resultOf('Total liabilities and equity', sheet.total_liabilities_and_equity),
      ),
    ],
  });

const periodOf = ({ from, to }) => ({ from, to });

export const profitAndLoss = (tenant, from, to, compare, columns) =>
  statementOf({
    title: 'Profit and loss',
    path: 'reports/profit_and_loss',
    query: { domain_url: tenant, from, to, compare, columns },
    asShown: periodOf,
    choice: (report, fields) => periodChoice('#/profit-and-loss', report, fields),
    show: (report, { currency, titles, profit_layout: layout, ...shown }) => {
      const section = (title, part) => sectionOf(title, part, { dates: periodOf(shown) });
      const operating = resultOf('Operating profit', report.operating_profit);
      const others = [
        section('Other income', report.other_income),
        section('Other expenses', report.other_expenses),
        section('Exchange differences', report.exchange_differences),
        section('Results of disposals', report.disposal_results),
      ];
      const isBelow = layout === 'other_items_below';
      return [
        statementTable(
          `Profit and loss from ${shown.from} to ${shown.to}, in ${currency}`,
          titles,
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

export const cashFlow = (tenant, from, to, method, compare, columns) =>
  statementOf({
    title: 'Statement of cash flows',
    path: 'reports/cash_flow',
    query: { domain_url: tenant, from, to, method, compare, columns },
    asShown: ({ operating: { method: shown }, ...report }) => ({
      ...periodOf(report),
      method: shown,
    }),
    choice: (report, fields) =>
      periodChoice('#/cash-flow', report, [
        ['Method', methodChoice(report.operating.method)],
        ...fields,
      ]),
    show: (report, { currency, titles, ...shown }) => {
      const { from, to } = shown;
      const { operating } = report;
      const dates = periodOf(shown);
      const name = `Cash flows from ${from} to ${to}, ${operating.method} method, in ${currency}`;
      const activities = (title, part) =>
        sectionOf(title, part, { dates, totalTitle: `Cash from ${title.toLowerCase()}` });
      return [
        statementTable(
          name,
          titles,
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
        cashAccountsOf({ ...shown, currency }),
      ];
    },
  });

const equityRows = [
  ['opening', 'Opening'],
  ['profit', 'Profit'],
  ['distributions', 'Distributions'],
  ['other_movements', 'Other movements'],
  ['closing', 'Closing'],
];

const equityOf = (title, figures) =>
  group(
    { title, level: 2 },
    equityRows.map(([name, words]) =>
      name === 'closing' ? totalRow(words, figures[name]) : figureRow(words, figures[name]),
    ),
  );

const componentOf = ({ subtype, opening, movement, closing }) =>
  group(
    { title: subtypeTitle(subtype), level: 2 },
    figureRow('Opening', opening),
    figureRow('Movement', movement),
    totalRow('Closing', closing),
  );

export const changesInEquity = (tenant, from, to, compare, columns) =>
  statementOf({
    title: 'Changes in equity',
    path: 'reports/changes_in_equity',
    query: { domain_url: tenant, from, to, compare, columns },
    asShown: periodOf,
    choice: (report, fields) => periodChoice('#/changes-in-equity', report, fields),
    show: (report, { from, to, currency, titles }) => [
      statementTable(
        `Changes in equity from ${from} to ${to}, in ${currency}`,
        titles,
        report.components.map(componentOf),
        equityOf('Retained earnings', report.retained_earnings),
        equityOf('Equity', report.total),
      ),
    ],
  });
