// The lists of accounts and of entries.

import { get } from './api.js';
import { amountText, h, tableOf } from './elements.js';
import { accountLink, actionButton, entryLink, figure, text, whole, wide } from './parts.js';

/** A table with a button for the next page. The button shows errors. */
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
    const paragraph = actionButton('More', async () => {
      await append(cursor);
      paragraph.remove();
      place.querySelector('button')?.focus();
    });
    return paragraph;
  };
  return { place, begin: () => append(undefined) };
};

export const accounts = async (tenant) => {
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

export const entries = async (tenant) => {
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
