// The view of an account as of a date: its balance over time, and its lines.

import { getAll } from './api.js';
import { amountText, factsOf, h, svg, tableOf, wholeAmount } from './elements.js';
import {
  accountAddress,
  coverageOf,
  dateChoice,
  entryLink,
  figure,
  text,
  today,
  whole,
  wide,
} from './parts.js';
import { balancesByDate, extremesOf, stepsOf } from './plot.js';

/** The maximum lines in the plot and the table. The page mentions further lines. */
const mostLines = 2_000;

const balanceText = (balance, currency) => `${wholeAmount(balance)} ${currency}`;

/** The plot of the balance, with its main figures. */
const plotOf = ({ account, currency, opening_balance, lines }) => {
  if (lines.length === 0) return null;
  const balances = balancesByDate(opening_balance, lines);
  const { path, zero, width, height } = stepsOf(balances);
  const [first, last] = [balances.points.at(0), balances.points.at(-1)];
  const [lowest, highest] = extremesOf(balances);
  const words =
    `Balance of account ${account} from ${first.date} to ${last.date}, debit above zero and ` +
    `credit below: at most ${balanceText(highest, currency)}, at least ` +
    `${balanceText(lowest, currency)}, at the end ${balanceText(last.balance, currency)}.`;
  return h(
    'figure',
    {},
    svg(
      'svg',
      { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': words },
      svg('line', { class: 'axis', x1: 0, x2: width, y1: zero, y2: zero }),
      svg('path', { class: 'curve', d: path }),
    ),
    h('div', { class: 'ends' }, h('span', {}, first.date), h('span', {}, last.date)),
    h('figcaption', {}, words),
  );
};

export const account = async (tenant, code, asOf = today()) => {
  const query = { domain_url: tenant, account: code, from: '0001-01-01', to: asOf, limit: 200 };
  const ledger = await getAll('reports/account_ledger', query, { field: 'lines', most: mostLines });
  const title = `Account ${code}, ${ledger.account_name}`;
  return [
    h('h2', { tabindex: '-1' }, title),
    dateChoice(accountAddress(code), asOf),
    coverageOf(ledger),
    factsOf([
      ['Type', ledger.account_type],
      [`Balance as of ${asOf}`, balanceText(ledger.closing_balance, ledger.currency)],
    ]),
    ledger.next_cursor !== null &&
      h('p', {}, h('strong', {}, `Only the first ${ledger.lines.length} lines are shown.`)),
    plotOf({ ...ledger, account: code }),
    ledger.lines.length === 0
      ? h('p', {}, 'Nothing was posted to this account up to this day.')
      : tableOf({
          caption: `Ledger in ${ledger.currency}, credit balances negative`,
          columns: [
            whole('Posting date', ({ posting_date }) => posting_date),
            text('Entry', ({ journal_number }) => entryLink(journal_number)),
            wide(text('Memo', ({ memo }) => memo)),
            wide(text('Description', ({ description }) => description)),
            figure('Debit', ({ debit }) => amountText(debit)),
            figure('Credit', ({ credit }) => amountText(credit)),
            figure('Balance', ({ balance }) => wholeAmount(balance)),
          ],
          rows: ledger.lines,
        }),
  ];
};
