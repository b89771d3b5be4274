// Wrong stores: each changes the calls between the stores and a correct table. The tests that claim
// to find such errors must find these.

import { randomUUID } from 'node:crypto';
import type { Outcome } from '#shared/table/outcomes.ts';
import type { Action, Item, Table, UpdateAction } from '#shared/table/table.ts';
import { noHash } from '../readers/entry-hashes.ts';

type Actions = readonly Action[];

/** Changes the actions of a transaction, each of its tries, and nothing else of it. */
const changeTransactions =
  (change: (actions: Actions, table: Table) => Actions | Promise<Actions>) =>
  (table: Table): Table => ({
    ...table,
    tryTransact: async (transaction) =>
      table.tryTransact({ ...transaction, actions: await change(transaction.actions, table) }),
    transact: async (actions) => table.transact(await change(actions, table)),
  });

/** Changes each action of a transaction: to others, or to none. */
const changeActions = (change: (action: Action) => Action[]) =>
  changeTransactions((actions) => actions.flatMap(change));

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

/** Adds a cent to the first debit, which unbalances the entry. */
const unbalance = (entry: Item): Item => {
  const [line, ...lines] = entry.lines as Item[];
  if (line?.debit === undefined) return entry;
  const [whole, cents] = String(line.debit).split('.');
  const debit = `${whole}.${String((Number(cents) + 1) % 100).padStart(2, '0')}`;
  return { ...entry, lines: [{ ...line, debit }, ...lines] };
};

/** Writes the actions of a transaction one by one. */
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

/** Removes unused values, which DynamoDB refuses. */
const usedIn = <Value>(expression: string, given: Record<string, Value> = {}) =>
  Object.fromEntries(Object.entries(given).filter(([name]) => expression.includes(name)));

const withoutCondition = ({ update, expression, names, values }: UpdateAction): UpdateAction => ({
  update,
  expression,
  names: usedIn(expression, names),
  values: usedIn(expression, values),
});

const withoutConditionsOf = (action: Action): Action[] => {
  if ('check' in action) return [];
  if ('put' in action) return [{ put: action.put }];
  return 'delete' in action ? [{ delete: action.delete }] : [withoutCondition(action)];
};
const withoutConditions = changeActions(withoutConditionsOf);

/** Tells everybody that all went well. */
const takeFailuresForSuccess = (table: Table): Table => {
  const assume = (): Outcome => ({ committed: true });
  return {
    ...table,
    tryTransact: (...parameters) => table.tryTransact(...parameters).catch(assume),
    transact: (actions) => table.transact(actions).catch(assume),
  };
};

/** Looks a year ahead for due entries. */
const hurry = (table: Table): Table => ({
  ...table,
  queryPages: (input) => {
    const { ':bound': bound, ...values } = input.ExpressionAttributeValues ?? {};
    const later = String(bound).replace(/^\d+/, (year) => String(Number(year) + 1));
    return table.queryPages({
      ...input,
      ...(bound !== undefined && { ExpressionAttributeValues: { ...values, ':bound': later } }),
    });
  },
});

/** Writes each update as `change` would have it, in a transaction or alone. */
const changeUpdates =
  (change: (action: UpdateAction) => UpdateAction) =>
  (table: Table): Table => ({
    ...changeActions((action) => ['update' in action ? change(action) : action])(table),
    update: (action) => table.update(change(action)),
  });

const withCondition = (action: UpdateAction, condition: string): UpdateAction => ({
  ...action,
  condition,
  names: usedIn(`${action.expression} ${condition}`, action.names),
  values: usedIn(`${action.expression} ${condition}`, action.values),
});

const isSheet = /^SEQUENCE#/;

/** Changes the transactions in which entries that are due come to count. */
const changeFlips = (change: (actions: Actions, table: Table) => Actions | Promise<Actions>) =>
  changeTransactions((actions, table) => {
    const isFlip = actions.some((action) => 'update' in action && isEntry.test(keyOf(action)));
    return isFlip ? change(actions, table) : actions;
  });

/** The sheet with the rows that it had before. */
const withRowsOfBefore = async (action: Action, table: Table): Promise<Action> => {
  if (!('put' in action) || !isSheet.test(keyOf(action))) return action;
  const before = await table.get({ pk: String(action.put.pk), sk: keyOf(action) });
  return { ...action, put: { ...action.put, rows: before?.rows ?? '' } };
};

/** Treats every entry as scheduled, and posts it without conditions. */
const postAgain = (table: Table): Table => ({
  ...changeFlips((actions) => actions.flatMap(withoutConditionsOf))(table),
  getMany: async (keys) => {
    const items = [...(await table.getMany(keys))];
    return new Map(
      items.map(([key, it]) => [key, it.kind === 'entry' ? { ...it, status: 'scheduled' } : it]),
    );
  },
});

/** If a transaction changes two sheets, swaps their rows. */
const mixSheetsUp = changeTransactions((actions) => {
  const sheets = actions.flatMap((it) => ('put' in it && isSheet.test(keyOf(it)) ? [it.put] : []));
  return actions.map((action) => {
    if (sheets.length !== 2 || !('put' in action) || !sheets.includes(action.put)) return action;
    const other = sheets.find((it) => it !== action.put);
    return { ...action, put: { ...action.put, rows: other?.rows } };
  });
});

/** Rows with an empty fourth column, which the first line, a header, does not have. */
const withoutCashEffects = (rows: unknown): string =>
  String(rows)
    .split('\n')
    .map((row) => row.replace(/^([^\t]*\t[^\t]*\t[^\t]*)\t[^\t]*/, '$1\t'))
    .join('\n');

const withoutLastRow = (rows: unknown): string => String(rows).split('\n').slice(0, -1).join('\n');

const withoutLineFields =
  (...names: string[]) =>
  (entry: Item): Item => ({
    ...Object.fromEntries(Object.entries(entry).filter(([name]) => !names.includes(name))),
    lines: (entry.lines as Item[]).map((line) =>
      Object.fromEntries(Object.entries(line).filter(([name]) => !names.includes(name))),
    ),
  });

const marksReversed = (action: Action): boolean =>
  'update' in action && action.expression.includes('#reversedBy = :reversedBy');

const isCorrection = (action: Action, said: string): boolean =>
  'update' in action && isEntry.test(keyOf(action)) && action.expression.includes(said);

/** Swaps the sides of a reversal back to the sides of its original. */
const keepSides = (entry: Item): Item => ({
  ...entry,
  lines: (entry.lines as Item[]).map((line) =>
    Object.fromEntries(
      Object.entries(line).map(([name, value]) => [
        name.replace(
          /debit|credit/i,
          (side) =>
            ({ debit: 'credit', Debit: 'Credit', credit: 'debit', Credit: 'Debit' })[side] ?? side,
        ),
        value,
      ]),
    ),
  ),
});

/** In a batch, the last sheet does not get the rows of its entries. */
const skipRowsOfBatches = changeTransactions(async (actions, table) => {
  const entries = actions.filter((it) => 'put' in it && isEntry.test(keyOf(it)));
  const last = actions.findLast((it) => 'put' in it && isSheet.test(keyOf(it)));
  if (entries.length < 2 || last === undefined) return actions;
  const changed = await withRowsOfBefore(last, table);
  return actions.map((action) => (action === last ? changed : action));
});

/** Does not see the lock of a tenant that is read with accounts, to post to them. */
const ignoreLock = (table: Table): Table => ({
  ...table,
  getMany: async (keys) => {
    const items = await table.getMany(keys);
    if (!keys.some(({ sk }) => sk.startsWith('ACCOUNT#'))) return items;
    return new Map(
      [...items].map(([key, { lockDate, ...item }]) => [
        key,
        item.sk === 'TENANT' || lockDate === undefined ? item : { ...item, lockDate },
      ]),
    );
  },
});

/** Does not see what was recorded of a partition, and records it again. */
const recordAgain = (table: Table): Table => ({
  ...table,
  getMany: async (keys) =>
    new Map(
      [...(await table.getMany(keys))].filter(([, { sk }]) => !/^POSITION#/.test(String(sk))),
    ),
  update: (action) =>
    table.update(/^POSITION#/.test(keyOf(action)) ? withoutCondition(action) : action),
});

const isOfImport = ({ update }: UpdateAction): boolean => update.sk === 'IMPORT';

export const saboteurs = {
  'forgets the guard of an external_id': forget(/^EXT#/),
  'loses a number of the sequence': changePuts(isSheet, (sheet) => ({
    ...sheet,
    lastSequence: Number(sheet.lastSequence) + 1,
  })),
  'skips the balance rule': changePuts(isEntry, unbalance),
  'forgets lines after the first hundred': forget(/#LINES#/),
  'writes without conditions': withoutConditions,
  'writes one by one': writeOneByOne,
  'forgets when an entry is due': forget(/^DUEDATE#/),
  'forgets to link a tenant': forget(/^TENANT#/),
  'forgets the domain of a tenant': forget(/^DOMAIN$/),
  'forgets the pointer of a user id': forget(/^USERID$/),
  'forgets the Idempotency-Key': forget(/^IDEMPOTENCY$/),
  'forgets the company of a connection': forget(/^COMPANY$/),
  'reports failed writes as done': takeFailuresForSuccess,
  'posts entries before they are due': hurry,
  'posts entries twice': postAgain,
  'removes dates that still have entries': (table: Table): Table => ({
    ...table,
    queryPage: async (input, from) => {
      const page = await table.queryPage(input, from);
      const isOfDate = String(input.ExpressionAttributeValues?.[':first']).startsWith('SCHEDULED#');
      return isOfDate ? { ...page, items: page.items.slice(1), next: undefined } : page;
    },
  }),
  'forgets that a journal was imported': forget(/^REF#/),
  'forgets an account of a chart': forget(/^ACCOUNT#\w+\.rent$/),
  'reports journals as recorded': (table: Table): Table => ({
    ...table,
    tryTransact: async (transaction) => {
      const hasJournals = transaction.actions.some((action) => /^REF#/.test(keyOf(action)));
      return hasJournals ? { committed: true } : table.tryTransact(transaction);
    },
  }),
  'does not resume dead imports': (table: Table): Table => ({
    ...table,
    update: async (action) => {
      // Only a resumed import is requested again and no longer stuck.
      const isResumed =
        isOfImport(action) &&
        action.values?.[':status'] === 'requested' &&
        action.expression.includes('REMOVE #stuck');
      return isResumed ? false : table.update(action);
    },
  }),
  'calls a company active at once': changePuts(/^TENANT$/, (tenant) =>
    tenant.status === 'importing' ? { ...tenant, status: 'active' } : tenant,
  ),
  'uses a new token for each attempt': (table: Table): Table => ({
    ...table,
    tryTransact: ({ actions, token }) => {
      const isEntryWrite = actions.some((action) => /^ENTRY#/.test(keyOf(action)));
      return table.tryTransact({ actions, token: isEntryWrite ? randomUUID() : token });
    },
  }),
  'keeps the version of replaced tokens': changeUpdates((action) => {
    const next = action.values?.[':version'];
    return action.update.sk === 'CONNECTION' && next !== undefined
      ? { ...action, values: { ...action.values, ':version': Number(next) - 1 } }
      : action;
  }),
  'takes imports that run': changeUpdates((action) =>
    isOfImport(action) && action.values?.[':status'] === 'running'
      ? withCondition(action, '#importId = :expected_importId')
      : action,
  ),
  'ignores the import and the run': changeUpdates((action) =>
    isOfImport(action) && action.condition
      ? withCondition(
          action,
          action.condition
            .replace(' AND #importId = :expected_importId', '')
            .replace(' AND #runId = :expected_runId', ''),
        )
      : action,
  ),
  'counts an entry twice': changePuts(isSheet, (sheet) => ({
    ...sheet,
    counted: Number(sheet.counted) + 1,
  })),
  'keeps a sheet at its first revision': changePuts(isSheet, (sheet) => ({
    ...sheet,
    revision: 1,
  })),
  'chains on the wrong head': changePuts(isSheet, (sheet) => ({ ...sheet, head: noHash })),
  'drops cash effects': changePuts(isSheet, (sheet) => ({
    ...sheet,
    rows: withoutCashEffects(sheet.rows),
  })),
  'mixes up two sheets': mixSheetsUp,
  'forgets the rows of due entries': changeFlips((actions, table) =>
    Promise.all(actions.map((action) => withRowsOfBefore(action, table))),
  ),
  'posts due entries without their sheet': changeFlips((actions) =>
    actions.filter((action) => !isSheet.test(keyOf(action))),
  ),
  'forgets the list of scheduled entries': changeActions((action) =>
    'put' in action && /^SCHEDULED#/.test(keyOf(action)) ? [] : [action],
  ),
  'keeps posted entries in the scheduled list': changeActions((action) =>
    'delete' in action && /^SCHEDULED#/.test(keyOf(action)) ? [] : [action],
  ),
  'forgets the list of accrued entries': forget(/^ACCRUAL#/),
  'loses an account when it carries totals': (table) => ({
    ...table,
    put: ({ put, ...action }) => {
      const isCarried = String(put.sk).startsWith('CARRIED#');
      const rows = isCarried && { rows: withoutLastRow(put.rows) };
      return table.put({ ...action, put: { ...put, ...rows } });
    },
  }),
  'forgets which lines are cash': changePuts(isEntry, withoutLineFields('lineClass')),
  'forgets the amounts in books': changePuts(
    isEntry,
    withoutLineFields('bookCurrency', 'bookAmount', 'bookExchangeRate', 'bookDebit', 'bookCredit'),
  ),
  'ignores the lock': ignoreLock,
  'does not swap the sides of a reversal': changePuts(isEntry, (entry) =>
    entry.reverses === undefined ? entry : keepSides(entry),
  ),
  'forgets rows of a batch': skipRowsOfBatches,
  'keeps cancelled entries in the scheduled list': changeTransactions((actions) =>
    actions.some((it) => 'put' in it && it.put.status === 'cancelled')
      ? actions.filter((it) => !('delete' in it && /^SCHEDULED#/.test(keyOf(it))))
      : actions,
  ),
  'keeps the original of a cancelled reversal': changeActions((action) =>
    isCorrection(action, 'REMOVE #reversedBy') ? [] : [action],
  ),
  'records the events of a change again': recordAgain,
  'forgets the last event of a page': changeUpdates((action) => {
    const events = action.values?.[':events'];
    return Array.isArray(events) && events.length > 1
      ? { ...action, values: { ...action.values, ':events': events.slice(0, -1) } }
      : action;
  }),
  'leaves the events of a tenant in place': changeUpdates((action) => {
    if (action.update.sk !== 'TENANT') return action;
    const expression = action.expression.replace(/ REMOVE #events$/, '');
    return {
      ...action,
      expression,
      names: usedIn(`${expression} ${action.condition}`, action.names),
    };
  }),
} as const satisfies Record<string, (table: Table) => Table>;

export type Saboteur = keyof typeof saboteurs;

/** Of reversals: each leaves two entries that do not name each other. */
export const reversalSaboteurs = {
  'forgets to mark the original': changeActions((action) =>
    marksReversed(action) ? [] : [action],
  ),
  'marks an original twice': changeUpdates((action) =>
    marksReversed(action) ? withCondition(action, '#status = :expected_status') : action,
  ),
} as const satisfies Record<string, (table: Table) => Table>;
