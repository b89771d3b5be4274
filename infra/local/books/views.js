// What the page shows of a tenant's books: each view asks the API and returns elements.

import { get, getAll } from './api.js';
import { amountText, factsOf, h, svg, tableOf } from './elements.js';
import { balancesByDate, extremesOf, stepsOf } from './plot.js';

const accountAddress = (code) => `#/account/${encodeURIComponent(code)}`;
/** @param asOf a date, where the account is not to be shown as of today */
const accountLink = (code, asOf) =>
  h('a', { href: [accountAddress(code), asOf].filter(Boolean).join('/') }, code);
const entryLink = (number) => h('a', { href: `#/entry/${encodeURIComponent(number)}` }, number);

const figure = (title, cell) => ({ title, className: 'figure', cell });
const text = (title, cell) => ({ title, cell });
/** A column that a phone has no room for, of what is shown elsewhere too. */
const wide = ({ className, ...column }) => ({
  ...column,
  className: [className, 'wide'].filter(Boolean).join(' '),
});
/** A date, say, which is not to be broken. */
const whole = (title, cell) => ({ title, className: 'whole', cell });

const journalsOnly =
  'Manual journals only: invoices, bills, payments and bank transactions of the accounting ' +
  'platform are not here, so these are not all of the books.';

/** What a report leaves out stands before its figures. */
const coverageOf = ({ coverage }) =>
  coverage === 'journals_only' && h('p', {}, h('strong', {}, journalsOnly));

/** A table whose further pages are asked for by a button, which says what went wrong. */
const growing = ({ path, query, field, empty, ...table }) => {
  const place = h('div');
  const append = async (cursor) => {
    const page = await get(path, { ...query, cursor });
    const more = tableOf({ ...table, rows: page[field] });
    const rows = place.querySelector('tbody');
    if (rows) rows.append(...more.querySelectorAll('tbody tr'));
    else if (page[field].length > 0) place.prepend(more);
    else if (page.next_cursor === null) place.append(h('p', {}, empty));
    if (page.next_cursor !== null) place.append(buttonTo(page.next_cursor));
  };
  const buttonTo = (cursor) => {
    const failure = h('span', { role: 'alert', class: 'failed' });
    const button = h('button', { type: 'button' }, 'More');
    const paragraph = h('p', {}, button, ' ', failure);
    button.addEventListener('click', async () => {
      button.disabled = true;
      try {
        await append(cursor);
        paragraph.remove();
        place.querySelector('button')?.focus();
      } catch (error) {
        failure.textContent = error.message;
        button.disabled = false;
      }
    });
    return paragraph;
  };
  return { place, begin: () => append(undefined) };
};

/** The date that a view is of, which changes the address and with it the view. */
const dateChoice = (view, asOf) => {
  const input = h('input', { type: 'date', name: 'as_of', value: asOf, required: '' });
  const form = h(
    'form',
    {},
    h('label', {}, 'As of', input),
    h('button', { type: 'submit' }, 'Show'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    location.hash = `${view}/${input.value}`;
  });
  return form;
};

const today = () => new Date().toISOString().slice(0, 10);

const trialBalance = async (tenant, asOf = today()) => {
  const report = await get('reports/trial_balance', { domain_url: tenant, as_of: asOf });
  return [
    h('h2', { tabindex: '-1' }, 'Trial balance'),
    dateChoice('#/trial-balance', asOf),
    coverageOf(report),
    report.rows.length === 0 && h('p', {}, 'Nothing was posted up to this day.'),
    tableOf({
      caption: `Trial balance as of ${asOf}, in ${report.currency}`,
      columns: [
        text('Account', ({ account }) => (account ? accountLink(account, asOf) : 'Total')),
        text('Name', ({ account_name }) => account_name),
        wide(text('Type', ({ account_type }) => account_type)),
        wide(figure('Debits', ({ movement }) => amountText(movement.debit))),
        wide(figure('Credits', ({ movement }) => amountText(movement.credit))),
        figure('Debit balance', ({ closing }) => amountText(closing.debit)),
        figure('Credit balance', ({ closing }) => amountText(closing.credit)),
      ],
      rows: report.rows,
      footer: report.totals,
    }),
    factsOf([['Digest', report.digest]]),
  ];
};

const accounts = async (tenant) => {
  const list = growing({
    path: 'accounts/list',
    query: { domain_url: tenant, limit: 200 },
    field: 'accounts',
    empty: 'The chart of accounts is empty.',
    caption: 'Chart of accounts',
    columns: [
      text('Code', ({ code }) => accountLink(code)),
      text('Name', ({ name }) => name),
      text('Type', ({ type }) => type),
      text('Subtype', ({ subtype }) => subtype),
      text('Normal balance', ({ normal_balance }) => normal_balance),
      text('Cash flow', ({ cash_flow }) => cash_flow),
      text('Status', ({ status }) => status),
    ],
  });
  await list.begin();
  return [h('h2', { tabindex: '-1' }, 'Accounts'), list.place];
};

const entries = async (tenant) => {
  const list = growing({
    path: 'journal_entries/list',
    query: { domain_url: tenant },
    field: 'journal_entries',
    empty: 'There are no entries yet.',
    caption: 'Journal entries',
    columns: [
      text('Number', ({ journal_number }) => entryLink(journal_number)),
      wide(whole('Date', ({ date }) => date)),
      whole('Posting date', ({ posting_date }) => posting_date),
      text('Status', ({ status }) => status),
      text('Memo', ({ memo }) => memo),
      figure(
        'Amount',
        ({ transaction_amount: amount, transaction_currency: currency }) =>
          `${amountText(amount)} ${currency}`,
      ),
    ],
  });
  await list.begin();
  return [h('h2', { tabindex: '-1' }, 'Journal entries'), list.place];
};

const entry = async (tenant, number) => {
  const found = await get('journal_entries/get', { domain_url: tenant, journal_number: number });
  const isForeign = found.transaction_currency !== found.book_currency;
  return [
    h('h2', { tabindex: '-1' }, `Journal entry ${found.journal_number}`),
    factsOf([
      ['Memo', found.memo],
      ['Date', found.date],
      ['Posting date', found.posting_date],
      ['Status', found.status],
      ['Type', found.entry_type],
      ['Your id', found.external_id],
      isForeign
        ? ['Exchange rate', `${found.book_exchange_rate} (of ${found.exchange_rate_date})`]
        : [],
      found.reporting_currency === found.book_currency
        ? []
        : ['Reported as', `${amountText(found.reporting_amount)} ${found.reporting_currency}`],
      ['Created', found.created_at],
      ['Posted', found.posted_at],
      ['Id', found.journal_entry_id],
      ['Hash', found.hash],
    ]),
    tableOf({
      caption: `Lines, in ${found.transaction_currency}`,
      columns: [
        text('Line', ({ line_number }) => line_number && String(line_number)),
        text('Account', ({ account }) => account && accountLink(account)),
        text('Name', ({ account_name }) => account_name),
        text('Description', ({ description }) => description),
        figure('Debit', ({ debit }) => amountText(debit)),
        figure('Credit', ({ credit }) => amountText(credit)),
        ...(isForeign
          ? [
              figure(`Debit, ${found.book_currency}`, ({ book_debit }) => amountText(book_debit)),
              figure(`Credit, ${found.book_currency}`, ({ book_credit }) =>
                amountText(book_credit),
              ),
            ]
          : []),
      ],
      rows: found.transactions,
    }),
  ];
};

/** So many lines of an account are drawn and listed; the page says so where there are more. */
const mostLines = 2_000;

const balanceText = (balance, currency) => `${amountText(balance) || '0.00'} ${currency}`;

/** The balance over time, with the figures that the curve has no room for. */
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

const account = async (tenant, code, asOf = today()) => {
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
            figure('Balance', ({ balance }) => amountText(balance) || '0.00'),
          ],
          rows: ledger.lines,
        }),
  ];
};

/** The views by the first part of the address behind `#/`. */
export const views = { 'trial-balance': trialBalance, accounts, entries, entry, account };
