// The lists and replies of Zoho Books: pages counted from 1, a filter for accounts, an order for
// journals, and errors with codes.

import type { DemoCompany } from '../demo-company.ts';
import { Refusal, type Reply } from '../http-messages.ts';
import { findRecord, type Resource, readPage, type Selection } from '../lists.ts';
import type { ApiCall } from './dialect.ts';
import { accountAt, idOf, indexIn, journalAt, wholeJournalAt } from './zoho-books.ts';

export type ZohoCall = ApiCall & { company: DemoCompany };

export const answer = (body: object): Reply => ({
  status: 200,
  json: { code: 0, message: 'success', ...body },
});

export const fault = (
  { status, code, message }: { status: number; code: number; message: string },
  headers: Record<string, string> = {},
): Reply => ({ status, headers, json: { code, message } });

const parameterRefusal = (parameter: string): Refusal =>
  new Refusal(fault({ status: 400, code: 2, message: `Invalid value passed for ${parameter}` }));

const notFound = fault({ status: 404, code: 1002, message: 'Resource does not exist.' });

const accounts: Resource = {
  name: 'chartofaccounts',
  failuresOf: 'accounts',
  count: (company) => company.accounts.length,
  rowAt: accountAt,
  idOf: (company, index) => idOf(company, { kind: 'account', index }),
  indexIn,
  fields: ['is_active'],
  ascendingFields: [],
  comparable: (_field, value) => String(value),
};

/** Zoho does not list deleted journals. Only a journal read by its id has lines. */
const journals: Resource = {
  name: 'journals',
  failuresOf: 'journals',
  count: (company) => company.journalCount,
  isListed: (company, index) => company.journalAt(index).status !== 'deleted',
  rowAt: journalAt,
  recordAt: wholeJournalAt,
  idOf: (company, index) => idOf(company, { kind: 'journal', index }),
  indexIn,
  fields: ['journal_date', 'last_modified_time'],
  ascendingFields: ['journal_date'],
};

const maximumPageSize = 200;

const pageReply = (
  call: ZohoCall,
  list: Resource,
  { context = {}, ...selection }: Selection & { context?: object },
): Reply => {
  const { query } = call;
  const page = Number(query.get('page') ?? 1);
  const size = Number(query.get('per_page') ?? maximumPageSize);
  const isWhole = Number.isInteger(page) && Number.isInteger(size);
  if (!isWhole || page < 1 || size < 1 || size > maximumPageSize) throw parameterRefusal('page');
  const first = (page - 1) * size;
  const { rows, total } = readPage(call, list, { ...selection, first, size });
  const position = { page, per_page: size, has_more_page: first + size < total };
  return answer({ [list.name]: rows, page_context: { ...position, ...context } });
};

/** Without `AccountType.All`, inactive accounts are not listed. */
export const accountsReply = (call: ZohoCall): Reply => {
  const filter = call.query.get('filter_by') ?? 'AccountType.Active';
  if (filter === 'AccountType.All')
    return pageReply(call, accounts, { conditions: [], order: null });
  if (filter !== 'AccountType.Active') throw parameterRefusal('filter_by');
  const isActive = { field: 'is_active', operator: '=', values: ['true'] } as const;
  return pageReply(call, accounts, { conditions: [isActive], order: null });
};

export const journalsReply = (call: ZohoCall): Reply => {
  const field = call.query.get('sort_column') ?? 'journal_date';
  const direction = call.query.get('sort_order') ?? 'A';
  if (!journals.fields.includes(field)) throw parameterRefusal('sort_column');
  if (!['A', 'D'].includes(direction)) throw parameterRefusal('sort_order');
  return pageReply(call, journals, {
    conditions: [],
    order: { field, isDescending: direction === 'D' },
    context: { sort_column: field, sort_order: direction },
  });
};

export const journalReply = ({ company }: ZohoCall, id: string): Reply => {
  const journal = findRecord(company, journals, id);
  return journal ? answer({ journal }) : notFound;
};
