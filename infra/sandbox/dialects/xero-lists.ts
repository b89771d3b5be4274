// Xero's lists and replies: filters in `where`, an `order`, pages counted from 1, and errors in two
// shapes.

import { randomUUID } from 'node:crypto';
import { Refusal, type Reply } from '../http-messages.ts';
import {
  type Condition,
  clausesIn,
  findRecord,
  type Operator,
  type Resource,
  readPage,
  type Selection,
} from '../lists.ts';
import type { ApiCall, CompanyCall } from './dialect.ts';
import { accountAt, indexIn, journalAt } from './xero-books.ts';

/** The body of an Accounting API reply. */
export const answer = (fields: object): Reply => ({
  status: 200,
  json: {
    Id: randomUUID(),
    Status: 'OK',
    ProviderName: 'Ledger',
    DateTimeUTC: `/Date(${Date.now()})/`,
    ...fields,
  },
});

const problems = {
  unauthorized: [401, 'Unauthorized', 'AuthenticationUnsuccessful'],
  missingScope: [401, 'Unauthorized', 'AuthorizationUnsuccessful'],
  forbidden: [403, 'Forbidden', 'AuthenticationUnsuccessful'],
  notFound: [404, 'Not Found', 'The resource was not found'],
  tooManyRequests: [429, 'Too Many Requests', 'RateLimitExceeded'],
  serverError: [500, 'An error occurred', 'An error occurred in Xero.'],
} as const;

/** An error of the gateway before the API. */
export const problem = (
  name: keyof typeof problems,
  headers: Record<string, string> = {},
): Reply => {
  const [Status, Title, Detail] = problems[name];
  return { status: Status, headers, json: { Title, Status, Detail, Instance: randomUUID() } };
};

/** An error of the API itself: `Error` of the specification. */
const queryRefusal = (message: string): Refusal =>
  new Refusal({ status: 400, json: { Type: 'QueryParseException', Message: message } });

/** .NET dates compare by their time. */
const comparable = (_field: string, value: unknown): string | number => {
  const moment = /^\/Date\((\d+)/.exec(String(value))?.[1];
  return moment === undefined ? (value as string | number) : Number(moment);
};

type XeroList = Resource & { name: 'Accounts' | 'ManualJournals' };

const accounts: XeroList = {
  name: 'Accounts',
  records: 'accounts',
  rowAt: accountAt,
  idField: 'AccountID',
  indexIn,
  fields: ['AccountID', 'Code', 'Name', 'Type', 'Class', 'Status', 'SystemAccount'],
  ascendingFields: ['AccountID'],
  comparable,
};

const journals: XeroList = {
  name: 'ManualJournals',
  records: 'journals',
  rowAt: journalAt,
  idField: 'ManualJournalID',
  indexIn,
  fields: ['ManualJournalID', 'Date', 'Status', 'Narration'],
  ascendingFields: ['ManualJournalID', 'Date'],
  comparable,
};

export const lists: readonly XeroList[] = [accounts, journals];

const valueSource = /"(?<text>[^"]*)"|DateTime\((?<date>[\d, ]+)\)/.source;
const clause = new RegExp(
  `(?<field>\\w+)\\s*(?<operator>==|>=|<=|>|<)\\s*(?:${valueSource})\\s*(?:AND\\s+|$)`,
  'giy',
);

const conditionsIn = (where: string): Condition[] => {
  const clauses = clausesIn(where, clause);
  if (clauses === undefined) throw queryRefusal('The sandbox cannot read this where parameter');
  return clauses.map(({ field = '', operator = '', text, date = '' }) => {
    const [year = 0, month = 0, day] = date.split(',').map(Number);
    const value = text ?? Date.UTC(year, month - 1, day);
    return { field, operator: operator.replace('==', '=') as Operator, values: [value] };
  });
};

/** A moment without a time zone is in UTC. */
const changesSince = (header: string): Condition => {
  const moment = Date.parse(/T[\d:.]+$/.test(header) ? `${header}Z` : header);
  if (Number.isNaN(moment)) throw queryRefusal('The sandbox cannot read If-Modified-Since');
  return { field: 'UpdatedDateUTC', operator: '>', values: [moment] };
};

const selectionOf = ({ query, headers }: ApiCall, { fields }: Resource): Selection => {
  const [where, since] = [query.get('where'), headers['if-modified-since']];
  const [, field = '', direction = ''] =
    /^(\w+)(?: (ASC|DESC))?$/.exec(query.get('order') ?? '') ?? [];
  const order = query.has('order') ? { field, isDescending: direction === 'DESC' } : null;
  const conditions = where === null ? [] : conditionsIn(where);
  const unknown = [...conditions, ...(order ? [order] : [])].find(
    (it) => !fields.includes(it.field),
  );
  if (unknown) throw queryRefusal(`The sandbox has no field ${unknown.field}`);
  return { conditions: [...conditions, ...(since ? [changesSince(since)] : [])], order };
};

/** The whole chart. */
const accountsReply = (call: CompanyCall): Reply => {
  const size = call.company.accounts.length;
  const { rows } = readPage(call, accounts, { ...selectionOf(call, accounts), first: 0, size });
  return answer({ Accounts: rows });
};

const maximumPageSize = 1000;

const journalsReply = (call: CompanyCall): Reply => {
  const { query } = call;
  const [page, pageSize] = [Number(query.get('page') ?? 1), Number(query.get('pageSize') ?? 100)];
  const isWhole = Number.isInteger(page) && Number.isInteger(pageSize);
  if (!isWhole || page < 1 || pageSize < 1 || pageSize > maximumPageSize) {
    throw queryRefusal(`page starts at 1, and pageSize is at most ${maximumPageSize}`);
  }
  const first = (page - 1) * pageSize;
  const selection = selectionOf(call, journals);
  const { rows, total } = readPage(call, journals, { ...selection, first, size: pageSize });
  const pageCount = Math.ceil(total / pageSize);
  return answer({
    pagination: { page, pageSize, pageCount, itemCount: total },
    ManualJournals: rows,
  });
};

/** A list, or one record of it in a list of one. */
export const listReply = (call: CompanyCall, list: XeroList, id: string | undefined): Reply => {
  if (id === undefined) return list === accounts ? accountsReply(call) : journalsReply(call);
  const record = findRecord(call.company, list, id);
  return record ? answer({ [list.name]: [record] }) : problem('notFound');
};
