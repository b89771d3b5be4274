// Ways in which the store could be wrong about imports, put before a table that is right: the
// simulation must find each of them. Those about everything else are in tests/support/saboteurs.ts.

import type { Action, Table } from '#shared/store/table.ts';

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
} as const satisfies Record<string, (table: Table) => Table>;

export type ImportSaboteur = keyof typeof importSaboteurs;
