// The view of a journal entry: its fields, lines and status.

import { get } from './api.js';
import { amountText, factsOf, h, tableOf } from './elements.js';
import { accountLink, entryLink, eventsLink, figure, text } from './parts.js';

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An entry has a number, and an id for references. */
const namedBy = (name) =>
  idPattern.test(name) ? { journal_entry_id: name } : { journal_number: name };

/** The metadata of the application, if there are any. */
const metadataOf = ({ metadata }) =>
  Object.keys(metadata).length === 0
    ? []
    : [h('h3', {}, 'Metadata'), factsOf(Object.entries(metadata))];

export const entry = async (tenant, name) => {
  const journalEntry = await get('journal_entries/get', { domain_url: tenant, ...namedBy(name) });
  const isForeign = journalEntry.transaction_currency !== journalEntry.book_currency;
  return [
    h('h2', { tabindex: '-1' }, `Journal entry ${journalEntry.journal_number}`),
    factsOf([
      ['Memo', journalEntry.memo],
      ['Date', journalEntry.date],
      ['Posting date', journalEntry.posting_date],
      ['Status', journalEntry.status],
      ['Type', journalEntry.entry_type],
      ['Your id', journalEntry.external_id],
      ['User', journalEntry.user_id],
      isForeign
        ? [
            'Exchange rate',
            `${journalEntry.book_exchange_rate} (of ${journalEntry.exchange_rate_date})`,
          ]
        : [],
      journalEntry.reporting_currency === journalEntry.book_currency
        ? []
        : [
            'Reported as',
            `${amountText(journalEntry.reporting_amount)} ${journalEntry.reporting_currency}`,
          ],
      ['Reverses', journalEntry.reverses && entryLink(journalEntry.reverses)],
      ['Reversed by', journalEntry.reversed_by && entryLink(journalEntry.reversed_by)],
      ['Created', journalEntry.created_at],
      ['Posted', journalEntry.posted_at],
      ['Cancelled', journalEntry.cancelled_at],
      ['Id', journalEntry.journal_entry_id],
      ['Hash', journalEntry.hash],
    ]),
    tableOf({
      caption: `Lines, in ${journalEntry.transaction_currency}`,
      columns: [
        text('Line', ({ line_number }) => line_number),
        text('Account', ({ account }) => accountLink(account)),
        text('Name', ({ account_name }) => account_name),
        text('Description', ({ description }) => description),
        figure('Debit', ({ debit }) => amountText(debit)),
        figure('Credit', ({ credit }) => amountText(credit)),
        ...(isForeign
          ? [
              figure(`Debit, ${journalEntry.book_currency}`, ({ book_debit }) =>
                amountText(book_debit),
              ),
              figure(`Credit, ${journalEntry.book_currency}`, ({ book_credit }) =>
                amountText(book_credit),
              ),
            ]
          : []),
      ],
      rows: journalEntry.transactions,
    }),
    ...metadataOf(journalEntry),
    h('p', {}, eventsLink(journalEntry.journal_entry_id)),
  ];
};
