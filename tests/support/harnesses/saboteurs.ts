// Ways in which a store could be wrong, put between the stores and a table that is right: whoever
// claims to find such things must find these.

import { randomUUID } from 'node:crypto';
import type { Action, Item, Outcome, Table, UpdateAction } from '#shared/store/table.ts';

/** Changes each action of a transaction: to others, or to none. */
const changeActions =
  (change: (action: Action) => Action[]) =>
  (table: Table): Table => {
    return {
      ...table,
      tryTransact: (transaction) =>
        table.tryTransact({ ...transaction, actions: transaction.actions.flatMap(change) }),
      transact: (actions) => table.transact(actions.flatMap(change)),
    };
  };

const keyOf = (action: Action): string => {
  if ('put' in action) return String(action.put.sk);
  if ('update' in action) return action.update.sk;
  return ('delete' in action ? action.delete : action.check).sk;
};

const forget = (pattern: RegExp) =>
  changeActions((action) => (pattern.test(keyOf(action)) ? [] : [action]));

const changePuts = (pattern: RegExp, change: (item: Item) => Item) =>
  changeActions((action) =>
    'put' in action && pattern.test(keyOf(action))
      ? [{ ...action, put: change(action.put) }]
      : [action],
  );

const isEntry = /^ENTRY#[^#]+#[^#]+#\d+$/;

/** Adds a cent to the first debit: what the rule of balance would have refused. */
const unbalance = (entry: Item): Item => {
  const [line, ...lines] = entry.lines as Item[];
  if (line === undefined || line.debit === '0.00') return entry;
  const [whole, cents] = String(line.debit).split('.');
  const debit = `${whole}.${String((Number(cents) + 1) % 100).padStart(2, '0')}`;
  return { ...entry, lines: [{ ...line, debit }, ...lines] };
};

/** Writes one action after the other, as if all of them would always come through. */
const writeOneByOne = (table: Table): Table => {
  const transact = async (actions: readonly Action[]): Promise<Outcome> => {
    for (const action of actions) {
      const outcome = await table.transact([action]);
      if (!outcome.committed) return outcome;
    }
    return { committed: true };
  };
  return { ...table, tryTransact: ({ actions }) => transact(actions), transact };
};

/** What an expression has no use for, DynamoDB refuses. */
const usedIn = <Value>(expression: string, given: Record<string, Value> = {}) =>
  Object.fromEntries(Object.entries(given).filter(([name]) => expression.includes(name)));

const withoutCondition = ({ update, expression, names, values }: UpdateAction): UpdateAction => ({
  update,
  expression,
  names: usedIn(expression, names),
  values: usedIn(expression, values),
});

const withoutConditions = changeActions((action) => {
  if ('check' in action) return [];
  if ('put' in action) return [{ put: action.put }];
  return 'delete' in action ? [{ delete: action.delete }] : [withoutCondition(action)];
});

/** Tells everybody that all went well. */
const takeFailuresForSuccess = (table: Table): Table => {
  const assume = (): Outcome => ({ committed: true });
  return {
    ...table,
    tryTransact: (...parameters) => table.tryTransact(...parameters).catch(assume),
    transact: (actions) => table.transact(actions).catch(assume),
  };
};

/** Looks for what is due a year later. */
const hurry = (table: Table): Table => ({
  ...table,
  queryPages: (input) => {
    const { ':until': until, ...values } = input.ExpressionAttributeValues ?? {};
    const later = String(until).replace(/^\d+/, (year) => String(Number(year) + 1));
    return table.queryPages({
      ...input,
      ...(until !== undefined && { ExpressionAttributeValues: { ...values, ':until': later } }),
    });
  },
});

/** Writes each update as `change` would have it, in a transaction or alone. */
const changeUpdates =
  (change: (action: UpdateAction) => UpdateAction) =>
  (table: Table): Table => {
    const changed = (action: Action): Action => ('update' in action ? change(action) : action);
    return {
      ...table,
      update: (action) => table.update(change(action)),
      transact: (actions) => table.transact(actions.map(changed)),
    };
  };

const withCondition = (action: UpdateAction, condition: string): UpdateAction => ({
  ...action,
  condition,
  values: usedIn(`${action.expression} ${condition}`, action.values),
});

const isOfImport = ({ update }: UpdateAction): boolean => update.sk === 'IMPORT';

export const saboteurs = {
  'forgets the guard of an external_id': forget(/^EXT#/),
  'loses a number of the sequence': changePuts(/^SEQUENCE#/, (sheet) => ({
    ...sheet,
    lastSequence: Number(sheet.lastSequence) + 1,
  })),
  'skips the balance rule': changePuts(isEntry, unbalance),
  'forgets lines after the first hundred': forget(/#LINES#/),
  'writes without conditions': withoutConditions,
  'writes one by one': writeOneByOne,
  'forgets when an entry is due': changePuts(
    isEntry,
    ({ due_pk: _pk, due_sk: _sk, ...entry }) => entry,
  ),
  'forgets to link a tenant': forget(/^TENANT#/),
  'forgets the domain of a tenant': forget(/^DOMAIN$/),
  'forgets the pointer of a user id': forget(/^USERID$/),
  'forgets the Idempotency-Key': forget(/^IDEMPOTENCY$/),
  'forgets the company of a connection': forget(/^COMPANY$/),
  'takes a failed write for a done one': takeFailuresForSuccess,
  'posts what is not due': hurry,
  'posts again what is posted': changeUpdates((action) =>
    isEntry.test(action.update.sk) ? withoutCondition(action) : action,
  ),
  'leaves what it posted in the due index': changeUpdates((action) => ({
    ...action,
    expression: action.expression.replace('REMOVE due_pk, due_sk', ''),
  })),
  'forgets that a journal was imported': forget(/^REF#/),
  'forgets an account of a chart': forget(/^ACCOUNT#\w+\.rent$/),
  'takes journals for recorded that are not': (table: Table): Table => ({
    ...table,
    tryTransact: async (transaction) => {
      const hasJournals = transaction.actions.some((action) => /^REF#/.test(keyOf(action)));
      return hasJournals ? { committed: true } : table.tryTransact(transaction);
    },
  }),
  'lets imports that died lie': (table: Table): Table => ({
    ...table,
    update: async (action) => {
      const isResumed = isOfImport(action) && action.values?.[':requested'] !== undefined;
      return isResumed ? false : table.update(action);
    },
  }),
  'calls a company active at once': changePuts(/^TENANT$/, (tenant) =>
    tenant.status === 'importing' ? { ...tenant, status: 'active' } : tenant,
  ),
  'takes each try at an entry for another': (table: Table): Table => ({
    ...table,
    tryTransact: ({ actions, token }) => {
      const isEntryWrite = actions.some((action) => /^ENTRY#/.test(keyOf(action)));
      return table.tryTransact({ actions, token: isEntryWrite ? randomUUID() : token });
    },
  }),
  'puts tokens in the place of any': changeUpdates((action) =>
    action.update.sk === 'CONNECTION' && action.values?.[':next'] !== undefined
      ? withCondition(action, 'attribute_exists(pk)')
      : action,
  ),
  'takes imports that run': changeUpdates((action) =>
    isOfImport(action) && action.values?.[':status'] === 'running'
      ? withCondition(action, 'importId = :expected')
      : action,
  ),
  'forgets which import is meant': changeUpdates((action) =>
    isOfImport(action) && action.condition
      ? withCondition(action, action.condition.replace('importId = :expected AND ', ''))
      : action,
  ),
} as const satisfies Record<string, (table: Table) => Table>;

export type Saboteur = keyof typeof saboteurs;
