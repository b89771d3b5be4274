// The lists and replies of QuickBooks Online: a query language, lists of changes, and two kinds of
// faults. Source of the language: developer.intuit.com, Query operations and syntax.

import { randomUUID } from 'node:crypto';
import { Refusal, type Reply } from '../http-messages.ts';
import {
  type Condition,
  clausesIn,
  findRecord,
  type Operator,
  type Order,
  type Resource,
  readPage,
} from '../lists.ts';
import type { CompanyCall } from './dialect.ts';
import { accountAt, changedEntryAt, entryAt, entryIndexIn } from './quickbooks-books.ts';

/** Intuit's support requests the id of a reply. */
export const replyWith = (status: number, json: unknown): Reply => ({
  status,
  headers: { intuit_tid: randomUUID() },
  json,
});

export const answer = (body: object): Reply =>
  replyWith(200, { ...body, time: new Date().toISOString() });

type FaultError = { status: number; type: string; code: string; message: string; detail: string };

export const fault = ({ status, type, code, message, detail }: FaultError): Reply =>
  replyWith(status, {
    Fault: { Error: [{ Message: message, Detail: detail, code }], type },
    time: new Date().toISOString(),
  });

/**
 * Sources: github.com/Wish-Org/QuickBooksSharp, issue 19;
 * github.com/intuit/QuickBooks-V3-DotNET-SDK, issue 353; users (`query`). Unverified: 4001.
 */
const faults = {
  parser: ['4000', 'Error parsing query'],
  query: ['4001', 'Invalid query'],
  changes: ['4001', 'Unsupported Operation'],
  notFound: ['610', 'Object Not Found'],
} as const;

const refusal = (kind: keyof typeof faults, detail: string): Refusal => {
  const [code, message] = faults[kind];
  return new Refusal(fault({ status: 400, type: 'ValidationFault', code, message, detail }));
};

const lastUpdated = 'MetaData.LastUpdatedTime';

/** Unverified: text is case-sensitive, except `true` and `false`. */
const comparable = (field: string, value: unknown): string | number => {
  if (field === 'Id') return Number(value);
  // In a query string, an unencoded plus of a time zone becomes a space.
  if (field === lastUpdated) return Date.parse(String(value).replace(' ', '+'));
  return field === 'Active' ? String(value).toLowerCase() : String(value);
};

type QuickBooksList = Resource & { name: 'Account' | 'JournalEntry' };

const accounts: QuickBooksList = {
  name: 'Account',
  records: 'accounts',
  rowAt: accountAt,
  idField: 'Id',
  indexIn: (id) => Number(id) - 1,
  fields: ['Id', lastUpdated, 'Name', 'FullyQualifiedName', 'AcctNum', 'Active', 'AccountType'],
  ascendingFields: ['Id'],
  comparable,
};

/** QuickBooks has no draft entries. */
const entries: QuickBooksList = {
  name: 'JournalEntry',
  records: 'journals',
  statuses: ['posted'],
  rowAt: entryAt,
  idField: 'Id',
  indexIn: entryIndexIn,
  fields: ['Id', lastUpdated, 'TxnDate', 'PrivateNote'],
  ascendingFields: ['Id'],
  comparable,
};

/** A list of changes includes deleted entries. */
const changedEntries: Resource = {
  ...entries,
  name: 'changes of JournalEntry',
  statuses: ['posted', 'deleted'],
  rowAt: changedEntryAt,
};

/** Clients write names in any case. */
const findName = (names: readonly string[], name: string): string | undefined =>
  names.find((one) => one.toLowerCase() === name.toLowerCase());

const listNamed = (name: string): QuickBooksList | undefined =>
  [accounts, entries].find((list) => findName([list.name], name));

const statementPattern = new RegExp(
  '^select (?<selected>\\*|count\\(\\*\\)) from (?<name>\\w+)' +
    '(?: where (?<where>.+?))?(?: order ?by (?<orderBy>.+?))?' +
    '(?: startposition (?<start>\\d+))?(?: maxresults (?<most>\\d+))?$',
  'i',
);

const signSource = /<=|>=|=|<|>|like\b|in\b/.source;
const valueSource = /\([^)]*\)|'(?:[^'\\]|\\.)*'|[\w.:+-]+/.source;
const clause = new RegExp(
  `(?<name>[\\w.]+)\\s*(?<sign>${signSource})\\s*(?<value>${valueSource})\\s*(?:and\\s+|$)`,
  'giy',
);

const valuePattern = /'((?:[^'\\]|\\.)*)'|[\w.:+-]+/g;

const valuesIn = (text: string): string[] =>
  [...text.matchAll(valuePattern)].map(([word, quoted]) =>
    (quoted ?? word).replace(/\\(.)/g, '$1'),
  );

const maximumResults = 1000;

const fieldOf = ({ name, fields }: QuickBooksList, text: string): string => {
  const field = findName(fields, text);
  if (field !== undefined) return field;
  throw refusal('query', `Property ${text} not found for Entity ${name}`);
};

/** Without a condition on `Active`, inactive accounts are not listed (Intuit's Account page). */
const conditionsIn = (where: string, list: QuickBooksList): Condition[] => {
  const clauses = clausesIn(where, clause);
  if (clauses === undefined) throw refusal('parser', `Encountered "${where}"`);
  const conditions = clauses.map(({ name = '', sign = '', value = '' }) => ({
    field: fieldOf(list, name),
    operator: sign.toLowerCase() as Operator,
    values: valuesIn(value),
  }));
  if (list === accounts && !conditions.some(({ field }) => field === 'Active')) {
    return [...conditions, { field: 'Active', operator: '=', values: ['true'] }];
  }
  // With `Active in (true, false)` clients list active and inactive accounts: no condition.
  return conditions.filter(({ field, values }) => field !== 'Active' || values.length === 1);
};

const orderIn = (text: string, list: QuickBooksList): Order => {
  const [, name = '', direction = ''] = /^([\w.]+)(?: (asc|desc))?$/i.exec(text) ?? [];
  return { field: fieldOf(list, name), isDescending: direction.toLowerCase() === 'desc' };
};

export const queryReply = (call: CompanyCall, text: string): Reply => {
  const statement = text.trim().replace(/\s+/g, ' ');
  const parts = statementPattern.exec(statement);
  if (parts === null) throw refusal('parser', `Encountered "${statement}"`);
  const { selected, name = '', where = '', orderBy, start = 1, most = 100 } = parts.groups ?? {};
  const list = listNamed(name);
  if (list === undefined) throw refusal('query', `Entity ${name} not found`);
  const [startPosition, size] = [Number(start), Number(most)];
  if (size > maximumResults) throw refusal('query', `value ${size} is too large.`);
  const { rows, total } = readPage(call, list, {
    conditions: conditionsIn(where, list),
    order: orderBy === undefined ? null : orderIn(orderBy, list),
    // Some clients start at 0, others at 1.
    first: Math.max(0, startPosition - 1),
    size,
  });
  if (selected !== '*') return answer({ QueryResponse: { totalCount: total } });
  if (rows.length === 0) return answer({ QueryResponse: {} });
  const { length: maxResults } = rows;
  return answer({ QueryResponse: { [list.name]: rows, startPosition, maxResults } });
};

const oneDay = 24 * 60 * 60 * 1000;
const maximumChangesDays = 30;
const maximumChanges = 1000;

/** Source of the limits and the shape: developer.intuit.com, Change data capture. */
export const changesReply = (call: CompanyCall): Reply => {
  const { query } = call;
  const since = (query.get('changedSince') ?? '').replace(' ', '+');
  const moment = Date.parse(since);
  if (Number.isNaN(moment)) throw refusal('changes', `Invalid changedSince date ${since}`);
  if (moment < Date.now() - maximumChangesDays * oneDay) {
    throw refusal('changes', `Operation cdc with changedSince date ${since} is not supported.`);
  }
  const conditions: Condition[] = [{ field: lastUpdated, operator: '>', values: [since] }];
  let size = maximumChanges;
  const responses = (query.get('entities') ?? '').split(',').map((name) => {
    const list = listNamed(name.trim());
    if (list === undefined) throw refusal('changes', 'Invalid entity in the list of entities');
    const changes = list === entries ? changedEntries : list;
    const { rows } = readPage(call, changes, { conditions, order: null, first: 0, size });
    size -= rows.length;
    const { length } = rows;
    if (length === 0) return {};
    return { [list.name]: rows, startPosition: 1, maxResults: length, totalCount: length };
  });
  return answer({ CDCResponse: [{ QueryResponse: responses }] });
};

/** `undefined` for a resource that is no list. */
export const recordReply = (
  { company }: CompanyCall,
  { resource, id }: { resource: string; id: string },
): Reply | undefined => {
  const list = listNamed(resource);
  if (list === undefined) return undefined;
  const record = findRecord(company, list, id);
  if (record === undefined) throw refusal('notFound', 'Something has been made inactive.');
  return answer({ [list.name]: record });
};
