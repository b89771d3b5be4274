// What Xero's lists can be asked for: which records, in which order, and only those changed since.

type Row = Record<string, unknown>;

type Comparison = { field: string; operator: string; value: unknown };

const literals = [
  /"(?<text>[^"]*)"/,
  /Guid\("(?<guid>[^"]*)"\)/,
  /(?<truth>true|false)/,
  /(?<number>-?\d+(?:\.\d+)?)/,
  /DateTime\(\s*(?<year>\d+)\s*,\s*(?<month>\d+)\s*,\s*(?<day>\d+)\s*\)/,
];
const comparison = /^\s*(?<field>[A-Za-z]\w*)\s*(?<operator>==|!=|>=|<=|>|<)\s*/;
const anyLiteral = literals.map(({ source }) => source).join('|');
const clause = new RegExp(`${comparison.source}(?:${anyLiteral})\\s*`, 'i');

const literalIn = (groups: Record<string, string | undefined>): unknown => {
  const { text, guid, truth, number, year, month, day } = groups;
  if (truth !== undefined) return truth.toLowerCase() === 'true';
  if (number !== undefined) return Number(number);
  if (year !== undefined) return Date.UTC(Number(year), Number(month) - 1, Number(day));
  return text ?? guid?.toLowerCase();
};

/** The comparisons that all must hold; `undefined` for what the sandbox cannot read. */
const parseWhere = (where: string): Comparison[] | undefined => {
  const comparisons: Comparison[] = [];
  let rest = where;
  for (;;) {
    const found = clause.exec(rest);
    if (found === null) return undefined;
    const { field = '', operator = '', ...groups } = found.groups ?? {};
    comparisons.push({ field, operator, value: literalIn(groups) });
    rest = rest.slice(found[0].length);
    if (rest === '') return comparisons;
    const and = /^(?:AND\b|&&)/i.exec(rest);
    if (and === null) return undefined;
    rest = rest.slice(and[0].length);
  }
};

/** Moments of .NET compare by their time. */
const comparable = (value: unknown): unknown => {
  const moment = /^\/Date\((\d+)/.exec(String(value))?.[1];
  return moment === undefined ? value : Number(moment);
};

const holds = (row: Row, { field, operator, value }: Comparison): boolean => {
  const [one, other] = [comparable(row[field]), value] as [number, number];
  if (operator === '==') return one === other;
  if (operator === '!=') return one !== other;
  if (operator === '>=') return one >= other;
  if (operator === '<=') return one <= other;
  return operator === '>' ? one > other : one < other;
};

const parseOrder = (order: string): { field: string; sign: 1 | -1 } | undefined => {
  const [, field, direction = 'ASC'] = /^(\w+)(?: (ASC|DESC))?$/i.exec(order) ?? [];
  return field === undefined ? undefined : { field, sign: /desc/i.test(direction) ? -1 : 1 };
};

/** A moment without a time zone is in UTC. */
const parseSince = (header: string): number =>
  Date.parse(/T[\d:.]+$/.test(header) ? `${header}Z` : header);

export type XeroQuery = { where: string | null; order: string | null; since: string | undefined };

/**
 * What picks rows and puts them in order; `undefined` where a part of the query cannot be read.
 * @param fields those that a query may name
 */
export const pickerOf = (
  { where, order, since }: XeroQuery,
  fields: readonly string[],
): ((rows: Row[]) => Row[]) | undefined => {
  const comparisons = where === null ? [] : parseWhere(where);
  const sorting = order === null ? null : parseOrder(order);
  const changedAfter = since === undefined ? -Infinity : parseSince(since);
  const named = [...(comparisons ?? []), ...(sorting ? [sorting] : [])].map(({ field }) => field);
  const isKnown = comparisons && sorting !== undefined && !Number.isNaN(changedAfter);
  if (!isKnown || !named.every((field) => fields.includes(field))) return undefined;
  const isAsked = (row: Row): boolean =>
    comparisons.every((comparison) => holds(row, comparison)) &&
    (comparable(row.UpdatedDateUTC) as number) > changedAfter;
  return (rows) => {
    const picked = rows.filter(isAsked);
    if (sorting === null) return picked;
    const keyOf = (row: Row) => comparable(row[sorting.field] ?? '') as string;
    return picked.sort((one, other) =>
      keyOf(one) === keyOf(other) ? 0 : keyOf(one) < keyOf(other) ? -sorting.sign : sorting.sign,
    );
  };
};
