// A journal entry of a tenant: what it says, its lines, and what became of it.

import { get } from './api.js';
import { amountText, factsOf, h, tableOf } from './elements.js';
import { accountLink, entryLink, figure, text } from './parts.js';

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An entry has a number, and an id by which others refer to it. */
const namedBy = (name) =>
  idPattern.test(name) ? { journal_entry_id: name } : { journal_number: name };

/** What its application keeps with it, where that is anything. */
const metadataOf = ({ metadata }) =>
  Object.keys(metadata).length === 0
    ? []
    : [h('h3', {}, 'Metadata'), factsOf(Object.entries(metadata))];

export const entry = async (tenant, name) => {
  const found = await get('journal_entries/get', { domain_url: tenant, ...namedBy(name) });
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
      ['User', found.user_id],
      isForeign
        ? ['Exchange rate', `${found.book_exchange_rate} (of ${found.exchange_rate_date})`]
        : [],
      found.reporting_currency === found.book_currency
        ? []
        : ['Reported as', `${amountText(found.reporting_amount)} ${found.reporting_currency}`],
      ['Reverses', found.reverses && entryLink(found.reverses)],
      ['Reversed by', found.reversed_by && entryLink(found.reversed_by)],
      ['Created', found.created_at],
      ['Posted', found.posted_at],
      ['Cancelled', found.cancelled_at],
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
    ...metadataOf(found),
  ];
};
