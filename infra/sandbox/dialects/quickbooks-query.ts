// The query language of QuickBooks Online, as far as its page shows and clients speak it
// (developer.intuit.com, Query operations and syntax; npm node-quickbooks, PyPI python-quickbooks):
// a select statement of one entity with conditions that are all to be met, an order and a place.

import type { DemoCompany } from '../demo-company.ts';
import { type Collection, collectionsOf, type Entity, entityNamed } from './quickbooks-books.ts';

/** What a query cannot be answered for: it cannot be read, or asks for what there is not. */
export class QueryProblem extends Error {
  readonly kind: 'parser' | 'validation';

  constructor(kind: 'parser' | 'validation', detail: string) {
    super(detail);
    this.kind = kind;
  }
}

type Condition = {
  property: string;
  operator: '=' | '<' | '>' | '<=' | '>=' | 'like' | 'in';
  values: string[];
};

export type Query = {
  entity: string;
  /** `count` for how many there are, or the properties that are wanted; `null` for all. */
  select: 'count' | string[] | null;
  where: Condition[];
  order: { property: string; isDescending: boolean }[];
  startPosition: number;
  maxResults: number;
};

const defaultResults = 100;
const maximumResults = 1000;

/** Words and numbers, texts in quotes in which `\'` is one, and what stands between them. */
const tokenPattern = /\s*(?:'((?:[^'\\]|\\.)*)'|([\w.:+-]+)|(<=|>=|[=<>(),*]))/y;

type Token = { text: string; isQuoted: boolean };

const tokensOf = (statement: string): Token[] => {
  const tokens: Token[] = [];
  const trimmed = statement.trimEnd();
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < trimmed.length) {
    const start = tokenPattern.lastIndex;
    const [, quoted, word, sign] = tokenPattern.exec(trimmed) ?? [];
    const text = quoted?.replace(/\\(.)/g, '$1') ?? word ?? sign;
    if (text === undefined) {
      throw new QueryProblem('parser', `Encountered "${trimmed.slice(start).trim()}"`);
    }
    tokens.push({ text, isQuoted: quoted !== undefined });
  }
  return tokens;
};

const operators = ['=', '<', '>', '<=', '>=', 'like', 'in'] as const;

/** Reads one token after the other; the words of the language have any capitals. */
const createReader = (tokens: Token[]) => {
  let place = 0;
  const isNext = (word: string): boolean => {
    const token = tokens[place];
    return token !== undefined && !token.isQuoted && token.text.toLowerCase() === word;
  };
  const skip = (...words: string[]): boolean => {
    const start = place;
    for (const word of words) {
      if (!isNext(word)) {
        place = start;
        return false;
      }
      place += 1;
    }
    return true;
  };
  const problem = (text = tokens[place]?.text ?? '<EOF>'): never => {
    throw new QueryProblem('parser', `Encountered "${text}"`);
  };
  const take = (): string => tokens[place++]?.text ?? problem();
  return {
    skip,
    problem,
    take,
    demand: (...words: string[]): void => void (skip(...words) || problem()),
    takeOperator: () => operators.find((operator) => skip(operator)) ?? problem(),
    takeNumber: (): number => {
      const text = take();
      return /^\d+$/.test(text) ? Number(text) : problem(text);
    },
    takeList: (): string[] => {
      const list = [take()];
      while (skip(',')) list.push(take());
      return list;
    },
    isAtEnd: (): boolean => place === tokens.length,
  };
};

type Reader = ReturnType<typeof createReader>;

const readSelection = (reader: Reader): Query['select'] => {
  if (reader.skip('count')) {
    reader.demand('(', '*', ')');
    return 'count';
  }
  const list = reader.takeList();
  return list.includes('*') ? null : list;
};

const readCondition = (reader: Reader): Condition => {
  const property = reader.take();
  const operator = reader.takeOperator();
  if (operator !== 'in') return { property, operator, values: [reader.take()] };
  reader.demand('(');
  const values = reader.takeList();
  reader.demand(')');
  return { property, operator, values };
};

const readOrder = (reader: Reader): Query['order'] => {
  const order: Query['order'] = [];
  do {
    const property = reader.take();
    order.push({ property, isDescending: !reader.skip('asc') && reader.skip('desc') });
  } while (reader.skip(','));
  return order;
};

/** @throws {QueryProblem} for what is no query, and for an entity that there is not */
export const parseQuery = (statement: string): Query => {
  const reader = createReader(tokensOf(statement));
  reader.demand('select');
  const select = readSelection(reader);
  reader.demand('from');
  const wanted = reader.take();
  const where: Condition[] = [];
  if (reader.skip('where')) {
    do where.push(readCondition(reader));
    while (reader.skip('and'));
  }
  const isOrdered = reader.skip('orderby') || reader.skip('order', 'by');
  const order = isOrdered ? readOrder(reader) : [];
  let [startPosition, maxResults] = [1, defaultResults];
  while (!reader.isAtEnd()) {
    if (reader.skip('startposition')) startPosition = reader.takeNumber();
    else if (reader.skip('maxresults')) maxResults = reader.takeNumber();
    else reader.problem();
  }
  const entity = entityNamed(wanted);
  if (entity === undefined) throw new QueryProblem('validation', `Entity ${wanted} not found`);
  if (maxResults > maximumResults) {
    const detail = `value ${maxResults} is too large. Max allowed value is ${maximumResults}.`;
    throw new QueryProblem('validation', detail);
  }
  // Clients begin at 0 as well as at 1.
  return { entity, select, where, order, startPosition: Math.max(1, startPosition), maxResults };
};

/** The properties that the entities' pages of developer.intuit.com mark as filterable, or most. */
const everyEntitys = ['Id', 'MetaData.CreateTime', 'MetaData.LastUpdatedTime', 'SyncToken'];
const filterable: Readonly<Record<string, readonly string[]>> = {
  Account: [
    ...everyEntitys,
    ...['Name', 'FullyQualifiedName', 'AcctNum', 'Active', 'SubAccount', 'ParentRef'],
    ...['Classification', 'AccountType', 'AccountSubType', 'CurrentBalance', 'CurrencyRef'],
  ],
  JournalEntry: [...everyEntitys, 'TxnDate', 'DocNumber', 'PrivateNote', 'Adjustment'],
};

const propertyOf = (entity: string, text: string): string => {
  const known = filterable[entity] ?? [...everyEntitys, 'Name', 'Active'];
  const found = known.find((property) => property.toLowerCase() === text.toLowerCase());
  if (found !== undefined) return found;
  throw new QueryProblem('validation', `Property ${text} not found for Entity ${entity}`);
};

const valueAt = (entity: Entity, property: string): unknown => {
  const value = property
    .split('.')
    .reduce<unknown>(
      (whole, part) => (whole as Record<string, unknown> | undefined)?.[part],
      entity,
    );
  return (value as { value?: string } | undefined)?.value ?? value;
};

/** As numbers where they are some, ids among them; moments as such; all else as texts. */
const comparable = (property: string, value: unknown): number | string | undefined => {
  if (value === undefined) return undefined;
  const text = String(value);
  if (property.startsWith('MetaData.')) return Date.parse(text.replace(' ', '+'));
  if (['Id', 'ParentRef', 'SyncToken', 'CurrentBalance'].includes(property)) return Number(text);
  return typeof value === 'boolean' ? text.toLowerCase() : text;
};

const compare = (one: number | string | undefined, other: number | string | undefined): number => {
  if (one === other) return 0;
  if (one === undefined || other === undefined) return one === undefined ? 1 : -1;
  return one < other ? -1 : 1;
};

const patternOf = (like: string): RegExp => {
  const parts = like.split('%').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
};

/** Unverified: whether capitals of values matter. Here they do, but of `true` and `false`. */
const isMet = (entity: Entity, { property, operator, values }: Condition): boolean => {
  const raw = valueAt(entity, property);
  const value = comparable(property, raw);
  if (value === undefined) return false;
  if (operator === 'like') return patternOf(values[0] ?? '').test(String(value));
  const order = values.map((wanted) => {
    const given = typeof raw === 'boolean' ? wanted.toLowerCase() : wanted;
    return compare(value, comparable(property, given));
  });
  const [first = 0] = order;
  if (operator === 'in') return order.includes(0);
  if (operator === '=') return first === 0;
  if (operator.startsWith('<')) return first < 0 || (operator === '<=' && first === 0);
  return first > 0 || (operator === '>=' && first === 0);
};

/** How clients ask for all, which is no condition. */
const isForAll = ({ property, operator, values }: Condition): boolean =>
  property === 'Active' &&
  operator === 'in' &&
  ['true', 'false'].every((value) => values.some((given) => given.toLowerCase() === value));

/** Without a condition on it, what is not active is left out (Intuit's Account page). */
const conditionsOf = ({ entity, where }: Query): Condition[] => {
  const known = where.map((it) => ({ ...it, property: propertyOf(entity, it.property) }));
  const isAsked = entity !== 'Account' || known.some(({ property }) => property === 'Active');
  if (isAsked) return known.filter((condition) => !isForAll(condition));
  return [...known, { property: 'Active', operator: '=', values: ['true'] }];
};

/** What the query is about, in its order; of many entities only what is looked at is made. */
export const findAll = (company: DemoCompany, query: Query): Collection => {
  const all = collectionsOf[query.entity]?.(company) ?? { length: 0, at: () => ({}) as Entity };
  const conditions = conditionsOf(query);
  const order = query.order.map((it) => ({
    ...it,
    property: propertyOf(query.entity, it.property),
  }));
  // The ids are in their order as they are.
  const isSorted = order.every(({ property, isDescending }) => property === 'Id' && !isDescending);
  if (conditions.length === 0 && isSorted) return all;
  const found = [...Array(all.length).keys()].flatMap((place) => {
    const entity = all.at(place);
    if (!conditions.every((condition) => isMet(entity, condition))) return [];
    return [
      { place, keys: order.map(({ property }) => comparable(property, valueAt(entity, property))) },
    ];
  });
  if (!isSorted) {
    found.sort((one, other) => {
      const differences = order.map(
        ({ isDescending }, key) =>
          compare(one.keys[key], other.keys[key]) * (isDescending ? -1 : 1),
      );
      return differences.find((difference) => difference !== 0) ?? 0;
    });
  }
  return { length: found.length, at: (place) => all.at(found[place]?.place as number) };
};

/** Unverified: what comes beside the properties that were asked for. Intuit's pages differ. */
export const selectFrom = (entity: Entity, select: Query['select']): object => {
  if (select === null || select === 'count') return entity;
  const wanted = select.map((property) => property.toLowerCase().split('.')[0]);
  const chosen = Object.entries(entity).filter(([name]) => wanted.includes(name.toLowerCase()));
  return { domain: entity.domain, sparse: true, ...Object.fromEntries(chosen) };
};
