// The list of journal entries, with its filters.

import { get } from './api.js';
import { amountText, h } from './elements.js';
import {
  choiceOf,
  dateInput,
  entryLink,
  figure,
  growing,
  selectOf,
  text,
  textInput,
  whole,
  wide,
} from './parts.js';

const columns = [
  whole('Number', ({ journal_number }) => entryLink(journal_number)),
  wide(whole('Date', ({ date }) => date)),
  whole('Posting date', ({ posting_date }) => posting_date),
  text('Status', ({ status }) => status),
  text('Memo', ({ memo }) => memo),
  text('Your id', ({ external_id }) => external_id),
  figure(
    'Amount',
    ({ transaction_amount: amount, transaction_currency: currency }) =>
      `${amountText(amount)} ${currency}`,
  ),
];

const statuses = { '': 'any', posted: 'posted', scheduled: 'scheduled', cancelled: 'cancelled' };

const numberPattern = /^[A-Z]{2}-\d{8}-\d+$/;

/** A page of one entry, by its number or the id of the application. */
const pageOfOne = async (tenant, name) => {
  const by = numberPattern.test(name) ? { journal_number: name } : { external_id: name };
  const entry = await get('journal_entries/get', { domain_url: tenant, ...by });
  return { journal_entries: [entry], next_cursor: null };
};

/** Entries that are looked at before the button for more appears. */
const mostLookedAt = 1_000;
const mostShown = 50;

/** Pages until enough memos contain the words. The API does not search memos. */
const pageWithMemo = async (query, words) => {
  const found = [];
  let [cursor, lookedAt] = [query.cursor, 0];
  do {
    const page = await get('journal_entries/list', { ...query, limit: 200, cursor });
    const isMatch = ({ memo }) => memo.toLowerCase().includes(words.toLowerCase());
    found.push(...page.journal_entries.filter(isMatch));
    lookedAt += page.journal_entries.length;
    cursor = page.next_cursor;
  } while (cursor !== null && found.length < mostShown && lookedAt < mostLookedAt);
  return { journal_entries: found, next_cursor: cursor };
};

const readerOf = (tenant, { memo, name, ...filter }) => {
  if (name) return () => pageOfOne(tenant, name);
  const query = { domain_url: tenant, ...filter };
  return memo
    ? (cursor) => pageWithMemo({ ...query, cursor }, memo)
    : (cursor) => get('journal_entries/list', { ...query, cursor });
};

/** The fields in the order of the address. */
const fieldsOf = ({ from, to, status, account, memo, name }) => [
  ['From', dateInput('from', from)],
  ['To', dateInput('to', to)],
  ['Status', selectOf('status', statuses, status)],
  ['Account', textInput('account', account)],
  ['Memo contains', textInput('memo', memo)],
  ['Number or your id', textInput('name', name)],
];

export const entries = async (
  tenant,
  from = '',
  to = '',
  status = '',
  account = '',
  memo = '',
  name = '',
) => {
  const filter = { from, to, status, account, memo, name };
  const isFiltered = Object.values(filter).some((value) => value !== '');
  const list = growing({
    read: readerOf(tenant, filter),
    field: 'journal_entries',
    empty: isFiltered ? 'No entries match.' : 'There are no entries yet.',
    caption: 'Journal entries',
    columns,
  });
  await list.begin();
  return [
    h('h2', { tabindex: '-1' }, 'Journal entries'),
    choiceOf('#/entries', fieldsOf(filter)),
    h('p', {}, h('a', { href: '#/entries///scheduled' }, 'Scheduled entries')),
    list.place,
  ];
};
