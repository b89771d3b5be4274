// The list engine: filters, sorts and pages a company's records for every dialect. A dialect
// describes its lists as resources and translates its query syntax into selections.

import type { DemoCompany, DemoJournal } from './demo-company.ts';
import type { ApiCall } from './dialects/dialect.ts';

type Comparable = string | number;

/** One list of a platform. Rows are computed on demand, because books can be large. */
export type Resource = {
  name: string;
  records: 'accounts' | 'journals';
  /** The journals that the platform lists. */
  statuses?: readonly DemoJournal['status'][];
  rowAt: (company: DemoCompany, index: number) => object;
  /** A record read by its id. Without this, it is the same as in the list. */
  recordAt?: (company: DemoCompany, index: number) => object;
  idField: string;
  /** The index in an id of this list. */
  indexIn: (id: string) => number;
  /** The fields that a query may name. */
  fields: readonly string[];
  /** The fields by which the records are in ascending order already. */
  ascendingFields: readonly string[];
  /** The value to compare, of a row's field or of a condition. Without this, the value itself. */
  comparable?: (field: string, value: unknown) => Comparable;
};

export type Operator = '=' | '<' | '<=' | '>' | '>=' | 'in' | 'like';
export type Condition = { field: string; operator: Operator; values: readonly Comparable[] };
export type Order = { field: string; isDescending: boolean };

/** All conditions apply. */
export type Selection = { conditions: readonly Condition[]; order: Order | null };

/** Splits a filter into clauses; `undefined` if a part of it is no clause. */
export const clausesIn = (
  filter: string,
  /** With the flags `g` and `y`. */
  clause: RegExp,
): Record<string, string | undefined>[] | undefined => {
  const matches = [...filter.trim().matchAll(clause)];
  const isWhole = matches.map(([text]) => text).join('') === filter.trim();
  return isWhole ? matches.map(({ groups }) => groups ?? {}) : undefined;
};

const valueAt = (row: object, field: string): unknown =>
  field
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], row);

/** In a pattern, `%` is any text. */
const isLike = (value: Comparable, pattern: Comparable): boolean => {
  const source = String(pattern)
    .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replaceAll('%', '.*');
  return new RegExp(`^${source}$`, 's').test(String(value));
};

const operations: Record<Operator, (value: Comparable, given: readonly Comparable[]) => boolean> = {
  '=': (value, [given]) => value === given,
  '<': (value, [given = 0]) => value < given,
  '<=': (value, [given = 0]) => value <= given,
  '>': (value, [given = 0]) => value > given,
  '>=': (value, [given = 0]) => value >= given,
  in: (value, given) => given.includes(value),
  like: (value, [given = '']) => isLike(value, given),
};

const countOf = ({ accounts, journalCount }: DemoCompany, { records }: Resource): number =>
  records === 'accounts' ? accounts.length : journalCount;

const isListed = (company: DemoCompany, { statuses }: Resource, index: number): boolean =>
  statuses?.includes(company.journalAt(index).status) ?? true;

const indexesOf = (company: DemoCompany, resource: Resource, selection: Selection): number[] => {
  const { rowAt, ascendingFields } = resource;
  const { conditions, order } = selection;
  const convert = (field: string, value: unknown): Comparable =>
    resource.comparable?.(field, value) ?? (value as Comparable);
  const isMet = (row: object, { field, operator, values }: Condition): boolean => {
    const value = valueAt(row, field);
    // A record without the field meets no condition on it.
    if (value === undefined) return false;
    const given = values.map((one) => convert(field, one));
    return operations[operator](convert(field, value), given);
  };
  const indexes = [...Array(countOf(company, resource)).keys()].filter((index) => {
    if (!isListed(company, resource, index)) return false;
    if (conditions.length === 0) return true;
    const row = rowAt(company, index);
    return conditions.every((condition) => isMet(row, condition));
  });
  const isAscending = order?.isDescending === false && ascendingFields.includes(order.field);
  if (order === null || isAscending) return indexes;
  const sign = order.isDescending ? -1 : 1;
  const keyed = indexes.map((index) => {
    const value = valueAt(rowAt(company, index), order.field) ?? '';
    return { index, key: convert(order.field, value) };
  });
  keyed.sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -sign : sign));
  return keyed.map(({ index }) => index);
};

/** The last selection of each resource, because a client that reads page 2 selects the same. */
const selected = new WeakMap<DemoCompany, Map<string, { key: string; indexes: number[] }>>();

const select = (company: DemoCompany, resource: Resource, selection: Selection): number[] => {
  const key = JSON.stringify({ ...selection, revision: company.revision });
  const byResource = selected.get(company) ?? new Map();
  selected.set(company, byResource);
  const last = byResource.get(resource.name);
  if (last?.key === key) return last.indexes;
  const indexes = indexesOf(company, resource, selection);
  byResource.set(resource.name, { key, indexes });
  return indexes;
};

/**
 * One page of a list.
 * @throws {Refusal} if the user chose a failure for this page
 */
export const readPage = (
  { company, failPage }: Pick<ApiCall, 'failPage'> & { company: DemoCompany },
  resource: Resource,
  { first, size, ...selection }: Selection & { first: number; size: number },
): { rows: object[]; total: number } => {
  const indexes = select(company, resource, selection);
  const total = indexes.length;
  // A look-up with a filter during an import must not use up the failure of the whole list.
  if (selection.conditions.length === 0) {
    const [page, pages] = [Math.floor(first / size) + 1, Math.ceil(total / size)];
    failPage({ of: resource.records, page, pages });
  }
  const listed = indexes.slice(first, first + size);
  return { rows: listed.map((index) => resource.rowAt(company, index)), total };
};

/** The record with this id; `undefined` if the company has none. */
export const findRecord = (
  company: DemoCompany,
  resource: Resource,
  id: string,
): object | undefined => {
  const { indexIn, idField, rowAt, recordAt = rowAt } = resource;
  const index = indexIn(id);
  const isIndex = Number.isInteger(index) && index >= 0 && index < countOf(company, resource);
  if (!isIndex || !isListed(company, resource, index)) return undefined;
  const record = recordAt(company, index);
  return valueAt(record, idField) === id ? record : undefined;
};
