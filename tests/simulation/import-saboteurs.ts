// Ways in which the store could be wrong about imports, put before a table that is right: the
// simulation must find each of them. Those about everything else are in
// tests/support/harnesses/saboteurs.ts.

import { randomUUID } from 'node:crypto';
import type { Action, Table, UpdateAction } from '#shared/store/table.ts';

const sortKeyOf = (action: Action): string => {
  const { sk } = 'put' in action ? action.put : 'update' in action ? action.update : action.check;
  return String(sk);
};

const forget =
  (pattern: RegExp) =>
  (table: Table): Table => {
    const isKept = (action: Action): boolean => !pattern.test(sortKeyOf(action));
    return {
      ...table,
      tryTransact: ({ actions, ...transaction }) =>
        table.tryTransact({ ...transaction, actions: actions.filter(isKept) }),
      transact: (actions) => table.transact(actions.filter(isKept)),
    };
  };

/** What a condition has no use for, DynamoDB refuses. */
const usedIn = (text: string, given: UpdateAction['values'] = {}) =>
  Object.fromEntries(Object.entries(given).filter(([name]) => text.includes(name)));

const withCondition = (action: UpdateAction, condition: string): UpdateAction => ({
  ...action,
  condition,
  values: usedIn(`${action.expression} ${condition}`, action.values),
});

const forgetWhoseImport = <Some extends Action>(action: Some): Some =>
  'update' in action && isImport(action.update) && action.condition
    ? {
        ...action,
        ...withCondition(action, action.condition.replace('importId = :expected AND ', '')),
      }
    : action;

const isImport = ({ sk }: { sk: string }): boolean => sk === 'IMPORT';

export const importSaboteurs = {
  'forgets that a journal was imported': forget(/^REF#/),
  'forgets an account of a chart': forget(/^ACCOUNT#\w+\.rent$/),
  'takes journals for recorded that are not': (table: Table): Table => ({
    ...table,
    tryTransact: async (transaction) => {
      const hasJournals = transaction.actions.some((action) => /^REF#/.test(sortKeyOf(action)));
      return hasJournals ? { committed: true } : table.tryTransact(transaction);
    },
  }),
  'lets imports that died lie': (table: Table): Table => ({
    ...table,
    update: async (action) => {
      const isResumed = isImport(action.update) && action.values?.[':requested'] !== undefined;
      return isResumed ? false : table.update(action);
    },
  }),
  'calls a company active at once': (table: Table): Table => ({
    ...table,
    transact: (actions) =>
      table.transact(
        actions.map((action) =>
          'put' in action && action.put.status === 'importing'
            ? { ...action, put: { ...action.put, status: 'active' } }
            : action,
        ),
      ),
  }),
  'takes each try at an entry for another': (table: Table): Table => {
    const tryTransact: Table['tryTransact'] = ({ actions, token }) => {
      const isEntry = actions.some((action) => /^ENTRY#/.test(sortKeyOf(action)));
      return table.tryTransact({ actions, token: isEntry ? randomUUID() : token });
    };
    return { ...table, tryTransact };
  },
  'puts tokens in the place of any': (table: Table): Table => ({
    ...table,
    update: (action) => {
      const isReplacement =
        action.values?.[':next'] !== undefined && action.update.sk === 'CONNECTION';
      return table.update(isReplacement ? withCondition(action, 'attribute_exists(pk)') : action);
    },
  }),
  'takes imports that run': (table: Table): Table => ({
    ...table,
    update: (action) => {
      const isClaim = isImport(action.update) && action.values?.[':status'] === 'running';
      return table.update(isClaim ? withCondition(action, 'importId = :expected') : action);
    },
  }),
  'forgets which import is meant': (table: Table): Table => ({
    ...table,
    update: (action) => table.update(forgetWhoseImport(action)),
    transact: (actions) => table.transact(actions.map(forgetWhoseImport)),
  }),
} as const satisfies Record<string, (table: Table) => Table>;

export type ImportSaboteur = keyof typeof importSaboteurs;
