// Zoho's lists: pages counted from 1, filters, what was modified since, and one record by its id.

import { booksMadeAt, type DemoAccount, type DemoCompany } from '../demo-company.ts';
import type { Reply } from '../http-messages.ts';
import type { ApiCall } from './dialect.ts';
import { accountAt, indexOf, journalAt, taxesOf, wholeJournalAt } from './zoho-books.ts';
import { answer, faultOf, missing } from './zoho-replies.ts';

type List = {
  of: 'accounts' | 'journals';
  node: string;
  count: number;
  rowAt: (index: number) => object;
  /** What else is said of the list. */
  context?: Record<string, string>;
};

/** A page of a list: of 200 rows where nothing is asked for, and here never of more. */
const pageOf = ({ query, injectFailure, repeatsPages }: ApiCall, list: List): Reply => {
  const { of, node, count, rowAt, context } = list;
  const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 200)];
  const isWhole = Number.isInteger(page) && Number.isInteger(size);
  if (!isWhole || page < 1 || size < 1 || size > 200) return faultOf('page');
  const failure = injectFailure({ of, page, pages: Math.ceil(count / size), size });
  if (failure) return failure;
  const first = repeatsPages ? 0 : (page - 1) * size;
  const length = Math.max(0, Math.min(size, count - first));
  return answer({
    [node]: Array.from({ length }, (_, place) => rowAt(first + place)),
    page_context: {
      ...{ page, per_page: size, has_more_page: repeatsPages || page * size < count },
      ...context,
    },
  });
};

/** The moment of `last_modified_time`; `null` where it is not asked for, NaN for no moment. */
const sinceOf = (query: URLSearchParams): number | null => {
  const text = query.get('last_modified_time');
  // In a query, a plus that is not encoded is a blank.
  return text === null ? null : Date.parse(text.replace(/ (\d{4})$/, '+$1'));
};

/** The documented values of `filter_by`: by state, or by class. */
const accountFilters: Record<string, (account: DemoAccount) => boolean> = {
  All: () => true,
  Active: ({ status }) => status === 'active',
  Inactive: ({ status }) => status === 'archived',
  Asset: ({ type }) => type === 'asset',
  Liability: ({ type }) => type === 'liability',
  Equity: ({ type }) => type === 'equity',
  Income: ({ type }) => type === 'revenue',
  Expense: ({ type }) => type === 'expense',
};

/** Those that are not active come only to who asks for all. */
export const accountsReply = (call: ApiCall): Reply => {
  const { company, query } = call;
  const [, name = ''] = /^AccountType\.(\w+)$/.exec(query.get('filter_by') ?? '') ?? [];
  const isAsked = accountFilters[query.has('filter_by') ? name : 'Active'];
  const since = sinceOf(query);
  if (isAsked === undefined) return faultOf('filter_by');
  if (Number.isNaN(since)) return faultOf('last_modified_time');
  const found = [...company.accounts.entries()].filter(
    ([, account]) =>
      isAsked(account) &&
      (since === null || Date.parse(account.modifiedAt ?? booksMadeAt) >= since),
  );
  return pageOf(call, {
    of: 'accounts',
    node: 'chartofaccounts',
    count: found.length,
    rowAt: (place) => accountAt(company, (found[place] as [number, DemoAccount])[0]),
  });
};

export const accountReply = ({ company }: ApiCall, id: string): Reply => {
  const index = indexOf(company, { kind: 'account', id });
  const isKnown = index !== undefined && index < company.accounts.length;
  return isKnown ? answer({ chart_of_account: accountAt(company, index) }) : missing;
};

/** The places of the journals that there are: what was deleted is in no list. */
const places = new WeakMap<DemoCompany, readonly number[]>();

const placesOf = (company: DemoCompany): readonly number[] => {
  const known = places.get(company);
  if (known) return known;
  const found = [...Array(company.journalCount).keys()].filter(
    (index) => company.journalAt(index).status !== 'deleted',
  );
  places.set(company, found);
  return found;
};

/** Each holds for the journals that a parameter of the list asks for. */
const journalFilters: Record<string, (journal: Journal, asked: string) => boolean> = {
  date: ({ date }, asked) => date === asked,
  date_start: ({ date }, asked) => date >= asked,
  date_end: ({ date }, asked) => date <= asked,
  date_after: ({ date }, asked) => date > asked,
  date_before: ({ date }, asked) => date < asked,
  notes_contains: ({ memo }, asked) => memo.includes(asked),
};
type Journal = ReturnType<DemoCompany['journalAt']>;

/** Of what Zoho documents all but the total, and what it is recorded to take for changes. */
const journalOrders: Record<string, (journal: Journal) => string> = {
  journal_date: ({ date }) => date,
  entry_number: () => '',
  reference_number: () => '',
  last_modified_time: ({ modifiedAt }) => modifiedAt,
};

/** The places in the order that is asked for; they are in that of dates and numbers as they are. */
const inOrder = (
  places: readonly number[],
  {
    company,
    column,
    isDescending,
  }: { company: DemoCompany; column: string; isDescending: boolean },
): readonly number[] => {
  const keyOf = journalOrders[column];
  if (keyOf === undefined) return places;
  const keyed = places.map((place) => ({ place, key: keyOf(company.journalAt(place)) }));
  const sorted = keyed.sort((one, other) =>
    one.key === other.key ? one.place - other.place : one.key < other.key ? -1 : 1,
  );
  const found = sorted.map(({ place }) => place);
  return isDescending ? found.reverse() : found;
};

/** Filters by dates alone, and all; those that mean today's week or month are left out. */
export const journalsReply = (call: ApiCall): Reply => {
  const { company, query } = call;
  if ((query.get('filter_by') ?? 'JournalDate.All') !== 'JournalDate.All') {
    return faultOf('filter_by');
  }
  const since = sinceOf(query);
  if (Number.isNaN(since)) return faultOf('last_modified_time');
  const filters = Object.entries(journalFilters).flatMap(([name, holds]) => {
    const asked = query.get(name);
    return asked === null ? [] : [(journal: Journal) => holds(journal, asked)];
  });
  if (since !== null) filters.push(({ modifiedAt }) => Date.parse(modifiedAt) >= since);
  const column = query.get('sort_column') ?? 'journal_date';
  const order = query.get('sort_order') ?? 'A';
  if (!(column in journalOrders)) return faultOf('sort_column');
  if (!['A', 'D'].includes(order)) return faultOf('sort_order');
  const isAsked = query.has('sort_column') || query.has('sort_order');
  const kept = placesOf(company);
  const all = isAsked ? inOrder(kept, { company, column, isDescending: order === 'D' }) : kept;
  const found =
    filters.length === 0
      ? all
      : all.filter((index) => filters.every((holds) => holds(company.journalAt(index))));
  return pageOf(call, {
    of: 'journals',
    node: 'journals',
    count: found.length,
    rowAt: (place) => journalAt(company, found[place] as number),
    context: {
      report_name: 'Manual Journals',
      applied_filter: 'JournalDate.All',
      ...{ sort_column: column, sort_order: order },
    },
  });
};

export const journalReply = ({ company }: ApiCall, id: string): Reply => {
  const index = indexOf(company, { kind: 'journal', id });
  const isKnown =
    index !== undefined &&
    index < company.journalCount &&
    company.journalAt(index).status !== 'deleted';
  return isKnown ? answer({ journal: wholeJournalAt(company, index) }) : missing;
};

export const taxesReply = ({ company }: ApiCall): Reply =>
  answer({
    taxes: taxesOf(company),
    page_context: { page: 1, per_page: 200, has_more_page: false },
  });
