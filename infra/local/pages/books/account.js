// The view of an account up to a date, or in a period: its balance over time, and its lines.

import { getAll } from './api.js';
import { amountText, factsOf, h, svg, tableOf, wholeAmount } from './elements.js';
import {
  accountAddress,
  coverageOf,
  entryLink,
  figure,
  periodChoice,
  text,
  today,
  whole,
  wide,
} from './parts.js';
import { balancesByDate, extremesOf, stepsOf } from './plot.js';

/** The maximum lines in the plot and the table. The page mentions further lines. */
const mostLines = 2_000;

/** The width of the plot in units of about a pixel. */
const plotWidth = () => (matchMedia('(max-width: 40rem)').matches ? 340 : 1_000);

const balanceText = (balance, currency) => `${wholeAmount(balance)} ${currency}`;

/** The plot of the balance, with its main figures. */
const plotOf = ({ account, currency, opening_balance, lines }) => {
  if (lines.length === 0) return null;
  const balances = balancesByDate(opening_balance, lines);
  const { path, zero, width, height, ticks, left, bottom } = stepsOf(balances, plotWidth());
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
      ticks.map(({ y, label }) => [
        svg('line', { class: 'grid', x1: left, x2: width, y1: y, y2: y }),
        svg('text', { class: 'tick', x: left - 6, y: y + 4, 'text-anchor': 'end' }, label),
      ]),
      svg('text', { class: 'tick', x: left - 6, y: 12, 'text-anchor': 'end' }, currency),
      svg('line', { class: 'axis', x1: left, x2: width, y1: zero, y2: zero }),
      svg('path', { class: 'curve', d: path }),
      svg('text', { class: 'tick', x: left, y: bottom }, first.date),
      svg('text', { class: 'tick', x: width - 6, y: bottom, 'text-anchor': 'end' }, last.date),
    ),
    h('figcaption', {}, words),
  );
};

const firstDate = '0001-01-01';

/** @param from the first date; empty for all dates */
export const account = async (tenant, code, from = '', to = today()) => {
  const period = { from: from || firstDate, to };
  const query = { domain_url: tenant, account: code, ...period, limit: 200 };
  const ledger = await getAll('reports/account_ledger', query, { field: 'lines', most: mostLines });
  const title = `Account ${code}, ${ledger.account_name}`;
  return [
    h('h2', { tabindex: '-1' }, title),
    periodChoice(accountAddress(code), { from, to }),
    coverageOf(ledger),
    factsOf([
      ['Type', ledger.account_type],
      from ? [`Balance before ${from}`, balanceText(ledger.opening_balance, ledger.currency)] : [],
      [`Balance as of ${to}`, balanceText(ledger.closing_balance, ledger.currency)],
    ]),
    ledger.next_cursor !== null &&
      h('p', {}, h('strong', {}, `Only the first ${ledger.lines.length} lines are shown.`)),
    plotOf({ ...ledger, account: code }),
    ledger.lines.length === 0
      ? h('p', {}, 'Nothing was posted to this account in this time.')
      : tableOf({
          caption: `Ledger in ${ledger.currency}, credit balances negative`,
          columns: [
            whole('Posting date', ({ posting_date }) => posting_date),
            whole('Entry', ({ journal_number }) => entryLink(journal_number)),
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
