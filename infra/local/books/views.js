// What the page shows of a tenant's books: each view asks the API and returns elements.

import { get, getAll } from './api.js';
import { amountText, factsOf, h, svg, tableOf } from './elements.js';
import { balancesByDate, stepsOf } from './plot.js';

const accountLink = (code, text = code) =>
  h('a', { href: `#/account/${encodeURIComponent(code)}` }, text);
const entryLink = (number) => h('a', { href: `#/entry/${encodeURIComponent(number)}` }, number);

const figure = (title, cell) => ({ title, isFigure: true, cell });
const text = (title, cell) => ({ title, cell });

const coverageNotes = {
  all_entries: 'Everything that was posted in this tenant.',
  journals_only:
    'Manual journals only: invoices, bills and bank lines of the accounting platform are not here.',
};

/** A list whose further pages are asked for by a button. */
const growing = ({ path, query, field, empty, show }) => {
  const place = h('div');
  const append = async (cursor) => {
    const page = await get(path, { ...query, cursor });
    if (page[field].length > 0) place.append(show(page[field]));
    if (place.childElementCount === 0 && page.next_cursor === null) place.append(h('p', {}, empty));
    if (page.next_cursor === null) return;
    const more = h('button', { type: 'button' }, 'More');
    more.addEventListener('click', async () => {
      more.disabled = true;
      await append(page.next_cursor);
      more.remove();
    });
    place.append(more);
  };
  return { place, begin: () => append(undefined) };
};

/** The date that the trial balance is of, which changes the address and with it the view. */
const dateChoice = (asOf) => {
  const input = h('input', { type: 'date', name: 'as_of', value: asOf, required: '' });
  const form = h(
    'form',
    {},
    h('label', {}, 'As of', input),
    h('button', { type: 'submit' }, 'Show'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    location.hash = `#/trial-balance/${input.value}`;
  });
  return form;
};

const today = () => new Date().toISOString().slice(0, 10);

const trialBalance = async (tenant, asOf = today()) => {
  const report = await get('reports/trial_balance', { domain_url: tenant, as_of: asOf });
  return [
    h('h2', { tabindex: '-1' }, 'Trial balance'),
    dateChoice(asOf),
    report.rows.length === 0 && h('p', {}, 'Nothing was posted up to this day.'),
    tableOf({
      caption: `Trial balance as of ${asOf}, in ${report.currency}`,
      columns: [
        text('Account', ({ account }) => (account ? accountLink(account) : 'Total')),
        text('Name', ({ account_name }) => account_name),
        text('Type', ({ account_type }) => account_type),
        figure('Debits', ({ movement }) => amountText(movement.debit)),
        figure('Credits', ({ movement }) => amountText(movement.credit)),
        figure('Balance, debit', ({ closing }) => amountText(closing.debit)),
        figure('Balance, credit', ({ closing }) => amountText(closing.credit)),
      ],
      rows: report.rows,
      footer: report.totals,
    }),
    h('p', {}, coverageNotes[report.coverage] ?? report.coverage),
    factsOf([['Digest', report.digest]]),
  ];
};

const accounts = async (tenant) => {
  const list = growing({
    path: 'accounts/list',
    query: { domain_url: tenant, limit: 200 },
    field: 'accounts',
    empty: 'The chart of accounts is empty.',
    show: (rows) =>
      tableOf({
        caption: 'Chart of accounts',
        columns: [
          text('Code', ({ code }) => accountLink(code)),
          text('Name', ({ name }) => name),
          text('Type', ({ type }) => type),
          text('Subtype', ({ subtype }) => subtype),
          text('Cash flow', ({ cash_flow }) => cash_flow),
          text('Status', ({ status }) => status),
        ],
        rows,
      }),
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
    show: (rows) =>
      tableOf({
        caption: 'Journal entries',
        columns: [
          text('Number', ({ journal_number }) => entryLink(journal_number)),
          text('Date', ({ date }) => date),
          text('Posting date', ({ posting_date }) => posting_date),
          text('Status', ({ status }) => status),
          text('Memo', ({ memo }) => memo),
          figure(
            'Amount',
            ({ transaction_amount: amount, transaction_currency: currency }) =>
              `${amountText(amount)} ${currency}`,
          ),
        ],
        rows,
      }),
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

/** So many lines of an account are drawn and listed; the plot says so where there are more. */
const mostLines = 2_000;

const plotOf = ({ account, currency, opening_balance, lines, isWhole }) => {
  if (lines.length === 0) return null;
  const balances = balancesByDate(opening_balance, lines);
  const { path, zero, width, height } = stepsOf(balances);
  const [first, last] = [balances.points.at(0), balances.points.at(-1)];
  const words =
    `Balance of account ${account} from ${first.date} to ${last.date}: ` +
    `from ${opening_balance} to ${last.balance} ${currency}.`;
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
    h('figcaption', {}, isWhole ? words : `${words} The first ${lines.length} lines only.`),
  );
};

const account = async (tenant, code) => {
  const [from, to] = ['0001-01-01', '9999-12-31'];
  const query = { domain_url: tenant, account: code, from, to, limit: 200 };
  const ledger = await getAll('reports/account_ledger', query, { field: 'lines', most: mostLines });
  const isWhole = ledger.next_cursor === null;
  return [
    h('h2', { tabindex: '-1' }, `Account ${code}`),
    plotOf({ ...ledger, account: code, isWhole }),
    factsOf([
      ['Opening balance', `${amountText(ledger.opening_balance) || '0.00'} ${ledger.currency}`],
      ['Closing balance', `${amountText(ledger.closing_balance) || '0.00'} ${ledger.currency}`],
    ]),
    ledger.lines.length === 0
      ? h('p', {}, 'Nothing was posted to this account.')
      : tableOf({
          caption: `Ledger of account ${code}, in ${ledger.currency}; debit balances are positive`,
          columns: [
            text('Posting date', ({ posting_date }) => posting_date),
            text('Entry', ({ journal_number }) => entryLink(journal_number)),
            text('Memo', ({ memo }) => memo),
            text('Description', ({ description }) => description),
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
