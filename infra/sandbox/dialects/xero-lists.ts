// Xero's lists of accounts and of manual journals: whole or by page, filtered, in an order, changed
// since, and one record of them by its id.

import type { DemoCompany } from '../demo-company.ts';
import type { Reply } from '../http-messages.ts';
import type { ApiCall } from './dialect.ts';
import { accountAt, accountIdOf, journalAt, journalIdOf } from './xero-books.ts';
import { pickerOf, type XeroQuery } from './xero-query.ts';
import { answer, envelope, notFound, queryFault } from './xero-replies.ts';

const queryOf = ({ query, headers }: ApiCall): XeroQuery => ({
  where: query.get('where'),
  order: query.get('order'),
  since: headers['if-modified-since'],
});

const accountFields = 'AccountID Code Name Type Class Status TaxType SystemAccount UpdatedDateUTC';

/** The chart comes whole. What a failure strikes is the chart, not what is picked out of it. */
export const accountsReply = (call: ApiCall): Reply => {
  const { company, query, injectFailure } = call;
  const pick = pickerOf(queryOf(call), accountFields.split(' '));
  if (pick === undefined) return queryFault('The sandbox cannot read what is asked of accounts');
  const { length: size } = company.accounts;
  const failure = query.has('where')
    ? undefined
    : injectFailure({ of: 'accounts', page: 1, pages: 1, size });
  if (failure) return failure;
  const Accounts = pick(company.accounts.map((_, index) => accountAt(company, index)));
  return answer({ ...envelope(), Accounts });
};

/** The order that the journals are in anyway: that of their ids and, as they were made, dates. */
const knownOrder = /^(ManualJournalID|Date)( ASC)?$/;

const journalFields = 'ManualJournalID Date Status Narration LineAmountTypes UpdatedDateUTC';

type Journal = ReturnType<typeof journalAt>;

/** What was picked last of each company: asking for its next page does not pick again. */
const picked = new WeakMap<DemoCompany, { key: string; journals: Journal[] }>();

/** The company's journals that are asked for; `undefined` where the query cannot be read. */
const journalsOf = (
  call: ApiCall,
): { count: number; at: (index: number) => Journal } | undefined => {
  const { company } = call;
  const asked = queryOf(call);
  const order = knownOrder.test(asked.order ?? '') ? null : asked.order;
  const pick = pickerOf({ ...asked, order }, journalFields.split(' '));
  if (pick === undefined) return undefined;
  if (order === null && asked.where === null && asked.since === undefined) {
    return { count: company.journalCount, at: (index) => journalAt(company, index) };
  }
  const key = JSON.stringify(asked);
  const known = picked.get(company);
  const isKnown = known?.key === key;
  const journals = isKnown
    ? known.journals
    : (pick(
        Array.from({ length: company.journalCount }, (_, index) => journalAt(company, index)),
      ) as Journal[]);
  picked.set(company, { key, journals });
  return { count: journals.length, at: (index) => journals[index] as Journal };
};

/** What a list of no pages has of each journal: only a page has their lines. Unverified. */
const headOf = ({ JournalLines, ...head }: Journal) => head;

export const journalsReply = (call: ApiCall): Reply => {
  const { query, injectFailure, repeatsPages, orderIgnoresPages } = call;
  const journals = journalsOf(call);
  if (journals === undefined)
    return queryFault('The sandbox cannot read what is asked of journals');
  const { count, at } = journals;
  const all = () => Array.from({ length: count }, (_, index) => at(index));
  const pageText = query.get('page');
  if (pageText === null) return answer({ ...envelope(), ManualJournals: all().map(headOf) });
  const [page, pageSize] = [Number(pageText), Number(query.get('pageSize') ?? 100)];
  const isWhole = Number.isInteger(page) && Number.isInteger(pageSize);
  if (!isWhole || page < 1 || pageSize < 1 || pageSize > 1000) {
    return queryFault('The sandbox lists journals by page, with a pageSize of at most 1000');
  }
  const pages = Math.ceil(count / pageSize);
  const failure = injectFailure({ of: 'journals', page, pages, size: pageSize });
  if (failure) return failure;
  const first = repeatsPages ? 0 : (page - 1) * pageSize;
  const listed = Math.max(0, Math.min(pageSize, count - first));
  const pageCount = repeatsPages ? page + 1 : pages;
  // With an order, all journals came on every page (github.com/singer-io/tap-xero/issues/104).
  const isBroken = orderIgnoresPages && query.has('order');
  return answer({
    ...envelope(),
    pagination: { page, pageSize, pageCount, itemCount: count },
    ManualJournals: isBroken
      ? all()
      : Array.from({ length: listed }, (_, place) => at(first + place)),
  });
};

/** One account or journal by its id, in a list as all are. */
export const recordReply = (
  call: ApiCall,
  { resource, id }: { resource: string; id: string },
): Reply => {
  const { company } = call;
  const index = Number.parseInt(id.slice(-12), 16);
  if (resource === 'Accounts' && id === accountIdOf(company, index)) {
    const isKnown = index < company.accounts.length;
    return isKnown ? answer({ ...envelope(), Accounts: [accountAt(company, index)] }) : notFound();
  }
  if (resource === 'ManualJournals' && id === journalIdOf(company, index)) {
    const isKnown = index < company.journalCount;
    return isKnown
      ? answer({ ...envelope(), ManualJournals: [journalAt(company, index)] })
      : notFound();
  }
  return notFound();
};
